/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/support/cell_queue.h"

#include <math.h>
#include <stdlib.h>

#include "kernel/response/respond.h"
#include "tests/support/event_cells.h"
#include "tests/support/event_heap.h"
#include "tests/support/event_queue.h"

struct cell_queue {
    carom_response_rules rules;
    carom_response_body *body;
    carom_piece *piece;
    double (*kept)[3];
    uint32_t *visit; /* of each body, the last search that came upon it */
    uint32_t visits; /* searches so far */
    uint32_t count;
    uint32_t room;
    uint64_t impacts; /* of the last step */
    event_cells cells;
    event_heap heap;
    void (*on_event)(void *user, const queue_event *event);
    void *user;
};

/* Edge of a cell over the mean width of the boxes of paths: of 0.75 to 3 the best for the scenes u and d together. */
static const double EDGE_OVER_WIDTH = 1.0;

/* Boxes are this much wider on each side, as a share of the largest coordinate: rounding never hides an impact. */
static const double ROUNDING = 0x1p-40;

static void *array(void *old, size_t count, size_t size) {
    free(old);
    void *memory = calloc(count + 1, size);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

cell_queue *cell_queue_create(void) {
    cell_queue *q = array(NULL, 1, sizeof *q);
    q->rules = (carom_response_rules){.budget = carom_step_config_default().budget};
    return q;
}

void cell_queue_listen(cell_queue *q, void (*on_event)(void *user, const queue_event *event), void *user) {
    q->on_event = on_event;
    q->user = user;
}

uint64_t cell_queue_impacts(const cell_queue *q) {
    return q->impacts;
}

static void reserve(cell_queue *q, uint32_t count) {
    q->count = count;
    if (count > q->room || q->body == NULL) {
        q->room = count;
        q->body = array(q->body, count, sizeof *q->body);
        q->piece = array(q->piece, count, sizeof *q->piece);
        q->kept = array(q->kept, count, sizeof *q->kept);
        q->visit = array(q->visit, count, sizeof *q->visit);
        q->visits = 0;
    }
}

static void read_bodies(cell_queue *q, const carom_motion_f64 *motion) {
    for (uint32_t n = 0; n < q->count; n++) {
        carom_piece piece = {.last = CAROM_PIECE_FRESH};
        for (int a = 0; a < 3; a++) {
            piece.x[a] = motion->position[a][n];
            piece.v[a] = motion->velocity[a][n];
        }
        q->piece[n] = piece;
        q->body[n] = (carom_response_body){motion->radius[n], 1.0, 1.0, -INFINITY};
    }
}

static void write_bodies(const cell_queue *q, const carom_motion_f64 *motion) {
    for (uint32_t n = 0; n < q->count; n++) {
        double x[3];
        carom_piece_at(&q->piece[n], 1.0, x);
        for (int a = 0; a < 3; a++) {
            motion->position[a][n] = x[a];
            motion->velocity[a][n] = q->piece[n].v[a];
        }
    }
}

/* The box of a body's path from its last impact to the end of the step. */
static void path_box(const cell_queue *q, uint32_t n, double lo[3], double hi[3]) {
    double end[3];
    carom_piece_at(&q->piece[n], 1.0, end);
    for (int a = 0; a < 3; a++) {
        const double x = q->piece[n].x[a];
        const double reach = q->body[n].radius + ROUNDING * fmax(fabs(x), fabs(end[a]));
        lo[a] = fmin(x, end[a]) - reach;
        hi[a] = fmax(x, end[a]) + reach;
    }
}

static cell_range path_range(const cell_queue *q, uint32_t n) {
    double lo[3];
    double hi[3];
    path_box(q, n, lo, hi);
    return event_cells_range(&q->cells, lo, hi);
}

static void file_bodies(cell_queue *q) {
    double least[3] = {INFINITY, INFINITY, INFINITY};
    double greatest[3] = {-INFINITY, -INFINITY, -INFINITY};
    double width = 0.0;
    for (uint32_t n = 0; n < q->count; n++) {
        double lo[3];
        double hi[3];
        path_box(q, n, lo, hi);
        for (int a = 0; a < 3; a++) {
            least[a] = fmin(least[a], lo[a]);
            greatest[a] = fmax(greatest[a], hi[a]);
            width += (hi[a] - lo[a]) / (3.0 * q->count);
        }
    }
    event_cells_begin(&q->cells, q->count, least, greatest, EDGE_OVER_WIDTH * width);
    for (uint32_t n = 0; n < q->count; n++) {
        event_cells_file(&q->cells, n, path_range(q, n));
    }
}

static carom_response_side side_of(cell_queue *q, uint32_t n) {
    return (carom_response_side){&q->body[n], &q->piece[n], q->kept[n], n};
}

static void predict(cell_queue *q, uint32_t a, uint32_t b) {
    const uint32_t i = a < b ? a : b;
    const uint32_t k = a < b ? b : a;
    const carom_response_side side = side_of(q, i);
    const carom_response_side other = side_of(q, k);
    const carom_pair_image here = {.code = CAROM_IMAGE_SELF};
    const double t = carom_response_predict_bodies(&q->rules, &side, &other, &here);
    if (t < 1.0) {
        event_heap_push(&q->heap, (heap_event){t, i, k, side.piece->count, other.piece->count});
    }
}

static void predict_cell(cell_queue *q, uint32_t n, size_t cell, uint32_t least) {
    for (uint32_t e = q->cells.first[cell]; e != CELLS_END; e = q->cells.entry[e].next) {
        const uint32_t other = q->cells.entry[e].body;
        if (other >= least && other != n && q->visit[other] != q->visits) {
            q->visit[other] = q->visits;
            predict(q, n, other);
        }
    }
}

/* Predicts all impacts of a body with bodies from `least` on. */
static void predict_all(cell_queue *q, uint32_t n, uint32_t least) {
    const cell_range range = path_range(q, n);
    q->visits++;
    for (int32_t z = range.lo[2]; z <= range.hi[2]; z++) {
        for (int32_t y = range.lo[1]; y <= range.hi[1]; y++) {
            for (int32_t x = range.lo[0]; x <= range.hi[0]; x++) {
                predict_cell(q, n, event_cells_index(&q->cells, x, y, z), least);
            }
        }
    }
}

static void collide(cell_queue *q, const heap_event *event) {
    const carom_response_side i = side_of(q, event->i);
    const carom_response_side k = side_of(q, event->k);
    const carom_pair_image here = {.code = CAROM_IMAGE_SELF};
    const queue_event happened = {.t = event->t,
                                  .i = event->i,
                                  .k = event->k,
                                  .image = CAROM_IMAGE_SELF,
                                  .impact = carom_respond_bodies(&q->rules, &i, &k, &here, event->t)};
    q->impacts++;
    if (q->on_event != NULL) {
        q->on_event(q->user, &happened);
    }
    event_cells_extend(&q->cells, event->i, path_range(q, event->i));
    event_cells_extend(&q->cells, event->k, path_range(q, event->k));
    predict_all(q, event->i, 0);
    predict_all(q, event->k, 0);
}

void cell_queue_step(cell_queue *q, const carom_motion_f64 *motion) {
    q->impacts = 0;
    if (motion->count == 0) {
        return;
    }
    reserve(q, (uint32_t)motion->count);
    read_bodies(q, motion);
    file_bodies(q);
    for (uint32_t n = 0; n < q->count; n++) {
        predict_all(q, n, n + 1);
    }
    while (q->heap.count > 0) {
        const heap_event event = event_heap_pop(&q->heap);
        if (q->piece[event.i].count == event.count_i && q->piece[event.k].count == event.count_k) {
            collide(q, &event);
        }
    }
    write_bodies(q, motion);
}

void cell_queue_destroy(cell_queue *q) {
    free(q->body);
    free(q->piece);
    free(q->kept);
    free(q->visit);
    event_cells_release(&q->cells);
    event_heap_release(&q->heap);
    free(q);
}
