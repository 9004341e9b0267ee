/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: slot by slot. */
#include "simd/check.h"
#include "simd/declare.h"

#define carom_cell_gather_twin CAROM_TWIN_OF(cell_gather)

uint32_t carom_cell_gather_twin(const carom_gather_in *in, float *const at[4], float *const radius[2], uint32_t *key) {
    uint32_t count = 0;
    for (uint32_t r = 0; r < in->runs; r++) {
        for (uint32_t s = in->begin[r]; s < in->end[r]; s++, count++) {
            key[count] = in->key[s];
            for (int a = 0; a < 3 && in->step[0] != NULL; a++) {
                at[a][count] = (float)(int32_t)(in->step[a][s] - in->centre[a]);
            }
            if (in->step[0] != NULL) {
                at[3][count] = at[0][count] * at[0][count] + at[1][count] * at[1][count] + at[2][count] * at[2][count];
            }
            for (int a = 0; a < 2; a++) {
                if (in->radius[a] != NULL) {
                    radius[a][count] = in->radius[a][s];
                }
            }
        }
    }
    return count;
}
