/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: candidate by candidate. */
#include <string.h>

#include "simd/check.h"
#include "simd/declare.h"
#include "simd/least_distance.h"

#define carom_moving_hits_twin CAROM_TWIN_OF(moving_hits)

/* The square of a distance half way, less that of the sum of two radii. */
static float excess(const carom_hits_in *in, const float *radius, uint32_t body, uint32_t n) {
    const float sum = radius != NULL ? radius[n] + radius[body] : 0.0F;
    float rest = in->square_of[n] + in->square_of[body];
    for (int a = 0; a < 3; a++) {
        rest = rest - in->at[a][n] * (2.0F * in->at[a][body]);
    }
    return rest - (radius != NULL ? sum * sum : in->square);
}

static void find_hits(const carom_hits_in *in, uint32_t body, uint16_t *bits, uint16_t *close, uint32_t *length,
                      uint8_t *open) {
    for (uint32_t n = 0; n < in->count; n++) {
        const bool counts = n != body && (n > body || !in->later) && (in->id == NULL || in->id[n] > in->id[body]);
        carom_least_distance f = {counts && excess(in, in->radius, body, n) <= -in->margin, false};
        if (counts && !f.hit && excess(in, in->outer, body, n) <= in->margin) {
            f = carom_least_distance_of(in, body, n);
        }
        bits[n / 16] = (uint16_t)(bits[n / 16] | (uint32_t)f.hit << n % 16);
        close[n / 16] = (uint16_t)(close[n / 16] | (uint32_t)f.open << n % 16);
        *length += f.hit;
        *open = *open || f.open;
    }
}

bool carom_moving_hits_twin(const carom_hits_in *in, uint16_t *bits, uint16_t *close, uint32_t *length, uint8_t *open) {
    const size_t words = carom_hits_words(in->count);
    bool any = false;
    memset(bits, 0, in->bodies * words * sizeof *bits);
    memset(close, 0, in->bodies * words * sizeof *close);
    for (uint32_t n = 0; n < in->bodies; n++) {
        length[n] = 0;
        open[n] = 0;
        find_hits(in, in->first + n, bits + n * words, close + n * words, &length[n], &open[n]);
        any = any || open[n] != 0;
    }
    return any;
}
