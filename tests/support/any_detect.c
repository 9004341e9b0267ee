/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/support/any_detect.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

_Static_assert(sizeof(any_rows) == sizeof(carom_contacts_f32), "one pointer an array");
_Static_assert(sizeof(any_rows) == sizeof(carom_contacts_f64), "one pointer an array");

const char *any_precision_name(any_precision precision) {
    return precision == ANY_F32 ? "f32" : "f64";
}

any_rows any_rows_f32(const carom_contacts_f32 *contacts) {
    any_rows rows;
    memcpy(&rows, contacts, sizeof rows);
    return rows;
}

any_rows any_rows_f64(const carom_contacts_f64 *contacts) {
    any_rows rows;
    memcpy(&rows, contacts, sizeof rows);
    return rows;
}

static void *allocate(uint64_t bytes) {
    void *memory = calloc(1, bytes > 0 ? bytes : 1);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

static const double *source_of(const carom_bodies_f64 *bodies, int field) {
    return field < 3 ? bodies->prev[field] : field < 6 ? bodies->curr[field - 3] : bodies->radius;
}

any_bodies any_bodies_make(any_precision precision, const carom_bodies_f64 *from) {
    any_bodies bodies = {.precision = precision};
    uint64_t count = from->count;
    uint64_t size = precision == ANY_F32 ? sizeof(float) : sizeof(double);
    bodies.bytes = 7 * count * size;
    bodies.memory = allocate(bodies.bytes);
    float *as_float = bodies.memory;
    double *as_double = bodies.memory;
    bodies.f32.count = count;
    bodies.f64.count = count;
    for (int field = 0; field < 7; field++) {
        for (uint64_t n = 0; n < count; n++) {
            any_bodies_set(&bodies, field, n, source_of(from, field)[n]);
        }
    }
    for (uint64_t a = 0; a < 3; a++) {
        bodies.f32.prev[a] = as_float + a * count;
        bodies.f32.curr[a] = as_float + (a + 3) * count;
        bodies.f64.prev[a] = as_double + a * count;
        bodies.f64.curr[a] = as_double + (a + 3) * count;
    }
    bodies.f32.radius = as_float + 6 * count;
    bodies.f64.radius = as_double + 6 * count;
    return bodies;
}

void any_bodies_release(any_bodies *bodies) {
    free(bodies->memory);
    memset(bodies, 0, sizeof *bodies);
}

void any_bodies_set(any_bodies *bodies, int field, uint64_t body, double value) {
    uint64_t at = (uint64_t)field * bodies->f32.count + body;
    if (bodies->precision == ANY_F32) {
        ((float *)bodies->memory)[at] = (float)value;
    } else {
        ((double *)bodies->memory)[at] = value;
    }
}

static void *copy_of(const void *from, uint64_t bytes) {
    if (from == NULL) {
        return NULL;
    }
    void *copy = allocate(bytes);
    memcpy(copy, from, bytes);
    return copy;
}

/* As doubles. */
static double *widened(any_precision precision, const void *from, uint64_t count) {
    if (precision == ANY_F64 || from == NULL) {
        return copy_of(from, count * sizeof(double));
    }
    double *copy = allocate(count * sizeof *copy);
    for (uint64_t n = 0; n < count; n++) {
        copy[n] = (double)((const float *)from)[n];
    }
    return copy;
}

static void copy_groups(any_result *r, const carom_groups *groups) {
    r->group_count = groups->count;
    r->label = copy_of(groups->label, r->bodies * sizeof *r->label);
    r->offset = copy_of(groups->offset, (groups->count + 1) * sizeof *r->offset);
    if (groups->member != NULL) {
        r->member = copy_of(groups->member, r->offset[groups->count] * sizeof *r->member);
    }
}

static void copy_neighbours(any_result *r, const carom_neighbours *neighbours) {
    r->neighbour_offset = copy_of(neighbours->offset, (r->bodies + 1) * sizeof *r->neighbour_offset);
    if (neighbours->offset != NULL) {
        uint64_t entries = neighbours->offset[r->bodies];
        r->neighbour_body = copy_of(neighbours->body, entries * sizeof *r->neighbour_body);
        r->neighbour_pair = copy_of(neighbours->pair, entries * sizeof *r->neighbour_pair);
    }
}

static void copy_rows(any_result *r, any_precision precision, uint64_t count, any_rows rows) {
    r->pair_count = count;
    r->i = copy_of(rows.i, count * sizeof *r->i);
    r->k = copy_of(rows.k, count * sizeof *r->k);
    for (int f = 0; f < ANY_FIELDS; f++) {
        r->field[f] = widened(precision, rows.field[f], count);
    }
    for (int a = 0; a < 3; a++) {
        r->shift[a] = copy_of(rows.shift[a], count * sizeof *r->shift[a]);
    }
}

static void copy_boxes(any_result *r, const float *const lo[3], const float *const hi[3]) {
    for (int a = 0; a < 3; a++) {
        r->box[a] = copy_of(lo[a], r->bodies * sizeof(float));
        r->box[a + 3] = copy_of(hi[a], r->bodies * sizeof(float));
    }
}

void any_result_take_f32(any_result *r, const carom_detection_f32 *d) {
    r->summary = d->summary;
    copy_rows(r, ANY_F32, d->pair_count, any_rows_f32(&d->contacts));
    copy_groups(r, &d->groups);
    copy_neighbours(r, &d->neighbours);
    copy_boxes(r, d->lo, d->hi);
}

void any_result_take_f64(any_result *r, const carom_detection_f64 *d) {
    r->summary = d->summary;
    copy_rows(r, ANY_F64, d->pair_count, any_rows_f64(&d->contacts));
    copy_groups(r, &d->groups);
    copy_neighbours(r, &d->neighbours);
    copy_boxes(r, d->lo, d->hi);
}

/* On failure: nothing but the sizes that were asked for, and the struct's own. */
static void check_forgotten(const void *detection, size_t size, carom_detect_summary *summary) {
    static const char zero[1024];
    summary->required_pairs = 0;
    summary->required_bytes = 0;
    assert_true(size <= sizeof zero);
    assert_memory_equal((const char *)detection + sizeof size, zero, size - sizeof size);
}

carom_detect_output_f32 any_output_f32(const any_output *o) {
    carom_detect_output_f32 output = {
        .pair_capacity = o->pair_capacity, .label = o->label, .sink = o->sink_f32, .sink_user = o->sink_user};
    memcpy(&output.contacts, &o->rows, sizeof output.contacts);
    return output;
}

carom_detect_output_f64 any_output_f64(const any_output *o) {
    carom_detect_output_f64 output = {
        .pair_capacity = o->pair_capacity, .label = o->label, .sink = o->sink_f64, .sink_user = o->sink_user};
    memcpy(&output.contacts, &o->rows, sizeof output.contacts);
    return output;
}

static void call_f32(carom_context *context, const any_bodies *bodies, const carom_detect_config *config,
                     const any_output *o, any_result *r) {
    carom_detection_f32 d;
    memset(&d, 0xA5, sizeof d);
    d.size = sizeof d;
    const carom_detect_output_f32 output = o != NULL ? any_output_f32(o) : (carom_detect_output_f32){0};
    r->status = carom_detect_f32(context, &bodies->f32, config, o != NULL ? &output : NULL, &d, &r->error);
    r->summary = d.summary;
    if (r->status != CAROM_OK) {
        assert_true(d.size == 0 || d.size == sizeof d);
        check_forgotten(&d, sizeof d, &d.summary);
        return;
    }
    any_result_take_f32(r, &d);
}

static void call_f64(carom_context *context, const any_bodies *bodies, const carom_detect_config *config,
                     const any_output *o, any_result *r) {
    carom_detection_f64 d;
    /* A caller of version 0.2, which has no members behind these. */
    const size_t known = offsetof(carom_detection_f64, child_i);
    memset(&d, 0xA5, sizeof d);
    d.size = 0;
    const carom_detect_output_f64 output = o != NULL ? any_output_f64(o) : (carom_detect_output_f64){0};
    r->status = carom_detect_f64(context, &bodies->f64, config, o != NULL ? &output : NULL, &d, &r->error);
    r->summary = d.summary;
    if (r->status != CAROM_OK) {
        assert_true(d.size == 0 || d.size == sizeof d);
        check_forgotten(&d, known, &d.summary);
        return;
    }
    any_result_take_f64(r, &d);
}

any_result any_detect_bodies(carom_context *context, const any_bodies *bodies, const carom_detect_config *config,
                             const any_output *output) {
    any_result result = {.bodies = bodies->f32.count};
    void *before = copy_of(bodies->memory, bodies->bytes);
    if (bodies->precision == ANY_F32) {
        call_f32(context, bodies, config, output, &result);
    } else {
        call_f64(context, bodies, config, output, &result);
    }
    assert_memory_equal(before, bodies->memory, bodies->bytes); /* the caller's arrays are only ever read */
    free(before);
    return result;
}

any_result any_detect(carom_context *context, any_precision precision, const carom_bodies_f64 *bodies,
                      const carom_detect_config *config) {
    any_bodies made = any_bodies_make(precision, bodies);
    any_result result = any_detect_bodies(context, &made, config, NULL);
    any_bodies_release(&made);
    return result;
}

carom_status any_detect_status(carom_context *context, const any_bodies *bodies, const carom_detect_config *config,
                               carom_detect_summary *summary) {
    carom_status status;
    if (bodies->precision == ANY_F32) {
        carom_detection_f32 d = {0};
        status = carom_detect_f32(context, &bodies->f32, config, NULL, &d, NULL);
        *summary = d.summary;
    } else {
        carom_detection_f64 d = {0};
        status = carom_detect_f64(context, &bodies->f64, config, NULL, &d, NULL);
        *summary = d.summary;
    }
    return status;
}

void any_result_release(any_result *result) {
    free(result->i);
    free(result->k);
    for (int f = 0; f < ANY_FIELDS; f++) {
        free(result->field[f]);
    }
    for (int a = 0; a < 3; a++) {
        free(result->shift[a]);
    }
    free(result->label);
    free(result->offset);
    free(result->member);
    free(result->neighbour_offset);
    free(result->neighbour_body);
    free(result->neighbour_pair);
    for (int b = 0; b < 6; b++) {
        free(result->box[b]);
    }
    memset(result, 0, sizeof *result);
}

/* Of nothing there may be an array or none. */
static bool same_array(const void *a, const void *b, uint64_t bytes) {
    return bytes == 0 || ((a == NULL) == (b == NULL) && (a == NULL || memcmp(a, b, bytes) == 0));
}

bool any_summary_same(const carom_detect_summary *a, const carom_detect_summary *b) {
    return a->box_pairs == b->box_pairs && a->touching_pairs == b->touching_pairs && a->groups == b->groups &&
           a->largest_group == b->largest_group && a->touching_hash == b->touching_hash &&
           a->result_hash == b->result_hash && a->required_pairs == b->required_pairs;
}

bool any_result_same(const any_result *a, const any_result *b) {
    if (a->status != b->status || a->bodies != b->bodies || a->pair_count != b->pair_count ||
        a->group_count != b->group_count || !any_summary_same(&a->summary, &b->summary)) {
        return false;
    }
    bool same = same_array(a->i, b->i, a->pair_count * sizeof *a->i);
    same = same && same_array(a->k, b->k, a->pair_count * sizeof *a->k);
    for (int f = 0; f < ANY_FIELDS; f++) {
        same = same && same_array(a->field[f], b->field[f], a->pair_count * sizeof(double));
    }
    for (int x = 0; x < 3; x++) {
        same = same && same_array(a->shift[x], b->shift[x], a->pair_count * sizeof *a->shift[x]);
    }
    same = same && same_array(a->label, b->label, a->bodies * sizeof *a->label);
    same = same && same_array(a->offset, b->offset, (a->group_count + 1) * sizeof *a->offset);
    if (same && a->offset != NULL) {
        same = same_array(a->member, b->member, a->offset[a->group_count] * sizeof *a->member);
    }
    same = same && same_array(a->neighbour_offset, b->neighbour_offset, (a->bodies + 1) * sizeof(uint64_t));
    if (same && a->neighbour_offset != NULL) {
        uint64_t entries = a->neighbour_offset[a->bodies];
        same = same_array(a->neighbour_body, b->neighbour_body, entries * sizeof(uint32_t)) &&
               same_array(a->neighbour_pair, b->neighbour_pair, entries * sizeof(uint64_t));
    }
    for (int box = 0; box < 6; box++) {
        same = same && same_array(a->box[box], b->box[box], a->bodies * sizeof(float));
    }
    return same;
}

carom_context *any_context(uint32_t threads, const char *isa) {
    carom_context_config config = carom_context_config_default();
    config.threads = threads;
    config.bodies_per_thread = 1; /* all of them work, however few the bodies */
    config.isa = isa;
    carom_context *context = NULL;
    carom_error error;
    if (carom_context_create(&config, &context, &error) != CAROM_OK) {
        fail_msg("no context: %s", error.message);
    }
    return context;
}

carom_detect_config any_config_full(void) {
    carom_detect_config config = carom_detect_config_default();
    config.sort_pairs = true;
    config.group_members = true;
    config.hash = true;
    return config;
}
