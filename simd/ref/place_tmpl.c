/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: records[slot[n]] becomes body n. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/layout.h"

#define carom_place_twin CAROM_TWIN(place)

void carom_place_twin(const carom_place_in *in, carom_record *records) {
    CAROM_ASSERT(carom_check_place(in));
    CAROM_ASSERT(in->begin == in->end || records != NULL);
    const carom_bodies *bodies = in->bodies;
    for (uint64_t n = in->begin; n < in->end; n++) {
        records[in->slot[n]] = carom_layout_body(bodies, n);
    }
}
