/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What a step reads of a body, and what is wrong with one. */
#ifndef CAROM_WORLD_BODY_H
#define CAROM_WORLD_BODY_H

#include <float.h>
#include <stdbool.h>
#include <stdint.h>

#include "carom/status.h"

typedef struct carom_body {
    double x[3];        /* in units of length */
    double v[3];        /* in units of length over those of time */
    double radius;      /* in units of length */
    double mass;        /* INFINITY: nothing moves the body */
    double restitution; /* 0 to 1 */
    double last_impact; /* when, in units of time from now: at most 0; -INFINITY: never */
} carom_body;

/* A body is kept in two parts. Every step writes the moving part of every body; two fill a cache line. */
typedef struct carom_moving_part {
    double x[3];
    double last_impact;
} carom_moving_part;

/* The lasting part: only impacts, acceleration, merging and callers change it. */
typedef struct carom_lasting_part {
    double v[3];
    double radius;
    double mass;
    double restitution;
} carom_lasting_part;

static inline void carom_body_join(const carom_moving_part *moving, const carom_lasting_part *lasting,
                                   carom_body *body) {
    for (int a = 0; a < 3; a++) {
        body->x[a] = moving->x[a];
        body->v[a] = lasting->v[a];
    }
    body->radius = lasting->radius;
    body->mass = lasting->mass;
    body->restitution = lasting->restitution;
    body->last_impact = moving->last_impact;
}

static inline void carom_body_split(const carom_body *body, carom_moving_part *moving, carom_lasting_part *lasting) {
    for (int a = 0; a < 3; a++) {
        moving->x[a] = body->x[a];
        lasting->v[a] = body->v[a];
    }
    moving->last_impact = body->last_impact;
    lasting->radius = body->radius;
    lasting->mass = body->mass;
    lasting->restitution = body->restitution;
}

/* The fields that errors name, in their order. */
typedef enum carom_body_field {
    CAROM_BODY_POSITION,
    CAROM_BODY_VELOCITY = CAROM_BODY_POSITION + 3,
    CAROM_BODY_RADIUS = CAROM_BODY_VELOCITY + 3,
    CAROM_BODY_MASS,
    CAROM_BODY_RESTITUTION,
    CAROM_BODY_FIELDS
} carom_body_field;

/* "position_x", ..., "restitution". */
const char *carom_body_field_name(carom_body_field field);

/* Whether a field may have a value. */
bool carom_body_allows(carom_body_field field, double value);

/* The first field with a value that it may not have; CAROM_BODY_FIELDS if there is none. */
carom_body_field carom_body_fault(const carom_body *body);

/* Whether the motion is finite, and whether all else is as it must be in a body that has this restitution: quick
 * answers to what steps ask of all bodies. What is finite is 0 if it is taken from itself. */
static inline bool carom_body_moves_soundly(const carom_body *body) {
    double nothing = 0.0;
    for (int a = 0; a < 3; a++) {
        nothing += (body->x[a] - body->x[a]) + (body->v[a] - body->v[a]);
    }
    return nothing == 0.0;
}

static inline bool carom_body_is_sound(const carom_body *body, double restitution) {
    return body->radius >= 0.0 && body->radius <= DBL_MAX && body->mass > 0.0 && restitution >= 0.0 &&
           restitution <= 1.0;
}

/* The error that body n has this value there. */
carom_status carom_body_refuse(uint64_t n, carom_body_field field, double value, carom_error *error);

/* The value as a float if `single`, else as it is. */
double carom_body_rounded(bool single, double value);

/* The value of a field. */
double carom_body_value(const carom_body *body, carom_body_field field);

#endif
