/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What detection must find, the slow and plain way: every pair, the rule of the closest approach as it is defined, in
 * arithmetic wide enough that it cannot be wrong on the numbers tests use. Shares no code with the library.
 * Bodies are given in double for both precisions (float scenes hold values that float holds too). */
#ifndef CAROM_TESTS_BRUTE_FORCE_H
#define CAROM_TESTS_BRUTE_FORCE_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/bodies.h"
#include "carom/filter.h"

/* One pair, i < k, with all that is known of it. Lengths and times in long double: 64 bits of mantissa or more. */
typedef struct brute_contact {
    long double p[3];
    long double v[3];
    long double length_p;
    long double length_v;
    long double sum_radius;
    long double t_ca;
    long double distance; /* at t_ca */
    bool touches;
    long double t_toi;         /* only if it touches */
    long double closing_speed; /* rate at which the distance falls at t_toi; 0 if they touch at the start */
} brute_contact;

typedef struct brute_pairs {
    uint64_t count;
    uint64_t capacity;
    uint32_t *i; /* ordered by (i, k) */
    uint32_t *k;
} brute_pairs;

typedef struct brute_groups {
    uint32_t *label; /* smallest body of each body's group */
    uint64_t count;  /* groups of two or more */
    uint64_t largest;
} brute_groups;

/* Does the pair touch in the step? Exact where the inputs' products fit 113 bits. */
bool brute_force_touches(const carom_bodies_f64 *bodies, uint64_t i, uint64_t k);

/* Does the distance of the centres fall at the start of the step, p.v < 0? As exact. */
bool brute_force_approaches(const carom_bodies_f64 *bodies, uint64_t i, uint64_t k);

brute_contact brute_force_contact(const carom_bodies_f64 *bodies, uint64_t i, uint64_t k);

/* Exact swept box of one body, rounded to long double. */
void brute_force_box(const carom_bodies_f64 *bodies, uint64_t n, long double lo[3], long double hi[3]);

/* All pairs of overlapping exact boxes; of these, all that touch. */
brute_pairs brute_force_box_pairs(const carom_bodies_f64 *bodies);
brute_pairs brute_force_touching(const carom_bodies_f64 *bodies, const brute_pairs *boxes);

/* Of touching pairs those that approach. */
brute_pairs brute_force_approaching(const carom_bodies_f64 *bodies, const brute_pairs *touching);

/* Does the pair i < k pass, by the rule as filter.h states it; and the pairs of a list that do. NULL: all. */
bool brute_force_passes(const carom_filter *filter, uint32_t i, uint32_t k);
brute_pairs brute_force_filtered(const carom_filter *filter, const brute_pairs *pairs);
void brute_force_release_pairs(brute_pairs *pairs);

/* Components by a serial union-find. */
brute_groups brute_force_groups(uint64_t count, const brute_pairs *touching);
void brute_force_release_groups(brute_groups *groups);

/* The order-free hash of a set of pairs, as the standard scenes define it. */
uint64_t brute_force_hash(const brute_pairs *pairs);

#endif
