/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Which pairs of bodies collide, and with what restitution, by what the caller says of pairs. */
#ifndef CAROM_WORLD_PAIR_RULES_H
#define CAROM_WORLD_PAIR_RULES_H

#include "carom/step.h"
#include "kernel/response/respond.h"

/* Values that a world keeps for each body. */
typedef struct carom_pair_values {
    uint64_t user;
    uint32_t category;
    uint32_t mask;
} carom_pair_values;

typedef struct carom_pair_rules {
    const carom_filter *filter;      /* NULL: none */
    const carom_pair_values *values; /* a world's, for each body; NULL: the filter's */
    carom_pair_restitution *pair;    /* the caller's function; NULL: none */
    void *pair_user;                 /* its first argument */
    bool lists_ascend;               /* the filter's exclusion lists, all of them */
} carom_pair_rules;

/* Checks the exclusion lists of the filter, if it has any, for `count` bodies. Errors: BODY. */
carom_status carom_pair_rules_check(carom_pair_rules *rules, uint64_t count, carom_error *error);

/* Whether two bodies can collide. */
bool carom_pair_rules_collide(void *rules, uint32_t i, uint32_t k);

/* The same as functions for kernel/impacts; NULL where the rules leave all as it is. */
carom_response_pairs carom_pair_rules_functions(carom_pair_rules *rules);

#endif
