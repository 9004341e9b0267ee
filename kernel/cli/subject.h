/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The bodies that a command works on: a scene or a file, in the precision asked for. A scene is made in float, a file
 * is read in double; whichever is not wanted is converted, once, into arrays of the subject's own. Bodies with shapes
 * are in doubles, whatever they come from. */
#ifndef CAROM_CLI_SUBJECT_H
#define CAROM_CLI_SUBJECT_H

#include "carom/bodies.h"
#include "carom/detect.h"
#include "kernel/cli/detect_options.h"
#include "kernel/cli/parts.h"
#include "kernel/cli/shaped.h"
#include "kernel/cli/shaped_motion.h"
#include "kernel/io/frame.h"
#include "kernel/scene/scene.h"
#include "kernel/sys/memory.h"

/* The bodies and whatever they are views of. */
typedef struct carom_subject {
    bool wide;                         /* which of the two views below is set */
    carom_bodies_f32 f32;              /* into `scene` or `converted` */
    carom_bodies_f64 f64;              /* into `frame` or `converted` */
    uint64_t count;                    /* bodies */
    const char *path;                  /* for messages; NULL: a scene */
    carom_scene_f32 scene;             /* empty if there is a path */
    carom_scene_motion motion;         /* of the scene, if it was set in motion */
    carom_frame frame;                 /* empty without a path */
    bool is_shaped;                    /* the bodies have shapes: `scene` and `frame` are empty */
    carom_shaped shaped;               /* these bodies, if so */
    carom_shaped_motion shaped_motion; /* of these bodies, if they were set in motion */
    bool is_periodic;                  /* --periodic was given */
    carom_periodic periodic;           /* the box, if so */
    carom_parts parts;                 /* with --worlds */
    carom_memory memory;               /* of `converted` and `parts` */
    carom_buffer converted; /* the arrays in the other precision, if they were converted; or those of all worlds */
} carom_subject;

/* Either detection; the other is zero. */
typedef struct carom_subject_found {
    carom_detect_summary summary;
    carom_detection_f32 f32;
    carom_detection_f64 f64;
} carom_subject_found;

/* Makes or reads the bodies and says what is worth knowing about a file. Release also after a failure. */
carom_exit carom_subject_open(const carom_source_options *options, carom_subject *subject);
void carom_subject_release(carom_subject *subject);

/* The format of a file, and how many bodies are in it. */
const char *carom_subject_format(const carom_subject *subject);
uint64_t carom_subject_total(const carom_subject *subject);

/* Sets the subject's bodies in motion, which are a scene or have shapes: their displacements and spins times
 * `displacement`. Those of a scene move in the box that its letter tells. */
carom_exit carom_subject_start(carom_subject *subject, char letter, double displacement);

/* Moves bodies that were set in motion on by a step. */
carom_exit carom_subject_step(carom_subject *subject);

/* Detection in the subject's precision. */
carom_status carom_subject_detect(const carom_subject *subject, carom_context *context,
                                  const carom_detect_config *config, carom_subject_found *found, carom_error *error);

/* Says why detection failed; of a bad body from a file, its line. */
carom_exit carom_subject_explain(const carom_subject *subject, carom_status status, const carom_error *error);

#endif
