/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The fields of a contact beside its time of impact, from p, v and R as promise.h has them, in GMP's floats of 320 bits
 * and exponents of any size. Sums of two numbers of up to 106 bits that nearly cancel are exact in these. */
#ifndef CAROM_TESTS_FIELDS_H
#define CAROM_TESTS_FIELDS_H

#include <stdbool.h>

#include <gmp.h>

#include "tests/oracle/exact.h"

/* Of one contact, as the kernels store it. */
typedef struct field_row {
    double t_ca;
    double distance;
    double t_toi;
    double normal[3];
    double point[3];
} field_row;

/* The bounds of promise.h. */
typedef struct field_bounds {
    double share;
    double time;  /* added to t */
    double least; /* added to every bound */
    int most_exponent;
} field_bounds;

typedef struct fields {
    const exact_pair *pair;
    field_bounds bounds;
    mpf_t p[3];
    mpf_t v[3];
    mpf_t at[3]; /* p + t v */
    mpf_t sum_radius;
    mpf_t size_p; /* |p| */
    mpf_t size_v;
    mpf_t length; /* |p + t v| */
    mpf_t square; /* v.v */
    mpf_t slope;  /* sum of |p_a v_a| */
    mpf_t t;
    mpf_t value; /* what a field should be */
    mpf_t bound; /* and by how much it may be off */
    mpf_t part;
    mpf_t other;
} fields;

void fields_start(fields *f, const field_bounds *bounds);
void fields_end(fields *f);

/* p, v and R of the pair, which must stay. */
void fields_set(fields *f, const exact_pair *pair);

/* The name of the first field that is not as promised, or NULL. f->value is then what it should be. */
const char *fields_first_wrong(fields *f, const field_row *row);

#endif
