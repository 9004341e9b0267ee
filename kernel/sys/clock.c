/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/sys/clock.h"

#include <time.h>

static double seconds_on(clockid_t clock) {
    struct timespec now = {0, 0}; /* stays so if a sandbox refuses the clock of a thread */
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double carom_clock_seconds(void) {
    return seconds_on(CLOCK_MONOTONIC);
}

void carom_core_meter_start(carom_core_meter *meter) {
    meter->since = carom_clock_seconds();
    meter->had = seconds_on(CLOCK_THREAD_CPUTIME_ID);
}

double carom_core_meter_lost(carom_core_meter *meter) {
    const carom_core_meter before = *meter;
    carom_core_meter_start(meter);
    return (meter->since - before.since) - (meter->had - before.had);
}
