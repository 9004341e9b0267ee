/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: points. Out: their convex hull. */
#include "kernel/shape/hull.h"

#include <string.h>

#include "kernel/shape/hull_enclose.h"
#include "kernel/shape/hull_faces.h"
#include "kernel/shape/hull_flatten.h"
#include "kernel/shape/hull_merge.h"

static bool same(const double a[3], const double b[3]) {
    return !(a[0] < b[0] || a[0] > b[0] || a[1] < b[1] || a[1] > b[1] || a[2] < b[2] || a[2] > b[2]);
}

/* Keeps the first of equal points. Zeros become positive. */
static void take_points(const double (*point)[3], uint32_t count, carom_hull_work *work) {
    work->count = 0;
    for (uint32_t n = 0; n < count; n++) {
        bool is_new = true;
        for (uint32_t m = 0; m < work->count && is_new; m++) {
            is_new = !same(point[n], work->point[m]);
        }
        for (int d = 0; d < 3 && is_new; d++) {
            work->point[work->count][d] = point[n][d] + 0.0;
        }
        work->count += is_new ? 1 : 0;
    }
}

void carom_hull_build(const double (*point)[3], uint32_t count, carom_hull_work *work) {
    take_points(point, count, work);
    work->vertex_count = 0;
    work->face_count = 0;
    work->corner_count = 0;
    memset(work->beside, 0xFF, sizeof work->beside);
    carom_hull_enclose(work);
    if (work->dimensions == 3) {
        carom_hull_merge(work);
    } else {
        carom_hull_flatten(work);
    }
    carom_hull_faces_finish(work);
}
