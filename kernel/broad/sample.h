/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Statistics of a sample: where a scene lies, how it spreads, how large its boxes are, how it clusters.
 *
 * In: at most 512 bodies, one from each of equal stretches of the index. Out: what the plan needs to know before any
 * pass over all bodies but the survey. Extremes are trimmed, so that a few outliers do not make the scene look large.
 */
#ifndef CAROM_BROAD_SAMPLE_H
#define CAROM_BROAD_SAMPLE_H

#include <stdint.h>

/* Bodies in a sample at most, and at least if the scene has as many. */
enum { CAROM_SAMPLE_MAX = 512, CAROM_SAMPLE_LEAST = 32 };

/* Smaller samples are not trimmed. */
enum { CAROM_SAMPLE_TRIMMED_LEAST = 128 };

/* The sampled bodies' swept boxes, axis by axis, in the caller's unit. */
typedef struct carom_sample {
    uint32_t count;                     /* 1 to CAROM_SAMPLE_MAX */
    double centre[3][CAROM_SAMPLE_MAX]; /* middle of the box, absolute */
    double extent[3][CAROM_SAMPLE_MAX]; /* side of the box */
} carom_sample;

/* What a sample says about one axis. */
typedef struct carom_axis_statistics {
    double lo;          /* range of the box centres without the farthest 1/128 on either side */
    double hi;          /* lo <= hi */
    double variance;    /* of the box centres, with those few moved to lo and hi */
    double mean_extent; /* mean side of a box */
} carom_axis_statistics;

/* How bodies lie together. */
typedef struct carom_spread {
    uint32_t axis;     /* 0, 1 or 2: the one of greatest variance */
    double overlap;    /* share of the pairs, among at most 128 boxes, that overlap on that axis: 0 to 1 */
    double clustering; /* how much likelier two bodies are close than in a uniform scene of the same range: >= 1 */
} carom_spread;

/* How many of `count` bodies to look at. */
uint32_t carom_sample_size(uint64_t count);

/* What the sample says about each axis. sample->count >= 1. */
void carom_sample_statistics(const carom_sample *sample, carom_axis_statistics statistics[3]);

/* Mean extents of the sampled boxes whose widest side is at most `limit`; those of all if there is none. */
void carom_sample_extents(const carom_sample *sample, double limit, double extent[3]);

/* Median of the widest sides of the first 128 boxes at most: the sample's order is as good as random. */
double carom_sample_median(const carom_sample *sample);

/* Mean number of cells that a box reaches, cells[a] of them across length[a] on each axis. */
double carom_sample_reach(const carom_sample *sample, const double length[3], const double cells[3]);

/* What the sample says about all axes together. */
carom_spread carom_sample_spread(const carom_sample *sample, const carom_axis_statistics statistics[3]);

#endif
