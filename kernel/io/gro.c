/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* GROMACS .gro: a title, the number of atoms, one line in fixed columns for each atom, the box. Lengths in nm,
 * velocities in nm/ps. Residue and atom numbers wrap at 99,999 and are not read: an atom's place is its line. The width
 * of a number is the distance between decimal points, as in GROMACS. If there are no velocities and a second frame with
 * the same atoms (as many, of the same names) follows, it is the end of the step; other frames do not count.
 *
 *     Water
 *         2
 *         1SOL     OW    1   0.230   0.628   0.113  0.1230  0.0123 -0.0543
 *         1SOL    HW1    2   0.137   0.626   0.150  0.0870 -0.0112  0.0031
 *        1.82060   1.82060   1.82060 */
#include <string.h>

#include "kernel/io/readers.h"

/* Columns of a line, from 0: residue number and name, atom name and number, then coordinates. */
enum { NAME_COLUMN = 10, NAME_WIDTH = 5, POSITION_COLUMN = 20 };

/* The distance between the first two decimal points after the names: files of higher precision have wider numbers.
 * */
static bool width_of_numbers(carom_text_span line, int *width) {
    const char *first =
        line.end - line.begin > POSITION_COLUMN
            ? memchr(line.begin + POSITION_COLUMN, '.', (size_t)(line.end - line.begin) - POSITION_COLUMN)
            : NULL;
    const char *second = first != NULL ? memchr(first + 1, '.', (size_t)(line.end - first - 1)) : NULL;
    *width = second != NULL ? (int)(second - first) : 0;
    return *width > 1;
}

/* `width` columns from `begin` on, or as many as the line has. */
static carom_text_span column(carom_text_span line, long begin, long width) {
    long length = line.end - line.begin;
    begin = begin < length ? begin : length;
    long end = begin + width < length ? begin + width : length;
    return (carom_text_span){line.begin + begin, line.begin + end};
}

/* Three numbers of the same width, with no blanks needed between them. */
static carom_status read_triple(const carom_reading *reading, carom_text_span line, long begin, int width,
                                const char *const names[3], double *const to[3], uint64_t n) {
    carom_status status = CAROM_OK;
    for (int a = 0; a < 3 && status == CAROM_OK; a++) {
        status = carom_text_value(&reading->text, reading->error, column(line, begin + (long)a * width, width),
                                  names[a], &to[a][n]);
    }
    return status;
}

/* Whether anything follows the coordinates. */
static bool has_velocity(carom_text_span line, int width) {
    return !carom_text_blank(column(line, POSITION_COLUMN + 3L * width, line.end - line.begin));
}

/* One frame's atoms; positions to `to`. The first atom says how wide numbers are and whether velocities follow. */
static carom_status read_atoms(carom_reading *reading, uint64_t count, double *const to[3], bool first_frame) {
    carom_frame *frame = reading->frame;
    int width = 0;
    carom_text_span line;
    for (uint64_t n = 0; n < count; n++) {
        carom_status status = carom_reading_line(reading, &line, "its last atom");
        if (status != CAROM_OK) {
            return status;
        }
        /* The width holds for the whole frame; the second frame may have another. */
        if (n == 0 && !width_of_numbers(line, &width)) {
            return carom_reading_fail(reading, "no coordinates in the columns from %d on", POSITION_COLUMN + 1);
        }
        status = read_triple(reading, line, POSITION_COLUMN, width, carom_position_names, to, n);
        if (status == CAROM_OK && n == 0 && first_frame && has_velocity(line, width)) {
            reading->motion = CAROM_MOTION_VELOCITY;
        }
        if (status == CAROM_OK && first_frame && reading->motion == CAROM_MOTION_VELOCITY) {
            status =
                read_triple(reading, line, POSITION_COLUMN + 3L * width, width, carom_velocity_names, frame->curr, n);
        }
        if (status != CAROM_OK) {
            return status;
        }
        /* Names are right-aligned in their columns. */
        carom_reading_name(reading, carom_text_trim(column(line, NAME_COLUMN, NAME_WIDTH)), first_frame, n);
        if (first_frame) {
            frame->line[n] = reading->text.line;
        }
    }
    return CAROM_OK;
}

/* xx yy zz, and for a triclinic box xy xz yx yz zx zy (first letter the vector, second the axis). */
static carom_status read_box(carom_reading *reading) {
    static const int place[9][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}};
    carom_text_span line;
    carom_status status = carom_reading_line(reading, &line, "the box");
    for (int n = 0; n < 9 && status == CAROM_OK; n++) {
        carom_text_span field = carom_text_field(&line);
        if (carom_text_empty(field) && n == 3) {
            break;
        }
        status = carom_text_value(&reading->text, reading->error, field, "box",
                                  &reading->frame->box[place[n][0]][place[n][1]]);
    }
    /* Three zeros say that there is none. */
    const double *edge = &reading->frame->box[0][0];
    for (int n = 0; n < 9 && !reading->frame->has_box; n++) {
        if (edge[n] != 0.0) {
            carom_reading_found_box(reading);
        }
    }
    return status;
}

/* Title and count; the title may be anything. */
static carom_status read_header(carom_reading *reading, uint64_t *count) {
    carom_text_span line;
    carom_status status = carom_reading_line(reading, &line, "the title");
    if (status == CAROM_OK) {
        status = carom_reading_line(reading, &line, "the number of atoms");
    }
    return status == CAROM_OK ? carom_reading_count(reading, line, count) : status;
}

/* A frame of another number of atoms is no end of this step; it is not an error either. */
static carom_status read_second_frame(carom_reading *reading) {
    uint64_t count = 0;
    carom_status status = read_header(reading, &count);
    if (status == CAROM_OK && count == reading->frame->count) {
        status = read_atoms(reading, count, reading->frame->curr, false);
        carom_reading_end_second(reading);
    }
    return status;
}

carom_status carom_gro_read(carom_reading *reading) {
    reading->frame->format = "gro";
    uint64_t count = 0;
    carom_status status = read_header(reading, &count);
    if (status == CAROM_OK) {
        status = carom_reading_reserve(reading, count, true, true);
    }
    if (status == CAROM_OK) {
        status = read_atoms(reading, count, reading->frame->prev, true);
    }
    if (status == CAROM_OK) {
        status = read_box(reading);
    }
    carom_text_span next;
    if (status == CAROM_OK && reading->motion == CAROM_MOTION_NONE && carom_reading_peek(reading, &next)) {
        status = read_second_frame(reading);
    }
    return status;
}
