/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/choices.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "carom/context.h"
#include "kernel/cli/argument.h"

enum { ISA_COUNT_MAX = 16 };

/* Names of formats, those of lists first. */
static const char *const format_names[] = {"csv", "npy", "gro", "xyz", "lammps-data", "lammps-dump"};
static const carom_format formats[] = {CAROM_FORMAT_CSV, CAROM_FORMAT_NPY,         CAROM_FORMAT_GRO,
                                       CAROM_FORMAT_XYZ, CAROM_FORMAT_LAMMPS_DATA, CAROM_FORMAT_LAMMPS_DUMP};

enum { FORMATS = sizeof formats / sizeof *formats, LIST_FORMATS = 2 };

int carom_choices_find(const char *value, const char *const *names, size_t count, const char *what,
                       char wanted[CAROM_WANTED_SIZE]) {
    int used = snprintf(wanted, CAROM_WANTED_SIZE, "%s; there are", what);
    for (size_t index = 0; index < count; ++index) {
        if (strcmp(value, names[index]) == 0) {
            return (int)index;
        }
        if (used < CAROM_WANTED_SIZE) {
            used += snprintf(wanted + used, (size_t)(CAROM_WANTED_SIZE - used), "%s %s", index == 0 ? "" : ",",
                             names[index]);
        }
    }
    return -1;
}

bool carom_choices_count(const char *value, uint32_t greatest, uint32_t *number, char wanted[CAROM_WANTED_SIZE]) {
    uint64_t whole;
    snprintf(wanted, CAROM_WANTED_SIZE, "a whole number from 1 to %" PRIu32, greatest);
    if (!carom_argument_whole(value, 1, greatest, &whole)) {
        return false;
    }
    *number = (uint32_t)whole;
    return true;
}

bool carom_choices_real(const char *value, double least, double *number, char wanted[CAROM_WANTED_SIZE]) {
    snprintf(wanted, CAROM_WANTED_SIZE, least == 0 ? "a number from 0 up" : "a finite number");
    return carom_argument_real(value, number) && *number >= least;
}

bool carom_choices_axes(const char *value, bool along[3], char wanted[CAROM_WANTED_SIZE]) {
    snprintf(wanted, CAROM_WANTED_SIZE, "one or more of the axes x, y and z, each once, such as xyz");
    memset(along, 0, 3 * sizeof *along);
    for (const char *axis = value; *axis != '\0'; ++axis) {
        if (*axis < 'x' || *axis > 'z' || along[*axis - 'x']) {
            return false;
        }
        along[*axis - 'x'] = true;
    }
    return *value != '\0';
}

/* Asked of the library, so that a set that this CPU lacks is refused before anything runs. */
bool carom_choices_isa(const char *value, char wanted[CAROM_WANTED_SIZE]) {
    const char *names[ISA_COUNT_MAX];
    const size_t count = carom_isa_available(names, ISA_COUNT_MAX);
    return carom_choices_find(value, names, count < ISA_COUNT_MAX ? count : ISA_COUNT_MAX,
                              "an instruction set this program and this CPU have", wanted) >= 0;
}

bool carom_choices_precision(const char *value, bool *f64, char wanted[CAROM_WANTED_SIZE]) {
    static const char *const names[] = {"f32", "f64"};
    const int choice = carom_choices_find(value, names, sizeof names / sizeof *names, "a precision", wanted);
    *f64 = choice == 1;
    return choice >= 0;
}

bool carom_choices_format(const char *value, bool of_lists, carom_format *format, char wanted[CAROM_WANTED_SIZE]) {
    const int choice = carom_choices_find(value, format_names, of_lists ? LIST_FORMATS : FORMATS,
                                          of_lists ? "a format of lists" : "a format of bodies", wanted);
    *format = choice >= 0 ? formats[choice] : CAROM_FORMAT_UNKNOWN;
    return choice >= 0;
}

bool carom_choices_flag(const char *value, bool *flag, char wanted[CAROM_WANTED_SIZE]) {
    (void)value;
    (void)wanted;
    *flag = true;
    return true;
}

bool carom_choices_path(const char *value, const char **path, char wanted[CAROM_WANTED_SIZE]) {
    snprintf(wanted, CAROM_WANTED_SIZE, "a file name");
    *path = value;
    return *value != '\0';
}
