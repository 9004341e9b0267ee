/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/support/guarded_output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/note.h"

enum { CANARY = 0xC5, GUARD = 64 };

uint64_t guarded_entry_bytes(any_precision precision, int array) {
    bool field = array >= GUARDED_FIELD && array < GUARDED_SHIFT;
    return field && precision == ANY_F64 ? sizeof(double) : sizeof(uint32_t);
}

static void *guarded(guarded_output *g, int array, uint64_t entries) {
    g->bytes[array] = entries * guarded_entry_bytes(g->precision, array);
    g->memory[array] = malloc(g->bytes[array] + 2 * GUARD);
    if (g->memory[array] == NULL) {
        abort();
    }
    return g->memory[array] + GUARD;
}

guarded_output guarded_make(any_precision precision, uint64_t capacity, uint64_t bodies) {
    guarded_output g = {.arrays = {.pair_capacity = capacity}, .precision = precision};
    g.arrays.rows.i = guarded(&g, 0, capacity);
    g.arrays.rows.k = guarded(&g, 1, capacity);
    for (int f = 0; f < ANY_FIELDS; f++) {
        g.arrays.rows.field[f] = guarded(&g, GUARDED_FIELD + f, capacity);
    }
    for (int a = 0; a < 3; a++) {
        g.arrays.rows.shift[a] = guarded(&g, GUARDED_SHIFT + a, capacity);
    }
    g.arrays.label = guarded(&g, GUARDED_LABEL, bodies);
    guarded_refill(&g);
    return g;
}

void guarded_release(guarded_output *g) {
    for (int array = 0; array < GUARDED_ARRAYS; array++) {
        free(g->memory[array]);
    }
    memset(g, 0, sizeof *g);
}

void guarded_refill(guarded_output *g) {
    for (int array = 0; array < GUARDED_ARRAYS; array++) {
        memset(g->memory[array], CANARY, g->bytes[array] + 2 * GUARD);
    }
}

/* Every byte is like the one before, and the first is a canary. */
static bool is_canary(const uint8_t *from, uint64_t bytes) {
    return bytes == 0 || (from[0] == CANARY && memcmp(from, from + 1, bytes - 1) == 0);
}

bool guarded_is_written(const guarded_output *g, int array) {
    return !is_canary(g->memory[array] + GUARD, g->bytes[array]);
}

void guarded_check_used(const guarded_output *g, int array, uint64_t used) {
    const uint8_t *memory = g->memory[array];
    note_check(is_canary(memory, GUARD), "array %d: written before its start", array);
    note_check(used <= g->bytes[array] && is_canary(memory + GUARD + used, g->bytes[array] - used + GUARD),
               "array %d: written beyond %" PRIu64 " bytes", array, used);
}

void guarded_check_untouched(const guarded_output *g) {
    for (int array = 0; array < GUARDED_ARRAYS; array++) {
        guarded_check_used(g, array, 0);
    }
}

/* The array begins with the result's, or, if that is NULL, is untouched. */
static void check_array(const guarded_output *g, int array, const void *expected, uint64_t entries) {
    uint64_t used = expected != NULL ? entries * sizeof(uint32_t) : 0;
    guarded_check_used(g, array, used);
    note_check(used == 0 || memcmp(g->memory[array] + GUARD, expected, used) == 0, "array %d: other contents", array);
}

/* Results have their fields in double, whatever the precision. */
static void check_field(const guarded_output *g, int f, const double *expected, uint64_t entries) {
    const int array = GUARDED_FIELD + f;
    guarded_check_used(g, array, expected != NULL ? entries * guarded_entry_bytes(g->precision, array) : 0);
    for (uint64_t n = 0; expected != NULL && n < entries; n++) {
        double got = g->precision == ANY_F32 ? (double)((const float *)g->arrays.rows.field[f])[n]
                                             : ((const double *)g->arrays.rows.field[f])[n];
        note_check(memcmp(&got, &expected[n], sizeof got) == 0, "field %d: another value at %" PRIu64, f, n);
    }
}

void guarded_check_filled(const guarded_output *g, const any_result *r) {
    check_array(g, 0, r->i, r->pair_count);
    check_array(g, 1, r->k, r->pair_count);
    for (int f = 0; f < ANY_FIELDS; f++) {
        check_field(g, f, r->field[f], r->pair_count);
    }
    for (int a = 0; a < 3; a++) {
        check_array(g, GUARDED_SHIFT + a, r->shift[a], r->pair_count);
    }
    check_array(g, GUARDED_LABEL, r->label, r->bodies);
}
