/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/shaped_numbers.h"

#include <math.h>

/* Lengths of quaternions that the library takes. */
static const double TURN_LEAST = 0.5;
static const double TURN_MOST = 2;

static bool is_there(const carom_json_at *at) {
    return at->value != NULL || carom_json_refuse(at, "is missing");
}

bool carom_shaped_numbers_length(const carom_json_at *at, const char *name, double *length) {
    const carom_json_at member = carom_json_member(at, name);
    return is_there(&member) && carom_json_take_number(&member, CAROM_JSON_FROM_ZERO, length);
}

bool carom_shaped_numbers_vector(const carom_json_at *at, double vector[3]) {
    return carom_json_expect_list(at) && carom_json_take_vector(at, vector);
}

bool carom_shaped_numbers_lengths(const carom_json_at *at, const char *name, double lengths[3]) {
    const carom_json_at member = carom_json_member(at, name);
    if (!carom_shaped_numbers_vector(&member, lengths)) {
        return false;
    }
    return (lengths[0] >= 0 && lengths[1] >= 0 && lengths[2] >= 0) ||
           carom_json_refuse(&member, "holds a number below 0");
}

bool carom_shaped_numbers_turn(const carom_json_at *at, double turn[4]) {
    double square = 0;
    if (!carom_json_expect_list(at)) {
        return false;
    }
    if (json_array_size(at->value) != 4) {
        return carom_json_refuse(at, "is not a list of four numbers");
    }
    for (size_t d = 0; d < 4; ++d) {
        const carom_json_at element = carom_json_element(at, d);
        if (!carom_json_take_number(&element, CAROM_JSON_ANY, &turn[d])) {
            return false;
        }
        square += turn[d] * turn[d];
    }
    const double length = sqrt(square);
    return (length >= TURN_LEAST && length <= TURN_MOST) ||
           carom_json_refuse(at, "has length %.17g, not 0.5 to 2", length);
}
