/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Numbers of a scene with shapes. Each function returns false, and has said why, if it does not find what it takes. */
#ifndef CAROM_CLI_SHAPED_NUMBERS_H
#define CAROM_CLI_SHAPED_NUMBERS_H

#include "kernel/cli/json_read.h"

/* A member from 0 up, or three such. */
bool carom_shaped_numbers_length(const carom_json_at *at, const char *name, double *length);
bool carom_shaped_numbers_lengths(const carom_json_at *at, const char *name, double lengths[3]);

/* A value: a vector, or a rotation x, y, z, w of length 0.5 to 2. */
bool carom_shaped_numbers_vector(const carom_json_at *at, double vector[3]);
bool carom_shaped_numbers_turn(const carom_json_at *at, double turn[4]);

#endif
