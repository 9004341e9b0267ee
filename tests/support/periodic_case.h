/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Random small scenes in periodic boxes, and all ways to ask for their pairs. All numbers lie on a grid on which
 * positions plus whole edges are exact, so that tangent contacts are decided exactly, too. */
#ifndef CAROM_TESTS_PERIODIC_CASE_H
#define CAROM_TESTS_PERIODIC_CASE_H

#include "tests/support/periodic_truth.h"
#include "tests/support/random_scene.h"

/* How a case is made: the box, and how far its bodies go. */
typedef struct periodic_case {
    carom_periodic box;
    double motion; /* greatest displacement along an axis */
    double radius; /* greatest radius */
    int32_t away;  /* boxes that bodies are outside at most */
    uint64_t count;
} periodic_case;

/* A multiple of 2^-5 in [-size, size]. */
double periodic_case_grid(carom_random *random, double size);

/* 0 to count - 1. */
uint32_t periodic_case_below(carom_random *random, uint32_t count);

/* Orthorhombic, tilted a little, tilted over many boxes, or edges that point anywhere. */
enum { PERIODIC_TILTS = 4 };
void periodic_case_edges(carom_random *random, uint32_t tilt, double size, double edge[3][3]);

/* Fills the scene's r->count bodies; wrap[n]: how many edges body n is from where images are looked for. */
void periodic_case_place(carom_random *random, const periodic_case *r, random_scene *scene, int32_t (*wrap)[3]);

/* Way 0: everything; 1: all pairs; 2: pairs alone; 3: in no order; 4: counts alone. */
any_result periodic_case_detect(carom_context *context, any_precision precision, const carom_bodies_f64 *bodies,
                                const carom_periodic *box, int way);

/* Every way to ask, on one context; another must return the same bits. */
void periodic_case_check(const periodic_truth *known, any_precision precision, carom_context *context,
                         carom_context *other);

/* What one context stores another hands to a sink: touching pairs, all pairs with contacts, pairs alone. */
void periodic_case_check_sink(const carom_bodies_f64 *bodies, const carom_periodic *box, any_precision precision,
                              carom_context *context, carom_context *other);

#endif
