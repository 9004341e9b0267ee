/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Part bits, which divide a scene among several calls (carom/filter.h). In: the caller's bits, a byte for each body.
 * Out: the bits of each slot, and the pairs without a bit in common. */
#ifndef CAROM_DETECT_SEARCH_PART_BITS_TMPL_H
#define CAROM_DETECT_SEARCH_PART_BITS_TMPL_H

#include "kernel/detect/job/job_tmpl.h"

#define carom_part_bits_start CAROM_REAL(carom_part_bits_start)
#define carom_part_bits_sweep CAROM_REAL(carom_part_bits_sweep)
#define carom_part_bits_keep CAROM_REAL(carom_part_bits_keep)

/* Brings the bits into the order of the records. The filter has some; slot_of has the slot of each body and image.
 * Errors: MEMORY. */
carom_status carom_part_bits_start(carom_detect_job *job, const uint32_t *slot_of);

/* Adds the bits of a cell's entries, which are sorted and go by slots, to their `earlier` bits. True: the sweep then
 * leaves out pairs with a part bit in common, or there are no part bits. False: carom_part_bits_keep must. */
bool carom_part_bits_sweep(const carom_detect_job *job, const carom_part *part, const carom_cell *cell,
                           const carom_boxes *boxes);

/* Keeps, in order and in place, the pairs without a bit in common; returns their number. After carom_part_bits_start.
 */
uint32_t carom_part_bits_keep(const carom_detect_job *job, uint32_t hits, uint32_t *slot_i, uint32_t *slot_k);

#endif
