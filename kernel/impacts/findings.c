/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: bodies. Out: estimates of their neighbours. */
#include "kernel/impacts/findings.h"

#include <math.h>

#include "kernel/impacts/images.h"
#include "kernel/sys/mix.h"
#include "simd/hull_paths.h"
#include "simd/vector.h"

/* What hulls would meet is seen in pairs of a probe and a target: one for each body, but no more than PAIRS_MOST, so
 * that of 1e6 bodies a pair stands for fifteen neighbours of each. Few bodies may have nearly all neighbours, those
 * that are much faster than others: probes are drawn from one body of CANDIDATES_SHARE, fast ones the more often. */
enum { CANDIDATES_MOST = 4096, CANDIDATES_SHARE = 4, PAIRS_MOST = 65536, TARGETS_MOST = 512 };

/* A body's hull. */
typedef struct hull {
    uint32_t slot;
    float middle[3];
    float half[3];
} hull;

static carom_findings_lattice lattice_of(const carom_periodic *periodic) {
    carom_findings_lattice l = {.repeats = periodic != NULL};
    double dual[3][3] = {{0.0}};
    if (l.repeats) {
        carom_images_dual(periodic, dual);
    }
    for (int e = 0; e < 3; e++) {
        for (int a = 0; a < 3 && l.repeats && periodic->along[e]; a++) {
            l.edge[e][a] = (float)periodic->edge[e][a];
            l.dual[e][a] = (float)dual[e][a];
        }
    }
    return l;
}

/* Target n: the same in every search, spread by a hash. Neighbours in memory, which are neighbours in space, are seldom
 * both drawn. */
static uint32_t target_slot(const carom_window *window, uint32_t n) {
    return (uint32_t)((carom_mix64(n) >> 32) * window->bodies->count >> 32);
}

/* Candidate n of `count`: they lie in memory at equal distances. */
static uint32_t candidate_slot(const carom_window *window, uint32_t n, uint32_t count) {
    return (uint32_t)((uint64_t)n * window->bodies->count / count);
}

/* Speeds of candidates as somebody sees them who goes along with hulls. Returns the mean. */
static float speeds_of(const carom_window *window, uint32_t count, float *speed) {
    float sum = 0.0F;
    for (uint32_t n = 0; n < count; n++) {
        double v[3];
        carom_vector_add(window->bodies->piece[candidate_slot(window, n, count)].v, -1.0, window->hulls->frame.drift,
                         v);
        speed[n] = (float)sqrt(carom_vector_dot(v, v));
        sum += speed[n];
    }
    return sum / (float)count;
}

/* Draws so many of the candidates, each with a chance in proportion to its speed plus the mean speed; all with the same
 * one where speeds are beyond floats. */
static void draw_probes(carom_findings_probes *p, const carom_window *window, uint32_t wanted) {
    const uint32_t bodies = window->bodies->count;
    const uint32_t least = bodies < CAROM_FINDINGS_PROBES ? bodies : CAROM_FINDINGS_PROBES;
    const uint32_t most = bodies / CANDIDATES_SHARE < CANDIDATES_MOST ? bodies / CANDIDATES_SHARE : CANDIDATES_MOST;
    const uint32_t count = most > least ? most : least;
    float speed[CANDIDATES_MOST];
    const float mean = speeds_of(window, count, speed);
    const bool usual = mean > 0.0F && mean < 1e30F;
    const double each = (usual ? 2.0 * (double)mean : 1.0) * count / wanted; /* from draw to draw */
    double until = each / 2.0;
    double at = 0.0;
    p->count = 0;
    for (uint32_t n = 0; n < count; n++) {
        const double share = usual ? (double)speed[n] + (double)mean : 1.0;
        at += share;
        for (; until < at && p->count < wanted; until += each) {
            p->slot[p->count] = candidate_slot(window, n, count);
            p->weight[p->count++] = (float)(each / share * bodies / count);
        }
    }
}

void carom_findings_draw(carom_findings_sample *s, const carom_window *window, uint32_t more) {
    s->lattice = lattice_of(window->bodies->periodic);
    const double bodies = window->bodies->count;
    const double pairs = more * fmin(bodies, PAIRS_MOST);
    draw_probes(&s->probe, window, (uint32_t)fmin(sqrt(pairs), CAROM_FINDINGS_PROBES));
    s->targets = (uint32_t)(pairs / s->probe.count);
    s->from = more * TARGETS_MOST;
}

static hull hull_of(const carom_window *window, const carom_hull_frame *frame, uint32_t slot) {
    const carom_impacts_bodies *bodies = window->bodies;
    const double body[2] = {bodies->body[slot].radius, bodies->body[slot].inverse_mass};
    hull h = {.slot = slot};
    float lo[3];
    float hi[3];
    carom_hull_around(frame, carom_impacts_motion(&bodies->piece[slot]), body, lo, hi);
    for (int a = 0; a < 3; a++) {
        h.middle[a] = lo[a] / 2.0F + hi[a] / 2.0F;
        h.half[a] = hi[a] / 2.0F - lo[a] / 2.0F;
    }
    return h;
}

static void make_probes(carom_findings_sample *s, const carom_window *window, const carom_hull_frame *frame) {
    for (uint32_t n = 0; n < s->probe.count; n++) {
        const hull h = hull_of(window, frame, s->probe.slot[n]);
        s->probe.met[n] = 0.0F;
        for (int a = 0; a < 3; a++) {
            s->probe.middle[a][n] = h.middle[a];
            s->probe.half[a][n] = h.half[a];
        }
    }
}

/* Adds the target to the count of each probe that it meets. */
static void meet(carom_findings_probes *p, const hull *target) {
    for (uint32_t n = 0; n < p->count; n++) {
        bool met = p->slot[n] != target->slot;
        for (int a = 0; a < 3; a++) {
            met = met & (fabsf(p->middle[a][n] - target->middle[a]) <= p->half[a][n] + target->half[a]);
        }
        p->met[n] += met ? 1.0F : 0.0F;
    }
}

/* The nearest whole number, of numbers below 2^22. */
static inline float nearest(float x) {
    const float whole = 0x1.8p23F;
    return (x + whole) - whole;
}

/* The same where space repeats: the image counts that is nearest, more or less, and if it is met as many as the two
 * hulls are edges wide together. */
static void meet_images(carom_findings_probes *p, const hull *of, const carom_findings_lattice *repeated) {
    const hull target = *of; /* the compiler sees that no count is in these */
    const carom_findings_lattice lattice = *repeated;
    for (uint32_t n = 0; n < p->count; n++) {
        float apart[3];
        float reach[3];
        float images = 1.0F;
        for (int a = 0; a < 3; a++) {
            apart[a] = p->middle[a][n] - target.middle[a];
            reach[a] = p->half[a][n] + target.half[a];
        }
        for (int e = 2; e >= 0; e--) {
            const float *dual = lattice.dual[e];
            const float edges = nearest((dual[0] * apart[0] + dual[1] * apart[1]) + dual[2] * apart[2]);
            const float wide = (fabsf(dual[0]) * reach[0] + fabsf(dual[1]) * reach[1]) + fabsf(dual[2]) * reach[2];
            images *= wide > 0.5F ? 2.0F * wide : 1.0F;
            for (int a = 0; a < 3; a++) {
                apart[a] -= edges * lattice.edge[e][a];
            }
        }
        const bool met = (fabsf(apart[0]) <= reach[0]) & (fabsf(apart[1]) <= reach[1]) & (fabsf(apart[2]) <= reach[2]) &
                         (p->slot[n] != target.slot);
        p->met[n] += met ? images : 0.0F;
    }
}

/* Half of the images that are in the box, with sides along the edges, around hulls that begin in the periodic one. */
static double images_in(const carom_findings_probes *p, const carom_findings_lattice *l) {
    double images = 1.0;
    for (int e = 0; e < 3 && l->repeats; e++) {
        const float *dual = l->dual[e];
        float widest = 0.0F;
        for (uint32_t n = 0; n < p->count; n++) {
            const float half =
                (fabsf(dual[0]) * p->half[0][n] + fabsf(dual[1]) * p->half[1][n]) + fabsf(dual[2]) * p->half[2][n];
            widest = fmaxf(widest, 2.0F * half);
        }
        images *= 1.0 + (double)widest;
    }
    return (images - 1.0) / 2.0;
}

/* If hulls are for such a time. Who meets m targets is in m pairs, and in each of them has m - 1 other neighbours. */
carom_findings carom_findings_in(carom_findings_sample *s, const carom_window *window, double length, bool tight) {
    carom_hulls hulls = *window->hulls;
    double bodies = 0.0;
    double pairs = 0.0;
    double others = 0.0;
    hulls.tight = tight;
    carom_hulls_set_time(&hulls, window->bodies, window->begin, window->begin + length);
    make_probes(s, window, &hulls.frame);
    for (uint32_t n = 0; n < s->targets; n++) {
        const hull target = hull_of(window, &hulls.frame, target_slot(window, s->from + n));
        if (s->lattice.repeats) {
            meet_images(&s->probe, &target, &s->lattice);
        } else {
            meet(&s->probe, &target);
        }
    }
    for (uint32_t n = 0; n < s->probe.count; n++) {
        const double weight = (double)s->probe.weight[n];
        const double met = (double)s->probe.met[n];
        bodies += weight;
        pairs += weight * met;
        others += weight * met * fmax(met - 1.0, 0.0);
    }
    const double each = (double)window->bodies->count / s->targets;
    return (carom_findings){pairs * each / bodies, pairs > 0.0 ? others * each / pairs : 0.0,
                            images_in(&s->probe, &s->lattice)};
}
