/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/periodic/image_batch.h"

#include <math.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "simd/compare.h"

void carom_image_batch_boxes(carom_image_batch *batch) {
    const double *radius = batch->field[6];
    for (int j = 0; j < 3; j++) {
        const double *prev = batch->field[j];
        const double *curr = batch->field[j + 3];
        for (int n = 0; n < CAROM_IMAGE_BATCH; n++) {
            batch->low[j][n] = carom_lesser(prev[n], curr[n]) - radius[n];
            batch->high[j][n] = carom_greater(prev[n], curr[n]) + radius[n];
        }
    }
}

/* range += factor * corner. Each box has a corner that is least, and one that is greatest, along a dual vector. */
static void add_corner(double factor, const double corner[CAROM_IMAGE_BATCH], double range[CAROM_IMAGE_BATCH]) {
    for (int n = 0; n < CAROM_IMAGE_BATCH; n++) {
        range[n] += factor * corner[n];
    }
}

/* Where the dual vector is negative along an axis, a box begins in the lattice at its high corner. */
void carom_image_batch_lows(const carom_lattice *lattice, carom_image_batch *batch) {
    memset(batch->lo, 0, sizeof batch->lo);
    for (uint32_t b = 0; b < lattice->dimensions; b++) {
        for (int j = 0; j < 3; j++) {
            double factor = lattice->dual[b][j];
            if (factor != 0.0) {
                add_corner(factor, factor > 0.0 ? batch->low[j] : batch->high[j], batch->lo[b]);
            }
        }
    }
}

void carom_image_batch_highs(const carom_lattice *lattice, carom_image_batch *batch) {
    memset(batch->hi, 0, sizeof batch->hi);
    for (uint32_t b = 0; b < lattice->dimensions; b++) {
        for (int j = 0; j < 3; j++) {
            double factor = lattice->dual[b][j];
            if (factor != 0.0) {
                add_corner(factor, factor > 0.0 ? batch->high[j] : batch->low[j], batch->hi[b]);
            }
        }
    }
}

/* One answer for all: mostly every body is in the first cell, and the batch is done. */
static bool all_in_first(const double cell[CAROM_IMAGE_BATCH]) {
    uint32_t outside = 0;
    for (int n = 0; n < CAROM_IMAGE_BATCH; n++) {
        outside |= (uint32_t) !(cell[n] >= 0.0) | (uint32_t) !(cell[n] < 1.0);
    }
    return outside == 0;
}

bool carom_image_batch_wraps(const carom_lattice *lattice, const carom_image_batch *batch,
                             double number[3][CAROM_IMAGE_BATCH]) {
    bool any = false;
    memset(number, 0, 3 * sizeof number[0]);
    for (uint32_t b = 0; b < lattice->dimensions; b++) {
        double cell[CAROM_IMAGE_BATCH] = {0.0};
        for (int j = 0; j < 3; j++) {
            if (lattice->dual[b][j] != 0.0) {
                add_corner(lattice->dual[b][j], batch->field[j], cell);
            }
        }
        if (all_in_first(cell)) {
            continue;
        }
        any = true;
        /* No floor(): not every instruction set has it, and a call would keep the loop from becoming vector code. */
        for (int n = 0; n < CAROM_IMAGE_BATCH; n++) {
            double cut = carom_greater(carom_lesser(cell[n], CAROM_WRAP_MOST), -CAROM_WRAP_MOST);
            double whole = (double)(int32_t)cut;
            whole = cut < whole ? whole - 1.0 : whole;
            cell[n] = cell[n] == cut ? whole : (double)INFINITY;
        }
        for (int a = 0; a < 3; a++) {
            if (lattice->multiple[b][a] != 0.0) {
                add_corner(lattice->multiple[b][a], cell, number[a]);
            }
        }
    }
    return any;
}

/* Body by body, where the caller's edges nearly cancel: rounded sums would move bodies off the lattice. */
static void move_exactly(const carom_lattice *lattice, const int32_t (*wrap)[3], carom_image_batch *batch) {
    for (uint32_t n = 0; n < CAROM_IMAGE_BATCH; n++) {
        const int32_t *own = wrap[n < batch->count ? n : 0];
        double by[3];
        carom_lattice_displacement(lattice, (double[3]){own[0], own[1], own[2]}, by);
        for (int j = 0; j < 3; j++) {
            batch->field[j][n] -= by[j] + 0.0;
            batch->field[j + 3][n] -= by[j] + 0.0;
        }
    }
}

void carom_image_batch_move(const carom_lattice *lattice, const int32_t (*wrap)[3], carom_image_batch *batch) {
    CAROM_ASSERT(wrap != NULL && batch->count >= 1 && batch->count <= CAROM_IMAGE_BATCH);
    if (lattice->cancels) {
        move_exactly(lattice, wrap, batch);
        return;
    }
    double number[3][CAROM_IMAGE_BATCH];
    for (uint32_t n = 0; n < CAROM_IMAGE_BATCH; n++) {
        for (int a = 0; a < 3; a++) {
            number[a][n] = (double)wrap[n < batch->count ? n : 0][a];
        }
    }
    for (int j = 0; j < 3; j++) {
        for (int n = 0; n < CAROM_IMAGE_BATCH; n++) {
            /* 0.0 is added so that nothing is 0.0 and not -0.0: to subtract it then changes no bit. */
            double by = number[0][n] * lattice->caller[0][j] + number[1][n] * lattice->caller[1][j] +
                        number[2][n] * lattice->caller[2][j] + 0.0;
            batch->field[j][n] -= by;
            batch->field[j + 3][n] -= by;
        }
    }
}

/* Comparisons side by side: in a single chain each would wait for the one before. */
enum { LANES = 8 };

void carom_image_batch_least(const double x[CAROM_IMAGE_BATCH], double *value) {
    double least[LANES];
    memcpy(least, x, sizeof least);
    for (int n = LANES; n < CAROM_IMAGE_BATCH; n += LANES) {
        for (int l = 0; l < LANES; l++) {
            least[l] = carom_lesser(x[n + l], least[l]);
        }
    }
    for (int l = 0; l < LANES; l++) {
        *value = carom_lesser(least[l], *value);
    }
}

void carom_image_batch_greatest(const double x[CAROM_IMAGE_BATCH], double *value) {
    double greatest[LANES];
    memcpy(greatest, x, sizeof greatest);
    for (int n = LANES; n < CAROM_IMAGE_BATCH; n += LANES) {
        for (int l = 0; l < LANES; l++) {
            greatest[l] = carom_greater(x[n + l], greatest[l]);
        }
    }
    for (int l = 0; l < LANES; l++) {
        *value = carom_greater(greatest[l], *value);
    }
}
