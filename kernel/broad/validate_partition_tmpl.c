/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: bodies, their plan and what the partition made of them. Out: NULL, or what is wrong with it. Codes are computed
 * afresh from boxes and the plan's integers, not by the kernel that the partition used. O(bodies). */
#include "kernel/broad/partition_tmpl.h"
#include "simd/layout.h"

/* Bodies whose boxes are made at a time. */
enum { BATCH = 64 };

typedef struct batch {
    carom_real field[7][BATCH]; /* prev, curr, radius: the bodies may have any layout */
    float side[6][BATCH + CAROM_SIMD_PAD];
    float *lo[3];
    float *hi[3];
} batch;

static const char *check_starts(const carom_plan *plan, uint64_t count, const uint32_t *start) {
    if (start[0] != 0 || start[plan->code_count] != count) {
        return "the first code does not begin at record 0, or the last does not end at the last record";
    }
    for (uint32_t c = 0; c < plan->code_count; c++) {
        if (start[c] > start[c + 1]) {
            return "the records of a code end before they begin";
        }
    }
    return NULL;
}

/* Within a code bodies ascend. With a slot for each body and a body for each slot that is one order only. */
static const char *check_order(const carom_plan *plan, const uint32_t *start, const carom_record *records) {
    for (uint32_t c = 0; c < plan->code_count; c++) {
        for (uint64_t slot = (uint64_t)start[c] + 1; slot < start[c + 1]; slot++) {
            if (records[slot].body <= records[slot - 1].body) {
                return "the records of a code are not in the order of their bodies";
            }
        }
    }
    return NULL;
}

static bool same_values(const carom_bodies *bodies, uint64_t body, const carom_record *record) {
    const carom_record own = carom_layout_body(bodies, body);
    bool same = record->radius == own.radius;
    for (int a = 0; a < 3; a++) {
        same = same && record->prev[a] == own.prev[a] && record->curr[a] == own.curr[a];
    }
    return same;
}

static uint32_t code_of(const carom_plan *plan, const batch *boxes, uint64_t n) {
    uint32_t cell = 0;
    uint32_t straddle = 0;
    for (uint32_t a = 0; a < 3; a++) {
        const float lo = boxes->lo[a][n];
        const float hi = boxes->hi[a][n];
        if (plan->grid.columns[a] > 1 && !(hi - lo <= plan->grid.wide[a])) {
            return plan->wide_code;
        }
        if (plan->grid.columns[a] > 1) {
            const uint32_t column = carom_plan_column(plan, a, lo);
            cell += column * plan->stride[a];
            straddle |= carom_plan_column(plan, a, hi) > column ? plan->bit[a] : 0;
        }
    }
    return cell << plan->bits | straddle;
}

/* Cells look for borrowed bodies in the cell next to them and no farther, so only oversized bodies may reach past it.
 */
static bool reaches_far(const carom_plan *plan, const batch *boxes, uint64_t n) {
    bool far = false;
    for (uint32_t a = 0; a < 3; a++) {
        far = far || (plan->grid.columns[a] > 1 &&
                      carom_plan_column(plan, a, boxes->hi[a][n]) > carom_plan_column(plan, a, boxes->lo[a][n]) + 1);
    }
    return far;
}

/* Each body is where its slot says, with its values, among the records of its code. */
static const char *check_body(const carom_partition *made, const batch *boxes, uint64_t body, uint64_t in_batch) {
    const uint32_t slot = made->slot[body];
    if (slot >= made->bodies->count || made->records[slot].body != body) {
        return "a body is not at its slot";
    }
    if (!same_values(made->bodies, body, &made->records[slot])) {
        return "a record does not have the values of its body";
    }
    const uint32_t code = code_of(made->plan, boxes, in_batch);
    if (slot < made->start[code] || slot >= made->start[code + 1]) {
        return "a body is in another cell than its box";
    }
    return code != made->plan->wide_code && reaches_far(made->plan, boxes, in_batch)
               ? "a body that is not oversized reaches past the next cell"
               : NULL;
}

static void copy_bodies(const carom_bodies *bodies, uint64_t begin, uint64_t count, batch *to) {
    for (uint64_t n = 0; n < count; n++) {
        const carom_record body = carom_layout_body(bodies, begin + n);
        for (int a = 0; a < 3; a++) {
            to->field[a][n] = body.prev[a];
            to->field[a + 3][n] = body.curr[a];
        }
        to->field[6][n] = body.radius;
    }
}

static const char *check_bodies(const carom_partition *made) {
    batch boxes;
    const char *reason = NULL;
    for (int a = 0; a < 3; a++) {
        boxes.lo[a] = boxes.side[a];
        boxes.hi[a] = boxes.side[a + 3];
    }
    for (uint64_t begin = 0; begin < made->bodies->count && reason == NULL; begin += BATCH) {
        const uint64_t left = made->bodies->count - begin;
        carom_bodies some = {.count = left < BATCH ? left : BATCH, .radius = boxes.field[6]};
        for (int a = 0; a < 3; a++) {
            some.prev[a] = boxes.field[a];
            some.curr[a] = boxes.field[a + 3];
        }
        copy_bodies(made->bodies, begin, some.count, &boxes);
        carom_kernels_of(made->simd)->fat_boxes(&some, 0, some.count, made->plan->grid.centre, boxes.lo, boxes.hi);
        for (uint64_t n = 0; n < some.count && reason == NULL; n++) {
            reason = check_body(made, &boxes, begin + n, n);
        }
    }
    return reason;
}

const char *carom_partition_validate(const carom_partition *made) {
    const char *reason = check_starts(made->plan, made->bodies->count, made->start);
    reason = reason == NULL ? check_bodies(made) : reason;
    return reason == NULL ? check_order(made->plan, made->start, made->records) : reason;
}
