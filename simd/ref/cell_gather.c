/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: slot by slot. */
#include "simd/check.h"
#include "simd/declare.h"

#define carom_cell_gather_twin CAROM_TWIN_OF(cell_gather)

uint32_t carom_cell_gather_twin(const carom_gather_in *in, float *const at[4], float *radius, uint32_t *body) {
    uint32_t count = 0;
    for (int r = 0; r < CAROM_GATHER_RUNS; r++) {
        for (uint32_t s = in->begin[r]; s < in->end[r]; s++, count++) {
            body[count] = in->body[s];
            for (int a = 0; a < 3 && in->step[0] != NULL; a++) {
                at[a][count] = (float)(int32_t)(in->step[a][s] - in->centre[a]);
            }
            if (in->step[0] != NULL) {
                at[3][count] = at[0][count] * at[0][count] + at[1][count] * at[1][count] + at[2][count] * at[2][count];
            }
            if (in->radius != NULL) {
                radius[count] = in->radius[s];
            }
        }
    }
    return count;
}
