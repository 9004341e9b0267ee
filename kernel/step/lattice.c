/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/step/lattice.h"

#include <math.h>
#include <string.h>

#include "kernel/sys/error.h"

/* A reduced vector no longer than this share of the multiples it is the sum of is what rounding leaves of zero. */
static const double NOISE = 0x1p-40;
/* Volume of a reduced basis over the product of its lengths: at least 0.7 by theory. */
static const double LEAST_FILLING = 0.25;
/* A vector counts as shorter only if its square is less by this share: so that rounding cannot go on for ever. */
static const double SHORTER = 1.0 - 0x1p-30;
/* Every step but the last shortens some vector: far more than lattices that doubles can tell from flat ones need. */
enum { STEPS_MOST = 10000 };

carom_periodic carom_periodic_default(void) {
    return (carom_periodic){.size = sizeof(carom_periodic)};
}

static double dot(const double x[3], const double y[3]) {
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

static void cross(const double x[3], const double y[3], double z[3]) {
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3;
        int c = (a + 2) % 3;
        z[a] = x[b] * y[c] - x[c] * y[b];
    }
}

void carom_lattice_displacement(const carom_lattice *lattice, const double number[3], double displacement[3]) {
    for (int j = 0; j < 3; j++) {
        displacement[j] =
            number[0] * lattice->caller[0][j] + number[1] * lattice->caller[1][j] + number[2] * lattice->caller[2][j];
    }
}

void carom_lattice_numbers(const carom_lattice *lattice, const double reduced[3], double caller[3]) {
    for (int a = 0; a < 3; a++) {
        caller[a] = reduced[0] * lattice->multiple[0][a] + reduced[1] * lattice->multiple[1][a] +
                    reduced[2] * lattice->multiple[2][a];
    }
}

/* Adds multiples of the other vectors to vector b; false, and nothing changed, if that does not make it shorter. */
static bool shorten(carom_lattice *l, uint32_t b, const double times[3]) {
    double multiple[3];
    double edge[3];
    for (int a = 0; a < 3; a++) {
        multiple[a] = l->multiple[b][a];
        for (uint32_t c = 0; c < l->dimensions; c++) {
            multiple[a] += c == b ? 0.0 : times[c] * l->multiple[c][a];
        }
    }
    carom_lattice_displacement(l, multiple, edge);
    if (!(dot(edge, edge) < SHORTER * dot(l->edge[b], l->edge[b]))) {
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
        for (uint32_t c = b; c > 0 && dot(l->edge[c], l->edge[c]) < dot(l->edge[c - 1], l->edge[c - 1]); c--) {
            swap_vectors(l, c, c - 1);
        }
    }
}

/* Brings vector 2 as near as a step can to the plane's point nearest to it, and tries the steps around that one. */
static bool shorten_third(carom_lattice *l) {
    double uu = dot(l->edge[0], l->edge[0]);
    double vv = dot(l->edge[1], l->edge[1]);
    double uv = dot(l->edge[0], l->edge[1]);
    double uw = dot(l->edge[0], l->edge[2]);
    double vw = dot(l->edge[1], l->edge[2]);
    double cosine = uv / uu;
    double area = vv - cosine * uv;
    double v = area > 0.0 ? rint((vw - cosine * uw) / area) : 0.0;
    double u = rint((uw - v * uv) / uu);
    bool shorter = shorten(l, 2, (double[3]){-u, -v, 0.0});
    for (int n = 0; n < 9; n++) {
        shorter |= shorten(l, 2, (double[3]){n % 3 - 1, n / 3 - 1, 0.0});
    }
    return shorter;
}

static bool shorten_any(carom_lattice *l) {
    order_by_length(l);
    if (l->dimensions < 2 || !(dot(l->edge[0], l->edge[0]) > 0.0)) {
        return false;
    }
    double times = rint(dot(l->edge[0], l->edge[1]) / dot(l->edge[0], l->edge[0]));
    return shorten(l, 1, (double[3]){-times, 0.0, 0.0}) || (l->dimensions == 3 && shorten_third(l));
}

/* Unit vectors at right angles to the lattice and to one another, for the axes where space is open. */
static void complete_basis(carom_lattice *l) {
    if (l->dimensions == 1) {
        const double *e = l->edge[0];
        double axis[3] = {0.0, 0.0, 0.0};
        int least = fabs(e[1]) < fabs(e[0]) ? 1 : 0;
        axis[fabs(e[2]) < fabs(e[least]) ? 2 : least] = 1.0;
        cross(e, axis, l->edge[1]);
    }
    if (l->dimensions < 3) {
        cross(l->edge[0], l->edge[1], l->edge[2]);
    }
    for (uint32_t b = l->dimensions; b < 3; b++) {
        double length = sqrt(dot(l->edge[b], l->edge[b]));
        for (int j = 0; j < 3; j++) {
            l->edge[b][j] /= length;
        }
    }
}

/* Returns the volume of the completed basis. */
static double make_dual(carom_lattice *l) {
    double normal[3];
    cross(l->edge[1], l->edge[2], normal);
    double volume = dot(l->edge[0], normal);
    for (int b = 0; b < 3; b++) {
        cross(l->edge[(b + 1) % 3], l->edge[(b + 2) % 3], normal);
        for (int j = 0; j < 3; j++) {
            l->dual[b][j] = normal[j] / volume;
        }
    }
    return fabs(volume);
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
        carom_lattice_numbers(l, times, multiple);
        carom_lattice_displacement(l, multiple, edge);
        least = open ? least : fmin(least, sqrt(dot(edge, edge)));
    }
    return least;
}

static bool is_flat(carom_lattice *l) {
    double product = 1.0;
    for (uint32_t b = 0; b < l->dimensions; b++) {
        double length = sqrt(dot(l->edge[b], l->edge[b]));
        double sum = 0.0;
        for (int a = 0; a < 3; a++) {
            sum += fabs(l->multiple[b][a]) * sqrt(dot(l->caller[a], l->caller[a]));
        }
        if (!(length > NOISE * sum)) {
            return true;
        }
        product *= length;
    }
    complete_basis(l);
    return !(make_dual(l) >= LEAST_FILLING * product);
}

static carom_status take_edges(const carom_periodic *periodic, carom_lattice *l, carom_error *error) {
    memset(l, 0, sizeof *l);
    for (int a = 0; a < 3; a++) {
        for (int j = 0; j < 3 && periodic->along[a]; j++) {
            if (!isfinite(periodic->edge[a][j])) {
                return carom_error_set(error, CAROM_ERROR_ARGUMENT, "periodic: edge %d is not finite", a);
            }
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
    if (periodic->size != sizeof *periodic) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT,
                               "periodic.size is %zu, not %zu: start from carom_periodic_default()", periodic->size,
                               sizeof *periodic);
    }
    carom_status status = take_edges(periodic, lattice, error);
    if (status != CAROM_OK) {
        return status;
    }
    for (int step = 0; step < STEPS_MOST && shorten_any(lattice); step++) {
    }
    if (is_flat(lattice)) {
        static const char *const spanned[] = {"length", "area", "volume"};
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "periodic: the edges span no %s",
                               spanned[lattice->dimensions - 1]);
    }
    lattice->shortest = find_shortest(lattice);
    return CAROM_OK;
}
