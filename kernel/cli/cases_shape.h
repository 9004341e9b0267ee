/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* One shape of a file of cases. */
#ifndef CAROM_CLI_CASES_SHAPE_H
#define CAROM_CLI_CASES_SHAPE_H

#include "kernel/cli/cases_numbers.h"

/* Adds how many shapes, points and children it needs at most. Any value will do. */
void carom_cases_shape_count(const json_t *value, uint64_t *shapes, uint64_t *points, uint64_t *children);

/* Reads it: its shape, its place, and its motion if the reader wants it. */
bool carom_cases_shape_read(const carom_cases_reader *reader, const carom_json_at *at, carom_case_body *body);

#endif
