/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Numbers of a file of cases, rounded to the precision of the run, and the rotations that they say. Each function that
 * reads returns false, and has said why, if it does not find what it wants. */
#ifndef CAROM_CLI_CASES_NUMBERS_H
#define CAROM_CLI_CASES_NUMBERS_H

#include "kernel/cli/cases.h"
#include "kernel/cli/json_read.h"

/* What reads a file of cases. */
typedef struct carom_cases_reader {
    carom_cases *cases;
    bool narrow; /* all numbers are rounded to float first */
    bool moves;  /* bodies may have a motion */
    uint64_t n;  /* the case that is read */
} carom_cases_reader;

/* A number from 0 up, or > 0; or a vector. It must be there. */
bool carom_cases_length(const carom_cases_reader *reader, const carom_json_at *at, const char *name, double *length);
bool carom_cases_lengths(const carom_cases_reader *reader, const carom_json_at *at, const char *name,
                         double lengths[3]);
bool carom_cases_vector(const carom_cases_reader *reader, const carom_json_at *at, double vector[3]);
bool carom_cases_number(const carom_cases_reader *reader, const carom_json_at *at, double *number);

/* A vector that may be missing: then it stays as it is. */
bool carom_cases_some_vector(const carom_cases_reader *reader, const carom_json_at *at, const char *name,
                             double vector[3]);

/* A quaternion in the order w, x, y, z, into x, y, z, w; *given says whether it is there. If not, it is that of no
 * rotation. */
bool carom_cases_quaternion(const carom_cases_reader *reader, const carom_json_at *at, const char *name, double turn[4],
                            bool *given);

/* A rotation that takes the z axis to `axis`, as a quaternion of length 1. False if axis is 0. */
bool carom_cases_turn_to(const double axis[3], double turn[4]);

/* The rotation b, then a; and what a makes of v. */
void carom_cases_multiply(const double a[4], const double b[4], double product[4]);
void carom_cases_rotate(const double a[4], const double v[3], double rotated[3]);

/* The rotation vector of the shorter way from one rotation to another. */
void carom_cases_spin(const double from[4], const double to[4], double spin[3]);

#endif
