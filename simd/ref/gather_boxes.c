/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: slot by slot. */
#include <math.h>

#include "simd/check.h"
#include "simd/declare.h"

#define carom_gather_boxes_twin CAROM_TWIN_OF(gather_boxes)

static void copy_slot(const carom_box_columns *from, uint32_t s, bool lengths, const carom_box_columns *to,
                      uint32_t n) {
    for (int a = 0; a < 3; a++) {
        to->lo[a][n] = from->lo[a][s];
        to->hi[a][n] = from->hi[a][s];
    }
    if (lengths) {
        to->inner[n] = from->inner[s];
        to->outer[n] = from->outer[s];
    }
}

uint32_t carom_gather_boxes_twin(const carom_box_runs *runs, bool lengths, const carom_box_columns *to,
                                 uint32_t *slot) {
    uint32_t count = 0;
    CAROM_ASSERT(runs->runs <= CAROM_BOX_RUNS);
    for (uint32_t r = 0; r < runs->runs; r++) {
        for (uint32_t s = runs->begin[r]; s < runs->end[r]; s++) {
            copy_slot(&runs->of, s, lengths, to, count);
            slot[count++] = s;
        }
    }
    for (uint32_t n = count; n < count + CAROM_SIMD_PAD; n++) {
        for (int a = 0; a < 3; a++) {
            to->lo[a][n] = NAN;
            to->hi[a][n] = NAN;
        }
    }
    return count;
}
