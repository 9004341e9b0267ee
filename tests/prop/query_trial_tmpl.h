/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* One query against a detection of all, in which the probes follow the bodies: the answer must have the same rows, bit
 * by bit and in order. Also filters that say the same of both. */
#ifndef CAROM_TESTS_QUERY_TRIAL_TMPL_H
#define CAROM_TESTS_QUERY_TRIAL_TMPL_H

#include "carom/coherent.h"
#include "carom/query.h"
#include "kernel/scene/random.h"
#include "simd/precision.h"
#include "tests/support/any_detect.h"

typedef CAROM_REAL(carom_detection) detection;
typedef CAROM_REAL(carom_query_answer) answer;
#define DETECT CAROM_REAL(carom_detect)
#define QUERY CAROM_REAL(carom_query)
#define CREATE CAROM_REAL(carom_coherent_create)
#define DESTROY CAROM_REAL(carom_coherent_destroy)
#define RESET CAROM_REAL(carom_coherent_reset)
#define STEP CAROM_REAL(carom_coherent_detect)

static const any_precision PRECISION = CAROM_REAL_BITS == 32 ? ANY_F32 : ANY_F64;

/* A case: which of a scene's bodies are probes, and what is asked. */
typedef struct query_trial {
    any_bodies all;
    uint64_t bodies;
    uint64_t probes;
    carom_method method;
    const carom_periodic *box;             /* NULL: open space */
    CAROM_REAL(carom_coherent) * coherent; /* of `context`; a step is queried instead of a detection, if not NULL */
    carom_context *context;                /* detects and is queried */
    carom_context *other;                  /* detects all */
    carom_coherent_report report;          /* out: of the step */
    uint64_t rows;                         /* out: of the answer */
} query_trial;

/* Bodies [first, first + count) of a scene. */
carom_bodies query_trial_part(const any_bodies *all, uint64_t first, uint64_t count);

/* Two of the contexts of isa_contexts.h. */
void query_trial_choose_contexts(query_trial *t, carom_random *random);

/* Detects the bodies, asks for the probes, and compares; with a filter of random parts if `filtered`. False if a
 * detection of all refuses some body, and the detection of the bodies or the query did so too. */
bool query_trial_run(query_trial *t, carom_random *random, bool filtered);

#endif
