/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A cube root that is the same on all machines: libraries of C differ in the last bits of cbrt. */
#ifndef CAROM_WORLD_CUBE_ROOT_H
#define CAROM_WORLD_CUBE_ROOT_H

/* The cube root of x, 0 or 1 to 2^32, to some units in the last place. Newton's method from above: the steps shrink
 * until rounding stops them. Exact for 0 and 1. */
static inline double carom_cube_root(double x) {
    if (x == 0.0) {
        return 0.0;
    }
    double root = 1.0 + (x - 1.0) / 3.0; /* the tangent at 1, which lies above */
    for (double next = root;; root = next) {
        next = root - (root * root * root - x) / (3.0 * root * root);
        if (!(next < root)) {
            return root;
        }
    }
}

#endif
