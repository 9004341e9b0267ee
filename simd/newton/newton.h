/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Newton's method for a direction in which the support function of a Minkowski difference is least, from one nearby.
 *
 * On the sphere of directions h has the second derivatives B - h I, where B is the model's `bend`. A direction may lie
 * where an edge's ends are equally far: there h has a crease, and Newton's step is made along it. Which edges are held
 * is found as in an active-set method: those near which the search begins, those whose plane a step has crossed, and
 * where h bends downward the nearest one; an edge is let go when its point would lie beyond its ends. */
#ifndef CAROM_SIMD_NEWTON_NEWTON_H
#define CAROM_SIMD_NEWTON_NEWTON_H

#include "simd/newton/model.h"

/* Begins at direction u, of length 1. True if the model's direction is then one of a least h, to rounding, as far as
 * the model knows. */
bool carom_newton_least(carom_support_model *model, const carom_posed *i, const carom_posed *k, const double u[3],
                        double step_most);

#endif
