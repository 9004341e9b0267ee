/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/lists/close_tmpl.h"

#include "kernel/check/assert.h"
#include "simd/layout.h"

/* Pairs of one body that are decided at once. */
enum { OPEN = 64 };

static void set_bit(uint16_t *bits, uint32_t candidate) {
    bits[candidate / 16] = (uint16_t)(bits[candidate / 16] | 1U << candidate % 16);
}

/* Returns the old bit. */
static uint32_t clear_bit(uint16_t *bits, uint32_t candidate) {
    const uint32_t bit = (uint32_t)bits[candidate / 16] >> candidate % 16 & 1;
    bits[candidate / 16] = (uint16_t)(bits[candidate / 16] & ~(1U << candidate % 16));
    return bit;
}

/* A pair as a detection decides it: in a periodic box the second body is the one that is moved, by a positive lattice
 * vector. */
static void pair_of(const carom_lists_job *job, uint32_t own, uint32_t other, carom_record pair[2]) {
    int32_t step[3];
    if (job->images == NULL || !carom_lists_key_step(job->images, other, step)) {
        pair[0] = carom_layout_body(job->bodies, carom_lists_owner(job, own));
        pair[1] = carom_layout_body(job->bodies, carom_lists_owner(job, other));
        return;
    }
    const uint32_t number = carom_lists_move_number(step);
    const bool opposite = !job->images->move[number].positive;
    const double *by = job->images->move[opposite ? CAROM_LISTS_MOVES - 1 - number : number].by;
    pair[opposite] = carom_layout_body(job->bodies, carom_lists_owner(job, own));
    pair[!opposite] = carom_layout_body(job->bodies, carom_lists_owner(job, other));
    for (int a = 0; a < 3; a++) {
        pair[1].prev[a] += (carom_real)by[a];
        pair[1].curr[a] += (carom_real)by[a];
    }
}

/* Decides pairs of one body with `count` others; sets the bits of those that touch, and returns how many they are. */
static uint32_t decide(const carom_lists_job *job, uint32_t own, const uint32_t *candidate, const uint32_t *key,
                       uint32_t count, uint16_t *bits) {
    carom_record record[2 * OPEN];
    uint32_t slot_i[OPEN + CAROM_SIMD_PAD] = {0};
    uint32_t slot_k[OPEN + CAROM_SIMD_PAD] = {0};
    for (uint32_t n = 0; n < count; n++) {
        pair_of(job, own, key[candidate[n]], record + 2 * (size_t)n);
        slot_i[n] = 2 * n;
        slot_k[n] = 2 * n + 1;
    }
    const uint32_t touching =
        carom_kernels_of(job->context->simd)->touch(record, count, slot_i, slot_k, slot_i, slot_k);
    for (uint32_t n = 0; n < touching; n++) {
        set_bit(bits, candidate[slot_i[n] / 2]);
    }
    return touching;
}

/* The square of a distance less that of the sum of radii, from differences: the kernel rounds more. */
static float close_excess(const carom_hits_in *in, uint32_t body, uint32_t n) {
    const float x = in->at[0][n] - in->at[0][body];
    const float y = in->at[1][n] - in->at[1][body];
    const float z = in->at[2][n] - in->at[2][body];
    const float sum = in->radius != NULL ? in->radius[n] + in->radius[body] : 0.0F;
    return x * x + y * y + z * z - (in->radius != NULL ? sum * sum : in->square);
}

void carom_lists_decide_open(const carom_lists_job *job, const carom_hits_in *in, const uint32_t *key, uint32_t body,
                             const carom_lists_hits *hits) {
    const uint32_t own = in->first + body;
    uint16_t *bits = hits->bits + (size_t)body * carom_hits_words(in->count);
    uint32_t length = hits->length[body];
    uint32_t candidate[OPEN];
    uint32_t count = 0;
    for (uint32_t n = 0; n < in->count; n++) {
        const float excess = close_excess(in, own, n);
        if (n == own || (in->later && n < own) || (in->id != NULL && in->id[n] <= in->id[own]) ||
            !(excess >= -in->margin && excess <= in->margin)) {
            continue;
        }
        length -= clear_bit(bits, n);
        candidate[count++] = n;
        if (count == OPEN) {
            length += decide(job, key[own], candidate, key, count, bits);
            count = 0;
        }
    }
    hits->length[body] = length + (count > 0 ? decide(job, key[own], candidate, key, count, bits) : 0);
}

/* `touch` keeps the order, so one pass matches its results to the pairs. */
void carom_lists_decide_close(const carom_lists_job *job, carom_lists_close *close) {
    uint32_t slot_i[CAROM_LISTS_CLOSE + CAROM_SIMD_PAD];
    uint32_t slot_k[CAROM_LISTS_CLOSE + CAROM_SIMD_PAD];
    const uint32_t touching = carom_kernels_of(job->context->simd)
                                  ->touch(job->slots.body, close->count, close->slot_i, close->slot_k, slot_i, slot_k);
    uint32_t next = 0;
    for (uint32_t n = 0; n < close->count && next < touching; n++) {
        if (close->slot_i[n] == slot_i[next] && close->slot_k[n] == slot_k[next]) {
            set_bit(close->bits[n], close->candidate[n]);
            job->found.length[slot_i[next]]++;
            next++;
        }
    }
    CAROM_ASSERT(next == touching);
    close->count = 0;
}

/* A pair of a body and candidate n. Images have no slot as a detection places them: their pairs are decided at once. */
static inline void note_pair(const carom_lists_job *job, const carom_lists_candidates *candidates, uint32_t own,
                             uint32_t n, uint16_t *bits, carom_lists_close *close) {
    const uint32_t slot = candidates->slot[own];
    int32_t step[3];
    if (job->images != NULL && carom_lists_key_step(job->images, candidates->key[n], step)) {
        job->found.length[slot] += decide(job, candidates->key[own], &n, candidates->key, 1, bits);
        return;
    }
    close->slot_i[close->count] = slot;
    close->slot_k[close->count] = candidates->slot[n];
    close->bits[close->count] = bits;
    close->candidate[close->count] = n;
    close->count++;
}

static void make_room(const carom_lists_job *job, uint32_t pairs, carom_lists_close *close) {
    if (close->count + pairs > CAROM_LISTS_CLOSE) {
        carom_lists_decide_close(job, close);
    }
}

void carom_lists_note_close(const carom_lists_job *job, const carom_hits_in *in,
                            const carom_lists_candidates *candidates, uint32_t body, const carom_lists_hits *hits,
                            carom_lists_close *close) {
    const size_t from = (size_t)body * carom_hits_words(in->count);
    const uint16_t *found = candidates->close + from;
    const uint32_t count = candidates->near[body];
    uint32_t number[CAROM_HIT_ROW_ROOM];
    if (count <= CAROM_HIT_ROW_MOST) {
        job->context->simd->pack_hits(candidates->number, found, in->count, number);
        make_room(job, count, close);
        for (uint32_t n = 0; n < count; n++) {
            note_pair(job, candidates, in->first + body, number[n], hits->bits + from, close);
        }
        return;
    }
    for (uint32_t n = 0; n < in->count; n++) {
        if ((found[n / 16] >> n % 16 & 1) != 0) {
            make_room(job, 1, close);
            note_pair(job, candidates, in->first + body, n, hits->bits + from, close);
        }
    }
}
