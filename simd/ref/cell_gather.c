/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: slot by slot. */
#include "simd/check.h"
#include "simd/declare.h"

#define carom_cell_gather_twin CAROM_TWIN_OF(cell_gather)

static void end_candidates(const carom_gather_in *in, float *const at[4], float *const value[CAROM_GATHER_VALUES],
                           uint32_t count) {
    for (uint32_t n = count; n < count + CAROM_SIMD_PAD; n++) {
        for (int a = 0; a < 4 && in->step[0] != NULL; a++) {
            at[a][n] = a < 3 ? 0.0F : CAROM_HITS_FAR;
        }
        for (int a = 0; a < CAROM_GATHER_VALUES; a++) {
            if (in->value[a] != NULL) {
                value[a][n] = 0.0F;
            }
        }
    }
}

uint32_t carom_cell_gather_twin(const carom_gather_in *in, float *const at[4], float *const value[CAROM_GATHER_VALUES],
                                uint32_t *key) {
    uint32_t count = 0;
    for (uint32_t r = 0; r < in->runs; r++) {
        for (uint32_t s = in->begin[r]; s < in->end[r]; s++, count++) {
            if (in->key != NULL) {
                key[count] = in->key[s] + (in->moved ? in->move[r].key : 0);
            }
            for (int a = 0; a < 3 && in->step[0] != NULL; a++) {
                const uint32_t by = in->moved ? in->move[r].step[a] : 0;
                at[a][count] = (float)(int32_t)(in->step[a][s] + by - in->centre[a]);
            }
            if (in->step[0] != NULL) {
                at[3][count] = at[0][count] * at[0][count] + at[1][count] * at[1][count] + at[2][count] * at[2][count];
            }
            for (int a = 0; a < CAROM_GATHER_VALUES; a++) {
                if (in->value[a] != NULL) {
                    value[a][count] = in->value[a][s];
                }
            }
        }
    }
    end_candidates(in, at, value, count);
    return count;
}
