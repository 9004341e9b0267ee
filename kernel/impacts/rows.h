/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* For each body, what it may collide with: bodies whose hulls meet its own, and surfaces near it. */
#ifndef CAROM_IMPACTS_ROWS_H
#define CAROM_IMPACTS_ROWS_H

#include "kernel/impacts/bodies.h"
#include "kernel/impacts/list.h"
#include "kernel/sys/team.h"

/* A body in a slot may collide with another, or with surface other - CAROM_IMPACTS_SURFACE. */
typedef struct carom_contact_pair {
    uint32_t a;
    uint32_t other;
    uint32_t image; /* of `other`, from a */
} carom_contact_pair;

/* Pairs that a search has found, with a before b or not; image[axis] NULL: none but the bodies themselves. */
typedef struct carom_found_pairs {
    uint64_t count;
    const uint32_t *a;
    const uint32_t *b;
    const int32_t *shift[3];
} carom_found_pairs;

/* An entry of a row. */
typedef struct carom_row_entry {
    uint32_t other;
    uint32_t image;
} carom_row_entry;

/* What is added to a row after it was made. */
typedef struct carom_row_extra {
    uint32_t other;
    uint32_t image;
    uint32_t next;
} carom_row_extra;

/* Entries that may be read after the last one of all rows. */
enum { CAROM_ROW_PAD = 4 };

/* Entries beyond which a row is long (long_rows.h), unless a test sets another number (state.h). */
enum { CAROM_ROW_LONG = 64 };

/* What is to be done to a long row after bodies have left their hulls. */
typedef enum carom_long_row_work {
    CAROM_LONG_ROW_KEEP,
    CAROM_LONG_ROW_GATHER, /* of its entries some have left theirs, and may be touched now */
    CAROM_LONG_ROW_ORDER   /* the body whose row it is has left its own */
} carom_long_row_work;

/* A long row, and how many of its entries may be touched: these come first. */
typedef struct carom_long_row {
    uint32_t slot;
    uint32_t near;
    carom_long_row_work work;
} carom_long_row;

/* Where the row of a slot is. */
typedef struct carom_row_head {
    uint64_t start; /* its entries: other[start] up to the start of the next head, then its extras */
    uint32_t extra; /* the first of these, or CAROM_IMPACTS_NONE */
} carom_row_head;

typedef struct carom_impacts_rows {
    carom_row_head *head; /* for each slot, and one more, which begins where the last row ends */
    uint32_t *other;      /* a slot, or CAROM_IMPACTS_SURFACE and more */
    uint16_t *image;      /* of each; NULL in open space */
    carom_list extras;    /* of carom_row_extra */
    uint32_t long_above;  /* entries beyond which a row is long: set before rows are made */
    carom_list longs;     /* of carom_long_row, in the order of slots */
    carom_list noted;     /* of carom_long_row *: those that have work to be done */
    bool beyond;          /* some rows have pairs whose hulls do not meet any more; in a periodic box any may */
    carom_buffer head_buffer;
    carom_buffer cursor_buffer; /* while rows are made */
    carom_buffer other_buffer;
    carom_buffer image_buffer;
} carom_impacts_rows;

static inline uint64_t carom_row_end(const carom_impacts_rows *rows, uint32_t slot) {
    return rows->head[slot + 1].start;
}

static inline uint64_t carom_row_length(const carom_impacts_rows *rows, uint32_t slot) {
    return carom_row_end(rows, slot) - rows->head[slot].start;
}

static inline bool carom_row_is_long(const carom_impacts_rows *rows, uint32_t slot) {
    return carom_row_length(rows, slot) > rows->long_above;
}

/* Bits of the number of its entries; 0: it has none. */
static inline uint8_t carom_row_size(const carom_impacts_rows *rows, uint32_t slot) {
    const uint64_t length = carom_row_length(rows, slot);
    return length == 0 ? 0 : (uint8_t)(64 - __builtin_clzll(length));
}

/* Makes the rows of all bodies out of pairs of bodies, in both rows each, and of bodies with surfaces. Pairs that the
 * rules do not let collide are left out. All of a long row may be touched. Errors: MEMORY. */
carom_status carom_rows_make(carom_impacts_rows *rows, carom_memory *memory, const carom_team *team,
                             const carom_impacts_bodies *bodies, const carom_found_pairs *pairs,
                             const carom_list *surfaces);

/* Adds a pair to the row of body a, and if the other is a body to its row too. Errors: MEMORY. */
carom_status carom_rows_add(carom_impacts_rows *rows, carom_memory *memory, const carom_contact_pair *pair);

/* Whether a body's row has the other one at that image. */
bool carom_rows_have(const carom_impacts_rows *rows, const carom_contact_pair *pair);

void carom_rows_release(carom_impacts_rows *rows, carom_memory *memory);

/* A walk along a row:
 *
 *     carom_row_walk walk = carom_row_begin(rows, slot);
 *     while (carom_row_next(rows, &walk)) {
 *         ... walk.other, walk.image
 *     } */
typedef struct carom_row_walk {
    uint64_t at;
    uint64_t end;
    uint32_t extra;
    uint32_t other;
    uint32_t image;
} carom_row_walk;

static inline carom_row_walk carom_row_begin(const carom_impacts_rows *rows, uint32_t slot) {
    return (carom_row_walk){.at = rows->head[slot].start,
                            .end = carom_row_end(rows, slot),
                            .extra = rows->head[slot].extra,
                            .image = CAROM_IMAGE_SELF};
}

static inline bool carom_row_next(const carom_impacts_rows *rows, carom_row_walk *walk) {
    if (walk->at < walk->end) {
        walk->other = rows->other[walk->at];
        walk->image = rows->image != NULL ? rows->image[walk->at] : CAROM_IMAGE_SELF;
        walk->at++;
        return true;
    }
    if (walk->extra == CAROM_IMPACTS_NONE) {
        return false;
    }
    const carom_row_extra *extra = (const carom_row_extra *)rows->extras.buffer.data + walk->extra;
    walk->other = extra->other;
    walk->image = extra->image;
    walk->extra = extra->next;
    return true;
}

#endif
