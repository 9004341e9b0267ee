/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/api/pairs_tmpl.h"

#include "kernel/api/bodies_tmpl.h"
#include "kernel/sys/error.h"

static carom_status refuse_null(const char *name, carom_error *error) {
    return carom_error_set(error, CAROM_ERROR_ARGUMENT, "%s is NULL", name);
}

carom_status carom_pairs_take(carom_pairs_call *call, carom_context *context, const carom_bodies *bodies,
                              const uint32_t *i, const uint32_t *k, uint64_t count, carom_error *error) {
    if (context == NULL) {
        return refuse_null("context", error);
    }
    if (count > 0 && (i == NULL || k == NULL)) {
        return refuse_null(i == NULL ? "i" : "k", error);
    }
    call->context = context;
    call->pairs = (carom_job_pairs){.bodies = &call->bodies, .i = i, .k = k, .count = count};
    return carom_bodies_take(&call->bodies, bodies, error);
}

carom_status carom_pairs_begin(carom_pairs_call *call, const carom_cancel *cancel, carom_error *error) {
    const carom_status status = carom_context_take_again(call->context, error);
    if (status != CAROM_OK) {
        return status;
    }
    carom_control_start(&call->control, cancel, NULL, NULL);
    call->context->team.control = cancel != NULL ? &call->control : NULL;
    if (carom_control_look(call->context->team.control)) {
        carom_pairs_end(call);
        return carom_error_set(error, CAROM_ERROR_CANCELLED, "the call was cancelled");
    }
    return CAROM_OK;
}

void carom_pairs_end(carom_pairs_call *call) {
    call->context->team.control = NULL;
    carom_context_give_back(call->context);
}

static carom_status check_pose(const carom_pose *pose, const char *name, carom_error *error) {
    if (pose == NULL) {
        return refuse_null(name, error);
    }
    return pose->reserved == 0 ? CAROM_OK
                               : carom_error_set(error, CAROM_ERROR_ARGUMENT, "%s.reserved is %u, not 0", name,
                                                 (unsigned)pose->reserved);
}

carom_status carom_pairs_check_poses(const carom_shapes *shapes, const carom_pose *i, const carom_pose *k,
                                     carom_error *error) {
    if (shapes == NULL) {
        return refuse_null("shapes", error);
    }
    const carom_status status = check_pose(i, "i", error);
    return status == CAROM_OK ? check_pose(k, "k", error) : status;
}

carom_status carom_pairs_look(carom_control *control, carom_error *error) {
    return carom_control_stopped(control) ? carom_error_set(error, CAROM_ERROR_CANCELLED, "the call was cancelled")
                                          : CAROM_OK;
}

carom_status carom_pairs_control(const carom_cancel *cancel, carom_control *room, carom_control **control,
                                 carom_error *error) {
    *control = NULL;
    if (cancel == NULL) {
        return CAROM_OK;
    }
    carom_control_start(room, cancel, NULL, NULL);
    *control = room;
    (void)carom_control_look(room);
    return carom_pairs_look(room, error);
}
