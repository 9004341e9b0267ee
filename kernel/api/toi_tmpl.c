/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* carom_toi_pairs and carom_toi_pair. In: moving bodies or poses, pairs and a config. Out: times of impact. */
#include "carom/toi.h"

#include "kernel/api/pair_config.h"
#include "kernel/api/pairs_tmpl.h"
#include "kernel/narrow/impacts_tmpl.h"
#include "kernel/sys/arithmetic.h"
#include "kernel/sys/error.h"

#define carom_toi_pairs CAROM_REAL(carom_toi_pairs)
#define carom_toi_pair CAROM_REAL(carom_toi_pair)

/* The caller's config as the library's own. */
typedef struct toi_call {
    carom_toi_config config;
    carom_toi_task task;
} toi_call;

static carom_status take_arguments(toi_call *call, const carom_toi_config *config, uint64_t count,
                                   const carom_toi_row *rows, carom_error *error) {
    const carom_status status = carom_pair_config_toi(config, sizeof(carom_real), &call->config, error);
    if (status != CAROM_OK) {
        return status;
    }
    call->task = (carom_toi_task){.margin = call->config.margin,
                                  .tolerance = call->config.tolerance,
                                  .iterations_max = call->config.iterations_max};
    return count == 0 || rows != NULL
               ? CAROM_OK
               : carom_error_set(error, CAROM_ERROR_ARGUMENT, "there is nowhere to write times: the argument is NULL");
}

carom_status carom_toi_pairs(carom_context *context, const carom_bodies *bodies, const uint32_t *i, const uint32_t *k,
                             uint64_t count, const carom_toi_config *config, carom_toi_row *impacts,
                             carom_error *error) {
    toi_call call;
    carom_pairs_call pairs;
    const carom_arithmetic before = carom_arithmetic_enter();
    carom_status status = carom_pairs_take(&pairs, context, bodies, i, k, count, error);
    if (status == CAROM_OK) {
        status = take_arguments(&call, config, count, impacts, error);
    }
    if (status == CAROM_OK) {
        status = carom_pairs_begin(&pairs, call.config.cancel, error);
    }
    if (status == CAROM_OK) {
        status = count > 0 ? carom_narrow_impacts(context, &pairs.pairs, &call.task, impacts, error) : CAROM_OK;
        carom_pairs_end(&pairs);
    }
    carom_arithmetic_leave(before);
    return status;
}

carom_status carom_toi_pair(const carom_shapes *shapes, const carom_pose *i, const carom_sweep *sweep_i,
                            const carom_pose *k, const carom_sweep *sweep_k, const carom_toi_config *config,
                            carom_toi_row *impact, carom_error *error) {
    toi_call call;
    carom_control control;
    const carom_narrow_sweep moving_i = {i, sweep_i};
    const carom_narrow_sweep moving_k = {k, sweep_k};
    const carom_arithmetic before = carom_arithmetic_enter();
    carom_status status = carom_pairs_check_poses(shapes, i, k, error);
    if (status == CAROM_OK) {
        status = take_arguments(&call, config, 1, impact, error);
    }
    if (status == CAROM_OK) {
        status = carom_pairs_control(call.config.cancel, &control, &call.task.control, error);
    }
    if (status == CAROM_OK) {
        status = carom_narrow_impact(shapes, &moving_i, &moving_k, &call.task, impact, error);
    }
    if (status == CAROM_OK) {
        status = carom_pairs_look(call.task.control, error);
    }
    carom_arithmetic_leave(before);
    return status;
}
