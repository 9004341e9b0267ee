/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/io/sniff.h"

#include <ctype.h>
#include <string.h>

#include "kernel/check/assert.h"

/* Lines of a LAMMPS data file's header among which "N atoms" must be. */
enum { HEADER_LINES = 40 };

/* Also a negative one, so that the format's reader can say what is wrong with it. */
static bool is_count(carom_text_span line) {
    int64_t count;
    return carom_text_integer(carom_text_trim(line), &count);
}

/* "  4 atoms" */
static bool counts_atoms(carom_text_span line) {
    int64_t count;
    carom_text_span number = carom_text_field(&line);
    carom_text_span word = carom_text_field(&line);
    return carom_text_integer(number, &count) && carom_text_equal(word, "atoms");
}

/* A LAMMPS data file has no mark at its beginning, only this line somewhere in its header. */
static bool has_lammps_header(carom_text text) {
    carom_text_span line;
    for (int n = 0; n < HEADER_LINES && carom_text_line(&text, &line); n++) {
        if (counts_atoms(line)) {
            return true;
        }
    }
    return false;
}

/* Column names between separators, with an x, a y and a z among their letters. */
static bool is_csv_header(carom_text_span line) {
    bool separator = false;
    for (const char *c = line.begin; c < line.end; c++) {
        separator |= *c == ',' || *c == ';' || *c == '\t';
    }
    char lower[1024];
    carom_text_copy(line, lower, sizeof lower);
    for (char *c = lower; *c != '\0'; c++) {
        *c = (char)tolower((unsigned char)*c);
    }
    return separator && strchr(lower, 'x') != NULL && strchr(lower, 'y') != NULL && strchr(lower, 'z') != NULL;
}

/* A .gro atom line has its first decimal point after the 20 columns of names and numbers. */
static bool is_gro_atom(carom_text_span line) {
    const char *point = memchr(line.begin, '.', (size_t)(line.end - line.begin));
    return point != NULL && point - line.begin >= 20 + 1;
}

carom_format carom_sniff(const carom_text *text) {
    CAROM_ASSERT(text->at >= text->data && text->line == 0);
    if (carom_text_is_npy(text)) {
        return CAROM_FORMAT_NPY;
    }
    carom_text walk = *text;
    carom_text_span first = {text->data, text->data};
    carom_text_span second = first;
    carom_text_span third = first;
    carom_text_line(&walk, &first);
    bool has_second = carom_text_line(&walk, &second);
    bool has_third = carom_text_line(&walk, &third);
    if (carom_text_starts(first, "ITEM:")) {
        return CAROM_FORMAT_LAMMPS_DUMP;
    }
    /* Both .gro and XYZ have a line with a count: the second and the first. A .gro title may be a number, too; then
     * the columns of its first atom tell. */
    bool gro_atoms = has_third && is_gro_atom(third);
    bool titled = !is_count(first) && !is_csv_header(first);
    if (has_second && is_count(second) && (gro_atoms || titled)) {
        return CAROM_FORMAT_GRO;
    }
    if (is_count(first)) {
        return CAROM_FORMAT_XYZ;
    }
    if (has_lammps_header(*text)) {
        return CAROM_FORMAT_LAMMPS_DATA;
    }
    /* From the start again: comments may stand before a CSV's header. */
    walk = *text;
    return carom_text_row(&walk, &first) && is_csv_header(first) ? CAROM_FORMAT_CSV : CAROM_FORMAT_UNKNOWN;
}
