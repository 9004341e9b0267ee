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

static bool same_array(const void *a, const void *b, uint64_t bytes) {
    return bytes == 0 || ((a == NULL) == (b == NULL) && (a == NULL || memcmp(a, b, bytes) == 0));
}

static any_rows rows_of(const any_view *view) {
    return view->precision == ANY_F32 ? any_rows_f32(&view->f32.contacts) : any_rows_f64(&view->f64.contacts);
}

static bool same_rows(const any_view *a, const any_view *b) {
    const bool narrow = a->precision == ANY_F32;
    const uint64_t count = narrow ? a->f32.pair_count : a->f64.pair_count;
    const any_rows x = rows_of(a);
    const any_rows y = rows_of(b);
    bool same = count == (narrow ? b->f32.pair_count : b->f64.pair_count);
    same = same && same_array(x.i, y.i, count * sizeof *x.i) && same_array(x.k, y.k, count * sizeof *x.k);
    for (int f = 0; f < ANY_FIELDS; f++) {
        same = same && same_array(x.field[f], y.field[f], count * (narrow ? sizeof(float) : sizeof(double)));
    }
    for (int s = 0; s < 3; s++) {
        same = same && same_array(x.shift[s], y.shift[s], count * sizeof(int32_t));
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
