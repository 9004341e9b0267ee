/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include <string.h>

#include "tests/twin/bodies_tmpl.h"

/* The columns of an array of structs of `values` values, in which each begins where offset says, ends with its last
 * value: what lies between is all NaN. */
static void spread(guarded_pool *pool, uint64_t count, uint64_t values, const uint64_t offset[], int columns,
                   const carom_real *const from[], const carom_real *to[]) {
    uint64_t last = 0;
    for (int c = 0; c < columns; c++) {
        last = offset[c] > last ? offset[c] : last;
    }
    carom_real *all = guarded_array(pool, count > 0 ? (count - 1) * values + last + 1 : 0, sizeof *all, 0);
    memset(all, 0xFF, count > 0 ? ((count - 1) * values + last + 1) * sizeof *all : 0);
    for (int c = 0; c < columns; c++) {
        for (uint64_t n = 0; n < count; n++) {
            all[n * values + offset[c]] = from[c][n];
        }
        to[c] = all + offset[c];
    }
}

/* Points as they are, side by side, with other values after them, or in structs of a stranger order. */
static uint64_t spread_points(guarded_pool *pool, carom_random *random, uint64_t count, const carom_real *const from[3],
                              const carom_real *to[3]) {
    static const struct {
        uint64_t values;
        uint64_t offset[3];
    } forms[] = {{0, {0, 0, 0}}, {3, {0, 1, 2}}, {3, {0, 1, 2}},  {4, {0, 1, 2}}, {5, {0, 1, 2}}, {6, {0, 1, 2}},
                 {8, {0, 1, 2}}, {9, {0, 1, 2}}, {37, {0, 1, 2}}, {3, {2, 1, 0}}, {4, {0, 1, 3}}, {7, {3, 0, 5}}};
    const uint64_t form = carom_random_next(random) % (sizeof forms / sizeof forms[0]);
    if (forms[form].values == 0) {
        memcpy(to, from, 3 * sizeof *to);
    } else {
        spread(pool, count, forms[form].values, forms[form].offset, 3, from, to);
    }
    return forms[form].values * sizeof(carom_real);
}

static void draw_radii(guarded_pool *pool, carom_random *random, carom_bodies *packed, carom_bodies *other) {
    static const uint64_t first[1] = {0};
    const uint64_t values = carom_random_next(random) % 5;
    if (values == 0) {
        carom_real *same = guarded_array(pool, packed->count, sizeof *same, 0);
        other->common_radius = (carom_real)(0.5 + carom_random_u01(random));
        for (uint64_t n = 0; n < packed->count; n++) {
            same[n] = other->common_radius;
        }
        packed->radius = same;
        other->radius = NULL;
    } else if (values > 1) {
        spread(pool, packed->count, values, first, 1, &packed->radius, &other->radius);
        other->radius_stride = values * sizeof(carom_real);
    }
}

carom_bodies draw_layout(guarded_pool *pool, carom_random *random, carom_bodies *packed) {
    carom_bodies other = *packed;
    draw_radii(pool, random, packed, &other);
    other.prev_stride = spread_points(pool, random, packed->count, packed->prev, other.prev);
    if (carom_random_next(random) % 6 == 0) {
        memcpy(packed->curr, packed->prev, sizeof packed->curr);
        memcpy(other.curr, other.prev, sizeof other.curr);
        other.curr_stride = other.prev_stride;
    } else {
        other.curr_stride = spread_points(pool, random, packed->count, packed->curr, other.curr);
    }
    return other;
}
