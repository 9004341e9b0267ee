/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/periodic/lattice.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/periodic/lattice_exact.h"
#include "kernel/sys/error.h"

/* A sum of edges no longer than this share of its terms is taken exactly: of a rounded one too few digits are left. */
static const double CANCELLED = 0x1p-20;
/* Of an edge, far more than rounding can do to the place of a body that is up to CAROM_WRAP_MOST edges away. */
static const double SPARE = 1e-4;
/* Doubles hold every whole number up to this one. */
static const double WHOLE_MOST = 0x1p53;
/* Volume of a reduced basis over the product of its lengths: at least 0.7 by theory. */
static const double LEAST_FILLING = 0.25;
/* A vector counts as shorter only if its square is less by this share: so that rounding cannot go on for ever. */
static const double SHORTER = 1.0 - 0x1p-30;
/* Vectors with their largest component in between are multiplied as they are: the product of four, of which the least
 * digits must count, is in the range of doubles. */
static const double ORDINARY_LEAST = 0x1p-200;
static const double ORDINARY_MOST = 0x1p200;
/* Every step but the last shortens some vector: far more than lattices that doubles can tell from flat ones need. */
enum { STEPS_MOST = 10000 };

static double dot(const double x[3], const double y[3]) {
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

/* The largest component's size. */
static double largest_of(const double x[3]) {
    double largest = 0.0;
    for (int j = 0; j < 3; j++) {
        largest = fabs(x[j]) > largest ? fabs(x[j]) : largest;
    }
    return largest;
}

/* The power of two below which all components are, or 0 if they are in the ordinary range. */
static int exponent_of(const double x[3]) {
    double largest = largest_of(x);
    int exponent = 0;
    if (largest < ORDINARY_LEAST || largest > ORDINARY_MOST) {
        frexp(largest, &exponent);
    }
    return exponent;
}

/* x 2^-exponent. Products are only made of vectors so scaled: those of short or long edges would be zero or infinite.
 * Rounds nothing but what is too small beside 2^exponent to count. */
static void scale(const double x[3], int exponent, double scaled[3]) {
    for (int j = 0; j < 3; j++) {
        scaled[j] = exponent == 0 ? x[j] : ldexp(x[j], -exponent);
    }
}

static double length_of(const double x[3]) {
    int exponent = exponent_of(x);
    double scaled[3];
    scale(x, exponent, scaled);
    double length = sqrt(dot(scaled, scaled));
    return exponent == 0 ? length : ldexp(length, exponent);
}

/* Whether the square of x is less than `share` of that of y. */
static bool is_shorter(const double x[3], const double y[3], double share) {
    int exponent = exponent_of(y);
    double scaled[2][3];
    scale(x, exponent, scaled[0]);
    scale(y, exponent, scaled[1]);
    return dot(scaled[0], scaled[0]) < share * dot(scaled[1], scaled[1]);
}

static void cross(const double x[3], const double y[3], double z[3]) {
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3;
        int c = (a + 2) % 3;
        z[a] = x[b] * y[c] - x[c] * y[b];
    }
}

/* sum over a of number[a] caller[a], each step rounded. */
static void sum_rounded(const carom_lattice *l, const double number[3], double sum[3]) {
    for (int j = 0; j < 3; j++) {
        sum[j] = number[0] * l->caller[0][j] + number[1] * l->caller[1][j] + number[2] * l->caller[2][j];
    }
}

/* The same, rounded once. */
static void sum_exactly(const carom_lattice *l, const double number[3], double sum[3]) {
    for (int j = 0; j < 3; j++) {
        const double component[3] = {l->caller[0][j], l->caller[1][j], l->caller[2][j]};
        bool exact;
        sum[j] = carom_lattice_exact_sum(number, component, &exact);
    }
}

void carom_lattice_displacement(const carom_lattice *lattice, const double number[3], double displacement[3]) {
    CAROM_ASSERT(number[0] == rint(number[0]) && number[1] == rint(number[1]) && number[2] == rint(number[2]));
    if (lattice->cancels) {
        sum_exactly(lattice, number, displacement);
    } else {
        sum_rounded(lattice, number, displacement);
    }
}

/* Whether these multiples of the caller's edges nearly cancel in their sum. */
static bool is_cancelled(const carom_lattice *l, const double multiple[3], const double sum[3]) {
    double terms = 0.0;
    for (int a = 0; a < 3; a++) {
        terms += fabs(multiple[a]) * largest_of(l->caller[a]);
    }
    return !(largest_of(sum) > CANCELLED * terms);
}

bool carom_lattice_is_inside(const carom_lattice *lattice, const double body[7]) {
    bool inside = true;
    for (uint32_t b = 0; b < lattice->dimensions; b++) {
        double middle = 0.0;
        double half = SPARE;
        for (int j = 0; j < 3; j++) {
            const double dual = lattice->dual[b][j];
            middle += dual * (0.5 * body[j] + 0.5 * body[j + 3]);
            half += fabs(dual) * (0.5 * fabs(body[j + 3] - body[j]) + body[6]);
        }
        inside = inside && middle - half > 0.0 && middle + half < 1.0;
    }
    return inside;
}

void carom_lattice_round(const carom_lattice *lattice, const double displacement[3], double reduced[3]) {
    for (uint32_t b = 0; b < 3; b++) {
        double along = 0.0;
        for (int j = 0; j < 3; j++) {
            along += lattice->dual[b][j] * displacement[j];
        }
        reduced[b] = b < lattice->dimensions ? floor(along + 0.5) : 0.0;
    }
}

void carom_lattice_nearest(const carom_lattice *lattice, const double displacement[3], double nearest[3]) {
    double reduced[3];
    double number[3];
    carom_lattice_round(lattice, displacement, reduced);
    carom_lattice_numbers(lattice, reduced, number);
    if (!isfinite(number[0]) || !isfinite(number[1]) || !isfinite(number[2])) {
        memset(number, 0, sizeof number);
    }
    carom_lattice_displacement(lattice, number, nearest);
}

/* The multiples of vector b with `times` the other vectors added. False if doubles do not hold them. */
static bool add_multiples(const carom_lattice *l, const double times[3], double multiple[3]) {
    bool held = isfinite(times[0]) && isfinite(times[1]) && isfinite(times[2]);
    for (int a = 0; a < 3 && held; a++) {
        double size = 0.0;
        multiple[a] = 0.0;
        for (uint32_t c = 0; c < l->dimensions; c++) {
            multiple[a] += times[c] * l->multiple[c][a];
            size += fabs(times[c] * l->multiple[c][a]);
        }
        if (!(size <= WHOLE_MOST)) {
            const double component[3] = {l->multiple[0][a], l->multiple[1][a], l->multiple[2][a]};
            multiple[a] = carom_lattice_exact_sum(times, component, &held);
        }
    }
    return held;
}

/* The sum of these multiples, exact where rounding would count. */
static void sum_multiples(const carom_lattice *l, const double multiple[3], double edge[3]) {
    sum_rounded(l, multiple, edge);
    if (is_cancelled(l, multiple, edge)) {
        sum_exactly(l, multiple, edge);
    }
}

/* sum over b of times[b] edge[b], for a reduced basis or a rough answer: there little cancels. */
static void sum_reduced(const carom_lattice *l, const double times[3], double edge[3]) {
    for (int j = 0; j < 3; j++) {
        edge[j] = 0.0;
        for (uint32_t b = 0; b < l->dimensions; b++) {
            edge[j] += times[b] * l->edge[b][j];
        }
    }
}

/* Makes vector b the sum of `times` the vectors, times[b] being 1. False, and nothing changed, if that is not shorter,
 * or if doubles do not hold its multiples: then *lost is set. */
static bool shorten(carom_lattice *l, uint32_t b, const double times[3], bool *lost) {
    double multiple[3];
    double edge[3];
    const bool held = add_multiples(l, times, multiple);
    if (held) {
        sum_multiples(l, multiple, edge);
    } else {
        sum_reduced(l, times, edge);
    }
    const bool shorter = is_shorter(edge, l->edge[b], SHORTER);
    *lost |= shorter && !held;
    if (!shorter || !held) {
        return false;
    }
    memcpy(l->multiple[b], multiple, sizeof multiple);
    memcpy(l->edge[b], edge, sizeof edge);
    return true;
}

static void swap_vectors(carom_lattice *l, uint32_t b, uint32_t c) {
    for (int a = 0; a < 3; a++) {
        double edge = l->edge[b][a];
        double multiple = l->multiple[b][a];
        l->edge[b][a] = l->edge[c][a];
        l->multiple[b][a] = l->multiple[c][a];
        l->edge[c][a] = edge;
        l->multiple[c][a] = multiple;
    }
}

static void order_by_length(carom_lattice *l) {
    for (uint32_t b = 1; b < l->dimensions; b++) {
        for (uint32_t c = b; c > 0 && is_shorter(l->edge[c], l->edge[c - 1], 1.0); c--) {
            swap_vectors(l, c, c - 1);
        }
    }
}

/* The basis, each vector scaled by a power of two of its own. */
typedef struct scaled_basis {
    double edge[3][3];
    int exponent[3];
} scaled_basis;

static scaled_basis scale_basis(const carom_lattice *l) {
    scaled_basis s;
    for (int b = 0; b < 3; b++) {
        s.exponent[b] = exponent_of(l->edge[b]);
        scale(l->edge[b], s.exponent[b], s.edge[b]);
    }
    return s;
}

/* Brings vector 2 as near as a step can to the plane's point nearest to it, and tries the steps around that one. */
static bool shorten_third(carom_lattice *l, bool *lost) {
    scaled_basis s = scale_basis(l);
    double uu = dot(s.edge[0], s.edge[0]);
    double vv = dot(s.edge[1], s.edge[1]);
    double uv = dot(s.edge[0], s.edge[1]);
    double uw = dot(s.edge[0], s.edge[2]);
    double vw = dot(s.edge[1], s.edge[2]);
    double cosine = uv / uu;
    double area = vv - cosine * uv;
    int above = s.exponent[2] - s.exponent[1];
    double v = area > 0.0 ? rint(ldexp((vw - cosine * uw) / area, above)) : 0.0;
    double u = rint(ldexp((uw - ldexp(v, -above) * uv) / uu, s.exponent[2] - s.exponent[0]));
    bool shorter = shorten(l, 2, (double[3]){-u, -v, 1.0}, lost);
    for (int n = 0; n < 9; n++) {
        shorter |= shorten(l, 2, (double[3]){n % 3 - 1, n / 3 - 1, 1.0}, lost);
    }
    return shorter;
}

/* One step of the reduction; false if nothing became shorter. *lost: because doubles do not hold some multiple. */
static bool shorten_any(carom_lattice *l, bool *lost) {
    *lost = false;
    order_by_length(l);
    if (l->dimensions < 2 || !(length_of(l->edge[0]) > 0.0)) {
        return false;
    }
    scaled_basis s = scale_basis(l);
    double times = dot(s.edge[0], s.edge[1]) / dot(s.edge[0], s.edge[0]);
    times = rint(ldexp(times, s.exponent[1] - s.exponent[0]));
    return shorten(l, 1, (double[3]){-times, 1.0, 0.0}, lost) || (l->dimensions == 3 && shorten_third(l, lost));
}

/* Unit vectors at right angles to the lattice and to one another, for the axes where space is open. */
static void complete_basis(carom_lattice *l) {
    scaled_basis s = scale_basis(l);
    if (l->dimensions == 1) {
        const double *e = s.edge[0];
        double axis[3] = {0.0, 0.0, 0.0};
        int least = fabs(e[1]) < fabs(e[0]) ? 1 : 0;
        axis[fabs(e[2]) < fabs(e[least]) ? 2 : least] = 1.0;
        cross(e, axis, s.edge[1]);
    }
    if (l->dimensions < 3) {
        cross(s.edge[0], s.edge[1], s.edge[2]);
    }
    for (uint32_t b = l->dimensions; b < 3; b++) {
        double length = sqrt(dot(s.edge[b], s.edge[b]));
        for (int j = 0; j < 3; j++) {
            l->edge[b][j] = s.edge[b][j] / length;
        }
    }
}

/* Returns the volume of the completed basis over the product of its lengths. */
static double make_dual(carom_lattice *l) {
    scaled_basis s = scale_basis(l);
    double normal[3];
    cross(s.edge[1], s.edge[2], normal);
    double volume = dot(s.edge[0], normal);
    double filling = fabs(volume);
    for (int b = 0; b < 3; b++) {
        cross(s.edge[(b + 1) % 3], s.edge[(b + 2) % 3], normal);
        for (int j = 0; j < 3; j++) {
            l->dual[b][j] = ldexp(normal[j] / volume, -s.exponent[b]);
        }
        filling /= sqrt(dot(s.edge[b], s.edge[b]));
    }
    return filling;
}

/* Of a reduced basis the shortest vector is among the sums of its vectors with factors -1, 0 and 1. */
static double find_shortest(const carom_lattice *l) {
    double least = INFINITY;
    for (int n = 1; n <= 13; n++) {
        double times[3] = {(n + 13) % 3 - 1, (n + 13) / 3 % 3 - 1, (n + 13) / 9 - 1};
        double multiple[3];
        double edge[3];
        bool open = false;
        for (uint32_t b = l->dimensions; b < 3; b++) {
            open |= times[b] != 0.0;
        }
        if (l->cancels) {
            sum_reduced(l, times, edge);
        } else {
            carom_lattice_numbers(l, times, multiple);
            sum_rounded(l, multiple, edge);
        }
        least = open ? least : fmin(least, length_of(edge));
    }
    return least;
}

/* Brings the edges to a reduced basis, with its dual; false if doubles do not hold one. */
static bool reduce(carom_lattice *l) {
    bool lost = false;
    for (int step = 0; step < STEPS_MOST && shorten_any(l, &lost); step++) {
    }
    for (uint32_t b = 0; b < l->dimensions; b++) {
        l->cancels |= is_cancelled(l, l->multiple[b], l->edge[b]);
    }
    for (uint32_t b = 0; b < l->dimensions && l->cancels; b++) {
        sum_exactly(l, l->multiple[b], l->edge[b]);
    }
    complete_basis(l);
    return make_dual(l) >= LEAST_FILLING && !lost;
}

static carom_status take_edges(const carom_periodic *periodic, carom_lattice *l, carom_error *error) {
    memset(l, 0, sizeof *l);
    for (int a = 0; a < 3; a++) {
        if (periodic->along[a] && !isfinite(length_of(periodic->edge[a]))) {
            return carom_error_set(error, CAROM_ERROR_ARGUMENT, "periodic: the length of edge %d is not finite", a);
        }
        for (int j = 0; j < 3 && periodic->along[a]; j++) {
            l->caller[a][j] = periodic->edge[a][j];
            l->edge[l->dimensions][j] = periodic->edge[a][j];
        }
        if (periodic->along[a]) {
            l->multiple[l->dimensions][a] = 1.0;
            l->dimensions++;
        }
    }
    if (l->dimensions == 0) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT,
                               "periodic: along is false for all three axes; give at least one or no periodic at all");
    }
    return CAROM_OK;
}

carom_status carom_lattice_make(const carom_periodic *periodic, carom_lattice *lattice, carom_error *error) {
    carom_status status = take_edges(periodic, lattice, error);
    if (status != CAROM_OK) {
        return status;
    }
    if (!carom_lattice_exact_independent((const double(*)[3])lattice->edge, lattice->dimensions)) {
        static const char *const spanned[] = {"length", "area", "volume"};
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "periodic: the edges span no %s",
                               spanned[lattice->dimensions - 1]);
    }
    if (!reduce(lattice)) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT,
                               "periodic: doubles do not hold the multiples of the edges that make the shortest basis");
    }
    lattice->shortest = find_shortest(lattice);
    if (lattice->shortest < DBL_MIN) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT,
                               "periodic: space repeats after %g, which is less than the least normal number, %g",
                               lattice->shortest, DBL_MIN);
    }
    return CAROM_OK;
}
