/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Floating-point environments in which a host may call: the usual one, subnormals flushed to zero, rounding up. */
#ifndef CAROM_TESTS_MATRIX_FLOAT_ENVIRONMENT_H
#define CAROM_TESTS_MATRIX_FLOAT_ENVIRONMENT_H

#include <stdbool.h>

typedef enum float_environment { FLOAT_USUAL, FLOAT_FLUSH, FLOAT_UP, FLOAT_ENVIRONMENTS } float_environment;

/* "default", "flush", "up". */
extern const char *const float_environment_names[FLOAT_ENVIRONMENTS];

/* Enters it from the usual one on the calling thread. */
void float_environment_enter(float_environment environment);

/* Back to the usual one. False if it was not as it had been entered. */
bool float_environment_leave(float_environment environment);

#endif
