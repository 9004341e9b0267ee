/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What a prediction of memory starts from: the numbers that are known before a call, or by the time it fails. */
#ifndef CAROM_DETECT_NEED_H
#define CAROM_DETECT_NEED_H

#include "carom/detect.h"
#include "kernel/store/context.h"

typedef struct carom_need {
    const carom_context *context; /* lends the limits of its team; its memory is not looked at */
    const carom_detect_config *config;
    uint64_t owned;     /* the caller's bodies, 0 to CAROM_BODIES_MAX */
    uint64_t images;    /* of a periodic box, 0 to CAROM_BODIES_MAX - owned */
    uint64_t pairs;     /* contact rows, >= 0 */
    bool swept;         /* all bodies may be in one cell */
    bool shaped;        /* bodies have shapes */
    bool to_sink;       /* rows go to a sink, block by block */
    bool float_results; /* a periodic call for floats, which runs in double */
} carom_need;

/* What the context holds at its highest, itself apart; UINT64_MAX if that is more. The precision is that of the search:
 * double in a periodic box. Detail in need_tmpl.h. */
uint64_t carom_need_detect_f32(const carom_need *need);
uint64_t carom_need_detect_f64(const carom_need *need);

#endif
