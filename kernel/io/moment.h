/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What writers are given of a run: bodies at one time, and impacts. Arrays belong to the caller. */
#ifndef CAROM_IO_MOMENT_H
#define CAROM_IO_MOMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/step.h"

/* Bodies at one time. The arrays of reals are all of doubles, or all of floats. */
typedef struct carom_moment {
    uint64_t step;           /* steps since the start of the run */
    double time;             /* since the start of the run, in units of time */
    uint64_t count;          /* bodies */
    bool wide;               /* arrays of double; else of float */
    const uint64_t *id;      /* of each body; NULL: 0, 1, ... */
    const void *position[3]; /* count values an axis, in units of length */
    const void *velocity[3]; /* the same, in units of length over time */
    const void *radius;      /* count values */
    const void *mass;        /* count values; infinity is allowed */
    /* The box in which space repeats, NULL: open space; and its corner. */
    const carom_periodic *periodic;
    double corner[3];
} carom_moment;

/* An impact as files have it. */
typedef struct carom_impact_row {
    uint64_t step;    /* in which it happened: the first is 0 */
    double t;         /* since the start of the run, in units of time */
    uint64_t i;       /* id of the lower body */
    uint64_t k;       /* id of the higher body, if surface is CAROM_EVENT_NO_SURFACE */
    uint32_t surface; /* index of the surface, or CAROM_EVENT_NO_SURFACE */
    double point[3];
    double normal[3]; /* from k, or from the surface, to i */
    double impulse;
} carom_impact_row;

/* Value n of one of a moment's arrays of reals. */
static inline double carom_moment_real(const carom_moment *moment, const void *array, uint64_t n) {
    return moment->wide ? ((const double *)array)[n] : (double)((const float *)array)[n];
}

/* Digits that read back to the same bits. */
static inline int carom_moment_digits(const carom_moment *moment) {
    return moment->wide ? 17 : 9;
}

static inline uint64_t carom_moment_id(const carom_moment *moment, uint64_t n) {
    return moment->id != NULL ? moment->id[n] : n;
}

#endif
