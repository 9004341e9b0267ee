/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Pairs of bodies with shapes: which touch, and their contact rows (carom/detect.h says what both are). In: pairs of
 * slots, whose records say which of the caller's bodies they hold. An answer depends on the two bodies alone, which it
 * takes in the order of their numbers, and in a periodic box on the shift between them. There rows have the numbers of
 * bodies and images that are searched, and all else as the caller will have it. */
#ifndef CAROM_DETECT_SHAPED_SHAPE_PAIRS_TMPL_H
#define CAROM_DETECT_SHAPED_SHAPE_PAIRS_TMPL_H

#include "kernel/detect/job/job_tmpl.h"

#define carom_shape_pairs_touch CAROM_REAL(carom_shape_pairs_touch)
#define carom_shape_pairs_write CAROM_REAL(carom_shape_pairs_write)

/* Where rows go. */
typedef struct carom_shape_rows {
    carom_contacts contacts;
    uint32_t *child_i; /* which child of a compound touches; NULL: not wanted, as child_k then is */
    uint32_t *child_k;
    bool floats; /* values are rounded to those of floats */
} carom_shape_rows;

/* Keeps the pairs that touch, in order, at the start of both arrays; returns how many. `worker` is the number of the
 * worker that calls. */
uint32_t carom_shape_pairs_touch(const carom_detect_job *job, uint32_t worker, uint32_t count, uint32_t *slot_i,
                                 uint32_t *slot_k);

/* Writes the rows of `count` pairs. Without config.all_pairs all of them touch. */
void carom_shape_pairs_write(const carom_detect_job *job, uint32_t worker, uint32_t count, const uint32_t *slot_i,
                             const uint32_t *slot_k, const carom_shape_rows *rows);

#endif
