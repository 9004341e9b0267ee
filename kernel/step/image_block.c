/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/step/image_block.h"

#include <math.h>
#include <string.h>

static double lesser(double a, double b) {
    return a < b ? a : b;
}

static double greater(double a, double b) {
    return a > b ? a : b;
}

void carom_image_block_boxes(carom_image_block *block) {
    const double *radius = block->field[6];
    for (int j = 0; j < 3; j++) {
        const double *prev = block->field[j];
        const double *curr = block->field[j + 3];
        for (int n = 0; n < CAROM_IMAGE_BLOCK; n++) {
            block->low[j][n] = lesser(prev[n], curr[n]) - radius[n];
            block->high[j][n] = greater(prev[n], curr[n]) + radius[n];
        }
    }
}

/* range += factor * corner: of each box the corner that is least, or greatest, along a dual vector. */
static void add_corner(double factor, const double corner[CAROM_IMAGE_BLOCK], double range[CAROM_IMAGE_BLOCK]) {
    for (int n = 0; n < CAROM_IMAGE_BLOCK; n++) {
        range[n] += factor * corner[n];
    }
}

void carom_image_block_lows(const carom_lattice *lattice, carom_image_block *block) {
    memset(block->lo, 0, sizeof block->lo);
    for (uint32_t b = 0; b < lattice->dimensions; b++) {
        for (int j = 0; j < 3; j++) {
            double factor = lattice->dual[b][j];
            if (factor != 0.0) {
                add_corner(factor, factor > 0.0 ? block->low[j] : block->high[j], block->lo[b]);
            }
        }
    }
}

void carom_image_block_highs(const carom_lattice *lattice, carom_image_block *block) {
    memset(block->hi, 0, sizeof block->hi);
    for (uint32_t b = 0; b < lattice->dimensions; b++) {
        for (int j = 0; j < 3; j++) {
            double factor = lattice->dual[b][j];
            if (factor != 0.0) {
                add_corner(factor, factor > 0.0 ? block->high[j] : block->low[j], block->hi[b]);
            }
        }
    }
}

static bool all_in_first(const double cell[CAROM_IMAGE_BLOCK]) {
    uint32_t outside = 0;
    for (int n = 0; n < CAROM_IMAGE_BLOCK; n++) {
        outside |= (uint32_t) !(cell[n] >= 0.0) | (uint32_t) !(cell[n] < 1.0);
    }
    return outside == 0;
}

bool carom_image_block_wraps(const carom_lattice *lattice, const carom_image_block *block,
                             double number[3][CAROM_IMAGE_BLOCK]) {
    bool any = false;
    memset(number, 0, 3 * sizeof number[0]);
    for (uint32_t b = 0; b < lattice->dimensions; b++) {
        double cell[CAROM_IMAGE_BLOCK] = {0.0};
        for (int j = 0; j < 3; j++) {
            if (lattice->dual[b][j] != 0.0) {
                add_corner(lattice->dual[b][j], block->field[j], cell);
            }
        }
        if (all_in_first(cell)) {
            continue;
        }
        any = true;
        /* No floor(): not every instruction set has it, and a call would keep the loop from becoming vector code. */
        for (int n = 0; n < CAROM_IMAGE_BLOCK; n++) {
            double cut = greater(lesser(cell[n], CAROM_WRAP_MOST), -CAROM_WRAP_MOST);
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
static void move_exactly(const carom_lattice *lattice, const int32_t (*wrap)[3], carom_image_block *block) {
    for (uint32_t n = 0; n < CAROM_IMAGE_BLOCK; n++) {
        const int32_t *own = wrap[n < block->count ? n : 0];
        double by[3];
        carom_lattice_displacement(lattice, (double[3]){own[0], own[1], own[2]}, by);
        for (int j = 0; j < 3; j++) {
            block->field[j][n] -= by[j];
            block->field[j + 3][n] -= by[j];
        }
    }
}

void carom_image_block_move(const carom_lattice *lattice, const int32_t (*wrap)[3], carom_image_block *block) {
    if (lattice->cancels) {
        move_exactly(lattice, wrap, block);
        return;
    }
    double number[3][CAROM_IMAGE_BLOCK];
    for (uint32_t n = 0; n < CAROM_IMAGE_BLOCK; n++) {
        for (int a = 0; a < 3; a++) {
            number[a][n] = (double)wrap[n < block->count ? n : 0][a];
        }
    }
    for (int j = 0; j < 3; j++) {
        for (int n = 0; n < CAROM_IMAGE_BLOCK; n++) {
            double by = number[0][n] * lattice->caller[0][j] + number[1][n] * lattice->caller[1][j] +
                        number[2][n] * lattice->caller[2][j];
            block->field[j][n] -= by;
            block->field[j + 3][n] -= by;
        }
    }
}

/* Comparisons side by side: in one chain each would wait for the one before. */
enum { LANES = 8 };

void carom_image_block_least(const double x[CAROM_IMAGE_BLOCK], double *value) {
    double least[LANES];
    memcpy(least, x, sizeof least);
    for (int n = LANES; n < CAROM_IMAGE_BLOCK; n += LANES) {
        for (int l = 0; l < LANES; l++) {
            least[l] = lesser(x[n + l], least[l]);
        }
    }
    for (int l = 0; l < LANES; l++) {
        *value = lesser(least[l], *value);
    }
}

void carom_image_block_greatest(const double x[CAROM_IMAGE_BLOCK], double *value) {
    double greatest[LANES];
    memcpy(greatest, x, sizeof greatest);
    for (int n = LANES; n < CAROM_IMAGE_BLOCK; n += LANES) {
        for (int l = 0; l < LANES; l++) {
            greatest[l] = greater(x[n + l], greatest[l]);
        }
    }
    for (int l = 0; l < LANES; l++) {
        *value = greater(greatest[l], *value);
    }
}
