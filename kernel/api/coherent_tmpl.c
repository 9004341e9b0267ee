/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Coherent detection: creates its state, resets and destroys it, and runs a step. All arguments are checked here, so
 * that nothing below has to. The state belongs to a context and takes its memory from there. */
#include "kernel/api/coherent_tmpl.h"

#include <string.h>

#include "kernel/api/bodies_tmpl.h"
#include "kernel/api/call_tmpl.h"
#include "kernel/api/layout.h"
#include "kernel/coherent/periodic/periodic.h"
#include "kernel/coherent/run.h"
#include "kernel/detect/detect.h"
#include "kernel/sys/arithmetic.h"
#include "kernel/sys/error.h"

#define carom_detect_run CAROM_REAL(carom_detect_run)
#define carom_coherent_run CAROM_REAL(carom_coherent_run)
#define carom_coherent_run_periodic CAROM_REAL(carom_coherent_run_periodic)

/* The public carom_coherent_f32 or _f64; carom_coherent is the state within it. */
typedef CAROM_REAL(carom_coherent) coherent;

static carom_status take_config(carom_coherent_config *own, const carom_coherent_config *given, carom_error *error) {
    *own = carom_coherent_config_default();
    carom_status status = carom_layout_take(&carom_layout_coherent_config, own, given, error);
    if (status == CAROM_OK && own->steps_ahead > CAROM_STEPS_AHEAD_MAX) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "config.steps_ahead is %u; at most %d steps are allowed",
                               own->steps_ahead, CAROM_STEPS_AHEAD_MAX);
    }
    return status;
}

/* Two bodies identify a pair from step to step; a body and its own image are one. */
static carom_status check_kind(const carom_detect_config *config, carom_error *error) {
    if (config->list_order) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "coherent detection does not go with config.list_order");
    }
    return config->periodic == NULL || !config->periodic->self_images
               ? CAROM_OK
               : carom_error_set(error, CAROM_ERROR_ARGUMENT,
                                 "coherent detection does not go with config.periodic.self_images");
}

carom_status carom_coherent_create(carom_context *context, const carom_coherent_config *config, coherent **made,
                                   carom_error *error) {
    if (made == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "coherent is NULL");
    }
    *made = NULL;
    if (context == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "context is NULL");
    }
    carom_coherent_config own;
    carom_status status = take_config(&own, config, error);
    if (status != CAROM_OK) {
        return status;
    }
    coherent *c = carom_memory_allocate(&context->memory, sizeof *c);
    if (c == NULL) {
        return carom_error_set(error, CAROM_ERROR_MEMORY, "no memory for coherent detection");
    }
    memset(c, 0, sizeof *c);
    c->state.context = context;
    c->state.config = own;
    carom_coherent_start(&c->state);
    *made = c;
    return CAROM_OK;
}

/* Records that queries would search may be the state's own. */
static void end_queries(const carom_coherent *state) {
    carom_context_partition *partition = &state->context->partition;
    const void *records = carom_coherent_data(state, CAROM_COHERENT_RECORDS);
    partition->searchable = partition->searchable && (records == NULL || partition->records != records);
}

void carom_coherent_reset(coherent *c) {
    if (c != NULL) {
        end_queries(&c->state);
        carom_coherent_start(&c->state);
    }
}

void carom_coherent_destroy(coherent *c) {
    if (c != NULL) {
        end_queries(&c->state);
        carom_coherent_forget(&c->state);
        carom_memory_release(&c->state.context->memory, c, sizeof *c);
    }
}

/* With until = BOUNDS there are no pairs to compare the next step with; pairs saved by a step that failed neither. */
static void forget_pairs(carom_coherent *state) {
    state->compared = false;
    state->groups.known = false;
    state->list.saved = 0;
    state->list.saved_ended = 0;
    state->lookahead.before.bodies = 0;
}

static carom_status run_step(carom_coherent *state, const carom_call *call, carom_call_detection *found,
                             carom_coherent_report *report, carom_error *error) {
    const carom_detect_config *config = &call->settings.config;
    if (config->until == CAROM_UNTIL_BOUNDS) {
        forget_pairs(state);
        return carom_detect_run(state->context, &call->bodies, config, call->output, found, error);
    }
    if (config->periodic != NULL) {
        return carom_coherent_run_periodic(state, &call->bodies, config, call->output, found, report, error);
    }
    return carom_coherent_run(state, &call->bodies, config, call->output, found, report, error);
}

/* What a cancelled step leaves behind depends on when it was cancelled: the next one must not. */
static carom_status run(carom_coherent *state, carom_call *call, carom_coherent_report *report, carom_error *error) {
    carom_status status = carom_call_begin(call, state->context, error);
    if (status != CAROM_OK) {
        return status;
    }
    status = run_step(state, call, &call->found, report, error);
    if (status == CAROM_ERROR_CANCELLED) {
        carom_coherent_restart(state);
    }
    state->context->partition.searchable =
        status == CAROM_OK && call->bodies.shapes == NULL && call->settings.config.until >= CAROM_UNTIL_PAIRS;
    carom_call_end(state->context);
    return status;
}

/* Takes the caller's structs and runs the step. */
static carom_status detect(coherent *c, const carom_bodies *bodies, const carom_detect_config *config,
                           const carom_call_output *output, carom_call *call, carom_coherent_report *report,
                           carom_error *error) {
    if (c == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "coherent is NULL");
    }
    const carom_arithmetic before = carom_arithmetic_enter();
    carom_status status = carom_call_take(call, bodies, config, output, error);
    if (status == CAROM_OK) {
        status = check_kind(&call->settings.config, error);
    }
    if (status == CAROM_OK) {
        status = run(&c->state, call, report, error);
    }
    carom_arithmetic_leave(before);
    return status;
}

carom_status carom_coherent_detect(coherent *c, const carom_bodies *bodies, const carom_detect_config *config,
                                   const CAROM_REAL(carom_detect_output) * output,
                                   CAROM_REAL(carom_detection) * detection, carom_coherent_report *report,
                                   carom_error *error) {
    carom_call call;
    carom_coherent_report own = {0};
    memset(&own, 0, sizeof own);
    carom_status status = report != NULL ? carom_layout_check(&carom_layout_coherent_report, report, error) : CAROM_OK;
    if (status != CAROM_OK) {
        return status;
    }
    status = carom_call_open(&call, detection, error);
    if (status == CAROM_OK) {
        status = detect(c, bodies, config, output, &call, &own, error);
        carom_call_close(&call);
    }
    if (report != NULL) {
        carom_layout_give(&carom_layout_coherent_report, report, &own);
    }
    return status;
}
