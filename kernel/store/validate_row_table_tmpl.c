/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: finished contact rows. Out: NULL, or what is wrong with them. It knows nothing of the bodies, so it checks what
 * holds for all contacts; tests hold the values against exact arithmetic. O(rows). */
#include <math.h>

#include "kernel/store/row_table_tmpl.h"

/* By how much the square of a unit normal's length may differ from 1: each component is correct to a few roundings. */
static const double UNIT_SLACK = CAROM_REAL_BITS == 32 ? 1e-5 : 1e-13;
static const double UNIT_SLACK_FLOATS = 1e-5;

static bool is_time(carom_real t) {
    return t >= 0 && t <= 1;
}

static const char *check_normal(const carom_contacts *rows, uint64_t n, bool floats) {
    double square = 0.0;
    for (int a = 0; a < 3; a++) {
        square += (double)rows->normal[a][n] * (double)rows->normal[a][n];
    }
    if (isnan(rows->t_toi[n])) {
        return square != 0.0 ? "a pair that does not touch has a normal" : NULL;
    }
    return fabs(square - 1.0) <= (floats ? UNIT_SLACK_FLOATS : UNIT_SLACK) ? NULL : "a normal is not of unit length";
}

static const char *check_contact(const carom_contacts *rows, uint64_t n, bool depths, bool floats) {
    if (!is_time(rows->t_ca[n])) {
        return "the time of closest approach is not in [0, 1]";
    }
    if (!is_time(rows->t_toi[n]) && !isnan(rows->t_toi[n])) {
        return "a time of impact is neither in [0, 1] nor NaN";
    }
    if (!(rows->distance[n] >= 0) && !(depths && rows->distance[n] < 0)) {
        return "a distance is negative or NaN";
    }
    return check_normal(rows, n, floats);
}

const char *carom_row_table_validate_rows(const carom_contacts *rows, uint64_t count, uint64_t bodies, bool self_images,
                                          bool depths, bool floats) {
    for (uint64_t n = 0; n < count; n++) {
        if (rows->i[n] > rows->k[n] || (rows->i[n] == rows->k[n] && !self_images)) {
            return "the first body of a row is not less than the second";
        }
        if (rows->k[n] >= bodies) {
            return "a row names a body that does not exist";
        }
        const char *reason = rows->t_ca != NULL ? check_contact(rows, n, depths, floats) : NULL;
        if (reason != NULL) {
            return reason;
        }
    }
    return NULL;
}
