/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: the impacts of groups. Out: the impacts of all, by time. Where several groups have impacts at one time, one queue
 * for all would take of their next ones the least (i, k, shift) each time, and so does the merge here. */
#include "kernel/impacts/events.h"

#include <string.h>

bool carom_impacts_events_reserve(carom_impacts_events *events, carom_memory *memory, uint64_t count) {
    return events->list.count + count <= UINT32_MAX &&
           carom_list_reserve(memory, &events->list, count, sizeof(carom_impacts_event));
}

void carom_impacts_events_put(const carom_impacts_events *events, uint64_t at, const carom_impacts_event *from,
                              uint64_t count) {
    carom_impacts_event *to = (carom_impacts_event *)events->list.buffer.data + at;
    memcpy(to, from, count * sizeof *from);
    for (uint64_t n = 0; n < count; n++) {
        to[n].group = (uint32_t)at;
    }
}

bool carom_impacts_events_append(carom_impacts_events *events, carom_memory *memory, const carom_impacts_event *from,
                                 uint64_t count) {
    if (!carom_impacts_events_reserve(events, memory, count)) {
        return false;
    }
    carom_impacts_events_put(events, events->list.count, from, count);
    events->list.count += count;
    return true;
}

static carom_status reserve(carom_impacts_events *events, carom_memory *memory) {
    const uint64_t count = events->list.count;
    if (!carom_list_reserve(memory, &events->spare, count, sizeof(carom_impacts_event)) ||
        carom_buffer_reserve(memory, &events->key, count * sizeof(uint64_t)) != CAROM_OK ||
        carom_buffer_reserve(memory, &events->spare_key, count * sizeof(uint64_t)) != CAROM_OK ||
        carom_buffer_reserve(memory, &events->order, count * sizeof(uint32_t)) != CAROM_OK ||
        carom_buffer_reserve(memory, &events->spare_order, count * sizeof(uint32_t)) != CAROM_OK) {
        return CAROM_ERROR_MEMORY;
    }
    return CAROM_OK;
}

/* What workers share. */
typedef struct pass {
    const carom_impacts_events *events;
    const carom_team *team;
} pass;

/* Entries that begin a worker's share: a cache line of numbers. */
enum { GRAIN = 16 };

/* Times are not negative, so their bits are in their order. */
static void key_task(void *data, uint32_t worker) {
    const pass *p = data;
    const carom_impacts_event *list = p->events->list.buffer.data;
    uint64_t *key = p->events->key.data;
    uint32_t *order = p->events->order.data;
    const carom_range own = carom_team_range(p->team, worker, p->events->list.count, GRAIN);
    for (uint64_t n = own.begin; n < own.end; n++) {
        const double t = list[n].t + 0.0;
        memcpy(&key[n], &t, sizeof t);
        order[n] = (uint32_t)n;
    }
}

/* What a sort needs beside is the context's. */
static carom_status order_by_time(carom_impacts_events *events, carom_context *context) {
    pass p = {events, &context->team};
    carom_team_run_over(&context->team, events->list.count, key_task, &p);
    return carom_radix_sort_u64(&context->sort, &context->team, &context->memory, context->simd, events->list.count, 62,
                                events->key.data, events->order.data, events->spare_key.data, events->spare_order.data);
}

static bool comes_before(const carom_impacts_event *a, const carom_impacts_event *b) {
    if (a->i != b->i || a->k != b->k) {
        return a->i != b->i ? a->i < b->i : a->k < b->k;
    }
    for (int e = 0; e < 3; e++) {
        if (a->shift[e] != b->shift[e]) {
            return a->shift[e] < b->shift[e];
        }
    }
    return false;
}

/* Impacts at one time, group by group, and a heap of groups by their next impact. `group` has where each begins. */
typedef struct merge {
    const carom_impacts_event *from;
    uint32_t *heap;
    uint32_t count;
} merge;

static void sink_top(const merge *m) {
    const uint32_t top = m->heap[0];
    uint32_t place = 0;
    while (2 * place + 1 < m->count) {
        uint32_t child = 2 * place + 1;
        child += child + 1 < m->count && comes_before(&m->from[m->heap[child + 1]], &m->from[m->heap[child]]) ? 1 : 0;
        if (!comes_before(&m->from[m->heap[child]], &m->from[top])) {
            break;
        }
        m->heap[place] = m->heap[child];
        place = child;
    }
    m->heap[place] = top;
}

static void push(merge *m, uint32_t next) {
    uint32_t place = m->count++;
    while (place > 0 && comes_before(&m->from[next], &m->from[m->heap[(place - 1) / 2]])) {
        m->heap[place] = m->heap[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    m->heap[place] = next;
}

/* Merges the groups of `count` impacts at one time. The heap has room for all of them. */
static void merge_groups(const carom_impacts_event *from, uint64_t count, carom_impacts_event *to, uint32_t *heap) {
    merge m = {from, heap, 0};
    for (uint32_t n = 0; n < count; n++) {
        if (n == 0 || from[n].group != from[n - 1].group) {
            push(&m, n);
        }
    }
    while (m.count > 0) {
        const uint32_t next = m.heap[0];
        *to++ = from[next];
        if (next + 1 < count && from[next + 1].group == from[next].group) {
            m.heap[0] = next + 1;
        } else {
            m.heap[0] = m.heap[--m.count];
        }
        sink_top(&m);
    }
}

static uint64_t run_length(const carom_impacts_event *event, uint64_t left) {
    uint64_t count = 1;
    while (count < left && event[count].t == event[0].t) {
        count++;
    }
    return count;
}

/* Impacts ahead that are fetched. */
enum { AHEAD = 8 };

static void put_task(void *data, uint32_t worker) {
    const pass *p = data;
    const carom_impacts_event *from = p->events->list.buffer.data;
    carom_impacts_event *to = p->events->spare.buffer.data;
    const uint32_t *order = p->events->order.data;
    const uint64_t count = p->events->list.count;
    const carom_range own = carom_team_range(p->team, worker, count, GRAIN);
    for (uint64_t n = own.begin; n < own.end; n++) {
        const carom_impacts_event *ahead = &from[order[n + AHEAD < count ? n + AHEAD : n]];
        __builtin_prefetch(ahead);
        __builtin_prefetch((const char *)(ahead + 1) - 1);
        to[n] = from[order[n]];
    }
}

/* The list by time. */
static void put_in_order(carom_impacts_events *events, const carom_team *team) {
    pass p = {events, team};
    carom_team_run_over(team, events->list.count, put_task, &p);
    const carom_buffer buffer = events->list.buffer;
    events->list.buffer = events->spare.buffer;
    events->spare.buffer = buffer;
}

/* Whether each of `count` impacts is a group of its own, as where nothing responds. */
static bool are_alone(const carom_impacts_event *event, uint64_t count) {
    uint64_t n = 1;
    while (n < count && event[n].group != event[n - 1].group) {
        n++;
    }
    return n >= count;
}

/* Orders by shift what is at one time of one pair: images, which are few. */
static void insert_images(carom_impacts_event *event, uint64_t count) {
    for (uint64_t n = 1; n < count; n++) {
        const carom_impacts_event inserted = event[n];
        uint64_t place = n;
        while (place > 0 && comes_before(&inserted, &event[place - 1])) {
            event[place] = event[place - 1];
            place--;
        }
        event[place] = inserted;
    }
}

/* Sorts impacts [begin, begin + count) of the list, at one time and each a group of its own, which are in `spare`. */
static carom_status sort_alone(carom_impacts_events *events, uint64_t begin, uint64_t count, carom_context *context) {
    carom_impacts_event *to = (carom_impacts_event *)events->list.buffer.data + begin;
    const carom_impacts_event *from = events->spare.buffer.data;
    uint64_t *key = events->key.data;
    uint32_t *order = events->order.data;
    for (uint64_t n = 0; n < count; n++) {
        key[n] = (uint64_t)from[n].i << 32 | from[n].k;
        order[n] = (uint32_t)n;
    }
    const carom_status status =
        carom_radix_sort_u64(&context->sort, &context->team, &context->memory, context->simd, count, 64, key, order,
                             events->spare_key.data, events->spare_order.data);
    for (uint64_t n = 0; n < count && status == CAROM_OK; n++) {
        to[n] = from[order[n]];
    }
    insert_images(to, status == CAROM_OK ? count : 0);
    return status;
}

/* Impacts at one time from which on it pays to sort them digit by digit. */
enum { SORTED_LEAST = 256 };

/* Impacts at one time go through `spare`. */
static carom_status merge_ties(carom_impacts_events *events, carom_context *context) {
    carom_impacts_event *list = events->list.buffer.data;
    carom_impacts_event *spare = events->spare.buffer.data;
    carom_status status = CAROM_OK;
    for (uint64_t n = 0; n < events->list.count && status == CAROM_OK;) {
        const uint64_t length = run_length(&list[n], events->list.count - n);
        if (length > 1) {
            memcpy(spare, &list[n], length * sizeof *list);
        }
        if (length >= SORTED_LEAST && are_alone(spare, length)) {
            status = sort_alone(events, n, length, context);
        } else if (length > 1) {
            merge_groups(spare, length, &list[n], events->spare_order.data);
        }
        n += length;
    }
    return status;
}

carom_status carom_impacts_events_sort(carom_impacts_events *events, carom_memory *memory, carom_context *context) {
    const uint64_t count = events->list.count;
    if (count == 0) {
        return CAROM_OK;
    }
    carom_status status = reserve(events, memory);
    if (status == CAROM_OK) {
        status = order_by_time(events, context);
    }
    if (status != CAROM_OK) {
        return status;
    }
    put_in_order(events, &context->team);
    return merge_ties(events, context);
}

void carom_impacts_events_release(carom_impacts_events *events, carom_memory *memory) {
    carom_buffer *buffers[] = {&events->list.buffer, &events->spare.buffer, &events->key,
                               &events->spare_key,   &events->order,        &events->spare_order};
    for (size_t n = 0; n < sizeof buffers / sizeof *buffers; n++) {
        carom_buffer_release(memory, buffers[n]);
    }
}
