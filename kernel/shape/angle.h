/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Sine, cosine and arctangent with the same bits on every machine: libm's differ in their last bits. */
#ifndef CAROM_SHAPE_ANGLE_H
#define CAROM_SHAPE_ANGLE_H

/* Sine and cosine of x radians. Each is off by at most CAROM_ANGLE_ERROR for |x| <= CAROM_ANGLE_PLAIN, and by
 * CAROM_ANGLE_ERROR + 2^-51 |x| beyond: never more than the last bit of x could be. Any finite x will do. */
#define CAROM_ANGLE_ERROR 0x1p-51
#define CAROM_ANGLE_PLAIN 0x1p20
void carom_angle_sine_cosine(double x, double *sine, double *cosine);

/* The angle of the point (x, y) from the x axis, 0 to pi/2, for x, y >= 0 and finite. Off by at most
 * CAROM_ANGLE_ERROR. 0 for (0, 0). */
double carom_angle_of(double y, double x);

#endif
