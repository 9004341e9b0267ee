/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What the subsystems of a detection keep while it runs, one struct each. None of it is tied to a precision, so that
 * code for both precisions and code without one can share it. */
#ifndef CAROM_DETECT_JOB_STATES_H
#define CAROM_DETECT_JOB_STATES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "carom/detect.h"
#include "kernel/groups/union_find.h"
#include "kernel/periodic/images.h"
#include "kernel/store/exclusion_list.h"
#include "kernel/store/filter_values.h"
#include "kernel/store/row_table.h"

/* Where the pairs that a call stores go. */
typedef enum carom_row_destination {
    CAROM_ROWS_COUNTED, /* nowhere: they are only counted */
    CAROM_ROWS_STORED,  /* to the context's table */
    CAROM_ROWS_TO_SINK  /* to the caller's function, a block at a time */
} carom_row_destination;

typedef struct carom_row_state {
    carom_row_shape shape;             /* which fields a row has */
    carom_row_destination destination; /* where it goes */
    bool answered;                     /* touching pairs come with their answers (hits_tmpl.h) */
    _Atomic uint32_t overflowed;       /* 1: memory gave out, and from here on rows are only counted */
} carom_row_state;

/* A periodic box. Bodies and images are always doubles; the caller's bodies and results may be floats. */
typedef struct carom_periodic_state {
    carom_images *images;                        /* NULL: open space */
    const carom_image_source *source;            /* the caller's bodies */
    bool float_results;                          /* rows are rounded to float once */
    const carom_detect_output_f32 *float_output; /* then: the caller's arrays and sink; may be NULL */
} carom_periodic_state;

typedef struct carom_filter_state {
    carom_filter_values *values; /* of each slot; NULL: nothing to test by value */
    uint8_t *part_bits;          /* likewise: two bodies with a bit in common do not meet; NULL: none has a bit */
    carom_filter_trace *traces;  /* of each slot; NULL: no exclusions */
    uint64_t *body_traces;       /* the traces by body, from which those by slot are made */
    bool lists_ascend;           /* every exclusion list is in ascending order */
} carom_filter_state;

typedef struct carom_sink_state {
    _Atomic uint32_t delivered; /* 1: the sink has had a block, and the call cannot start over */
    _Atomic uint32_t stopped;   /* 1: the sink wants no more */
    uint64_t hash;              /* of all rows that it was given */
} carom_sink_state;

/* The union-find over slots, and the arrays that labels are made in. All have one entry a slot. */
typedef struct carom_group_state {
    carom_union_find_parent *parent; /* in the same set as the slot, and no greater; a root is its own */
    _Atomic uint32_t *least;         /* workspace of the labels */
    _Atomic uint32_t *size;          /* likewise */
    uint32_t *spare;                 /* likewise; may be NULL with one worker */
    uint32_t *body;                  /* the body in each slot; filled cell by cell */
    const uint32_t *slot_of;         /* the slot of each body: one entry a body */
    uint32_t *label;                 /* the result: the least body of each body's group */
} carom_group_state;

#endif
