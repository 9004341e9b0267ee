/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/broad/sample.h"

#include <math.h>
#include <string.h>

/* A body in so many is looked at, within the limits of the header. */
enum { SAMPLE_SHARE = 16 };
/* Share of the sample left out at each end of an axis. */
enum { TRIM_DIVISOR = 128, TRIM_MOST = CAROM_SAMPLE_MAX / TRIM_DIVISOR };

uint32_t carom_sample_size(uint64_t count) {
    uint64_t size = count / SAMPLE_SHARE;
    size = size > CAROM_SAMPLE_LEAST ? size : CAROM_SAMPLE_LEAST;
    size = size < CAROM_SAMPLE_MAX ? size : CAROM_SAMPLE_MAX;
    return (uint32_t)(size < count ? size : count);
}

/* The (trim + 1)-th smallest of sign * value. */
static double trimmed_least(const double *value, uint32_t count, uint32_t trim, double sign) {
    double least[TRIM_MOST + 1] = {0.0};
    uint32_t kept = 0;
    for (uint32_t n = 0; n < count; n++) {
        double x = sign * value[n];
        if (kept > trim && !(x < least[trim])) {
            continue;
        }
        uint32_t at = kept > trim ? trim : kept++;
        for (; at > 0 && x < least[at - 1]; at--) {
            least[at] = least[at - 1];
        }
        least[at] = x;
    }
    return least[trim];
}

static double clamp(double x, double lo, double hi) {
    return fmin(fmax(x, lo), hi);
}

static double clamped_variance(const double *value, uint32_t count, double lo, double hi) {
    double sum = 0.0;
    double squares = 0.0;
    for (uint32_t n = 0; n < count; n++) {
        sum += clamp(value[n], lo, hi) / count;
    }
    for (uint32_t n = 0; n < count; n++) {
        double from_mean = clamp(value[n], lo, hi) - sum;
        squares += from_mean * from_mean;
    }
    return squares / count;
}

static double mean_of(const double *value, uint32_t count) {
    double sum = 0.0;
    for (uint32_t n = 0; n < count; n++) {
        sum += value[n];
    }
    return sum / count;
}

void carom_sample_statistics(const carom_sample *sample, carom_axis_statistics statistics[3]) {
    uint32_t count = sample->count;
    uint32_t trim = count / TRIM_DIVISOR;
    for (int a = 0; a < 3; a++) {
        double lo = trimmed_least(sample->centre[a], count, trim, 1.0);
        double hi = -trimmed_least(sample->centre[a], count, trim, -1.0);
        statistics[a] = (carom_axis_statistics){.lo = lo,
                                                .hi = hi,
                                                .variance = clamped_variance(sample->centre[a], count, lo, hi),
                                                .mean_extent = mean_of(sample->extent[a], count)};
    }
}

static double widest_side(const carom_sample *sample, uint32_t n) {
    return fmax(fmax(sample->extent[0][n], sample->extent[1][n]), sample->extent[2][n]);
}

void carom_sample_extents(const carom_sample *sample, double limit, double extent[3]) {
    double sum[3] = {0.0, 0.0, 0.0};
    uint32_t within = 0;
    for (uint32_t n = 0; n < sample->count; n++) {
        if (widest_side(sample, n) <= limit) {
            within++;
            for (int a = 0; a < 3; a++) {
                sum[a] += sample->extent[a][n];
            }
        }
    }
    for (int a = 0; a < 3; a++) {
        extent[a] = within > 0 ? sum[a] / within : mean_of(sample->extent[a], sample->count);
    }
}

/* Sampled boxes that are compared with one another: the median is found by counting for each how many are less. */
enum { PAIRED_MOST = 128 };

static uint32_t paired_count(const carom_sample *sample) {
    return sample->count < PAIRED_MOST ? sample->count : PAIRED_MOST;
}

double carom_sample_median(const carom_sample *sample) {
    double side[PAIRED_MOST];
    double median = 0.0;
    uint32_t count = paired_count(sample);
    for (uint32_t n = 0; n < count; n++) {
        side[n] = widest_side(sample, n);
    }
    for (uint32_t n = 0; n < count; n++) {
        uint32_t less = 0;
        uint32_t same = 0;
        for (uint32_t m = 0; m < count; m++) {
            less += side[m] < side[n];
            same += side[m] == side[n];
        }
        median = less <= count / 2 && count / 2 < less + same ? side[n] : median;
    }
    return median;
}

double carom_sample_overlap(const carom_sample *sample, uint32_t axis) {
    const double *centre = sample->centre[axis];
    const double *extent = sample->extent[axis];
    uint32_t count = paired_count(sample);
    uint32_t overlaps = 0;
    for (uint32_t i = 1; i < count; i++) {
        for (uint32_t k = 0; k < i; k++) {
            overlaps += fabs(centre[i] - centre[k]) <= 0.5 * (extent[i] + extent[k]);
        }
    }
    return count > 1 ? 2.0 * overlaps / ((double)count * (count - 1)) : 1.0;
}

double carom_sample_reach(const carom_sample *sample, const double length[3], const double cells[3]) {
    double sum = 0.0;
    for (uint32_t n = 0; n < sample->count; n++) {
        double reached = 1.0;
        for (int a = 0; a < 3; a++) {
            if (cells[a] > 1.0) {
                reached *= fmin(cells[a], 1.0 + sample->extent[a][n] * cells[a] / length[a]);
            }
        }
        sum += reached;
    }
    return sum / sample->count;
}

/* Boxes along an axis in which sampled bodies are counted. */
enum { BLOCKS = 8 };

static uint32_t block_of(const carom_axis_statistics *statistics, double x) {
    double length = statistics->hi - statistics->lo;
    double at = length > 0.0 ? (x - statistics->lo) / length * BLOCKS : 0.0;
    return (uint32_t)clamp(at, 0.0, BLOCKS - 1);
}

/* Pairs of the sample in one block, against those of an even spread over all blocks. */
double carom_sample_clustering(const carom_sample *sample, const carom_axis_statistics statistics[3]) {
    uint16_t bodies[BLOCKS * BLOCKS * BLOCKS];
    uint32_t blocks = 1;
    double pairs = 0.0;
    memset(bodies, 0, sizeof bodies);
    for (int a = 0; a < 3; a++) {
        blocks *= statistics[a].hi > statistics[a].lo ? BLOCKS : 1;
    }
    for (uint32_t n = 0; n < sample->count; n++) {
        uint32_t at = 0;
        for (int a = 0; a < 3; a++) {
            at = at * BLOCKS + block_of(&statistics[a], sample->centre[a][n]);
        }
        pairs += bodies[at]++;
    }
    double all = 0.5 * sample->count * (sample->count - 1.0);
    return all > 0.0 ? fmax(1.0, pairs * blocks / all) : 1.0;
}
