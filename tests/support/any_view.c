/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/support/any_view.h"

#include <string.h>

#include "tests/support/note.h"

any_view any_view_detect(carom_context *context, const any_bodies *bodies, const carom_detect_config *config) {
    any_view view = {.bodies = bodies->f32.count, .precision = bodies->precision};
    carom_error error = {.message = ""};
    carom_status status;
    if (bodies->precision == ANY_F32) {
        status = carom_detect_f32(context, &bodies->f32, config, NULL, &view.f32, &error);
        view.summary = view.f32.summary;
    } else {
        status = carom_detect_f64(context, &bodies->f64, config, NULL, &view.f64, &error);
        view.summary = view.f64.summary;
    }
    note_check(status == CAROM_OK, "%s: %s", carom_status_name(status), error.message);
    return view;
}

/* The arrays of rows: i, k, shifts, then values of the precision. */
enum { WORDS = 5, ROW_ARRAYS = WORDS + ANY_FIELDS };

static void list_f32(const carom_detection_f32 *d, const void *array[ROW_ARRAYS]) {
    const void *const all[ROW_ARRAYS] = {d->i,         d->k,        d->shift[0], d->shift[1],  d->shift[2],
                                         d->t_ca,      d->distance, d->t_toi,    d->normal[0], d->normal[1],
                                         d->normal[2], d->point[0], d->point[1], d->point[2]};
    memcpy(array, all, sizeof all);
}

static void list_f64(const carom_detection_f64 *d, const void *array[ROW_ARRAYS]) {
    const void *const all[ROW_ARRAYS] = {d->i,         d->k,        d->shift[0], d->shift[1],  d->shift[2],
                                         d->t_ca,      d->distance, d->t_toi,    d->normal[0], d->normal[1],
                                         d->normal[2], d->point[0], d->point[1], d->point[2]};
    memcpy(array, all, sizeof all);
}

static bool same_array(const void *a, const void *b, uint64_t bytes) {
    return bytes == 0 || ((a == NULL) == (b == NULL) && (a == NULL || memcmp(a, b, bytes) == 0));
}

static bool same_rows(const any_view *a, const any_view *b) {
    const bool narrow = a->precision == ANY_F32;
    const uint64_t rows = narrow ? a->f32.pair_count : a->f64.pair_count;
    const void *array[2][ROW_ARRAYS];
    bool same = rows == (narrow ? b->f32.pair_count : b->f64.pair_count);
    for (int n = 0; n < 2; n++) {
        const any_view *view = n == 0 ? a : b;
        if (narrow) {
            list_f32(&view->f32, array[n]);
        } else {
            list_f64(&view->f64, array[n]);
        }
    }
    for (int f = 0; f < ROW_ARRAYS; f++) {
        uint64_t size = f < WORDS ? sizeof(uint32_t) : narrow ? sizeof(float) : sizeof(double);
        same = same && same_array(array[0][f], array[1][f], rows * size);
    }
    return same;
}

static const carom_groups *groups_of(const any_view *view) {
    return view->precision == ANY_F32 ? &view->f32.groups : &view->f64.groups;
}

static bool same_groups(const carom_groups *a, const carom_groups *b, uint64_t bodies) {
    bool same = a->count == b->count && same_array(a->label, b->label, bodies * sizeof *a->label) &&
                same_array(a->offset, b->offset, (a->count + 1) * sizeof *a->offset);
    return same && (a->offset == NULL || same_array(a->member, b->member, a->offset[a->count] * sizeof *a->member));
}

bool any_view_same(const any_view *a, const any_view *b) {
    return a->bodies == b->bodies && a->precision == b->precision && any_summary_same(&a->summary, &b->summary) &&
           same_rows(a, b) && same_groups(groups_of(a), groups_of(b), a->bodies);
}
