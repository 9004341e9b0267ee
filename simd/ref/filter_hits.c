/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: candidate by candidate. */
#include "simd/check.h"
#include "simd/declare.h"

#define carom_filter_hits_twin CAROM_TWIN_OF(filter_hits)

static bool passes(const carom_filter_columns *of, uint32_t i, uint32_t k) {
    const bool meet =
        of->category == NULL || ((of->category[i] & of->mask[k]) != 0 && (of->category[k] & of->mask[i]) != 0);
    const bool grouped = of->group != NULL && of->group[i] != 0 && of->group[i] == of->group[k];
    const bool apart = of->apart != NULL && (of->apart[i] & of->apart[k]) != 0;
    return meet && !grouped && !apart;
}

uint32_t carom_filter_hits_twin(const carom_filter_columns *columns, uint32_t own, uint32_t count, uint16_t *bits) {
    uint32_t left = 0;
    CAROM_ASSERT(own < count && (columns->category == NULL) == (columns->mask == NULL));
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t bit = 1U << n % 16;
        if ((bits[n / 16] & bit) != 0) {
            if (passes(columns, own, n)) {
                left++;
            } else {
                bits[n / 16] = (uint16_t)(bits[n / 16] & ~bit);
            }
        }
    }
    return left;
}
