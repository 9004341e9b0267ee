/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Signed distances of a block of pairs, with pairs of the same two kinds side by side in vectors. The bits are those of
 * carom_pair_find.
 *
 * A block goes through these steps: carom_many_sort gives each pair a place, which says which value of each column of
 * the block is the pair's; the caller puts positions and rotations there; carom_many_find answers. Pairs of compounds,
 * pairs without a test, and those whose positions are not finite or very far apart, have no place, or lose it: they are
 * for carom_pair_find, one by one. */
#ifndef CAROM_NARROW_MANY_H
#define CAROM_NARROW_MANY_H

#include "kernel/narrow/box_list.h"
#include "kernel/narrow/gap.h"
#include "simd/manifold.h"

/* Pairs in a block. */
enum { CAROM_MANY_PAIRS = CAROM_BLOCK_PAIRS };

typedef struct carom_many {
    uint32_t count;                    /* places */
    uint32_t number[CAROM_MANY_PAIRS]; /* the caller's pair at each place */
    bool swapped[CAROM_MANY_PAIRS];    /* likewise: i is of the higher kind, so it is side 1 of the block */
    uint8_t run[CAROM_MANY_PAIRS];     /* likewise: both kinds */
    uint64_t alone;                    /* bit n: the caller's pair n has no place */
    bool in_order;                     /* all pairs have places, pair n place n, and all or none are swapped */
    carom_pair_block block;            /* brackets of i and k; positions relative to k's */

    /* Work space: pairs that are searched for. */
    uint32_t searched;
    carom_seek_pairs seek; /* of hulls, by their places; unless the task has starts */
    uint32_t place[CAROM_MANY_PAIRS];
    carom_posed i[CAROM_MANY_PAIRS];
    carom_posed k[CAROM_MANY_PAIRS];
    carom_goal goal[CAROM_MANY_PAIRS];
    carom_bracket bracket[CAROM_MANY_PAIRS];
    carom_epa_room room;
} carom_many;

/* Gives places to `count` pairs of shapes, at most CAROM_MANY_PAIRS. For a shape that does not exist the caller
 * passes a compound: such a pair gets no place. */
void carom_many_sort(carom_many *many, const carom_shape_entry *const *i, const carom_shape_entry *const *k,
                     uint32_t count);

/* The side of the block on which body k of the pair at a place is. */
static inline carom_block_side *carom_many_k(carom_many *many, uint32_t place) {
    return &many->block.side[many->swapped[place] ? 0 : 1];
}

/* Manifolds of pairs of boxes. */
typedef struct carom_many_manifolds {
    uint64_t found; /* bit n: the pair at place n has one */
    uint32_t count;
    carom_box_list list;             /* the place of each */
    carom_block_manifolds manifolds; /* not relative to the origin */
} carom_many_manifolds;

/* Answers the pairs that have places. Positions and rotations are there, as the caller has them. `boxes` receives the
 * manifolds of boxes that overlap, unless it is NULL or the task does without points. */
void carom_many_find(carom_many *many, const carom_gap_task *task, carom_many_manifolds *boxes);

/* Manifolds of those pairs of `wanted`, bit n for place n, that are of two boxes and answered with points. */
void carom_many_box_manifolds(const carom_many *many, uint64_t wanted, const carom_gap_task *task,
                              carom_many_manifolds *to);

/* Bodies i and k at a place, once they are answered, relative to k's position. */
void carom_many_posed(const carom_many *many, uint32_t place, carom_posed *i, carom_posed *k);

#endif
