/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/periodic/validate_lattice.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "kernel/periodic/lattice_exact.h"

/* Rounding allowed, as a share of the vectors. Sums of edges have lost at most 20 of 53 bits to cancellation. */
static const double EDGE_ERROR = 0x1p-30;
static const double DUAL_ERROR = 0x1p-40;

static double largest_of(const double x[3]) {
    return fmax(fabs(x[0]), fmax(fabs(x[1]), fabs(x[2])));
}

/* x 2^-exponent, with the largest component in [1/2, 1): products of such vectors neither overflow nor vanish. */
static int scale(const double x[3], double scaled[3]) {
    int exponent;
    frexp(largest_of(x), &exponent);
    for (int j = 0; j < 3; j++) {
        scaled[j] = ldexp(x[j], -exponent);
    }
    return exponent;
}

static bool are_finite(const double x[3]) {
    return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

/* The exact sum serves for both: one that was rounded step by step differs by less than EDGE_ERROR. */
static const char *check_edge(const carom_lattice *lattice, uint32_t b) {
    const double *multiple = lattice->multiple[b];
    const double *edge = lattice->edge[b];
    for (int a = 0; a < 3; a++) {
        if (multiple[a] != rint(multiple[a]) || !isfinite(multiple[a])) {
            return "a multiple of the caller's edges is not a whole number";
        }
    }
    for (int j = 0; j < 3; j++) {
        const double component[3] = {lattice->caller[0][j], lattice->caller[1][j], lattice->caller[2][j]};
        bool exact;
        const double sum = carom_lattice_exact_sum(multiple, component, &exact);
        if (!(fabs(sum - edge[j]) <= EDGE_ERROR * largest_of(edge))) {
            return "an edge of the basis is not the sum of its multiples of the caller's edges";
        }
    }
    return NULL;
}

/* Both vectors are scaled, so the product 1 is scaled like them. */
static bool is_dual(const carom_lattice *lattice, int b, int c) {
    double dual[3];
    double edge[3];
    const int exponent = scale(lattice->dual[b], dual) + scale(lattice->edge[c], edge);
    const double product = dual[0] * edge[0] + dual[1] * edge[1] + dual[2] * edge[2];
    return fabs(product - (b == c ? ldexp(1.0, -exponent) : 0.0)) <= DUAL_ERROR;
}

static const char *check_dual(const carom_lattice *lattice) {
    for (int b = 0; b < 3; b++) {
        if (!are_finite(lattice->dual[b])) {
            return "the dual of the basis is not finite";
        }
        for (int c = 0; c < 3; c++) {
            if (!is_dual(lattice, b, c)) {
                return "the dual times the basis is not the identity";
            }
        }
    }
    return NULL;
}

/* Whether x is no longer than y, to rounding. */
static bool is_ordered(const double x[3], const double y[3]) {
    double scaled[2][3];
    const int exponent = scale(y, scaled[1]);
    double square[2] = {0.0, 0.0};
    for (int j = 0; j < 3; j++) {
        scaled[0][j] = ldexp(x[j], -exponent);
        square[0] += scaled[0][j] * scaled[0][j];
        square[1] += scaled[1][j] * scaled[1][j];
    }
    return square[0] <= square[1] * (1.0 + EDGE_ERROR);
}

const char *carom_lattice_validate(const carom_lattice *lattice) {
    if (lattice->dimensions < 1 || lattice->dimensions > 3) {
        return "a lattice has one to three dimensions";
    }
    for (uint32_t b = 0; b < 3; b++) {
        if (!are_finite(lattice->caller[b]) || !are_finite(lattice->edge[b])) {
            return "an edge is not finite";
        }
        const char *reason = b < lattice->dimensions ? check_edge(lattice, b) : NULL;
        if (reason != NULL) {
            return reason;
        }
    }
    for (uint32_t b = 1; b < lattice->dimensions; b++) {
        if (!is_ordered(lattice->edge[b - 1], lattice->edge[b])) {
            return "the edges of the basis are not in order of length";
        }
    }
    if (!(lattice->shortest >= DBL_MIN) || !isfinite(lattice->shortest)) {
        return "the shortest lattice vector has no normal length";
    }
    return check_dual(lattice);
}
