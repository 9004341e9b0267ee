/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In three parts: a function for each option, which parses one value; the table of options, from which the help is
 * made; and checks of options against one another, once all are known. No check is made while parsing, so the order of
 * options does not matter. */
#include "kernel/cli/detect_options.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernel/cli/argument.h"
#include "kernel/cli/choices.h"

/* Bounds of what is sensible on a command line. */
enum { REPEAT_MAX = 100000, FRAMES_MAX = 1000000, FRAMES_DEFAULT = 100, WORLDS_MAX = 1000000000 };

/* Words of the command line, in the order of the library's enums. */
static const char *const stage_names[] = {"bounds", "pairs", "approach", "groups"};
static const char *const neighbour_names[] = {"none", "half", "full"};
static const char *const method_names[] = {"auto", "sweep", "cells", "levels", "shared"};

enum { STAGES = sizeof stage_names / sizeof *stage_names };
enum { METHODS = sizeof method_names / sizeof *method_names };
enum { NEIGHBOUR_LISTS = sizeof neighbour_names / sizeof *neighbour_names };

/* One function for each option. Each stores its value and says in `wanted` what it would have taken. */
static bool set_scene(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_scene_options_letter(&((carom_detect_options *)into)->source.scene, value, wanted);
}

static bool set_bodies(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_scene_options_bodies(&((carom_detect_options *)into)->source.scene, value, wanted);
}

static bool set_seed(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_scene_options_seed(&((carom_detect_options *)into)->source.scene, value, wanted);
}

static bool set_shapes(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_scene_options_shapes(&((carom_detect_options *)into)->source.scene, value, wanted);
}

/* A file's options note that they were given: with a scene they are an error. */
static bool set_radius(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    carom_detect_options *options = into;
    options->source.reads = true;
    return carom_choices_real(value, 0, &options->source.radius, wanted);
}

static bool set_dt(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    carom_detect_options *options = into;
    options->source.reads = true;
    return carom_choices_real(value, -INFINITY, &options->source.dt, wanted);
}

static bool set_select(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    carom_detect_options *options = into;
    (void)wanted;
    options->source.reads = true;
    options->source.select = value;
    return true;
}

static bool set_threads(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_choices_count(value, CAROM_THREADS_MAX, &((carom_detect_options *)into)->call.threads, wanted);
}

static bool set_repeat(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_choices_count(value, REPEAT_MAX, &((carom_detect_options *)into)->call.repeat, wanted);
}

static bool set_isa(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    ((carom_detect_options *)into)->call.isa = value;
    return carom_choices_isa(value, wanted);
}

static bool set_precision(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    carom_detect_options *options = into;
    options->source.precise = true;
    return carom_choices_precision(value, &options->source.f64, wanted);
}

static bool set_format(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    carom_detect_options *options = into;
    options->source.reads = true;
    return carom_choices_format(value, false, &options->source.format, wanted);
}

static bool set_list_format(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_choices_format(value, true, &((carom_detect_options *)into)->output.lists, wanted);
}

static bool set_until(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    const int choice = carom_choices_find(value, stage_names, STAGES, "a stage", wanted);
    if (choice >= 0) {
        ((carom_detect_options *)into)->call.until = (carom_until)choice;
    }
    return choice >= 0;
}

static bool set_method(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    const int choice = carom_choices_find(value, method_names, METHODS, "a method", wanted);
    if (choice >= 0) {
        ((carom_detect_options *)into)->call.method = (carom_method)choice;
    }
    return choice >= 0;
}

static bool set_neighbours(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    const int choice = carom_choices_find(value, neighbour_names, NEIGHBOUR_LISTS, "a kind of list", wanted);
    if (choice >= 0) {
        ((carom_detect_options *)into)->call.neighbours = (carom_neighbour_list)choice;
    }
    return choice >= 0;
}

static bool set_count_only(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_choices_flag(value, &((carom_detect_options *)into)->call.count_only, wanted);
}

static bool set_approaching(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    (void)value;
    (void)wanted;
    ((carom_detect_options *)into)->call.approaching = true;
    return true;
}

static bool set_margin(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    carom_detect_options *options = into;
    options->source.margin = true;
    return carom_choices_real(value, 0, &options->call.margin, wanted);
}

const char *carom_detect_options_method(const carom_detect_options *options) {
    return method_names[options->call.method];
}

FILE *carom_detect_options_stream(const carom_detect_options *options) {
    return options->output.to_stdout ? stderr : stdout;
}

const char *carom_detect_options_neighbours(const carom_detect_options *options) {
    return neighbour_names[options->call.neighbours];
}

static bool set_json(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_choices_flag(value, &((carom_detect_options *)into)->output.json, wanted);
}

static bool set_coherent(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_choices_flag(value, &((carom_detect_options *)into)->motion.coherent, wanted);
}

static bool set_frames(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_choices_count(value, FRAMES_MAX, &((carom_detect_options *)into)->motion.frames, wanted);
}

static bool set_displacement(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_choices_real(value, -INFINITY, &((carom_detect_options *)into)->motion.displacement, wanted);
}

static bool set_hash(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_choices_flag(value, &((carom_detect_options *)into)->motion.hash, wanted);
}

static bool set_worlds(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    uint32_t worlds = 0;
    const bool right = carom_choices_count(value, WORLDS_MAX, &worlds, wanted);
    ((carom_detect_options *)into)->source.worlds = worlds;
    return right;
}

static bool set_pairs(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_choices_path(value, &((carom_detect_options *)into)->output.pairs, wanted);
}

static bool set_all_pairs(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_choices_path(value, &((carom_detect_options *)into)->output.all_pairs, wanted);
}

static bool set_groups(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_choices_path(value, &((carom_detect_options *)into)->output.groups, wanted);
}

static bool set_periodic(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    carom_detect_options *options = into;
    options->source.periodic = value;
    return carom_choices_axes(value, options->source.along, wanted);
}

static bool set_self_images(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_choices_flag(value, &((carom_detect_options *)into)->source.self_images, wanted);
}

static bool set_expect(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    carom_detect_options *options = into;
    snprintf(wanted, CAROM_WANTED_SIZE, "a hash of 16 hexadecimal digits");
    options->output.expects = true;
    return carom_argument_hash(value, &options->output.expected);
}

/* In the order of the help: the bodies, the files, how to run, motion, the report. */
static const carom_option detect_option_table[] = {
    {"scene", "LETTER", "standard scene: u uniform, d dense, p power-law, c clustered, l slab, a column", set_scene},
    {"bodies", "N", "bodies in the scene (default 1000000; 1e6 is a number too)", set_bodies},
    {"seed", "S", "seed of the scene's random numbers (default 1)", set_seed},
    {"shapes", "KIND", "of a scene: bodies with shapes and rotations: boxes, capsules, hulls or mixed", set_shapes},
    {"worlds", "W",
     "W scenes of N bodies each, seeds S, S + 1, ..., or W equal parts of a file: pairs only within each", set_worlds},
    {"radius", "R", "radius of every body, in the file's unit of length; overrides the file's", set_radius},
    {"select", "GLOB", "keep only bodies whose atom or type name matches, e.g. 'OW'", set_select},
    {"dt", "DT", "step: curr = prev + velocity * DT, in the file's unit of time (default 1)", set_dt},
    {"periodic", "AXES", "repeat space along these edges of the file's or scene's box: xyz, xy, x, ...", set_periodic},
    {"self-images", NULL, "with --periodic: bodies may be of any size, and meet their own images too", set_self_images},
    {"format", "NAME", "the file's format: csv, npy, gro, xyz, lammps-data, lammps-dump (default: told by content)",
     set_format},
    {"pairs", "OUT", "write every touching pair: i, k, t_ca, distance, t_toi, normal, point, shift, children",
     set_pairs},
    {"all-pairs", "OUT",
     "write every box pair: i, k, t_ca, distance, t_toi (empty if they do not touch), shift, children", set_all_pairs},
    {"groups", "OUT", "write the members of every group: group, body", set_groups},
    {"list-format", "NAME", "of these three files: csv or npy (default: npy if OUT ends in .npy, else csv)",
     set_list_format},
    {"threads", "T", "threads (default: as many as the host allows)", set_threads},
    {"isa", "NAME", "instruction set; `carom info` lists them (default: CAROM_ISA, else the best)", set_isa},
    {"precision", "P", "f32 or f64 bodies and results (default: f32 for a scene, f64 for a file)", set_precision},
    {"until", "STAGE", "last stage to run: bounds, pairs, approach or groups (default groups)", set_until},
    {"method", "NAME", "broad phase: auto, sweep, cells, levels or shared (default auto: by predicted cost)",
     set_method},
    {"count-only", NULL, "store no pairs, only count and group them", set_count_only},
    {"approaching", NULL, "of the pairs that touch, take only those that approach each other", set_approaching},
    {"margin", "D", "of shapes: those within this distance of each other count as touching (default 0)", set_margin},
    {"neighbours", "LIST", "also list every body's neighbours: half (only k > i), full or none (default none)",
     set_neighbours},
    {"repeat", "R", "timed calls; times are of the one with the median total (default 1)", set_repeat},
    {"frames", "F",
     "move on for F steps; a scene bounces in its box, shapes of a file fly on (times are of the median total)",
     set_frames},
    {"displacement", "SCALE", "of bodies in motion: displacements and spins times SCALE (default 1)", set_displacement},
    {"coherent", NULL, "detect each step from what is kept of the one before (without --frames: 100 steps)",
     set_coherent},
    {"hash", NULL,
     "also print each step's result hash, and exit with 1 if --coherent changes it (times then include hashing)",
     set_hash},
    {"json", NULL, "print one JSON object instead of a table", set_json},
    {"expect", "HASH", "exit with 1 unless touching_hash is this (16 hexadecimal digits); of frames the last's",
     set_expect},
};

const carom_command carom_detect_options_command = {
    .name = "detect",
    .summary = "Finds every pair of moving bodies that touches during one step, when, and in which group.",
    .examples = "  carom detect --scene u --bodies 1000000 --seed 1\n"
                "  carom detect --scene c --bodies 1e5 --threads 1 --repeat 5 --json\n"
                "  carom detect --scene u --bodies 1e5 --shapes mixed\n"
                "  carom detect shapes.json --margin 0.01 --frames 100\n"
                "  carom detect --scene u --bodies 100 --worlds 4096 --threads 2\n"
                "  carom detect water.gro --radius 0.175 --select OW --periodic xyz\n"
                "  carom detect --scene u --frames 100 --displacement 0.05 --coherent --hash\n"
                "  carom detect water.gro --radius 0.15 --select OW --dt 0.002 --pairs pairs.csv\n"
                "  zcat dump.gz | carom detect - --radius 0.5 --pairs - >pairs.csv\n",
    .usage = "  carom detect --scene LETTER [--bodies N] [--seed S] [--worlds W] [options]\n"
             "  carom detect --scene LETTER --shapes KIND [--margin D] [options]\n"
             "  carom detect FILE [--radius R] [--select GLOB] [--dt DT] [--worlds W] [options]\n"
             "  carom detect SHAPES.json [--margin D] [options]\n"
             "  carom detect (--scene LETTER | SHAPES.json) --frames F [--coherent] [--displacement SCALE] [--hash] "
             "[options]\n",
    .notes =
        "FILE is GROMACS .gro, extended XYZ, CSV with a header, LAMMPS data or dump, or NumPy .npy, told by content, "
        "and\n"
        "may be packed by gzip. - is standard input. Bodies with shapes are JSON (shaped_schema.json).\n"
        "OUT is CSV or, with the suffix .npy, a NumPy array of records. It appears when it is complete. - is standard\n"
        "output; the report then goes to stderr. Of bodies in motion it has the last frame.\n"
        "Times are of the detect call alone, after one untimed call that grows the buffers and finds the hashes.\n"
        "Exit codes: 0 ok, 1 a check failed, 2 usage, 3 bad input, 4 out of memory or disk.\n",
    .options = detect_option_table,
    .option_count = sizeof detect_option_table / sizeof *detect_option_table,
    .operands = 1,
};

/* Exactly one source, with options of its own only. An option without effect is an error: the user expects one. */
static carom_exit check_source(const carom_detect_options *options) {
    const carom_command *command = &carom_detect_options_command;
    if (options->source.file == NULL && options->source.scene.letter == '\0') {
        return carom_options_refuse(command, "nothing to detect in: give --scene LETTER or a FILE");
    }
    if (options->source.file != NULL && options->source.scene.letter != '\0') {
        return carom_options_refuse(command, "both --scene and a file ('%s'): give one of them", options->source.file);
    }
    if (options->source.file != NULL && options->source.scene.sized) {
        return carom_options_refuse(command, "--bodies and --seed belong to a scene, not to a file ('%s')",
                                    options->source.file);
    }
    if (options->source.file != NULL && options->source.scene.shapes != CAROM_SCENE_SPHERES) {
        return carom_options_refuse(command, "--shapes belongs to a scene, not to a file ('%s')", options->source.file);
    }
    if (options->source.file == NULL && options->source.reads) {
        return carom_options_refuse(command, "--radius, --select, --dt and --format belong to a file, not to a scene");
    }
    if (options->source.file == NULL && options->source.margin && options->source.scene.shapes == CAROM_SCENE_SPHERES) {
        return carom_options_refuse(command, "--margin belongs to bodies with shapes: give --shapes or a JSON file");
    }
    if (options->source.self_images && options->source.periodic == NULL) {
        return carom_options_refuse(command, "--self-images needs --periodic");
    }
    return CAROM_EXIT_OK;
}

/* Every output needs its stage. */
static carom_exit check_stage(const carom_detect_options *options) {
    const carom_command *command = &carom_detect_options_command;
    const char *stage = stage_names[options->call.until];
    if (options->output.pairs != NULL && options->call.until < CAROM_UNTIL_APPROACH) {
        return carom_options_refuse(command, "--pairs needs the stage approach, but --until is %s", stage);
    }
    if (options->output.all_pairs != NULL && options->call.until < CAROM_UNTIL_APPROACH) {
        return carom_options_refuse(command, "--all-pairs needs the stage approach, but --until is %s", stage);
    }
    if (options->output.groups != NULL && options->call.until < CAROM_UNTIL_GROUPS) {
        return carom_options_refuse(command, "--groups needs the stage groups, but --until is %s", stage);
    }
    if (options->call.neighbours != CAROM_NEIGHBOURS_NONE && options->call.until < CAROM_UNTIL_PAIRS) {
        return carom_options_refuse(command, "--neighbours needs the stage pairs, but --until is %s", stage);
    }
    if (options->call.neighbours != CAROM_NEIGHBOURS_NONE && options->call.count_only) {
        return carom_options_refuse(command, "--neighbours are made from stored pairs, but --count-only stores none");
    }
    if (options->call.approaching && options->call.until < CAROM_UNTIL_APPROACH) {
        return carom_options_refuse(command, "--approaching needs the stage approach, but --until is %s", stage);
    }
    if (options->call.approaching && options->output.all_pairs != NULL) {
        return carom_options_refuse(command, "--approaching leaves out pairs that --all-pairs asks for");
    }
    if (options->output.expects && options->call.until < CAROM_UNTIL_APPROACH) {
        return carom_options_refuse(command, "--expect needs the stage approach, but --until is %s", stage);
    }
    return CAROM_EXIT_OK;
}

/* Either bodies in motion or one step. Sets the defaults of motion; frames stays 0 without it. */
static carom_exit check_motion(carom_detect_options *options) {
    const carom_command *command = &carom_detect_options_command;
    if (options->motion.frames == 0 && !options->motion.coherent) {
        if (options->motion.hash || !isnan(options->motion.displacement)) {
            return carom_options_refuse(command, "--%s belongs to --frames or --coherent",
                                        options->motion.hash ? "hash" : "displacement");
        }
        return CAROM_EXIT_OK;
    }
    const char *moves = options->motion.coherent ? "coherent" : "frames";
    options->source.moves = moves;
    if (options->call.repeat != 1) {
        return carom_options_refuse(command, "--repeat does not go with --%s, whose times are those of the frames",
                                    moves);
    }
    if (options->motion.coherent && options->source.self_images) {
        return carom_options_refuse(
            command, "--self-images does not go with --coherent: no list is kept of a body's own images");
    }
    options->motion.frames = options->motion.frames != 0 ? options->motion.frames : FRAMES_DEFAULT;
    options->motion.displacement = isnan(options->motion.displacement) ? 1 : options->motion.displacement;
    return CAROM_EXIT_OK;
}

/* The first option that many worlds do not go with, or NULL. */
static const char *option_against_worlds(const carom_detect_options *options) {
    const struct {
        const char *name;
        bool given;
    } refused[] = {{"periodic", options->source.periodic != NULL},
                   {"all-pairs", options->output.all_pairs != NULL},
                   {"groups", options->output.groups != NULL},
                   {"method", options->call.method != CAROM_METHOD_AUTO},
                   {"neighbours", options->call.neighbours != CAROM_NEIGHBOURS_NONE},
                   {"coherent", options->motion.coherent},
                   {"frames", options->motion.frames > 0}};
    for (size_t n = 0; n < sizeof refused / sizeof *refused; n++) {
        if (refused[n].given) {
            return refused[n].name;
        }
    }
    return NULL;
}

static carom_exit check_worlds(const carom_detect_options *options) {
    const carom_command *command = &carom_detect_options_command;
    const carom_source_options *source = &options->source;
    const char *against = option_against_worlds(options);
    if (source->worlds == 0) {
        return CAROM_EXIT_OK;
    }
    if (source->scene.shapes != CAROM_SCENE_SPHERES) {
        return carom_options_refuse(command, "--shapes does not go with --worlds, which is for spheres");
    }
    if (against != NULL) {
        return carom_options_refuse(command, "--%s does not go with --worlds", against);
    }
    if (options->call.until < CAROM_UNTIL_PAIRS) {
        return carom_options_refuse(command, "--worlds needs the stage pairs, but --until is %s",
                                    stage_names[options->call.until]);
    }
    if (source->file == NULL && source->scene.bodies > CAROM_BODIES_MAX / source->worlds) {
        return carom_options_refuse(command,
                                    "%" PRIu64 " worlds of %" PRIu64 " bodies are more than %u bodies (see --bodies)",
                                    source->worlds, source->scene.bodies, (unsigned)CAROM_BODIES_MAX);
    }
    return CAROM_EXIT_OK;
}

/* Nothing that is read may be written, and nothing twice. */
static carom_exit check_files(carom_detect_options *options) {
    const carom_file_option outputs[] = {{"--pairs", options->output.pairs},
                                         {"--all-pairs", options->output.all_pairs},
                                         {"--groups", options->output.groups}};
    const size_t count = sizeof outputs / sizeof *outputs;
    options->output.to_stdout = carom_files_use_stdout(outputs, count);
    return carom_files_check(&carom_detect_options_command, options->source.file, outputs, count);
}

carom_exit carom_detect_options_parse(const carom_invocation *invocation, int argc, char **argv,
                                      carom_detect_options *options, bool *help) {
    *options = (carom_detect_options){
        .invocation = invocation,
        .source = {.scene = carom_scene_options_default(), .radius = NAN, .dt = 1},
        .call = {.until = CAROM_UNTIL_GROUPS, .repeat = 1},
        .motion = {.displacement = NAN},
    };
    carom_parsed parsed;
    carom_exit outcome = carom_options_parse(&carom_detect_options_command, argc, argv, options, &parsed);
    *help = parsed.help;
    if (outcome != CAROM_EXIT_OK || parsed.help) {
        return outcome;
    }
    options->source.file = parsed.count > 0 ? parsed.operands[0] : NULL;
    /* A file's digits are more than a float holds; a scene is made in float. */
    options->source.f64 = options->source.precise ? options->source.f64 : options->source.file != NULL;
    /* The first complaint ends it: one message at a time. */
    outcome = check_source(options);
    outcome = outcome == CAROM_EXIT_OK ? check_stage(options) : outcome;
    outcome = outcome == CAROM_EXIT_OK ? check_motion(options) : outcome;
    outcome = outcome == CAROM_EXIT_OK ? check_worlds(options) : outcome;
    return outcome == CAROM_EXIT_OK ? check_files(options) : outcome;
}
