/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: positions. Out: bodies sorted by the codes of their cells. Positions that are not finite get some code: who calls
 * refuses such bodies later.
 *
 * A coarse order has CELLS_A_BODY cells a body or more, so most cells hold one body or none, and few passes of the sort
 * are enough. Where many bodies share few cells (clusters, sheets, or a body far away that stretches the cube), a fine
 * one is made. */
#include "kernel/impacts/order.h"

#include <math.h>

#include "kernel/sys/mix.h"

/* Cells on an axis: bits of a coordinate's number in a fine order, and in a coarse one at most. */
enum { FINE_BITS = 20, COARSE_BITS_MOST = 10 };

enum { CELLS_A_BODY = 8 };

/* Bodies are too crowded for a coarse order if more than one in CROWDED shares its cell with the body CROWD slots on.
 */
enum { CROWD = 8, CROWDED = 8 };

/* Steps from slot to slot whose lengths are looked at; and bodies in the samples that lay the cells and say whether
 * bodies are crowded. */
enum { STEPS = 256, SAMPLE = 65536 };

/* Slots in a slice of a walk begin at multiples of this. */
enum { GRAIN = 64 };

/* An order is kept until its steps are on average so many times as long as when it was made. */
static const double MIXED = 1.5;

/* Bodies as they lie are in no order if steps are on average longer than this share of the distance of any two. So few
 * are found without an order. */
static const double MIXED_SHARE = 0.5;
enum { MIXED_LEAST = 64 };

typedef struct pass {
    const carom_order *order;
    const carom_order_source *source;
    const carom_team *team;
    uint32_t bits; /* of a coordinate's number */
    double lo[3];
    double scale;
} pass;

static bool is_coarse(uint32_t bits) {
    return bits <= COARSE_BITS_MOST;
}

/* Spreads the lowest FINE_BITS bits of x, two zeros after each. */
static uint64_t spread(uint64_t x) {
    x = (x | x << 32) & UINT64_C(0x001F00000000FFFF);
    x = (x | x << 16) & UINT64_C(0x001F0000FF0000FF);
    x = (x | x << 8) & UINT64_C(0x100F00F00F00F00F);
    x = (x | x << 4) & UINT64_C(0x10C30C30C30C30C3);
    return (x | x << 2) & UINT64_C(0x1249249249249249);
}

static uint64_t cell_of(const pass *p, const double x[3], int axis) {
    const double cell = (x[axis] - p->lo[axis]) * p->scale;
    const double last = (1 << p->bits) - 1;
    return cell > 0.0 ? (uint64_t)(cell < last ? cell : last) : 0;
}

/* Keys of a coarse order have 32 bits. */
static void code_task(void *data, uint32_t worker) {
    const pass *p = data;
    uint32_t *coarse = p->order->key.data;
    uint64_t *fine = p->order->key.data;
    uint32_t *number = p->order->number_buffer.data;
    carom_walk walk = carom_team_walk(p->team, worker, p->source->count, 1);
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin; n < walk.end; n++) {
            double x[3];
            p->source->position(p->source->bodies, n, x);
            const uint64_t code =
                spread(cell_of(p, x, 0)) | spread(cell_of(p, x, 1)) << 1 | spread(cell_of(p, x, 2)) << 2;
            if (is_coarse(p->bits)) {
                coarse[n] = (uint32_t)code;
            } else {
                fine[n] = code;
            }
            number[n] = (uint32_t)n;
        }
    }
}

/* The cube around a sample of bodies, cut into cells. Those outside go to the cells at its faces. */
static void set_cells(pass *p) {
    double hi[3] = {-INFINITY, -INFINITY, -INFINITY};
    double widest = 0.0;
    for (int a = 0; a < 3; a++) {
        p->lo[a] = INFINITY;
    }
    for (uint64_t n = 0; n < p->source->count; n += p->source->count / SAMPLE + 1) {
        double x[3];
        p->source->position(p->source->bodies, n, x);
        for (int a = 0; a < 3; a++) {
            p->lo[a] = x[a] < p->lo[a] ? x[a] : p->lo[a];
            hi[a] = x[a] > hi[a] ? x[a] : hi[a];
        }
    }
    for (int a = 0; a < 3; a++) {
        widest = fmax(widest, hi[a] - p->lo[a]);
    }
    p->scale = widest > 0.0 ? (1 << p->bits) / widest : 0.0;
}

static carom_status reserve(carom_order *order, carom_memory *memory, const carom_order_source *source) {
    const uint64_t count = source->count;
    const uint64_t slots = source->move ? 0 : count;
    if (carom_buffer_reserve(memory, &order->number_buffer, count * sizeof(uint32_t)) != CAROM_OK ||
        carom_buffer_reserve(memory, &order->slot_buffer, slots * sizeof(uint32_t)) != CAROM_OK ||
        carom_buffer_reserve(memory, &order->spare_number, count * sizeof(uint32_t)) != CAROM_OK ||
        carom_buffer_reserve(memory, &order->key, count * sizeof(uint64_t)) != CAROM_OK ||
        carom_buffer_reserve(memory, &order->spare_key, count * sizeof(uint64_t)) != CAROM_OK) {
        return CAROM_ERROR_MEMORY;
    }
    order->number = order->number_buffer.data;
    order->slot = order->slot_buffer.data;
    return CAROM_OK;
}

static double apart(const carom_order_source *source, uint64_t n, uint64_t k) {
    double x[3];
    double y[3];
    source->position(source->bodies, n, x);
    source->position(source->bodies, k, y);
    return fabs(x[0] - y[0]) + fabs(x[1] - y[1]) + fabs(x[2] - y[2]);
}

/* Mean distance from one slot to the next. `number` as in carom_order; NULL: bodies have moved. */
static double mean_apart(const carom_order_source *source, const uint32_t *number) {
    double sum = 0.0;
    uint64_t steps = 0;
    for (uint64_t slot = 0; slot + 1 < source->count; slot += source->count / STEPS + 1) {
        sum += number != NULL ? apart(source, number[slot], number[slot + 1]) : apart(source, slot, slot + 1);
        steps++;
    }
    return steps > 0 ? sum / (double)steps : 0.0;
}

/* Mean distance of two bodies drawn at random, the same in every call. */
static double mean_apart_of_any(const carom_order_source *source) {
    double sum = 0.0;
    for (uint64_t n = 0; n < 2 * STEPS; n += 2) {
        sum += apart(source, carom_mix64(n) % source->count, carom_mix64(n + 1) % source->count);
    }
    return sum / STEPS;
}

bool carom_order_is_mixed(const carom_order_source *source) {
    return source->count >= MIXED_LEAST && mean_apart(source, NULL) > MIXED_SHARE * mean_apart_of_any(source);
}

static void slot_task(void *data, uint32_t worker) {
    const pass *p = data;
    carom_walk walk = carom_team_walk(p->team, worker, p->source->count, GRAIN);
    while (carom_walk_next(&walk)) {
        for (uint64_t slot = walk.begin; slot < walk.end; slot++) {
            p->order->slot[p->order->number[slot]] = (uint32_t)slot;
        }
    }
}

/* Whether there is an order that is not much worse than a new one. */
static bool serves(const carom_order *order, const carom_order_source *source) {
    const uint32_t *number = source->move ? NULL : order->number;
    return order->count == source->count && (order->count < 2 || mean_apart(source, number) <= MIXED * order->apart);
}

/* The fewest bits that give CELLS_A_BODY cells a body. More than COARSE_BITS_MOST: only a fine order has so many. */
static uint32_t coarse_bits(uint64_t count) {
    uint32_t bits = 1;
    while (bits <= COARSE_BITS_MOST && UINT64_C(1) << 3 * bits < CELLS_A_BODY * count) {
        bits++;
    }
    return bits;
}

/* The cell of a coarse order in which the body in a slot is. */
static uint64_t coarse_key(const pass *p, uint64_t slot, uint32_t bits) {
    return is_coarse(p->bits) ? ((const uint32_t *)p->order->key.data)[slot]
                              : ((const uint64_t *)p->order->key.data)[slot] >> 3 * (FINE_BITS - bits);
}

/* Whether a sample finds bodies crowded in cells of so many bits. */
static bool is_crowded(const pass *p, uint32_t bits) {
    const uint64_t count = p->source->count;
    uint64_t looked_at = 0;
    uint64_t alike = 0;
    for (uint64_t slot = 0; slot + CROWD < count; slot += count / SAMPLE + 1) {
        alike += coarse_key(p, slot, bits) == coarse_key(p, slot + CROWD, bits) ? 1 : 0;
        looked_at++;
    }
    return alike * CROWDED > looked_at;
}

static carom_status sort(const pass *p, carom_context *context) {
    const carom_order *order = p->order;
    const uint64_t count = p->source->count;
    return is_coarse(p->bits) ? carom_radix_sort_u32(&context->sort, &context->team, &context->memory, context->simd,
                                                     count, 3 * p->bits, order->key.data, order->number,
                                                     order->spare_key.data, order->spare_number.data)
                              : carom_radix_sort_u64(&context->sort, &context->team, &context->memory, context->simd,
                                                     count, 3 * p->bits, order->key.data, order->number,
                                                     order->spare_key.data, order->spare_number.data);
}

/* Sorts bodies by cells with p->bits. */
static carom_status sort_by_cells(pass *p, carom_context *context) {
    set_cells(p);
    carom_team_run_over(&context->team, p->source->count, code_task, p);
    if (carom_team_stopped(&context->team)) {
        return CAROM_ERROR_CANCELLED;
    }
    const carom_status status = sort(p, context);
    return status == CAROM_OK && carom_team_stopped(&context->team) ? CAROM_ERROR_CANCELLED : status;
}

/* A coarse order takes half as long as a fine one, or less. Bodies that were too crowded for one are likely to be so
 * again. */
static carom_status make(carom_order *order, carom_context *context, const carom_order_source *source) {
    const uint32_t bits = coarse_bits(source->count);
    pass p = {.order = order, .source = source, .team = &context->team};
    p.bits = is_coarse(bits) && !order->crowded ? bits : FINE_BITS;
    carom_status status = sort_by_cells(&p, context);
    if (status == CAROM_OK) {
        order->crowded = is_coarse(bits) && is_crowded(&p, bits);
        if (order->crowded && p.bits != FINE_BITS) {
            p.bits = FINE_BITS;
            status = sort_by_cells(&p, context);
        }
    }
    if (status == CAROM_OK && !source->move) {
        carom_team_run_over(&context->team, source->count, slot_task, &p);
    }
    if (status != CAROM_OK || carom_team_stopped(&context->team)) {
        return status != CAROM_OK ? status : CAROM_ERROR_CANCELLED;
    }
    order->count = source->count;
    order->apart = mean_apart(source, order->number);
    order->fresh = true;
    return CAROM_OK;
}

carom_status carom_order_renew(carom_order *order, carom_memory *memory, carom_context *context,
                               const carom_order_source *source) {
    order->fresh = false;
    if (serves(order, source)) {
        return CAROM_OK;
    }
    carom_order_forget(order);
    const carom_status status = reserve(order, memory, source);
    return status == CAROM_OK ? make(order, context, source) : status;
}

void carom_order_forget(carom_order *order) {
    order->count = 0;
    order->fresh = false;
}

void carom_order_release(carom_order *order, carom_memory *memory) {
    carom_buffer *buffers[] = {&order->number_buffer, &order->slot_buffer, &order->spare_number, &order->key,
                               &order->spare_key};
    for (size_t n = 0; n < sizeof buffers / sizeof *buffers; n++) {
        carom_buffer_release(memory, buffers[n]);
    }
    order->count = 0;
}
