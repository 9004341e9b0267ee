/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* One call of carom_detect or carom_coherent_detect: the caller's structs as the library's own. */
#ifndef CAROM_API_CALL_TMPL_H
#define CAROM_API_CALL_TMPL_H

#include "carom/detect.h"
#include "kernel/api/settings.h"
#include "kernel/store/context.h"
#include "simd/precision.h"

#define carom_call CAROM_REAL(carom_call)
#define carom_call_open CAROM_REAL(carom_call_open)
#define carom_call_take CAROM_REAL(carom_call_take)
#define carom_call_begin CAROM_REAL(carom_call_begin)
#define carom_call_end CAROM_REAL(carom_call_end)
#define carom_call_close CAROM_REAL(carom_call_close)

typedef CAROM_REAL(carom_detect_output) carom_call_output;
typedef CAROM_REAL(carom_detection) carom_call_detection;

typedef struct carom_call {
    carom_settings settings;
    carom_bodies bodies;
    carom_call_output own_output;
    const carom_call_output *output; /* own_output, or NULL if the caller has none */
    carom_call_detection found;      /* what the call finds */
    carom_call_detection *detection; /* the caller's */
    carom_control control;           /* of this call, if the caller controls it */
} carom_call;

/* Zeroes the caller's detection, so that a caller who does not check reads no garbage whatever fails after this.
 * Errors: ARGUMENT if it is NULL or its size is wrong. */
carom_status carom_call_open(carom_call *call, carom_call_detection *detection, carom_error *error);

/* Takes the caller's other structs. Walks no arrays: a bad body is found where the bodies are read anyway. A NULL
 * config becomes the default; output and error may be NULL. Errors: ARGUMENT, with a message, for what no detection can
 * work on. */
carom_status carom_call_take(carom_call *call, const carom_bodies *bodies, const carom_detect_config *config,
                             const carom_call_output *output, carom_error *error);

/* Before the work: takes the context, and lends it the call's control, if its config has a flag or a function. Errors:
 * ARGUMENT if another call has it, on another thread or further up this one. */
carom_status carom_call_begin(carom_call *call, carom_context *context, carom_error *error);

/* After the work: gives it back. */
void carom_call_end(carom_context *context);

/* Gives the caller what was found. */
void carom_call_close(const carom_call *call);

#endif
