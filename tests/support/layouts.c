/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/support/layouts.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/support/check.h"

enum { FIELDS = 7 };

/* Which array each field lies in, where in its structs, and how many values each array's structs have. */
typedef struct plan {
    const char *name;
    int array[FIELDS];
    uint64_t offset[FIELDS];
    uint64_t values[LAYOUT_ARRAYS];
} plan;

#define EACH                                                                                                           \
    { 0, 1, 2, 3, 4, 5, 6 }
#define ALL                                                                                                            \
    { 0, 0, 0, 0, 0, 0, 0 }

static const plan plans[LAYOUT_FORMS] = {
    {"packed", EACH, {0}, {1, 1, 1, 1, 1, 1, 1}},
    {"strides of a value", EACH, {0}, {1, 1, 1, 1, 1, 1, 1}},
    {"(N, 3)", {0, 0, 0, 1, 1, 1, 2}, {0, 1, 2, 0, 1, 2, 0}, {3, 3, 1}},
    {"(N, 6)", {0, 0, 0, 0, 0, 0, 1}, {0, 1, 2, 3, 4, 5, 0}, {6, 1}},
    {"(N, 7)", ALL, {0, 1, 2, 3, 4, 5, 6}, {7}},
    {"structs of 11", ALL, {5, 6, 7, 0, 1, 2, 8}, {11}},
    {"scattered structs", ALL, {4, 0, 6, 1, 7, 3, 2}, {8}},
    {"mixed", {0, 1, 2, 3, 3, 3, 4}, {0, 0, 0, 1, 2, 3, 1}, {1, 1, 1, 5, 2}},
};

const char *layout_name(layout_form form) {
    return plans[form].name;
}

static uint64_t value_bytes(const any_bodies *bodies) {
    return bodies->precision == ANY_F32 ? sizeof(float) : sizeof(double);
}

/* Room for the values of an array and no more, the rest of its pages filled with what is NaN. */
static char *map_array(layout *l, int array, uint64_t bytes, bool at_end) {
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    const uint64_t inside = (bytes + page - 1) / page * page;
    char *room = mmap(NULL, inside + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(room != MAP_FAILED);
    memset(room, 0xFF, inside + 2 * page);
    assert_int_equal(mprotect(room, page, PROT_NONE), 0);
    assert_int_equal(mprotect(room + page + inside, page, PROT_NONE), 0);
    l->array[array].room = room;
    l->array[array].bytes = inside + 2 * page;
    return room + page + (at_end ? inside - bytes : 0);
}

/* First and last offset of the fields in an array, but for those that are left out. */
static bool span_of(const plan *p, int array, const bool left_out[FIELDS], uint64_t *first, uint64_t *last) {
    *first = UINT64_MAX;
    *last = 0;
    for (int f = 0; f < FIELDS; f++) {
        if (p->array[f] == array && !left_out[f]) {
            *first = p->offset[f] < *first ? p->offset[f] : *first;
            *last = p->offset[f] > *last ? p->offset[f] : *last;
        }
    }
    return *first != UINT64_MAX;
}

/* What bodies points to, in either precision. */
static void point_to(any_bodies *bodies, int field, char *at) {
    const float **narrow = field < 3   ? &bodies->f32.prev[field]
                           : field < 6 ? &bodies->f32.curr[field - 3]
                                       : &bodies->f32.radius;
    const double **wide = field < 3   ? &bodies->f64.prev[field]
                          : field < 6 ? &bodies->f64.curr[field - 3]
                                      : &bodies->f64.radius;
    *narrow = bodies->precision == ANY_F32 ? (const float *)(void *)at : NULL;
    *wide = bodies->precision == ANY_F64 ? (const double *)(void *)at : NULL;
}

static void set_strides(any_bodies *bodies, const plan *p, layout_form form) {
    const uint64_t size = value_bytes(bodies);
    uint64_t stride[3];
    for (int n = 0; n < 3; n++) {
        const uint64_t values = p->values[p->array[3 * n]];
        stride[n] = values > 1 || form == LAYOUT_VALUES ? values * size : 0;
    }
    bodies->f32.prev_stride = bodies->f64.prev_stride = stride[0];
    bodies->f32.curr_stride = bodies->f64.curr_stride = stride[1];
    bodies->f32.radius_stride = bodies->f64.radius_stride = stride[2];
}

/* Copies the fields that lie in an array. `at` is where its first value is. */
static void fill_array(layout *l, const plan *p, int array, const any_bodies *packed, const bool left_out[FIELDS],
                       uint64_t first, char *at) {
    const uint64_t size = value_bytes(packed);
    const uint64_t count = packed->f32.count;
    for (int f = 0; f < FIELDS; f++) {
        if (p->array[f] != array || left_out[f]) {
            continue;
        }
        char *to = at + (p->offset[f] - first) * size;
        point_to(&l->bodies, f, to);
        for (uint64_t n = 0; n < count; n++) {
            const char *from = (const char *)packed->memory + ((uint64_t)f * count + n) * size;
            memcpy(to + n * p->values[array] * size, from, size);
        }
    }
}

layout layout_make(const any_bodies *packed, layout_form form, bool rest, bool common, bool at_end) {
    const plan *p = &plans[form];
    const bool left_out[FIELDS] = {false, false, false, rest, rest, rest, common};
    const uint64_t count = packed->f32.count;
    const uint64_t size = value_bytes(packed);
    layout l = {.bodies = {.precision = packed->precision}};
    l.bodies.f32.count = count;
    l.bodies.f64.count = count;
    set_strides(&l.bodies, p, form);
    for (int array = 0; array < LAYOUT_ARRAYS && count > 0; array++) {
        uint64_t first;
        uint64_t last;
        if (span_of(p, array, left_out, &first, &last)) {
            const uint64_t bytes = ((count - 1) * p->values[array] + last - first + 1) * size;
            fill_array(&l, p, array, packed, left_out, first, map_array(&l, array, bytes, at_end));
        }
    }
    if (common && count > 0) {
        const char *radius = (const char *)packed->memory + 6 * count * size;
        memcpy(packed->precision == ANY_F32 ? (void *)&l.bodies.f32.common_radius : (void *)&l.bodies.f64.common_radius,
               radius, size);
    }
    return l;
}

void layout_release(layout *l) {
    for (int array = 0; array < LAYOUT_ARRAYS; array++) {
        if (l->array[array].room != NULL) {
            munmap(l->array[array].room, l->array[array].bytes);
        }
    }
    memset(l, 0, sizeof *l);
}

/* Where value n of a field lies; one function for both precisions. */
static char *value_at(const any_bodies *b, int field, uint64_t n) {
    const bool narrow = b->precision == ANY_F32;
    const void *base = field < 3 ? (narrow ? (const void *)b->f32.prev[field] : (const void *)b->f64.prev[field])
                       : field < 6
                           ? (narrow ? (const void *)b->f32.curr[field - 3] : (const void *)b->f64.curr[field - 3])
                           : (narrow ? (const void *)b->f32.radius : (const void *)b->f64.radius);
    const uint64_t stride = field < 3 ? b->f32.prev_stride : field < 6 ? b->f32.curr_stride : b->f32.radius_stride;
    assert_non_null(base);
    return (char *)(uintptr_t)base + n * (stride != 0 ? stride : value_bytes(b));
}

void layout_set(layout *l, int field, uint64_t body, double value) {
    const float narrow = (float)value;
    char *at = value_at(&l->bodies, field, body);
    if (l->bodies.precision == ANY_F32) {
        memcpy(at, &narrow, sizeof narrow);
    } else {
        memcpy(at, &value, sizeof value);
    }
}
