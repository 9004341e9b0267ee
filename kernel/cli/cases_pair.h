/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The library's answers for a case, in double: floats are widened. */
#ifndef CAROM_CLI_CASES_PAIR_H
#define CAROM_CLI_CASES_PAIR_H

#include "carom/distance.h"
#include "carom/toi.h"
#include "kernel/cli/cases.h"

/* How the library is asked. */
typedef struct carom_cases_asked {
    bool f64;      /* in double; else the case's numbers are floats */
    double margin; /* shapes within it touch, >= 0 */
} carom_cases_asked;

/* The signed distance of a, as i, and b, as k. Of a plane both sides count. */
carom_status carom_cases_pair_gap(const carom_cases *cases, const carom_case *c, const carom_cases_asked *asked,
                                  carom_gap_f64 *gap, carom_error *error);

/* Their time of impact. */
carom_status carom_cases_pair_toi(const carom_cases *cases, const carom_case *c, const carom_cases_asked *asked,
                                  carom_toi_f64 *impact, carom_error *error);

#endif
