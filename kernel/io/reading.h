/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* State of one file while it is read, and what the readers of all formats share: room for the bodies, counts, fields
 * with messages that name the line, the second frame. */
#ifndef CAROM_IO_READING_H
#define CAROM_IO_READING_H

#include "kernel/io/frame.h"
#include "kernel/io/text.h"

/* What a reader has put into frame->curr. */
typedef enum carom_motion {
    CAROM_MOTION_NONE,     /* nothing that counts: the bodies are at rest */
    CAROM_MOTION_VELOCITY, /* velocities */
    CAROM_MOTION_POSITION  /* positions at the end of the step */
} carom_motion;

typedef struct carom_reading {
    carom_text text;                   /* the file, and how far it is read */
    const carom_read_options *options; /* not NULL */
    carom_frame *frame;                /* to be filled */
    carom_motion motion;               /* what frame->curr holds */
    uint64_t count_line;               /* where the number of bodies stood; 0: nowhere */
    bool other_atoms;                  /* a name of the second frame is not that of the first */
    carom_error *error;                /* receives what went wrong; may be NULL */
} carom_reading;

/* Makes room for `count` bodies, with names and lines where asked for; count must be believable for the size of
 * the file, which is at least two bytes a body. Errors: FORMAT, MEMORY. */
carom_status carom_reading_reserve(carom_reading *reading, uint64_t count, bool names, bool lines);

/* Reads a "count of bodies" field at the last line taken. */
carom_status carom_reading_count(carom_reading *reading, carom_text_span span, uint64_t *count);

/* Takes a line that must be there; `what` ends the message "the file ends before ...". */
carom_status carom_reading_line(carom_reading *reading, carom_text_span *line, const char *what);

/* Skips blank lines. Gives the line after them without taking it; false if there is none. */
bool carom_reading_peek(carom_reading *reading, carom_text_span *line);

/* The frame has a box, which stands at the last line taken. */
void carom_reading_found_box(carom_reading *reading);

/* FORMAT at the next line: it is of an atom beyond the number announced. */
carom_status carom_reading_surplus(const carom_reading *reading);

/* The name of body `at`: kept in the first frame, compared in the second (other_atoms). */
void carom_reading_name(carom_reading *reading, carom_text_span span, bool first_frame, uint64_t at);

/* After the second frame: it is the end of the step if its atoms are those of the first, else of no use. */
void carom_reading_end_second(carom_reading *reading);

/* Three numbers from consecutive fields of a line; names of the fields for messages. */
carom_status carom_reading_triple(const carom_reading *reading, carom_text_span *line, const char *const names[3],
                                  double *const to[3], uint64_t at);

/* A radius, or half a diameter, that must not be negative. */
carom_status carom_reading_radius(const carom_reading *reading, carom_text_span span, bool diameter, uint64_t at);

/* FORMAT at the last line taken. */
#define carom_reading_fail(reading, ...)                                                                               \
    carom_text_fail(&(reading)->text, (reading)->error, (reading)->text.line, __VA_ARGS__)

/* Names of fields for messages. */
extern const char *const carom_position_names[3];
extern const char *const carom_velocity_names[3];

#endif
