/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Neighbour lists without contacts: for each body the bodies that it touches, and nothing more. Molecular dynamics and
 * particle hydrodynamics need such lists, with tens of neighbours a body; carom_detect makes them too (carom/detect.h),
 * with a contact row for each pair, and takes several times as long.
 *
 *     carom_list_config config = carom_list_config_default();
 *     config.cutoff = 2.5;
 *     carom_lists lists = {0};
 *     carom_lists_f64(context, &bodies, &config, &lists, &error);
 *     for (uint64_t n = lists.offset[b]; n < lists.offset[b + 1]; n++) {
 *         ... lists.body[n] is a neighbour of b
 *     }
 *
 * With config.pairs the call gives each pair once, in two arrays, which takes less time. Fewer scenes go through a grid
 * then, since carom_detect has pairs cheaply, too.
 *
 * Neighbours are the pairs of which carom_detect would store contacts: bodies that touch in the step, decided exactly.
 * With a cutoff they are bodies that would touch if every radius were cutoff / 2: those whose centres are no farther
 * apart than the cutoff at some moment of the step. Lists ascend. They are the same for every thread count, instruction
 * set, compiler and optimisation level.
 *
 * Bodies are sorted into a grid, and each is tested against those of its own cell and of the cells around it, many at a
 * time. This pays with similar sizes and several neighbours a body, also of bodies that move by less than their radii,
 * and in periodic boxes that are several times as wide as two bodies reach, however they are tilted. Filters are
 * applied to the neighbours that are found. Elsewhere and with shapes carom_detect makes the lists, in its time.
 *
 * Sources: cell lists after Hockney and Eastwood (1981); rows are put in order by odd-even merge sort (Batcher 1968).
 */
#ifndef CAROM_LISTS_H
#define CAROM_LISTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "carom/bodies.h"
#include "carom/context.h"
#include "carom/control.h"
#include "carom/detect.h"
#include "carom/export.h"
#include "carom/filter.h"
#include "carom/periodic.h"
#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which lists to make. The library only reads it. */
typedef struct carom_list_config {
    /* sizeof(carom_list_config), in bytes. carom_list_config_default() sets it. */
    size_t size;

    /* CAROM_NEIGHBOURS_FULL, the default: each pair is in the lists of both bodies; CAROM_NEIGHBOURS_HALF: in that of
     * the lower one. A body and its own image are in its full list twice, with opposite shifts, and in its half list
     * once: of the two shifts the one whose first number that is not 0 is positive. */
    carom_neighbour_list neighbours;

    /* Only count: `body`, `i`, `k` and `shift` stay NULL. Default: false. */
    bool count_only;

    /* Pairs instead of lists: each pair of neighbours once, in `i` and `k`. `neighbours` does not matter then, and
     * `offset` and `body` stay NULL. Default: false. */
    bool pairs;

    /* 0. Later versions may give these bytes names and meanings. */
    uint8_t reserved[2];

    /* Distance of centres, >= 0 and finite, in the caller's unit of length. 0, the default: radii decide. The call
     * rounds it to its own precision, and takes half of that for every radius: 1e-300 is 0 in a call for floats, which
     * then lists only bodies at one place, and one beyond its range is an error. Half of a subnormal number is rounded
     * once more. `radius` or `common_radius` must be given as ever, but its values do not matter then. */
    double cutoff;

    /* Pairs that it does not pass are not listed. Default: NULL. */
    const carom_filter *filter;

    /* The box in which space repeats. Default: NULL, open space. */
    const carom_periodic *periodic;

    /* A flag that ends the call with CANCELLED while it is raised. Default: NULL. */
    const carom_cancel *cancel;
} carom_list_config;

/* The lists. Arrays belong to the context. They are valid until its next call. */
typedef struct carom_lists {
    /* sizeof(carom_lists), in bytes; 0: the members of version 0.2 (carom/version.h). The caller sets it, for example
     * with = {0}; the call keeps it. */
    size_t size;

    /* Entries of all lists, or pairs, >= 0. */
    uint64_t count;

    /* The neighbours of body b are body[offset[b]] to body[offset[b + 1] - 1]: one entry more than there are bodies,
     * ascending. NULL without bodies, and with config.pairs. */
    const uint64_t *offset;

    /* Body indices, ascending in each list. In a periodic box a neighbour is there once for each of its images. NULL
     * without entries, with count_only and with config.pairs. */
    const uint32_t *body;

    /* In a periodic box, how many times each edge is added to the neighbour's position, as the caller gave it, count
     * entries an array; else NULL, as `body` may be. In a full list the neighbour has the opposite numbers of this
     * body. Entries of one neighbour are in no particular order, but in the same one each time. */
    const int32_t *shift[3];

    /* Whether bodies were sorted into a grid; else carom_detect has made the lists. */
    bool by_cells;

    /* On MEMORY, a memory limit in bytes to try next, greater than the one that was too small: the call gets further
     * under it, and some further limits may be needed. 0 without error. */
    uint64_t required_bytes;

    /* Wall time of the call in seconds, >= 0. */
    double seconds;

    /* With config.pairs, the bodies of each pair: count entries an array, i[n] < k[n], or i[n] == k[n] for a body and
     * its own image. A pair's shift is that of k, as in a half list. Pairs are in no particular order, but in the same
     * one for every thread count and instruction set, as long as the context has memory for it (carom/detect.h). NULL
     * without pairs, and with count_only. */
    const uint32_t *i;
    const uint32_t *k;

    /* One line that ends in '\0': "cells" or "detection", why, and for a detection its own reason. */
    char reason[CAROM_REASON_MAX];
} carom_lists;

/* Returns the default: full lists of bodies that touch, in open space. */
static inline carom_list_config carom_list_config_default(void) {
    carom_list_config config;
    memset(&config, 0, sizeof config);
    config.size = sizeof config;
    config.neighbours = CAROM_NEIGHBOURS_FULL;
    return config;
}

/* Lists each body's neighbours. On any error *lists is zero but for its size and required_bytes, and the context can be
 * used again.
 *
 *   context   lends threads, instruction set and memory; serves one call at a time
 *   bodies    0 or more; with shapes, or with a cutoff, radius is not used
 *   config    which lists; NULL: the default
 *   lists     receives the results
 *   error     receives the details of a failure; may be NULL
 *
 * Errors:
 *   ARGUMENT    what carom_detect says of context, bodies, filter and periodic
 *               lists is NULL, or the size of a struct is wrong
 *               config.neighbours is NONE or no such list and pairs is false, a reserved byte is not 0, or cutoff
 *               is negative, no number, infinite or greater than the call's numbers, or given for bodies with shapes
 *   BODY        as in carom_detect; with a cutoff and no self images in a periodic box: the cutoff is not less than the
 *               distance from a body to its own nearest image
 *   MEMORY      there is no memory, or the limit is too low
 *   CANCELLED   config's flag is raised
 *
 * Cost: O(N + entries) on scenes of similar sizes. On lattices where many pairs touch exactly a grid takes as long as a
 * detection, or up to twice as long: floats do not decide those. Memory: some 40 bytes a body, a bit for each
 * candidate, of which there are about eight times as many as neighbours, 150 kB a thread, and the lists. Of bodies that
 * move 32 or 40 bytes more, in a periodic box 72, and where that is tilted or narrow, or bodies move, 4 more and 72 an
 * image. With a filter up to 40 bytes a body more. Once the buffers have grown, a call allocates nothing.
 *
 * Threads: as for carom_detect. */
CAROM_API carom_status carom_lists_f32(carom_context *context, const carom_bodies_f32 *bodies,
                                       const carom_list_config *config, carom_lists *lists, carom_error *error);
CAROM_API carom_status carom_lists_f64(carom_context *context, const carom_bodies_f64 *bodies,
                                       const carom_list_config *config, carom_lists *lists, carom_error *error);

#ifdef __cplusplus
}
#endif

#endif
