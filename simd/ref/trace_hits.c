/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: candidate by candidate. */
#include "simd/check.h"
#include "simd/declare.h"

#define carom_trace_hits_twin CAROM_TWIN_OF(trace_hits)

/* Whether the trace of one has the bits of the other. */
static bool has(const carom_trace_columns *of, uint32_t one, uint32_t other) {
    return (of->trace[0][one] & of->bit[0][other]) != 0 && (of->trace[1][one] & of->bit[1][other]) != 0;
}

uint32_t carom_trace_hits_twin(const carom_trace_columns *columns, uint32_t own, uint32_t count, const uint16_t *bits,
                               uint32_t *number) {
    uint32_t found = 0;
    CAROM_ASSERT(own < count);
    for (uint32_t n = 0; n < count; n++) {
        if ((bits[n / 16] >> n % 16 & 1) != 0 && (has(columns, own, n) || has(columns, n, own))) {
            number[found++] = n;
        }
    }
    return found;
}
