/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The contact of two boxes along an axis that carom_closed_boxes has found. */
#ifndef CAROM_SIMD_REF_BOXES_CONTACT_H
#define CAROM_SIMD_REF_BOXES_CONTACT_H

#include "simd/ref/closed_boxes.h"

/* The axis as a unit vector from k to i. */
void carom_boxes_contact_normal(const carom_posed *i, const carom_posed *k, uint32_t axis, double normal[3]);

/* The contact of two boxes that overlap: fills the normal, which is along `axis`, and points as far apart as the
 * bracket says. */
void carom_boxes_contact_find(const carom_posed *i, const carom_posed *k, uint32_t axis, carom_gap *gap);

#endif
