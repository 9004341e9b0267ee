/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The exact sign of a dot product of four components. */
#ifndef CAROM_SHAPE_EXACT_SIGN_H
#define CAROM_SHAPE_EXACT_SIGN_H

/* The sign of a . b, -1, 0 or 1, for quaternions of length at most 2. Components of less than 2^-400 count as 0. */
int carom_exact_sign(const double a[4], const double b[4]);

/* The same for components that are 0 or from 1e-60 to 1e60. */
int carom_exact_sign_any(const double a[4], const double b[4]);

#endif
