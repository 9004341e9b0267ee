/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a box. Out: the same box seen from each image of the periodic box's contents that it may meet. */
#include "kernel/impacts/images.h"

#include <math.h>
#include <string.h>

#include "simd/vector.h"

/* Rounding of what is computed here, over the numbers it is made of. */
static const double ROUNDING = 0x1p-20;

/* Edges on an axis that are looked at: those that two hulls in one box may be wide together. */
enum { EDGES_MOST = 63 };

void carom_images_dual(const carom_periodic *periodic, double dual[3][3]) {
    double edge[3][3];
    int known = 0;
    for (int e = 0; e < 3; e++) {
        known += periodic->along[e] ? 1 : 0;
        for (int a = 0; a < 3; a++) {
            edge[e][a] = periodic->along[e] ? periodic->edge[e][a] : 0.0;
        }
    }
    for (int e = 0; e < 3 && known == 2; e++) {
        if (!periodic->along[e]) {
            carom_vector_cross(edge[(e + 1) % 3], edge[(e + 2) % 3], edge[e]);
        }
    }
    for (int e = 0; e < 3; e++) {
        if (known == 1) {
            const double square = carom_vector_dot(edge[e], edge[e]);
            for (int a = 0; a < 3; a++) {
                dual[e][a] = periodic->along[e] ? edge[e][a] / square : 0.0;
            }
            continue;
        }
        double across[3];
        carom_vector_cross(edge[(e + 1) % 3], edge[(e + 2) % 3], across);
        const double volume = carom_vector_dot(edge[e], across);
        for (int a = 0; a < 3; a++) {
            dual[e][a] = periodic->along[e] ? across[a] / volume : 0.0;
        }
    }
}

/* Numbers of an edge, at least and at most. */
typedef struct edge_range {
    double lo;
    double hi;
} edge_range;

/* The whole numbers of an edge by which something in `to` may have been moved to be in `from`. */
static edge_range edges_between(const carom_box *from, const carom_box *to, const double dual[3]) {
    edge_range range = {0.0, 0.0};
    double rounding = ROUNDING;
    for (int a = 0; a < 3; a++) {
        const double least = dual[a] * ((double)from->lo[a] - (double)to->hi[a]);
        const double most = dual[a] * ((double)from->hi[a] - (double)to->lo[a]);
        range.lo += fmin(least, most);
        range.hi += fmax(least, most);
        rounding += ROUNDING * (fabs(least) + fabs(most));
    }
    return (edge_range){ceil(range.lo - rounding), floor(range.hi + rounding)};
}

/* Boxes of a level of the tree; level 0: its leaves. */
static uint32_t boxes_of(const carom_tree *tree, uint32_t level) {
    return level == 0 ? tree->count : tree->nodes[level - 1];
}

static carom_box box_of(const carom_tree *tree, uint32_t level, uint32_t n) {
    return level == 0 ? carom_box_of(&tree->leaves[n]) : carom_box_array_get(&tree->level[level - 1], n);
}

/* Sets the images of what is in a level's boxes. */
static void set_range(carom_image_walk *images, int e, const double dual[3], const carom_tree *tree, uint32_t level) {
    edge_range all = {INFINITY, -INFINITY};
    for (uint32_t n = 0; n < boxes_of(tree, level); n++) {
        const carom_box to = box_of(tree, level, n);
        const edge_range range = edges_between(&images->from, &to, dual);
        all.lo = fmin(all.lo, range.lo);
        all.hi = fmax(all.hi, range.hi);
    }
    images->beyond = images->beyond || !(all.lo >= -EDGES_MOST && all.hi <= EDGES_MOST);
    images->lo[e] = all.lo >= -EDGES_MOST ? (int32_t)fmin(all.lo, EDGES_MOST) : -EDGES_MOST;
    images->hi[e] = all.hi <= EDGES_MOST ? (int32_t)fmax(all.hi, -EDGES_MOST) : EDGES_MOST;
}

static void set_ranges(carom_image_walk *images, double dual[3][3], const carom_tree *tree, uint32_t level) {
    images->beyond = false;
    for (int e = 0; e < 3; e++) {
        if (images->periodic->along[e]) {
            set_range(images, e, dual[e], tree, level);
        }
    }
}

static uint64_t images_of(const carom_image_walk *images) {
    uint64_t number = 1;
    for (int e = 0; e < 3; e++) {
        number *= images->hi[e] >= images->lo[e] ? (uint64_t)(images->hi[e] - images->lo[e]) + 1 : 0;
    }
    return number;
}

/* Around bodies in a tilted box that lie far apart where space is open a box is wide, and many images of it are of
 * nothing that it holds: then the boxes of lower levels say which there are. */
carom_image_walk carom_images_begin(const carom_periodic *periodic, const carom_box *box, const carom_tree *tree) {
    carom_image_walk images = {.periodic = periodic, .from = *box};
    if (periodic != NULL) {
        double dual[3][3];
        uint32_t level = tree->levels;
        carom_images_dual(periodic, dual);
        set_ranges(&images, dual, tree, level);
        while (level > 0 && (images.beyond || images_of(&images) > boxes_of(tree, level - 1))) {
            set_ranges(&images, dual, tree, --level);
        }
    }
    for (int e = 0; e < 3; e++) {
        images.at[e] = images.lo[e];
    }
    return images;
}

carom_box carom_images_move(const carom_box *box, const carom_periodic *periodic, const int32_t edges[3]) {
    double shift[3];
    carom_box moved;
    carom_image_shift(periodic->edge, edges, shift);
    for (int a = 0; a < 3; a++) {
        const double lo = (double)box->lo[a] - shift[a];
        const double hi = (double)box->hi[a] - shift[a];
        const double rounding = 0x1p-22 * (fabs(lo) + fabs(hi) + fabs(shift[a])) + 0x1p-147;
        moved.lo[a] = (float)(lo - rounding);
        moved.hi[a] = (float)(hi + rounding);
    }
    return moved;
}

bool carom_images_next(carom_image_walk *images) {
    for (int e = 0; e < 3; e++) {
        if (images->at[e] > images->hi[e]) {
            return false;
        }
    }
    memcpy(images->edges, images->at, sizeof images->edges);
    images->box =
        images->periodic != NULL ? carom_images_move(&images->from, images->periodic, images->at) : images->from;
    int e = 2;
    while (e > 0 && images->at[e] == images->hi[e]) {
        images->at[e] = images->lo[e];
        e--;
    }
    images->at[e]++;
    return true;
}
