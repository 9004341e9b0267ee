/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Options of a scene in the form that the tables of both commands need, and the scene that comes of them. */
#include "kernel/cli/scene_options.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "carom/bodies.h"
#include "kernel/cli/argument.h"
#include "kernel/cli/choices.h"

carom_scene_options carom_scene_options_default(void) {
    return (carom_scene_options){.letter = '\0', .bodies = 1000000, .seed = 1};
}

/* For the message about a letter that there is none of. */
static void list_scenes(char wanted[CAROM_WANTED_SIZE]) {
    int used = snprintf(wanted, CAROM_WANTED_SIZE, "a scene; there are");
    for (const char *letter = carom_scene_letters(); *letter != '\0' && used < CAROM_WANTED_SIZE; ++letter) {
        used += snprintf(wanted + used, (size_t)(CAROM_WANTED_SIZE - used), "%s %c (%s)",
                         letter == carom_scene_letters() ? "" : ",", *letter, carom_scene_name(*letter));
    }
}

bool carom_scene_options_letter(carom_scene_options *options, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    for (const char *letter = carom_scene_letters(); *letter != '\0'; ++letter) {
        const char word[2] = {*letter, '\0'};
        if (strcmp(value, word) == 0 || strcmp(value, carom_scene_name(*letter)) == 0) {
            options->letter = *letter;
            return true;
        }
    }
    list_scenes(wanted);
    return false;
}

bool carom_scene_options_bodies(carom_scene_options *options, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    options->sized = true;
    snprintf(wanted, CAROM_WANTED_SIZE, "a whole number from 0 to %" PRIu64, CAROM_BODIES_MAX);
    return carom_argument_whole(value, 0, CAROM_BODIES_MAX, &options->bodies);
}

bool carom_scene_options_seed(carom_scene_options *options, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    options->sized = true;
    snprintf(wanted, CAROM_WANTED_SIZE, "a whole number from 0 to %" PRIu64, UINT64_MAX);
    return carom_argument_whole(value, 0, UINT64_MAX, &options->seed);
}

/* Index 0 of the kinds is for none. */
bool carom_scene_options_shapes(carom_scene_options *options, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    const char *names[CAROM_SCENE_KINDS - 1];
    for (int kind = 1; kind < CAROM_SCENE_KINDS; ++kind) {
        names[kind - 1] = carom_scene_kind_name((carom_scene_kind)kind);
    }
    const int choice = carom_choices_find(value, names, CAROM_SCENE_KINDS - 1, "a kind of shapes", wanted);
    options->shapes = choice >= 0 ? (carom_scene_kind)(choice + 1) : CAROM_SCENE_SPHERES;
    return choice >= 0;
}

carom_exit carom_scene_options_make(const carom_scene_options *options, carom_scene_f32 *scene) {
    carom_say_progress("making scene %c, %" PRIu64 " bodies ...", options->letter, options->bodies);
    const carom_status status = carom_scene_make(options->letter, options->bodies, options->seed, scene);
    carom_say_progress_end();
    if (status != CAROM_OK) {
        carom_say("scene %c with %" PRIu64 " bodies: %s", options->letter, options->bodies, carom_status_name(status));
    }
    return carom_say_exit_of(status);
}
