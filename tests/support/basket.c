/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/support/basket.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/note.h"

static void *allocate(uint64_t count, uint64_t size) {
    void *memory = calloc(count + 1, size);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

basket basket_make(uint64_t rows) {
    basket b = {.capacity = rows + 1};
    b.blocks = allocate(b.capacity, sizeof *b.blocks);
    return b;
}

void basket_release(basket *b) {
    for (uint64_t n = 0; n < b->capacity; n++) {
        free(b->blocks[n]);
    }
    free(b->blocks);
}

/* A block of either precision. */
typedef struct block_view {
    uint64_t task;
    uint64_t part;
    uint32_t count;
    any_rows rows;
} block_view;

/* With t_ca all of the contact's arrays are there, else none; likewise shifts. */
static bool all_or_none(const block_view *view) {
    int32_t *const *shift = view->rows.shift;
    bool same = (shift[1] == NULL) == (shift[0] == NULL) && (shift[2] == NULL) == (shift[0] == NULL);
    for (int f = 1; f < ANY_FIELDS; f++) {
        same = same && (view->rows.field[f] == NULL) == (view->rows.field[0] == NULL);
    }
    return same;
}

static void put_reals(kept_block *kept, const block_view *view, any_precision precision) {
    for (int f = 0; f < ANY_FIELDS; f++) {
        for (uint32_t n = 0; n < view->count; n++) {
            kept->field[f][n] = precision == ANY_F32 ? (double)((const float *)view->rows.field[f])[n]
                                                     : ((const double *)view->rows.field[f])[n];
        }
    }
}

static bool take_block(basket *b, const block_view *view, any_precision precision) {
    uint64_t at = b->count++;
    if (view->count == 0 || view->count > CAROM_BLOCK_ROWS || at >= b->capacity || !all_or_none(view)) {
        b->faults++;
        return true;
    }
    kept_block *kept = allocate(1, sizeof *kept);
    b->blocks[at] = kept;
    kept->task = view->task;
    kept->part = view->part;
    kept->count = view->count;
    kept->has_contacts = view->rows.field[0] != NULL;
    kept->has_shifts = view->rows.shift[0] != NULL;
    memcpy(kept->i, view->rows.i, view->count * sizeof *kept->i);
    memcpy(kept->k, view->rows.k, view->count * sizeof *kept->k);
    if (kept->has_contacts) {
        put_reals(kept, view, precision);
    }
    for (int a = 0; a < 3 && kept->has_shifts; a++) {
        memcpy(kept->shift[a], view->rows.shift[a], view->count * sizeof(int32_t));
    }
    return b->stop_after == 0 || at + 1 < b->stop_after;
}

bool basket_sink_f32(void *user, const carom_block_f32 *block) {
    const block_view view = {block->task, block->part, block->count, any_rows_f32(&block->contacts)};
    return take_block(user, &view, ANY_F32);
}

bool basket_sink_f64(void *user, const carom_block_f64 *block) {
    const block_view view = {block->task, block->part, block->count, any_rows_f64(&block->contacts)};
    return take_block(user, &view, ANY_F64);
}

any_output basket_output(basket *b) {
    return (any_output){.sink_f32 = basket_sink_f32, .sink_f64 = basket_sink_f64, .sink_user = b};
}

static int by_task_and_part(const void *left, const void *right) {
    const kept_block *a = *(kept_block *const *)left;
    const kept_block *b = *(kept_block *const *)right;
    return a->task != b->task ? (a->task > b->task) - (a->task < b->task) : (a->part > b->part) - (a->part < b->part);
}

static uint64_t put_in_order(basket *b) {
    uint64_t rows = 0;
    note_check(b->faults == 0, "%" PRIu64 " blocks are not as they should be", b->faults);
    qsort(b->blocks, b->count, sizeof *b->blocks, by_task_and_part);
    for (uint64_t n = 0; n < b->count; n++) {
        const kept_block *block = b->blocks[n];
        bool first = n == 0 || b->blocks[n - 1]->task != block->task;
        note_check(block->part == (first ? 0 : b->blocks[n - 1]->part + 1), "task %" PRIu64 ": part %" PRIu64,
                   block->task, block->part);
        note_check(block->has_contacts == b->blocks[0]->has_contacts && block->has_shifts == b->blocks[0]->has_shifts,
                   "blocks of different kinds");
        rows += block->count;
    }
    return rows;
}

any_result basket_rows(basket *b) {
    uint64_t rows = put_in_order(b);
    any_result r = {.pair_count = rows};
    r.i = allocate(rows, sizeof *r.i);
    r.k = allocate(rows, sizeof *r.k);
    for (int f = 0; f < ANY_FIELDS && rows > 0 && b->blocks[0]->has_contacts; f++) {
        r.field[f] = allocate(rows, sizeof(double));
    }
    for (int a = 0; a < 3 && rows > 0 && b->blocks[0]->has_shifts; a++) {
        r.shift[a] = allocate(rows, sizeof(int32_t));
    }
    uint64_t at = 0;
    for (uint64_t n = 0; n < b->count; n++) {
        const kept_block *block = b->blocks[n];
        memcpy(r.i + at, block->i, block->count * sizeof *r.i);
        memcpy(r.k + at, block->k, block->count * sizeof *r.k);
        for (int f = 0; f < ANY_FIELDS && r.field[0] != NULL; f++) {
            memcpy(r.field[f] + at, block->field[f], block->count * sizeof(double));
        }
        for (int a = 0; a < 3 && r.shift[0] != NULL; a++) {
            memcpy(r.shift[a] + at, block->shift[a], block->count * sizeof(int32_t));
        }
        at += block->count;
    }
    return r;
}

void basket_check(basket *b, const any_result *stored) {
    any_result came = basket_rows(b);
    any_result wanted = {.pair_count = stored->pair_count, .i = stored->i, .k = stored->k};
    memcpy(wanted.field, stored->field, sizeof wanted.field);
    memcpy(wanted.shift, stored->shift, sizeof wanted.shift);
    note_check(came.pair_count == stored->pair_count, "%" PRIu64 " rows came, not %" PRIu64, came.pair_count,
               stored->pair_count);
    note_check(any_result_same(&came, &wanted), "the rows that came are others");
    any_result_release(&came);
}

void basket_check_call(carom_context *context, const any_bodies *bodies, const carom_detect_config *config,
                       const any_result *stored) {
    basket b = basket_make(stored->pair_count);
    any_output output = basket_output(&b);
    any_result delivered = any_detect_bodies(context, bodies, config, &output);
    note_check(delivered.status == CAROM_OK, "%s", delivered.error.message);
    note_check(delivered.pair_count == 0 && delivered.i == NULL && delivered.k == NULL && delivered.field[0] == NULL &&
                   delivered.shift[0] == NULL,
               "pairs are stored");
    any_result without = *stored;
    without.pair_count = 0;
    note_check(any_result_same(&without, &delivered), "other counts, hashes or groups");
    basket_check(&b, stored);
    any_result_release(&delivered);
    basket_release(&b);
}
