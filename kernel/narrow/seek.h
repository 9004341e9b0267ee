/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Searches for pairs of hulls begin in floats, many side by side (simd/seek_floats.h), and go on in double. In: pairs
 * of hulls. Out: where searches in floats have ended, and brackets that begin there. The bits are the same whether
 * poses come from a caller's arrays (kernel/narrow/quick_tmpl.h) or from a block. */
#ifndef CAROM_NARROW_SEEK_H
#define CAROM_NARROW_SEEK_H

#include "kernel/narrow/gap.h"

/* Whether a task lets searches begin in floats: its tolerance is fine, and it has no axes. */
bool carom_seek_is_asked(const carom_gap_task *task);

/* Searches for the pairs [begin, end) of a block, all of hulls, whose positions are the caller's. */
void carom_seek_block(const carom_pair_block *block, uint32_t begin, uint32_t end, const carom_gap_task *task,
                      carom_seek_pairs *pairs);

/* Makes a bracket that is 0 one of which all is known that the task asks, or one of a search in double that goes on
 * from where pair n has ended. */
void carom_seek_take(const carom_posed *i, const carom_posed *k, const carom_seek_pairs *pairs, uint32_t n,
                     carom_bracket *bracket);

#endif
