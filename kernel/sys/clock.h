/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#ifndef CAROM_SYS_CLOCK_H
#define CAROM_SYS_CLOCK_H

/* Seconds on a monotonic clock from an arbitrary start. About 25 ns a call. */
double carom_clock_seconds(void);

#endif
