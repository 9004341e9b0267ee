/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* carom_detect. In: the caller's bodies, config and output. Out: a detection. */
#include "carom/detect.h"

#include "kernel/api/call_tmpl.h"
#include "kernel/detect/detect.h"
#include "kernel/sys/arithmetic.h"
#include "kernel/sys/error.h"

#define carom_detect CAROM_REAL(carom_detect)
#define carom_detect_run CAROM_REAL(carom_detect_run)

static carom_status run(carom_context *context, carom_call *call, carom_error *error) {
    carom_status status = carom_call_begin(call, context, error);
    if (status == CAROM_OK) {
        status = carom_detect_run(context, &call->bodies, &call->settings.config, call->output, &call->found, error);
        const carom_detect_config *config = &call->settings.config;
        context->partition.searchable = status == CAROM_OK && config->until >= CAROM_UNTIL_PAIRS &&
                                        config->periodic == NULL && call->bodies.shapes == NULL;
        carom_call_end(context);
    }
    return status;
}

carom_status carom_detect(carom_context *context, const carom_bodies *bodies, const carom_detect_config *config,
                          const CAROM_REAL(carom_detect_output) * output, CAROM_REAL(carom_detection) * detection,
                          carom_error *error) {
    carom_call call;
    carom_status status = carom_call_open(&call, detection, error);
    if (status != CAROM_OK) {
        return status;
    }
    if (context == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "context is NULL");
    }
    /* The host may have changed rounding or flush subnormals; results must not depend on it. */
    const carom_arithmetic before = carom_arithmetic_enter();
    status = carom_call_take(&call, bodies, config, output, error);
    if (status == CAROM_OK) {
        status = run(context, &call, error);
        carom_call_close(&call);
    }
    carom_arithmetic_leave(before);
    return status;
}
