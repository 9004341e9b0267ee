/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: the lists of visits of oversized bodies to cells. Out: NULL, or what is wrong with them. O(visits). */
#include <stdbool.h>

#include "kernel/broad/oversized.h"

/* One cell's visits: bodies in ascending order, each at most once. Adds the bodies that are at home in the cell. */
static const char *check_visits(const carom_plan *plan, const carom_oversized *oversized, uint32_t cell,
                                uint64_t *at_home) {
    for (uint32_t n = oversized->start[cell]; n < oversized->start[cell + 1]; n++) {
        uint32_t number = oversized->visit[n] & CAROM_VISIT_NUMBER;
        uint32_t earlier = oversized->visit[n] >> CAROM_VISIT_SHIFT;
        if (number >= oversized->count) {
            return "a visit is of no oversized body";
        }
        if (n > oversized->start[cell] && number <= (oversized->visit[n - 1] & CAROM_VISIT_NUMBER)) {
            return "the visits to a cell are not in the order of the bodies";
        }
        if (earlier >> plan->bits != 0) {
            return "a visit has an `earlier` bit of an axis that is not split";
        }
        *at_home += earlier == 0;
    }
    return NULL;
}

const char *carom_oversized_validate(const carom_plan *plan, const carom_oversized *oversized) {
    uint64_t at_home = 0;
    if (oversized->start[0] != 0) {
        return "the visits to the first cell do not come first";
    }
    for (uint32_t c = 0; c < plan->cell_count; c++) {
        if (oversized->start[c] > oversized->start[c + 1]) {
            return "the visits to a cell end before they begin";
        }
        const char *reason = check_visits(plan, oversized, c, &at_home);
        if (reason != NULL) {
            return reason;
        }
    }
    for (uint32_t n = 0; n < oversized->count; n++) {
        if (!(oversized->low[n] == oversized->low[n])) {
            return "the low corner of an oversized body is NaN";
        }
    }
    return at_home != oversized->count ? "an oversized body is at home in no cell, or in several" : NULL;
}
