/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: the box around all swept boxes, the widest side on each axis, and whether a number is not finite or a
 * radius is negative. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/layout.h"
#include "simd/ref/box.h"

#define carom_survey_twin CAROM_TWIN(survey)

static float lesser(float a, float b) {
    return a < b ? a : b;
}

static float greater(float a, float b) {
    return a > b ? a : b;
}

void carom_survey_twin(const carom_bodies *bodies, uint64_t begin, uint64_t end, const double centre[3],
                       carom_survey *survey) {
    CAROM_ASSERT(carom_check_bodies(bodies, begin, end));
    CAROM_ASSERT(CAROM_REAL_BITS == 32 || carom_check_point(centre));
    for (uint64_t n = begin; n < end; n++) {
        const carom_record body = carom_layout_body(bodies, n);
        carom_real radius = body.radius;
        survey->bad |= !isfinite(radius) || radius < 0;
        for (int a = 0; a < 3; a++) {
            carom_real prev = body.prev[a];
            carom_real curr = body.curr[a];
            interval box = swept_interval(prev, curr, radius, centre == NULL ? 0.0 : centre[a]);
            survey->bad |= !isfinite(prev) || !isfinite(curr);
            survey->lo[a] = lesser(box.lo, survey->lo[a]);
            survey->hi[a] = greater(box.hi, survey->hi[a]);
            survey->extent[a] = greater(box.hi - box.lo, survey->extent[a]);
        }
    }
}
