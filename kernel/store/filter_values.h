/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The values of a filter (carom/filter.h) that are tested by themselves: all but part bits, exclusion lists and the
 * caller's function. */
#ifndef CAROM_STORE_FILTER_VALUES_H
#define CAROM_STORE_FILTER_VALUES_H

#include "carom/filter.h"

/* Those of one body. */
typedef struct carom_filter_values {
    uint32_t category; /* bits of the kinds that the body is of */
    uint32_t mask;     /* bits of the kinds that it meets */
    uint32_t group;    /* bodies of one group do not meet; 0: of none */
    uint32_t apart; /* bodies with a bit in common do not meet: 1 if the body is fixed, and others by whoever has any */
} carom_filter_values;

/* Whether a filter has such values. */
static inline bool carom_filter_values_given(const carom_filter *filter) {
    return filter->category != NULL || filter->mask != NULL || filter->group != NULL || filter->fixed != NULL;
}

/* A value that the caller leaves out is one with which all pairs pass. */
static inline carom_filter_values carom_filter_values_of(const carom_filter *filter, uint64_t body) {
    return (carom_filter_values){.category = filter->category != NULL ? filter->category[body] : 1,
                                 .mask = filter->mask != NULL ? filter->mask[body] : UINT32_MAX,
                                 .group = filter->group != NULL ? filter->group[body] : 0,
                                 .apart = filter->fixed != NULL ? filter->fixed[body] != 0 : 0};
}

/* Whether a pair passes, without branches: which pairs do cannot be predicted. */
static inline bool carom_filter_values_pass(const carom_filter_values *i, const carom_filter_values *k) {
    const bool meet = ((i->category & k->mask) != 0) & ((k->category & i->mask) != 0);
    const bool apart = (i->group != k->group) | (i->group == 0);
    return meet & apart & ((i->apart & k->apart) == 0);
}

#endif
