/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: what a caller says of a body. Out: whether it is valid, and its pose. Most bodies are valid, so checks that find
 * out are apart from those that say why. */
#include "kernel/narrow/body.h"

#include <inttypes.h>
#include <math.h>

#include "kernel/shape/check.h"
#include "kernel/shape/table.h"
#include "kernel/sys/error.h"

/* Sizes that searches take, besides 0 (carom/shapes.h). */
static const double SIZE_LEAST = 1e-50;
static const double SIZE_MOST = 1e50;

const carom_body_names carom_body_array_names = {
    .at = {"prev_x", "prev_y", "prev_z"},
    .turn = {"prev_turn_x", "prev_turn_y", "prev_turn_z", "prev_turn_w"},
    .whole_turn = "prev_turn",
    .end = {"curr_x", "curr_y", "curr_z"},
    .end_turn = {"curr_turn_x", "curr_turn_y", "curr_turn_z", "curr_turn_w"},
    .whole_end_turn = "curr_turn",
    .spin = {"spin_x", "spin_y", "spin_z"},
    .whole_spin = "spin",
};

static bool is_size(double size) {
    return size == 0.0 || (size >= SIZE_LEAST && size <= SIZE_MOST);
}

static double square_of(const double turn[4]) {
    return turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3];
}

static bool is_turn(const double turn[4]) {
    const double square = square_of(turn);
    return square >= CAROM_TURN_SQUARE_LEAST && square <= CAROM_TURN_SQUARE_MOST;
}

static bool is_place(const double at[3]) {
    return isfinite(at[0]) && isfinite(at[1]) && isfinite(at[2]);
}

/* Half-spaces and lines are infinite: rotating, they would reach everything. */
static bool may_turn(const carom_body_numbers *body, const carom_shapes *shapes) {
    const carom_shape_kind kind = shapes != NULL ? shapes->entry[body->shape].kind : CAROM_SHAPE_SPHERE;
    return kind != CAROM_SHAPE_HALF_SPACE && kind != CAROM_SHAPE_LINE;
}

static bool turns_to(const carom_body_numbers *body) {
    bool turns = false;
    for (int d = 0; d < 4; d++) {
        turns = turns || body->turn[d] != body->end_turn[d];
    }
    return turns;
}

static bool turns_along(const carom_body_numbers *body) {
    return body->spin[0] != 0.0 || body->spin[1] != 0.0 || body->spin[2] != 0.0;
}

static bool are_equal(const double *a, const double *b, int count) {
    bool equal = true;
    for (int d = 0; d < count; d++) {
        equal = equal && a[d] == b[d];
    }
    return equal;
}

bool carom_body_rests(const carom_body_numbers *body) {
    static const double zero[3] = {0.0, 0.0, 0.0};
    switch (body->turning) {
    case CAROM_BODY_TURNS_TO:
        return are_equal(body->move, zero, 3) && are_equal(body->turn, body->end_turn, 4);
    case CAROM_BODY_TURNS_ALONG:
        return are_equal(body->move, zero, 3) && are_equal(body->spin, zero, 3);
    case CAROM_BODY_RESTS:
        break;
    }
    return true;
}

bool carom_body_is_valid(const carom_body_numbers *body, const carom_shapes *shapes) {
    const bool shaped = shapes != NULL ? body->shape < shapes->count : is_size(body->radius);
    if (!shaped || !is_place(body->at) || !is_turn(body->turn)) {
        return false;
    }
    switch (body->turning) {
    case CAROM_BODY_TURNS_TO:
        return is_place(body->end) && is_turn(body->end_turn) && (!turns_to(body) || may_turn(body, shapes));
    case CAROM_BODY_TURNS_ALONG:
        return is_place(body->end) && is_place(body->spin) && (!turns_along(body) || may_turn(body, shapes));
    case CAROM_BODY_RESTS:
        break;
    }
    return true;
}

static carom_status explain_number(double value, const char *name, uint64_t number, carom_error *error) {
    return carom_error_body(error, number, name, "body %" PRIu64 ": %s is %s", number, name,
                            isnan(value) ? "not a number" : "infinite");
}

/* OK if all are finite. */
static carom_status explain_numbers(const double *value, const char *const *name, int count, uint64_t number,
                                    carom_error *error) {
    for (int d = 0; d < count; d++) {
        if (!isfinite(value[d])) {
            return explain_number(value[d], name[d], number, error);
        }
    }
    return CAROM_OK;
}

static carom_status explain_turn(const double turn[4], const char *const *name, const char *whole, uint64_t number,
                                 carom_error *error) {
    const carom_status status = explain_numbers(turn, name, 4, number, error);
    if (status != CAROM_OK || is_turn(turn)) {
        return status;
    }
    return carom_error_body(error, number, whole, "body %" PRIu64 ": %s has length %.17g, not 0.5 to 2", number, whole,
                            carom_shape_wrong_length(square_of(turn)));
}

static carom_status explain_shape(const carom_body_numbers *body, const carom_shapes *shapes, uint64_t number,
                                  carom_error *error) {
    if (shapes != NULL) {
        return body->shape < shapes->count
                   ? CAROM_OK
                   : carom_error_body(error, number, "shape",
                                      "body %" PRIu64 ": shape is %" PRIu32 "; the table has %" PRIu64, number,
                                      body->shape, shapes->count);
    }
    if (!isfinite(body->radius)) {
        return explain_number(body->radius, "radius", number, error);
    }
    return is_size(body->radius) ? CAROM_OK
                                 : carom_error_body(error, number, "radius",
                                                    "body %" PRIu64 ": radius %g is neither 0 nor from 1e-50 to 1e50",
                                                    number, body->radius);
}

static carom_status explain_turning(const carom_body_numbers *body, const carom_shapes *shapes, const char *name,
                                    bool turns, uint64_t number, carom_error *error) {
    return !turns || may_turn(body, shapes)
               ? CAROM_OK
               : carom_error_body(error, number, name,
                                  "body %" PRIu64 ": half-spaces and lines do not turn, but %s says so", number, name);
}

static carom_status explain_motion(const carom_body_numbers *body, const carom_shapes *shapes,
                                   const carom_body_names *names, uint64_t number, carom_error *error) {
    if (body->turning == CAROM_BODY_RESTS) {
        return CAROM_OK;
    }
    const bool to = body->turning == CAROM_BODY_TURNS_TO;
    carom_status status = explain_numbers(body->end, names->end, 3, number, error);
    if (status == CAROM_OK) {
        status = to ? explain_turn(body->end_turn, names->end_turn, names->whole_end_turn, number, error)
                    : explain_numbers(body->spin, names->spin, 3, number, error);
    }
    return status == CAROM_OK ? explain_turning(body, shapes, to ? names->whole_end_turn : names->whole_spin,
                                                to ? turns_to(body) : turns_along(body), number, error)
                              : status;
}

carom_status carom_body_explain(const carom_body_numbers *body, const carom_shapes *shapes,
                                const carom_body_names *names, uint64_t number, carom_error *error) {
    carom_status status = explain_shape(body, shapes, number, error);
    if (status == CAROM_OK) {
        status = explain_numbers(body->at, names->at, 3, number, error);
    }
    if (status == CAROM_OK) {
        status = explain_turn(body->turn, names->turn, names->whole_turn, number, error);
    }
    return status == CAROM_OK ? explain_motion(body, shapes, names, number, error) : status;
}

const carom_shape_entry *carom_body_shape(const carom_body_numbers *body, const carom_shapes *shapes,
                                          carom_shape_entry *sphere) {
    if (shapes != NULL) {
        return &shapes->entry[body->shape];
    }
    *sphere = (carom_shape_entry){.kind = CAROM_SHAPE_SPHERE,
                                  .dimensions = body->radius > 0.0 ? 3 : 0,
                                  .radius = body->radius,
                                  .reach = body->radius};
    for (int d = 0; d < 3; d++) {
        sphere->lo[d] = -body->radius;
        sphere->hi[d] = body->radius;
    }
    return sphere;
}

void carom_body_pose(const carom_body_numbers *body, const carom_shapes *shapes, carom_body_posed *made) {
    made->posed.shape = carom_body_shape(body, shapes, &made->sphere);
    carom_pose_turn(body->turn, made->posed.turn);
    for (int d = 0; d < 3; d++) {
        made->posed.at[d] = body->at[d];
    }
}
