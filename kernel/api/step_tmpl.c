/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* carom_step. In: the caller's bodies and config. Out: the bodies at the end of the step, and a report. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kernel/api/layout.h"
#include "kernel/api/step_state.h"
#include "kernel/api/stride.h"
#include "kernel/api/take_rules.h"
#include "kernel/sys/arithmetic.h"
#include "kernel/sys/error.h"
#include "kernel/world/account.h"
#include "simd/layout.h"

#define carom_step CAROM_REAL(carom_step)
#define carom_layout_motion CAROM_REAL(carom_layout_motion)

typedef CAROM_REAL(carom_motion) carom_motion;

/* Doubles from one body of a block to the next. */
enum { END_VALUES = sizeof(carom_mover_end) / sizeof(double) };

/* Where values do not lie side by side, those of bodies so far ahead are fetched. */
enum { AHEAD = 32 };

/* The bodies, and the restitution of those without their own. */
typedef struct step_bodies {
    carom_motion motion;
    double restitution;
} step_bodies;

static carom_status check_arrays(const carom_motion *motion, carom_error *error) {
    for (int a = 0; a < 3; a++) {
        if (motion->position[a] == NULL || motion->velocity[a] == NULL) {
            return carom_error_set(error, CAROM_ERROR_ARGUMENT, "motion.%s[%d] is NULL",
                                   motion->position[a] == NULL ? "position" : "velocity", a);
        }
    }
    const bool common = !(motion->common_radius == 0);
    if (common == (motion->radius != NULL)) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT,
                               common ? "motion.radius and motion.common_radius are both given"
                                      : "motion.radius is NULL, and motion.common_radius is 0");
    }
    return CAROM_OK;
}

/* Strides of arrays that are not given mean nothing. */
static carom_status check_strides(const carom_motion *motion, carom_error *error) {
    const struct {
        const char *name;
        const void *array;
        uint64_t stride;
    } all[] = {{"motion.position_stride", motion->position[0], motion->position_stride},
               {"motion.velocity_stride", motion->velocity[0], motion->velocity_stride},
               {"motion.radius_stride", motion->radius, motion->radius_stride},
               {"motion.mass_stride", motion->mass, motion->mass_stride},
               {"motion.restitution_stride", motion->restitution, motion->restitution_stride}};
    carom_status status = CAROM_OK;
    for (size_t n = 0; n < sizeof all / sizeof *all && status == CAROM_OK; n++) {
        status = all[n].array != NULL
                     ? carom_stride_check(all[n].name, all[n].stride, motion->count, sizeof(carom_real), error)
                     : CAROM_OK;
    }
    return status;
}

static carom_status check_reserved(const carom_motion *motion, carom_error *error) {
#if CAROM_REAL_BITS == 32
    if (motion->reserved != 0) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "motion.reserved is %u, not 0", motion->reserved);
    }
#endif
    (void)motion;
    (void)error;
    return CAROM_OK;
}

static carom_status take_motion(carom_motion *own, const carom_motion *given, carom_error *error) {
    if (given == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "motion is NULL");
    }
    *own = (carom_motion){.size = sizeof *own};
    carom_status status = carom_layout_take(&carom_layout_motion, own, given, error);
    if (status == CAROM_OK && own->count > CAROM_STEP_BODIES_MAX) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT,
                               "motion.count is %" PRIu64 "; at most %" PRIu64 " are allowed", own->count,
                               CAROM_STEP_BODIES_MAX);
    }
    if (status == CAROM_OK) {
        status = check_reserved(own, error);
    }
    if (status == CAROM_OK && own->count > 0) {
        status = check_arrays(own, error);
    }
    return status == CAROM_OK ? check_strides(own, error) : status;
}

static uint64_t bytes_of(uint64_t stride) {
    return stride != 0 ? stride : sizeof(carom_real);
}

static double value_at(const carom_real *array, uint64_t offset) {
    return (double)*(const carom_real *)(const void *)((const char *)array + offset);
}

/* Body by body: processors then fetch all arrays ahead. Field by field they do not keep up. */
static void load_bodies(const void *bodies, uint64_t begin, uint64_t count, carom_body *block) {
    const step_bodies *all = bodies;
    const carom_motion m = all->motion;
    const uint64_t x_bytes = bytes_of(m.position_stride);
    const uint64_t v_bytes = bytes_of(m.velocity_stride);
    const uint64_t radius_bytes = bytes_of(m.radius_stride);
    const uint64_t mass_bytes = bytes_of(m.mass_stride);
    const uint64_t restitution_bytes = bytes_of(m.restitution_stride);
    for (uint64_t n = begin; n < begin + count; n++) {
        carom_body *body = &block[n - begin];
        if (m.position_stride != 0) {
            __builtin_prefetch((const char *)m.position[0] + (n + AHEAD) * x_bytes);
            __builtin_prefetch((const char *)m.velocity[0] + (n + AHEAD) * v_bytes);
        }
        for (int a = 0; a < 3; a++) {
            body->x[a] = value_at(m.position[a], n * x_bytes);
            body->v[a] = value_at(m.velocity[a], n * v_bytes);
        }
        body->radius = m.radius != NULL ? value_at(m.radius, n * radius_bytes) : (double)m.common_radius;
        body->mass = m.mass != NULL ? value_at(m.mass, n * mass_bytes) : 1.0;
        body->restitution = m.restitution != NULL ? value_at(m.restitution, n * restitution_bytes) : all->restitution;
        body->last_impact = -INFINITY;
    }
}

static void store_values(carom_real *array, uint64_t stride, uint64_t begin, uint64_t count, const double *first) {
    const uint64_t bytes = bytes_of(stride);
    char *at = (char *)array + begin * bytes;
    for (uint64_t n = 0; n < count; n++, at += bytes) {
        *(carom_real *)(void *)at = (carom_real)first[n * END_VALUES];
    }
}

static void store_bodies(void *bodies, uint64_t begin, uint64_t count, const carom_mover_end *block) {
    const carom_motion *motion = &((const step_bodies *)bodies)->motion;
    for (int a = 0; a < 3; a++) {
        store_values(motion->position[a], motion->position_stride, begin, count, &block->x[a]);
        store_values(motion->velocity[a], motion->velocity_stride, begin, count, &block->v[a]);
    }
}

static carom_status load(carom_step_state *state, step_bodies *bodies, carom_mover_source *source, carom_error *error) {
    carom_mover *mover = &state->mover;
    const carom_step_config *config = &state->rules.config;
    bodies->restitution = config->restitution;
    *source = (carom_mover_source){.count = bodies->motion.count,
                                   .bodies = bodies,
                                   .load = load_bodies,
                                   .store = store_bodies,
                                   .single = sizeof(carom_real) == sizeof(float)};
    mover->pairs = (carom_pair_rules){.filter = config->filter, .pair = config->pair, .pair_user = config->pair_user};
    const carom_status status = carom_pair_rules_check(&mover->pairs, bodies->motion.count, error);
    return status == CAROM_OK ? carom_mover_load(mover, &state->rules, source, error) : status;
}

/* The mover is open. Nothing of the caller's is written before nothing can fail. */
static carom_status run(carom_step_state *state, step_bodies *bodies, const carom_step_config *config,
                        carom_step_report *report, carom_error *error) {
    carom_mover *mover = &state->mover;
    carom_mover_source source;
    carom_status status = carom_take_rules(&state->rules, &mover->context->memory, CAROM_RULES_STEP, config, error);
    if (status == CAROM_OK) {
        status = load(state, bodies, &source, error);
    }
    if (status == CAROM_OK) {
        status = carom_mover_run(mover, error);
    }
    if (status == CAROM_OK) {
        status = carom_account_reserve(mover, carom_mover_impacts_of(mover).count, error);
    }
    if (status == CAROM_OK) {
        status = carom_mover_finish(mover, error);
    }
    if (status == CAROM_OK) {
        const carom_mover_impacts impacts = carom_mover_impacts_of(mover);
        carom_mover_store(mover);
        carom_account_report(mover, &impacts, NULL, report);
        carom_account_deliver(mover, &impacts, NULL);
        carom_account_time(mover, report);
    }
    return status;
}

static carom_status step(carom_context *context, const carom_motion *motion, const carom_step_config *config,
                         carom_step_report *report, carom_error *error) {
    step_bodies bodies;
    if (context == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "context is NULL");
    }
    carom_status status = take_motion(&bodies.motion, motion, error);
    if (status == CAROM_OK) {
        status = carom_context_take(context, error);
    }
    if (status != CAROM_OK) {
        return status;
    }
    carom_step_state *state = carom_step_state_of(context);
    if (state == NULL) {
        carom_context_give_back(context);
        return carom_error_set(error, CAROM_ERROR_MEMORY, "no memory for a step");
    }
    carom_mover_open(&state->mover, context);
    status = run(state, &bodies, config, report, error);
    carom_mover_close(&state->mover);
    return status;
}

carom_status carom_step(carom_context *context, const carom_motion *motion, const carom_step_config *config,
                        carom_step_report *report, carom_error *error) {
    carom_step_report own;
    memset(&own, 0, sizeof own);
    carom_status status = report != NULL ? carom_layout_check(&carom_layout_step_report, report, error) : CAROM_OK;
    if (status != CAROM_OK) {
        return status;
    }
    const carom_arithmetic before = carom_arithmetic_enter();
    status = step(context, motion, config, &own, error);
    carom_arithmetic_leave(before);
    if (report != NULL) {
        carom_layout_give(&carom_layout_step_report, report, &own);
    }
    return status;
}
