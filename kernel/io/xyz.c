/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* XYZ and extended XYZ: the number of atoms, a comment, one line for each atom. In extended XYZ the comment has
 * Properties=name:type:columns:... (pos, velo or vel or velocity, radius or diameter are read, the first string column
 * is the name) and Lattice="ax ay az bx by bz cx cy cz". Without Properties: name x y z. If there are no velocities and
 * a second frame of the same atoms (as many, of the same names) follows, it is the end of the step; other frames do not
 * count.
 *
 *     2
 *     Lattice="9 0 0 0 9 0 0 0 9" Properties=species:S:1:pos:R:3:velo:R:3:radius:R:1
 *     Ar 1.0 2.0 3.0 0.1 0.0 0.0 1.7
 *     Ar 4.0 5.0 6.0 0.0 0.2 0.0 1.7 */
#include <string.h>

#include "kernel/io/readers.h"

/* What a property is read as. */
typedef enum column_kind {
    COLUMN_SKIP,
    COLUMN_NAME,
    COLUMN_POSITION,
    COLUMN_VELOCITY,
    COLUMN_RADIUS,
    COLUMN_DIAMETER
} column_kind;

/* More properties than any program writes. */
enum { PROPERTIES_MAX = 32 };

/* The columns of an atom's line, from left to right. */
typedef struct layout {
    int count;  /* of properties */
    bool exact; /* no more columns than these; without Properties others may follow */
    struct {
        column_kind kind;
        int columns; /* fields of a line that it takes, >= 1 */
    } property[PROPERTIES_MAX];
} layout;

/* Whether some property is of this kind. */
static bool has(const layout *columns, column_kind kind) {
    for (int p = 0; p < columns->count; p++) {
        if (columns->property[p].kind == kind) {
            return true;
        }
    }
    return false;
}

/* Takes what stands before `stop`, and `stop` itself; all of it if there is none. */
static carom_text_span until(carom_text_span *rest, char stop) {
    const char *end = memchr(rest->begin, stop, (size_t)(rest->end - rest->begin));
    carom_text_span part = {rest->begin, end != NULL ? end : rest->end};
    rest->begin = end != NULL ? end + 1 : rest->end;
    return part;
}

/* By name, type and width, as ASE and OVITO write them. The first string is the name, whatever it is called. */
static column_kind kind_of(const layout *columns, carom_text_span name, char type, int64_t count) {
    if (type == 'S' && !has(columns, COLUMN_NAME)) {
        return COLUMN_NAME;
    }
    if (type == 'R' && count == 3 && carom_text_equal(name, "pos")) {
        return COLUMN_POSITION;
    }
    if (type == 'R' && count == 3 &&
        (carom_text_equal(name, "velo") || carom_text_equal(name, "vel") || carom_text_equal(name, "velocity") ||
         carom_text_equal(name, "velocities"))) {
        return COLUMN_VELOCITY;
    }
    if (type == 'R' && count == 1 && carom_text_equal(name, "radius")) {
        return COLUMN_RADIUS;
    }
    return type == 'R' && count == 1 && carom_text_equal(name, "diameter") ? COLUMN_DIAMETER : COLUMN_SKIP;
}

/* Whether the layout has such a column already; a radius and a diameter are of one kind. */
static bool clashes(const layout *columns, column_kind kind) {
    if (kind == COLUMN_RADIUS || kind == COLUMN_DIAMETER) {
        return has(columns, COLUMN_RADIUS) || has(columns, COLUMN_DIAMETER);
    }
    return kind != COLUMN_SKIP && has(columns, kind);
}

/* name:type:columns, again and again. */
static carom_status parse_properties(const carom_reading *reading, carom_text_span text, layout *columns) {
    *columns = (layout){.exact = true};
    while (!carom_text_empty(text)) {
        carom_text_span name = until(&text, ':');
        carom_text_span type = until(&text, ':');
        carom_text_span number = until(&text, ':');
        int64_t count;
        if (columns->count == PROPERTIES_MAX || carom_text_empty(type) || !carom_text_integer(number, &count) ||
            count < 1 || count > 1000) {
            return carom_reading_fail(reading, "Properties must be name:type:columns, repeated");
        }
        column_kind kind = kind_of(columns, name, *type.begin, count);
        if (clashes(columns, kind)) {
            char shown[32];
            carom_text_show(name, shown, sizeof shown);
            return carom_reading_fail(reading, "Properties: \"%s\" comes after another of its kind", shown);
        }
        columns->property[columns->count].kind = kind;
        columns->property[columns->count].columns = (int)count;
        columns->count++;
    }
    return has(columns, COLUMN_POSITION) ? CAROM_OK : carom_reading_fail(reading, "Properties have no pos:R:3");
}

/* The value of key= in a comment, without its quotes. */
static bool find_value(carom_text_span comment, const char *key, carom_text_span *value) {
    size_t length = strlen(key);
    for (const char *at = comment.begin; at + length < comment.end; at++) {
        bool starts = at == comment.begin || at[-1] == ' ' || at[-1] == '\t';
        if (!starts || memcmp(at, key, length) != 0 || at[length] != '=') {
            continue;
        }
        carom_text_span rest = {at + length + 1, comment.end};
        if (rest.begin < rest.end && *rest.begin == '"') {
            rest.begin++;
            *value = until(&rest, '"');
        } else {
            *value = carom_text_field(&rest);
        }
        return true;
    }
    return false;
}

/* Nine numbers: the three edges of the box, one after the other. */
static carom_status parse_lattice(carom_reading *reading, carom_text_span comment) {
    carom_text_span lattice;
    if (!find_value(comment, "Lattice", &lattice)) {
        return CAROM_OK;
    }
    carom_status status = CAROM_OK;
    bool zero = true;
    for (int n = 0; n < 9 && status == CAROM_OK; n++) {
        double *edge = &reading->frame->box[n / 3][n % 3];
        status = carom_text_value(&reading->text, reading->error, carom_text_field(&lattice), "Lattice", edge);
        zero = zero && status == CAROM_OK && *edge == 0.0;
    }
    if (status == CAROM_OK && zero) {
        return carom_reading_fail(reading, "Lattice is zero: a box without edges");
    }
    if (status == CAROM_OK) {
        carom_reading_found_box(reading);
    }
    return status;
}

/* Without Properties this is plain XYZ: a name and three coordinates, and whatever a program adds after them. */
static carom_status parse_comment(const carom_reading *reading, carom_text_span comment, layout *columns) {
    carom_text_span properties;
    if (find_value(comment, "Properties", &properties)) {
        return parse_properties(reading, properties, columns);
    }
    *columns = (layout){.count = 2, .property = {{COLUMN_NAME, 1}, {COLUMN_POSITION, 3}}};
    return CAROM_OK;
}

/* Takes the fields of one property of body n. The second frame has only its positions and names read. */
static carom_status read_property(carom_reading *reading, carom_text_span *line, column_kind kind, int columns,
                                  double *const position[3], bool first_frame, uint64_t n) {
    carom_frame *frame = reading->frame;
    if (kind == COLUMN_POSITION) {
        return carom_reading_triple(reading, line, carom_position_names, position, n);
    }
    if (kind == COLUMN_VELOCITY && first_frame) {
        return carom_reading_triple(reading, line, carom_velocity_names, frame->curr, n);
    }
    carom_text_span field = carom_text_field(line);
    carom_text_span last = field;
    for (int c = 1; c < columns; c++) {
        last = carom_text_field(line);
    }
    if (carom_text_empty(last)) {
        return carom_reading_fail(reading, "fewer columns than announced");
    }
    if (kind == COLUMN_NAME) {
        carom_reading_name(reading, field, first_frame, n);
    }
    if ((kind == COLUMN_RADIUS || kind == COLUMN_DIAMETER) && first_frame) {
        return carom_reading_radius(reading, field, kind == COLUMN_DIAMETER, n);
    }
    return CAROM_OK;
}

/* The atoms of a frame, positions to `position`. */
static carom_status read_atoms(carom_reading *reading, const layout *columns, double *const position[3],
                               bool first_frame) {
    for (uint64_t n = 0; n < reading->frame->count; n++) {
        carom_text_span line;
        carom_status status = carom_reading_line(reading, &line, "its last atom");
        for (int p = 0; p < columns->count && status == CAROM_OK; p++) {
            status = read_property(reading, &line, columns->property[p].kind, columns->property[p].columns, position,
                                   first_frame, n);
        }
        if (status == CAROM_OK && columns->exact && !carom_text_blank(line)) {
            status = carom_reading_fail(reading, "more columns than Properties has");
        }
        if (status != CAROM_OK) {
            return status;
        }
        /* Errors in a body are reported where the first frame has it. */
        if (first_frame) {
            reading->frame->line[n] = reading->text.line;
        }
    }
    return CAROM_OK;
}

/* The two lines before the atoms. */
static carom_status read_header(carom_reading *reading, uint64_t *count, carom_text_span *comment) {
    carom_text_span line;
    carom_status status = carom_reading_line(reading, &line, "the number of atoms");
    if (status == CAROM_OK) {
        status = carom_reading_count(reading, line, count);
    }
    return status == CAROM_OK ? carom_reading_line(reading, comment, "the comment line") : status;
}

/* Whether a frame of as many atoms follows. Anything but a frame's header is an error: most likely the number of
 * atoms is too small. */
static carom_status find_second_frame(carom_reading *reading, bool *follows) {
    carom_text_span line;
    int64_t count;
    *follows = false;
    if (!carom_reading_peek(reading, &line)) {
        return CAROM_OK;
    }
    if (!carom_text_integer(carom_text_trim(line), &count)) {
        return carom_reading_surplus(reading);
    }
    *follows = count > 0 && (uint64_t)count == reading->frame->count;
    return CAROM_OK;
}

/* Its own comment says what its columns are. */
static carom_status read_second_frame(carom_reading *reading) {
    uint64_t count;
    carom_text_span comment;
    layout columns;
    carom_status status = read_header(reading, &count, &comment);
    if (status == CAROM_OK) {
        status = parse_comment(reading, comment, &columns);
    }
    if (status == CAROM_OK) {
        status = read_atoms(reading, &columns, reading->frame->curr, false);
        carom_reading_end_second(reading);
    }
    return status;
}

carom_status carom_xyz_read(carom_reading *reading) {
    reading->frame->format = "xyz";
    uint64_t count = 0;
    carom_text_span comment;
    layout columns;
    carom_status status = read_header(reading, &count, &comment);
    if (status == CAROM_OK) {
        status = parse_comment(reading, comment, &columns);
    }
    if (status == CAROM_OK) {
        status = parse_lattice(reading, comment);
    }
    if (status == CAROM_OK) {
        status = carom_reading_reserve(reading, count, has(&columns, COLUMN_NAME), true);
    }
    if (status != CAROM_OK) {
        return status;
    }
    reading->motion = has(&columns, COLUMN_VELOCITY) ? CAROM_MOTION_VELOCITY : CAROM_MOTION_NONE;
    reading->frame->has_radius = has(&columns, COLUMN_RADIUS) || has(&columns, COLUMN_DIAMETER);
    status = read_atoms(reading, &columns, reading->frame->prev, true);
    bool follows = false;
    if (status == CAROM_OK) {
        status = find_second_frame(reading, &follows);
    }
    if (status == CAROM_OK && follows && reading->motion == CAROM_MOTION_NONE) {
        status = read_second_frame(reading);
    }
    return status;
}
