/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A function for each option, the table of options, and checks of options against one another once all are known. */
#include "kernel/cli/run_options.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "carom/context.h"
#include "kernel/cli/argument.h"
#include "kernel/cli/choices.h"
#include "kernel/cli/files.h"

/* Bytes of a number within a list of numbers. */
enum { NUMBER_SIZE = 64 };

static bool set_scene(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_scene_options_letter(&((carom_run_options *)into)->source.scene, value, wanted);
}

static bool set_bodies(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_scene_options_bodies(&((carom_run_options *)into)->source.scene, value, wanted);
}

static bool set_seed(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_scene_options_seed(&((carom_run_options *)into)->source.scene, value, wanted);
}

static bool set_radius(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_choices_real(value, 0, &((carom_run_options *)into)->source.radius, wanted);
}

static bool set_select(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    (void)wanted;
    ((carom_run_options *)into)->source.select = value;
    return true;
}

static bool set_format(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_choices_format(value, false, &((carom_run_options *)into)->source.format, wanted);
}

static bool set_precision(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    carom_run_options *options = into;
    options->source.precise = true;
    return carom_choices_precision(value, &options->source.f64, wanted);
}

static bool set_walls(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_choices_flag(value, &((carom_run_options *)into)->source.walls, wanted);
}

static bool set_periodic(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    carom_run_options *options = into;
    options->source.periodic = value;
    return carom_choices_axes(value, options->source.along, wanted);
}

static bool set_steps(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    snprintf(wanted, CAROM_WANTED_SIZE, "a whole number from 1 to %" PRIu64, CAROM_RUN_STEPS_MAX);
    return carom_argument_whole(value, 1, CAROM_RUN_STEPS_MAX, &((carom_run_options *)into)->rules.steps);
}

static bool set_dt(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    double *dt = &((carom_run_options *)into)->rules.dt;
    snprintf(wanted, CAROM_WANTED_SIZE, "a number above 0");
    return carom_argument_real(value, dt) && *dt > 0;
}

/* Three numbers with commas between them. */
static bool set_gravity(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    carom_run_options *options = into;
    snprintf(wanted, CAROM_WANTED_SIZE, "three numbers x,y,z, such as 0,0,-9.81");
    for (int axis = 0; axis < 3; ++axis) {
        char number[NUMBER_SIZE];
        const size_t length = strcspn(value, ",");
        const char end = axis < 2 ? ',' : '\0';
        if (length >= sizeof number || value[length] != end) {
            return false;
        }
        memcpy(number, value, length);
        number[length] = '\0';
        if (!carom_argument_real(number, &options->rules.gravity[axis])) {
            return false;
        }
        value += length + 1;
    }
    return true;
}

static bool set_restitution(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    double *restitution = &((carom_run_options *)into)->rules.restitution;
    snprintf(wanted, CAROM_WANTED_SIZE, "a number from 0 to 1");
    return carom_argument_real(value, restitution) && *restitution >= 0 && *restitution <= 1;
}

static bool set_rest_speed(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_choices_real(value, 0, &((carom_run_options *)into)->rules.rest_speed, wanted);
}

static bool set_contact_time(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_choices_real(value, 0, &((carom_run_options *)into)->rules.contact_time, wanted);
}

static bool set_budget(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_choices_count(value, CAROM_BUDGET_MAX, &((carom_run_options *)into)->rules.budget, wanted);
}

/* A second response would silently replace the first. */
static bool set_response(void *into, carom_response response, char wanted[CAROM_WANTED_SIZE]) {
    int *chosen = &((carom_run_options *)into)->rules.response;
    snprintf(wanted, CAROM_WANTED_SIZE, "allowed beside the other response: give --merge or --report-only");
    const bool first = *chosen < 0 || *chosen == (int)response;
    *chosen = (int)response;
    return first;
}

static bool set_merge(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    (void)value;
    return set_response(into, CAROM_RESPONSE_MERGE, wanted);
}

static bool set_report_only(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    (void)value;
    return set_response(into, CAROM_RESPONSE_REPORT, wanted);
}

static bool set_threads(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_choices_count(value, CAROM_THREADS_MAX, &((carom_run_options *)into)->threads, wanted);
}

static bool set_isa(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    ((carom_run_options *)into)->isa = value;
    return carom_choices_isa(value, wanted);
}

static bool set_out(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_choices_path(value, &((carom_run_options *)into)->output.folder, wanted);
}

static bool set_every(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    snprintf(wanted, CAROM_WANTED_SIZE, "a whole number from 1 to %" PRIu64, CAROM_RUN_STEPS_MAX);
    return carom_argument_whole(value, 1, CAROM_RUN_STEPS_MAX, &((carom_run_options *)into)->output.every);
}

static bool set_events(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_choices_path(value, &((carom_run_options *)into)->output.events, wanted);
}

static bool set_state(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_choices_path(value, &((carom_run_options *)into)->output.state, wanted);
}

static bool set_snapshot(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_choices_path(value, &((carom_run_options *)into)->output.snapshot, wanted);
}

static bool set_pressure(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_choices_flag(value, &((carom_run_options *)into)->output.pressure, wanted);
}

static bool set_json(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_choices_flag(value, &((carom_run_options *)into)->output.json, wanted);
}

/* In the order of the help: the bodies, what is around them, the rules, how to run, what comes out. */
static const carom_option option_table[] = {
    {"scene", "LETTER", "standard scene: u uniform, d dense, p power-law, c clustered, l slab, a column", set_scene},
    {"bodies", "N", "bodies in the scene (default 1000000; 1e6 is a number too)", set_bodies},
    {"seed", "S", "seed of the scene's random numbers (default 1)", set_seed},
    {"radius", "R", "radius of every body of the file; overrides the file's", set_radius},
    {"select", "GLOB", "keep only bodies of the file whose atom or type name matches, e.g. 'OW'", set_select},
    {"format", "NAME", "format of a file of bodies: csv, npy, gro, xyz, lammps-data, lammps-dump", set_format},
    {"walls", NULL, "six planes around all bodies: wall-x, wall+x, wall-y, ...", set_walls},
    {"periodic", "AXES", "repeat space along these edges of the file's or scene's box: xyz, xy, x, ...", set_periodic},
    {"steps", "S", "number of steps", set_steps},
    {"dt", "DT", "length of a step, in units of time (default 1)", set_dt},
    {"gravity", "X,Y,Z", "acceleration of all bodies (default 0,0,0)", set_gravity},
    {"restitution", "E", "of bodies without their own, 0 to 1 (default 1: elastic)", set_restitution},
    {"rest-speed", "V", "nothing bounces that approaches more slowly than this: for single bodies (default 0)",
     set_rest_speed},
    {"contact-time", "T",
     "bodies that hit something less than T ago bounce without loss: for heaps, DT / 100 or more (default 0: never)",
     set_contact_time},
    {"budget", "N", "impacts of a body in a step, after which it is held until the step ends (default 10000)",
     set_budget},
    {"merge", NULL, "bodies that touch become one when the step ends", set_merge},
    {"report-only", NULL, "bodies go through one another; impacts are only reported", set_report_only},
    {"precision", "P", "f32 or f64 (default: f32 for a scene, f64 for a file)", set_precision},
    {"threads", "T", "threads (default: as many as the host allows)", set_threads},
    {"isa", "NAME", "instruction set; `carom info` lists them (default: CAROM_ISA, else the best)", set_isa},
    {"out", "DIR", "write frames for viewers: extended XYZ, and .vtp files with .pvd lists", set_out},
    {"every", "K", "with --out: a frame every K steps, besides the first and the last (default 1)", set_every},
    {"events", "FILE", "write every impact: step, t, i, k, x, y, z, nx, ny, nz, impulse", set_events},
    {"state", "FILE", "write the bodies after the last step: id, x, y, z, vx, vy, vz", set_state},
    {"snapshot", "FILE", "write all that the next steps depend on; carom run FILE goes on from there", set_snapshot},
    {"pressure", NULL, "also find the virial of the impacts and the compressibility factor", set_pressure},
    {"json", NULL, "print one JSON object instead of a table", set_json},
};

const carom_command carom_run_options_command = {
    .name = "run",
    .summary = "Steps bodies that collide, with every impact in the order of time.",
    .examples = "  carom run --scene u --bodies 100000 --steps 100 --periodic xyz --pressure\n"
                "  carom run --scene d --bodies 1e4 --steps 200 --restitution 0.9 --walls --out frames --every 10\n"
                "  carom run balls.csv --steps 500 --dt 0.01 --gravity 0,0,-9.81 --events hits.csv --state end.csv\n"
                "  carom run table.json --json\n"
                "  carom run table.json --steps 100 --snapshot table.carom && carom run table.carom --steps 100\n",
    .usage = "  carom run --scene LETTER [--bodies N] [--seed S] --steps S [options]\n"
             "  carom run FILE [--radius R] [--select GLOB] --steps S [options]\n"
             "  carom run SCENE.json [options]\n"
             "  carom run SNAPSHOT --steps S [options]\n",
    .notes =
        "FILE is any file of bodies that `carom detect` reads; positions at both ends of a step are one of length 1.\n"
        "CSV may also have columns vx, vy, vz, mass (inf: nothing moves the body; 1 where there is none), restitution\n"
        "and id (else 0, 1, ...). SCENE.json holds bodies, geometry and rules; scene_schema.json describes it, and\n"
        "options override it. The bodies of a standard scene have the mass 1.\n"
        "Events: the first step is 0, t is the time since the start of the run, and k the name of the geometry where\n"
        "it is no body. Events and state are CSV or, with the suffix .npy, NumPy arrays of records. - is standard\n"
        "output; the report then goes to stderr. A file appears when it is complete.\n"
        "Pressure: Z = 1 + sum(J sigma) / (3 N kT t) over the impacts between bodies, J the impulse, sigma the sum of\n"
        "the radii, kT = 2 E / (3 N), E the energy in the frame of the centre of mass, mean of start and end.\n"
        "Ctrl-C ends the run after its step; files and report are written. A second one ends it at once.\n"
        "A step that fails ends the run, too: files have what was before it.\n"
        "Exit codes: 0 ok, 1 a check failed, 2 usage, 3 bad input, 4 out of memory or disk, 130 Ctrl-C, 143 SIGTERM.\n",
    .options = option_table,
    .option_count = sizeof option_table / sizeof *option_table,
    .operands = 1,
};

/* Exactly one source, with options of its own only. An option without effect is an error: the user expects one. */
static carom_exit check_source(const carom_run_source *source) {
    const carom_command *command = &carom_run_options_command;
    const bool reads = !isnan(source->radius) || source->select != NULL || source->format != CAROM_FORMAT_UNKNOWN;
    if (source->file == NULL && source->scene.letter == '\0') {
        return carom_options_refuse(command, "nothing to run: give --scene LETTER or a FILE");
    }
    if (source->file != NULL && source->scene.letter != '\0') {
        return carom_options_refuse(command, "both --scene and a file ('%s'): give one of them", source->file);
    }
    if (source->file != NULL && source->scene.sized) {
        return carom_options_refuse(command, "--bodies and --seed belong to a scene, not to a file ('%s')",
                                    source->file);
    }
    if (source->file == NULL && reads) {
        return carom_options_refuse(command, "--radius, --select and --format belong to a file, not to a scene");
    }
    if (source->walls && source->periodic != NULL) {
        return carom_options_refuse(command, "--walls and --periodic exclude each other");
    }
    return CAROM_EXIT_OK;
}

static carom_exit check_rules(const carom_run_options *options) {
    const carom_command *command = &carom_run_options_command;
    if (options->source.file == NULL && options->rules.steps == 0) {
        return carom_options_refuse(command, "how many steps? Give --steps S");
    }
    if (options->rules.response == (int)CAROM_RESPONSE_MERGE && options->source.walls) {
        return carom_options_refuse(command, "--merge does not go with --walls");
    }
    if (options->rules.response > (int)CAROM_RESPONSE_BOUNCE && options->output.pressure) {
        return carom_options_refuse(command, "--pressure needs bodies that bounce");
    }
    if (options->output.every != 0 && options->output.folder == NULL) {
        return carom_options_refuse(command, "--every belongs to --out");
    }
    return CAROM_EXIT_OK;
}

/* Nothing that is read may be written, and nothing twice. */
static carom_exit check_files(carom_run_options *options) {
    const carom_file_option outputs[] = {{"--events", options->output.events},
                                         {"--state", options->output.state},
                                         {"--snapshot", options->output.snapshot}};
    const size_t count = sizeof outputs / sizeof *outputs;
    options->output.to_stdout = carom_files_use_stdout(outputs, count);
    return carom_files_check(&carom_run_options_command, options->source.file, outputs, count);
}

FILE *carom_run_options_stream(const carom_run_options *options) {
    return options->output.to_stdout ? stderr : stdout;
}

carom_exit carom_run_options_parse(const carom_invocation *invocation, int argc, char **argv,
                                   carom_run_options *options, bool *help) {
    *options = (carom_run_options){
        .invocation = invocation,
        .source = {.scene = carom_scene_options_default(), .radius = NAN},
        .rules = carom_run_rules_none(),
    };
    carom_parsed parsed;
    carom_exit outcome = carom_options_parse(&carom_run_options_command, argc, argv, options, &parsed);
    *help = parsed.help;
    if (outcome != CAROM_EXIT_OK || parsed.help) {
        return outcome;
    }
    options->source.file = parsed.count > 0 ? parsed.operands[0] : NULL;
    /* A file's digits are more than a float holds; a scene is made in float. */
    options->source.f64 = options->source.precise ? options->source.f64 : options->source.file != NULL;
    outcome = check_source(&options->source);
    outcome = outcome == CAROM_EXIT_OK ? check_rules(options) : outcome;
    return outcome == CAROM_EXIT_OK ? check_files(options) : outcome;
}
