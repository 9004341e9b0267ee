/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A scene: made, its box taken, widened to double if need be. A file: read, its box taken, rounded to float if need
 * be. Shapes: both in one form, viewed in either precision. */
#include "kernel/cli/subject.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/cli/floats.h"
#include "kernel/cli/json_read.h"
#include "kernel/cli/shaped_read.h"
#include "kernel/cli/shaped_scene.h"
#include "kernel/cli/shaped_view.h"
#include "kernel/io/load.h"
#include "kernel/io/read.h"

/* Names for messages, as the CSV reader has them. */
static const char *const column_names[CAROM_COLUMNS] = {"prev_x", "prev_y", "prev_z", "curr_x",
                                                        "curr_y", "curr_z", "radius"};

/* Every float is a double, so nothing can go wrong but memory. */
static carom_exit widen_scene(carom_subject *subject) {
    void *column[CAROM_COLUMNS];
    const carom_exit outcome =
        carom_columns_reserve(&subject->memory, &subject->converted, subject->count, sizeof(double), column);
    if (outcome == CAROM_EXIT_OK) {
        carom_columns_put(column, 0, true, &subject->scene);
        subject->f64 = carom_columns_f64(column, subject->count);
    }
    return outcome;
}

/* The axes asked for must have a length; the clustered scene has no box at all. */
static carom_exit take_scene_box(const carom_source_options *options, const double box[3], carom_subject *subject) {
    for (int axis = 0; axis < 3; ++axis) {
        subject->periodic.edge[axis][axis] = box[axis];
        if (options->along[axis] && !(box[axis] > 0) && subject->count > 0) {
            return carom_options_refuse(&carom_detect_options_command, "--periodic: scene %c has no box",
                                        options->scene.letter);
        }
    }
    return CAROM_EXIT_OK;
}

/* The file's box may be tilted; the library says if it is none. */
static carom_exit take_file_box(carom_subject *subject, bool has_box, double (*box)[3]) {
    if (subject->is_periodic && !has_box) {
        carom_say("%s: has no box for --periodic", subject->path);
        return CAROM_EXIT_INPUT;
    }
    memcpy(subject->periodic.edge, box, sizeof subject->periodic.edge);
    return CAROM_EXIT_OK;
}

/* The bodies with shapes as those to be detected. */
static carom_exit view_shapes(carom_subject *subject) {
    subject->count = subject->shaped.count;
    if (subject->wide) {
        subject->f64 = carom_shaped_view_f64(&subject->shaped);
        return CAROM_EXIT_OK;
    }
    return carom_shaped_view_f32(&subject->shaped, &subject->memory, &subject->converted, &subject->f32);
}

static carom_exit open_shaped_scene(const carom_source_options *options, carom_subject *subject) {
    subject->is_shaped = true;
    carom_exit outcome = carom_shaped_scene_make(&options->scene, &subject->shaped);
    if (outcome != CAROM_EXIT_OK) {
        return outcome;
    }
    const double box[3] = {subject->shaped.box[0][0], subject->shaped.box[1][1], subject->shaped.box[2][2]};
    subject->count = subject->shaped.count;
    outcome = subject->is_periodic ? take_scene_box(options, box, subject) : CAROM_EXIT_OK;
    return outcome == CAROM_EXIT_OK ? view_shapes(subject) : outcome;
}

/* The scene's arrays as the bodies to be detected, converted where they must be. */
static carom_exit view_scene(carom_subject *subject) {
    if (subject->wide) {
        return widen_scene(subject);
    }
    subject->f32 = carom_scene_bodies(&subject->scene);
    return CAROM_EXIT_OK;
}

/* The box comes first: it is checked before a scene is converted. */
static carom_exit open_scene(const carom_source_options *options, carom_subject *subject) {
    carom_exit outcome = carom_scene_options_make(&options->scene, &subject->scene);
    if (outcome != CAROM_EXIT_OK) {
        return outcome;
    }
    subject->count = subject->scene.count;
    outcome = subject->is_periodic ? take_scene_box(options, subject->scene.box, subject) : CAROM_EXIT_OK;
    return outcome == CAROM_EXIT_OK ? view_scene(subject) : outcome;
}

carom_exit carom_subject_start(carom_subject *subject, char letter, double displacement) {
    CAROM_ASSERT(subject->path == NULL || subject->is_shaped);
    if (subject->is_shaped) {
        const carom_exit outcome = carom_shaped_motion_start(displacement, &subject->shaped, &subject->shaped_motion);
        return outcome == CAROM_EXIT_OK ? view_shapes(subject) : outcome;
    }
    const carom_status status = carom_scene_motion_start(letter, displacement, &subject->scene, &subject->motion);
    if (status != CAROM_OK) {
        carom_say("scene in motion: %s", carom_status_name(status));
        return carom_say_exit_of(status);
    }
    return view_scene(subject);
}

carom_exit carom_subject_step(carom_subject *subject) {
    if (subject->is_shaped) {
        carom_shaped_motion_step(&subject->shaped_motion, &subject->shaped);
        return view_shapes(subject);
    }
    CAROM_ASSERT(subject->motion.count == subject->count);
    carom_scene_motion_step(&subject->motion, &subject->scene);
    return view_scene(subject);
}

/* "path:line: " of a body, or "path: " where the format has no lines. */
static void locate(const void *source, uint64_t body, char *text, uint64_t size) {
    const carom_subject *subject = source;
    if (subject->is_shaped) {
        carom_shaped_locate(&subject->shaped, body, text, size);
    } else if (subject->frame.line != NULL && body < subject->frame.count) {
        snprintf(text, size, "%s:%" PRIu64, subject->path, subject->frame.line[body]);
    } else {
        snprintf(text, size, "%s: body %" PRIu64, subject->path, body);
    }
}

/* All seven arrays to floats. */
static carom_exit round_frame(carom_subject *subject) {
    const carom_frame *frame = &subject->frame;
    void *column[CAROM_COLUMNS];
    carom_exit outcome =
        carom_columns_reserve(&subject->memory, &subject->converted, subject->count, sizeof(float), column);
    for (int n = 0; n < CAROM_COLUMNS && outcome == CAROM_EXIT_OK; ++n) {
        const double *from = n < 3 ? frame->prev[n] : (n < 6 ? frame->curr[n - 3] : frame->radius);
        outcome = carom_floats_check(from, subject->count, column_names[n], locate, subject);
        for (uint64_t body = 0; body < subject->count; ++body) {
            ((float *)column[n])[body] = (float)from[body];
        }
    }
    if (outcome == CAROM_EXIT_OK) {
        subject->f32 = carom_columns_f32(column, subject->count);
    }
    return outcome;
}

/* On stderr: what a user may have overlooked. */
static void describe_box(const carom_subject *subject, bool has_box) {
    if (has_box && !subject->is_periodic) {
        carom_say("%s: without --periodic xyz pairs across the faces of its box are not found", subject->path);
    }
}

/* A file at rest finds only overlaps. */
static void describe_file(const carom_subject *subject) {
    const carom_frame *frame = &subject->frame;
    carom_say("%s: %s, %" PRIu64 " bodies", subject->path, frame->format, frame->count);
    if (!frame->has_motion) {
        carom_say("%s: neither velocities nor a second frame: the bodies are at rest", subject->path);
    }
    describe_box(subject, frame->has_box);
}

static void describe_shaped(const carom_subject *subject) {
    const carom_shaped *shaped = &subject->shaped;
    carom_say("%s: json, %" PRIu64 " bodies, %" PRIu64 " shapes", subject->path, shaped->count, shaped->entries.count);
    if (!shaped->moves) {
        carom_say("%s: no curr, curr_turn or spin: the bodies are at rest", subject->path);
    }
    describe_box(subject, shaped->has_box);
}

/* Options that only a file of spheres can obey. */
static carom_exit open_shaped_file(const carom_source_options *options, const carom_text *text,
                                   carom_subject *subject) {
    subject->is_shaped = true;
    if (options->reads) {
        return carom_options_refuse(&carom_detect_options_command,
                                    "--radius, --select, --dt and --format belong to a file of spheres; '%s' is json",
                                    subject->path);
    }
    carom_exit outcome = carom_shaped_read(subject->path, text, &subject->shaped);
    if (outcome == CAROM_EXIT_OK) {
        describe_shaped(subject);
        outcome = take_file_box(subject, subject->shaped.has_box, subject->shaped.box);
    }
    return outcome == CAROM_EXIT_OK ? view_shapes(subject) : outcome;
}

/* Options that only shapes can obey. */
static carom_exit refuse_for_spheres(const carom_source_options *options, const char *path) {
    if (options->moves != NULL) {
        return carom_options_refuse(&carom_detect_options_command,
                                    "--%s moves a scene or bodies with shapes, not a file of spheres ('%s')",
                                    options->moves, path);
    }
    if (options->margin) {
        return carom_options_refuse(&carom_detect_options_command,
                                    "--margin belongs to bodies with shapes; '%s' is a file of spheres", path);
    }
    return CAROM_EXIT_OK;
}

/* Doubles are used where the frame has them; they are not copied. */
static carom_exit read_spheres_file(const carom_source_options *options, const carom_text *text,
                                    carom_subject *subject) {
    carom_read_options read_options = carom_read_options_default();
    carom_error error = {.status = CAROM_OK};
    read_options.radius = options->radius;
    read_options.dt = options->dt;
    read_options.select = options->select;
    read_options.format = options->format;
    const carom_status status = carom_frame_read_text(text, &read_options, &subject->frame, &error);
    carom_say_progress_end();
    /* The reader asks for a radius or has no such name: options of this command, so a mistake in its use. */
    if (status == CAROM_ERROR_ARGUMENT) {
        return carom_options_refuse(&carom_detect_options_command, "%s (see --radius and --select)", error.message);
    }
    if (status != CAROM_OK) {
        return carom_say_error(status, &error);
    }
    describe_file(subject);
    const carom_exit outcome = take_file_box(subject, subject->frame.has_box, subject->frame.box);
    if (outcome != CAROM_EXIT_OK) {
        return outcome;
    }
    const carom_frame *frame = &subject->frame;
    subject->count = frame->count;
    if (!subject->wide) {
        return round_frame(subject);
    }
    subject->f64 = (carom_bodies_f64){.count = frame->count, .radius = frame->radius};
    for (int axis = 0; axis < 3; ++axis) {
        subject->f64.prev[axis] = frame->prev[axis];
        subject->f64.curr[axis] = frame->curr[axis];
    }
    return CAROM_EXIT_OK;
}

static carom_exit open_spheres_file(const carom_source_options *options, const carom_text *text,
                                    carom_subject *subject) {
    const carom_exit outcome = refuse_for_spheres(options, subject->path);
    return outcome == CAROM_EXIT_OK ? read_spheres_file(options, text, subject) : outcome;
}

/* A file that cannot be opened is not yet of any kind. */
static carom_exit open_file(const carom_source_options *options, carom_subject *subject) {
    carom_error error = {.status = CAROM_OK};
    carom_text text;
    carom_say_progress("reading %s ...", subject->path);
    const carom_status status = carom_text_open(options->file, &text, &error);
    if (status != CAROM_OK) {
        carom_say_progress_end();
        return carom_say_error(status, &error);
    }
    const bool json = options->format == CAROM_FORMAT_UNKNOWN && carom_json_is(subject->path, &text);
    const carom_exit outcome =
        json ? open_shaped_file(options, &text, subject) : open_spheres_file(options, &text, subject);
    carom_text_close(&text);
    return outcome;
}

static carom_exit divide(const carom_source_options *options, carom_subject *subject) {
    if (subject->is_shaped) {
        return carom_options_refuse(&carom_detect_options_command, "--worlds is for spheres; '%s' has shapes",
                                    subject->path);
    }
    return carom_parts_divide(&subject->parts, &subject->memory, subject->path, subject->count, options->worlds);
}

/* Many scenes in the precision asked for. */
static carom_exit open_worlds(const carom_source_options *options, carom_subject *subject) {
    void *column[CAROM_COLUMNS];
    const carom_exit outcome = carom_parts_make(&options->scene, options->worlds, subject->wide, &subject->memory,
                                                &subject->converted, column);
    if (outcome != CAROM_EXIT_OK) {
        return outcome;
    }
    subject->count = options->worlds * options->scene.bodies;
    subject->f32 = subject->wide ? subject->f32 : carom_columns_f32(column, subject->count);
    subject->f64 = subject->wide ? carom_columns_f64(column, subject->count) : subject->f64;
    return divide(options, subject);
}

carom_exit carom_subject_open(const carom_source_options *options, carom_subject *subject) {
    *subject = (carom_subject){.wide = options->f64};
    subject->path = options->file != NULL ? carom_load_name(options->file) : NULL;
    carom_memory_init(&subject->memory, NULL, 0);
    subject->is_periodic = options->periodic != NULL;
    subject->periodic = carom_periodic_default();
    memcpy(subject->periodic.along, options->along, sizeof options->along);
    subject->periodic.self_images = options->self_images;
    if (options->file != NULL) {
        const carom_exit outcome = open_file(options, subject);
        return outcome == CAROM_EXIT_OK && options->worlds > 0 ? divide(options, subject) : outcome;
    }
    if (options->worlds > 0) {
        return open_worlds(options, subject);
    }
    return options->scene.shapes != CAROM_SCENE_SPHERES ? open_shaped_scene(options, subject)
                                                        : open_scene(options, subject);
}

const char *carom_subject_format(const carom_subject *subject) {
    return subject->is_shaped ? "json" : subject->frame.format;
}

uint64_t carom_subject_total(const carom_subject *subject) {
    return subject->is_shaped ? subject->shaped.count : subject->frame.total;
}

void carom_subject_release(carom_subject *subject) {
    carom_scene_motion_end(&subject->motion);
    carom_scene_release(&subject->scene);
    carom_frame_release(&subject->frame);
    carom_shaped_motion_end(&subject->shaped_motion);
    carom_shaped_release(&subject->shaped);
    carom_buffer_release(&subject->memory, &subject->converted);
    carom_buffer_release(&subject->memory, &subject->parts.buffer);
}

carom_status carom_subject_detect(const carom_subject *subject, carom_context *context,
                                  const carom_detect_config *config, carom_subject_found *found, carom_error *error) {
    *found = (carom_subject_found){.f32 = {.size = sizeof found->f32}, .f64 = {.size = sizeof found->f64}};
    carom_status status;
    /* The box belongs to the bodies, so callers need not think of it. */
    carom_detect_config boxed = *config;
    boxed.periodic = subject->is_periodic ? &subject->periodic : NULL;
    if (subject->wide && subject->parts.worlds > 0) {
        status = carom_parts_detect_f64(&subject->parts, context, &subject->f64, config, &found->f64, error);
        found->summary = found->f64.summary;
    } else if (subject->parts.worlds > 0) {
        status = carom_parts_detect_f32(&subject->parts, context, &subject->f32, config, &found->f32, error);
        found->summary = found->f32.summary;
    } else if (subject->wide) {
        status = carom_detect_f64(context, &subject->f64, &boxed, NULL, &found->f64, error);
        found->summary = found->f64.summary;
    } else {
        status = carom_detect_f32(context, &subject->f32, &boxed, NULL, &found->f32, error);
        found->summary = found->f32.summary;
    }
    return status;
}

/* Of a file's box the library says what is wrong; where formats have lines, its line is known here. */
static void say_box(const carom_subject *subject, const char *message) {
    if (subject->is_shaped) {
        carom_say("%s: box: %s", subject->path, message);
    } else {
        carom_say("%s:%" PRIu64 ": %s", subject->path, subject->frame.box_line, message);
    }
}

carom_exit carom_subject_explain(const carom_subject *subject, carom_status status, const carom_error *error) {
    if (status == CAROM_ERROR_ARGUMENT && subject->path != NULL && strncmp(error->message, "periodic", 8) == 0) {
        say_box(subject, error->message);
        return CAROM_EXIT_INPUT;
    }
    if (status != CAROM_ERROR_BODY || subject->path == NULL) {
        return carom_say_error(status, error);
    }
    char where[CAROM_MESSAGE_SIZE];
    locate(subject, error->body, where, sizeof where);
    carom_say("%s: %s", where, error->message);
    return CAROM_EXIT_INPUT;
}
