/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* CSV with a header line. Columns by name, in any order: x y z or prev_x prev_y prev_z; then vx vy vz or curr_x curr_y
 * curr_z; radius or r, or diameter; name; for a simulation also mass, restitution and id. Other columns are skipped.
 * Separator: the first of comma, semicolon and tab in the header. Fields may be in double quotes, a quote inside
 * written twice; none spans lines. Empty lines and lines that start with # are skipped, also before the header.
 *
 *     x,y,z,vx,vy,vz,radius,name
 *     1.0,2.0,3.0,0.1,0,0,0.5,grain */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "kernel/io/heap.h"
#include "kernel/io/ids.h"
#include "kernel/io/readers.h"
#include "kernel/sys/error.h"

/* What a column holds. The three axes of a vector follow one another, so that a kind minus its x is an axis. */
typedef enum field_kind {
    FIELD_PREV_X,
    FIELD_PREV_Y,
    FIELD_PREV_Z,
    FIELD_CURR_X,
    FIELD_CURR_Y,
    FIELD_CURR_Z,
    FIELD_VX,
    FIELD_VY,
    FIELD_VZ,
    FIELD_RADIUS,
    FIELD_DIAMETER,
    FIELD_NAME,
    FIELD_MASS, /* this and the next only with options.dynamics */
    FIELD_RESTITUTION,
    FIELD_ID,
    FIELD_COUNT,
    FIELD_OTHER = FIELD_COUNT
} field_kind;

/* More columns than any table of bodies has. */
enum { COLUMNS_MAX = 64 };

/* Names of columns, in any case. */
static const struct {
    const char *name;
    field_kind kind;
} FIELD_NAMES[] = {
    {"x", FIELD_PREV_X},
    {"y", FIELD_PREV_Y},
    {"z", FIELD_PREV_Z},
    {"prev_x", FIELD_PREV_X},
    {"prev_y", FIELD_PREV_Y},
    {"prev_z", FIELD_PREV_Z},
    {"curr_x", FIELD_CURR_X},
    {"curr_y", FIELD_CURR_Y},
    {"curr_z", FIELD_CURR_Z},
    {"vx", FIELD_VX},
    {"vy", FIELD_VY},
    {"vz", FIELD_VZ},
    {"radius", FIELD_RADIUS},
    {"r", FIELD_RADIUS},
    {"name", FIELD_NAME},
    {"diameter", FIELD_DIAMETER},
    {"mass", FIELD_MASS},
    {"id", FIELD_ID},
    {"restitution", FIELD_RESTITUTION},
};

/* The header. */
typedef struct table {
    char separator;
    int columns;                   /* of the header, at most COLUMNS_MAX */
    field_kind kind[COLUMNS_MAX];  /* of each column */
    const char *name[COLUMNS_MAX]; /* of each column that has a kind */
    bool present[FIELD_COUNT + 1]; /* whether some column is of this kind */
} table;

/* A header with one column has no separator; any does. */
static char find_separator(carom_text_span line) {
    for (const char *c = line.begin; c < line.end; c++) {
        if (*c == ',' || *c == ';' || *c == '\t') {
            return *c;
        }
    }
    return ',';
}

/* The end of a quoted field that begins after its quote: the next quote that is not doubled, or the line's end. */
static const char *find_quote(const char *at, const char *end) {
    while (at < end && (*at != '"' || (at + 1 < end && at[1] == '"'))) {
        at += *at == '"' ? 2 : 1;
    }
    return at;
}

/* What is left of a line: `more` says whether a field follows, which may be empty. */
typedef struct remainder {
    carom_text_span text;
    char separator;
    bool more;
} remainder;

/* Takes a field and its separator; quotes around it are dropped. */
static carom_status take_field(const carom_reading *reading, remainder *rest, carom_text_span *field) {
    carom_text_span *text = &rest->text;
    while (text->begin < text->end && *text->begin == ' ') {
        text->begin++;
    }
    bool quoted = text->begin < text->end && *text->begin == '"';
    if (quoted) {
        field->begin = text->begin + 1;
        field->end = find_quote(field->begin, text->end);
        if (field->end == text->end) {
            return carom_reading_fail(reading, "a quote is not closed");
        }
        text->begin = field->end + 1;
    }
    const char *stop = memchr(text->begin, rest->separator, (size_t)(text->end - text->begin));
    carom_text_span bare = {text->begin, stop != NULL ? stop : text->end};
    if (quoted && !carom_text_blank(bare)) {
        return carom_reading_fail(reading, "text follows a closing quote");
    }
    *field = carom_text_trim(quoted ? *field : bare);
    rest->more = stop != NULL;
    text->begin = stop != NULL ? stop + 1 : text->end;
    return CAROM_OK;
}

/* A name; a quote written twice is one. */
static void copy_name(carom_text_span field, char to[CAROM_NAME_SIZE]) {
    int length = 0;
    for (const char *at = field.begin; at < field.end && length < CAROM_NAME_SIZE - 1; at++) {
        /* A doubled quote is one: its second half is stepped over. */
        to[length++] = *at;
        at += *at == '"' && at + 1 < field.end && at[1] == '"';
    }
    to[length] = '\0';
}

/* A name that is too long is cut and matches nothing: the longest known is shorter than CAROM_NAME_SIZE. */
static field_kind kind_of(carom_text_span field, bool dynamics, const char **known) {
    char name[CAROM_NAME_SIZE];
    carom_text_copy(field, name, sizeof name);
    for (size_t n = 0; n < sizeof FIELD_NAMES / sizeof FIELD_NAMES[0]; n++) {
        if (strcasecmp(name, FIELD_NAMES[n].name) == 0) {
            *known = FIELD_NAMES[n].name;
            return FIELD_NAMES[n].kind < FIELD_MASS || dynamics ? FIELD_NAMES[n].kind : FIELD_OTHER;
        }
    }
    return FIELD_OTHER;
}

/* Whether all three axes of a vector are there, from its x on. */
static bool all_present(const table *t, field_kind first) {
    return t->present[first] && t->present[first + 1] && t->present[first + 2];
}

/* A column that means nothing may be a name that was misspelt. */
static void note_skipped(carom_frame *frame, carom_text_span field) {
    char shown[32];
    const size_t used = strlen(frame->skipped);
    const char *between = used > 0 ? ", " : "";
    carom_text_show(field, shown, sizeof shown);
    if (used + strlen(between) + strlen(shown) < sizeof frame->skipped) {
        snprintf(frame->skipped + used, sizeof frame->skipped - used, "%s%s", between, shown);
    }
}

/* Only positions must be there. Two columns of one kind are an error, since either could be meant. */
static carom_status parse_header(const carom_reading *reading, carom_text_span line, table *t) {
    *t = (table){.separator = find_separator(line)};
    remainder rest = {.text = line, .separator = t->separator, .more = true};
    while (rest.more) {
        carom_text_span field;
        carom_status status = take_field(reading, &rest, &field);
        if (status != CAROM_OK) {
            return status;
        }
        if (t->columns == COLUMNS_MAX) {
            return carom_reading_fail(reading, "more than %d columns", COLUMNS_MAX);
        }
        field_kind kind = kind_of(field, reading->options->dynamics, &t->name[t->columns]);
        if (kind != FIELD_OTHER && t->present[kind]) {
            char shown[32];
            carom_text_show(field, shown, sizeof shown);
            return carom_reading_fail(reading, "column \"%s\" stands twice", shown);
        }
        if (kind == FIELD_OTHER) {
            note_skipped(reading->frame, field);
        }
        t->present[kind] = true;
        t->kind[t->columns++] = kind;
    }
    if (!all_present(t, FIELD_PREV_X)) {
        return carom_reading_fail(reading, "the header must have x, y, z or prev_x, prev_y, prev_z");
    }
    return CAROM_OK;
}

/* The library says which masses and restitutions there may be; a mass may be infinite. */
static carom_status read_mass(const carom_reading *reading, carom_text_span field, uint64_t n) {
    double *mass = &reading->frame->mass[n];
    if (carom_text_double(carom_text_trim(field), mass)) {
        return CAROM_OK;
    }
    return carom_text_value(&reading->text, reading->error, field, "mass", mass);
}

static carom_status read_id(const carom_reading *reading, carom_text_span field, uint64_t n) {
    int64_t id;
    if (!carom_text_integer(carom_text_trim(field), &id) || id < 0) {
        char shown[32];
        carom_text_show(field, shown, sizeof shown);
        return carom_reading_fail(reading, "id is not a whole number from 0 up: \"%s\"", shown);
    }
    reading->frame->id[n] = (uint64_t)id;
    return CAROM_OK;
}

/* Puts a field of body n where its kind says. Of positions at the end and velocities only those that count are read. */
static carom_status read_field(carom_reading *reading, field_kind kind, const char *name, carom_text_span field,
                               uint64_t n) {
    carom_frame *frame = reading->frame;
    const carom_text *text = &reading->text;
    switch (kind) {
    case FIELD_PREV_X:
    case FIELD_PREV_Y:
    case FIELD_PREV_Z:
        return carom_text_value(text, reading->error, field, name, &frame->prev[kind - FIELD_PREV_X][n]);
    case FIELD_CURR_X:
    case FIELD_CURR_Y:
    case FIELD_CURR_Z:
        if (reading->motion != CAROM_MOTION_POSITION) {
            return CAROM_OK;
        }
        return carom_text_value(text, reading->error, field, name, &frame->curr[kind - FIELD_CURR_X][n]);
    case FIELD_VX:
    case FIELD_VY:
    case FIELD_VZ:
        if (reading->motion == CAROM_MOTION_VELOCITY) {
            return carom_text_value(text, reading->error, field, name, &frame->curr[kind - FIELD_VX][n]);
        }
        return CAROM_OK;
    case FIELD_RADIUS:
    case FIELD_DIAMETER:
        return carom_reading_radius(reading, field, kind == FIELD_DIAMETER, n);
    case FIELD_NAME:
        copy_name(field, frame->name[n]);
        return CAROM_OK;
    case FIELD_MASS:
        return read_mass(reading, field, n);
    case FIELD_RESTITUTION:
        return carom_text_value(text, reading->error, field, "restitution", &frame->restitution[n]);
    case FIELD_ID:
        return read_id(reading, field, n);
    case FIELD_COUNT:
        break;
    }
    return CAROM_OK;
}

/* Every line must have as many fields as the header: a missing one shifts all others. */
static carom_status read_row(carom_reading *reading, const table *t, carom_text_span line, uint64_t n) {
    remainder rest = {.text = line, .separator = t->separator, .more = true};
    int column = 0;
    while (rest.more) {
        if (column == t->columns) {
            return carom_reading_fail(reading, "more fields than the header's %d", t->columns);
        }
        carom_text_span field;
        carom_status status = take_field(reading, &rest, &field);
        if (status == CAROM_OK) {
            status = read_field(reading, t->kind[column], t->name[column], field, n);
            column++;
        }
        if (status != CAROM_OK) {
            return status;
        }
    }
    if (column < t->columns) {
        return carom_reading_fail(reading, "%d fields; the header has %d", column, t->columns);
    }
    reading->frame->line[n] = reading->text.line;
    return CAROM_OK;
}

/* The file does not say how many bodies it has. The copy of `text` walks ahead. */
static uint64_t count_rows(carom_text text) {
    carom_text_span line;
    uint64_t rows = 0;
    while (carom_text_row(&text, &line)) {
        rows++;
    }
    return rows;
}

/* What the columns mean together. Two axes of three are an error, not a body at rest. A file may have both positions at
 * the end and velocities: detection takes the positions, a simulation the velocities. */
static carom_status choose_columns(carom_reading *reading, table *t) {
    const bool velocities_first = reading->options->dynamics && all_present(t, FIELD_VX);
    if (all_present(t, FIELD_CURR_X) && !velocities_first) {
        reading->motion = CAROM_MOTION_POSITION;
    } else if (all_present(t, FIELD_VX)) {
        reading->motion = CAROM_MOTION_VELOCITY;
    }
    bool some_curr = t->present[FIELD_CURR_X] || t->present[FIELD_CURR_Y] || t->present[FIELD_CURR_Z];
    bool some_velocity = t->present[FIELD_VX] || t->present[FIELD_VY] || t->present[FIELD_VZ];
    bool partial = some_curr && !velocities_first ? reading->motion != CAROM_MOTION_POSITION
                                                  : some_velocity && reading->motion != CAROM_MOTION_VELOCITY;
    if (partial) {
        return carom_reading_fail(reading, "the header must have all three of curr_x, curr_y, curr_z or of vx, vy, vz");
    }
    if (t->present[FIELD_RADIUS] && t->present[FIELD_DIAMETER]) {
        return carom_reading_fail(reading, "the header has both radius and diameter");
    }
    reading->frame->has_radius = t->present[FIELD_RADIUS] || t->present[FIELD_DIAMETER];
    return CAROM_OK;
}

static carom_status no_memory(const carom_reading *reading) {
    return carom_error_set(reading->error, CAROM_ERROR_MEMORY, "%s: no memory for %" PRIu64 " bodies",
                           reading->text.path, reading->frame->count);
}

/* Room for the columns that only a simulation reads; the owner of the frame releases it. */
static carom_status reserve_dynamics(carom_reading *reading, const table *t) {
    carom_frame *frame = reading->frame;
    const uint64_t bytes = frame->capacity * sizeof(double);
    frame->mass = t->present[FIELD_MASS] ? carom_heap_allocate(bytes) : NULL;
    frame->restitution = t->present[FIELD_RESTITUTION] ? carom_heap_allocate(bytes) : NULL;
    frame->id = t->present[FIELD_ID] ? carom_heap_allocate(frame->capacity * sizeof *frame->id) : NULL;
    const bool all = (frame->mass != NULL || !t->present[FIELD_MASS]) &&
                     (frame->restitution != NULL || !t->present[FIELD_RESTITUTION]) &&
                     (frame->id != NULL || !t->present[FIELD_ID]);
    return all ? CAROM_OK : no_memory(reading);
}

/* Two bodies of one id could not be told apart. */
static carom_status check_ids(const carom_reading *reading) {
    const carom_frame *frame = reading->frame;
    if (frame->id == NULL) {
        return CAROM_OK;
    }
    const uint64_t bytes = frame->count * sizeof(carom_id);
    carom_id *ids = carom_heap_allocate(bytes);
    if (ids == NULL) {
        return no_memory(reading);
    }
    for (uint64_t n = 0; n < frame->count; n++) {
        ids[n] = (carom_id){.id = (int64_t)frame->id[n], .place = n, .line = frame->line[n]};
    }
    const carom_id *twice = carom_ids_sort(ids, frame->count);
    const carom_status status = twice == NULL ? CAROM_OK
                                              : carom_text_fail(&reading->text, reading->error, twice->line,
                                                                "id %" PRId64 " stands twice", twice->id);
    carom_heap_release(ids, bytes);
    return status;
}

carom_status carom_csv_read(carom_reading *reading) {
    reading->frame->format = "csv";
    carom_text_span line;
    table t;
    carom_status status = CAROM_OK;
    /* An empty file: the message says at which line the header was expected. */
    if (!carom_text_row(&reading->text, &line)) {
        status = carom_reading_line(reading, &line, "the header");
    }
    if (status == CAROM_OK) {
        status = parse_header(reading, line, &t);
    }
    if (status == CAROM_OK) {
        status = choose_columns(reading, &t);
    }
    if (status == CAROM_OK) {
        status = carom_reading_reserve(reading, count_rows(reading->text), t.present[FIELD_NAME], true);
    }
    if (status == CAROM_OK) {
        status = reserve_dynamics(reading, &t);
    }
    uint64_t n = 0;
    while (status == CAROM_OK && carom_text_row(&reading->text, &line)) {
        status = read_row(reading, &t, line, n++);
    }
    return status == CAROM_OK ? check_ids(reading) : status;
}
