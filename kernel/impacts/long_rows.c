/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: rows and hulls. Out: long rows, in which those entries come first that may be touched. */
#include "kernel/impacts/long_rows.h"

#include <math.h>

#include "kernel/check/assert.h"

/* Rounding of a predicted impact: relative to squares of reaches, and to squares of the lengths of hulls. Both are far
 * more than doubles need; the hulls hold the rounding of places. */
static const double REACH_ROUNDING = 0x1p-20;
static const double LENGTH_ROUNDING = 0x1p-40;

/* What orders rows. */
typedef struct order {
    const carom_impacts_rows *rows;
    const carom_impacts_bodies *bodies;
    const carom_hulls *hulls;
    const uint64_t *escaped; /* a bit for each slot, of bodies that have left their hulls; NULL: all rows are ordered */
    _Atomic uint64_t next;   /* of the rows to be ordered */
} order;

/* Whether two bodies may touch while each stays in its hull: whether the boxes that hold their centres come as near as
 * the sum of their radii. */
static bool may_touch(const order *o, uint32_t a, uint32_t b) {
    const double reach = o->bodies->body[a].radius + o->bodies->body[b].radius;
    const carom_box p = carom_box_of(&o->hulls->box[a]);
    const carom_box q = carom_box_of(&o->hulls->box[b]);
    double square = 0.0;
    double length = 0.0;
    for (int d = 0; d < 3; d++) {
        const double apart = fmax((double)p.lo[d] - (double)q.hi[d], (double)q.lo[d] - (double)p.hi[d]) + reach;
        square += apart > 0.0 ? apart * apart : 0.0;
        length += ((double)p.hi[d] - (double)p.lo[d]) + ((double)q.hi[d] - (double)q.lo[d]);
    }
    return !(square > reach * reach * (1.0 + REACH_ROUNDING) + LENGTH_ROUNDING * length * length);
}

/* Whether two bodies may touch, one of them at the image that an entry has. Those at other images than themselves count
 * as if they may. */
static bool may_touch_at(const order *o, uint32_t slot, uint64_t at) {
    return (o->rows->image != NULL && o->rows->image[at] != CAROM_IMAGE_SELF) || may_touch(o, slot, o->rows->other[at]);
}

/* Surfaces are left where they may be touched. */
static bool is_near(const order *o, uint32_t slot, uint64_t at) {
    return carom_impacts_is_surface(o->rows->other[at]) || may_touch_at(o, slot, at);
}

static void swap(const carom_impacts_rows *rows, uint64_t a, uint64_t b) {
    const uint32_t other = rows->other[a];
    rows->other[a] = rows->other[b];
    rows->other[b] = other;
    if (rows->image != NULL) {
        const uint16_t image = rows->image[a];
        rows->image[a] = rows->image[b];
        rows->image[b] = image;
    }
}

/* Entries ahead whose hulls are fetched. */
enum { AHEAD = 16 };

static inline __attribute__((always_inline)) void fetch(const order *o, uint32_t other) {
    const uint32_t slot = carom_impacts_is_surface(other) ? 0 : other;
    __builtin_prefetch(&o->hulls->box[slot]);
    __builtin_prefetch(&o->bodies->body[slot]);
}

/* Surfaces, which come first in a row, stay there: each entry is exchanged for one that is not near. */
static void order_row(const order *o, carom_long_row *row) {
    const uint64_t begin = o->rows->head[row->slot].start;
    uint64_t near = begin;
    const uint64_t end = carom_row_end(o->rows, row->slot);
    for (uint64_t at = begin; at < end; at++) {
        fetch(o, o->rows->other[at + AHEAD < end ? at + AHEAD : at]);
        if (is_near(o, row->slot, at)) {
            swap(o->rows, near++, at);
        }
    }
    row->near = (uint32_t)(near - begin);
}

static void order_task(void *data, uint32_t worker) {
    order *o = data;
    carom_long_row *row = o->rows->longs.buffer.data;
    (void)worker;
    for (uint64_t n = carom_team_claim(&o->next); n < o->rows->longs.count; n = carom_team_claim(&o->next)) {
        order_row(o, &row[n]);
    }
}

void carom_long_rows_order(const carom_impacts_rows *rows, const carom_team *team, const carom_impacts_bodies *bodies,
                           const carom_hulls *hulls) {
    order o = {.rows = rows, .bodies = bodies, .hulls = hulls};
    if (rows->longs.count > 0) {
        carom_team_run_over(team, rows->longs.count * CAROM_ROW_LONG, order_task, &o);
    }
}

/* The entry of a long row. */
static carom_long_row *long_row(const carom_impacts_rows *rows, uint32_t slot) {
    carom_long_row *row = rows->longs.buffer.data;
    uint64_t begin = 0;
    for (uint64_t count = rows->longs.count; count > 1;) {
        const uint64_t half = count / 2;
        begin += row[begin + half].slot <= slot ? half : 0;
        count -= half;
    }
    CAROM_ASSERT(rows->longs.count > 0 && row[begin].slot == slot);
    return &row[begin];
}

uint64_t carom_long_rows_end(const carom_impacts_rows *rows, uint32_t slot) {
    return carom_row_is_long(rows, slot) ? rows->head[slot].start + long_row(rows, slot)->near
                                         : carom_row_end(rows, slot);
}

carom_row_walk carom_long_rows_begin(const carom_impacts_rows *rows, uint32_t slot) {
    carom_row_walk row = carom_row_begin(rows, slot);
    row.end = carom_long_rows_end(rows, slot);
    return row;
}

uint64_t carom_long_rows_count(const carom_impacts_rows *rows, uint32_t slot) {
    carom_row_walk row = carom_long_rows_begin(rows, slot);
    uint64_t count = row.end - row.at;
    row.at = row.end;
    while (carom_row_next(rows, &row)) {
        count++;
    }
    return count;
}

static bool has_escaped(const order *o, uint32_t slot) {
    return (o->escaped[slot / 64] >> slot % 64 & 1) != 0;
}

/* Brings bodies to the front that have escaped and may be touched. Surfaces are there. */
static void gather_escaped(const order *o, carom_long_row *row) {
    const uint64_t begin = o->rows->head[row->slot].start;
    for (uint64_t at = begin + row->near; at < carom_row_end(o->rows, row->slot); at++) {
        if (has_escaped(o, o->rows->other[at]) && may_touch_at(o, row->slot, at)) {
            swap(o->rows, begin + row->near++, at);
        }
    }
}

/* Notes that there is work for a row, once. */
static bool note(carom_impacts_rows *rows, carom_memory *memory, uint32_t slot, carom_long_row_work work) {
    carom_long_row *row = long_row(rows, slot);
    if (row->work == CAROM_LONG_ROW_KEEP && !carom_list_append(memory, &rows->noted, &row, sizeof row)) {
        return false;
    }
    row->work = work > row->work ? work : row->work;
    return true;
}

bool carom_long_rows_note(carom_impacts_rows *rows, carom_memory *memory, const carom_impacts_bodies *bodies,
                          const carom_hulls *hulls, uint32_t slot) {
    const order o = {.rows = rows, .bodies = bodies, .hulls = hulls};
    if (rows->longs.count == 0) {
        return true;
    }
    bool done = !carom_row_is_long(rows, slot) || note(rows, memory, slot, CAROM_LONG_ROW_ORDER);
    for (uint64_t at = rows->head[slot].start; done && at < carom_row_end(rows, slot); at++) {
        const uint32_t other = rows->other[at];
        if (!carom_impacts_is_surface(other) && carom_row_is_long(rows, other) && may_touch_at(&o, slot, at)) {
            done = note(rows, memory, other, CAROM_LONG_ROW_GATHER);
        }
    }
    return done;
}

static void renew_task(void *data, uint32_t worker) {
    order *o = data;
    carom_long_row *const *noted = o->rows->noted.buffer.data;
    (void)worker;
    for (uint64_t n = carom_team_claim(&o->next); n < o->rows->noted.count; n = carom_team_claim(&o->next)) {
        if (noted[n]->work == CAROM_LONG_ROW_ORDER) {
            order_row(o, noted[n]);
        } else {
            gather_escaped(o, noted[n]);
        }
        noted[n]->work = CAROM_LONG_ROW_KEEP;
    }
}

void carom_long_rows_renew(carom_impacts_rows *rows, const carom_team *team, const carom_impacts_bodies *bodies,
                           const carom_hulls *hulls, const uint64_t *escaped) {
    order o = {.rows = rows, .bodies = bodies, .hulls = hulls, .escaped = escaped};
    carom_long_row *const *noted = rows->noted.buffer.data;
    uint64_t entries = 0;
    for (uint64_t n = 0; n < rows->noted.count; n++) {
        entries += carom_row_length(rows, noted[n]->slot);
    }
    if (rows->noted.count > 0) {
        carom_team_run_over(team, entries, renew_task, &o);
    }
    rows->noted.count = 0;
}
