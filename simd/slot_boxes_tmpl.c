/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Consecutive records come in; their boxes go out, the corners of each side by side in memory: boxes of pairs lie
 * anywhere, and a test of two then takes four loads from two places. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/real.h"

#define carom_slot_boxes CAROM_KERNEL(slot_boxes)
#define carom_slot_boxes_twin CAROM_TWIN(slot_boxes)

void carom_slot_boxes(const carom_record *records, uint64_t begin, uint64_t end, const double centre[3],
                      carom_slot_box *boxes) {
    CAROM_ASSERT(carom_check_records(records, begin, end));
    CAROM_ASSERT(carom_check_point(centre));
    uint64_t n = begin;
    for (; n + CAROM_LANES <= end; n += CAROM_LANES) {
        vr field[7];
        vf column[8];
        vr_rows(records + n, carom_lane_numbers, field);
        for (int a = 0; a < 3; a++) {
            vr_box(field[a], field[4 + a], field[3], centre[a], &column[a], &column[4 + a]);
        }
        column[3] = vf_set1(0.0F); /* the fourth float of each corner */
        column[7] = column[3];
        vf_store_rows(boxes[n].lo, column);
    }
    carom_slot_boxes_twin(records, n, end, centre, boxes);
}
