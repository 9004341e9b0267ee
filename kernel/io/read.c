/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Tells the format, lets its reader fill the frame, and then does what all formats have in common: the end of the step
 * from velocities, the choice of bodies by name, and one radius for all. */
#include "kernel/io/read.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/io/readers.h"
#include "kernel/io/sniff.h"
#include "kernel/sys/error.h"

/* Makes curr a velocity: the file's, or the way of a step of length 1. */
static void finish_dynamics(carom_reading *reading) {
    carom_frame *frame = reading->frame;
    frame->has_motion = reading->motion != CAROM_MOTION_NONE;
    for (int a = 0; a < 3 && reading->motion != CAROM_MOTION_VELOCITY; a++) {
        for (uint64_t n = 0; n < frame->count; n++) {
            frame->curr[a][n] = frame->has_motion ? frame->curr[a][n] - frame->prev[a][n] : 0;
        }
    }
}

/* Makes curr a position. A body of a file without motion stays where it is. */
static void finish_motion(carom_reading *reading) {
    carom_frame *frame = reading->frame;
    frame->has_motion = reading->motion != CAROM_MOTION_NONE;
    double dt = reading->options->dt;
    for (int a = 0; a < 3 && reading->motion != CAROM_MOTION_POSITION; a++) {
        for (uint64_t n = 0; n < frame->count; n++) {
            frame->curr[a][n] = frame->has_motion ? frame->prev[a][n] + frame->curr[a][n] * dt : frame->prev[a][n];
        }
    }
}

/* The caller's radius, if there is one, replaces the file's; an empty file needs none. */
static carom_status finish_radius(carom_reading *reading) {
    carom_frame *frame = reading->frame;
    double radius = reading->options->radius;
    if (isnan(radius)) {
        if (!frame->has_radius && frame->count > 0) {
            return carom_error_set(reading->error, CAROM_ERROR_ARGUMENT, "%s: the file has no radii; give one for all",
                                   reading->text.path);
        }
        return CAROM_OK;
    }
    for (uint64_t n = 0; n < frame->count; n++) {
        frame->radius[n] = radius;
    }
    return CAROM_OK;
}

/* Copies a body to an earlier place. */
static void move_body(carom_frame *frame, uint64_t from, uint64_t to) {
    for (int a = 0; a < 3; a++) {
        frame->prev[a][to] = frame->prev[a][from];
        frame->curr[a][to] = frame->curr[a][from];
    }
    double *const optional[] = {frame->radius, frame->mass, frame->restitution};
    for (size_t n = 0; n < sizeof optional / sizeof *optional; n++) {
        if (optional[n] != NULL) {
            optional[n][to] = optional[n][from];
        }
    }
    if (frame->id != NULL) {
        frame->id[to] = frame->id[from];
    }
    memmove(frame->name[to], frame->name[from], CAROM_NAME_SIZE);
    if (frame->line != NULL) {
        frame->line[to] = frame->line[from];
    }
}

/* Keeps the bodies whose name matches. No match is an error: a misspelt glob would else detect in an empty scene. */
static carom_status select_bodies(carom_reading *reading) {
    carom_frame *frame = reading->frame;
    const char *glob = reading->options->select;
    if (glob == NULL) {
        return CAROM_OK;
    }
    if (frame->name == NULL) {
        return carom_error_set(reading->error, CAROM_ERROR_ARGUMENT, "%s: bodies have no names to select by",
                               reading->text.path);
    }
    uint64_t kept = 0;
    for (uint64_t n = 0; n < frame->count; n++) {
        if (fnmatch(glob, frame->name[n], 0) == 0) {
            move_body(frame, n, kept++);
        }
    }
    if (kept == 0) {
        return carom_error_set(reading->error, CAROM_ERROR_ARGUMENT, "%s: no body's name matches \"%s\"",
                               reading->text.path, glob);
    }
    frame->count = kept;
    return CAROM_OK;
}

/* The one place where a format meets its reader. */
static carom_status read_format(carom_reading *reading) {
    const carom_format asked = reading->options->format;
    switch (asked != CAROM_FORMAT_UNKNOWN ? asked : carom_sniff(&reading->text)) {
    case CAROM_FORMAT_GRO:
        return carom_gro_read(reading);
    case CAROM_FORMAT_XYZ:
        return carom_xyz_read(reading);
    case CAROM_FORMAT_CSV:
        return carom_csv_read(reading);
    case CAROM_FORMAT_LAMMPS_DATA:
        return carom_lammps_data_read(reading);
    case CAROM_FORMAT_LAMMPS_DUMP:
        return carom_lammps_dump_read(reading);
    case CAROM_FORMAT_NPY:
        return carom_npy_read(reading);
    case CAROM_FORMAT_UNKNOWN:
        break;
    }
    if (reading->text.size == 0) {
        return carom_text_fail(&reading->text, reading->error, 0, "it is empty");
    }
    return carom_text_fail(&reading->text, reading->error, 1,
                           "no known format: there are gro, xyz, csv with a header, LAMMPS data and dump, npy");
}

/* Readers report at the line they stop at. Only here is the frame released on an error, so that no reader has to. */
carom_status carom_frame_read_text(const carom_text *text, const carom_read_options *options, carom_frame *frame,
                                   carom_error *error) {
    carom_read_options defaults = carom_read_options_default();
    memset(frame, 0, sizeof *frame);
    carom_reading reading = {
        .text = *text, .options = options != NULL ? options : &defaults, .frame = frame, .error = error};
    carom_status status = read_format(&reading);
    CAROM_ASSERT(status != CAROM_OK || frame->count <= frame->capacity);
    frame->total = frame->count;
    if (status == CAROM_OK) {
        /* The choice comes before the radius: bodies that are left out need none. */
        if (reading.options->dynamics) {
            finish_dynamics(&reading);
        } else {
            finish_motion(&reading);
        }
        status = select_bodies(&reading);
    }
    if (status == CAROM_OK) {
        status = finish_radius(&reading);
    }
    if (status != CAROM_OK) {
        carom_frame_release(frame);
    }
    return status;
}

carom_status carom_frame_read(const char *path, const carom_read_options *options, carom_frame *frame,
                              carom_error *error) {
    carom_text text;
    memset(frame, 0, sizeof *frame);
    carom_status status = carom_text_open(path, &text, error);
    if (status == CAROM_OK) {
        status = carom_frame_read_text(&text, options, frame, error);
        carom_text_close(&text);
    }
    return status;
}
