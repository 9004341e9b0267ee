/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: bodies, first impacts. Out: lengths of windows. */
#include "kernel/impacts/horizon.h"

#include <math.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/impacts/pending.h"
#include "simd/vector.h"

/* Impacts a body between two searches for neighbours. */
static const double IMPACTS = 0.4;

/* Impacts a body in a window: few enough that most groups have two bodies. */
static const double WINDOW_IMPACTS = 0.03;

/* Impacts a body, on the average, in the moment when a step begins from which on it pays to search anew after them. */
static const double MOMENT_IMPACTS = 0.25;

/* Members of the largest group from which on windows become shorter, and below which they become longer. */
enum { GROUP_MOST = 1024, GROUP_LEAST = 256 };
static const double SHARE_LEAST = 0x1p-10;

/* Neighbours of a body, expected from motion alone, from which on the first time to search for is halved. */
static const double NEIGHBOURS = 12.0;

/* Neighbours of a body, expected before a world's step, from which on a search is for a shorter time. */
static const double NEIGHBOURS_MANY = 32.0;

/* Nothing is made shorter than this, in steps: all impacts of a moment may be in one window. */
static const double LENGTH_LEAST = 0x1p-36;

/* Of a step, to find the first time to search for. */
enum { HALVINGS_MOST = 20 };

/* Bodies that are looked at before each step. */
enum { SAMPLE = 1024 };

/* Volume of all hulls as a polynomial in the time that they are for, and the volume in which bodies are. */
typedef struct volumes {
    double c[4];
    double all;
} volumes;

static void add_body(volumes *v, const carom_piece *piece, const double drift[3], double radius) {
    const double d = 2.0 * radius;
    const double x = fabs(piece->v[0] - drift[0]);
    const double y = fabs(piece->v[1] - drift[1]);
    const double z = fabs(piece->v[2] - drift[2]);
    v->c[0] += d * d * d;
    v->c[1] += d * d * (x + y + z);
    v->c[2] += d * (x * y + y * z + z * x);
    v->c[3] += x * y * z;
}

/* Whether space repeats along all edges: then its volume says how dense bodies are on the average. */
static bool repeats(const carom_periodic *periodic) {
    return periodic != NULL && periodic->along[0] && periodic->along[1] && periodic->along[2];
}

/* Of every `stride`-th body, as if those in between were like it. */
static volumes volumes_of(const carom_window *window, uint32_t stride) {
    const carom_impacts_bodies *bodies = window->bodies;
    volumes v = {.all = 1.0};
    double lo[3] = {INFINITY, INFINITY, INFINITY};
    double hi[3] = {-INFINITY, -INFINITY, -INFINITY};
    double widest = 0.0;
    for (uint64_t slot = 0; slot < bodies->count; slot += stride) {
        add_body(&v, &bodies->piece[slot], window->hulls->frame.drift, bodies->body[slot].radius);
        widest = fmax(widest, bodies->body[slot].radius);
        for (int a = 0; a < 3; a++) {
            lo[a] = fmin(lo[a], bodies->piece[slot].x[a]);
            hi[a] = fmax(hi[a], bodies->piece[slot].x[a]);
        }
    }
    for (int n = 0; n < 4; n++) {
        v.c[n] *= stride;
    }
    for (int a = 0; a < 3; a++) {
        v.all *= hi[a] - lo[a] + 2.0 * widest;
    }
    if (repeats(bodies->periodic)) { /* bodies may be many edges apart, and still be neighbours */
        double across[3];
        carom_vector_cross(bodies->periodic->edge[1], bodies->periodic->edge[2], across);
        v.all = fmin(v.all, fabs(carom_vector_dot(bodies->periodic->edge[0], across)));
    }
    return v;
}

/* Neighbours of a body that motion gives it in such a time, on the average. */
static double neighbours_in(const volumes *v, double length) {
    return 8.0 * (length * (v->c[1] + length * (v->c[2] + length * v->c[3]))) / v->all;
}

static double first_of(const volumes *v) {
    double length = 1.0;
    for (int n = 0; n < HALVINGS_MOST && neighbours_in(v, length) > NEIGHBOURS; n++) {
        length /= 2.0;
    }
    return length;
}

double carom_horizon_first(const carom_window *window) {
    const volumes v = volumes_of(window, 1);
    return first_of(&v);
}

double carom_horizon_start(const carom_window *window, double length) {
    if (window->bodies->periodic == NULL) {
        return length;
    }
    const volumes v = volumes_of(window, window->bodies->count / SAMPLE + 1);
    const bool many = neighbours_in(&v, length) > NEIGHBOURS_MANY;
    return many ? fmin(length, 2.0 * first_of(&v)) : length;
}

typedef struct count {
    const carom_window *window;
    double length; /* of the time until the next search, or until what is set aside */
} count;

/* The part in which an impact is. */
static inline int part_of(const count *c, double scale, double t) {
    const double at = (t - c->window->begin) * scale;
    CAROM_ASSERT(at >= 0.0);
    return at < CAROM_HORIZON_PARTS - 1 ? (int)at : CAROM_HORIZON_PARTS - 1;
}

/* Counts a worker's pending impacts in each part. Of two that follow each other each has a count of its own: one count
 * would wait for the other to be stored. */
static void count_task(void *data, uint32_t worker) {
    const count *c = data;
    carom_impacts_worker *own = &c->window->worker[worker];
    const carom_pending *pending = own->pending.buffer.data;
    const double scale = CAROM_HORIZON_PARTS / c->length;
    uint32_t other[CAROM_HORIZON_PARTS] = {0};
    memset(own->part, 0, sizeof own->part);
    uint64_t n = 0;
    for (; n + 1 < own->pending.count; n += 2) {
        own->part[part_of(c, scale, pending[n].t)]++;
        other[part_of(c, scale, pending[n + 1].t)]++;
    }
    if (n < own->pending.count) {
        own->part[part_of(c, scale, pending[n].t)]++;
    }
    for (int part = 0; part < CAROM_HORIZON_PARTS; part++) {
        own->part[part] += other[part];
    }
}

static uint64_t impacts_in(const carom_window *window, uint32_t workers, int part) {
    uint64_t impacts = 0;
    for (uint32_t w = 0; w < workers; w++) {
        impacts += window->worker[w].part[part];
    }
    return impacts;
}

double carom_horizon_share(double share, uint64_t largest) {
    if (largest > GROUP_MOST) {
        return fmax(share / 2.0, SHARE_LEAST);
    }
    return largest < GROUP_LEAST ? fmin(2.0 * share, 1.0) : share;
}

double carom_horizon_end(const carom_window *window, const carom_team *team, double share) {
    const double until = fmin(window->hulls->until, window->soon);
    count c = {window, until - window->begin};
    const uint64_t pending = carom_pending_count(window, team);
    const double most = share * (WINDOW_IMPACTS * window->bodies->count + CAROM_HORIZON_PARTS);
    if (c.length <= CAROM_HORIZON_PARTS * LENGTH_LEAST || (double)pending <= most) {
        return until;
    }
    carom_team_run_over(team, pending, count_task, &c);
    uint64_t impacts = impacts_in(window, team->workers, 0);
    int parts = 1;
    while (parts < CAROM_HORIZON_PARTS && (double)(impacts + impacts_in(window, team->workers, parts)) <= most) {
        impacts += impacts_in(window, team->workers, parts++);
    }
    return parts == CAROM_HORIZON_PARTS ? until : window->begin + c.length * parts / CAROM_HORIZON_PARTS;
}

static void count_at_once(void *data, uint32_t worker) {
    const count *c = data;
    carom_impacts_worker *own = &c->window->worker[worker];
    const carom_pending *pending = own->pending.buffer.data;
    own->part[0] = 0;
    for (uint64_t n = 0; n < own->pending.count; n++) {
        own->part[0] += pending[n].t <= c->window->begin ? 1 : 0;
    }
}

double carom_horizon_moment(const carom_window *window, const carom_team *team, uint64_t many) {
    count c = {window, 0.0};
    const double least = many > 0 ? (double)many : MOMENT_IMPACTS * window->bodies->count + CAROM_HORIZON_PARTS;
    const uint64_t pending = carom_pending_count(window, team);
    if (!((double)pending >= least)) {
        return window->hulls->until;
    }
    carom_team_run_over(team, pending, count_at_once, &c);
    return (double)impacts_in(window, team->workers, 0) >= least
               ? fmin(window->hulls->until, window->begin + LENGTH_LEAST)
               : window->hulls->until;
}

/* Parts of `length` from the window's beginning on, before there are more than so many impacts. */
static int parts_before(const carom_window *window, const carom_team *team, double length, double most) {
    count c = {window, length};
    carom_team_run_over(team, carom_pending_count(window, team), count_task, &c);
    uint64_t impacts = 0;
    int parts = 0;
    while (parts < CAROM_HORIZON_PARTS && (double)(impacts + impacts_in(window, team->workers, parts)) <= most) {
        impacts += impacts_in(window, team->workers, parts++);
    }
    return parts;
}

/* Many impacts may be in a short part of the time, as where swarms meet: if there are too many in the first part, that
 * is divided again, but only once. */
double carom_horizon_before(const carom_window *window, const carom_team *team, double most) {
    const double length = window->hulls->until - window->begin;
    const double part = length / CAROM_HORIZON_PARTS;
    int parts = parts_before(window, team, length, most);
    if (parts == CAROM_HORIZON_PARTS || part < CAROM_HORIZON_PARTS * LENGTH_LEAST) {
        return window->hulls->until;
    }
    if (parts > 0) {
        return window->begin + part * parts;
    }
    parts = parts_before(window, team, part, most);
    return window->begin + part * (parts > 0 ? parts : 1) / CAROM_HORIZON_PARTS;
}

double carom_horizon_after_moment(const carom_window *window, double length) {
    return repeats(window->bodies->periodic) ? fmin(length, carom_horizon_first(window)) : length;
}

/* Of the last search. */
static double last_length(const carom_window *window) {
    return window->hulls->until - fmax(0.0, window->hulls->frame.begin);
}

/* Until there are as many impacts as a search should be for. */
static double reach_of(const carom_window *window, double impacts) {
    return last_length(window) * (IMPACTS * window->bodies->count + CAROM_HORIZON_PARTS) / impacts;
}

/* One more than there were: where none were, nothing says that there will be none. */
double carom_horizon_reach(const carom_window *window, uint64_t impacts) {
    return reach_of(window, (double)impacts + 1.0);
}

double carom_horizon_impacts(double reach, double length) {
    return IMPACTS / (reach > 0.0 ? reach : length);
}

double carom_horizon_next(const carom_window *window, uint64_t impacts) {
    const double next =
        impacts > 0 ? fmin(2.0 * last_length(window), reach_of(window, (double)impacts)) : 2.0 * last_length(window);
    return fmax(LENGTH_LEAST, fmin(1.0, next));
}
