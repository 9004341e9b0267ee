/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Newton's method for a direction in which the support function h of a Minkowski difference is least, from one nearby.
 *
 * On the sphere of directions h has the second derivatives B - h I, where B is the model's `curvature`. Where an edge's
 * ends are equally far h has a crease, and a step is made to it and along it. Which edges those are is found as in an
 * active-set method (Nocedal and Wright 2006, chapter 16). Active are at first those with planes near the direction.
 * An edge becomes active when a step crosses its plane, and the nearest one where h has no minimum otherwise. An edge
 * becomes inactive when its point would lie beyond one of its ends. */
#ifndef CAROM_SIMD_NEWTON_NEWTON_H
#define CAROM_SIMD_NEWTON_NEWTON_H

#include "simd/newton/model.h"

/* How short Newton's last step has to be for a goal, if the difference has that size. Bounds that come from there fall
 * short of the least h by a part of that step where an edge is active, and else by a part of its square. */
double carom_newton_tolerance(const carom_goal *goal, double size);

/* Begins with the direction of u. True if the next step would be shorter than `tolerance`, or than rounding allows: the
 * model's direction is then near one of a least h, as far as the model knows. */
bool carom_newton_least(carom_support_model *model, const carom_posed *i, const carom_posed *k, const double u[3],
                        double tolerance);

#endif
