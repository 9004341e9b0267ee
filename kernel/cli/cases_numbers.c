/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/cases_numbers.h"

#include <math.h>

/* Lengths of quaternions that the library takes. */
static const double TURN_LEAST = 0.5;
static const double TURN_MOST = 2;

static bool round_number(const carom_cases_reader *reader, const carom_json_at *at, double *number) {
    *number = reader->narrow ? (double)(float)*number : *number;
    return isfinite(*number) || carom_json_refuse(at, "is too large for a float");
}

bool carom_cases_number(const carom_cases_reader *reader, const carom_json_at *at, double *number) {
    if (at->value == NULL) {
        return carom_json_refuse(at, "is missing");
    }
    return carom_json_take_number(at, CAROM_JSON_ANY, number) && round_number(reader, at, number);
}

bool carom_cases_length(const carom_cases_reader *reader, const carom_json_at *at, const char *name, double *length) {
    const carom_json_at member = carom_json_member(at, name);
    return carom_cases_number(reader, &member, length) &&
           (*length >= 0 || carom_json_refuse(&member, "is not a number from 0 up"));
}

bool carom_cases_vector(const carom_cases_reader *reader, const carom_json_at *at, double vector[3]) {
    if (!carom_json_expect_list(at) || !carom_json_take_vector(at, vector)) {
        return false;
    }
    return round_number(reader, at, &vector[0]) && round_number(reader, at, &vector[1]) &&
           round_number(reader, at, &vector[2]);
}

bool carom_cases_lengths(const carom_cases_reader *reader, const carom_json_at *at, const char *name,
                         double lengths[3]) {
    const carom_json_at member = carom_json_member(at, name);
    if (!carom_cases_vector(reader, &member, lengths)) {
        return false;
    }
    return (lengths[0] >= 0 && lengths[1] >= 0 && lengths[2] >= 0) ||
           carom_json_refuse(&member, "holds a number below 0");
}

bool carom_cases_some_vector(const carom_cases_reader *reader, const carom_json_at *at, const char *name,
                             double vector[3]) {
    const carom_json_at member = carom_json_member(at, name);
    return member.value == NULL || carom_cases_vector(reader, &member, vector);
}

static double length_of(const double turn[4]) {
    return sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]);
}

bool carom_cases_quaternion(const carom_cases_reader *reader, const carom_json_at *at, const char *name, double turn[4],
                            bool *given) {
    const carom_json_at member = carom_json_member(at, name);
    *given = member.value != NULL;
    for (int d = 0; d < 4; ++d) {
        turn[d] = d == 3 ? 1 : 0;
    }
    if (!*given) {
        return true;
    }
    if (json_array_size(member.value) != 4) {
        return carom_json_refuse(&member, "is not a list of four numbers");
    }
    for (size_t d = 0; d < 4; ++d) {
        const carom_json_at element = carom_json_element(&member, d);
        if (!carom_cases_number(reader, &element, &turn[(d + 3) % 4])) {
            return false;
        }
    }
    const double length = length_of(turn);
    return (length >= TURN_LEAST && length <= TURN_MOST) ||
           carom_json_refuse(&member, "has length %.17g, not 0.5 to 2", length);
}

/* For axes below the xy plane a half-turn about x comes first: the sum of the z axis and the axis could be near 0. */
bool carom_cases_turn_to(const double axis[3], double turn[4]) {
    const double most = fmax(fabs(axis[0]), fmax(fabs(axis[1]), fabs(axis[2])));
    if (!(most > 0)) {
        return false;
    }
    const double scaled[3] = {axis[0] / most, axis[1] / most, axis[2] / most};
    const double length = sqrt(scaled[0] * scaled[0] + scaled[1] * scaled[1] + scaled[2] * scaled[2]);
    const double x = scaled[0] / length;
    const double y = scaled[1] / length;
    const double z = scaled[2] / length;
    const bool down = z < 0;
    turn[0] = down ? 1 - z : -y;
    turn[1] = down ? 0 : x;
    turn[2] = down ? x : 0;
    turn[3] = down ? -y : 1 + z;
    const double norm = length_of(turn);
    for (int d = 0; d < 4; ++d) {
        turn[d] /= norm;
    }
    return true;
}

void carom_cases_multiply(const double a[4], const double b[4], double product[4]) {
    product[0] = a[3] * b[0] + b[3] * a[0] + a[1] * b[2] - a[2] * b[1];
    product[1] = a[3] * b[1] + b[3] * a[1] + a[2] * b[0] - a[0] * b[2];
    product[2] = a[3] * b[2] + b[3] * a[2] + a[0] * b[1] - a[1] * b[0];
    product[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

void carom_cases_rotate(const double a[4], const double v[3], double rotated[3]) {
    const double square = a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3];
    const double inverse[4] = {-a[0] / square, -a[1] / square, -a[2] / square, a[3] / square};
    const double pure[4] = {v[0], v[1], v[2], 0};
    double half[4];
    double whole[4];
    carom_cases_multiply(a, pure, half);
    carom_cases_multiply(half, inverse, whole);
    for (int d = 0; d < 3; ++d) {
        rotated[d] = whole[d];
    }
}

void carom_cases_spin(const double from[4], const double to[4], double spin[3]) {
    const double back[4] = {-from[0], -from[1], -from[2], from[3]};
    double between[4];
    carom_cases_multiply(to, back, between);
    const double sign = between[3] < 0 ? -1 : 1;
    const double sine = sqrt(between[0] * between[0] + between[1] * between[1] + between[2] * between[2]);
    const double angle = 2 * atan2(sine, fabs(between[3]));
    for (int d = 0; d < 3; ++d) {
        spin[d] = sine > 0 ? sign * between[d] / sine * angle : 0;
    }
}
