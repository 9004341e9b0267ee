/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: bodies that come and go. Out: the bodies side by side, and handles that never name another one. */
#include "kernel/world/table.h"

#include <inttypes.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/sys/error.h"

static bool grow(carom_memory *memory, carom_buffer *buffer, uint64_t count, uint64_t more, uint64_t size) {
    return carom_buffer_grow(memory, buffer, carom_size_multiply(carom_size_add(count, more), size), count * size) ==
           CAROM_OK;
}

carom_status carom_table_reserve(carom_world_table *table, carom_memory *memory, uint64_t more, uint64_t entries,
                                 carom_error *error) {
    const uint64_t count = table->count;
    const bool enough = grow(memory, &table->moving, count, more, sizeof(carom_moving_part)) &&
                        grow(memory, &table->lasting, count, more, sizeof(carom_lasting_part)) &&
                        grow(memory, &table->values, count, more, sizeof(carom_pair_values)) &&
                        grow(memory, &table->serials, count, more, sizeof(uint64_t)) &&
                        grow(memory, &table->handles, count, more, sizeof(carom_handle)) &&
                        grow(memory, &table->marks, count, more, sizeof(bool)) &&
                        grow(memory, &table->slots, count, more, sizeof(uint32_t)) &&
                        grow(memory, &table->places, count, more, sizeof(uint32_t)) &&
                        grow(memory, &table->entry_of, table->entries, entries, sizeof(carom_table_entry));
    /* One entry less than there are numbers: CAROM_TABLE_NONE is none. */
    if (!enough || entries > CAROM_TABLE_NONE - table->entries) {
        return carom_memory_error(memory, error, "%" PRIu64 " more bodies", more);
    }
    return CAROM_OK;
}

/* An entry without a body. */
static uint32_t take_entry(carom_world_table *table) {
    carom_table_entry *entry = carom_table_entries(table);
    if (table->free != CAROM_TABLE_NONE) {
        const uint32_t free = table->free;
        table->free = entry[free].place;
        return free;
    }
    entry[table->entries].generation = 1;
    return (uint32_t)table->entries++;
}

carom_handle carom_table_append(carom_world_table *table, const carom_body *body, const carom_pair_values *values) {
    CAROM_ASSERT((table->count + 1) * sizeof(carom_moving_part) <= table->moving.bytes);
    CAROM_ASSERT((table->count + 1) * sizeof(carom_lasting_part) <= table->lasting.bytes);
    const uint32_t entry = take_entry(table);
    carom_table_entry *e = &carom_table_entries(table)[entry];
    const uint64_t place = table->count++;
    e->place = (uint32_t)place;
    carom_table_slots(table)[place] = carom_table_places(table)[place] = (uint32_t)place;
    carom_table_set_body(table, place, body);
    carom_table_values(table)[place] = *values;
    carom_table_serials(table)[place] = table->next_serial++;
    carom_table_marks(table)[place] = false;
    return carom_table_handles(table)[place] = carom_table_handle(entry, e->generation);
}

/* A free entry's place may be any number, but the body there has another handle. */
uint32_t carom_table_find(const carom_world_table *table, carom_handle handle) {
    const uint64_t index = handle & UINT32_MAX;
    if (index >= table->entries) {
        return CAROM_TABLE_NONE;
    }
    const uint32_t place = carom_table_entries(table)[index].place;
    return place < table->count && carom_table_handles(table)[place] == handle ? place : CAROM_TABLE_NONE;
}

static void give_back(carom_world_table *table, carom_handle handle) {
    const uint32_t entry = (uint32_t)(handle & UINT32_MAX);
    carom_table_entry *e = &carom_table_entries(table)[entry];
    e->generation++;
    e->place = CAROM_TABLE_NONE;
    if (e->generation != 0) {
        e->place = table->free;
        table->free = entry;
    }
}

/* Moves a body to a place before it. Its slot stays. */
static void change_place(carom_world_table *table, uint64_t from, uint64_t to) {
    carom_table_values(table)[to] = carom_table_values(table)[from];
    carom_table_serials(table)[to] = carom_table_serials(table)[from];
    const carom_handle handle = carom_table_handles(table)[from];
    carom_table_handles(table)[to] = handle;
    carom_table_entries(table)[handle & UINT32_MAX].place = (uint32_t)to;
    const uint32_t slot = carom_table_slots(table)[from];
    carom_table_slots(table)[to] = slot;
    carom_table_places(table)[slot] = (uint32_t)to;
}

static void change_slot(carom_world_table *table, uint64_t from, uint64_t to) {
    const uint32_t place = carom_table_places(table)[from];
    carom_table_moving(table)[to] = carom_table_moving(table)[from];
    carom_table_lasting(table)[to] = carom_table_lasting(table)[from];
    carom_table_places(table)[to] = place;
    carom_table_slots(table)[place] = (uint32_t)to;
}

/* Only if no body has moved. Slots without bodies go, and the others keep their order: a body's slot is its place. */
static void close_slots(carom_world_table *table) {
    uint64_t kept = 0;
    for (uint64_t slot = 0; slot < table->count; slot++) {
        if (carom_table_places(table)[slot] != CAROM_TABLE_NONE) {
            change_slot(table, slot, kept++);
        }
    }
}

/* If bodies have moved. Bodies of the last slots fill those that have none. They are out of the order of space until a
 * step makes a new one. */
static void fill_slots(carom_world_table *table, uint64_t kept) {
    const uint32_t *place = carom_table_places(table);
    uint64_t last = table->count;
    for (uint64_t slot = 0; slot < kept; slot++) {
        if (place[slot] == CAROM_TABLE_NONE) {
            do {
                last--;
            } while (place[last] == CAROM_TABLE_NONE);
            change_slot(table, last, slot);
        }
    }
}

void carom_table_remove_marked(carom_world_table *table) {
    bool *mark = carom_table_marks(table);
    uint64_t kept = 0;
    while (kept < table->count && !mark[kept]) {
        kept++;
    }
    if (kept == table->count) {
        return;
    }
    for (uint64_t n = kept; n < table->count; n++) {
        if (mark[n]) {
            give_back(table, carom_table_handles(table)[n]);
            carom_table_places(table)[carom_table_slots(table)[n]] = CAROM_TABLE_NONE;
        } else {
            change_place(table, n, kept++);
        }
        mark[n] = false;
    }
    if (table->moved) {
        fill_slots(table, kept);
    } else {
        close_slots(table);
    }
    table->count = kept;
    CAROM_VALIDATE(carom_table_validate(table));
}

void carom_table_release(carom_world_table *table, carom_memory *memory) {
    carom_buffer *buffers[] = {&table->moving,   &table->lasting,      &table->values,        &table->serials,
                               &table->handles,  &table->marks,        &table->slots,         &table->places,
                               &table->entry_of, &table->spare_moving, &table->spare_lasting, &table->spare_places};
    for (size_t n = 0; n < sizeof buffers / sizeof *buffers; n++) {
        carom_buffer_release(memory, buffers[n]);
    }
}
