/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A filter's exclusion lists (carom/filter.h): checks, look-ups, and traces. A body's trace is a Bloom filter (1970) of
 * its list: two bits for each body that is in it, one of each 32. The lists themselves, far apart in the caller's
 * memory, are read only for the pairs of which one trace has the bit of the other body. */
#ifndef CAROM_STORE_EXCLUSION_LIST_H
#define CAROM_STORE_EXCLUSION_LIST_H

#include "carom/filter.h"
#include "kernel/check/assert.h"
#include "kernel/sys/team.h"

/* A list of up to this many is searched from its start even if it is in order: one cache line, no branch to predict. */
enum { CAROM_EXCLUSION_LIST_SHORT = 16 };

/* What is checked, and what a check finds. */
typedef struct carom_exclusion_check {
    const carom_team *team;
    const carom_filter *filter; /* has exclusion_offset */
    uint64_t count;             /* bodies */
    uint64_t *share;            /* a number of each worker */
    uint64_t *trace;            /* receives the trace of each body; NULL: not wanted */
    _Atomic uint32_t unordered; /* 1: some list is not in ascending order */
} carom_exclusion_check;

/* The first body whose list ends before it begins, or CAROM_NO_BODY. If the team has stopped it means nothing. */
uint64_t carom_exclusion_list_check_offsets(carom_exclusion_check *check);

/* The first body whose list names one that is none, or CAROM_NO_BODY, likewise; after the check of the offsets. Sets
 * check->trace and check->unordered. */
uint64_t carom_exclusion_list_check_members(carom_exclusion_check *check);

/* The place of the first member of a body's list that is no body, or the list's end. */
uint64_t carom_exclusion_list_bad_member(const carom_filter *filter, uint64_t count, uint64_t body);

/* A summary of a body's list: most pairs are decided by it alone. */
typedef struct carom_filter_trace {
    uint64_t trace; /* the bits of each body in the list; several bodies share them */
    uint32_t body;  /* one of the caller's; of an image its owner */
    uint8_t low;    /* which bits stand for this body in the traces of others: 0 to 31, */
    uint8_t high;   /* and 32 to 63 */
} carom_filter_trace;

/* Which bits of a trace stand for a body (Fibonacci hashing: near numbers get different bits). */
static inline uint32_t carom_exclusion_list_low(uint32_t body) {
    return body * UINT32_C(0x9E3779B1) >> 27;
}

static inline uint32_t carom_exclusion_list_high(uint32_t body) {
    return 32 + (body * UINT32_C(0x9E3779B1) >> 22 & 31);
}

static inline uint64_t carom_exclusion_list_bits(uint32_t body) {
    return UINT64_C(1) << carom_exclusion_list_low(body) | UINT64_C(1) << carom_exclusion_list_high(body);
}

/* The trace of a body whose list has these bits. */
static inline carom_filter_trace carom_exclusion_list_trace(uint32_t body, uint64_t bits) {
    return (carom_filter_trace){.trace = bits,
                                .body = body,
                                .low = (uint8_t)carom_exclusion_list_low(body),
                                .high = (uint8_t)carom_exclusion_list_high(body)};
}

/* False: neither list has the other body. */
static inline bool carom_exclusion_list_may_exclude(const carom_filter_trace *i, const carom_filter_trace *k) {
    const uint64_t i_has_k = i->trace >> k->low & i->trace >> k->high;
    const uint64_t k_has_i = k->trace >> i->low & k->trace >> i->high;
    return ((i_has_k | k_has_i) & 1) != 0;
}

/* Whether the list of one body has the other. ascend: all lists are in ascending order. */
static inline bool carom_exclusion_list_has(const carom_filter *filter, bool ascend, uint32_t body, uint32_t other) {
    uint64_t begin = filter->exclusion_offset[body];
    uint64_t end = filter->exclusion_offset[body + 1];
    CAROM_ASSERT(begin <= end);
    while (ascend && end - begin > CAROM_EXCLUSION_LIST_SHORT) {
        uint64_t middle = begin + (end - begin) / 2;
        *(filter->excluded[middle] > other ? &end : &begin) = middle;
    }
    bool found = false;
    for (uint64_t n = begin; n < end; n++) {
        found |= filter->excluded[n] == other;
    }
    return found;
}

/* Whether a pair is excluded. A body does not exclude its own images, though its list may name it. */
static inline bool carom_exclusion_list_excludes(const carom_filter *filter, bool ascend, uint32_t i, uint32_t k) {
    return i != k && (carom_exclusion_list_has(filter, ascend, i, k) || carom_exclusion_list_has(filter, ascend, k, i));
}

#endif
