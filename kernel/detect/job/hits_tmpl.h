/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Pairs of slots on their way to their rows. */
#ifndef CAROM_DETECT_JOB_HITS_TMPL_H
#define CAROM_DETECT_JOB_HITS_TMPL_H

#include <stddef.h>
#include <stdint.h>

#include "simd/precision.h"

/* What a row says of two bodies with shapes beside their numbers: values as the caller gets them. */
typedef struct carom_shape_answer {
    carom_real t;
    carom_real gap;
    carom_real normal[3];
    carom_real point[3]; /* between the surfaces */
    uint32_t child_i;
    uint32_t child_k;
} carom_shape_answer;

/* A row is made from the records in both slots, or, where answers are known, from these. */
typedef struct carom_hits {
    uint32_t count;
    const uint32_t *slot_i;
    const uint32_t *slot_k;
    const carom_shape_answer *answer; /* of each pair; NULL: none is known */
} carom_hits;

/* Pairs [begin, begin + count). */
static inline carom_hits carom_hits_part(const carom_hits *hits, uint32_t begin, uint32_t count) {
    return (carom_hits){count, hits->slot_i + begin, hits->slot_k + begin,
                        hits->answer != NULL ? hits->answer + begin : NULL};
}

#endif
