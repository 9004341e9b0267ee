/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: hulls and rows of a step before, prospects, bodies at the start of this step. Out: the impacts that these have in
 * it, if nothing else happens.
 *
 * A pair is a prospect if its paths, as they were when it was looked at, may meet before the hulls end. Where bodies go
 * on as they were, all that may collide are prospects, but for pairs of a body that has had an impact since, crossed a
 * face or got another hull: of these each step takes the rows. Elsewhere it takes all rows. */
#include "kernel/impacts/predictor.h"
#include "kernel/impacts/reuse.h"

/* Slots that begin a worker's share: a word of bits. */
enum { GRAIN = 64 };

enum { BLOCK = CAROM_PREDICTOR_BLOCK };

/* Pairs out of rows, for the kernel. */
typedef struct batch {
    uint32_t count;
    uint32_t a[BLOCK];
    uint32_t b[BLOCK];
} batch;

static void finish_batch(const carom_predictor *p, batch *q) {
    carom_predictor_block(p, q->a, q->b, q->count);
    q->count = 0;
}

static inline __attribute__((always_inline)) void take_body(batch *q, uint32_t slot, uint32_t other, bool counts) {
    q->a[q->count] = slot;
    q->b[q->count] = other;
    q->count += counts ? 1 : 0;
}

static void take_entry(const carom_predictor *p, batch *q, uint32_t slot, const carom_row_walk *row, bool counts) {
    if (carom_impacts_is_surface(row->other)) {
        carom_predictor_surface(p, slot, row->other);
        return;
    }
    if (row->image != CAROM_IMAGE_SELF) {
        const carom_contact_pair pair = {slot, row->other, row->image};
        if (counts) {
            carom_predictor_image(p, &pair);
        }
        return;
    }
    if (q->count == BLOCK) {
        finish_batch(p, q);
    }
    take_body(q, slot, row->other, counts);
}

/* A pair of bodies is in two rows, and counts in that of the lower slot. The first CAROM_ROW_PAD entries of a row are
 * taken without branches: how many there are cannot be foreseen. */
static void take_row(const carom_predictor *p, batch *q, uint32_t slot) {
    const carom_impacts_rows *rows = &p->search->rows;
    carom_row_walk row = carom_row_begin(rows, slot);
    if (p->window->bodies->surfaces == 0 && rows->image == NULL) {
        if (q->count > BLOCK - CAROM_ROW_PAD) {
            finish_batch(p, q);
        }
        for (uint64_t n = 0; n < CAROM_ROW_PAD; n++) {
            const uint32_t other = rows->other[row.at + n];
            take_body(q, slot, other, (row.at + n < row.end) & (other > slot));
        }
        row.at += CAROM_ROW_PAD;
    }
    while (carom_row_next(rows, &row)) {
        take_entry(p, q, slot, &row, row.other > slot);
    }
}

static void predict_rows(const carom_predictor *p, uint32_t worker, batch *q) {
    carom_walk walk = carom_team_walk(p->team, worker, p->window->bodies->count, GRAIN);
    p->own->prospects.pair.count = 0;
    p->own->prospects.lost = false;
    while (carom_walk_next(&walk)) {
        for (uint64_t slot = walk.begin; slot < walk.end; slot++) {
            take_row(p, q, (uint32_t)slot);
        }
    }
}

static bool has_changed(const carom_predictor *p, uint32_t other) {
    return !carom_impacts_is_surface(other) && carom_reuse_has_changed(&p->search->reuse, other);
}

/* Drops prospects of bodies that have changed. The others are predicted. */
static void predict_prospects(const carom_predictor *p) {
    carom_contact_pair *pair = p->own->prospects.pair.buffer.data;
    uint64_t kept = 0;
    for (uint64_t n = 0; n < p->own->prospects.pair.count; n++) {
        const carom_contact_pair each = pair[n];
        pair[kept] = each;
        kept += has_changed(p, each.a) || has_changed(p, each.other) ? 0 : 1;
    }
    p->own->prospects.pair.count = kept;
    carom_predictor step = *p;
    batch q;
    step.keeps = false; /* they are prospects already */
    q.count = 0;
    for (uint64_t n = 0; n < kept; n++) {
        const carom_row_walk entry = {.other = pair[n].other, .image = pair[n].image};
        take_entry(&step, &q, pair[n].a, &entry, true);
    }
    finish_batch(&step, &q);
}

/* A pair of two that have changed counts in the row of the lower slot. */
static void predict_changed(const carom_predictor *p, batch *q) {
    const carom_impacts_rows *rows = &p->search->rows;
    const uint32_t *slot = p->own->prospects.changed.buffer.data;
    for (uint64_t n = 0; n < p->own->prospects.changed.count; n++) {
        carom_row_walk row = carom_row_begin(rows, slot[n]);
        while (carom_row_next(rows, &row)) {
            take_entry(p, q, slot[n], &row, row.other > slot[n] || !has_changed(p, row.other));
        }
    }
}

static void predict_task(void *data, uint32_t worker) {
    carom_predictor p = *(const carom_predictor *)data;
    batch q;
    q.count = 0;
    p.own = &p.window->worker[worker];
    p.own->pending.count = p.own->aside.count = 0;
    if (p.search->reuse.prospects) {
        predict_prospects(&p);
        predict_changed(&p, &q);
    } else {
        predict_rows(&p, worker, &q);
    }
    finish_batch(&p, &q);
}

void carom_reuse_predict(const carom_search *search, const carom_team *team, carom_window *window) {
    carom_predictor p = {
        .search = search, .team = team, .window = window, .keeps = carom_predictor_keeps(search, window)};
    carom_team_run_over(team, window->bodies->count, predict_task, &p);
}
