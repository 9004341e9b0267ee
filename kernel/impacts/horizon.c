/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: bodies, first impacts. Out: lengths of windows. */
#include "kernel/impacts/horizon.h"

#include <math.h>

/* Impacts a body that a window should have: in groups of a few bodies hardly any work is done twice, and each window
 * searches for neighbours. */
static const double IMPACTS = 0.25;

/* As many again before a window is cut short. */
static const double TOLERANCE = 2.0;

/* Neighbours of a body, expected from motion alone, from which on a window is halved. */
static const double NEIGHBOURS = 12.0;

/* Windows are not made shorter than this, in steps: all impacts of a moment may be in one. */
static const double LENGTH_LEAST = 0x1p-36;

/* Parts of a window at whose ends it may be cut short. */
enum { PARTS = 64, HALVINGS_MOST = 20 };

/* Mean volume of hulls as a polynomial in the window's length, and the volume of the box around all bodies. */
typedef struct volumes {
    double c[4];
    double all;
} volumes;

static void add_body(volumes *v, const carom_piece *piece, double radius) {
    const double d = 2.0 * radius;
    const double x = fabs(piece->v[0]);
    const double y = fabs(piece->v[1]);
    const double z = fabs(piece->v[2]);
    v->c[0] += d * d * d;
    v->c[1] += d * d * (x + y + z);
    v->c[2] += d * (x * y + y * z + z * x);
    v->c[3] += x * y * z;
}

static volumes volumes_of(const carom_impacts_bodies *bodies) {
    volumes v = {.all = 1.0};
    double lo[3] = {INFINITY, INFINITY, INFINITY};
    double hi[3] = {-INFINITY, -INFINITY, -INFINITY};
    double widest = 0.0;
    for (uint32_t slot = 0; slot < bodies->count; slot++) {
        add_body(&v, &bodies->piece[slot], bodies->body[slot].radius);
        widest = fmax(widest, bodies->body[slot].radius);
        for (int a = 0; a < 3; a++) {
            lo[a] = fmin(lo[a], bodies->piece[slot].x[a]);
            hi[a] = fmax(hi[a], bodies->piece[slot].x[a]);
        }
    }
    for (int a = 0; a < 3; a++) {
        v.all *= hi[a] - lo[a] + 2.0 * widest;
    }
    return v;
}

double carom_horizon_first(const carom_impacts_bodies *bodies) {
    const volumes v = volumes_of(bodies);
    double length = 1.0;
    for (int n = 0; n < HALVINGS_MOST; n++) {
        const double moved = length * (v.c[1] + length * (v.c[2] + length * v.c[3]));
        if (!(8.0 * moved > NEIGHBOURS * v.all)) {
            break;
        }
        length /= 2.0;
    }
    return length;
}

static double most_impacts(const carom_window *window) {
    return TOLERANCE * IMPACTS * window->bodies->count + PARTS;
}

double carom_horizon_end(const carom_window *window, uint32_t workers) {
    uint64_t part[PARTS] = {0};
    const double length = window->end - window->begin;
    if (length <= PARTS * LENGTH_LEAST) {
        return window->end;
    }
    for (uint32_t w = 0; w < workers; w++) {
        const carom_pending *pending = window->worker[w].pending.buffer.data;
        for (uint64_t n = 0; n < window->worker[w].pending.count; n++) {
            const double at = (pending[n].t - window->begin) / length * PARTS;
            part[at < PARTS - 1 ? (int)at : PARTS - 1]++;
        }
    }
    uint64_t impacts = part[0];
    int parts = 1;
    while (parts < PARTS && (double)(impacts + part[parts]) <= most_impacts(window)) {
        impacts += part[parts++];
    }
    return parts == PARTS ? window->end : window->begin + length * parts / PARTS;
}

uint64_t carom_horizon_impacts(const carom_window *window, uint32_t workers) {
    uint64_t impacts = 0;
    for (uint32_t w = 0; w < workers; w++) {
        const carom_pending *pending = window->worker[w].pending.buffer.data;
        for (uint64_t n = 0; n < window->worker[w].pending.count; n++) {
            impacts += pending[n].t < window->end ? 1 : 0;
        }
    }
    return impacts;
}

double carom_horizon_next(const carom_window *window, uint64_t impacts) {
    const double length = window->end - window->begin;
    const double wanted = IMPACTS * window->bodies->count + PARTS;
    const double next = (double)impacts * 2.0 < wanted ? 2.0 * length : length * wanted / (double)impacts;
    return fmax(LENGTH_LEAST, fmin(1.0, next));
}
