/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a filter, a world's categories and masks, the caller's function. Out: yes or no, and a restitution. */
#include "kernel/world/pair_rules.h"

#include <inttypes.h>

#include "kernel/store/exclusion_list.h"
#include "kernel/sys/error.h"

/* The first member of a body's list that is no body, or the list's end. */
static uint64_t find_stranger(carom_pair_rules *rules, uint64_t body, uint64_t count) {
    const carom_filter *filter = rules->filter;
    const uint64_t begin = filter->exclusion_offset[body];
    const uint64_t end = filter->exclusion_offset[body + 1];
    uint64_t n = begin;
    while (n < end && filter->excluded[n] < count) {
        rules->lists_ascend = rules->lists_ascend && (n == begin || filter->excluded[n] >= filter->excluded[n - 1]);
        n++;
    }
    return n;
}

static carom_status check_offsets(const carom_filter *filter, uint64_t count, carom_error *error) {
    const uint64_t *offset = filter->exclusion_offset;
    for (uint64_t body = 0; body < count; body++) {
        if (offset[body] > offset[body + 1]) {
            return carom_error_body(error, body, "exclusion_offset",
                                    "body %" PRIu64 ": exclusion_offset is %" PRIu64 ", and then %" PRIu64, body,
                                    offset[body], offset[body + 1]);
        }
    }
    return filter->excluded != NULL || count == 0 || offset[0] == offset[count]
               ? CAROM_OK
               : carom_error_set(error, CAROM_ERROR_ARGUMENT,
                                 "filter.excluded is NULL, but some exclusion list has entries");
}

carom_status carom_pair_rules_check(carom_pair_rules *rules, uint64_t count, carom_error *error) {
    const carom_filter *filter = rules->filter;
    if (filter == NULL || filter->exclusion_offset == NULL) {
        return CAROM_OK;
    }
    const carom_status status = check_offsets(filter, count, error);
    rules->lists_ascend = true;
    for (uint64_t body = 0; body < count && status == CAROM_OK; body++) {
        const uint64_t n = find_stranger(rules, body, count);
        if (n < filter->exclusion_offset[body + 1]) {
            return carom_error_body(error, body, "excluded",
                                    "body %" PRIu64 ": excluded names body %" PRIu32 " of %" PRIu64, body,
                                    filter->excluded[n], count);
        }
    }
    return status;
}

static bool meet(uint32_t category_i, uint32_t mask_i, uint32_t category_k, uint32_t mask_k) {
    return (category_i & mask_k) != 0 && (category_k & mask_i) != 0;
}

static uint32_t value_of(const uint32_t *values, uint32_t body, uint32_t otherwise) {
    return values != NULL ? values[body] : otherwise;
}

static bool passes_values(const carom_filter *filter, uint32_t i, uint32_t k) {
    const uint32_t group = value_of(filter->group, i, 0);
    const bool fixed = filter->fixed != NULL && filter->fixed[i] != 0 && filter->fixed[k] != 0;
    return meet(value_of(filter->category, i, 1), value_of(filter->mask, i, UINT32_MAX),
                value_of(filter->category, k, 1), value_of(filter->mask, k, UINT32_MAX)) &&
           (group == 0 || group != value_of(filter->group, k, 0)) && !fixed;
}

static bool passes_filter(const carom_pair_rules *rules, uint32_t i, uint32_t k) {
    const carom_filter *filter = rules->filter;
    return passes_values(filter, i, k) &&
           (filter->exclusion_offset == NULL || (!carom_exclusion_list_has(filter, rules->lists_ascend, i, k) &&
                                                 !carom_exclusion_list_has(filter, rules->lists_ascend, k, i))) &&
           (filter->accepts == NULL || filter->accepts(filter->user, i, k));
}

/* A world's bodies have names of their own for the caller. */
static double ask(const carom_pair_rules *rules, uint32_t i, uint32_t k) {
    const carom_pair_values *values = rules->values;
    return rules->pair(rules->pair_user, values != NULL ? values[i].user : i, values != NULL ? values[k].user : k);
}

bool carom_pair_rules_collide(void *data, uint32_t i, uint32_t k) {
    const carom_pair_rules *rules = data;
    const carom_pair_values *values = rules->values;
    return (values == NULL || meet(values[i].category, values[i].mask, values[k].category, values[k].mask)) &&
           (rules->filter == NULL || passes_filter(rules, i, k)) && (rules->pair == NULL || ask(rules, i, k) >= 0.0);
}

/* More than 1 would make energy of nothing. */
static double restitution_of(void *data, uint32_t i, uint32_t k) {
    const double restitution = ask(data, i, k);
    return restitution < 1.0 ? restitution : 1.0;
}

carom_response_pairs carom_pair_rules_functions(carom_pair_rules *rules) {
    const bool all = rules->filter == NULL && rules->values == NULL && rules->pair == NULL;
    return (carom_response_pairs){.user = rules,
                                  .collide = all ? NULL : carom_pair_rules_collide,
                                  .restitution = rules->pair != NULL ? restitution_of : NULL};
}
