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

static double value_at(const carom_real *array, uint64_t stride, uint64_t n, double otherwise) {
    return array != NULL ? (double)carom_layout_value(array, stride, n) : otherwise;
}

static void load_body(const void *bodies, uint64_t n, carom_body *body) {
    const step_bodies *all = bodies;
    const carom_motion *motion = &all->motion;
    for (int a = 0; a < 3; a++) {
        body->x[a] = (double)carom_layout_value(motion->position[a], motion->position_stride, n);
        body->v[a] = (double)carom_layout_value(motion->velocity[a], motion->velocity_stride, n);
    }
    body->radius = value_at(motion->radius, motion->radius_stride, n, (double)motion->common_radius);
    body->mass = value_at(motion->mass, motion->mass_stride, n, 1.0);
    body->restitution = value_at(motion->restitution, motion->restitution_stride, n, all->restitution);
    body->last_impact = -INFINITY;
}

static void store_value(carom_real *array, uint64_t stride, uint64_t n, double value) {
    const uint64_t bytes = stride != 0 ? stride : sizeof *array;
    *(carom_real *)(void *)((char *)array + n * bytes) = (carom_real)value;
}

static void store_body(void *bodies, uint64_t n, const carom_mover_end *end) {
    const carom_motion *motion = &((const step_bodies *)bodies)->motion;
    for (int a = 0; a < 3; a++) {
        store_value(motion->position[a], motion->position_stride, n, end->x[a]);
        store_value(motion->velocity[a], motion->velocity_stride, n, end->v[a]);
    }
}

static carom_status load(carom_step_state *state, step_bodies *bodies, carom_mover_source *source, carom_error *error) {
    carom_mover *mover = &state->mover;
    const carom_step_config *config = &state->rules.config;
    bodies->restitution = config->restitution;
    *source = (carom_mover_source){.count = bodies->motion.count,
                                   .bodies = bodies,
                                   .load = load_body,
                                   .store = store_body,
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
