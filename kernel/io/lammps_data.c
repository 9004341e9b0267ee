/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* LAMMPS data file: a header with the number of atoms, the box and its tilt; then sections, of which Atoms and
 * Velocities are read. Atom styles atomic, charge, molecular, full and sphere, named after "Atoms #" or guessed from
 * the columns; sphere has a diameter. Bodies come in the order of their ids, whatever that of the lines. The type is
 * the name.
 *
 *     LAMMPS data file
 *
 *     2 atoms
 *     0 10 xlo xhi
 *     0 10 ylo yhi
 *     0 10 zlo zhi
 *
 *     Atoms # atomic
 *
 *     2 1 4.0 5.0 6.0
 *     1 1 1.0 2.0 3.0 */
#include <string.h>

#include "kernel/io/lammps.h"
#include "kernel/io/readers.h"

/* Which columns an atom's line has. Column 0 is the id; x, y, z follow one another. */
typedef struct atom_style {
    const char *name;
    int columns;  /* without image flags, which are three more */
    int type;     /* column of the type */
    int position; /* column of x */
    int diameter; /* column of the diameter, or -1 */
} atom_style;

typedef enum style_number { ATOMIC, CHARGE, MOLECULAR, FULL, SPHERE, STYLE_COUNT } style_number;

static const atom_style STYLES[STYLE_COUNT] = {
    [ATOMIC] = {"atomic", 5, 1, 2, -1}, [CHARGE] = {"charge", 6, 1, 3, -1}, [MOLECULAR] = {"molecular", 6, 2, 3, -1},
    [FULL] = {"full", 7, 2, 4, -1},     [SPHERE] = {"sphere", 7, 1, 4, 2},
};

/* Fields of the longest line, and some more; image flags count crossings of the periodic box and are not needed. */
enum { FIELDS_MAX = 12, IMAGE_FLAGS = 3 };

/* Fields of a line, up to a comment. */
static int split(carom_text_span line, carom_text_span field[FIELDS_MAX]) {
    int count = 0;
    while (count < FIELDS_MAX) {
        field[count] = carom_text_field(&line);
        if (carom_text_empty(field[count]) || *field[count].begin == '#') {
            break;
        }
        count++;
    }
    return count;
}

/* Types and molecules are whole numbers, charges and diameters hardly ever are written as such. */
static bool is_whole(carom_text_span field) {
    int64_t value;
    return carom_text_integer(field, &value);
}

/* NULL for a style that is not read. */
static const atom_style *style_named(const char *name) {
    for (int n = 0; n < STYLE_COUNT; n++) {
        if (strcmp(STYLES[n].name, name) == 0) {
            return &STYLES[n];
        }
    }
    return NULL;
}

/* By the number of columns; where two styles have as many, a whole number in the third column is a type, so molecular
 * or full, and a fraction is a charge or a diameter. */
static const atom_style *style_of_columns(const carom_text_span *field, int count) {
    switch (count) {
    case 5:
    case 5 + IMAGE_FLAGS:
        return &STYLES[ATOMIC];
    case 6:
    case 6 + IMAGE_FLAGS:
        return &STYLES[is_whole(field[2]) ? MOLECULAR : CHARGE];
    case 7:
    case 7 + IMAGE_FLAGS:
        return &STYLES[is_whole(field[2]) ? FULL : SPHERE];
    default:
        return NULL;
    }
}

/* A name, where the file has one, wins over a guess. */
static carom_status choose_style(const carom_reading *reading, const char *named, const carom_text_span *field,
                                 int count, const atom_style **style) {
    *style = named[0] != '\0' ? style_named(named) : style_of_columns(field, count);
    if (*style != NULL) {
        return CAROM_OK;
    }
    if (named[0] != '\0') {
        return carom_reading_fail(
            reading, "atom style \"%s\" is not read: there are atomic, charge, molecular, full, sphere", named);
    }
    return carom_reading_fail(reading, "%d columns fit no atom style: name it after \"Atoms #\"", count);
}

/* Puts the atom of a line at place n: in the order of the file, for now. */
static carom_status read_atom(carom_reading *reading, const atom_style *style, const carom_text_span *field, int count,
                              uint64_t n) {
    if (count != style->columns && count != style->columns + IMAGE_FLAGS) {
        return carom_reading_fail(reading, "%d columns; atom style %s has %d, or %d with image flags", count,
                                  style->name, style->columns, style->columns + IMAGE_FLAGS);
    }
    carom_frame *frame = reading->frame;
    carom_status status = CAROM_OK;
    for (int a = 0; a < 3 && status == CAROM_OK; a++) {
        status = carom_text_value(&reading->text, reading->error, field[style->position + a], carom_position_names[a],
                                  &frame->prev[a][n]);
        frame->curr[a][n] = 0.0;
    }
    if (status == CAROM_OK && style->diameter >= 0) {
        status = carom_reading_radius(reading, field[style->diameter], true, n);
    } else {
        frame->radius[n] = 0.0;
    }
    carom_text_copy(field[style->type], frame->name[n], CAROM_NAME_SIZE);
    frame->line[n] = reading->text.line;
    return status;
}

/* The next line of a section that is not empty. */
static carom_status section_line(carom_reading *reading, carom_text_span *line, const char *what) {
    carom_status status;
    do {
        status = carom_reading_line(reading, line, what);
    } while (status == CAROM_OK && carom_text_blank(*line));
    return status;
}

/* The section Atoms. The first line decides the style of all; at the end bodies are put in the order of their ids.
 * */
static carom_status read_atoms(carom_reading *reading, const char *named, carom_id *ids) {
    const atom_style *style = NULL;
    for (uint64_t n = 0; n < reading->frame->count; n++) {
        carom_text_span line;
        carom_text_span field[FIELDS_MAX];
        carom_status status = section_line(reading, &line, "its last atom");
        if (status != CAROM_OK) {
            return status;
        }
        int count = split(line, field);
        if (style == NULL) {
            status = choose_style(reading, named, field, count, &style);
        }
        if (status == CAROM_OK) {
            ids[n].place = n;
            ids[n].line = reading->text.line;
            status = carom_lammps_read_id(reading, field[0], &ids[n].id);
        }
        if (status == CAROM_OK) {
            status = read_atom(reading, style, field, count, n);
        }
        if (status != CAROM_OK) {
            return status;
        }
    }
    reading->frame->has_radius = style != NULL && style->diameter >= 0;
    carom_text_span next;
    int64_t number;
    if (carom_reading_peek(reading, &next) && carom_text_integer(carom_text_field(&next), &number)) {
        return carom_reading_surplus(reading);
    }
    return carom_lammps_order(reading, ids);
}

/* The section Velocities, in any order of its own: each line finds its atom by id. */
static carom_status read_velocities(carom_reading *reading, carom_id *ids) {
    carom_frame *frame = reading->frame;
    for (uint64_t n = 0; n < frame->count; n++) {
        carom_text_span line;
        int64_t id;
        carom_status status = section_line(reading, &line, "the last atom's velocity");
        if (status == CAROM_OK) {
            status = carom_lammps_read_id(reading, carom_text_field(&line), &id);
        }
        if (status != CAROM_OK) {
            return status;
        }
        uint64_t place;
        status = carom_lammps_match(reading, ids, id, &place);
        if (status == CAROM_OK) {
            status = carom_reading_triple(reading, &line, carom_velocity_names, frame->curr, place);
        }
        if (status != CAROM_OK) {
            return status;
        }
    }
    reading->motion = CAROM_MOTION_VELOCITY;
    return CAROM_OK;
}

/* Whether the fields from `from` on begin with these words; NULL ends them. */
static bool ends_with_words(const carom_text_span *field, int count, int from, const char *a, const char *b,
                            const char *c) {
    const char *words[] = {a, b, c};
    for (int w = 0; w < 3 && words[w] != NULL; w++) {
        if (from + w >= count || !carom_text_equal(field[from + w], words[w])) {
            return false;
        }
    }
    return true;
}

/* "lo hi xlo xhi": one side of the box. */
static carom_status read_side(carom_reading *reading, const carom_text_span *field, int axis) {
    carom_frame *frame = reading->frame;
    double hi;
    carom_status status = carom_text_value(&reading->text, reading->error, field[0], "box", &frame->box_origin[axis]);
    if (status == CAROM_OK) {
        status = carom_text_value(&reading->text, reading->error, field[1], "box", &hi);
    }
    if (status == CAROM_OK) {
        frame->box[axis][axis] = hi - frame->box_origin[axis];
        carom_reading_found_box(reading);
    }
    return status;
}

/* A header line: the number of atoms, a side of the box, the tilt; others are skipped. */
static carom_status read_header_line(carom_reading *reading, carom_text_span line, bool *counted, uint64_t *atoms) {
    static const char *const sides[3][2] = {{"xlo", "xhi"}, {"ylo", "yhi"}, {"zlo", "zhi"}};
    carom_text_span field[FIELDS_MAX];
    int count = split(line, field);
    if (ends_with_words(field, count, 1, "atoms", NULL, NULL)) {
        *counted = true;
        return carom_reading_count(reading, field[0], atoms);
    }
    for (int a = 0; a < 3; a++) {
        if (ends_with_words(field, count, 2, sides[a][0], sides[a][1], NULL)) {
            return read_side(reading, field, a);
        }
    }
    if (!ends_with_words(field, count, 3, "xy", "xz", "yz")) {
        return CAROM_OK;
    }
    /* The shear of y and z along x, and of z along y: the box stays lower triangular. */
    double *tilt[3] = {&reading->frame->box[1][0], &reading->frame->box[2][0], &reading->frame->box[2][1]};
    carom_status status = CAROM_OK;
    for (int n = 0; n < 3 && status == CAROM_OK; n++) {
        status = carom_text_value(&reading->text, reading->error, field[n], "tilt", tilt[n]);
    }
    return status;
}

/* "Atoms # full": the word and the style named after it. */
static bool is_section(carom_text_span line, const char *section, char style[CAROM_NAME_SIZE]) {
    carom_text_span word = carom_text_field(&line);
    carom_text_span hash = carom_text_field(&line);
    style[0] = '\0';
    if (!carom_text_equal(word, section) || !(carom_text_empty(hash) || *hash.begin == '#')) {
        return false;
    }
    /* "#full" and "# full" are both in use. */
    carom_text_span name =
        hash.end - hash.begin > 1 ? (carom_text_span){hash.begin + 1, hash.end} : carom_text_field(&line);
    carom_text_show(name, style, CAROM_NAME_SIZE);
    return true;
}

/* From the first section on. A section that is not read, such as Bonds, is skipped line by line. */
static carom_status read_body(carom_reading *reading, carom_text_span line, carom_id *ids) {
    char style[CAROM_NAME_SIZE];
    carom_status status = CAROM_OK;
    bool atoms = false;
    do {
        if (is_section(line, "Atoms", style) && !atoms) {
            status = read_atoms(reading, style, ids);
            atoms = true;
        } else if (is_section(line, "Velocities", style)) {
            status =
                atoms ? read_velocities(reading, ids) : carom_reading_fail(reading, "Velocities stand before Atoms");
        }
    } while (status == CAROM_OK && carom_text_line(&reading->text, &line));
    if (status == CAROM_OK && !atoms && reading->frame->count > 0) {
        return carom_reading_fail(reading, "there is no Atoms section");
    }
    return status;
}

carom_status carom_lammps_data_read(carom_reading *reading) {
    reading->frame->format = "lammps-data";
    carom_text_span line;
    char style[CAROM_NAME_SIZE];
    bool counted = false;
    uint64_t atoms = 0;
    carom_status status = carom_reading_line(reading, &line, "its first line");
    /* The header ends where a section that is read begins: it has no mark of its own. */
    while (status == CAROM_OK && carom_text_line(&reading->text, &line) && !is_section(line, "Atoms", style) &&
           !is_section(line, "Velocities", style)) {
        status = read_header_line(reading, line, &counted, &atoms);
    }
    if (status == CAROM_OK && !counted) {
        status = carom_reading_fail(reading, "the header has no number of atoms");
    }
    if (status == CAROM_OK) {
        status = carom_reading_reserve(reading, atoms, true, true);
    }
    carom_id *ids = NULL;
    if (status == CAROM_OK) {
        status = carom_lammps_ids_make(reading, &ids);
    }
    if (status == CAROM_OK) {
        status = read_body(reading, line, ids);
    }
    carom_lammps_ids_release(reading, ids);
    return status;
}
