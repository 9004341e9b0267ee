/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Neighbour lists while they are made: what is read, and where entries go. */
#ifndef CAROM_DETECT_RESULTS_NEIGHBOUR_LISTS_TMPL_H
#define CAROM_DETECT_RESULTS_NEIGHBOUR_LISTS_TMPL_H

#include "kernel/detect/job/job_tmpl.h"

#define carom_neighbour_lists CAROM_REAL(carom_neighbour_lists)
#define carom_neighbour_lists_sort CAROM_REAL(carom_neighbour_lists_sort)

typedef struct carom_neighbour_lists {
    carom_detect_job *job;
    uint64_t rows;       /* contact rows that are read */
    carom_contacts from; /* the first of them */
    bool full;           /* a pair is in the lists of both bodies, not only in that of i */
    uint64_t *offset;    /* where each body's list begins, and one more; the first is 0 already */
    uint32_t *body;      /* of each entry: the neighbour; NULL if there are none */
    uint64_t *pair;      /* of each entry: the row; NULL if there are none */
    uint32_t body_bits;  /* bits of the greatest body */
} carom_neighbour_lists;

/* Workers share pairs out by this many. */
enum { CAROM_NEIGHBOUR_GRAIN = 4096 };

/* Puts the lists of bodies [first, last), whose ends are known and whose entries begin at `begin`, in order. */
void carom_neighbour_lists_sort(const carom_neighbour_lists *lists, uint64_t first, uint64_t last, uint64_t begin);

#endif
