/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/run_json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kernel/cli/choices.h"
#include "kernel/cli/json_read.h"
#include "kernel/cli/run_json_geometry.h"
#include "kernel/io/heap.h"
#include "kernel/io/ids.h"

#define COUNT(names) (sizeof(names) / sizeof *(names))

/* The rules by which steps go. */
static bool read_rules(const carom_json_at *scene, carom_run_rules *rules) {
    static const char *const responses[] = {"bounce", "report", "merge"};
    const carom_json_at steps = carom_json_member(scene, "steps");
    const carom_json_at dt = carom_json_member(scene, "dt");
    const carom_json_at gravity = carom_json_member(scene, "gravity");
    const carom_json_at restitution = carom_json_member(scene, "restitution");
    const carom_json_at rest_speed = carom_json_member(scene, "rest_speed");
    const carom_json_at contact_time = carom_json_member(scene, "contact_time");
    const carom_json_at budget = carom_json_member(scene, "budget");
    const carom_json_at response = carom_json_member(scene, "response");
    uint64_t most = 0;
    const bool read = carom_json_take_whole(&steps, 1, CAROM_RUN_STEPS_MAX, &rules->steps) &&
                      carom_json_take_number(&dt, CAROM_JSON_POSITIVE, &rules->dt) &&
                      carom_json_take_vector(&gravity, rules->gravity) &&
                      carom_json_take_number(&restitution, CAROM_JSON_SHARE, &rules->restitution) &&
                      carom_json_take_number(&rest_speed, CAROM_JSON_FROM_ZERO, &rules->rest_speed) &&
                      carom_json_take_number(&contact_time, CAROM_JSON_FROM_ZERO, &rules->contact_time) &&
                      carom_json_take_whole(&budget, 1, CAROM_BUDGET_MAX, &most) &&
                      carom_json_take_choice(&response, responses, COUNT(responses), &rules->response);
    rules->budget = (uint32_t)most;
    return read;
}

/* Three lengths, or three vectors. */
static bool read_edges(const carom_json_at *edges, double edge[3][3]) {
    if (json_is_number(json_array_get(edges->value, 0))) {
        double length[3] = {0};
        const bool read = carom_json_take_vector(edges, length);
        for (int axis = 0; axis < 3; ++axis) {
            edge[axis][axis] = length[axis];
        }
        return read;
    }
    if (json_array_size(edges->value) != 3) {
        return carom_json_refuse(edges, "is not a list of three lengths or of three vectors");
    }
    for (size_t n = 0; n < 3; ++n) {
        const carom_json_at vector = carom_json_element(edges, n);
        if (!carom_json_take_vector(&vector, edge[n])) {
            return false;
        }
    }
    return true;
}

/* It repeats along all edges unless it says along which. */
static bool read_box(const carom_json_at *scene, carom_run_setup *setup) {
    static const char *const members[] = {"edges", "along"};
    const carom_json_at box = carom_json_member(scene, "periodic");
    if (box.value == NULL) {
        return true;
    }
    if (!carom_json_expect_object(&box, members, COUNT(members))) {
        return false;
    }
    const carom_json_at edges = carom_json_member(&box, "edges");
    const carom_json_at along = carom_json_member(&box, "along");
    const char *axes = "xyz";
    char wanted[CAROM_WANTED_SIZE];
    if (!carom_json_expect_list(&edges) || !read_edges(&edges, setup->periodic.edge) ||
        !carom_json_take_text(&along, &axes)) {
        return false;
    }
    if (!carom_choices_axes(axes, setup->periodic.along, wanted)) {
        return carom_json_refuse(&along, "is not %s", wanted);
    }
    setup->has_box = true;
    setup->is_periodic = true;
    return true;
}

/* JSON has no number for it. */
static bool read_mass(const carom_json_at *mass, double *to) {
    if (json_is_string(mass->value) && strcmp(json_string_value(mass->value), "inf") == 0) {
        *to = (double)INFINITY;
        return true;
    }
    if (mass->value != NULL && !(json_number_value(mass->value) > 0)) {
        return carom_json_refuse(mass, "is not a number above 0, nor \"inf\"");
    }
    return carom_json_take_number(mass, CAROM_JSON_POSITIVE, to);
}

static bool read_bits(const carom_json_at *bits, uint32_t *to) {
    uint64_t value = *to;
    const bool read = carom_json_take_whole(bits, 0, UINT32_MAX, &value);
    *to = (uint32_t)value;
    return read;
}

/* What a body may leave out, its defaults being there already. */
static bool read_properties(const carom_json_at *at, carom_run_bodies *bodies, uint64_t n) {
    const carom_json_at id = carom_json_member(at, "id");
    const carom_json_at mass = carom_json_member(at, "mass");
    const carom_json_at restitution = carom_json_member(at, "restitution");
    const carom_json_at category = carom_json_member(at, "category");
    const carom_json_at mask = carom_json_member(at, "mask");
    return carom_json_take_whole(&id, 0, INT64_MAX, &bodies->id[n]) && read_mass(&mass, &bodies->mass[n]) &&
           carom_json_take_number(&restitution, CAROM_JSON_SHARE, &bodies->restitution[n]) &&
           read_bits(&category, &bodies->category[n]) && read_bits(&mask, &bodies->mask[n]);
}

static bool read_body(const carom_json_at *at, carom_run_bodies *bodies, uint64_t n) {
    static const char *const members[] = {"position", "velocity",    "radius",   "mass",
                                          "id",       "restitution", "category", "mask"};
    double position[3];
    double velocity[3] = {0};
    if (!carom_json_expect_object(at, members, COUNT(members))) {
        return false;
    }
    const carom_json_at place = carom_json_member(at, "position");
    const carom_json_at motion = carom_json_member(at, "velocity");
    const carom_json_at radius = carom_json_member(at, "radius");
    if (!carom_json_expect_list(&place) || !carom_json_take_vector(&place, position) ||
        !carom_json_take_vector(&motion, velocity)) {
        return false;
    }
    if (radius.value == NULL) {
        return carom_json_refuse(&radius, "is missing");
    }
    for (int axis = 0; axis < 3; ++axis) {
        bodies->position[axis][n] = position[axis];
        bodies->velocity[axis][n] = velocity[axis];
    }
    return carom_json_take_number(&radius, CAROM_JSON_FROM_ZERO, &bodies->radius[n]) && read_properties(at, bodies, n);
}

/* Two bodies of one id could not be told apart; a body without one has its index. */
static carom_exit check_ids(const carom_json_at *list, const carom_run_bodies *bodies) {
    const uint64_t bytes = bodies->count * sizeof(carom_id);
    carom_id *ids = carom_heap_allocate(bytes);
    if (ids == NULL) {
        carom_say("no memory for the ids of %" PRIu64 " bodies", bodies->count);
        return CAROM_EXIT_RESOURCES;
    }
    for (uint64_t n = 0; n < bodies->count; ++n) {
        ids[n] = (carom_id){.id = (int64_t)bodies->id[n], .place = n, .line = n};
    }
    const carom_id *twice = carom_ids_sort(ids, bodies->count);
    if (twice != NULL) {
        const carom_json_at body = carom_json_element(list, (size_t)twice->place);
        carom_json_refuse(&body, "another body has the id %" PRId64 " too", twice->id);
    }
    carom_heap_release(ids, bytes);
    return twice == NULL ? CAROM_EXIT_OK : CAROM_EXIT_INPUT;
}

static carom_exit read_bodies(const carom_json_at *scene, carom_run_bodies *bodies) {
    const carom_json_at list = carom_json_member(scene, "bodies");
    if (!carom_json_expect_list(&list)) {
        return CAROM_EXIT_INPUT;
    }
    const carom_exit outcome = carom_run_bodies_make(json_array_size(list.value), bodies);
    if (outcome != CAROM_EXIT_OK) {
        return outcome;
    }
    for (uint64_t n = 0; n < bodies->count; ++n) {
        const carom_json_at body = carom_json_element(&list, (size_t)n);
        if (!read_body(&body, bodies, n)) {
            return CAROM_EXIT_INPUT;
        }
    }
    return check_ids(&list, bodies);
}

static carom_exit read_scene(const carom_json_at *scene, carom_run_setup *setup, uint64_t more) {
    static const char *const members[] = {"description",  "steps",  "dt",       "gravity",  "restitution", "rest_speed",
                                          "contact_time", "budget", "response", "periodic", "bodies",      "geometry"};
    const char *description = NULL;
    if (json_object_get(scene->value, "shapes") != NULL) {
        (void)carom_json_refuse(scene, "this is a scene with shapes, for `carom detect`; runs are of spheres");
        return CAROM_EXIT_INPUT;
    }
    if (!carom_json_expect_object(scene, members, COUNT(members))) {
        return CAROM_EXIT_INPUT;
    }
    const carom_json_at text = carom_json_member(scene, "description");
    if (!carom_json_take_text(&text, &description) || !read_rules(scene, &setup->rules) || !read_box(scene, setup)) {
        return CAROM_EXIT_INPUT;
    }
    const carom_exit outcome = read_bodies(scene, &setup->bodies);
    return outcome == CAROM_EXIT_OK ? carom_run_json_geometry(scene, &setup->geometry, more) : outcome;
}

carom_exit carom_run_json_read(const char *path, const carom_text *text, uint64_t more, carom_run_setup *setup) {
    carom_exit outcome = CAROM_EXIT_OK;
    json_t *value = carom_json_parse(path, text, &outcome);
    if (value == NULL) {
        return outcome;
    }
    const carom_json_at scene = {.file = path, .value = value};
    outcome = read_scene(&scene, setup, more);
    json_decref(value);
    return outcome;
}
