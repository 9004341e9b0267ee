/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* How good a time of impact is promised to be, for the precision being compiled (CAROM_REAL_BITS). */
#ifndef CAROM_TESTS_PROMISE_H
#define CAROM_TESTS_PROMISE_H

/* t_exact - t <= TIME_BEHIND_MOST t_exact + TIME_BEHIND_STEP: a few steps of the type, and a share of the step. */
static const double TIME_BEHIND_MOST = CAROM_REAL_BITS == 32 ? 0x1p-22 : 0x1p-50;
static const double TIME_BEHIND_STEP = 0;

/* ||p + t v| - R|, relative to |p| + R. |v| t_exact <= |p| + R, so the bound on t is one on this. */
static const double RESIDUAL_MOST = CAROM_REAL_BITS == 32 ? 0x1p-22 : 0x1p-50;

#define CAROM_BITS_TEXT_(bits) #bits
#define CAROM_BITS_TEXT_OF(bits) CAROM_BITS_TEXT_(bits)
#define CAROM_BITS_TEXT CAROM_BITS_TEXT_OF(CAROM_REAL_BITS)

#endif
