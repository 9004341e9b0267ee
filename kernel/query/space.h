/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A query in a periodic box: what there is beside a query in open space. In: the caller's probes, of either precision.
 * Each probe is moved into the cell and looks from there, and from each place at a lattice vector away from where its
 * box may overlap that of a body: these are its views. The images that a detection has made are not searched, for
 * there is none where a probe alone needs it. */
#ifndef CAROM_QUERY_SPACE_H
#define CAROM_QUERY_SPACE_H

#include "kernel/periodic/image_set.h"
#include "simd/kernels.h"

/* A detection makes images at lexicographically positive steps only. So a view at another step stands for the pair of
 * the probe in the cell and an image of the body, which lies the other way. */
typedef struct carom_query_view {
    uint32_t probe;
    int32_t shift[3]; /* the caller's edges from the probe in the cell to the view */
    bool turned;      /* the step is lexicographically negative in the reduced basis */
} carom_query_view;

typedef struct carom_query_space {
    carom_lattice lattice;
    bool self_images;                 /* probes may be of any size */
    const carom_image_source *probes; /* the caller's */
    carom_row_table *floats;          /* where rows are rounded to; NULL: the caller has doubles */
    carom_record_f64 *placed;         /* of each probe, in the cell */
    int32_t (*wrap)[3];               /* edges taken from its position */
    uint64_t *first;                  /* its first view; probes + 1 */
    carom_query_view *view;           /* those of a probe in ascending order of their shifts */
} carom_query_space;

#endif
