/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/broad/sample.h"

#include <math.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "simd/compare.h"

/* One body in this many is sampled, within the limits of the header. */
enum { SAMPLE_SHARE = 16 };
/* At each end of an axis 1/128 of the sample is left out. */
enum { TRIM_DIVISOR = CAROM_SAMPLE_TRIMMED_LEAST, TRIM_MOST = CAROM_SAMPLE_MAX / TRIM_DIVISOR };

uint32_t carom_sample_size(uint64_t count) {
    uint64_t size = count / SAMPLE_SHARE;
    size = size > CAROM_SAMPLE_LEAST ? size : CAROM_SAMPLE_LEAST;
    size = size < CAROM_SAMPLE_MAX ? size : CAROM_SAMPLE_MAX;
    return (uint32_t)(size < count ? size : count);
}

/* The (trim + 1)-th smallest of sign * value. Keeps the trim + 1 smallest in order: trim is at most 4. */
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

static inline double clamp(double x, double lo, double hi) {
    return carom_lesser(carom_greater(x, lo), hi);
}

/* Sums are made in this many parts, so that no addition waits for the one before it. */
enum { PARTS = 8 };

static double sum_of(const double part[PARTS]) {
    double sum = 0.0;
    for (int p = 0; p < PARTS; p++) {
        sum += part[p];
    }
    return sum;
}

/* Values are scaled before they are summed: their sum could overflow. */
static double clamped_variance(const double *value, uint32_t count, double lo, double hi) {
    const double share = 1.0 / count;
    double means[PARTS] = {0.0};
    double squares[PARTS] = {0.0};
    for (uint32_t n = 0; n < count; n++) {
        means[n % PARTS] += clamp(value[n], lo, hi) * share;
    }
    const double mean = sum_of(means);
    for (uint32_t n = 0; n < count; n++) {
        const double from_mean = clamp(value[n], lo, hi) - mean;
        squares[n % PARTS] += from_mean * from_mean;
    }
    return sum_of(squares) * share;
}

static double mean_of(const double *value, uint32_t count) {
    double part[PARTS] = {0.0};
    for (uint32_t n = 0; n < count; n++) {
        part[n % PARTS] += value[n];
    }
    return sum_of(part) / count;
}

void carom_sample_statistics(const carom_sample *sample, carom_axis_statistics statistics[3]) {
    CAROM_ASSERT(sample->count >= 1 && sample->count <= CAROM_SAMPLE_MAX);
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
    return carom_greater(carom_greater(sample->extent[0][n], sample->extent[1][n]), sample->extent[2][n]);
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

/* Sampled boxes that are compared with one another: at most 8,128 pairs. */
enum { PAIRED_MOST = 128 };

static uint32_t paired_count(const carom_sample *sample) {
    return sample->count < PAIRED_MOST ? sample->count : PAIRED_MOST;
}

double carom_sample_median(const carom_sample *sample) {
    CAROM_ASSERT(sample->count >= 1);
    double side[PAIRED_MOST]; /* in order */
    const uint32_t count = paired_count(sample);
    for (uint32_t n = 0; n < count; n++) {
        const double x = widest_side(sample, n);
        uint32_t at = n;
        for (; at > 0 && x < side[at - 1]; at--) {
            side[at] = side[at - 1];
        }
        side[at] = x;
    }
    return side[count / 2];
}

/* Share of the pairs of bodies that overlap on an axis. */
static double overlap_on(const carom_sample *sample, uint32_t axis) {
    const double *centre = sample->centre[axis];
    const double *extent = sample->extent[axis];
    const uint32_t count = paired_count(sample);
    uint32_t overlaps = 0;
    for (uint32_t i = 1; i < count; i++) {
        for (uint32_t k = 0; k < i; k++) {
            overlaps += fabs(centre[i] - centre[k]) <= 0.5 * (extent[i] + extent[k]);
        }
    }
    return count > 1 ? 2.0 * overlaps / ((double)count * (count - 1)) : 1.0;
}

double carom_sample_reach(const carom_sample *sample, const double length[3], const double cells[3]) {
    const double share[3] = {cells[0] / length[0], cells[1] / length[1], cells[2] / length[2]};
    double sum = 0.0;
    for (uint32_t n = 0; n < sample->count; n++) {
        double reached = 1.0;
        for (int a = 0; a < 3; a++) {
            if (cells[a] > 1.0) {
                reached *= carom_lesser(cells[a], 1.0 + sample->extent[a][n] * share[a]);
            }
        }
        sum += reached;
    }
    return sum / sample->count;
}

/* The range of the sample is cut into this many stretches on each axis, and so into boxes that count bodies. */
enum { STRETCHES = 8 };

/* Pairs of sampled bodies in one box, over the number that an even spread over all boxes would give; 1 or more. */
static double clustering_of(const carom_sample *sample, const carom_axis_statistics statistics[3]) {
    uint16_t bodies[STRETCHES * STRETCHES * STRETCHES];
    double scale[3];
    double boxes = 1.0;
    uint32_t pairs = 0;
    memset(bodies, 0, sizeof bodies);
    for (int a = 0; a < 3; a++) {
        const double length = statistics[a].hi - statistics[a].lo;
        boxes *= length > 0.0 ? STRETCHES : 1.0;
        scale[a] = length > 0.0 ? STRETCHES / length : 0.0;
    }
    for (uint32_t n = 0; n < sample->count; n++) {
        uint32_t at = 0;
        for (int a = 0; a < 3; a++) {
            const double stretch = (sample->centre[a][n] - statistics[a].lo) * scale[a];
            at = at * STRETCHES + (uint32_t)clamp(stretch, 0.0, STRETCHES - 1);
        }
        pairs += bodies[at]++;
    }
    const double all = 0.5 * sample->count * (sample->count - 1.0);
    return all > 0.0 ? carom_greater(1.0, pairs * boxes / all) : 1.0;
}

static uint32_t widest_variance(const carom_axis_statistics statistics[3]) {
    uint32_t axis = 0;
    for (uint32_t a = 1; a < 3; a++) {
        axis = statistics[a].variance > statistics[axis].variance ? a : axis;
    }
    return axis;
}

carom_spread carom_sample_spread(const carom_sample *sample, const carom_axis_statistics statistics[3]) {
    const uint32_t axis = widest_variance(statistics);
    return (carom_spread){axis, overlap_on(sample, axis), clustering_of(sample, statistics)};
}
