/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Which moving shapes are certainly apart in the whole step, pair by pair. */
#include <string.h>

#include "simd/declare.h"
#include "simd/ref/apart_pair.h"

#define carom_apart_moving_twin CAROM_TWIN_OF(apart_moving)

static bool is_apart(const carom_apart *apart, const float *row_i, const float *row_k) {
    uint32_t shape[2];
    memcpy(&shape[0], row_i + CAROM_APART_SHAPE, sizeof shape[0]);
    memcpy(&shape[1], row_k + CAROM_APART_SHAPE, sizeof shape[1]);
    const carom_apart_box i = carom_apart_box_of(apart, shape[0], row_i + CAROM_APART_TURN);
    const carom_apart_box k = carom_apart_box_of(apart, shape[1], row_k + CAROM_APART_TURN);
    const float *way_i = row_i + CAROM_APART_ROW + CAROM_APART_WAY;
    const float *way_k = row_k + CAROM_APART_ROW + CAROM_APART_WAY;
    float between[3];
    float half_way[3];
    float size = i.size + k.size;
    for (int a = 0; a < 3; a++) {
        const float way = row_k[CAROM_APART_AT + a] - row_i[CAROM_APART_AT + a];
        size = size + (fabsf(way) + (fabsf(way_i[a]) + fabsf(way_k[a])));
        between[a] = way + (k.centre[a] - i.centre[a]);
        half_way[a] = way_k[a] - way_i[a];
    }
    const float spread = row_i[CAROM_APART_ROW + CAROM_APART_SPREAD] + row_k[CAROM_APART_ROW + CAROM_APART_SPREAD];
    const float limit = ((apart->margin + spread) + apart->slack * size) + CAROM_APART_LEAST;
    return carom_apart_gap(&i, &k, between, half_way) > limit;
}

uint32_t carom_apart_moving_twin(const carom_apart *apart, const float *rows, const uint32_t *i, const uint32_t *k,
                                 uint32_t count, uint32_t *kept) {
    uint32_t found = 0;
    for (uint32_t n = 0; n < count; n++) {
        kept[found] = n;
        found +=
            !is_apart(apart, rows + 2 * CAROM_APART_ROW * (uint64_t)i[n], rows + 2 * CAROM_APART_ROW * (uint64_t)k[n]);
    }
    return found;
}
