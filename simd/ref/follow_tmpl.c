/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: moves bodies as place_tmpl.c does. A body has escaped unless its swept box lies in its fat box on every
 * axis, its numbers are finite, and its radius is not negative. */
#include <stdbool.h>

#include "simd/check.h"
#include "simd/declare.h"
#include "simd/layout.h"
#include "simd/ref/box.h"

#define carom_follow_twin CAROM_TWIN(follow)
#define carom_place_twin CAROM_TWIN(place)

/* Whether body n is valid and its box inside its fat box. x - x is 0 for finite x only. */
static bool is_kept(const carom_bodies *bodies, uint64_t n, const carom_fat_box_set *fat_boxes) {
    const carom_record body = carom_layout_body(bodies, n);
    carom_real radius = body.radius;
    bool kept = radius - radius == 0 && !(radius < 0);
    for (int a = 0; a < 3; a++) {
        carom_real prev = body.prev[a];
        carom_real curr = body.curr[a];
        interval box = swept_interval(prev, curr, radius, fat_boxes->centre[a]);
        kept = kept && prev - prev == 0 && curr - curr == 0;
        kept = kept && fat_boxes->lo[a][n] <= box.lo && box.hi <= fat_boxes->hi[a][n];
    }
    return kept;
}

void carom_follow_twin(const carom_follow_in *in, carom_follow_out *out) {
    CAROM_ASSERT(carom_check_follow(in));
    CAROM_ASSERT(in->begin == in->end || (out->records != NULL && out->escaped != NULL));
    const carom_place_in moved = {in->bodies, in->begin, in->end, in->end, in->slot, in->past_cache};
    carom_place_twin(&moved, out->records);
    out->escaped_count = 0;
    for (uint64_t n = in->begin; n < in->end; n++) {
        if (!is_kept(in->bodies, n, in->fat_boxes)) {
            out->escaped[out->escaped_count++] = (uint32_t)n;
        }
    }
}
