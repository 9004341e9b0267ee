/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: candidate by candidate. */
#include <string.h>

#include "simd/declare.h"

#define carom_moving_hits_twin CAROM_TWIN_OF(moving_hits)

/* The square of a distance less that of the sum of two radii. */
static float excess(const carom_hits_in *in, const float *radius, uint32_t body, uint32_t n) {
    const float sum = radius[n] + radius[body];
    float rest = in->square_of[n] + in->square_of[body];
    for (int a = 0; a < 3; a++) {
        rest = rest - in->at[a][n] * (2.0F * in->at[a][body]);
    }
    return rest - sum * sum;
}

static void find_hits(const carom_hits_in *in, uint32_t body, uint16_t *bits, uint16_t *close, uint32_t *length,
                      uint32_t *near) {
    for (uint32_t n = 0; n < in->count; n++) {
        const bool counts = n != body && (n > body || !in->later) && (in->id == NULL || in->id[n] > in->id[body]);
        const bool hit = counts && excess(in, in->radius, body, n) <= -in->margin;
        const bool beside = counts && !hit && excess(in, in->outer, body, n) <= in->margin;
        bits[n / 16] = (uint16_t)(bits[n / 16] | (uint32_t)hit << n % 16);
        close[n / 16] = (uint16_t)(close[n / 16] | (uint32_t)beside << n % 16);
        *length += hit;
        *near += beside;
    }
}

void carom_moving_hits_twin(const carom_hits_in *in, uint16_t *bits, uint16_t *close, uint32_t *length,
                            uint32_t *near) {
    const size_t words = carom_hits_words(in->count);
    memset(bits, 0, in->bodies * words * sizeof *bits);
    memset(close, 0, in->bodies * words * sizeof *close);
    for (uint32_t n = 0; n < in->bodies; n++) {
        length[n] = 0;
        near[n] = 0;
        find_hits(in, in->first + n, bits + n * words, close + n * words, &length[n], &near[n]);
    }
}
