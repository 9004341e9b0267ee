/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: candidate by candidate. */
#include <string.h>

#include "simd/check.h"
#include "simd/declare.h"

#define carom_cell_hits_twin CAROM_TWIN_OF(cell_hits)

/* The square of a distance less that of the sum of two radii. */
static float excess(const carom_hits_in *in, uint32_t body, uint32_t n) {
    const float x = in->at[0][n] - in->at[0][body];
    const float y = in->at[1][n] - in->at[1][body];
    const float z = in->at[2][n] - in->at[2][body];
    const float sum = in->radius != NULL ? in->radius[n] + in->radius[body] : 0.0F;
    return x * x + y * y + z * z - (in->radius != NULL ? sum * sum : in->square);
}

static void find_hits(const carom_hits_in *in, uint32_t body, uint16_t *bits, uint32_t *length, uint8_t *open) {
    for (uint32_t n = 0; n < in->count; n++) {
        const bool counts = n != body && (in->id == NULL || in->id[n] > in->id[body]);
        const float by = excess(in, body, n);
        const bool hit = counts && by <= -in->margin;
        bits[n / 16] = (uint16_t)(bits[n / 16] | (uint32_t)hit << n % 16);
        *length += hit;
        *open = *open || (by >= -in->margin && by <= in->margin);
    }
}

void carom_cell_hits_twin(const carom_hits_in *in, uint16_t *bits, uint32_t *length, uint8_t *open) {
    const uint32_t words = carom_hits_words(in->count);
    memset(bits, 0, (size_t)in->bodies * words * sizeof *bits);
    for (uint32_t n = 0; n < in->bodies; n++) {
        length[n] = 0;
        open[n] = 0;
        find_hits(in, in->first + n, bits + (size_t)n * words, &length[n], &open[n]);
    }
}
