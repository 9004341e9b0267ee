/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/support/random_filter.h"

#include <stdatomic.h>
#include <stdlib.h>

void *random_filter_allocate(uint64_t count, uint64_t size) {
    void *memory = calloc(count + 1, size);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

static _Atomic uint64_t wrong_questions;

/* Three of four pairs, as if by chance. */
static bool accepts(void *user, uint32_t i, uint32_t k) {
    wrong_questions += i >= k;
    carom_random random = carom_random_seeded(((uint64_t)i << 32 | k) ^ *(const uint64_t *)user);
    return carom_random_next(&random) % 4 != 0;
}

static uint32_t some_bits(carom_random *random) {
    return (uint32_t)(carom_random_next(random) & carom_random_next(random));
}

/* Rows of none to a few, now and then of half the bodies, in order or not, with the body itself and doubles. */
static void exclude(random_filter *f, uint64_t count, carom_random *random) {
    bool ordered = carom_random_next(random) % 2 == 0;
    uint64_t at = carom_random_next(random) % 3;
    f->offset = random_filter_allocate(count + 1, sizeof *f->offset);
    f->excluded = random_filter_allocate(at + count * (count / 2 + 6), sizeof *f->excluded);
    for (uint64_t b = 0; b < count; b++) {
        f->offset[b] = at;
        uint64_t length = carom_random_next(random) % 6;
        if (carom_random_next(random) % 8 == 0) {
            length = count / 2;
        }
        uint64_t last = carom_random_next(random) % count;
        for (uint64_t n = 0; n < length; n++) {
            uint64_t step = carom_random_next(random) % 3;
            last = ordered ? last + step : carom_random_next(random) % count;
            last = last < count ? last : count - 1;
            f->excluded[at++] = (uint32_t)last;
        }
    }
    f->offset[count] = at;
    f->filter.exclusion_offset = f->offset;
    f->filter.excluded = f->excluded;
}

random_filter random_filter_make(int parts, uint64_t count, carom_random *random) {
    random_filter f = {.filter = carom_filter_default()};
    f.words = random_filter_allocate(3 * count, sizeof *f.words);
    f.fixed = random_filter_allocate(count, 1);
    f.part = random_filter_allocate(count, 1);
    f.salt = random_filter_allocate(1, sizeof *f.salt);
    *f.salt = carom_random_next(random);
    f.filter.user = f.salt;
    for (uint64_t n = 0; n < count; n++) {
        f.words[n] = some_bits(random) & 0x8000000F;
        f.words[n + count] = some_bits(random) | (carom_random_next(random) % 4 != 0 ? 0x80000001 : 0);
        f.words[n + 2 * count] = (uint32_t)(carom_random_next(random) % 4) * 0x40000001;
        f.fixed[n] = (uint8_t)(carom_random_next(random) % 3 * 127);
        f.part[n] = (uint8_t)(some_bits(random) & 0x87);
    }
    f.filter.category = (parts & RANDOM_FILTER_CATEGORY) != 0 ? f.words : NULL;
    f.filter.mask = (parts & RANDOM_FILTER_MASK) != 0 ? f.words + count : NULL;
    f.filter.group = (parts & RANDOM_FILTER_GROUP) != 0 ? f.words + 2 * count : NULL;
    f.filter.fixed = (parts & RANDOM_FILTER_FIXED) != 0 ? f.fixed : NULL;
    f.filter.part = (parts & RANDOM_FILTER_PART) != 0 ? f.part : NULL;
    if ((parts & RANDOM_FILTER_EXCLUDED) != 0 && count > 0) {
        exclude(&f, count, random);
    }
    f.filter.accepts = (parts & RANDOM_FILTER_ACCEPTS) != 0 ? accepts : NULL;
    return f;
}

void random_filter_release(random_filter *f) {
    free(f->words);
    free(f->fixed);
    free(f->part);
    free(f->offset);
    free(f->excluded);
    free(f->salt);
}

uint64_t random_filter_wrong_questions(void) {
    return wrong_questions;
}

int random_filter_parts(uint64_t number, carom_random *random) {
    uint64_t turn = number % (RANDOM_FILTER_PARTS + 3);
    return turn < RANDOM_FILTER_PARTS    ? 1 << turn
           : turn == RANDOM_FILTER_PARTS ? RANDOM_FILTER_ALL
                                         : (int)(carom_random_next(random) % (RANDOM_FILTER_ALL + 1));
}
