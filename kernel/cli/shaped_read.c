/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: an object with a version, a list of shapes and a list of bodies. Out: the same as arrays. All members must be
 * known: a misspelt one would else be a default. */
#include "kernel/cli/shaped_read.h"

#include <string.h>

#include "kernel/cli/shaped_entries.h"
#include "kernel/cli/shaped_numbers.h"

#define COUNT(names) (sizeof(names) / sizeof *(names))

static bool is_there(const carom_json_at *at) {
    return at->value != NULL || carom_json_refuse(at, "is missing");
}

/* Writes a body's numbers into `count` arrays from `first` on. */
static void put(carom_shaped *shaped, int first, int count, uint64_t body, const double *numbers) {
    for (int d = 0; d < count; ++d) {
        shaped->array[first + d][body] = numbers[d];
    }
}

/* Where a body is at both ends; it rests if only its start is given. */
static bool read_place(const carom_json_at *at, carom_shaped *shaped, uint64_t body) {
    const carom_json_at prev = carom_json_member(at, "prev");
    const carom_json_at curr = carom_json_member(at, "curr");
    double from[3];
    double to[3];
    if (!carom_shaped_numbers_vector(&prev, from)) {
        return false;
    }
    memcpy(to, from, sizeof to);
    if (curr.value != NULL && !carom_shaped_numbers_vector(&curr, to)) {
        return false;
    }
    put(shaped, CAROM_SHAPED_PREV, 3, body, from);
    put(shaped, CAROM_SHAPED_CURR, 3, body, to);
    shaped->moves |= curr.value != NULL;
    return true;
}

/* The library takes the ends of all rotations or all spins. To make one of the other would round it. */
static bool read_rotation(const carom_json_at *at, carom_shaped *shaped, uint64_t body) {
    const carom_json_at prev = carom_json_member(at, "prev_turn");
    const carom_json_at curr = carom_json_member(at, "curr_turn");
    const carom_json_at spin = carom_json_member(at, "spin");
    double from[4] = {0, 0, 0, 1};
    double to[4];
    double vector[3] = {0, 0, 0};
    if (prev.value != NULL && !carom_shaped_numbers_turn(&prev, from)) {
        return false;
    }
    memcpy(to, from, sizeof to);
    if ((curr.value != NULL && !carom_shaped_numbers_turn(&curr, to)) ||
        (spin.value != NULL && !carom_shaped_numbers_vector(&spin, vector))) {
        return false;
    }
    shaped->turns |= curr.value != NULL;
    shaped->spins |= spin.value != NULL;
    if (shaped->turns && shaped->spins) {
        return carom_json_refuse(spin.value != NULL ? &spin : &curr,
                                 "a scene has curr_turn or spin; this body or one before it has %s",
                                 spin.value != NULL ? "curr_turn" : "spin");
    }
    shaped->moves |= curr.value != NULL || spin.value != NULL;
    put(shaped, CAROM_SHAPED_PREV_TURN, 4, body, from);
    put(shaped, CAROM_SHAPED_CURR_TURN, 4, body, to);
    put(shaped, CAROM_SHAPED_SPIN, 3, body, vector);
    return true;
}

static bool read_entry_of(const carom_json_at *at, carom_shaped *shaped, uint64_t body) {
    const carom_json_at shape = carom_json_member(at, "shape");
    uint64_t entry = 0;
    if (shaped->entries.count == 0) {
        return carom_json_refuse(&shape, "there are no shapes");
    }
    if (!is_there(&shape) || !carom_json_take_whole(&shape, 0, shaped->entries.count - 1, &entry)) {
        return false;
    }
    shaped->shape[body] = (uint32_t)entry;
    return true;
}

static carom_exit read_bodies(const carom_json_at *scene, carom_shaped *shaped) {
    static const char *const members[] = {"shape", "prev", "curr", "prev_turn", "curr_turn", "spin"};
    const carom_json_at list = carom_json_member(scene, "bodies");
    if (!carom_json_expect_list(&list)) {
        return CAROM_EXIT_INPUT;
    }
    const carom_exit outcome = carom_shaped_make(json_array_size(list.value), shaped);
    if (outcome != CAROM_EXIT_OK) {
        return outcome;
    }
    for (uint64_t body = 0; body < shaped->count; ++body) {
        const carom_json_at at = carom_json_element(&list, (size_t)body);
        if (!carom_json_expect_object(&at, members, COUNT(members)) || !read_entry_of(&at, shaped, body) ||
            !read_place(&at, shaped, body) || !read_rotation(&at, shaped, body)) {
            return CAROM_EXIT_INPUT;
        }
    }
    return CAROM_EXIT_OK;
}

/* Three lengths, or three edge vectors. */
static bool read_box(const carom_json_at *scene, carom_shaped *shaped) {
    const carom_json_at box = carom_json_member(scene, "box");
    double length[3];
    if (box.value == NULL) {
        return true;
    }
    shaped->has_box = true;
    if (json_is_number(json_array_get(box.value, 0))) {
        if (!carom_json_take_vector(&box, length)) {
            return false;
        }
        for (int axis = 0; axis < 3; ++axis) {
            shaped->box[axis][axis] = length[axis];
        }
        return true;
    }
    if (json_array_size(box.value) != 3) {
        return carom_json_refuse(&box, "is not a list of three lengths or of three vectors");
    }
    for (size_t edge = 0; edge < 3; ++edge) {
        const carom_json_at element = carom_json_element(&box, edge);
        if (!carom_shaped_numbers_vector(&element, shaped->box[edge])) {
            return false;
        }
    }
    return true;
}

/* First of all, since another version may have other members. */
static bool check_version(const carom_json_at *scene) {
    const carom_json_at version = carom_json_member(scene, "version");
    if (!json_is_object(scene->value)) {
        return carom_json_refuse(scene, "is not an object");
    }
    if (version.value == NULL) {
        return carom_json_refuse(&version,
                                 "is missing: scenes with shapes have one (scenes of spheres are for carom run)");
    }
    if (!json_is_integer(version.value) || json_integer_value(version.value) != CAROM_SHAPED_VERSION) {
        return carom_json_refuse(&version, "is not %d, the version that is known", CAROM_SHAPED_VERSION);
    }
    return true;
}

static carom_exit read_scene(const carom_json_at *scene, carom_shaped *shaped) {
    static const char *const members[] = {"version", "description", "box", "shapes", "bodies"};
    const char *description = NULL;
    const carom_json_at text = carom_json_member(scene, "description");
    if (!check_version(scene) || !carom_json_expect_object(scene, members, COUNT(members)) ||
        !carom_json_take_text(&text, &description) || !read_box(scene, shaped)) {
        return CAROM_EXIT_INPUT;
    }
    carom_exit outcome = carom_shaped_entries_read(scene, &shaped->entries);
    outcome = outcome == CAROM_EXIT_OK ? read_bodies(scene, shaped) : outcome;
    return outcome == CAROM_EXIT_OK ? carom_shaped_finish(shaped) : outcome;
}

carom_exit carom_shaped_read(const char *path, const carom_text *text, carom_shaped *shaped) {
    carom_exit outcome = CAROM_EXIT_OK;
    memset(shaped, 0, sizeof *shaped);
    shaped->path = path;
    json_t *value = carom_json_parse(path, text, &outcome);
    if (value == NULL) {
        return outcome;
    }
    const carom_json_at scene = {.file = path, .value = value};
    outcome = read_scene(&scene, shaped);
    json_decref(value);
    return outcome;
}
