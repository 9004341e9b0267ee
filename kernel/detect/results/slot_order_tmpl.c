/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Cells are columns along the sweep axis, and in a cell the records are in the order of the bodies. So the bodies of
 * each cell are sorted along that axis, once this is asked for. */
#include "kernel/detect/results/slot_order_tmpl.h"

#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/sort/list_sort.h"

/* Arrays of one entry a record: keys and bodies of the cell that is sorted, and the list. */
typedef struct slot_order {
    const carom_detect_job *job;
    uint64_t *body;
    uint32_t *key;
    uint32_t *order;
    uint64_t listed;
} slot_order;

uint64_t carom_slot_order_bytes(const carom_detect_job *job) {
    const uint64_t sorted = job->bodies->count * (sizeof(uint64_t) + sizeof(uint32_t));
    return job->config->list_order ? job->owned * sizeof(uint32_t) + sorted : 0;
}

/* Integers that are in the order of the floats. */
static uint32_t key_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits & UINT32_C(0x80000000)) != 0 ? ~bits : bits | UINT32_C(0x80000000);
}

/* The bodies in slots [begin, end), along the axis. Images are left out, so that every body is there once. */
static void list_slots(slot_order *s, uint64_t begin, uint64_t end, uint32_t axis) {
    uint64_t count = 0;
    for (uint64_t slot = begin; slot < end; slot++) {
        const carom_record *record = &s->job->search.records[slot];
        if (record->body < s->job->owned) {
            s->key[count] = key_of((float)((double)record->prev[axis] - s->job->search.centre[axis]));
            s->body[count++] = record->body;
        }
    }
    if (count > 0) {
        carom_list_sort(s->key, s->body, count, 32);
    }
    for (uint64_t n = 0; n < count; n++) {
        s->order[s->listed++] = (uint32_t)s->body[n];
    }
}

/* Cell by cell; the oversized bodies follow. */
static void list_cells(slot_order *s) {
    const carom_part *scene = &s->job->scene;
    const uint32_t axis = scene->plan.sweep_axis;
    carom_walk walk = carom_team_walk_alone(&s->job->context->team, scene->plan.cell_count);
    while (carom_walk_next(&walk)) {
        for (uint64_t c = walk.begin; c < walk.end; c++) {
            list_slots(s, scene->start[c << scene->plan.bits], scene->start[(c + 1) << scene->plan.bits], axis);
        }
    }
    const uint64_t cells_end = scene->start[(uint64_t)scene->plan.cell_count << scene->plan.bits];
    list_slots(s, cells_end, s->job->bodies->count, axis);
}

carom_status carom_slot_order_reserve(carom_detect_job *job) {
    const carom_work_need need[] = {
        {CAROM_WORK_SLOT_ORDER, job->owned * sizeof(uint32_t)},
        {CAROM_WORK_SLOT_SORTED, job->bodies->count * (sizeof(uint64_t) + sizeof(uint32_t))},
    };
    return job->config->list_order ? carom_job_reserve(job, need, 2) : CAROM_OK;
}

carom_status carom_slot_order_list(carom_detect_job *job) {
    if (!job->config->list_order) {
        return CAROM_OK;
    }
    slot_order s = {.job = job,
                    .body = carom_context_work(job->context, CAROM_WORK_SLOT_SORTED),
                    .order = carom_context_work(job->context, CAROM_WORK_SLOT_ORDER)};
    s.key = (uint32_t *)(void *)(s.body + job->bodies->count);
    list_cells(&s);
    if (carom_job_stopped(job)) {
        return CAROM_ERROR_CANCELLED;
    }
    CAROM_ASSERT(s.listed == job->owned);
    job->detection->order = s.order;
    carom_job_lap(job, CAROM_PHASE_COLLECT);
    return CAROM_OK;
}
