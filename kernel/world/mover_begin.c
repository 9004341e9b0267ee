/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: bodies, in their own order or that of space. Out: copies in the order of space, at the beginning of a step; or
 * the error that one is not as it must be. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kernel/sys/error.h"
#include "kernel/world/mover_parts.h"
#include "kernel/world/wrap.h"
#include "simd/vector.h"

/* Inverse masses beyond this one, of masses near the least number that is not 0, count as this one: sums of two stay
 * finite. */
static const double INVERSE_MASS_MOST = 0x1p1022;

/* Edges of a periodic box that a body may move in a step. */
static const double EDGES_MOST = 15.0;

/* Whether the body moves too far for a periodic box. */
static bool goes_too_far(const carom_rules *rules, const carom_piece *piece) {
    bool too_far = false;
    for (uint32_t b = 0; b < 3; b++) {
        const double *dual = rules->lattice.dual[b];
        const double edges = dual[0] * piece->v[0] + dual[1] * piece->v[1] + dual[2] * piece->v[2];
        too_far = too_far || (b < rules->lattice.dimensions && !(fabs(edges) <= EDGES_MOST));
    }
    return too_far;
}

static bool meets_itself(const carom_rules *rules, double radius) {
    return !(2.0 * radius < rules->lattice.shortest);
}

/* Brings a body into the periodic box. False: it is too far away, or too large or too fast for the box. */
static bool enters_box(const carom_rules *rules, carom_piece *piece, double radius) {
    const double edges = carom_wrap_position(&rules->lattice, piece->x);
    return edges <= CAROM_WRAP_MOST && !meets_itself(rules, radius) && !goes_too_far(rules, piece);
}

/* Where the body begins, and what it moves in the step. Each number goes straight to its place: a copy of a piece that
 * has just been made waits until its stores are done. */
static inline void set_motion(const carom_mover_gain *gain, const carom_body *body, carom_piece *piece) {
    double v[3];
    carom_mover_accelerate(gain, body, v);
    for (int a = 0; a < 3; a++) {
        piece->x[a] = body->x[a];
        piece->v[a] = v[a] * gain->dt;
    }
    piece->start = 0.0;
    piece->last = CAROM_PIECE_FRESH;
    piece->count = 0;
    piece->image = 0;
}

/* Whether the body's way in the step is a number. */
static bool has_path(const carom_piece *piece) {
    return isfinite(piece->v[0]) && isfinite(piece->v[1]) && isfinite(piece->v[2]);
}

/* Usual motions have numbers that are less: far less than floats hold. */
static const double SMALL = 1e18;

/* What a worker begins bodies with. */
typedef struct begin_pass {
    carom_mover *mover;
    const uint32_t *slot; /* as of carom_mover_slot_of */
    carom_piece *piece;
    carom_response_body *values;
    carom_mover_gain gain;
    carom_usual_motion usual;
    const carom_lattice *lattice; /* in a box of great tilt; else NULL */
    int32_t (*moved)[3];
    bool periodic;
    bool fixed;   /* a body of infinite mass has been seen */
    bool unusual; /* and one whose motion is not usual */
} begin_pass;

/* Returns whether the body is as it must be. */
static inline bool begin_body(begin_pass *p, const carom_mover_gain *gain, const carom_body *body, uint32_t slot) {
    carom_piece *piece = &p->piece[slot];
    carom_response_body *values = &p->values[slot];
    const double inverse = 1.0 / body->mass;
    const double restitution = carom_mover_restitution(p->mover->source, body);
    set_motion(gain, body, piece);
    values->radius = body->radius;
    values->inverse_mass = inverse < INVERSE_MASS_MOST ? inverse : INVERSE_MASS_MOST;
    values->restitution = restitution;
    values->last_impact = body->last_impact / gain->dt;
    const bool entered = !p->periodic || enters_box(p->mover->rules, piece, body->radius);
    if (p->lattice != NULL) {
        carom_wrap_reduced(p->lattice, piece->x, p->moved[slot]);
    }
    const bool usual = carom_is_usual(&p->usual, piece->x, piece->v);
    p->unusual |= !usual;
    return carom_body_is_sound(body, restitution) && (usual || (carom_body_moves_soundly(body) && has_path(piece))) &&
           entered;
}

static void begin_block(begin_pass *p, uint64_t begin, uint64_t end) {
    carom_body room[CAROM_MOVER_BLOCK];
    const carom_mover_source *source = p->mover->source;
    const uint64_t count = carom_mover_block(begin, end);
    const carom_mover_gain gain = p->gain;
    bool fixed = false;
    const carom_body *body = source->load(source->bodies, begin, count, room);
    for (uint64_t b = 0; b < count; b++) {
        const uint64_t n = begin + b;
        const uint32_t slot = p->slot != NULL ? p->slot[n] : (uint32_t)n;
        if (p->slot != NULL) {
            const uint32_t ahead = p->slot[n + CAROM_MOVER_AHEAD < end ? n + CAROM_MOVER_AHEAD : n];
            __builtin_prefetch(&p->piece[ahead], 1);
            __builtin_prefetch(&p->values[ahead], 1);
        }
        if (!begin_body(p, &gain, &body[b], slot)) {
            carom_mover_note_bad(p->mover, p->mover->bodies.number[slot]);
        }
        fixed = fixed || isinf(body[b].mass);
    }
    p->fixed = p->fixed || fixed;
}

static void begin_bodies(void *data, uint32_t worker) {
    carom_mover *mover = data;
    begin_pass p = {.mover = mover,
                    .slot = carom_mover_slot_of(mover),
                    .piece = mover->piece_buffer.data,
                    .values = mover->body_buffer.data,
                    .gain = carom_mover_gain_of(mover),
                    .usual = mover->bodies.usual,
                    .lattice = mover->bodies.lattice,
                    .moved = carom_mover_moved(mover),
                    .periodic = mover->rules->config.periodic != NULL};
    carom_walk walk = carom_team_walk(&mover->context->team, worker, mover->bodies.count, CAROM_MOVER_GRAIN);
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin; n < walk.end; n += CAROM_MOVER_BLOCK) {
            begin_block(&p, n, walk.end);
        }
    }
    if (p.fixed) {
        atomic_store_explicit(&mover->seen.fixed, true, memory_order_relaxed);
    }
    if (p.unusual) {
        atomic_store_explicit(&mover->seen.unusual, true, memory_order_relaxed);
    }
}

/* The coordinate that is most to blame. */
static carom_body_field farthest_axis(const carom_body *body) {
    int axis = fabs(body->x[1]) > fabs(body->x[0]) ? 1 : 0;
    axis = fabs(body->x[2]) > fabs(body->x[axis]) ? 2 : axis;
    return (carom_body_field)(CAROM_BODY_POSITION + axis);
}

static carom_status refuse_body(const carom_mover *mover, uint64_t n, carom_error *error) {
    const carom_body body = carom_mover_body(mover, n);
    const carom_body_field field = carom_body_fault(&body);
    if (field != CAROM_BODY_FIELDS) {
        return carom_body_refuse(n, field, carom_body_value(&body, field), error);
    }
    const carom_mover_gain gain = carom_mover_gain_of(mover);
    carom_piece piece;
    set_motion(&gain, &body, &piece);
    if (!has_path(&piece)) {
        return carom_error_body(error, n, "velocity", "body %" PRIu64 " leaves the range of floats in this step", n);
    }
    double x[3] = {body.x[0], body.x[1], body.x[2]};
    if (carom_wrap_position(&mover->rules->lattice, x) > CAROM_WRAP_MOST) {
        const carom_body_field axis = farthest_axis(&body);
        return carom_error_body(error, n, carom_body_field_name(axis),
                                "body %" PRIu64
                                ": %s is %g; to move the body into the periodic box takes more than %g of its edges",
                                n, carom_body_field_name(axis), body.x[axis], CAROM_WRAP_MOST);
    }
    const double shortest = mover->rules->lattice.shortest;
    return meets_itself(mover->rules, body.radius)
               ? carom_error_body(error, n, "radius",
                                  "body %" PRIu64 ": radius is %g, but the body's own image is at %g", n, body.radius,
                                  shortest)
               : carom_error_body(error, n, "velocity",
                                  "body %" PRIu64 ": it moves more than %g edges of the periodic box in the step", n,
                                  EDGES_MOST);
}

static carom_status reserve(carom_mover *mover, uint64_t count, carom_error *error) {
    carom_memory *memory = &mover->context->memory;
    const uint64_t each = sizeof(double[3]) + (mover->rules->tilted ? sizeof(int32_t[3]) : 0);
    if (carom_buffer_reserve(memory, &mover->piece_buffer, count * sizeof(carom_piece)) != CAROM_OK ||
        carom_buffer_reserve(memory, &mover->body_buffer, count * sizeof(carom_response_body)) != CAROM_OK ||
        carom_buffer_reserve(memory, &mover->kept_buffer, count * each) != CAROM_OK) {
        return carom_error_set(error, CAROM_ERROR_MEMORY, "no memory for a step of %" PRIu64 " bodies", count);
    }
    return CAROM_OK;
}

static void load_position(const void *data, uint64_t n, double x[3]) {
    const carom_mover_source *source = data;
    carom_body room;
    const carom_body *body = source->load(source->bodies, n, 1, &room);
    for (int a = 0; a < 3; a++) {
        x[a] = body->x[a];
    }
}

static carom_status renew_order(carom_mover *mover) {
    const carom_mover_source *source = mover->source;
    carom_order *order = &mover->order;
    const carom_order_source positions = {source->count, load_position, source, carom_mover_in_slots(source)};
    carom_status status = carom_order_renew(order, &mover->context->memory, mover->context, &positions);
    if (order->fresh) {
        carom_impacts_step_forget(&mover->impacts);
    }
    if (status == CAROM_OK && order->fresh && positions.move) {
        status = source->slots.move(source->bodies, order->number);
    }
    if (status != CAROM_OK) {
        carom_order_forget(order);
    }
    return status;
}

/* Detection, which is all that merging takes, has an order of its own: worlds, which alone merge, have their bodies in
 * the order of numbers then. */
static carom_status order_bodies(carom_mover *mover, carom_error *error) {
    carom_status status = CAROM_OK;
    if (mover->rules->config.response == CAROM_RESPONSE_MERGE) {
        carom_order_forget(&mover->order);
    } else {
        status = renew_order(mover);
    }
    return status == CAROM_ERROR_MEMORY
               ? carom_error_set(error, status, "no memory for the order of %" PRIu64 " bodies", mover->source->count)
               : CAROM_OK;
}

static const uint32_t *numbers_of(const carom_mover *mover) {
    return carom_mover_in_slots(mover->source) ? mover->source->slots.number : mover->order.number;
}

static void set_bodies(carom_mover *mover) {
    const carom_rules *rules = mover->rules;
    const carom_step_config *config = &rules->config;
    const carom_mover_gain gain = carom_mover_gain_of(mover);
    const carom_mover_source *source = mover->source;
    mover->bodies = (carom_impacts_bodies){.count = (uint32_t)mover->source->count,
                                           .surfaces = (uint32_t)config->surface_count,
                                           .rules = {.pairs = carom_pair_rules_functions(&mover->pairs),
                                                     .rest_speed = config->rest_speed * config->dt,
                                                     .contact_time = config->contact_time / config->dt,
                                                     .budget = config->budget},
                                           .piece = mover->piece_buffer.data,
                                           .body = mover->body_buffer.data,
                                           .kept = mover->kept_buffer.data,
                                           .number = numbers_of(mover),
                                           .surface = carom_rules_unit_surfaces(rules),
                                           .periodic = config->periodic,
                                           .gain = carom_vector_length(gain.v) * config->dt,
                                           .owned = source->owned,
                                           .resumed = source->resumed,
                                           .single = source->single,
                                           .usual = {SMALL, SMALL * fmin(1.0, config->dt)}};
    if (config->periodic != NULL && rules->tilted) {
        mover->bodies.periodic = &rules->reduced;
        mover->bodies.lattice = &rules->lattice;
    }
    memset(&mover->impacts.work, 0, sizeof mover->impacts.work);
    mover->impacts.report_only = config->response == CAROM_RESPONSE_REPORT;
    mover->impacts.count_only = !(config->events || config->sink != NULL || mover->source->pairs);
}

carom_status carom_mover_load(carom_mover *mover, const carom_rules *rules, const carom_mover_source *source,
                              carom_error *error) {
    const uint64_t count = source->count;
    carom_context *context = mover->context;
    mover->rules = rules;
    mover->source = source;
    mover->held = 0;
    atomic_store_explicit(&mover->bad, CAROM_NO_BODY, memory_order_relaxed);
    atomic_store_explicit(&mover->seen.fixed, false, memory_order_relaxed);
    atomic_store_explicit(&mover->seen.unusual, false, memory_order_relaxed);
    carom_control_start(&mover->control, rules->config.cancel, NULL, NULL);
    context->team.control = rules->config.cancel != NULL ? &mover->control : NULL;
    carom_context_use_workers(context, count);
    carom_status status = reserve(mover, count, error);
    if (status == CAROM_OK) {
        status = order_bodies(mover, error);
    }
    if (status == CAROM_OK) {
        status = carom_mover_cancelled(mover, error);
    }
    if (status != CAROM_OK) {
        return status;
    }
    set_bodies(mover);
    carom_team_run_over(&context->team, count, begin_bodies, mover);
    mover->bodies.all_movable = !atomic_load_explicit(&mover->seen.fixed, memory_order_relaxed);
    (void)carom_control_look(context->team.control);
    status = carom_mover_cancelled(mover, error);
    if (status == CAROM_OK && mover->bad != CAROM_NO_BODY) {
        status = refuse_body(mover, mover->bad, error);
    }
    carom_mover_lap(mover, CAROM_STEP_PHASE_BEGIN);
    return status;
}
