/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/twin/guarded.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/note.h"

enum { CANARY = 0xC7, FILLING = 0xA5, LINE = 64 };

void *guarded_array(guarded_pool *pool, uint64_t count, size_t size, uint64_t offset) {
    size_t bytes = (size_t)count * size;
    size_t lead = GUARD_BYTES + (size_t)offset * size;
    size_t whole = (lead + bytes + GUARD_BYTES + LINE - 1) / LINE * LINE;
    unsigned char *block = aligned_alloc(LINE, whole);
    assert_non_null(block);
    assert_true(pool->count < (int)(sizeof pool->entry / sizeof pool->entry[0]));
    memset(block, CANARY, whole);
    memset(block + lead, FILLING, bytes);
    pool->entry[pool->count].block = block;
    pool->entry[pool->count].array = block + lead;
    pool->entry[pool->count].bytes = bytes;
    pool->count++;
    return block + lead;
}

bool guarded_intact(const guarded_pool *pool) {
    for (int n = 0; n < pool->count; n++) {
        const unsigned char *before = pool->entry[n].array - GUARD_BYTES;
        const unsigned char *after = pool->entry[n].array + pool->entry[n].bytes;
        for (int b = 0; b < GUARD_BYTES; b++) {
            if (before[b] != CANARY || after[b] != CANARY) {
                return false;
            }
        }
    }
    return true;
}

void guarded_release(guarded_pool *pool) {
    for (int n = 0; n < pool->count; n++) {
        free(pool->entry[n].block);
    }
    pool->count = 0;
}

bool guarded_same_f32(const float *a, const float *b, uint64_t count) {
    for (uint64_t n = 0; n < count; n++) {
        if (memcmp(&a[n], &b[n], sizeof *a) != 0 && !(isnan(a[n]) && isnan(b[n]))) {
            return false;
        }
    }
    return true;
}

bool guarded_same_f64(const double *a, const double *b, uint64_t count) {
    for (uint64_t n = 0; n < count; n++) {
        if (memcmp(&a[n], &b[n], sizeof *a) != 0 && !(isnan(a[n]) && isnan(b[n]))) {
            return false;
        }
    }
    return true;
}

static uint32_t size_at(int n) {
    static const uint32_t beyond[] = {127, 257, 1000, 4099};
    return n < 68 ? (uint32_t)n : beyond[n - 68];
}

void guarded_over_all(const char *kernel, guarded_case *run) {
    enum { SIZES = 72, TABLES_MOST = 8 };
    const carom_simd *tables[TABLES_MOST];
    size_t count = carom_simd_available(tables, TABLES_MOST);
    uint64_t number = 0;
    for (size_t t = 0; t < count && strcmp(tables[t]->name, "scalar") != 0; t++) {
        for (int s = 0; s < SIZES; s++, number++) {
            carom_random random = carom_random_seeded(note_case_seed(number));
            if (note_only_case() == UINT64_MAX || note_only_case() == number) {
                note_case(number, "%s, %s, %u items", kernel, tables[t]->name, size_at(s));
                run(tables[t], carom_simd_find("scalar"), &random, size_at(s));
            }
        }
    }
}

double guarded_number(carom_random *random) {
    static const double special[] = {0.0,       -0.0,   0x1p-149,        -0x1p-149,        0x1p-140, (double)FLT_MIN,
                                     1e-30,     -1e-30, (double)FLT_MAX, -(double)FLT_MAX, 3e38,     -3e38,
                                     16777216.0};
    uint64_t kind = carom_random_next(random) % 40;
    if (kind == 0) {
        return (double)NAN;
    }
    if (kind == 1) {
        return carom_random_next(random) % 2 == 0 ? (double)INFINITY : -(double)INFINITY;
    }
    if (kind < 8) {
        return special[carom_random_next(random) % (sizeof special / sizeof special[0])];
    }
    return 200.0 * carom_random_u01(random) - 100.0;
}
