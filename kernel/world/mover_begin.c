/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: bodies, in their own order or that of space. Out: copies in the order of space, at the beginning of a step; or
 * the error that one is not as it must be. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kernel/sys/error.h"
#include "kernel/world/begin_body.h"
#include "simd/vector.h"

/* Usual motions have numbers that are less: far less than floats hold. */
static const double SMALL = 1e18;

static void begin_block(carom_begin_pass *p, uint64_t begin, uint64_t end) {
    carom_body body[CAROM_MOVER_BLOCK];
    const carom_mover_source *source = p->mover->source;
    const uint64_t count = carom_mover_block(begin, end);
    const carom_mover_gain gain = p->gain;
    bool fixed = false;
    source->load(source->bodies, begin, count, body);
    for (uint64_t b = 0; b < count; b++) {
        const uint64_t n = begin + b;
        const uint32_t slot = p->slot != NULL ? p->slot[n] : (uint32_t)n;
        if (p->slot != NULL) {
            const uint32_t ahead = p->slot[n + CAROM_MOVER_AHEAD < end ? n + CAROM_MOVER_AHEAD : n];
            __builtin_prefetch(&p->piece[ahead], 1);
            __builtin_prefetch(&p->values[ahead], 1);
        }
        if (!carom_begin_body(p, &gain, &body[b], slot)) {
            carom_mover_note_bad(p->mover, p->mover->bodies.number[slot]);
        }
        fixed = fixed || isinf(body[b].mass);
    }
    p->fixed = p->fixed || fixed;
}

static void begin_bodies(void *data, uint32_t worker) {
    carom_mover *mover = data;
    carom_begin_pass p = carom_begin_pass_of(mover);
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

/* `begun`: the step before has done it. */
static void begin_all(carom_mover *mover, bool begun) {
    mover->bodies.wrapped = begun && carom_mover_marks_wrapped(mover) ? mover->buffers.wrapped.data : NULL;
    if (!begun) {
        atomic_store_explicit(&mover->seen.fixed, false, memory_order_relaxed);
        atomic_store_explicit(&mover->seen.unusual, false, memory_order_relaxed);
        carom_team_run_over(&mover->context->team, mover->bodies.count, begin_bodies, mover);
    }
}

/* The coordinate that is most to blame. */
static carom_body_field farthest_axis(const carom_body *body) {
    int axis = fabs(body->x[1]) > fabs(body->x[0]) ? 1 : 0;
    axis = fabs(body->x[2]) > fabs(body->x[axis]) ? 2 : axis;
    return (carom_body_field)(CAROM_BODY_POSITION + axis);
}

/* How far a body moves in a step, in edges of the periodic box. */
static double edges_moved(const carom_mover *mover, const carom_piece *piece) {
    double most = 0.0;
    for (uint32_t b = 0; b < mover->rules->lattice.dimensions; b++) {
        most = fmax(most, carom_begin_edges(mover->rules, piece, b));
    }
    return most;
}

static carom_status refuse_body(const carom_mover *mover, uint64_t n, carom_error *error) {
    const carom_body body = carom_mover_body(mover, n);
    const carom_body_field field = carom_body_fault(&body);
    if (field != CAROM_BODY_FIELDS) {
        return carom_body_refuse(n, field, carom_body_value(&body, field), error);
    }
    const carom_mover_gain gain = carom_mover_gain_of(mover);
    carom_piece piece;
    carom_begin_motion(&gain, &body, &piece);
    if (!carom_begin_has_path(&piece)) {
        return carom_error_body(error, n, "velocity",
                                "body %" PRIu64 ": the distance that it moves in the step is not finite", n);
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
    return carom_rules_meets_itself(mover->rules, body.radius)
               ? carom_error_body(error, n, "radius",
                                  "body %" PRIu64 ": radius is %g, but the body's own image is at %g", n, body.radius,
                                  shortest)
               : carom_error_body(error, n, "velocity",
                                  "body %" PRIu64 ": it moves %.4g edges of the periodic box in the step, more than %g",
                                  n, edges_moved(mover, &piece), CAROM_BEGIN_EDGES_MOST);
}

static carom_status reserve(carom_mover *mover, uint64_t count, carom_error *error) {
    carom_memory *memory = &mover->context->memory;
    const uint64_t words = carom_mover_marks_wrapped(mover) ? count / CAROM_MOVER_GRAIN + 1 : 0;
    const uint64_t each = sizeof(double[3]) + (mover->rules->tilted ? sizeof(int32_t[3]) : 0);
    if (carom_buffer_reserve(memory, &mover->buffers.piece, count * sizeof(carom_piece)) != CAROM_OK ||
        carom_buffer_reserve(memory, &mover->buffers.body, count * sizeof(carom_response_body)) != CAROM_OK ||
        carom_buffer_reserve(memory, &mover->buffers.kept, count * each) != CAROM_OK ||
        carom_buffer_reserve(memory, &mover->buffers.wrapped, words * sizeof(uint64_t)) != CAROM_OK) {
        return carom_memory_error(memory, error, "a step of %" PRIu64 " bodies", count);
    }
    return CAROM_OK;
}

static void load_position(const void *data, uint64_t n, double x[3]) {
    const carom_mover_source *source = data;
    if (carom_mover_in_slots(source)) {
        memcpy(x, source->slots.moving(source->bodies)[n].x, sizeof(double[3]));
    } else {
        carom_body body;
        source->load(source->bodies, n, 1, &body);
        memcpy(x, body.x, sizeof body.x);
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
                                           .piece = mover->buffers.piece.data,
                                           .body = mover->buffers.body.data,
                                           .kept = mover->buffers.kept.data,
                                           .number = numbers_of(mover),
                                           .surface = carom_rules_unit_surfaces(rules),
                                           .periodic = config->periodic,
                                           .gain = carom_vector_length(gain.v) * config->dt,
                                           .owned = source->owned,
                                           .resumed = source->owned && source->unchanged,
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
    const bool begun = source->unchanged && atomic_load_explicit(&mover->begun, memory_order_relaxed);
    carom_context *context = mover->context;
    atomic_store_explicit(&mover->begun, false, memory_order_relaxed);
    mover->rules = rules;
    mover->source = source;
    mover->held = 0;
    atomic_store_explicit(&mover->bad, CAROM_NO_BODY, memory_order_relaxed);
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
    begin_all(mover, begun && !mover->order.fresh);
    mover->bodies.all_movable = !atomic_load_explicit(&mover->seen.fixed, memory_order_relaxed);
    (void)carom_control_look(context->team.control);
    status = carom_mover_cancelled(mover, error);
    if (status == CAROM_OK && mover->bad != CAROM_NO_BODY) {
        status = refuse_body(mover, mover->bad, error);
    }
    carom_mover_lap(mover, CAROM_STEP_PHASE_BEGIN);
    return status;
}
