/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* carom_distance_pairs and carom_distance_pair. In: bodies or poses, pairs and a config. Out: gaps and manifolds. */
#include "carom/distance.h"

#include "kernel/api/pair_config.h"
#include "kernel/api/pairs_tmpl.h"
#include "kernel/narrow/batch_tmpl.h"
#include "kernel/sys/arithmetic.h"
#include "kernel/sys/error.h"

#define carom_distance_pairs CAROM_REAL(carom_distance_pairs)
#define carom_distance_pair CAROM_REAL(carom_distance_pair)

/* The caller's structs as the library's own. */
typedef struct distance_call {
    carom_distance_config config;
    carom_gap_task task;
    carom_batch_rows rows;
} distance_call;

/* What goes for one pair and for many; `count` of them. */
static carom_status take_arguments(distance_call *call, const carom_distance_config *config, uint64_t count,
                                   const carom_batch_rows *rows, carom_error *error) {
    const carom_status status = carom_pair_config_distance(config, sizeof(carom_real), &call->config, error);
    if (status != CAROM_OK) {
        return status;
    }
    const bool needed = call->config.detail == CAROM_GAP_MANIFOLD;
    const bool manifolds = needed || (call->config.detail == CAROM_GAP_CONTACT && rows->manifold != NULL);
    call->task = (carom_gap_task){.detail = call->config.detail,
                                  .manifold = manifolds,
                                  .margin = call->config.margin,
                                  .tolerance = call->config.tolerance,
                                  .axes = call->config.axes};
    call->rows = (carom_batch_rows){
        .gap = rows->gap, .manifold = manifolds ? rows->manifold : NULL, .state = call->config.states};
    if (count > 0 && rows->gap == NULL && (call->config.states == NULL || call->config.detail != CAROM_GAP_STATE)) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT,
                               "there is nowhere to write gaps: the argument is NULL, which config.states with detail "
                               "STATE alone allows");
    }
    if (count > 0 && needed && rows->manifold == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT,
                               "there is nowhere to write manifolds, but config.detail asks for them");
    }
    return CAROM_OK;
}

carom_status carom_distance_pairs(carom_context *context, const carom_bodies *bodies, const uint32_t *i,
                                  const uint32_t *k, uint64_t count, const carom_distance_config *config,
                                  carom_gap_row *gaps, carom_manifold_row *manifolds, carom_error *error) {
    distance_call call;
    carom_pairs_call pairs;
    const carom_batch_rows rows = {.gap = gaps, .manifold = manifolds};
    const carom_arithmetic before = carom_arithmetic_enter();
    carom_status status = carom_pairs_take(&pairs, context, bodies, i, k, count, error);
    if (status == CAROM_OK) {
        status = take_arguments(&call, config, count, &rows, error);
    }
    if (status == CAROM_OK) {
        status = carom_pairs_begin(&pairs, call.config.cancel, error);
    }
    if (status == CAROM_OK) {
        status = count > 0 ? carom_batch_gaps(context, &pairs.pairs, &call.task, &call.rows, error) : CAROM_OK;
        carom_pairs_end(&pairs);
    }
    carom_arithmetic_leave(before);
    return status;
}

carom_status carom_distance_pair(const carom_shapes *shapes, const carom_pose *i, const carom_pose *k,
                                 const carom_distance_config *config, carom_gap_row *gap, carom_manifold_row *manifold,
                                 carom_error *error) {
    distance_call call;
    carom_control control;
    const carom_batch_rows rows = {.gap = gap, .manifold = manifold};
    const carom_arithmetic before = carom_arithmetic_enter();
    carom_status status = carom_pairs_check_poses(shapes, i, k, error);
    if (status == CAROM_OK) {
        status = take_arguments(&call, config, 1, &rows, error);
    }
    if (status == CAROM_OK) {
        status = carom_pairs_control(call.config.cancel, &control, &call.task.control, error);
    }
    if (status == CAROM_OK) {
        status = carom_batch_gap(shapes, i, k, &call.task, &call.rows, error);
    }
    if (status == CAROM_OK) {
        status = carom_pairs_look(call.task.control, error);
    }
    carom_arithmetic_leave(before);
    return status;
}
