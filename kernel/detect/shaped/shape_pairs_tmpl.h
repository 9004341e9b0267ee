/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Pairs of bodies with shapes: which touch, and their contact rows (carom/detect.h says what both are). In: pairs of
 * slots, whose records say which of the caller's bodies they hold. An answer depends on the two bodies alone, which it
 * takes in the order of their numbers, and in a periodic box on the shift between them. There rows have the numbers of
 * bodies and images that are searched, and all else as the caller will have it. */
#ifndef CAROM_DETECT_SHAPED_SHAPE_PAIRS_TMPL_H
#define CAROM_DETECT_SHAPED_SHAPE_PAIRS_TMPL_H

#include "kernel/detect/shaped/shape_answer_tmpl.h"

#define carom_shape_pairs_answers CAROM_REAL(carom_shape_pairs_answers)
#define carom_shape_pairs_touch CAROM_REAL(carom_shape_pairs_touch)
#define carom_shape_pairs_write CAROM_REAL(carom_shape_pairs_write)

/* Room for the answers of CAROM_HITS_MAX pairs, of each worker. The job has shapes. */
carom_shape_answer *carom_shape_pairs_answers(const carom_detect_job *job, uint32_t worker);

/* Keeps the pairs that touch, in order, at the start of both arrays; returns how many. If job->rows.answered, the
 * worker's room receives their answers. At most CAROM_HITS_MAX. `worker` is the number of the
 * worker that calls. */
uint32_t carom_shape_pairs_touch(const carom_detect_job *job, uint32_t worker, uint32_t count, uint32_t *slot_i,
                                 uint32_t *slot_k);

/* Writes the rows of pairs, but for the numbers of the bodies. Answers that are not known yet are found, also those of
 * pairs that do not touch. */
void carom_shape_pairs_write(const carom_detect_job *job, uint32_t worker, const carom_hits *hits,
                             const carom_shape_rows *to);

#endif
