/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/command_gen.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kernel/cli/scene_options.h"
#include "kernel/io/write.h"

/* The options of a scene stand alone here: `into` is a carom_scene_options. */
static bool set_scene(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_scene_options_letter(into, value, wanted);
}

static bool set_bodies(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_scene_options_bodies(into, value, wanted);
}

static bool set_seed(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_scene_options_seed(into, value, wanted);
}

static const carom_option option_table[] = {
    {"scene", "LETTER", "u uniform, d dense, p power-law, c clustered, l slab, a column", set_scene},
    {"bodies", "N", "number of bodies (default 1000000; 1e6 is a number too)", set_bodies},
    {"seed", "S", "seed of the random numbers (default 1)", set_seed},
};

const carom_command carom_command_gen_description = {
    .name = "gen",
    .summary = "Writes a standard scene to a file.",
    .examples = "  carom gen --scene u --bodies 1000000 --seed 1 scene.npy\n"
                "  carom gen --scene c --bodies 1e4 clusters.csv\n",
    .usage = "  carom gen --scene LETTER [--bodies N] [--seed S] OUT\n",
    .notes = "OUT's suffix chooses the format: .npy (NumPy), .csv or .xyz (extended XYZ).\n",
    .options = option_table,
    .option_count = sizeof option_table / sizeof *option_table,
    .operands = 1,
};

/* Refused before the scene is made: a misspelt suffix should not cost a minute. */
static carom_exit check_suffix(const char *path) {
    static const char *const suffixes[] = {".npy", ".csv", ".xyz"};
    const char *dot = strrchr(path, '.');
    for (size_t index = 0; dot != NULL && index < sizeof suffixes / sizeof *suffixes; ++index) {
        if (strcmp(dot, suffixes[index]) == 0) {
            return CAROM_EXIT_OK;
        }
    }
    return carom_options_refuse(&carom_command_gen_description, "'%s' has none of the suffixes .npy, .csv, .xyz", path);
}

/* A file that cannot be written is the disk's fault, not the input's. */
static carom_exit write_scene(const carom_scene_f32 *scene, const char *path) {
    carom_error error = {.status = CAROM_OK};
    const carom_bodies_f32 bodies = carom_scene_bodies(scene);
    carom_say_progress("writing %s ...", path);
    const carom_status status = carom_write_bodies_f32(path, &bodies, &error);
    carom_say_progress_end();
    if (status == CAROM_OK) {
        carom_say("wrote %" PRIu64 " bodies to %s", scene->count, path);
        return CAROM_EXIT_OK;
    }
    const carom_exit outcome = carom_say_error(status, &error);
    return status == CAROM_ERROR_FILE ? CAROM_EXIT_RESOURCES : outcome;
}

/* Makes the scene, writes it, releases it. */
static carom_exit generate(const carom_scene_options *options, const char *path) {
    carom_exit outcome = check_suffix(path);
    if (outcome != CAROM_EXIT_OK) {
        return outcome;
    }
    carom_scene_f32 scene;
    outcome = carom_scene_options_make(options, &scene);
    if (outcome == CAROM_EXIT_OK) {
        outcome = write_scene(&scene, path);
    }
    carom_scene_release(&scene);
    return outcome;
}

carom_exit carom_command_gen(int argc, char **argv) {
    carom_scene_options options = carom_scene_options_default();
    carom_parsed parsed;
    const carom_exit outcome = carom_options_parse(&carom_command_gen_description, argc, argv, &options, &parsed);
    if (outcome != CAROM_EXIT_OK || parsed.help) {
        return outcome;
    }
    /* There is no scene by default: a file that nobody asked for should not be written. */
    if (options.letter == '\0') {
        return carom_options_refuse(&carom_command_gen_description, "which scene? Give --scene LETTER");
    }
    if (parsed.count == 0) {
        return carom_options_refuse(&carom_command_gen_description, "no file to write: give OUT");
    }
    return generate(&options, parsed.operands[0]);
}
