/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: pieces. Out: boxes in float that hold them. */
#include "kernel/impacts/hulls.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "simd/hull_paths.h"
#include "simd/vector.h"

/* A hull's room beyond the path on all sides, over the length of the path, and over that of a path at the typical
 * speed. After an impact a body is likely to stay in it. */
static const double OWN_ROOM = 0.35;
static const double TYPICAL_ROOM = 0.35;

/* The most room in a periodic box, over its shortest edge. */
static const double PERIODIC_ROOM = 0.125;

/* Where places and velocities become floats when a step ends: over coordinates, twice what seven roundings of a place
 * and one of a velocity, by 2^-24 each, move a body. */
static const double ROUNDING_SINGLE = 0x1p-20;

/* Typical speed of bodies that hulls go along with, at most, in units of length a step: whether a hull is beyond floats
 * must not depend on that. */
static const double SPEED_MOST = 0x1p60;

/* Exponent of the largest lengths in coarse paths. */
enum { COARSE_EXPONENT = 25, EXPONENT_MOST = 1000 };

/* Bodies that are looked at for the largest length, and for the typical speed; and bins of speeds. */
enum { SAMPLE = 1024, SPEED_SAMPLE = 256, BINS = 64 };

/* What kernels read. */
_Static_assert(sizeof(carom_piece) == 8 * sizeof(double) && offsetof(carom_piece, x) == 0 &&
                   offsetof(carom_piece, v) == CAROM_MOTION_V * sizeof(double) &&
                   offsetof(carom_piece, start) == CAROM_MOTION_START * sizeof(double),
               "a piece is a motion");
_Static_assert(sizeof(carom_response_body) == 4 * sizeof(double) && offsetof(carom_response_body, radius) == 0 &&
                   offsetof(carom_response_body, inverse_mass) == CAROM_BODY_INVERSE_MASS * sizeof(double),
               "what a kernel reads of a body comes first");

static const double *values_of(const carom_response_body *body) {
    return (const double *)(const void *)body;
}

static double largest_length(const carom_impacts_bodies *bodies) {
    double most = 0.0;
    for (uint64_t slot = 0; slot < bodies->count; slot += bodies->count / SAMPLE + 1) {
        most = fmax(most, bodies->body[slot].radius);
        for (int a = 0; a < 3; a++) {
            most = fmax(most, fmax(fabs(bodies->piece[slot].x[a]), fabs(bodies->piece[slot].v[a])));
        }
    }
    return most;
}

/* Velocities by the powers of two of their lengths, from `top` down: of each how many, and sums of lengths and of
 * velocities. */
typedef struct speeds {
    int top;
    uint32_t count[BINS];
    double sum[BINS];
    double v[BINS][3];
} speeds;

static void count_speed(speeds *s, const double v[3]) {
    const double speed = carom_vector_length(v);
    int exponent = 0;
    (void)frexp(speed, &exponent);
    const int wanted = speed > 0.0 && s->top - exponent < BINS ? s->top - exponent : BINS - 1;
    const int bin = wanted < 0 ? 0 : wanted;
    s->count[bin]++;
    s->sum[bin] += speed;
    carom_vector_add(s->v[bin], 1.0, v, s->v[bin]);
}

/* The mean speed, as seen from what moves at `drift`, of those in one bin with the median: few that are much faster do
 * not move it. `mean` receives their mean velocity. */
static double typical_speed(const carom_impacts_bodies *bodies, double largest, const double drift[3], double mean[3]) {
    speeds s = {.top = 0};
    (void)frexp(2.0 * largest, &s.top);
    uint32_t all = 0;
    for (uint64_t slot = 0; slot < bodies->count; slot += bodies->count / SPEED_SAMPLE + 1) {
        double v[3];
        carom_vector_add(bodies->piece[slot].v, -1.0, drift, v);
        count_speed(&s, v);
        all++;
    }
    int bin = 0;
    for (uint32_t faster = 0; 2 * (faster + s.count[bin]) < all; bin++) {
        faster += s.count[bin];
    }
    for (int a = 0; a < 3; a++) {
        mean[a] = s.v[bin][a] / s.count[bin];
    }
    return s.sum[bin] / s.count[bin];
}

/* Bodies that fall or fly together are looked at as one that goes along with them sees them, if they are then this much
 * slower: hulls of a cloud that moves by many times its bodies' distances would all meet. Surfaces stay where they are.
 */
static const double DRIFT_GAIN = 2.0;

/* In a periodic box a hull that is much wider than the path would meet images that the body never does. */
static double room_most(const carom_periodic *periodic) {
    double most = INFINITY;
    for (int e = 0; e < 3 && periodic != NULL; e++) {
        if (periodic->along[e]) {
            most = fmin(most, PERIODIC_ROOM * carom_vector_length(periodic->edge[e]));
        }
    }
    return most;
}

static void set_scales(carom_hulls *hulls, const carom_impacts_bodies *bodies, double largest, double speed) {
    int exponent = 0;
    (void)frexp(largest, &exponent);
    exponent = COARSE_EXPONENT - exponent;
    hulls->frame.unit = ldexp(1.0, exponent > EXPONENT_MOST ? EXPONENT_MOST : exponent);
    hulls->frame.rounding = bodies->single ? ROUNDING_SINGLE : CAROM_HULL_ROUNDING;
    hulls->typical_room = TYPICAL_ROOM * speed;
    hulls->frame.room_most = room_most(bodies->periodic);
}

void carom_hulls_set_scales(carom_hulls *hulls, const carom_impacts_bodies *bodies) {
    const double largest = largest_length(bodies);
    double mean[3];
    set_scales(hulls, bodies, largest, typical_speed(bodies, largest, hulls->frame.drift, mean));
}

void carom_hulls_set_frame(carom_hulls *hulls, const carom_impacts_bodies *bodies) {
    static const double rest[3] = {0.0, 0.0, 0.0};
    const double largest = largest_length(bodies);
    double mean[3];
    double speed = typical_speed(bodies, largest, rest, mean);
    memcpy(hulls->frame.drift, rest, sizeof rest);
    if (bodies->surfaces == 0 && speed < SPEED_MOST && carom_vector_length(mean) * DRIFT_GAIN > speed) {
        double rests[3];
        const double slower = typical_speed(bodies, largest, mean, rests);
        if (slower * DRIFT_GAIN < speed) {
            memcpy(hulls->frame.drift, mean, sizeof mean);
            speed = slower;
        }
    }
    set_scales(hulls, bodies, largest, speed);
}

/* In n steps after the first one a velocity gains so much that a body is n (n + 1) / 2 gains farther. */
void carom_hulls_set_time(carom_hulls *hulls, const carom_impacts_bodies *bodies, double begin, double end) {
    const double after = fmax(0.0, end - 1.0);
    hulls->frame.begin = begin;
    hulls->frame.end = end;
    hulls->frame.span = fmax(1.0, end - begin);
    hulls->frame.own_room = hulls->tight ? 0.0 : OWN_ROOM;
    hulls->frame.room =
        (hulls->tight ? 0.0 : hulls->typical_room) + bodies->gain * (after * (after + 1.0)) / (2.0 * end);
}

double carom_hulls_room(const carom_hulls *hulls, double speed) {
    return OWN_ROOM * speed + hulls->typical_room;
}

carom_coarse_path carom_hulls_coarse(const carom_hulls *hulls, const carom_impacts_bodies *bodies, uint32_t slot,
                                     const carom_piece *piece) {
    return carom_hull_coarse(&hulls->frame, carom_impacts_motion(piece), bodies->body[slot].radius);
}

static bool is_finite(const carom_box *box) {
    bool finite = true;
    for (int a = 0; a < 3; a++) {
        finite = finite && box->lo[a] >= -FLT_MAX && box->hi[a] <= FLT_MAX;
    }
    return finite;
}

/* The hull without room. Returns whether it is finite. */
static bool make_tight(const carom_hulls *hulls, const carom_impacts_bodies *bodies, uint64_t slot,
                       const carom_piece *piece, carom_box *box) {
    carom_hull_frame tight = hulls->frame;
    tight.own_room = tight.room = 0.0;
    carom_hull_around(&tight, carom_impacts_motion(piece), values_of(&bodies->body[slot]), box->lo, box->hi);
    return is_finite(box);
}

/* Of slots [begin, end) hulls that are beyond floats get no room. Returns the lowest number of a body whose hull is
 * beyond them even so. */
static uint32_t lowest_beyond(const carom_hulls *hulls, const carom_impacts_bodies *bodies, uint64_t begin,
                              uint64_t end) {
    uint32_t lowest = CAROM_IMPACTS_NONE;
    for (uint64_t slot = begin; slot < end; slot++) {
        carom_box box = carom_box_of(&hulls->box[slot]);
        if (is_finite(&box)) {
            continue;
        }
        const bool finite = make_tight(hulls, bodies, slot, &bodies->piece[slot], &box);
        carom_box_put(&hulls->box[slot], &box);
        lowest = !finite && bodies->number[slot] < lowest ? bodies->number[slot] : lowest;
    }
    return lowest;
}

uint32_t carom_hulls_make(const carom_hulls *hulls, const carom_simd *simd, const carom_impacts_bodies *bodies,
                          uint64_t begin, uint64_t end) {
    const carom_hull_paths out = {hulls->box, hulls->coarse};
    const bool finite =
        simd->hulls(&hulls->frame, carom_impacts_motion(bodies->piece), values_of(bodies->body), begin, end, &out);
    return finite ? CAROM_IMPACTS_NONE : lowest_beyond(hulls, bodies, begin, end);
}

void carom_hulls_look(const carom_hulls *hulls, const carom_simd *simd, const carom_impacts_bodies *bodies,
                      uint64_t begin, uint64_t end, double until, carom_hull_box *path) {
    const carom_hull_paths out = {path, hulls->coarse + begin};
    carom_hull_frame tight = hulls->frame;
    tight.end = until;
    tight.own_room = tight.room = 0.0;
    (void)simd->hulls(&tight, carom_impacts_motion(bodies->piece + begin), values_of(bodies->body + begin), 0,
                      end - begin, &out);
}

/* Without branches: who stays is hard to guess. */
static bool holds(const carom_hull_frame *frame, double radius, const carom_piece *piece, const float lo[3],
                  const float hi[3]) {
    bool held = true;
    for (int a = 0; a < 3; a++) {
        const carom_hull_range s = carom_hull_span(frame, carom_impacts_motion(piece), radius, a);
        held = held & (s.lo >= (double)lo[a]) & (s.hi <= (double)hi[a]);
    }
    return held;
}

bool carom_hulls_hold(const carom_hulls *hulls, const carom_impacts_bodies *bodies, uint32_t slot,
                      const carom_piece *piece) {
    const carom_hull_box *box = &hulls->box[slot];
    return holds(&hulls->frame, bodies->body[slot].radius, piece, box->lo, box->hi);
}

bool carom_hulls_hold_in(const carom_hulls *hulls, const carom_impacts_bodies *bodies, uint32_t slot,
                         const carom_piece *piece, const carom_box *box, double until) {
    carom_hull_frame frame = hulls->frame;
    frame.end = until;
    return holds(&frame, bodies->body[slot].radius, piece, box->lo, box->hi);
}

/* Returns whether floats hold it. */
static bool make(const carom_hulls *hulls, const carom_impacts_bodies *bodies, uint32_t slot, const carom_piece *piece,
                 carom_box *box) {
    carom_hull_around(&hulls->frame, carom_impacts_motion(piece), values_of(&bodies->body[slot]), box->lo, box->hi);
    return is_finite(box) || make_tight(hulls, bodies, slot, piece, box);
}

bool carom_hulls_renew(const carom_hulls *hulls, const carom_impacts_bodies *bodies, uint32_t slot) {
    carom_box box;
    if (!make(hulls, bodies, slot, &bodies->piece[slot], &box)) {
        return false;
    }
    carom_box_put(&hulls->box[slot], &box);
    return true;
}

bool carom_hulls_widen(const carom_hulls *hulls, const carom_impacts_bodies *bodies, uint32_t slot,
                       const carom_piece *piece) {
    carom_box more;
    if (!make(hulls, bodies, slot, piece, &more)) {
        return false;
    }
    carom_box box = carom_box_of(&hulls->box[slot]);
    carom_box_widen(&box, &more);
    carom_box_put(&hulls->box[slot], &box);
    return true;
}
