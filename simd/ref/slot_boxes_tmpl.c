/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: the boxes of fat_boxes_tmpl.c, of records. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/ref/box.h"

#define carom_slot_boxes_twin CAROM_TWIN(slot_boxes)

void carom_slot_boxes_twin(const carom_record *records, uint64_t begin, uint64_t end, const double centre[3],
                           carom_slot_box *boxes) {
    CAROM_ASSERT(carom_check_records(records, begin, end));
    CAROM_ASSERT(carom_check_point(centre));
    for (uint64_t n = begin; n < end; n++) {
        boxes[n] = (carom_slot_box){.lo = {0}};
        for (int a = 0; a < 3; a++) {
            interval box = swept_interval(records[n].prev[a], records[n].curr[a], records[n].radius, centre[a]);
            boxes[n].lo[a] = box.lo;
            boxes[n].hi[a] = box.hi;
        }
    }
}
