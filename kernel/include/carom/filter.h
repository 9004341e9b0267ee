/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A filter says which pairs exist. A pair that does not pass does not exist for the call: at every stage from pairs on
 * it is in no count, contact row, list, group or hash. A pair (i, k) passes if it passes every part:
 *
 *   category, mask   category_i & mask_k and category_k & mask_i both have a bit set
 *   group            group_i != group_k, or both are 0: bodies of one group never pair, and 0 is no group
 *   fixed            at least one of the two moves freely
 *   part             part_i & part_k is 0: the two have no part bit in common
 *   exclusions       neither body is in the other's exclusion list
 *   accepts          the caller's function returns true
 *
 * In a periodic box an image has the values and the exclusion list of its body, so all images of a body are excluded
 * with it. With self_images a pair (i, i), a body and its own image, is tested in the same way with i for both: a body
 * in a group does not meet its own images, nor does a fixed body. But no list excludes a body's own images.
 *
 * Every part may be left out. A call copies the values of the first four once, in the order in which it sweeps. The
 * last two read the caller's data, and only for pairs that pass the others.
 *
 * Part bits divide a scene among several calls, for instance one for each process, so that exactly one of them finds
 * each touching pair:
 *
 *   1. Take the swept boxes (lo and hi) that carom_detect finds with until = CAROM_UNTIL_BOUNDS, in the precision of
 *      the calls of step 5. Such a box depends on nothing but its body.
 *   2. Cut space into regions: boxes with borders of type float that fill space without overlap. On each axis a region
 *      includes its lower border and excludes its upper one. The outermost have no border on that side, as if it were
 *      infinite.
 *   3. Give each region a copy of every body whose box reaches into it: hi >= lower border and lo < upper border on
 *      each axis, where a missing border counts as passed. The copies keep the order of the bodies in the whole scene.
 *   4. Set bit a of a copy's part if its box begins before the region on axis a (0 is x): lo < lower border. Where
 *      there is no lower border the bit is 0.
 *   5. Call carom_detect for each region, with these part bits.
 *
 * Why exactly one region finds a pair: the lower corner of what two overlapping boxes have in common, which is the
 * greater of the two lo on each axis, lies in exactly one region. Both bodies have a copy there, and no axis has both
 * lo before the region, so the pair passes. Any other region with copies of both ends after that corner on each axis.
 * So on some axis it begins after the corner: there both lo lie before the region, both copies have that bit, and the
 * pair does not pass.
 *
 * The regions' touching pairs and contact rows are then, to the bit, those of the whole scene, but with the bodies'
 * numbers in the region. For groups of the whole scene the caller unites groups that hold copies of the same body. In
 * float the pairs of overlapping boxes are those of the whole scene, too. In double box_pairs and all_pairs may differ,
 * because the search rounds boxes relative to the centre of each call's bodies. */
#ifndef CAROM_FILTER_H
#define CAROM_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns whether the pair (i, k) exists. Several threads call the function at once, in no particular order, and may
 * ask about a pair again. So it must be thread-safe and, during a call, a pure function of (i, k): its answer must not
 * depend on earlier questions. It must not use the context of the call.
 *
 *   user   carom_filter.user
 *   i      index of the lower body, 0 to k - 1; k itself if a periodic box has self_images
 *   k      index of the higher body, i + 1 to count - 1; i itself if a periodic box has self_images */
typedef bool carom_pair_predicate(void *user, uint32_t i, uint32_t k);

/* The caller owns the arrays; the library only reads them. They need no alignment beyond their type's and may alias. */
typedef struct carom_filter {
    /* sizeof(carom_filter), in bytes. carom_filter_default() sets it. */
    size_t size;

    /* Bits of what each body is: one entry a body, any bits. NULL: 1 for every body. */
    const uint32_t *category;

    /* Bits of the categories each body meets: one entry a body, any bits. NULL: all bits for every body. */
    const uint32_t *mask;

    /* The group of each body: one entry a body, any value; 0 is no group. Bodies of one group never pair. These are not
     * the groups of touching bodies that a detection finds. NULL: 0 for every body. */
    const uint32_t *group;

    /* Whether each body is fixed (static): one entry a body; 0 moves freely, all else is fixed. NULL: none is. */
    const uint8_t *fixed;

    /* Where each body's exclusion list begins in `excluded`, as compressed rows for bonded atoms: body b excludes
     * excluded[exclusion_offset[b]] up to, but without, excluded[exclusion_offset[b + 1]]. count + 1 entries, none less
     * than the one before; the first need not be 0. NULL: no exclusions. */
    const uint64_t *exclusion_offset;

    /* The exclusion lists: body indices, each less than count. To exclude a pair, one body naming the other is enough.
     * A list may be in any order, name a body twice, and name b itself, which excludes nothing. If all lists are in
     * ascending order, look-ups are binary searches; else each reads the whole list. May be NULL if every list is
     * empty. */
    const uint32_t *excluded;

    /* Decides on pairs that pass all other parts. NULL: accepts all. */
    carom_pair_predicate *accepts;

    /* The library hands this to `accepts`. Any value. */
    void *user;

    /* Part bits of each body: one entry a body, any bits. Two bodies that have a bit in common never pair. In a
     * periodic box images have the bits of their body. NULL: 0 for every body. */
    const uint8_t *part;
} carom_filter;

/* Returns a filter with `size` set that all pairs pass. */
static inline carom_filter carom_filter_default(void) {
    carom_filter filter;
    memset(&filter, 0, sizeof filter);
    filter.size = sizeof filter;
    return filter;
}

#ifdef __cplusplus
}
#endif

#endif
