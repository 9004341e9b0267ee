/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/run_start.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernel/cli/json_read.h"
#include "kernel/cli/run_json.h"
#include "kernel/io/load.h"
#include "kernel/io/read.h"

void carom_run_start_locate(const void *source, uint64_t body, char *text, uint64_t size) {
    const carom_run_start *start = source;
    if (start->origin == CAROM_RUN_FROM_JSON) {
        snprintf(text, size, "%s: bodies[%" PRIu64 "]", start->path, body);
    } else if (start->path == NULL) {
        snprintf(text, size, "body %" PRIu64, body);
    } else if (start->frame.line != NULL && body < start->frame.count) {
        snprintf(text, size, "%s:%" PRIu64, start->path, start->frame.line[body]);
    } else {
        snprintf(text, size, "%s: body %" PRIu64, start->path, body);
    }
}

/* A scene is a step of length 1. */
static void take_scene(const carom_scene_f32 *scene, carom_run_start *start) {
    for (int axis = 0; axis < 3; ++axis) {
        for (uint64_t n = 0; n < scene->count; ++n) {
            start->setup.bodies.position[axis][n] = (double)scene->prev[axis][n];
            start->setup.bodies.velocity[axis][n] = (double)scene->curr[axis][n] - (double)scene->prev[axis][n];
        }
        start->setup.periodic.edge[axis][axis] = scene->box[axis];
        start->setup.has_box |= scene->box[axis] > 0;
    }
    for (uint64_t n = 0; n < scene->count; ++n) {
        start->setup.bodies.radius[n] = (double)scene->radius[n];
    }
}

static carom_exit open_scene(const carom_run_options *options, carom_run_start *start) {
    carom_scene_f32 scene;
    carom_exit outcome = carom_scene_options_make(&options->source.scene, &scene);
    if (outcome == CAROM_EXIT_OK) {
        outcome = carom_run_bodies_make(scene.count, &start->setup.bodies);
    }
    if (outcome == CAROM_EXIT_OK) {
        take_scene(&scene, start);
    }
    carom_scene_release(&scene);
    return outcome == CAROM_EXIT_OK ? carom_run_geometry_make(CAROM_RUN_WALLS, &start->setup.geometry) : outcome;
}

/* What the file does not give keeps its default. */
static void take_frame(carom_run_start *start) {
    const carom_frame *frame = &start->frame;
    carom_run_bodies *bodies = &start->setup.bodies;
    const uint64_t bytes = frame->count * sizeof(double);
    for (int axis = 0; axis < 3 && bytes > 0; ++axis) {
        memcpy(bodies->position[axis], frame->prev[axis], bytes);
        memcpy(bodies->velocity[axis], frame->curr[axis], bytes);
    }
    const struct {
        void *to;
        const void *from;
    } optional[] = {{bodies->radius, frame->radius},
                    {bodies->mass, frame->mass},
                    {bodies->restitution, frame->restitution},
                    {bodies->id, frame->id}};
    for (size_t n = 0; n < sizeof optional / sizeof *optional && bytes > 0; ++n) {
        if (optional[n].from != NULL) {
            memcpy(optional[n].to, optional[n].from, bytes);
        }
    }
    start->setup.has_box = frame->has_box;
    memcpy(start->setup.periodic.edge, frame->box, sizeof frame->box);
}

/* On stderr: what a user may have overlooked. */
static void describe_frame(const carom_run_start *start, bool repeats) {
    const carom_frame *frame = &start->frame;
    carom_say("%s: %s, %" PRIu64 " bodies", start->path, frame->format, frame->count);
    if (frame->skipped[0] != '\0') {
        carom_say("%s: columns that are not used: %s", start->path, frame->skipped);
    }
    if (!frame->has_motion) {
        carom_say("%s: neither velocities nor a second frame: the bodies are at rest", start->path);
    }
    if (frame->has_box && !repeats) {
        carom_say("%s: without --periodic xyz its box does not repeat", start->path);
    }
    const double *corner = frame->box_origin;
    if (repeats && (corner[0] != 0 || corner[1] != 0 || corner[2] != 0)) {
        carom_say("%s: the corner of its box is not the origin: bodies move into a box that begins there", start->path);
    }
}

static carom_exit read_frame(const carom_run_options *options, carom_run_start *start) {
    carom_read_options read = carom_read_options_default();
    carom_error error = {.status = CAROM_OK};
    read.radius = options->source.radius;
    read.select = options->source.select;
    read.format = options->source.format;
    read.dynamics = true;
    const carom_status status = carom_frame_read_text(&start->text, &read, &start->frame, &error);
    /* The reader asks for a radius or has no such name: options of this command, so a mistake in its use. */
    if (status == CAROM_ERROR_ARGUMENT) {
        return carom_options_refuse(&carom_run_options_command, "%s (see --radius and --select)", error.message);
    }
    if (status != CAROM_OK) {
        return carom_say_error(status, &error);
    }
    describe_frame(start, options->source.periodic != NULL);
    carom_exit outcome = carom_run_bodies_make(start->frame.count, &start->setup.bodies);
    if (outcome == CAROM_EXIT_OK) {
        take_frame(start);
        outcome = carom_run_geometry_make(CAROM_RUN_WALLS, &start->setup.geometry);
    }
    return outcome;
}

static carom_run_origin origin_of(const char *path, const carom_text *text, carom_format format) {
    if (carom_text_is_snapshot(text)) {
        return CAROM_RUN_FROM_SNAPSHOT;
    }
    return format == CAROM_FORMAT_UNKNOWN && carom_json_is(path, text) ? CAROM_RUN_FROM_JSON : CAROM_RUN_FROM_BODIES;
}

/* Options that only a file of bodies can obey. */
static carom_exit check_reading(const carom_run_source *source, const carom_run_start *start) {
    const bool reads = !isnan(source->radius) || source->select != NULL || source->format != CAROM_FORMAT_UNKNOWN;
    if (reads && start->origin != CAROM_RUN_FROM_BODIES) {
        return carom_options_refuse(&carom_run_options_command,
                                    "--radius, --select and --format belong to a file of bodies; '%s' is %s",
                                    start->path, carom_run_start_format(start));
    }
    if (start->origin == CAROM_RUN_FROM_SNAPSHOT && (source->walls || source->periodic != NULL)) {
        return carom_options_refuse(&carom_run_options_command,
                                    "--walls and --periodic do not go with a snapshot ('%s')", start->path);
    }
    return CAROM_EXIT_OK;
}

static carom_exit open_file(const carom_run_options *options, carom_run_start *start) {
    carom_error error = {.status = CAROM_OK};
    carom_say_progress("reading %s ...", start->path);
    const carom_status status = carom_text_open(options->source.file, &start->text, &error);
    carom_say_progress_end();
    if (status != CAROM_OK) {
        return carom_say_error(status, &error);
    }
    start->origin = origin_of(start->path, &start->text, options->source.format);
    const carom_exit outcome = check_reading(&options->source, start);
    if (outcome != CAROM_EXIT_OK || start->origin == CAROM_RUN_FROM_SNAPSHOT) {
        return outcome;
    }
    return start->origin == CAROM_RUN_FROM_JSON
               ? carom_run_json_read(start->path, &start->text, CAROM_RUN_WALLS, &start->setup)
               : read_frame(options, start);
}

/* The axes asked for must have a length; the library says what else a box must be. A scene in JSON says itself along
 * which axes it repeats. */
static carom_exit take_box(const carom_run_source *source, carom_run_start *start) {
    if (source->periodic != NULL) {
        memcpy(start->setup.periodic.along, source->along, sizeof source->along);
        start->setup.is_periodic = true;
    }
    if (!start->setup.is_periodic || start->setup.has_box || (start->path == NULL && start->setup.bodies.count == 0)) {
        return CAROM_EXIT_OK;
    }
    if (start->path == NULL) {
        return carom_options_refuse(&carom_run_options_command, "--periodic: scene %c has no box",
                                    source->scene.letter);
    }
    carom_say("%s: has no box for --periodic", start->path);
    return CAROM_EXIT_INPUT;
}

static carom_exit add_walls(carom_run_start *start) {
    double lo[3];
    double hi[3];
    if (start->setup.is_periodic) {
        carom_say("%s: --walls does not go with the periodic box of the scene", start->path);
        return CAROM_EXIT_USAGE;
    }
    carom_run_bodies_bounds(&start->setup.bodies, lo, hi);
    carom_run_geometry_add_walls(&start->setup.geometry, lo, hi);
    return CAROM_EXIT_OK;
}

/* Walls stand where the bodies are, so these are rounded first. */
static carom_exit finish(const carom_run_options *options, carom_run_start *start) {
    carom_exit outcome = take_box(&options->source, start);
    if (outcome == CAROM_EXIT_OK && !options->source.f64) {
        outcome = carom_run_bodies_round(&start->setup.bodies, carom_run_start_locate, start);
    }
    return outcome == CAROM_EXIT_OK && options->source.walls ? add_walls(start) : outcome;
}

carom_exit carom_run_start_open(const carom_run_options *options, carom_run_start *start) {
    *start = (carom_run_start){.setup = {.periodic = carom_periodic_default(), .rules = carom_run_rules_none()}};
    start->path = options->source.file != NULL ? carom_load_name(options->source.file) : NULL;
    const carom_exit outcome = options->source.file != NULL ? open_file(options, start) : open_scene(options, start);
    if (outcome != CAROM_EXIT_OK || start->origin == CAROM_RUN_FROM_SNAPSHOT) {
        return outcome;
    }
    return finish(options, start);
}

void carom_run_start_release(carom_run_start *start) {
    carom_run_bodies_release(&start->setup.bodies);
    carom_run_geometry_release(&start->setup.geometry);
    carom_frame_release(&start->frame);
    carom_text_close(&start->text);
}

carom_exit carom_run_start_explain(const carom_run_start *start, carom_status status, const carom_error *error) {
    if (status == CAROM_ERROR_BODY && start->path != NULL && error->body < start->setup.bodies.count) {
        char where[CAROM_MESSAGE_SIZE];
        carom_run_start_locate(start, error->body, where, sizeof where);
        carom_say("%s: %s", where, error->message);
        return CAROM_EXIT_INPUT;
    }
    /* The library names what is wrong with a box or a surface, which the file holds under another name. */
    if (status == CAROM_ERROR_ARGUMENT && start->path != NULL) {
        static const char surface[] = "config.surface[";
        const bool is_surface = strncmp(error->message, surface, sizeof surface - 1) == 0;
        carom_say("%s: %s%s", start->path, is_surface ? "geometry[" : "",
                  error->message + (is_surface ? sizeof surface - 1 : 0));
        return CAROM_EXIT_INPUT;
    }
    return carom_say_error(status, error);
}

const char *carom_run_start_format(const carom_run_start *start) {
    switch (start->origin) {
    case CAROM_RUN_FROM_SCENE:
        return NULL;
    case CAROM_RUN_FROM_BODIES:
        return start->frame.format;
    case CAROM_RUN_FROM_JSON:
        return "json";
    case CAROM_RUN_FROM_SNAPSHOT:
        return "snapshot";
    }
    return NULL;
}
