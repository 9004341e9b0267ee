/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Which pairs of kinds have a closed form. In: two kinds. Out: their test. */
#include "kernel/narrow/closed.h"

#include <stddef.h>

#include "kernel/narrow/closed_half_space.h"
#include "simd/ref/closed_capsule_box.h"
#include "simd/ref/closed_solid.h"
#include "simd/ref/closed_segment.h"

#define KINDS (CAROM_SHAPE_COMPOUND + 1)

static carom_closed_test *const tests[KINDS][KINDS] = {
    [CAROM_SHAPE_SPHERE] = {[CAROM_SHAPE_SPHERE] = carom_closed_segment_spheres,
                            [CAROM_SHAPE_CAPSULE] = carom_closed_segment_pair,
                            [CAROM_SHAPE_BOX] = carom_closed_solid_box,
                            [CAROM_SHAPE_CYLINDER] = carom_closed_solid_cylinder,
                            [CAROM_SHAPE_CONE] = carom_closed_solid_cone,
                            [CAROM_SHAPE_HALF_SPACE] = carom_closed_half_space_convex,
                            [CAROM_SHAPE_LINE] = carom_closed_segment_pair},
    [CAROM_SHAPE_CAPSULE] = {[CAROM_SHAPE_CAPSULE] = carom_closed_segment_pair,
                             [CAROM_SHAPE_BOX] = carom_closed_capsule_box,
                             [CAROM_SHAPE_HALF_SPACE] = carom_closed_half_space_convex,
                             [CAROM_SHAPE_LINE] = carom_closed_segment_pair},
    [CAROM_SHAPE_BOX] = {[CAROM_SHAPE_HALF_SPACE] = carom_closed_half_space_convex},
    [CAROM_SHAPE_CYLINDER] = {[CAROM_SHAPE_HALF_SPACE] = carom_closed_half_space_convex},
    [CAROM_SHAPE_CONE] = {[CAROM_SHAPE_HALF_SPACE] = carom_closed_half_space_convex},
    [CAROM_SHAPE_ELLIPSOID] = {[CAROM_SHAPE_HALF_SPACE] = carom_closed_half_space_convex},
    [CAROM_SHAPE_HULL] = {[CAROM_SHAPE_HALF_SPACE] = carom_closed_half_space_convex},
    [CAROM_SHAPE_HALF_SPACE] =
        {[CAROM_SHAPE_HALF_SPACE] = carom_closed_half_space_pair, [CAROM_SHAPE_LINE] = carom_closed_half_space_line},
    [CAROM_SHAPE_LINE] = {[CAROM_SHAPE_LINE] = carom_closed_segment_lines},
};

carom_closed_test *carom_closed_find(carom_shape_kind i, carom_shape_kind k) {
    return tests[i][k];
}
