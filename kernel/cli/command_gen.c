/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/command_gen.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kernel/cli/json_read.h"
#include "kernel/cli/scene_options.h"
#include "kernel/cli/shaped_scene.h"
#include "kernel/cli/shaped_write.h"
#include "kernel/io/place.h"
#include "kernel/io/write.h"

/* What was asked for. */
typedef struct gen_options {
    carom_scene_options scene;
    carom_write_options write;
    bool json; /* --format json */
} gen_options;

static bool set_scene(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_scene_options_letter(&((gen_options *)into)->scene, value, wanted);
}

static bool set_bodies(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_scene_options_bodies(&((gen_options *)into)->scene, value, wanted);
}

static bool set_seed(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_scene_options_seed(&((gen_options *)into)->scene, value, wanted);
}

static bool set_shapes(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_scene_options_shapes(&((gen_options *)into)->scene, value, wanted);
}

static bool set_format(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    static const carom_format formats[] = {CAROM_FORMAT_NPY, CAROM_FORMAT_CSV, CAROM_FORMAT_XYZ};
    snprintf(wanted, CAROM_WANTED_SIZE, "a format to write; there are npy, csv, xyz, and json for shapes");
    ((gen_options *)into)->json = strcmp(value, "json") == 0;
    ((gen_options *)into)->write.format = CAROM_FORMAT_UNKNOWN;
    for (size_t n = 0; n < sizeof formats / sizeof *formats; ++n) {
        if (strcmp(value, carom_format_name(formats[n])) == 0) {
            ((gen_options *)into)->write.format = formats[n];
            return true;
        }
    }
    return ((gen_options *)into)->json;
}

static bool set_precision(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    snprintf(wanted, CAROM_WANTED_SIZE, "a precision; there are f32, f64");
    const bool wide = strcmp(value, "f64") == 0;
    ((gen_options *)into)->write.precision = wide ? CAROM_WRITE_F64 : CAROM_WRITE_F32;
    return wide || strcmp(value, "f32") == 0;
}

static const carom_option option_table[] = {
    {"scene", "LETTER", "u uniform, d dense, p power-law, c clustered, l slab, a column", set_scene},
    {"bodies", "N", "number of bodies (default 1000000; 1e6 is a number too)", set_bodies},
    {"seed", "S", "seed of the random numbers (default 1)", set_seed},
    {"shapes", "KIND", "bodies with shapes and rotations: boxes, capsules, hulls or mixed (default: spheres)",
     set_shapes},
    {"format", "NAME", "npy, csv or xyz; json with --shapes (default: what OUT's suffix names)", set_format},
    {"precision", "P", "f32 (9 digits in text) or f64 (17) (default: f32 in .npy, f64 in text: nothing is lost)",
     set_precision},
};

const carom_command carom_command_gen_description = {
    .name = "gen",
    .summary = "Writes a standard scene to a file.",
    .examples = "  carom gen --scene u --bodies 1000000 --seed 1 scene.npy\n"
                "  carom gen --scene d --bodies 1e5 box.xyz\n"
                "  carom gen --scene c --bodies 1e4 --format npy - | carom detect -\n"
                "  carom gen --scene u --bodies 1000 --shapes mixed shapes.json\n",
    .usage = "  carom gen --scene LETTER [--bodies N] [--seed S] [--shapes KIND] [--format NAME] [--precision P] OUT\n",
    .notes =
        "OUT is NumPy .npy, .csv or .xyz (extended XYZ), which also has the scene's box for detect --periodic.\n"
        "Scenes with shapes are .json: a table of shapes, and bodies with rotations and spins. Each shape lies within\n"
        "the sphere that its body would be. OUT appears when it is complete. - is standard output.\n",
    .options = option_table,
    .option_count = sizeof option_table / sizeof *option_table,
    .operands = 1,
};

/* Of scenes with shapes there is one format, so standard output needs no option. */
static carom_exit check_shapes_format(const char *path, const gen_options *options) {
    const bool other = options->write.format != CAROM_FORMAT_UNKNOWN;
    if (!other && (options->json || carom_place_is_stdout(path) || carom_json_is_named(path))) {
        return CAROM_EXIT_OK;
    }
    return carom_options_refuse(&carom_command_gen_description,
                                "--shapes: scenes with shapes are JSON, and %s%s%s is not: name it .json%s",
                                other ? "--format " : "'", other ? carom_format_name(options->write.format) : path,
                                other ? "" : "'", other ? "" : ", or give --format json");
}

/* Refused before the scene is made: a misspelt suffix should not cost a minute. */
static carom_exit check_format(const char *path, const gen_options *options) {
    if (options->scene.shapes != CAROM_SCENE_SPHERES) {
        return check_shapes_format(path, options);
    }
    if (options->json) {
        return carom_options_refuse(&carom_command_gen_description, "--format json is for shapes: give --shapes");
    }
    if (carom_write_bodies_format(path, &options->write) != CAROM_FORMAT_UNKNOWN) {
        return CAROM_EXIT_OK;
    }
    return carom_options_refuse(&carom_command_gen_description,
                                "'%s' has none of the suffixes .npy, .csv, .xyz: give --format%s", path,
                                carom_json_is_named(path) ? ", or --shapes for .json" : "");
}

/* A file that cannot be written is the disk's fault, not the input's. */
static carom_exit finish(carom_status status, const carom_written *written, const carom_error *error) {
    carom_say_progress_end();
    if (status == CAROM_OK) {
        carom_say("wrote %" PRIu64 " bodies to %s%s", written->rows, written->to,
                  written->replaced ? ", replacing what was there" : "");
        return CAROM_EXIT_OK;
    }
    const carom_exit outcome = carom_say_error(status, error);
    return status == CAROM_ERROR_FILE ? CAROM_EXIT_RESOURCES : outcome;
}

static carom_exit write_scene(const carom_scene_f32 *scene, const char *path, const carom_write_options *options) {
    carom_error error = {.status = CAROM_OK};
    carom_written written = {.rows = 0};
    const carom_bodies_f32 bodies = carom_scene_bodies(scene);
    carom_say_progress("writing %s ...", path);
    const carom_status status = carom_write_bodies_f32(path, &bodies, options, &written, &error);
    return finish(status, &written, &error);
}

/* The same with shapes. */
static carom_exit generate_shapes(const gen_options *options, const char *path) {
    carom_error error = {.status = CAROM_OK};
    carom_written written = {.rows = 0};
    carom_shaped shaped;
    carom_exit outcome = carom_shaped_scene_make(&options->scene, &shaped);
    if (outcome == CAROM_EXIT_OK) {
        carom_say_progress("writing %s ...", path);
        const carom_status status = carom_shaped_write(path, &shaped, options->write.precision, &written, &error);
        outcome = finish(status, &written, &error);
    }
    carom_shaped_release(&shaped);
    return outcome;
}

static bool has_box(const carom_scene_f32 *scene) {
    return scene->box[0] > 0 && scene->box[1] > 0 && scene->box[2] > 0;
}

/* Makes the scene, writes it, releases it. */
static carom_exit generate(const gen_options *options, const char *path) {
    carom_exit outcome = check_format(path, options);
    if (outcome != CAROM_EXIT_OK) {
        return outcome;
    }
    if (options->scene.shapes != CAROM_SCENE_SPHERES) {
        return generate_shapes(options, path);
    }
    carom_scene_f32 scene;
    outcome = carom_scene_options_make(&options->scene, &scene);
    if (outcome == CAROM_EXIT_OK) {
        carom_write_options write = options->write;
        write.box = has_box(&scene) ? scene.box : NULL;
        outcome = write_scene(&scene, path, &write);
    }
    carom_scene_release(&scene);
    return outcome;
}

carom_exit carom_command_gen(const carom_invocation *invocation, int argc, char **argv) {
    (void)invocation;
    gen_options options = {.scene = carom_scene_options_default()};
    carom_parsed parsed;
    const carom_exit outcome = carom_options_parse(&carom_command_gen_description, argc, argv, &options, &parsed);
    if (outcome != CAROM_EXIT_OK || parsed.help) {
        return outcome;
    }
    /* There is no scene by default: a file that nobody asked for should not be written. */
    if (options.scene.letter == '\0') {
        return carom_options_refuse(&carom_command_gen_description, "which scene? Give --scene LETTER");
    }
    if (parsed.count == 0) {
        return carom_options_refuse(&carom_command_gen_description, "no file to write: give OUT");
    }
    return generate(&options, parsed.operands[0]);
}
