/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: the distance at a time and its normal. Out: until when a plane with this normal, which then rotates, proves the
 * shapes apart. The planes that are tried are fixed, rotate with either body, as its faces do, or rotate on as the normal
 * did. The one that is highest at a later time is followed. */
#include "kernel/narrow/outlook.h"

#include <math.h>
#include <string.h>

#include "simd/vector.h"

/* No plane turns by more radians than this, so that its normal's rounding is bounded. */
static const double TURN_MOST = 4.0;

/* With heights of h at both ends and between, the bend times the square of a stretch is at most this times h. */
static const double BEND_MOST = 8.0;

/* Planes: fixed, rotating with either body, and with the normal. */
enum { STILL, WITH_I, WITH_K, DRIFTING };

void carom_outlook_begin(carom_outlook *look, const carom_approach *pair, double target, double end) {
    static const double still[3] = {0.0, 0.0, 0.0};
    look->pair = pair;
    look->end = end;
    look->target = target;
    memset(look->normal, 0, sizeof look->normal);
    look->t = 0.0;
    carom_plane_make(look->normal, 0.0, still, &look->plane[STILL]);
    carom_plane_make(look->normal, 0.0, pair->i.body->spin, &look->plane[WITH_I]);
    carom_plane_make(look->normal, 0.0, pair->k.body->spin, &look->plane[WITH_K]);
}

/* When the gap would be closed at the present speed, but no later than the fixed plane could hold with this bend. */
static double closing_time(const carom_outlook *look, double bend) {
    double left = look->end - look->t;
    if (look->closing * left > look->height) {
        left = look->height / look->closing;
    }
    if (bend * left * left > BEND_MOST * look->height) {
        left = sqrt(BEND_MOST * look->height / bend);
    }
    return fmin(look->t + left, look->end);
}

/* Until when the plane is of use. */
static double plane_end(const carom_plane *plane, const carom_outlook *look) {
    return plane->angle * (look->end - look->t) > TURN_MOST ? look->t + TURN_MOST / plane->angle : look->end;
}

/* The rotation vector per step of a normal that was `before` at a time before. */
static void set_drift(carom_outlook *look, const double before[3], double since) {
    double across[3];
    carom_vector_cross(before, look->normal, across);
    for (int d = 0; d < 3; d++) {
        look->drift[d] = since > 0.0 ? across[d] / since : 0.0;
    }
}

/* The speed of a point of a body along n. */
static double speed_of(const carom_moving *body, double t, const double point[3], const double n[3]) {
    double arm[3];
    double turning[3];
    for (int d = 0; d < 3; d++) {
        arm[d] = point[d] - (body->at[d] + t * body->move[d]);
    }
    carom_vector_cross(body->spin, arm, turning);
    return carom_vector_dot(n, body->move) + carom_vector_dot(n, turning);
}

void carom_outlook_see(carom_outlook *look, double t, const double normal[3], const double point_i[3],
                       const double point_k[3]) {
    const double before[3] = {look->normal[0], look->normal[1], look->normal[2]};
    memcpy(look->normal, normal, sizeof look->normal);
    set_drift(look, before, t - look->t);
    look->t = t;
    look->closing =
        speed_of(look->pair->k.body, t, point_k, normal) - speed_of(look->pair->i.body, t, point_i, normal);
}

/* Bits of the planes that turn, and not too far until the time tried. */
static uint32_t usable_planes(const carom_outlook *look, double tried) {
    uint32_t usable = 1U << STILL;
    for (uint32_t n = 1; n < CAROM_HEIGHT_PLANES && look->pair->reach < HUGE_VAL; n++) {
        const carom_plane *plane = &look->plane[n];
        usable |= plane->angle > 0.0 && plane_end(plane, look) >= tried ? 1U << n : 0;
    }
    return usable;
}

void carom_outlook_ask(carom_outlook *look, carom_height_query *query) {
    carom_plane_make(look->normal, look->t, look->drift, &look->plane[DRIFTING]);
    for (uint32_t n = 0; n < CAROM_HEIGHT_PLANES; n++) {
        look->plane[n].from = look->t;
        memcpy(look->plane[n].normal, look->normal, sizeof look->normal);
    }
    const double bend = carom_plane_bend(&look->plane[STILL], look->pair, look->t);
    look->chord.tried = closing_time(look, bend);
    look->usable = usable_planes(look, look->chord.tried);
    for (uint32_t n = 0; n < CAROM_HEIGHT_PLANES; n++) {
        carom_plane_ask(&look->plane[n], look->pair, look->chord.tried, n, query);
    }
}

static void ask_again(const carom_outlook *look, carom_height_query *query) {
    carom_plane_ask(&look->plane[look->chosen], look->pair, look->chord.ask, 0, query);
}

bool carom_outlook_choose(carom_outlook *look, carom_height_query *query) {
    double most = carom_plane_answer(look->pair, STILL, query);
    look->chosen = STILL;
    for (uint32_t n = 1; n < CAROM_HEIGHT_PLANES; n++) {
        const double height = carom_plane_answer(look->pair, n, query);
        if ((look->usable >> n & 1) != 0 && height > most) {
            most = height;
            look->chosen = n;
        }
    }
    const carom_plane *plane = &look->plane[look->chosen];
    look->chord = (carom_chord){.low = look->t,
                                .height = look->height,
                                .tried = look->chord.tried,
                                .other = most,
                                .end = plane_end(plane, look),
                                .target = look->target,
                                .bend = carom_plane_bend(plane, look->pair, look->t)};
    if (carom_chord_begin(&look->chord)) {
        ask_again(look, query);
        return true;
    }
    return false;
}

bool carom_outlook_follow(carom_outlook *look, carom_height_query *query) {
    if (carom_chord_take(&look->chord, carom_plane_answer(look->pair, 0, query))) {
        ask_again(look, query);
        return true;
    }
    return false;
}
