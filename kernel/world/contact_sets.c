/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a step's impacts, and the pairs of the step before. Out: pairs whose contact begins, goes on and ends. */
#include "kernel/world/contact_sets.h"

#include <string.h>

#include "kernel/sort/list_sort.h"
#include "kernel/sort/radix_sort.h"
#include "kernel/sys/error.h"

static carom_status no_memory(const carom_mover *mover, carom_error *error) {
    return carom_memory_error(&mover->context->memory, error, "the contacts of a step");
}

/* Pairs of places, of impacts between bodies; returns how many. */
static uint64_t list_pairs(const carom_mover_impacts *impacts, uint64_t *key, uint32_t bits) {
    uint64_t count = 0;
    for (uint64_t n = 0; n < impacts->count; n++) {
        const carom_impacts_event *event = &impacts->event[n];
        if (event->k < CAROM_IMPACTS_SURFACE) {
            key[count++] = (uint64_t)event->i << bits | event->k;
        }
    }
    return count;
}

/* The keys, room for as many, and as much for the payload that a radix sort moves with them. */
static carom_status sort_keys(const carom_contact_sets *sets, const carom_mover *mover, uint64_t count, uint32_t bits,
                              carom_error *error) {
    carom_context *context = mover->context;
    uint64_t *key = sets->keys.data;
    uint64_t *spare = key + count;
    uint32_t *payload = (uint32_t *)(spare + count);
    memset(payload, 0, count * sizeof *payload);
    const carom_status status = carom_radix_sort_u64(&context->sort, &context->team, &context->memory, context->simd,
                                                     count, 2 * bits, key, payload, spare, payload + count);
    if (status == CAROM_ERROR_CANCELLED) {
        return carom_mover_cancelled(mover, error);
    }
    return status == CAROM_OK ? CAROM_OK : no_memory(mover, error);
}

/* Sorted keys, each once. */
static void list_contacts(carom_contact_sets *sets, const carom_world_table *table, uint64_t count, uint32_t bits) {
    const uint64_t *key = sets->keys.data;
    const uint64_t *serial = carom_table_serials(table);
    const carom_handle *handle = carom_table_handles(table);
    carom_contact *now = sets->now.buffer.data;
    for (uint64_t n = 0; n < count; n++) {
        if (n == 0 || key[n] != key[n - 1]) {
            const uint64_t i = key[n] >> bits;
            const uint64_t k = key[n] & ((UINT64_C(1) << bits) - 1);
            now[sets->now.count++] = (carom_contact){serial[i], serial[k], handle[i], handle[k]};
        }
    }
}

carom_status carom_contact_sets_prepare(carom_contact_sets *sets, const carom_mover *mover,
                                        const carom_mover_impacts *impacts, const carom_world_table *table,
                                        carom_error *error) {
    enum { KEY_BYTES = 2 * sizeof(uint64_t) + 2 * sizeof(uint32_t) };
    carom_memory *memory = &mover->context->memory;
    sets->now.count = 0;
    const uint64_t most = carom_size_add(impacts->count, sets->before.count);
    if (carom_buffer_reserve(memory, &sets->keys, carom_size_multiply(impacts->count, KEY_BYTES)) != CAROM_OK ||
        !carom_list_reserve(memory, &sets->now, impacts->count, sizeof(carom_contact)) ||
        carom_buffer_reserve(memory, &sets->handles, carom_size_multiply(most, 2 * sizeof(carom_handle))) != CAROM_OK) {
        return no_memory(mover, error);
    }
    if (impacts->count == 0) {
        return CAROM_OK;
    }
    const uint32_t bits = carom_list_sort_bits(table->count);
    const uint64_t count = list_pairs(impacts, sets->keys.data, bits);
    const carom_status status = count > 0 ? sort_keys(sets, mover, count, bits, error) : CAROM_OK;
    if (status == CAROM_OK) {
        list_contacts(sets, table, count, bits);
    }
    return status;
}

bool carom_contact_precedes(const carom_contact *a, const carom_contact *b) {
    return a->serial_i != b->serial_i ? a->serial_i < b->serial_i : a->serial_k < b->serial_k;
}

/* What a walk through both lists finds next. */
typedef enum change { BEGUN, PERSISTED, ENDED, CHANGES } change;

/* Calls for each pair of either list; `pair` receives it. False after the last. */
static bool next(const carom_contact_sets *sets, uint64_t *a, uint64_t *b, change *what, const carom_contact **pair) {
    const carom_contact *before = sets->before.buffer.data;
    const carom_contact *now = sets->now.buffer.data;
    const bool old = *a < sets->before.count;
    const bool young = *b < sets->now.count;
    if (old && (!young || carom_contact_precedes(&before[*a], &now[*b]))) {
        *what = ENDED;
        *pair = &before[(*a)++];
    } else if (young && (!old || carom_contact_precedes(&now[*b], &before[*a]))) {
        *what = BEGUN;
        *pair = &now[(*b)++];
    } else if (young) {
        *what = PERSISTED;
        *pair = &now[(*b)++];
        (*a)++;
    }
    return old || young;
}

static void count_changes(const carom_contact_sets *sets, uint64_t count[CHANGES]) {
    change what = BEGUN;
    const carom_contact *pair;
    for (uint64_t a = 0, b = 0; next(sets, &a, &b, &what, &pair);) {
        count[what]++;
    }
}

void carom_contact_sets_compare(carom_contact_sets *sets, carom_world_contacts *contacts) {
    uint64_t count[CHANGES] = {0};
    uint64_t filled[CHANGES] = {0};
    carom_handle *column[CHANGES][2];
    carom_handle *at = sets->handles.data;
    count_changes(sets, count);
    for (int c = 0; c < CHANGES; c++) {
        column[c][0] = count[c] > 0 ? at : NULL;
        column[c][1] = count[c] > 0 ? at + count[c] : NULL;
        at = count[c] > 0 ? at + 2 * count[c] : at;
    }
    change what = BEGUN;
    const carom_contact *pair;
    for (uint64_t a = 0, b = 0; next(sets, &a, &b, &what, &pair);) {
        column[what][0][filled[what]] = pair->i;
        column[what][1][filled[what]++] = pair->k;
    }
    contacts->begun = count[BEGUN];
    contacts->begun_i = column[BEGUN][0];
    contacts->begun_k = column[BEGUN][1];
    contacts->persisted = count[PERSISTED];
    contacts->persisted_i = column[PERSISTED][0];
    contacts->persisted_k = column[PERSISTED][1];
    contacts->ended = count[ENDED];
    contacts->ended_i = column[ENDED][0];
    contacts->ended_k = column[ENDED][1];
    const carom_list spare = sets->before;
    sets->before = sets->now;
    sets->now = spare;
}

void carom_contact_sets_forget(carom_contact_sets *sets) {
    sets->before.count = 0;
}

void carom_contact_sets_release(carom_contact_sets *sets, carom_memory *memory) {
    carom_buffer_release(memory, &sets->before.buffer);
    carom_buffer_release(memory, &sets->now.buffer);
    carom_buffer_release(memory, &sets->keys);
    carom_buffer_release(memory, &sets->handles);
}
