/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies with shapes, as a file or a standard scene has them: a table of shapes and arrays of doubles, which
 * shaped_view.h hands to the library in either precision. shaped_schema.json describes the file. */
#ifndef CAROM_CLI_SHAPED_H
#define CAROM_CLI_SHAPED_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/shapes.h"
#include "kernel/cli/say.h"

/* Arrays of a body's numbers, by the first of each kind: positions and rotations at both ends, rotation vectors. */
enum {
    CAROM_SHAPED_PREV = 0,
    CAROM_SHAPED_CURR = 3,
    CAROM_SHAPED_PREV_TURN = 6,
    CAROM_SHAPED_CURR_TURN = 10,
    CAROM_SHAPED_SPIN = 14,
    CAROM_SHAPED_ARRAYS = 17
};

/* Words for the kinds of shapes, in the order of carom_shape_kind. */
enum { CAROM_SHAPED_KINDS = CAROM_SHAPE_COMPOUND + 1 };
extern const char *const carom_shaped_kinds[CAROM_SHAPED_KINDS];

/* Entries of the table, in arrays of which the first `..._count` are in use. */
typedef struct carom_shaped_entries {
    uint64_t count;
    uint64_t room;
    carom_shape *shape;
    uint64_t point_count;
    uint64_t point_room;
    double (*point)[3];
    uint64_t child_count;
    uint64_t child_room;
    carom_shape_child *child;
} carom_shaped_entries;

typedef struct carom_shaped {
    const char *path; /* for messages; NULL: a scene */
    uint64_t count;   /* bodies */
    uint32_t *shape;  /* of each body: an entry */
    double *array[CAROM_SHAPED_ARRAYS];
    carom_shaped_entries entries;
    carom_shapes *table; /* what the library made of the entries */
    bool moves;          /* some body has an end of its step that may differ from its start */
    bool turns;          /* rotations at the end are given; else the arrays CURR_TURN mean nothing */
    bool spins;          /* rotation vectors are given; else the arrays SPIN mean nothing. Not both */
    bool compounds;      /* some body is a compound: rows name children */
    bool has_box;
    double box[3][3]; /* edge vectors of a periodic box in the rows; 0 if there is none */
    bool has_walls;   /* bodies in motion bounce between walls: those of a scene, not of a file */
    double lo[3];     /* the walls, if so */
    double hi[3];
} carom_shaped;

/* Room for so many bodies, which lie unturned at the origin, with entry 0; or for so many shapes, points and children.
 * RESOURCES, with a message. */
carom_exit carom_shaped_make(uint64_t bodies, carom_shaped *shaped);
carom_exit carom_shaped_make_entries(uint64_t shapes, uint64_t points, uint64_t children,
                                     carom_shaped_entries *entries);

/* Adds an entry; or points, or children, and returns where they are to be written. */
void carom_shaped_add(carom_shaped_entries *entries, const carom_shape *shape);
double (*carom_shaped_add_points(carom_shaped_entries *entries, uint64_t count))[3];
carom_shape_child *carom_shaped_add_children(carom_shaped_entries *entries, uint64_t count);

/* Makes the table of all entries, and sets `compounds`. INPUT or RESOURCES, with a message. */
carom_exit carom_shaped_finish(carom_shaped *shaped);

/* "prev_x", "curr_turn_w", ...: how messages call an array's number. */
const char *carom_shaped_name(int array);

/* Names a body for a message: a carom_locate whose source is a carom_shaped. */
void carom_shaped_locate(const void *source, uint64_t body, char *text, uint64_t size);

/* Releases the arrays and the table, and zeroes *shaped. A zeroed one is allowed. */
void carom_shaped_release(carom_shaped *shaped);

#endif
