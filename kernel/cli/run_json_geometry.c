/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/run_json_geometry.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(names) (sizeof(names) / sizeof *(names))

/* The lists for messages, in the order of carom_surface_kind; `point` is where the surface is at. */
static const char *const plane_members[] = {"kind", "name", "restitution", "point", "normal"};
static const char *const box_members[] = {"kind", "name", "restitution", "point", "half", "axes"};
static const char *const cylinder_members[] = {"kind", "name", "restitution", "point", "axis", "radius"};

static const struct {
    const char *const *names;
    size_t count;
} members_of[] = {
    [CAROM_SURFACE_PLANE] = {plane_members, COUNT(plane_members)},
    [CAROM_SURFACE_BOX] = {box_members, COUNT(box_members)},
    [CAROM_SURFACE_PILLAR] = {cylinder_members, COUNT(cylinder_members)},
    [CAROM_SURFACE_PIPE] = {cylinder_members, COUNT(cylinder_members)},
};

static bool read_direction(const carom_json_at *at, double direction[3]) {
    if (!carom_json_expect_list(at) || !carom_json_take_vector(at, direction)) {
        return false;
    }
    const bool zero = direction[0] == 0 && direction[1] == 0 && direction[2] == 0;
    return !zero || carom_json_refuse(at, "has no direction");
}

/* Axes of a box may be missing: then they are x, y and z. */
static bool read_box(const carom_json_at *at, carom_surface *surface) {
    const carom_json_at half = carom_json_member(at, "half");
    const carom_json_at axes = carom_json_member(at, "axes");
    bool read = carom_json_expect_list(&half) && carom_json_take_vector(&half, surface->extent);
    for (int axis = 0; axis < 3 && read; ++axis) {
        read = surface->extent[axis] >= 0 || carom_json_refuse(&half, "holds a number below 0");
    }
    if (!read || axes.value == NULL) {
        return read;
    }
    if (json_array_size(axes.value) != 3) {
        return carom_json_refuse(&axes, "is not a list of three vectors");
    }
    for (size_t axis = 0; axis < 3 && read; ++axis) {
        const carom_json_at direction = carom_json_element(&axes, axis);
        read = read_direction(&direction, surface->axis[axis]);
    }
    return read;
}

static bool read_cylinder(const carom_json_at *at, carom_surface *surface) {
    const carom_json_at axis = carom_json_member(at, "axis");
    const carom_json_at radius = carom_json_member(at, "radius");
    if (radius.value == NULL) {
        return carom_json_refuse(&radius, "is missing");
    }
    return read_direction(&axis, surface->axis[0]) &&
           carom_json_take_number(&radius, CAROM_JSON_FROM_ZERO, &surface->extent[0]);
}

static bool read_shape(const carom_json_at *at, carom_surface *surface) {
    const carom_json_at normal = carom_json_member(at, "normal");
    switch (surface->kind) {
    case CAROM_SURFACE_PLANE:
        return read_direction(&normal, surface->axis[0]);
    case CAROM_SURFACE_BOX:
        return read_box(at, surface);
    case CAROM_SURFACE_PILLAR:
    case CAROM_SURFACE_PIPE:
        break;
    }
    return read_cylinder(at, surface);
}

/* The kind says which members there may be. */
static bool read_surface(const carom_json_at *at, carom_surface *surface) {
    int kind = -1;
    const carom_json_at word = carom_json_member(at, "kind");
    if (!carom_json_take_choice(&word, carom_run_geometry_kinds, CAROM_RUN_GEOMETRY_KINDS, &kind)) {
        return false;
    }
    if (kind < 0) {
        return carom_json_refuse(&word, "is missing");
    }
    *surface = (carom_surface){.kind = (carom_surface_kind)kind, .restitution = 1};
    const carom_json_at point = carom_json_member(at, "point");
    const carom_json_at restitution = carom_json_member(at, "restitution");
    return carom_json_expect_object(at, members_of[kind].names, members_of[kind].count) &&
           carom_json_expect_list(&point) && carom_json_take_vector(&point, surface->at) &&
           carom_json_take_number(&restitution, CAROM_JSON_SHARE, &surface->restitution) && read_shape(at, surface);
}

/* Whether readers of CSV may take a name for a number: 7, -+, 1e5, nan, 0x1p3. */
static bool is_number(const char *name) {
    char *end;
    (void)strtod(name, &end);
    return strspn(name, "+-0123456789") == strlen(name) || (end != name && end[strspn(end, " ")] == '\0');
}

/* A name stands in a column of CSV beside the ids of bodies: it is no number, and needs no quotes. */
static bool read_name(const carom_json_at *at, const char **name) {
    const carom_json_at text = carom_json_member(at, "name");
    if (!carom_json_take_text(&text, name) || *name == NULL) {
        return text.value == NULL;
    }
    const size_t length = strlen(*name);
    bool plain = length > 0 && length < CAROM_RUN_NAME_SIZE && strpbrk(*name, ",;\"\\\t\r\n") == NULL;
    for (const char *c = *name; *c != '\0'; ++c) {
        plain = plain && (unsigned char)*c >= ' ' && (unsigned char)*c != 0x7F;
    }
    if (!plain || is_number(*name)) {
        return carom_json_refuse(&text,
                                 "is not a name of 1 to %d bytes, without commas, quotes or controls, that is no "
                                 "number",
                                 CAROM_RUN_NAME_SIZE - 1);
    }
    if (carom_run_geometry_is_wall(*name)) {
        return carom_json_refuse(&text, "is \"%s\", which --walls gives a wall", *name);
    }
    return true;
}

/* Whether no other surface has the name of the last one, be it given or not. */
static bool is_alone(const carom_json_at *at, const carom_run_geometry *geometry) {
    const carom_json_at text = carom_json_member(at, "name");
    const uint64_t last = geometry->count - 1;
    for (uint64_t n = 0; n < last; ++n) {
        if (strcmp(geometry->name[last], geometry->name[n]) == 0) {
            return carom_json_refuse(&text, "is \"%s\", as that of geometry[%zu]", geometry->name[last], (size_t)n);
        }
    }
    return true;
}

carom_exit carom_run_json_geometry(const carom_json_at *scene, carom_run_geometry *geometry, uint64_t more) {
    const carom_json_at list = carom_json_member(scene, "geometry");
    if (list.value != NULL && !carom_json_expect_list(&list)) {
        return CAROM_EXIT_INPUT;
    }
    const size_t count = json_array_size(list.value);
    const carom_exit outcome = carom_run_geometry_make(count + more, geometry);
    for (size_t n = 0; n < count && outcome == CAROM_EXIT_OK; ++n) {
        const carom_json_at at = carom_json_element(&list, n);
        const char *name = NULL;
        carom_surface surface;
        if (!read_surface(&at, &surface) || !read_name(&at, &name)) {
            return CAROM_EXIT_INPUT;
        }
        carom_run_geometry_add(geometry, &surface, name);
        if (!is_alone(&at, geometry)) {
            return CAROM_EXIT_INPUT;
        }
    }
    return outcome;
}
