/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Look-ups in a filter's exclusion lists (carom/filter.h), which have been checked. */
#ifndef CAROM_STORE_EXCLUSION_LIST_H
#define CAROM_STORE_EXCLUSION_LIST_H

#include "carom/filter.h"
#include "kernel/check/assert.h"

/* A list of up to this many is searched from its start even if it is in order: one cache line, no branch to predict. */
enum { CAROM_EXCLUSION_LIST_SHORT = 16 };

/* Whether the list of one body has the other. ascend: all lists are in ascending order. */
static inline bool carom_exclusion_list_has(const carom_filter *filter, bool ascend, uint32_t body, uint32_t other) {
    uint64_t begin = filter->exclusion_offset[body];
    uint64_t end = filter->exclusion_offset[body + 1];
    CAROM_ASSERT(begin <= end);
    while (ascend && end - begin > CAROM_EXCLUSION_LIST_SHORT) {
        uint64_t middle = begin + (end - begin) / 2;
        *(filter->excluded[middle] > other ? &end : &begin) = middle;
    }
    for (uint64_t n = begin; n < end; n++) {
        if (filter->excluded[n] == other) {
            return true;
        }
    }
    return false;
}

#endif
