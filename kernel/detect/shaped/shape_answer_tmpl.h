/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The answer of a pair of bodies with shapes. In: a time of impact, or the signed distance at the start in its form.
 * Out: what the row says, in the caller's precision. */
#ifndef CAROM_DETECT_SHAPED_SHAPE_ANSWER_TMPL_H
#define CAROM_DETECT_SHAPED_SHAPE_ANSWER_TMPL_H

#include "kernel/detect/job/job_tmpl.h"
#include "kernel/narrow/toi.h"

#define carom_shape_answer_contact CAROM_REAL(carom_shape_answer_contact)
#define carom_shape_answer_apart CAROM_REAL(carom_shape_answer_apart)
#define carom_shape_answer_put CAROM_REAL(carom_shape_answer_put)

/* Where rows go. */
typedef struct carom_shape_rows {
    carom_contacts contacts;
    uint32_t *child_i; /* which child of a compound touches; both are NULL if rows name no children */
    uint32_t *child_k;
} carom_shape_rows;

/* Points are where the scene has them. floats: values are rounded to those of floats. */
void carom_shape_answer_contact(const carom_toi_found *found, bool floats, carom_shape_answer *answer);

/* Of a pair that does not touch a row only has the distance at the start. */
void carom_shape_answer_apart(const carom_toi_found *start, bool floats, carom_shape_answer *answer);

/* Row n, but for the numbers of the bodies. */
void carom_shape_answer_put(const carom_shape_answer *answer, uint64_t n, const carom_shape_rows *to);

#endif
