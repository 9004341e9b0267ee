/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Coherent detection: creates its state, resets and destroys it, and runs a step. All arguments are checked here, so
 * that nothing below has to. The state belongs to a context and takes its memory from there. */
#include "kernel/api/coherent_tmpl.h"

#include <string.h>

#include "kernel/api/detect_tmpl.h"
#include "kernel/coherent/run.h"
#include "kernel/detect/detect.h"
#include "kernel/sys/arithmetic.h"
#include "kernel/sys/error.h"

#define carom_detect_run CAROM_REAL(carom_detect_run)
#define carom_coherent_run CAROM_REAL(carom_coherent_run)

/* The public carom_coherent_f32 or _f64; carom_coherent is the state within it. */
typedef CAROM_REAL(carom_coherent) coherent;

/* As for carom_detect: size first, then ranges. */
static carom_status check_config(const carom_coherent_config *config, carom_error *error) {
    if (config->size != sizeof *config) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT,
                               "config.size is %zu, not %zu: start from carom_coherent_config_default()", config->size,
                               sizeof *config);
    }
    if (config->steps_ahead > CAROM_STEPS_AHEAD_MAX) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "config.steps_ahead is %u; at most %d steps are allowed",
                               config->steps_ahead, CAROM_STEPS_AHEAD_MAX);
    }
    return CAROM_OK;
}

/* A list that is kept from step to step cannot serve a periodic box: images come and go with every step. */
static carom_status check_kind(const carom_detect_config *config, carom_error *error) {
    return config->periodic == NULL
               ? CAROM_OK
               : carom_error_set(error, CAROM_ERROR_ARGUMENT, "coherent detection does not go with config.periodic");
}

carom_status carom_coherent_create(carom_context *context, const carom_coherent_config *config, coherent **made,
                                   carom_error *error) {
    carom_coherent_config defaults = carom_coherent_config_default();
    config = config != NULL ? config : &defaults;
    if (made == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "coherent is NULL");
    }
    *made = NULL;
    if (context == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "context is NULL");
    }
    carom_status status = check_config(config, error);
    if (status != CAROM_OK) {
        return status;
    }
    coherent *c = carom_memory_allocate(&context->memory, sizeof *c);
    if (c == NULL) {
        return carom_error_set(error, CAROM_ERROR_MEMORY, "no memory for coherent detection");
    }
    memset(c, 0, sizeof *c);
    c->state.context = context;
    c->state.config = *config;
    carom_coherent_start(&c->state);
    *made = c;
    return CAROM_OK;
}

void carom_coherent_reset(coherent *c) {
    if (c != NULL) {
        carom_coherent_start(&c->state);
    }
}

void carom_coherent_destroy(coherent *c) {
    if (c != NULL) {
        carom_coherent_forget(&c->state);
        carom_memory_release(&c->state.context->memory, c, sizeof *c);
    }
}

carom_status carom_coherent_detect(coherent *c, const carom_bodies *bodies, const carom_detect_config *config,
                                   const CAROM_REAL(carom_detect_output) * output,
                                   CAROM_REAL(carom_detection) * detection, carom_coherent_report *report,
                                   carom_error *error) {
    carom_detect_config defaults = carom_detect_config_default();
    carom_coherent_report unwanted;
    config = config != NULL ? config : &defaults;
    report = report != NULL ? report : &unwanted;
    memset(report, 0, sizeof *report);
    if (detection == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "detection is NULL");
    }
    memset(detection, 0, sizeof *detection);
    if (c == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "coherent is NULL");
    }
    const carom_arithmetic before = carom_arithmetic_enter();
    carom_status status = carom_detect_check(bodies, config, output, error);
    if (status == CAROM_OK) {
        status = check_kind(config, error);
    }
    if (status == CAROM_OK && config->until == CAROM_UNTIL_BOUNDS) {
        /* Without pairs there is nothing to compare the next step with; pairs saved by a step that failed neither. */
        c->state.compared = false;
        c->state.grouped = false;
        c->state.list.saved = 0;
        c->state.list.saved_ended = 0;
        status = carom_detect_run(c->state.context, bodies, config, output, detection, error);
    } else if (status == CAROM_OK) {
        status = carom_coherent_run(&c->state, bodies, config, output, detection, report, error);
    }
    carom_arithmetic_leave(before);
    return status;
}
