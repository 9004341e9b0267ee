/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What coherent detection needs memory for: the buffers of a list, and a bound of what a step holds at its highest. In:
 * numbers of bodies, of pairs on the list and of contact rows. Out: bytes. A step whose memory gives out asks for that
 * much, and so does the public function. */
#ifndef CAROM_COHERENT_MEMORY_TMPL_H
#define CAROM_COHERENT_MEMORY_TMPL_H

#include "kernel/coherent/step_tmpl.h"
#include "kernel/detect/need.h"

#define carom_coherent_memory_list CAROM_REAL(carom_coherent_memory_list)
#define carom_coherent_memory_bound CAROM_REAL(carom_coherent_memory_bound)
#define carom_coherent_memory_explain CAROM_REAL(carom_coherent_memory_explain)

/* Buffers that are made with a list. */
enum { CAROM_COHERENT_LIST_NEEDS = 22 };

/* What the size of a list depends on. */
typedef struct carom_coherent_size {
    uint64_t bodies; /* with the images of a periodic box */
    uint64_t owned;  /* of these, the caller's */
    uint64_t room;   /* for pairs */
    uint64_t apart;  /* most pairs apart; 0 in open space */
} carom_coherent_size;

/* The buffers of a list. */
void carom_coherent_memory_list(const carom_coherent_size *size, carom_coherent_need need[CAROM_COHERENT_LIST_NEEDS]);

/* Upper bound of what context and state hold at the highest of a step that builds a list of `candidates` pairs with
 * `images`, and of the steps that follow it: themselves apart. UINT64_MAX if that is more. need: of the step. */
uint64_t carom_coherent_memory_bound(const carom_need *need, uint64_t candidates, uint64_t images, bool events);

/* The last word on a step that memory was not enough for: required_bytes by all that is known. Returns MEMORY. */
carom_status carom_coherent_memory_explain(carom_coherent_step *step);

uint64_t carom_coherent_memory_bound_f64(const carom_need *need, uint64_t candidates, uint64_t images, bool events);

#endif
