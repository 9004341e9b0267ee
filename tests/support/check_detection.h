/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Holds everything a detection returns against brute force. */
#ifndef CAROM_TESTS_CHECK_DETECTION_H
#define CAROM_TESTS_CHECK_DETECTION_H

#include "tests/support/any_detect.h"
#include "tests/support/brute_force.h"

/* What is true of a scene, found once and held against many calls. */
typedef struct truth {
    const carom_bodies_f64 *bodies;
    const carom_filter *filter; /* what all calls are given; NULL: nothing */
    brute_pairs boxes;
    brute_pairs touching;
    brute_groups groups;
    bool moved; /* detection is of positions that rounding may have moved, as those of images are */
} truth;

truth truth_of(const carom_bodies_f64 *bodies);
void truth_release(truth *known);

/* Row n of a result: its contact within tolerance. Only the bodies of `known` are needed. */
void check_contact(const truth *known, any_precision precision, const any_result *result, uint64_t n);
/* What is left of it with a filter, which must outlive it. */
truth truth_filtered(const truth *known, const carom_filter *filter);

/* What is left of it where only pairs that approach count. */
truth truth_approaching(const truth *known);

/* A result with any_config_full: the very same pairs, contacts within tolerance, groups, members, counts, hash. */
void check_full_result(const truth *known, any_precision precision, const any_result *result);

/* Runs detection in every way it can be asked for and checks each result, and that they agree with one another. */
void check_detection(carom_context *context, any_precision precision, const truth *known);

#endif
