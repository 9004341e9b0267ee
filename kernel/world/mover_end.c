/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: copies of bodies at the end of a step. Out: the bodies; or the error that one is where numbers end. */
#include <inttypes.h>
#include <math.h>

#include "kernel/sys/clock.h"
#include "kernel/sys/error.h"
#include "kernel/world/mover_parts.h"
#include "kernel/world/wrap.h"

/* Far less than floats hold: a body whose numbers are less does not leave their range on the way to the caller. */
static const double SMALL = 1e18;

bool carom_mover_held(const carom_mover *mover, uint32_t slot) {
    return mover->bodies.piece[slot].count >= mover->bodies.rules.budget && !mover->impacts.report_only;
}

/* A velocity that no impact changed does not go through dt. */
carom_mover_end carom_mover_end_of(const carom_mover *mover, uint64_t n) {
    const carom_rules *rules = mover->rules;
    const double dt = rules->config.dt;
    const uint32_t slot = mover->order.slot[n];
    const carom_piece *piece = &mover->bodies.piece[slot];
    const carom_body body = carom_mover_body(mover, n);
    const bool turned = piece->count > 0 && !mover->impacts.report_only;
    const double *v = carom_mover_held(mover, slot) ? mover->bodies.kept[slot] : piece->v;
    carom_mover_end end;
    carom_piece_at(piece, 1.0, end.x);
    carom_mover_accelerate(&rules->config, &body, end.v);
    for (int a = 0; a < 3; a++) {
        end.v[a] = turned ? v[a] / dt : end.v[a];
    }
    end.last_impact = turned ? (piece->start - 1.0) * dt : body.last_impact - dt;
    if (rules->config.periodic != NULL) {
        carom_wrap_position(&rules->lattice, end.x);
    }
    return end;
}

/* Whether the caller's type holds a value. */
static bool holds(const carom_mover *mover, double value) {
    return mover->source->single ? isfinite((float)value) : isfinite(value);
}

static carom_body_field end_fault(const carom_mover *mover, const carom_mover_end *end) {
    for (int a = 0; a < 6; a++) {
        if (!holds(mover, a < 3 ? end->x[a] : end->v[a - 3])) {
            return (carom_body_field)(CAROM_BODY_POSITION + a);
        }
    }
    return CAROM_BODY_FIELDS;
}

/* Whether a look at the piece shows that its end has no fault. */
static bool ends_small(const carom_mover *mover, uint32_t slot) {
    const carom_piece *piece = &mover->bodies.piece[slot];
    const double fastest = SMALL * mover->rules->config.dt;
    double x[3];
    bool small = !mover->wide;
    carom_piece_at(piece, 1.0, x);
    for (int a = 0; a < 3; a++) {
        small = small && fabs(x[a]) < SMALL && fabs(piece->v[a]) < fastest;
    }
    return small;
}

static bool ends_well(const carom_mover *mover, uint32_t slot) {
    if (ends_small(mover, slot) && !carom_mover_held(mover, slot)) {
        return true;
    }
    const carom_mover_end end = carom_mover_end_of(mover, mover->bodies.number[slot]);
    return end_fault(mover, &end) == CAROM_BODY_FIELDS;
}

static void check_ends(void *data, uint32_t worker) {
    carom_mover *mover = data;
    uint64_t held = 0;
    carom_walk walk = carom_team_walk(&mover->context->team, worker, mover->bodies.count, CAROM_MOVER_GRAIN);
    while (carom_walk_next(&walk)) {
        for (uint64_t slot = walk.begin; slot < walk.end; slot++) {
            held += carom_mover_held(mover, (uint32_t)slot);
            if (!ends_well(mover, (uint32_t)slot)) {
                carom_mover_note_bad(mover, mover->bodies.number[slot]);
            }
        }
    }
    atomic_fetch_add_explicit(&mover->held, held, memory_order_relaxed);
}

static carom_status refuse_end(const carom_mover *mover, uint64_t n, carom_error *error) {
    const carom_mover_end end = carom_mover_end_of(mover, n);
    const carom_body_field field = end_fault(mover, &end);
    const char *name = carom_body_field_name(field);
    return carom_error_body(error, n, name, "body %" PRIu64 ": at the end of the step %s is %g, %s", n, name,
                            field < CAROM_BODY_VELOCITY ? end.x[field] : end.v[field - CAROM_BODY_VELOCITY],
                            mover->source->single ? "which floats do not hold" : "which is not finite");
}

/* Whether bodies that are brought into the box may come to numbers that are not small. */
static bool is_wide(const carom_periodic *periodic) {
    double sum = 0.0;
    for (int e = 0; e < 3; e++) {
        for (int a = 0; a < 3; a++) {
            sum += periodic->along[e] ? fabs(periodic->edge[e][a]) : 0.0;
        }
    }
    return !(sum < SMALL);
}

carom_status carom_mover_check(carom_mover *mover, carom_error *error) {
    carom_context *context = mover->context;
    const carom_periodic *periodic = mover->rules->config.periodic;
    mover->wide = periodic != NULL && is_wide(periodic);
    mover->began = carom_clock_seconds();
    carom_context_use_workers(context, mover->bodies.count);
    carom_team_run_over(&context->team, mover->bodies.count, check_ends, mover);
    const carom_status status = carom_mover_cancelled(mover, error);
    return status == CAROM_OK && mover->bad != CAROM_NO_BODY ? refuse_end(mover, mover->bad, error) : status;
}

carom_status carom_mover_run(carom_mover *mover, carom_error *error) {
    carom_impacts_step *impacts = &mover->impacts;
    carom_context *context = mover->context;
    if (mover->bodies.count == 0) {
        return CAROM_OK;
    }
    const carom_status status = carom_impacts_step_run(impacts, &context->memory, context, &mover->bodies, error);
    if (status == CAROM_ERROR_CANCELLED) {
        return carom_mover_cancelled(mover, error);
    }
    return status == CAROM_OK ? carom_mover_check(mover, error) : status;
}

static void store_bodies(void *data, uint32_t worker) {
    const carom_mover *mover = data;
    carom_walk walk = carom_team_walk(&mover->context->team, worker, mover->bodies.count, CAROM_MOVER_GRAIN);
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin; n < walk.end; n++) {
            __builtin_prefetch(
                &mover->bodies.piece[mover->order.slot[n + CAROM_MOVER_AHEAD < walk.end ? n + CAROM_MOVER_AHEAD : n]]);
            const carom_mover_end end = carom_mover_end_of(mover, n);
            mover->source->store(mover->source->bodies, n, &end);
        }
    }
}

void carom_mover_store(carom_mover *mover) {
    carom_context_use_workers(mover->context, mover->bodies.count);
    carom_team_run_over(&mover->context->team, mover->bodies.count, store_bodies, mover);
}
