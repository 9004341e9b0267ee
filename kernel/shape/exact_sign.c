/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: two quaternions. Out: the exact sign of their dot product.
 *
 * Each product is the sum of two doubles (Dekker 1971); the eight are added without error to a list of doubles that do
 * not overlap (Shewchuk 1997), whose last has the sign of the sum. A filter decides nearly all cases before. */
#include "kernel/shape/exact_sign.h"

#include <math.h>

/* A computed sum of four products beyond this has the right sign: it rounds by less than 2^-49 of |a| |b| <= 4. */
static const double SURE = 0x1p-46;

/* Smaller components' products could lose bits below the least double. */
static const double SMALLEST = 0x1p-400;

/* Splits a double in halves of 26 bits: 2^27 + 1. */
static const double SPLITTER = 134217729.0;

static void split(double a, double *high, double *low) {
    const double c = SPLITTER * a;
    *high = c - (c - a);
    *low = a - *high;
}

/* a b = *high + *low. */
static void multiply(double a, double b, double *high, double *low) {
    double a1;
    double a0;
    double b1;
    double b0;
    split(a, &a1, &a0);
    split(b, &b1, &b0);
    *high = a * b;
    *low = a0 * b0 - (((*high - a1 * b1) - a0 * b1) - a1 * b0);
}

/* Adds b to the list, whose entries grow and do not overlap. */
static void grow(double *list, int *count, double b) {
    double carry = b;
    int kept = 0;
    for (int n = 0; n < *count; n++) {
        const double sum = carry + list[n];
        const double part = sum - carry;
        const double left = (carry - (sum - part)) + (list[n] - part);
        carry = sum;
        if (left < 0.0 || left > 0.0) {
            list[kept++] = left;
        }
    }
    if (carry < 0.0 || carry > 0.0 || kept == 0) {
        list[kept++] = carry;
    }
    *count = kept;
}

static double without_small(double a) {
    return fabs(a) < SMALLEST ? 0.0 : a;
}

/* The sign of the sum of products, without a filter. */
static int sign_of_products(const double a[4], const double b[4]) {
    double list[9];
    int count = 0;
    for (int d = 0; d < 4; d++) {
        double high;
        double low;
        multiply(without_small(a[d]), without_small(b[d]), &high, &low);
        grow(list, &count, low);
        grow(list, &count, high);
    }
    const double last = list[count - 1];
    return last < 0.0 ? -1 : last > 0.0 ? 1 : 0;
}

int carom_exact_sign(const double a[4], const double b[4]) {
    const double rough = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    if (fabs(rough) > SURE) {
        return rough < 0.0 ? -1 : 1;
    }
    return sign_of_products(a, b);
}

int carom_exact_sign_any(const double a[4], const double b[4]) {
    double sum = 0.0;
    double size = 0.0;
    for (int d = 0; d < 4; d++) {
        sum += a[d] * b[d];
        size += fabs(a[d] * b[d]);
    }
    if (fabs(sum) > SURE * size) {
        return sum < 0.0 ? -1 : 1;
    }
    return sign_of_products(a, b);
}
