/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: candidate by candidate. */
#include <string.h>

#include "simd/check.h"
#include "simd/declare.h"

#define carom_cell_hits_twin CAROM_TWIN_OF(cell_hits)

/* The square of a distance less that of the sum of two radii. */
static float excess(const carom_hits_in *in, uint32_t body, uint32_t n) {
    const float own = in->radius != NULL ? in->square_of[body] : in->square_of[body] - in->square;
    const float sum = in->radius != NULL ? in->radius[n] + in->radius[body] : 0.0F;
    float rest = in->square_of[n] + own;
    for (int a = 0; a < 3; a++) {
        rest = rest - in->at[a][n] * (2.0F * in->at[a][body]);
    }
    return rest - sum * sum;
}

static void find_hits(const carom_hits_in *in, uint32_t body, uint16_t *bits, uint16_t *close, uint32_t *length,
                      uint8_t *open) {
    for (uint32_t n = 0; n < in->count; n++) {
        const bool counts = n != body && (n > body || !in->later) && (in->id == NULL || in->id[n] > in->id[body]);
        const float by = excess(in, body, n);
        const bool hit = counts && by <= 0.0F;
        bits[n / 16] = (uint16_t)(bits[n / 16] | (uint32_t)hit << n % 16);
        *length += hit;
        const bool beside = by >= -in->margin && by <= in->margin;
        close[n / 16] = (uint16_t)(close[n / 16] | (uint32_t)beside << n % 16);
        *open = *open || beside;
    }
}

bool carom_cell_hits_twin(const carom_hits_in *in, uint16_t *bits, uint16_t *close, uint32_t *length, uint8_t *open) {
    const uint32_t words = carom_hits_words(in->count);
    bool any = false;
    memset(bits, 0, (size_t)in->bodies * words * sizeof *bits);
    memset(close, 0, (size_t)in->bodies * words * sizeof *close);
    for (uint32_t n = 0; n < in->bodies; n++) {
        length[n] = 0;
        open[n] = 0;
        find_hits(in, in->first + n, bits + (size_t)n * words, close + (size_t)n * words, &length[n], &open[n]);
        any = any || open[n] != 0;
    }
    return any;
}
