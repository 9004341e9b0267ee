/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Checks the arguments of a detect call, so that nothing below has to. */
#include <inttypes.h>
#include <string.h>

#include "carom/detect.h"
#include "kernel/api/check.h"
#include "kernel/step/detect.h"
#include "kernel/sys/error.h"
#include "simd/isa.h"

static carom_status check_bodies(const CAROM_REAL(carom_bodies) * bodies, carom_error *error) {
    if (bodies == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "bodies is NULL");
    }
    if (bodies->count > CAROM_BODIES_MAX) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "%" PRIu64 " bodies; at most %" PRIu64 " are allowed",
                               bodies->count, CAROM_BODIES_MAX);
    }
    bool missing = bodies->radius == NULL;
    for (int a = 0; a < 3; a++) {
        missing |= bodies->prev[a] == NULL || bodies->curr[a] == NULL;
    }
    if (missing && bodies->count > 0) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "an array of bodies is NULL");
    }
    return CAROM_OK;
}

static carom_status check_config(const carom_detect_config *config, carom_error *error) {
    if (config->size != sizeof *config) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT,
                               "config.size is %zu, not %zu: start from carom_detect_config_default()", config->size,
                               sizeof *config);
    }
    if ((unsigned)config->until > CAROM_UNTIL_GROUPS) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "config.until is %d, which is no stage",
                               (int)config->until);
    }
    return CAROM_OK;
}

carom_status CAROM_REAL(carom_detect_check)(const CAROM_REAL(carom_bodies) * bodies, const carom_detect_config *config,
                                            carom_error *error) {
    carom_status status = check_bodies(bodies, error);
    return status == CAROM_OK ? check_config(config, error) : status;
}

carom_status CAROM_REAL(carom_detect)(carom_context *context, const CAROM_REAL(carom_bodies) * bodies,
                                      const carom_detect_config *config, const CAROM_REAL(carom_detect_output) * output,
                                      CAROM_REAL(carom_detection) * detection, carom_error *error) {
    carom_detect_config defaults = carom_detect_config_default();
    config = config != NULL ? config : &defaults;
    if (detection == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "detection is NULL");
    }
    memset(detection, 0, sizeof *detection);
    if (context == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "context is NULL");
    }
    carom_status status = CAROM_REAL(carom_detect_check)(bodies, config, error);
    if (status != CAROM_OK) {
        return status;
    }
    return CAROM_REAL(carom_detect_run)(context, bodies, config, output, detection, error);
}
