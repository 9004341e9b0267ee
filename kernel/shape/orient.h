/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* On which side of a plane, or of a line, a point lies, as exact arithmetic decides it. Coordinates are 0 or from 1e-50
 * to 1e50. */
#ifndef CAROM_SHAPE_ORIENT_H
#define CAROM_SHAPE_ORIENT_H

/* The sign of det(b - a, c - a, d - a): 1 if d lies before the plane, from where a, b and c are counterclockwise; -1
 * behind it; 0 in it. */
int carom_orient(const double a[3], const double b[3], const double c[3], const double d[3]);

/* The same of the triangle's shadow along an axis: the sign of component `axis` of (b - a) x (c - a). */
int carom_orient_along(const double a[3], const double b[3], const double c[3], int axis);

#endif
