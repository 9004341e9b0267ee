/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: the list of shapes. Out: entries of the table. Sizes have the names that they have in files of cases. What only
 * the library knows of them, such as the range of sizes, it says when it makes the table. */
#include "kernel/cli/shaped_entries.h"

#include "kernel/cli/shaped_numbers.h"

#define COUNT(names) (sizeof(names) / sizeof *(names))

enum { KINDS = CAROM_SHAPED_KINDS, OWN_MOST = 2 };

/* The members of each kind, besides the kind. */
static const char *const own[KINDS][OWN_MOST] = {
    [CAROM_SHAPE_SPHERE] = {"r"},
    [CAROM_SHAPE_CAPSULE] = {"r", "half_segment"},
    [CAROM_SHAPE_BOX] = {"half"},
    [CAROM_SHAPE_CYLINDER] = {"r", "half_height"},
    [CAROM_SHAPE_CONE] = {"r", "half_height"},
    [CAROM_SHAPE_ELLIPSOID] = {"semi"},
    [CAROM_SHAPE_HULL] = {"v"},
    [CAROM_SHAPE_COMPOUND] = {"children"},
};

/* All points and children: no list is longer than the file says. */
static void count_parts(const json_t *list, uint64_t *points, uint64_t *children) {
    for (size_t n = 0; n < json_array_size(list); ++n) {
        *points += json_array_size(json_object_get(json_array_get(list, n), "v"));
        *children += json_array_size(json_object_get(json_array_get(list, n), "children"));
    }
}

static bool read_points(const carom_json_at *at, carom_shaped_entries *entries, carom_shape *shape) {
    const carom_json_at list = carom_json_member(at, "v");
    if (!carom_json_expect_list(&list)) {
        return false;
    }
    const size_t count = json_array_size(list.value);
    if (count < 1 || count > CAROM_HULL_POINTS_MAX) {
        return carom_json_refuse(&list, "is not a list of 1 to %d points", CAROM_HULL_POINTS_MAX);
    }
    double(*points)[3] = carom_shaped_add_points(entries, count);
    for (size_t n = 0; n < count; ++n) {
        const carom_json_at element = carom_json_element(&list, n);
        if (!carom_shaped_numbers_vector(&element, points[n])) {
            return false;
        }
    }
    shape->point = (const double(*)[3])points;
    shape->point_count = count;
    return true;
}

/* A child is an entry before the compound, so that nothing holds itself. */
static bool read_child_shape(const carom_json_at *at, const carom_shaped_entries *entries, uint32_t *shape) {
    const carom_json_at member = carom_json_member(at, "shape");
    uint64_t entry = 0;
    if (member.value == NULL) {
        return carom_json_refuse(&member, "is missing");
    }
    if (!carom_json_take_whole(&member, 0, CAROM_SHAPES_MAX, &entry)) {
        return false;
    }
    if (entry >= entries->count) {
        return carom_json_refuse(&member, "is not the number of a shape before the compound");
    }
    const carom_shape_kind kind = entries->shape[entry].kind;
    if (kind == CAROM_SHAPE_HALF_SPACE || kind == CAROM_SHAPE_LINE || kind == CAROM_SHAPE_COMPOUND) {
        return carom_json_refuse(&member, "a %s cannot be in a compound", carom_shaped_kinds[kind]);
    }
    *shape = (uint32_t)entry;
    return true;
}

static bool read_child(const carom_json_at *at, const carom_shaped_entries *entries, carom_shape_child *child) {
    static const char *const members[] = {"shape", "at", "turn"};
    *child = (carom_shape_child){.turn = {0, 0, 0, 1}};
    if (!carom_json_expect_object(at, members, COUNT(members)) || !read_child_shape(at, entries, &child->shape)) {
        return false;
    }
    const carom_json_at place = carom_json_member(at, "at");
    const carom_json_at turn = carom_json_member(at, "turn");
    return (place.value == NULL || carom_shaped_numbers_vector(&place, child->at)) &&
           (turn.value == NULL || carom_shaped_numbers_turn(&turn, child->turn));
}

static bool read_children(const carom_json_at *at, carom_shaped_entries *entries, carom_shape *shape) {
    const carom_json_at list = carom_json_member(at, "children");
    if (!carom_json_expect_list(&list)) {
        return false;
    }
    const size_t count = json_array_size(list.value);
    if (count < 1 || count > CAROM_COMPOUND_CHILDREN_MAX) {
        return carom_json_refuse(&list, "is not a list of 1 to %d shapes", CAROM_COMPOUND_CHILDREN_MAX);
    }
    carom_shape_child *children = carom_shaped_add_children(entries, count);
    for (size_t n = 0; n < count; ++n) {
        const carom_json_at element = carom_json_element(&list, n);
        if (!read_child(&element, entries, &children[n])) {
            return false;
        }
    }
    shape->child = children;
    shape->child_count = count;
    return true;
}

static bool read_form(const carom_json_at *at, carom_shaped_entries *entries, carom_shape *shape) {
    switch (shape->kind) {
    case CAROM_SHAPE_SPHERE:
        return carom_shaped_numbers_length(at, "r", &shape->radius);
    case CAROM_SHAPE_CAPSULE:
        return carom_shaped_numbers_length(at, "r", &shape->radius) &&
               carom_shaped_numbers_length(at, "half_segment", &shape->extent[2]);
    case CAROM_SHAPE_CYLINDER:
    case CAROM_SHAPE_CONE:
        return carom_shaped_numbers_length(at, "r", &shape->radius) &&
               carom_shaped_numbers_length(at, "half_height", &shape->extent[2]);
    case CAROM_SHAPE_BOX:
        return carom_shaped_numbers_lengths(at, "half", shape->extent);
    case CAROM_SHAPE_ELLIPSOID:
        return carom_shaped_numbers_lengths(at, "semi", shape->extent);
    case CAROM_SHAPE_HULL:
        return read_points(at, entries, shape);
    case CAROM_SHAPE_COMPOUND:
        return read_children(at, entries, shape);
    case CAROM_SHAPE_HALF_SPACE:
    case CAROM_SHAPE_LINE:
        break;
    }
    return true;
}

static bool read_kind(const carom_json_at *at, carom_shape_kind *kind) {
    const carom_json_at member = carom_json_member(at, "kind");
    int choice = -1;
    if (!json_is_object(at->value)) {
        return carom_json_refuse(at, "is not an object");
    }
    if (!carom_json_take_choice(&member, carom_shaped_kinds, KINDS, &choice)) {
        return false;
    }
    *kind = (carom_shape_kind)choice;
    return choice >= 0 || carom_json_refuse(&member, "is missing");
}

static bool read_entry(const carom_json_at *at, carom_shaped_entries *entries) {
    carom_shape shape = {.kind = CAROM_SHAPE_SPHERE};
    const char *members[1 + OWN_MOST] = {"kind"};
    size_t count = 1;
    if (!read_kind(at, &shape.kind)) {
        return false;
    }
    for (size_t n = 0; n < OWN_MOST && own[shape.kind][n] != NULL; ++n) {
        members[count++] = own[shape.kind][n];
    }
    if (!carom_json_expect_object(at, members, count) || !read_form(at, entries, &shape)) {
        return false;
    }
    carom_shaped_add(entries, &shape);
    return true;
}

carom_exit carom_shaped_entries_read(const carom_json_at *scene, carom_shaped_entries *entries) {
    const carom_json_at list = carom_json_member(scene, "shapes");
    uint64_t points = 0;
    uint64_t children = 0;
    if (!carom_json_expect_list(&list)) {
        return CAROM_EXIT_INPUT;
    }
    count_parts(list.value, &points, &children);
    const uint64_t count = json_array_size(list.value);
    const carom_exit outcome = carom_shaped_make_entries(count, points, children, entries);
    if (outcome != CAROM_EXIT_OK) {
        return outcome;
    }
    for (uint64_t n = 0; n < count; ++n) {
        const carom_json_at element = carom_json_element(&list, (size_t)n);
        if (!read_entry(&element, entries)) {
            return CAROM_EXIT_INPUT;
        }
    }
    return CAROM_EXIT_OK;
}
