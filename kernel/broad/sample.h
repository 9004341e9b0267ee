/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What a few bodies tell about a scene: where it lies, how it spreads, how large its boxes are, how it clusters. */
#ifndef CAROM_BROAD_SAMPLE_H
#define CAROM_BROAD_SAMPLE_H

#include <stdint.h>

enum { CAROM_SAMPLE_MAX = 512, CAROM_SAMPLE_LEAST = 32 };

/* Some bodies of the scene, spread over the index. */
typedef struct carom_sample {
    uint32_t count;
    double centre[3][CAROM_SAMPLE_MAX]; /* of the swept box */
    double extent[3][CAROM_SAMPLE_MAX]; /* of the swept box */
} carom_sample;

/* What a sample says about one axis. */
typedef struct carom_axis_statistics {
    double lo; /* range of the centres, less the farthest few on either side */
    double hi;
    double variance; /* with those few moved to lo and hi */
    double mean_extent;
} carom_axis_statistics;

/* How bodies lie together. */
typedef struct carom_spread {
    uint32_t axis;     /* of the greatest variance */
    double overlap;    /* share of the pairs of boxes, of 128 at most, that overlap on it */
    double clustering; /* how much likelier two are near one another than in a uniform scene of the range: 1 or more */
} carom_spread;

/* How many of `count` bodies to look at. */
uint32_t carom_sample_size(uint64_t count);

/* sample->count >= 1. */
void carom_sample_statistics(const carom_sample *sample, carom_axis_statistics statistics[3]);

/* Mean extents of the sampled boxes whose widest side is at most `limit`; those of all if there is none. */
void carom_sample_extents(const carom_sample *sample, double limit, double extent[3]);

/* Median of the boxes' widest sides, or of some of them: the sample's order is as good as random. */
double carom_sample_median(const carom_sample *sample);

/* Mean number of cells that a box reaches, cells[a] of them across length[a] on each axis. */
double carom_sample_reach(const carom_sample *sample, const double length[3], const double cells[3]);

carom_spread carom_sample_spread(const carom_sample *sample, const carom_axis_statistics statistics[3]);

#endif
