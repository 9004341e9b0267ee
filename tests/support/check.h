/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* cmocka with the headers it needs before it. */
#ifndef CAROM_TESTS_CHECK_H
#define CAROM_TESTS_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
