/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Searches for pairs of hulls begin in floats, many side by side (simd/seek_floats.h), and go on in double. In: pairs
 * of hulls. Out: where searches in floats have ended, and brackets that start there. The bits are the same whether
 * poses come from a caller's arrays (kernel/narrow/quick_tmpl.h), from a block or from two bodies. */
#ifndef CAROM_NARROW_SEEK_H
#define CAROM_NARROW_SEEK_H

#include "kernel/narrow/body.h"
#include "kernel/narrow/gap.h"

/* Whether a task lets searches begin in floats: its tolerance is fine. */
bool carom_seek_is_asked(const carom_gap_task *task);

/* A margin in floats: pairs are apart if they are farther apart than the first, and touch if no farther apart than the
 * second. */
float carom_seek_above(double margin);
float carom_seek_below(double margin);

/* When searches end. They have no axes. */
void carom_seek_set_limits(const carom_gap_task *task, carom_seek_pairs *pairs);

/* Searches for the pairs [begin, end) of a block, all of hulls, whose positions are the caller's. */
void carom_seek_block(const carom_pair_block *block, uint32_t begin, uint32_t end, const carom_gap_task *task,
                      carom_seek_pairs *pairs);

/* Where the search for two bodies ends, both hulls. */
void carom_seek_bodies(const carom_body_numbers *i, const carom_hull *hull_i, const carom_body_numbers *k,
                       const carom_hull *hull_k, const carom_gap_task *task, carom_seek_start *start);

/* Lets the search for pair n look along an axis first, unless that is 0 or not finite. `turn` is the rotation of i. */
void carom_seek_look_first(const double axis[3], const double turn[3][3], uint32_t n, carom_seek_pairs *pairs);

/* The unit vector that proves the lower bound of pair n; the pairs have axes. */
void carom_seek_give_axis(const carom_seek_pairs *pairs, uint32_t n, const double turn[3][3], double axis[3]);

/* Fills an empty bracket of pair n: with bounds, if they answer the task, or else with a start for the search in double
 * (kernel/narrow/seek_start.h). */
void carom_seek_take(const carom_posed *i, const carom_posed *k, const carom_seek_pairs *pairs, uint32_t n,
                     carom_bracket *bracket);

#endif
