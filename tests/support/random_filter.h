/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Random pair filters, with any of the parts that a filter has. */
#ifndef CAROM_TESTS_RANDOM_FILTER_H
#define CAROM_TESTS_RANDOM_FILTER_H

#include "carom/filter.h"
#include "kernel/scene/random.h"

/* The parts of a filter, as bits. */
enum {
    RANDOM_FILTER_CATEGORY = 1,
    RANDOM_FILTER_MASK = 2,
    RANDOM_FILTER_GROUP = 4,
    RANDOM_FILTER_FIXED = 8,
    RANDOM_FILTER_EXCLUDED = 16,
    RANDOM_FILTER_ACCEPTS = 32,
    RANDOM_FILTER_PART = 64,
    RANDOM_FILTER_PARTS = 7,
    RANDOM_FILTER_ALL = 127
};

/* A filter and what it points to. */
typedef struct random_filter {
    carom_filter filter;
    uint32_t *words; /* category, mask, group */
    uint8_t *fixed;
    uint8_t *part;
    uint64_t *offset;
    uint32_t *excluded;
    uint64_t *salt; /* what the function is a function of, beside the pair */
} random_filter;

/* Each part alone, all, none, and mixtures. */
int random_filter_parts(uint64_t number, carom_random *random);

/* A filter of these parts. */
random_filter random_filter_make(int parts, uint64_t count, carom_random *random);
void random_filter_release(random_filter *f);

/* How often a filter's function was asked about i >= k. On other threads a check cannot fail. */
uint64_t random_filter_wrong_questions(void);

/* Zeros for one more than `count`; ends the program where there are none. */
void *random_filter_allocate(uint64_t count, uint64_t size);

#endif
