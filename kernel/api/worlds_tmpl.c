/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* carom_worlds. In: the caller's bodies, worlds and config. Out: what touches in each world. */
#include "kernel/worlds/worlds_tmpl.h"

#include <inttypes.h>

#include "kernel/api/bodies_tmpl.h"
#include "kernel/api/call_tmpl.h"
#include "kernel/api/layout.h"
#include "kernel/sys/arithmetic.h"
#include "kernel/sys/clock.h"
#include "kernel/sys/error.h"

#define carom_worlds CAROM_REAL(carom_worlds)
#define carom_layout_worlds_result CAROM_REAL(carom_layout_worlds_result)

static carom_status check_config(const carom_worlds_config *config, carom_error *error) {
    if (config->until == CAROM_UNTIL_BOUNDS || (unsigned)config->until > CAROM_UNTIL_GROUPS) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT,
                               "config.until is %d: worlds are searched for pairs at least", (int)config->until);
    }
    return config->reserved == 0
               ? CAROM_OK
               : carom_error_set(error, CAROM_ERROR_ARGUMENT, "config.reserved is %u, not 0", config->reserved);
}

static carom_status check_offset(const uint64_t *offset, uint64_t worlds, uint64_t bodies, carom_error *error) {
    if (offset == NULL) {
        return worlds == 0 && bodies == 0
                   ? CAROM_OK
                   : carom_error_set(error, CAROM_ERROR_ARGUMENT,
                                     "offset is NULL, but there are %" PRIu64 " worlds and %" PRIu64 " bodies", worlds,
                                     bodies);
    }
    if (offset[0] != 0) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "offset[0] is %" PRIu64 ", not 0", offset[0]);
    }
    for (uint64_t w = 0; w < worlds; w++) {
        if (offset[w + 1] < offset[w]) {
            return carom_error_set(error, CAROM_ERROR_ARGUMENT,
                                   "offset[%" PRIu64 "] is %" PRIu64 ", less than the one before", w + 1,
                                   offset[w + 1]);
        }
    }
    return offset[worlds] == bodies
               ? CAROM_OK
               : carom_error_set(error, CAROM_ERROR_ARGUMENT,
                                 "offset[%" PRIu64 "] is %" PRIu64 ", but there are %" PRIu64 " bodies", worlds,
                                 offset[worlds], bodies);
}

/* What a detection that has the call's control is asked for. */
static carom_detect_config control_of(const carom_worlds_config *config) {
    carom_detect_config detection = carom_detect_config_default();
    detection.cancel = config->cancel;
    return detection;
}

static carom_status explain(carom_worlds_job *job, carom_status status, carom_error *error) {
    if (status == CAROM_ERROR_BODY) {
        status = carom_worlds_find_bad(job, error);
    }
    return status == CAROM_ERROR_MEMORY
               ? carom_error_set(error, status,
                                 "no memory for the worlds: %" PRIu64 " bytes in all would be enough to go on",
                                 job->result->required_bytes)
           : status == CAROM_ERROR_CANCELLED ? carom_error_set(error, status, "the call was cancelled")
           : status == CAROM_ERROR_ARGUMENT  ? carom_error_set(error, status, "a world has more than 2^32 - 1 pairs")
                                             : status;
}

static carom_status run(carom_worlds_job *job, carom_call *call, carom_error *error) {
    carom_status status = carom_call_begin(call, job->context, error);
    if (status == CAROM_OK) {
        status = explain(job, carom_worlds_run(job), error);
        carom_call_end(job->context);
    }
    return status;
}

/* The caller's structs as the library's own, and the work. */
static carom_status make(carom_worlds_job *job, const carom_bodies *bodies, const carom_worlds_config *given,
                         carom_error *error) {
    carom_call call = {.detection = NULL};
    carom_worlds_config config = carom_worlds_config_default();
    carom_status status = carom_layout_take(&carom_layout_worlds_config, &config, given, error);
    const carom_detect_config detection = control_of(&config);
    if (status == CAROM_OK) {
        status = check_config(&config, error);
    }
    if (status == CAROM_OK) {
        status = carom_call_take(&call, bodies, &detection, NULL, error);
    }
    if (status == CAROM_OK) {
        status = carom_bodies_refuse_shapes(&call.bodies, error);
    }
    if (status == CAROM_OK) {
        status = check_offset(job->offset, job->worlds, call.bodies.count, error);
    }
    job->bodies = &call.bodies;
    job->config = &config;
    return status == CAROM_OK ? run(job, &call, error) : status;
}

carom_status carom_worlds(carom_context *context, const carom_bodies *bodies, uint64_t worlds, const uint64_t *offset,
                          const carom_worlds_config *config, carom_worlds_result *result, carom_error *error) {
    if (result == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "result is NULL");
    }
    const double begin = carom_clock_seconds();
    carom_status status = carom_layout_check(&carom_layout_worlds_result, result, error);
    if (status != CAROM_OK) {
        return status;
    }
    carom_layout_clear(&carom_layout_worlds_result, result);
    if (context == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "context is NULL");
    }
    carom_worlds_result own = {0};
    carom_worlds_job job = {.context = context, .worlds = worlds, .offset = offset, .result = &own};
    const carom_arithmetic before = carom_arithmetic_enter();
    status = make(&job, bodies, config, error);
    carom_arithmetic_leave(before);
    if (status == CAROM_OK) {
        own.seconds = carom_clock_seconds() - begin;
    } else {
        own = (carom_worlds_result){.required_bytes = status == CAROM_ERROR_MEMORY ? own.required_bytes : 0};
    }
    carom_layout_give(&carom_layout_worlds_result, result, &own);
    return status;
}
