/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What the subsystems of a detection keep while it runs, one struct each, none of it tied to a precision. */
#ifndef CAROM_DETECT_JOB_STATES_H
#define CAROM_DETECT_JOB_STATES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "carom/detect.h"
#include "kernel/groups/union_find.h"
#include "kernel/periodic/images.h"
#include "kernel/store/row_table.h"

/* Where the pairs that a call stores go. */
typedef enum carom_row_destination {
    CAROM_ROWS_COUNTED, /* nowhere: they are only counted */
    CAROM_ROWS_STORED,  /* to the context's table */
    CAROM_ROWS_TO_SINK  /* to the caller's function, block by block */
} carom_row_destination;

typedef struct carom_row_state {
    carom_row_shape shape;
    carom_row_destination destination;
    _Atomic uint32_t overflowed; /* memory gave out: from here on rows are only counted */
} carom_row_state;

/* A periodic box. Bodies and images are always doubles; the caller's bodies and results may be floats. */
typedef struct carom_periodic_state {
    carom_images *images;                        /* NULL: open space */
    const carom_image_source *source;            /* the caller's bodies */
    bool float_results;                          /* rows are rounded to float once */
    const carom_detect_output_f32 *float_output; /* then: the caller's arrays and sink; may be NULL */
} carom_periodic_state;

/* Values that a pair filter tests, of the body in one slot. */
typedef struct carom_filter_values {
    uint32_t category;
    uint32_t mask;
    uint32_t group;
    uint32_t fixed; /* 0 or 1 */
} carom_filter_values;

/* A summary of the exclusion list of the body in one slot. */
typedef struct carom_filter_trace {
    uint64_t trace; /* a bit for each body in the list */
    uint32_t body;
    uint32_t bit; /* which bit stands for this body in the traces of others: 0 to 63 */
} carom_filter_trace;

typedef struct carom_filter_state {
    carom_filter_values *values; /* of each slot; NULL: nothing to test by value */
    carom_filter_trace *traces;  /* of each slot; NULL: no exclusions */
    uint64_t *body_traces;       /* the traces by body, from which those by slot are made */
    bool lists_ascend;           /* every exclusion list is in ascending order */
} carom_filter_state;

typedef struct carom_sink_state {
    _Atomic uint32_t delivered; /* the sink has had a block: the call cannot start over */
    _Atomic uint32_t stopped;   /* the sink wants no more */
    uint64_t hash;              /* of all rows that it was given */
} carom_sink_state;

/* The union-find over slots. */
typedef struct carom_group_state {
    carom_union_find_parent *parent;
    _Atomic uint32_t *least; /* workspace of the labels */
    _Atomic uint32_t *size;  /* likewise */
    uint32_t *body;          /* the body in each slot */
    const uint32_t *slot_of; /* the slot of each body */
} carom_group_state;

#endif
