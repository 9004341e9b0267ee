/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: bit n of `overlapping` says that the swept boxes of pair n overlap. Bit n of `touching` says that its
 * spheres also touch in the step, as touch_tmpl.c decides. */
#include <string.h>

#include "simd/check.h"
#include "simd/declare.h"
#include "simd/ref/approach.h"
#include "simd/ref/box.h"

#define carom_recheck_twin CAROM_TWIN(recheck)

static bool boxes_overlap(const carom_record *i, const carom_record *k, const double centre[3]) {
    bool overlap = true;
    for (int a = 0; a < 3; a++) {
        interval x = swept_interval(i->prev[a], i->curr[a], i->radius, centre[a]);
        interval y = swept_interval(k->prev[a], k->curr[a], k->radius, centre[a]);
        overlap = overlap && x.lo <= y.hi && y.lo <= x.hi;
    }
    return overlap;
}

void carom_recheck_twin(const carom_recheck_in *in, carom_recheck_out *out) {
    CAROM_ASSERT(carom_check_recheck(in));
    CAROM_ASSERT(carom_check_recheck_out(in, out));
    carom_recheck_counts found = {0, 0};
    memset(out->overlapping, 0, (in->count + 7) / 8);
    memset(out->touching, 0, (in->count + 7) / 8);
    for (uint32_t n = 0; n < in->count; n++) {
        const carom_record *i = &in->records[in->slot_i[n]];
        const carom_record *k = &in->records[in->slot_k[n]];
        if (!boxes_overlap(i, k, in->centre)) {
            continue;
        }
        approach x = approach_of(i, k);
        found.overlapping++;
        out->overlapping[n / 8] |= (uint8_t)(1U << n % 8);
        if (approach_touches(&x, i, k)) {
            out->touching[n / 8] |= (uint8_t)(1U << n % 8);
            out->slot_i[found.touching] = in->slot_i[n];
            out->slot_k[found.touching] = in->slot_k[n];
            found.touching++;
        }
    }
    out->counts = found;
}
