/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The clocks: of the system, and of the time for which a thread has a core. They measure how long phases take, and
 * whether threads of the pool come late; no result depends on them. */
#ifndef CAROM_SYS_CLOCK_H
#define CAROM_SYS_CLOCK_H

/* Seconds on a monotonic clock from an arbitrary start. A call takes about 25 ns. */
double carom_clock_seconds(void);

/* How long a thread that means to run is without a core. */
typedef struct carom_core_meter {
    double since; /* on the clock */
    double had;   /* seconds for which the thread had had a core then */
} carom_core_meter;

/* Starts to measure the calling thread, anew after it slept because it wanted to. Takes about 0.5 microseconds. */
void carom_core_meter_start(carom_core_meter *meter);

/* Seconds since the start in which the calling thread had no core; starts anew. All of them where the system does not
 * tell. Takes about 0.5 microseconds. */
double carom_core_meter_lost(carom_core_meter *meter);

#endif
