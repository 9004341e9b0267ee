/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: bodies that have crossed faces of a periodic box. Out: hulls and rows that are still right. */
#include "kernel/impacts/crossing.h"

#include <float.h>
#include <math.h>

#include "kernel/response/image.h"
#include "simd/hull_paths.h"

/* A body that is farther away has not crossed a face: somebody has put it there. It has left its hull. */
static const double EDGES_MOST = 1024.0;

bool carom_crossing_find(const double dual[3][3], const carom_hull_box *hull, const carom_hull_box *path,
                         int32_t edges[3]) {
    bool crossed = false;
    for (int e = 0; e < 3; e++) {
        double number = 0.0;
        for (int a = 0; a < 3; a++) {
            number += dual[e][a] * 0.5 *
                      (((double)path->lo[a] + (double)path->hi[a]) - ((double)hull->lo[a] + (double)hull->hi[a]));
        }
        edges[e] = fabs(number) < EDGES_MOST ? (int32_t)rint(number) : 0;
        crossed = crossed || edges[e] != 0;
    }
    return crossed;
}

/* Rounded inward: two hulls meet only if they did where they were, so that rows have all whose hulls meet. Returns
 * whether the box is finite. */
static bool move_hull(carom_hull_box *hull, const double shift[3]) {
    bool finite = true;
    for (int a = 0; a < 3; a++) {
        const double low = (double)hull->lo[a] + shift[a];
        const double high = (double)hull->hi[a] + shift[a];
        const double more =
            CAROM_HULL_FLOAT_PART * ((fabs(low) + fabs(high)) + fabs(shift[a])) + CAROM_HULL_FLOAT_LEAST;
        hull->lo[a] = (float)(low + more);
        hull->hi[a] = (float)(high - more);
        finite = finite && hull->lo[a] >= -FLT_MAX && hull->hi[a] <= FLT_MAX;
    }
    return finite;
}

/* The code of an image that is so many edges farther. Returns whether there is one. */
static bool add_edges(uint32_t *code, const int32_t edges[3]) {
    int32_t sum[3];
    carom_image_edges(*code, sum);
    bool near = true;
    for (int e = 0; e < 3; e++) {
        sum[e] += edges[e];
        near = near && sum[e] >= -CAROM_IMAGE_MOST && sum[e] <= CAROM_IMAGE_MOST;
    }
    *code = near ? carom_image_code(sum[0], sum[1], sum[2]) : *code;
    return near;
}

/* In the row of `slot`, the entry of `other` at one image becomes one at another. */
static void change_entry(const carom_impacts_rows *rows, uint32_t slot, uint32_t other, uint32_t from, uint32_t to) {
    for (uint64_t at = rows->head[slot].start; at < carom_row_end(rows, slot); at++) {
        if (rows->other[at] == other && rows->image[at] == from) {
            rows->image[at] = (uint16_t)to;
            return;
        }
    }
    carom_row_extra *extra = rows->extras.buffer.data;
    uint32_t n = rows->head[slot].extra;
    while (n != CAROM_IMPACTS_NONE && !(extra[n].other == other && extra[n].image == from)) {
        n = extra[n].next;
    }
    if (n != CAROM_IMPACTS_NONE) {
        extra[n].image = to;
    }
}

/* An entry of the body's row, and the one of the same pair in the other's. */
static bool change_pair(const carom_impacts_rows *rows, const carom_crossing *crossing, uint32_t other,
                        uint32_t *image) {
    const uint32_t before = *image;
    if (!add_edges(image, crossing->edges)) {
        return false;
    }
    change_entry(rows, other, crossing->slot, carom_image_opposite(before), carom_image_opposite(*image));
    return true;
}

bool carom_crossing_follow(const carom_crossing *crossing, const carom_periodic *periodic, const carom_hulls *hulls,
                           const carom_impacts_rows *rows) {
    const uint32_t slot = crossing->slot;
    double shift[3];
    carom_image_shift(periodic->edge, crossing->edges, shift);
    bool near = move_hull(&hulls->box[slot], shift);
    for (uint64_t at = rows->head[slot].start; at < carom_row_end(rows, slot) && near; at++) {
        uint32_t image = rows->image[at];
        near = change_pair(rows, crossing, rows->other[at], &image);
        rows->image[at] = (uint16_t)image;
    }
    carom_row_extra *extra = rows->extras.buffer.data;
    for (uint32_t n = rows->head[slot].extra; n != CAROM_IMPACTS_NONE && near; n = extra[n].next) {
        near = change_pair(rows, crossing, extra[n].other, &extra[n].image);
    }
    return near;
}
