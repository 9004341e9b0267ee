/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* LAMMPS dump, text: frames of "ITEM:" headers. Columns by name: id, x y z or xu yu zu, xs ys zs or xsu ysu zsu
 * (fractions of the box, made absolute), vx vy vz, radius or diameter, element or type (the name). Atoms come in any
 * order and are put in that of their ids. If a second frame of the same atoms follows, it is the end of the step; else
 * velocities are used; further frames are not read.
 *
 *     ITEM: TIMESTEP
 *     0
 *     ITEM: NUMBER OF ATOMS
 *     1
 *     ITEM: BOX BOUNDS pp pp pp
 *     0 10
 *     0 10
 *     0 10
 *     ITEM: ATOMS id type x y z vx vy vz
 *     1 1 1.0 2.0 3.0 0.1 0.0 0.0 */
#include <inttypes.h>
#include <string.h>

#include "kernel/io/lammps.h"
#include "kernel/io/readers.h"

/* What a column holds. The three axes of a vector follow one another, so that a kind minus its x is an axis. */
typedef enum field_kind {
    FIELD_X,
    FIELD_Y,
    FIELD_Z,
    FIELD_XS,
    FIELD_YS,
    FIELD_ZS,
    FIELD_VX,
    FIELD_VY,
    FIELD_VZ,
    FIELD_ID,
    FIELD_RADIUS,
    FIELD_DIAMETER,
    FIELD_TYPE,
    FIELD_ELEMENT,
    FIELD_COUNT,
    FIELD_OTHER = FIELD_COUNT
} field_kind;

/* Names of columns. Unwrapped coordinates (xu, xsu) do: a step is shorter than the box. */
static const struct {
    const char *name;
    field_kind kind;
} FIELD_NAMES[] = {
    {"x", FIELD_X},
    {"y", FIELD_Y},
    {"z", FIELD_Z},
    {"xu", FIELD_X},
    {"yu", FIELD_Y},
    {"zu", FIELD_Z},
    {"xs", FIELD_XS},
    {"ys", FIELD_YS},
    {"zs", FIELD_ZS},
    {"xsu", FIELD_XS},
    {"ysu", FIELD_YS},
    {"zsu", FIELD_ZS},
    {"vx", FIELD_VX},
    {"vy", FIELD_VY},
    {"vz", FIELD_VZ},
    {"id", FIELD_ID},
    {"type", FIELD_TYPE},
    {"radius", FIELD_RADIUS},
    {"diameter", FIELD_DIAMETER},
    {"element", FIELD_ELEMENT},
};

/* More columns than any dump has. */
enum { COLUMNS_MAX = 64 };

/* What stands before the atoms of a frame. */
typedef struct frame_header {
    uint64_t count;                /* atoms */
    bool has_box;                  /* lo and edge are known */
    uint64_t box_line;             /* where they stand, from 1 */
    double lo[3];                  /* corner of the box */
    double edge[3][3];             /* its edge vectors in the rows */
    int columns;                   /* of an atom's line, at most COLUMNS_MAX */
    field_kind kind[COLUMNS_MAX];  /* of each column */
    bool present[FIELD_COUNT + 1]; /* whether some column is of this kind */
} frame_header;

/* Whether all three axes of a vector are there, from its x on. */
static bool all_present(const frame_header *h, field_kind first) {
    return h->present[first] && h->present[first + 1] && h->present[first + 2];
}

/* Text after "ITEM: <name>", or false. */
static bool is_item(carom_text_span line, const char *name, carom_text_span *rest) {
    if (!carom_text_starts(line, "ITEM: ")) {
        return false;
    }
    *rest = (carom_text_span){line.begin + strlen("ITEM: "), line.end};
    if (!carom_text_starts(*rest, name)) {
        return false;
    }
    rest->begin += strlen(name);
    return true;
}

static double least4(double a, double b, double c, double d) {
    double ab = a < b ? a : b;
    double cd = c < d ? c : d;
    return ab < cd ? ab : cd;
}

/* The bounds of a tilted box enclose it: its own corners lie inside by the tilt. */
static void untilt(frame_header *h, const double bound[3][2], const double tilt[3]) {
    double xy = tilt[0];
    double xz = tilt[1];
    double yz = tilt[2];
    double below[3] = {least4(0.0, xy, xz, xy + xz), yz < 0.0 ? yz : 0.0, 0.0};
    double above[3] = {-least4(0.0, -xy, -xz, -xy - xz), yz > 0.0 ? yz : 0.0, 0.0};
    memset(h->edge, 0, sizeof h->edge);
    for (int a = 0; a < 3; a++) {
        h->lo[a] = bound[a][0] - below[a];
        h->edge[a][a] = bound[a][1] - above[a] - h->lo[a];
    }
    h->edge[1][0] = xy;
    h->edge[2][0] = xz;
    h->edge[2][1] = yz;
}

/* Two bounds an axis; in a tilted box a third number, in the order xy, xz, yz. */
static carom_status read_box(carom_reading *reading, carom_text_span item, frame_header *h) {
    carom_text_span kind = carom_text_field(&item);
    bool tilted = carom_text_equal(kind, "xy");
    double bound[3][2];
    double tilt[3] = {0.0, 0.0, 0.0};
    if (carom_text_equal(kind, "abc")) {
        return carom_reading_fail(reading, "boxes of general triclinic form (abc origin) are not read");
    }
    for (int a = 0; a < 3; a++) {
        carom_text_span line;
        carom_status status = carom_reading_line(reading, &line, "the box bounds");
        for (int n = 0; n < (tilted ? 3 : 2) && status == CAROM_OK; n++) {
            status = carom_text_value(&reading->text, reading->error, carom_text_field(&line), "box bound",
                                      n < 2 ? &bound[a][n] : &tilt[a]);
        }
        if (status != CAROM_OK) {
            return status;
        }
    }
    untilt(h, (const double(*)[2])bound, tilt);
    h->has_box = true;
    h->box_line = reading->text.line;
    return CAROM_OK;
}

/* What "ITEM: ATOMS" lists. Of two columns of one kind (x and xu) the first counts. */
static carom_status read_columns(const carom_reading *reading, carom_text_span names, frame_header *h) {
    for (carom_text_span name = carom_text_field(&names); !carom_text_empty(name); name = carom_text_field(&names)) {
        if (h->columns == COLUMNS_MAX) {
            return carom_reading_fail(reading, "more than %d columns", COLUMNS_MAX);
        }
        field_kind kind = FIELD_OTHER;
        /* The table is short, and this runs once a frame. */
        for (size_t n = 0; n < sizeof FIELD_NAMES / sizeof FIELD_NAMES[0]; n++) {
            kind = carom_text_equal(name, FIELD_NAMES[n].name) ? FIELD_NAMES[n].kind : kind;
        }
        kind = kind != FIELD_OTHER && h->present[kind] ? FIELD_OTHER : kind;
        h->present[kind] = true;
        h->kind[h->columns++] = kind;
    }
    if (!all_present(h, FIELD_X) && !all_present(h, FIELD_XS)) {
        return carom_reading_fail(reading, "the columns must have x y z, xu yu zu, xs ys zs or xsu ysu zsu");
    }
    if (!all_present(h, FIELD_X) && !h->has_box) {
        return carom_reading_fail(reading, "scaled coordinates need box bounds");
    }
    return CAROM_OK;
}

/* Up to and with "ITEM: ATOMS". */
static carom_status read_header(carom_reading *reading, frame_header *h) {
    *h = (frame_header){0};
    bool counted = false;
    for (;;) {
        carom_text_span line;
        carom_text_span rest;
        carom_status status = carom_reading_line(reading, &line, "ITEM: ATOMS");
        if (status == CAROM_OK && is_item(line, "NUMBER OF ATOMS", &rest)) {
            status = carom_reading_line(reading, &line, "the number of atoms");
            status = status == CAROM_OK ? carom_reading_count(reading, line, &h->count) : status;
            counted = true;
        } else if (status == CAROM_OK && is_item(line, "BOX BOUNDS", &rest)) {
            status = read_box(reading, rest, h);
        } else if (status == CAROM_OK && is_item(line, "ATOMS", &rest)) {
            return counted ? read_columns(reading, rest, h)
                           : carom_reading_fail(reading, "there is no number of atoms");
        }
        if (status != CAROM_OK) {
            return status;
        }
    }
}

/* An atom as its line has it. */
typedef struct dump_atom {
    int64_t id;           /* without a column of ids: the number of its line */
    double at[3];         /* scaled coordinates until the line is read, then a position */
    double velocity[3];   /* 0 without velocities */
    carom_text_span name; /* element, else type, else empty */
} dump_atom;

/* Puts a field where the kind of its column says. Names, ids and positions are read in both frames. */
static carom_status read_field(carom_reading *reading, const frame_header *h, int column, carom_text_span field,
                               uint64_t n, bool first_frame, dump_atom *atom) {
    field_kind kind = h->kind[column];
    const carom_text *text = &reading->text;
    if (carom_text_empty(field)) {
        return carom_reading_fail(reading, "%d columns; ITEM: ATOMS has %d", column, h->columns);
    }
    bool scaled = !all_present(h, FIELD_X);
    if (kind <= FIELD_Z && !scaled) {
        return carom_text_value(text, reading->error, field, carom_position_names[kind], &atom->at[kind]);
    }
    if (kind >= FIELD_XS && kind <= FIELD_ZS && scaled) {
        return carom_text_value(text, reading->error, field, "scaled coordinate", &atom->at[kind - FIELD_XS]);
    }
    if (kind >= FIELD_VX && kind <= FIELD_VZ && first_frame) {
        return carom_text_value(text, reading->error, field, carom_velocity_names[kind - FIELD_VX],
                                &atom->velocity[kind - FIELD_VX]);
    }
    if (kind == FIELD_ID) {
        return carom_lammps_read_id(reading, field, &atom->id);
    }
    if ((kind == FIELD_RADIUS || (kind == FIELD_DIAMETER && !h->present[FIELD_RADIUS])) && first_frame) {
        return carom_reading_radius(reading, field, kind == FIELD_DIAMETER, n);
    }
    if (kind == FIELD_ELEMENT || (kind == FIELD_TYPE && !h->present[FIELD_ELEMENT])) {
        atom->name = field;
    }
    return CAROM_OK;
}

/* Reads the line of an atom; n is its place in the file, for a radius and for an id if there is none. */
static carom_status read_atom(carom_reading *reading, const frame_header *h, uint64_t n, bool first_frame,
                              dump_atom *atom) {
    carom_text_span line;
    carom_status status = carom_reading_line(reading, &line, "its last atom");
    /* LAMMPS numbers atoms from 1. */
    *atom = (dump_atom){.id = (int64_t)n + 1, .name = {"", ""}};
    atom->name.end = atom->name.begin;
    for (int c = 0; c < h->columns && status == CAROM_OK; c++) {
        status = read_field(reading, h, c, carom_text_field(&line), n, first_frame, atom);
    }
    if (status == CAROM_OK && !carom_text_blank(line)) {
        return carom_reading_fail(reading, "more columns than the %d of ITEM: ATOMS", h->columns);
    }
    if (status == CAROM_OK && !all_present(h, FIELD_X)) {
        /* at = origin + s_x a + s_y b + s_z c, with the edge vectors a, b, c of the box. */
        double s[3] = {atom->at[0], atom->at[1], atom->at[2]};
        for (int a = 0; a < 3; a++) {
            atom->at[a] = h->lo[a] + s[0] * h->edge[0][a] + s[1] * h->edge[1][a] + s[2] * h->edge[2][a];
        }
    }
    return status;
}

/* Bodies in the order of the file; at the end in that of their ids. */
static carom_status read_first_frame(carom_reading *reading, const frame_header *h, carom_id *ids) {
    carom_frame *frame = reading->frame;
    for (uint64_t n = 0; n < h->count; n++) {
        dump_atom atom;
        frame->radius[n] = 0.0;
        carom_status status = read_atom(reading, h, n, true, &atom);
        if (status != CAROM_OK) {
            return status;
        }
        for (int a = 0; a < 3; a++) {
            frame->prev[a][n] = atom.at[a];
            frame->curr[a][n] = atom.velocity[a];
        }
        if (frame->name != NULL) {
            carom_text_copy(atom.name, frame->name[n], CAROM_NAME_SIZE);
        }
        frame->line[n] = reading->text.line;
        ids[n] = (carom_id){atom.id, n, reading->text.line};
    }
    return carom_lammps_order(reading, ids);
}

/* The end of the step: each atom goes to where the first frame has its id. */
static carom_status read_second_frame(carom_reading *reading, bool has_ids, carom_id *ids) {
    frame_header h;
    carom_status status = read_header(reading, &h);
    if (status == CAROM_OK && h.present[FIELD_ID] != has_ids) {
        return carom_reading_fail(reading, "only one of the two frames has ids");
    }
    if (status == CAROM_OK && h.count != reading->frame->count) {
        return carom_reading_fail(reading, "the second frame has %" PRIu64 " atoms, the first %" PRIu64, h.count,
                                  reading->frame->count);
    }
    for (uint64_t n = 0; n < reading->frame->count && status == CAROM_OK; n++) {
        dump_atom atom;
        uint64_t place = 0;
        status = read_atom(reading, &h, n, false, &atom);
        if (status == CAROM_OK) {
            status = carom_lammps_match(reading, ids, atom.id, &place);
        }
        for (int a = 0; a < 3 && status == CAROM_OK; a++) {
            reading->frame->curr[a][place] = atom.at[a];
        }
    }
    reading->motion = CAROM_MOTION_POSITION;
    return status;
}

/* Anything but a header after the atoms means that there are more atoms than announced. */
static carom_status find_second_frame(carom_reading *reading, bool *follows) {
    carom_text_span line;
    *follows = carom_reading_peek(reading, &line);
    return *follows && !carom_text_starts(line, "ITEM:") ? carom_reading_surplus(reading) : CAROM_OK;
}

/* The box of the first frame is the frame's. */
static void keep_box(carom_frame *frame, const frame_header *h) {
    frame->has_box = h->has_box;
    frame->box_line = h->box_line;
    memcpy(frame->box_origin, h->lo, sizeof frame->box_origin);
    memcpy(frame->box, h->edge, sizeof frame->box);
}

/* Both frames, with the list of ids that belongs to them. */
static carom_status read_frames(carom_reading *reading, const frame_header *h) {
    carom_id *ids = NULL;
    carom_status status = carom_lammps_ids_make(reading, &ids);
    if (status == CAROM_OK) {
        status = read_first_frame(reading, h, ids);
    }
    reading->motion = all_present(h, FIELD_VX) ? CAROM_MOTION_VELOCITY : CAROM_MOTION_NONE;
    bool follows = false;
    if (status == CAROM_OK) {
        status = find_second_frame(reading, &follows);
    }
    if (status == CAROM_OK && follows) {
        status = read_second_frame(reading, h->present[FIELD_ID], ids);
    }
    carom_lammps_ids_release(reading, ids);
    return status;
}

carom_status carom_lammps_dump_read(carom_reading *reading) {
    reading->frame->format = "lammps-dump";
    frame_header h;
    carom_status status = read_header(reading, &h);
    if (status == CAROM_OK) {
        bool names = h.present[FIELD_TYPE] || h.present[FIELD_ELEMENT];
        status = carom_reading_reserve(reading, h.count, names, true);
    }
    if (status != CAROM_OK) {
        return status;
    }
    keep_box(reading->frame, &h);
    reading->frame->has_radius = h.present[FIELD_RADIUS] || h.present[FIELD_DIAMETER];
    return read_frames(reading, &h);
}
