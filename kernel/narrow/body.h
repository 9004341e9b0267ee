/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A body as pairs need it, from a caller's arrays or pose, in doubles, which hold floats exactly: checked, and posed.
 */
#ifndef CAROM_NARROW_BODY_H
#define CAROM_NARROW_BODY_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/shapes.h"
#include "carom/status.h"
#include "simd/posed.h"

/* How a body turns in the step. */
typedef enum carom_body_turning {
    CAROM_BODY_RESTS,      /* nothing of its motion is looked at */
    CAROM_BODY_TURNS_TO,   /* the shorter way to end_turn */
    CAROM_BODY_TURNS_ALONG /* along the rotation vector `spin` */
} carom_body_turning;

/* What the caller says of a body. */
typedef struct carom_body_numbers {
    uint32_t shape;             /* entry of the table, if there is one */
    double radius;              /* of a sphere, if there is none */
    double at[3];               /* position and rotation at the start of the step */
    double turn[4];             /* x, y, z, w */
    carom_body_turning turning; /* says which of the members below there are: `end` and `move` if it is not RESTS */
    double end[3];              /* what the caller says of the way: its end, or the way itself */
    double move[3];             /* the way, rounded; infinite if the difference of two ends is */
    double end_turn[4];
    double spin[3];
} carom_body_numbers;

/* What the numbers are called, for messages and carom_error.field. */
typedef struct carom_body_names {
    const char *at[3];
    const char *turn[4];
    const char *whole_turn; /* all four */
    const char *end[3];
    const char *end_turn[4];
    const char *whole_end_turn;
    const char *spin[3];
    const char *whole_spin;
} carom_body_names;

/* Those of a caller's arrays (carom/bodies.h). */
extern const carom_body_names carom_body_array_names;

/* A shape in its place. The pose may point to `sphere`, so it must not be copied. */
typedef struct carom_body_posed {
    carom_posed posed;
    carom_shape_entry sphere; /* of a body without a shape */
} carom_body_posed;

/* Whether a body neither moves nor turns. */
bool carom_body_rests(const carom_body_numbers *body);

/* Whether a body is valid; shapes NULL: it is a sphere. Rotations have length 0.5 to 2, numbers are finite, a sphere's
 * radius is 0 or from 1e-50 to 1e50, the table has its shape, and half-spaces and lines do not turn. */
bool carom_body_is_valid(const carom_body_numbers *body, const carom_shapes *shapes);

/* BODY, saying what is wrong with one that is not valid. `number` is its number in messages. */
carom_status carom_body_explain(const carom_body_numbers *body, const carom_shapes *shapes,
                                const carom_body_names *names, uint64_t number, carom_error *error);

/* The entry of a valid body's shape; `sphere` is made the entry of one without. */
const carom_shape_entry *carom_body_shape(const carom_body_numbers *body, const carom_shapes *shapes,
                                          carom_shape_entry *sphere);

/* Poses a valid body as it is at the start of the step. */
void carom_body_pose(const carom_body_numbers *body, const carom_shapes *shapes, carom_body_posed *made);

#endif
