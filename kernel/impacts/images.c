/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a box. Out: the same box seen from each image of the periodic box's contents that it may meet. */
#include "kernel/impacts/images.h"

#include <math.h>
#include <stdlib.h>

#include "simd/vector.h"

/* Rounding of what is computed here, over the numbers it is made of. */
static const double ROUNDING = 0x1p-20;

/* Edges on an axis that are looked at: bodies that have moved CAROM_IMAGE_MOST edges in opposite directions are twice
 * as many apart, and each may be on its way. */
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

/* The whole numbers of an edge by which something in `to` may have been moved to be in `from`. */
static void set_range(carom_image_walk *images, int e, const double dual[3], const carom_box *to) {
    double lo = 0.0;
    double hi = 0.0;
    double rounding = ROUNDING;
    for (int a = 0; a < 3; a++) {
        const double least = dual[a] * ((double)images->from.lo[a] - (double)to->hi[a]);
        const double most = dual[a] * ((double)images->from.hi[a] - (double)to->lo[a]);
        lo += fmin(least, most);
        hi += fmax(least, most);
        rounding += ROUNDING * (fabs(least) + fabs(most));
    }
    lo = ceil(lo - rounding);
    hi = floor(hi + rounding);
    images->beyond = images->beyond || !(lo >= -EDGES_MOST && hi <= EDGES_MOST);
    images->lo[e] = lo >= -EDGES_MOST ? (int32_t)fmin(lo, EDGES_MOST) : -EDGES_MOST;
    images->hi[e] = hi <= EDGES_MOST ? (int32_t)fmax(hi, -EDGES_MOST) : EDGES_MOST;
}

carom_image_walk carom_images_begin(const carom_periodic *periodic, const carom_box *box, const carom_tree *tree) {
    carom_image_walk images = {.periodic = periodic, .from = *box};
    if (periodic != NULL) {
        double dual[3][3];
        carom_images_dual(periodic, dual);
        const carom_box all = carom_box_array_get(&tree->level[tree->levels - 1], 0);
        for (int e = 0; e < 3; e++) {
            if (periodic->along[e]) {
                set_range(&images, e, dual[e], &all);
            }
        }
    }
    for (int e = 0; e < 3; e++) {
        images.at[e] = images.lo[e];
    }
    return images;
}

/* The box less the image's shift, rounded outward. */
static void move_box(carom_image_walk *images) {
    double shift[3];
    carom_image_shift(images->periodic->edge, images->at, shift);
    for (int a = 0; a < 3; a++) {
        const double lo = (double)images->from.lo[a] - shift[a];
        const double hi = (double)images->from.hi[a] - shift[a];
        const double rounding = 0x1p-22 * (fabs(lo) + fabs(hi) + fabs(shift[a])) + 0x1p-147;
        images->box.lo[a] = (float)(lo - rounding);
        images->box.hi[a] = (float)(hi + rounding);
    }
}

bool carom_images_next(carom_image_walk *images) {
    for (int e = 0; e < 3; e++) {
        if (images->at[e] > images->hi[e]) {
            return false;
        }
    }
    images->far = false;
    for (int e = 0; e < 3; e++) {
        images->far = images->far || abs(images->at[e]) > CAROM_IMAGE_MOST;
    }
    images->code = images->far ? CAROM_IMAGE_SELF : carom_image_code(images->at[0], images->at[1], images->at[2]);
    images->box = images->from;
    if (images->periodic != NULL) {
        move_box(images);
    }
    int e = 2;
    while (e > 0 && images->at[e] == images->hi[e]) {
        images->at[e] = images->lo[e];
        e--;
    }
    images->at[e]++;
    return true;
}
