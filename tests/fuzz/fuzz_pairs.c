/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bytes as a table of shapes, bodies and pairs of them. Guards that signed distances and times of impact are the same
 * in batches, one by one, on every instruction set and for any number of workers; that nothing is NaN and no bracket is
 * empty, nor apart from that of the same pair the other way round; and that errors are the same everywhere. */
#include <math.h>
#include <stdlib.h>

#include "tests/fuzz/contexts.h"
#include "tests/fuzz/pairs_tmpl.h"
#include "tests/fuzz/target.h"
#include "tests/support/note.h"

enum { SHAPES_MOST = 6, POINTS_MOST = 12, CHILDREN_MOST = 3 };

/* A table before it is made. */
typedef struct table_input {
    carom_shape shape[SHAPES_MOST];
    double point[SHAPES_MOST][POINTS_MOST][3];
    carom_shape_child child[SHAPES_MOST][CHILDREN_MOST];
    uint32_t count;
} table_input;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    fuzz_contexts_start();
    return 0;
}

double fuzz_pairs_number(fuzz_bytes *bytes) {
    const uint8_t mode = fuzz_byte(bytes);
    const int8_t whole = (int8_t)fuzz_byte(bytes);
    double value;
    if (mode < 128) {
        return 0.5 * (whole % 8);
    }
    if (mode < 224) {
        int16_t fine;
        fuzz_take(bytes, &fine, sizeof fine);
        return 0.01 * whole + 1e-6 * fine;
    }
    if (mode < 248) {
        return ldexp(1.0 + whole / 256.0, whole % 80);
    }
    fuzz_take(bytes, &value, sizeof value);
    return value;
}

static double size_of(fuzz_bytes *bytes) {
    return fabs(fuzz_pairs_number(bytes));
}

static void take_points(fuzz_bytes *bytes, table_input *input, uint32_t n) {
    carom_shape *shape = &input->shape[n];
    shape->point_count = 1 + fuzz_byte(bytes) % POINTS_MOST;
    shape->point = (const double(*)[3])input->point[n];
    for (uint64_t p = 0; p < shape->point_count; p++) {
        for (int a = 0; a < 3; a++) {
            input->point[n][p][a] = fuzz_pairs_number(bytes);
        }
    }
}

static void take_children(fuzz_bytes *bytes, table_input *input, uint32_t n) {
    carom_shape *shape = &input->shape[n];
    shape->child_count = 1 + fuzz_byte(bytes) % CHILDREN_MOST;
    shape->child = input->child[n];
    for (uint64_t c = 0; c < shape->child_count; c++) {
        carom_shape_child *child = &input->child[n][c];
        *child = (carom_shape_child){.shape = n > 0 ? fuzz_byte(bytes) % n : 0, .turn = {0.0, 0.0, 0.0, 1.0}};
        for (int a = 0; a < 3; a++) {
            child->at[a] = fuzz_pairs_number(bytes);
        }
    }
}

static void take_shape(fuzz_bytes *bytes, table_input *input, uint32_t n) {
    carom_shape *shape = &input->shape[n];
    *shape = (carom_shape){.kind = (carom_shape_kind)(fuzz_byte(bytes) % (CAROM_SHAPE_COMPOUND + 1))};
    shape->radius = size_of(bytes);
    for (int a = 0; a < 3; a++) {
        shape->extent[a] = size_of(bytes);
    }
    if (shape->kind == CAROM_SHAPE_HULL) {
        take_points(bytes, input, n);
    }
    if (shape->kind == CAROM_SHAPE_COMPOUND) {
        take_children(bytes, input, n);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static table_input input;
    fuzz_bytes bytes = {data, data + size};
    carom_shapes *shapes = NULL;
    carom_error error;
    const uint8_t pick = fuzz_byte(&bytes);
    const bool wide = fuzz_byte(&bytes) % 2 == 0;
    input.count = 1 + fuzz_byte(&bytes) % SHAPES_MOST;
    for (uint32_t n = 0; n < input.count; n++) {
        take_shape(&bytes, &input, n);
    }
    if (carom_shapes_create(input.shape, input.count, NULL, &shapes, &error) != CAROM_OK) {
        note_check(shapes == NULL && error.body < input.count && error.message[0] != 0, "an error that names no shape");
        return 0;
    }
    if (wide) {
        fuzz_pairs_f64(&bytes, pick, shapes);
    } else {
        fuzz_pairs_f32(&bytes, pick, shapes);
    }
    carom_shapes_destroy(shapes);
    return 0;
}
