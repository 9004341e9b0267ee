/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The same bodies in other layouts, in arrays that begin and end at pages that fault: a call that reads before the
 * first value or beyond the last ends the test. What lies between values is NaN. */
#ifndef CAROM_TESTS_LAYOUTS_H
#define CAROM_TESTS_LAYOUTS_H

#include "kernel/scene/random.h"
#include "tests/support/any_detect.h"

typedef enum layout_form {
    LAYOUT_PACKED,    /* seven arrays, strides of 0 */
    LAYOUT_VALUES,    /* the same, strides of one value */
    LAYOUT_POINTS,    /* prev and curr of shape (N, 3), packed radii */
    LAYOUT_PATHS,     /* (N, 6): prev and curr of a body side by side */
    LAYOUT_ROWS,      /* (N, 7): the radius too */
    LAYOUT_STRUCT,    /* structs of 11 values: curr, two others, prev, radius, two others */
    LAYOUT_SCATTERED, /* structs whose seven values follow in no order */
    LAYOUT_MIXED,     /* curr in structs, prev packed, radii two apart */
    LAYOUT_FORMS
} layout_form;

const char *layout_name(layout_form form);

enum { LAYOUT_ARRAYS = 7 };

typedef struct layout {
    any_bodies bodies; /* to detect in; not to be released */
    struct {
        char *room; /* pages, the first and last of which fault */
        uint64_t bytes;
    } array[LAYOUT_ARRAYS];
} layout;

/* rest: curr is NULL, and the bodies must be at rest; common: radius is NULL, and radii must be all the same. at_end:
 * arrays end at their last page's end, else they begin at their first page's start. */
layout layout_make(const any_bodies *packed, layout_form form, bool rest, bool common, bool at_end);
void layout_release(layout *l);

/* Body n's field (prev, curr, radius) becomes this. Fails the test if the layout does not have the field. */
void layout_set(layout *l, int field, uint64_t body, double value);

#endif
