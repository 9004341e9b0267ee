/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The one clock. It measures how long phases take, and whether threads of the pool come late; no result depends on it.
 */
#ifndef CAROM_SYS_CLOCK_H
#define CAROM_SYS_CLOCK_H

/* Seconds on a monotonic clock from an arbitrary start. A call takes about 25 ns. */
double carom_clock_seconds(void);

#endif
