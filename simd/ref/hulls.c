/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: simd/hull_paths.h, body by body. */
#include "simd/hull_paths.h"

#include <float.h>

#include "simd/check.h"
#include "simd/declare.h"

#define carom_hulls_twin CAROM_TWIN_OF(hulls)

bool carom_hulls_twin(const carom_hull_frame *frame, const double *motion, const double *body, uint64_t begin,
                      uint64_t end, const carom_hull_paths *hulls) {
    bool finite = true;
    for (uint64_t n = begin; n < end; n++) {
        carom_hull_box *box = &hulls->box[n];
        *box = (carom_hull_box){.spare = {0.0F, 0.0F}};
        carom_hull_around(frame, motion + 8 * n, body + 4 * n, box->lo, box->hi);
        hulls->coarse[n] = carom_hull_coarse(frame, motion + 8 * n, body[4 * n + CAROM_BODY_RADIUS]);
        for (int a = 0; a < 3; a++) {
            finite = finite && box->lo[a] >= -FLT_MAX && box->hi[a] <= FLT_MAX;
        }
    }
    return finite;
}
