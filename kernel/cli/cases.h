/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Pairs of shapes from a file of cases: what `carom distance` and `carom toi` work on. cases_schema.json describes the
 * file. */
#ifndef CAROM_CLI_CASES_H
#define CAROM_CLI_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/shapes.h"
#include "kernel/cli/say.h"

/* One of the two shapes of a case. */
typedef struct carom_case_body {
    uint32_t shape; /* in the table */
    bool two_sided; /* a plane: its shape is the half-space below it, and the one above counts too */
    double at[3];
    double turn[4]; /* x, y, z, w */
    double move[3]; /* in the step; 0 unless the file says more */
    double spin[3];
} carom_case_body;

typedef struct carom_case {
    const char *name; /* the id, if it is a text; else NULL. It lives as long as the cases */
    uint64_t number;  /* the id, if it is a number */
    carom_case_body a;
    carom_case_body b;
} carom_case;

/* All of a file. */
typedef struct carom_cases {
    const char *path;
    void *file; /* the parsed file, which owns the names */
    uint64_t count;
    carom_case *cases;
    uint64_t shape_count; /* shapes, points and children: how many are in use, and how many there is room for */
    uint64_t shape_room;
    carom_shape *shape;
    uint64_t *owner; /* the case of each shape */
    uint64_t point_count;
    uint64_t point_room;
    double (*point)[3];
    uint64_t child_count;
    uint64_t child_room;
    carom_shape_child *child;
    carom_shapes *table;
} carom_cases;

/* Room for so many. RESOURCES, with a message. */
carom_exit carom_cases_make(uint64_t count, uint64_t shapes, uint64_t points, uint64_t children, carom_cases *cases);

/* Adds a shape of case n, and returns its number; or points, or children, and returns where they are to be written. */
uint32_t carom_cases_add_shape(carom_cases *cases, uint64_t n, const carom_shape *shape);
double (*carom_cases_add_points(carom_cases *cases, uint64_t count))[3];
carom_shape_child *carom_cases_add_children(carom_cases *cases, uint64_t count);

/* Makes the table of all shapes. INPUT or RESOURCES, with a message. */
carom_exit carom_cases_finish(carom_cases *cases);

/* "12" or "a name", for messages and tables. */
enum { CAROM_CASE_ID_SIZE = 128 };
void carom_cases_id(const carom_case *c, char id[CAROM_CASE_ID_SIZE]);

/* Says what the library finds wrong with case n; returns the exit code. */
carom_exit carom_cases_refuse(const carom_cases *cases, uint64_t n, carom_status status, const carom_error *error);

void carom_cases_release(carom_cases *cases);

#endif
