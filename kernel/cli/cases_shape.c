/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: an object of JSON that has a word `shape`. Out: an entry of the table of shapes, and where it is.
 *
 * Every shape has a frame: `c` is its origin, and `quat_wxyz` its rotation. Shapes about the z axis have their `axis`
 * in that frame. Points in it are those of hulls, triangles and segments; without `c` and `quat_wxyz` they are points
 * of the scene. */
#include "kernel/cli/cases_shape.h"

#include <math.h>
#include <string.h>

#define COUNT(names) (sizeof(names) / sizeof *(names))

/* The words, and the members that each may have besides those of all. */
typedef enum word {
    SPHERE,
    POINT,
    BOX,
    CYLINDER,
    CAPSULE,
    CONE,
    ELLIPSOID,
    HALF_SPACE,
    PLANE,
    TRIANGLE,
    SEGMENT,
    POINTS,
    LINE,
    COMPOUND,
    WORDS
} word;

enum { OWN_MOST = 3, MEMBERS_MOST = OWN_MOST + 6 };

static const char *const words[WORDS] = {"sphere",    "point", "box",      "cylinder", "capsule", "cone", "ellipsoid",
                                         "halfspace", "plane", "triangle", "segment",  "points",  "line", "compound"};

static const struct {
    carom_shape_kind kind;
    const char *own[OWN_MOST];
    bool placed; /* `c` must be there */
} about[WORDS] = {
    [SPHERE] = {CAROM_SHAPE_SPHERE, {"r"}, true},
    [POINT] = {CAROM_SHAPE_SPHERE, {NULL}, true},
    [BOX] = {CAROM_SHAPE_BOX, {"half"}, true},
    [CYLINDER] = {CAROM_SHAPE_CYLINDER, {"r", "half_height", "axis"}, true},
    [CAPSULE] = {CAROM_SHAPE_CAPSULE, {"r", "half_segment", "axis"}, true},
    [CONE] = {CAROM_SHAPE_CONE, {"r", "half_height", "axis"}, true},
    [ELLIPSOID] = {CAROM_SHAPE_ELLIPSOID, {"semi"}, true},
    [HALF_SPACE] = {CAROM_SHAPE_HALF_SPACE, {"n", "offset"}, false},
    [PLANE] = {CAROM_SHAPE_HALF_SPACE, {"n", "offset"}, false},
    [TRIANGLE] = {CAROM_SHAPE_HULL, {"v"}, false},
    [SEGMENT] = {CAROM_SHAPE_HULL, {"a", "b"}, false},
    [POINTS] = {CAROM_SHAPE_HULL, {"v"}, false},
    [LINE] = {CAROM_SHAPE_LINE, {"axis"}, true},
    [COMPOUND] = {CAROM_SHAPE_COMPOUND, {"children"}, false},
};

/* Segments have two points. */
void carom_cases_shape_count(const json_t *value, uint64_t *shapes, uint64_t *points, uint64_t *children) {
    const json_t *list = json_object_get(value, "children");
    const size_t count = json_array_size(list);
    *shapes += 1 + count;
    *children += count;
    *points += 2 + json_array_size(json_object_get(value, "v"));
    for (size_t n = 0; n < count; ++n) {
        *points += 2 + json_array_size(json_object_get(json_array_get(list, n), "v"));
    }
}

/* Whether the object has no members but those that its word may have. */
static bool check_members(const carom_cases_reader *reader, const carom_json_at *at, word kind) {
    const char *names[MEMBERS_MOST] = {"shape", "c", "quat_wxyz"};
    size_t count = 3;
    for (size_t n = 0; n < OWN_MOST && about[kind].own[n] != NULL; ++n) {
        names[count++] = about[kind].own[n];
    }
    if (reader->moves && at->name != NULL) {
        names[count++] = "move";
        names[count++] = "spin";
        names[count++] = "quat_end_wxyz";
    }
    return carom_json_expect_object(at, names, count);
}

/* The z axis of the shape in its frame; z if the file does not say. */
static bool read_axis(const carom_cases_reader *reader, const carom_json_at *at, double turn[4]) {
    const carom_json_at member = carom_json_member(at, "axis");
    double axis[3] = {0, 0, 1};
    if (!carom_cases_some_vector(reader, at, "axis", axis)) {
        return false;
    }
    return carom_cases_turn_to(axis, turn) || carom_json_refuse(&member, "has no direction");
}

/* Adds a rotation within the frame to the frame's own. */
static void turn_within(carom_case_body *body, const double turn[4]) {
    double product[4];
    carom_cases_multiply(body->turn, turn, product);
    memcpy(body->turn, product, sizeof product);
}

static bool read_round(const carom_cases_reader *reader, const carom_json_at *at, const char *half, carom_shape *shape,
                       carom_case_body *body) {
    double turn[4];
    if (!carom_cases_length(reader, at, "r", &shape->radius) ||
        !carom_cases_length(reader, at, half, &shape->extent[2]) || !read_axis(reader, at, turn)) {
        return false;
    }
    turn_within(body, turn);
    return true;
}

/* All points x with n.x <= offset, in the frame: n need not have length 1. */
static bool read_side(const carom_cases_reader *reader, const carom_json_at *at, carom_case_body *body) {
    const carom_json_at normal = carom_json_member(at, "n");
    const carom_json_at offset = carom_json_member(at, "offset");
    double n[3];
    double turn[4];
    double reach = 0;
    if (!carom_cases_vector(reader, &normal, n) || !carom_cases_number(reader, &offset, &reach)) {
        return false;
    }
    if (!carom_cases_turn_to(n, turn)) {
        return carom_json_refuse(&normal, "has no direction");
    }
    const double square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    const double foot[3] = {n[0] * (reach / square), n[1] * (reach / square), n[2] * (reach / square)};
    double moved[3];
    carom_cases_rotate(body->turn, foot, moved);
    for (int d = 0; d < 3; ++d) {
        body->at[d] += moved[d];
    }
    turn_within(body, turn);
    return true;
}

static bool read_points(const carom_cases_reader *reader, const carom_json_at *list, double (*points)[3],
                        size_t count) {
    for (size_t n = 0; n < count; ++n) {
        const carom_json_at element = carom_json_element(list, n);
        if (!carom_cases_vector(reader, &element, points[n])) {
            return false;
        }
    }
    return true;
}

static bool read_hull(const carom_cases_reader *reader, const carom_json_at *at, word kind, carom_shape *shape) {
    const carom_json_at list = carom_json_member(at, "v");
    if (kind == SEGMENT) {
        const carom_json_at a = carom_json_member(at, "a");
        const carom_json_at b = carom_json_member(at, "b");
        double(*ends)[3] = carom_cases_add_points(reader->cases, 2);
        shape->point = (const double(*)[3])ends;
        shape->point_count = 2;
        return carom_cases_vector(reader, &a, ends[0]) && carom_cases_vector(reader, &b, ends[1]);
    }
    if (!carom_json_expect_list(&list)) {
        return false;
    }
    const size_t count = json_array_size(list.value);
    if (kind == TRIANGLE && count != 3) {
        return carom_json_refuse(&list, "is not a list of three points");
    }
    if (count < 1 || count > CAROM_HULL_POINTS_MAX) {
        return carom_json_refuse(&list, "is not a list of 1 to %d points", CAROM_HULL_POINTS_MAX);
    }
    double(*points)[3] = carom_cases_add_points(reader->cases, count);
    shape->point = (const double(*)[3])points;
    shape->point_count = count;
    return read_points(reader, &list, points, count);
}

/* Whether a - b is a number (Knuth's error of a sum is 0). */
static bool has_exact_difference(double a, double b) {
    const double difference = a - b;
    const double back = difference - a;
    return (a - (difference - back)) - (b + back) == 0;
}

/* The shape is measured from its body's position, and so are its errors: it should be near its points. Moves the
 * position to the first point, if all differences are exact. */
static void bring_near(carom_case_body *body, const carom_shape *shape) {
    double(*point)[3] = (double(*)[3])(uintptr_t)shape->point;
    const double first[3] = {point[0][0], point[0][1], point[0][2]};
    for (uint64_t n = 0; n < shape->point_count; ++n) {
        for (int d = 0; d < 3; ++d) {
            if (!has_exact_difference(point[n][d], first[d])) {
                return;
            }
        }
    }
    for (uint64_t n = 0; n < shape->point_count; ++n) {
        for (int d = 0; d < 3; ++d) {
            point[n][d] -= first[d];
        }
    }
    memcpy(body->at, first, sizeof first);
}

static bool read_shape(const carom_cases_reader *reader, const carom_json_at *at, bool child, carom_case_body *body);

static bool read_children(const carom_cases_reader *reader, const carom_json_at *at, carom_shape *shape) {
    const carom_json_at list = carom_json_member(at, "children");
    if (!carom_json_expect_list(&list)) {
        return false;
    }
    const size_t count = json_array_size(list.value);
    if (count < 1 || count > CAROM_COMPOUND_CHILDREN_MAX) {
        return carom_json_refuse(&list, "is not a list of 1 to %d shapes", CAROM_COMPOUND_CHILDREN_MAX);
    }
    carom_shape_child *children = carom_cases_add_children(reader->cases, count);
    shape->child = children;
    shape->child_count = count;
    for (size_t n = 0; n < count; ++n) {
        const carom_json_at element = carom_json_element(&list, n);
        carom_case_body body;
        if (!read_shape(reader, &element, true, &body)) {
            return false;
        }
        children[n] = (carom_shape_child){.shape = body.shape};
        memcpy(children[n].at, body.at, sizeof body.at);
        memcpy(children[n].turn, body.turn, sizeof body.turn);
    }
    return true;
}

/* What the word says the shape is made of. */
static bool read_form(const carom_cases_reader *reader, const carom_json_at *at, word kind, carom_shape *shape,
                      carom_case_body *body) {
    double turn[4];
    switch (kind) {
    case SPHERE:
        return carom_cases_length(reader, at, "r", &shape->radius);
    case BOX:
        return carom_cases_lengths(reader, at, "half", shape->extent);
    case ELLIPSOID:
        return carom_cases_lengths(reader, at, "semi", shape->extent);
    case CAPSULE:
        return read_round(reader, at, "half_segment", shape, body);
    case CYLINDER:
    case CONE:
        return read_round(reader, at, "half_height", shape, body);
    case HALF_SPACE:
    case PLANE:
        body->two_sided = kind == PLANE;
        return read_side(reader, at, body);
    case LINE:
        if (!read_axis(reader, at, turn)) {
            return false;
        }
        turn_within(body, turn);
        return true;
    case TRIANGLE:
    case SEGMENT:
    case POINTS:
        return read_hull(reader, at, kind, shape);
    case COMPOUND:
        return read_children(reader, at, shape);
    case POINT:
    case WORDS:
        break;
    }
    return true;
}

/* Where the frame is; *free says whether the file leaves that open, and lets the body not turn. */
static bool read_frame(const carom_cases_reader *reader, const carom_json_at *at, word kind, carom_case_body *body,
                       bool *free) {
    const carom_json_at place = carom_json_member(at, "c");
    bool turned = false;
    if (about[kind].placed && place.value == NULL) {
        return carom_json_refuse(&place, "is missing");
    }
    if (!carom_cases_some_vector(reader, at, "c", body->at) ||
        !carom_cases_quaternion(reader, at, "quat_wxyz", body->turn, &turned)) {
        return false;
    }
    *free = place.value == NULL && !turned && json_object_get(at->value, "spin") == NULL &&
            json_object_get(at->value, "quat_end_wxyz") == NULL;
    return true;
}

static bool read_word(const carom_json_at *at, word *kind) {
    int choice = -1;
    if (!json_is_object(at->value)) {
        return carom_json_refuse(at, at->value == NULL ? "is missing" : "is not an object");
    }
    const carom_json_at member = carom_json_member(at, "shape");
    if (!carom_json_take_choice(&member, words, WORDS, &choice)) {
        return false;
    }
    *kind = (word)choice;
    return choice >= 0 || carom_json_refuse(&member, "is missing");
}

/* Shapes of a compound are convex and have a size. */
static bool read_shape(const carom_cases_reader *reader, const carom_json_at *at, bool child, carom_case_body *body) {
    word kind = POINT;
    bool free = false;
    memset(body, 0, sizeof *body);
    if (!read_word(at, &kind) || !check_members(reader, at, kind)) {
        return false;
    }
    if (child && (kind == HALF_SPACE || kind == PLANE || kind == LINE || kind == COMPOUND)) {
        return carom_json_refuse(at, "a %s cannot be in a compound", words[kind]);
    }
    carom_shape shape = {.kind = about[kind].kind};
    if (!read_frame(reader, at, kind, body, &free) || !read_form(reader, at, kind, &shape, body)) {
        return false;
    }
    if (free && shape.kind == CAROM_SHAPE_HULL) {
        bring_near(body, &shape);
    }
    body->shape = carom_cases_add_shape(reader->cases, reader->n, &shape);
    return true;
}

/* Where the body turns to, as a rotation vector. */
static bool read_motion(const carom_cases_reader *reader, const carom_json_at *at, carom_case_body *body) {
    const carom_json_at spin = carom_json_member(at, "spin");
    double from[4];
    double to[4];
    bool given = false;
    if (!carom_cases_some_vector(reader, at, "move", body->move) ||
        !carom_cases_some_vector(reader, at, "spin", body->spin) ||
        !carom_cases_quaternion(reader, at, "quat_wxyz", from, &given) ||
        !carom_cases_quaternion(reader, at, "quat_end_wxyz", to, &given)) {
        return false;
    }
    if (given && spin.value != NULL) {
        return carom_json_refuse(&spin, "is given, and quat_end_wxyz too");
    }
    if (given) {
        carom_cases_spin(from, to, body->spin);
    }
    return true;
}

bool carom_cases_shape_read(const carom_cases_reader *reader, const carom_json_at *at, carom_case_body *body) {
    return read_shape(reader, at, false, body) && (!reader->moves || read_motion(reader, at, body));
}
