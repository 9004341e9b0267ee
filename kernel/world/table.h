/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The bodies of a world, and the handles that name them.
 *
 * A body has a place, its number in the order of adding, and a slot, where it lies in memory. All that callers see is
 * in the order of places. In slots lies what steps read and write of every body; they put it into the order of space
 * (rearrange.h), in which it streams through memory. A new body has the slot of its place, the last one.
 *
 * A handle is a generation and the index of an entry. The entry says where its body is. When the body goes the
 * generation grows, and the entry may serve another body. One whose generations are used up serves none again. So no
 * two bodies ever have the same handle. */
#ifndef CAROM_WORLD_TABLE_H
#define CAROM_WORLD_TABLE_H

#include "carom/world.h"
#include "kernel/sys/memory.h"
#include "kernel/world/body.h"
#include "kernel/world/pair_rules.h"

/* No place, no entry. */
static const uint32_t CAROM_TABLE_NONE = UINT32_MAX;

/* Restitution of a body that has the world's. */
static const double CAROM_TABLE_INHERITED = -1.0;

typedef struct carom_table_entry {
    uint32_t generation; /* of its body, or of the next one it serves, >= 1; 0: used up */
    uint32_t place;      /* of its body; without one the next free entry, or CAROM_TABLE_NONE */
} carom_table_entry;

/* Zero-initialise and set `free` to CAROM_TABLE_NONE before the first use. */
typedef struct carom_world_table {
    uint64_t count;       /* bodies */
    uint64_t next_serial; /* of the next body: bodies before it, those that are gone too */
    uint64_t entries;
    uint32_t free;             /* the first free entry */
    bool moved;                /* some body's slot is not its place */
    carom_buffer moving;       /* of carom_moving_part, by slots, */
    carom_buffer lasting;      /* of carom_lasting_part; all else by places: */
    carom_buffer values;       /* of carom_pair_values */
    carom_buffer serials;      /* of uint64_t, ascending: a number that no other body ever has */
    carom_buffer handles;      /* of carom_handle */
    carom_buffer marks;        /* of bool; false between calls */
    carom_buffer slots;        /* of uint32_t: where each body lies */
    carom_buffer places;       /* of uint32_t, by slots: the place of the body that lies there */
    carom_buffer entry_of;     /* of carom_table_entry */
    carom_buffer spare_moving; /* room to move bodies */
    carom_buffer spare_lasting;
    carom_buffer spare_places;
} carom_world_table;

/* Bodies that are read in the order of places, one after the other, are fetched so many ahead. */
enum { CAROM_TABLE_AHEAD = 16 };

/* By slots. */
static inline carom_moving_part *carom_table_moving(const carom_world_table *table) {
    return table->moving.data;
}

static inline carom_lasting_part *carom_table_lasting(const carom_world_table *table) {
    return table->lasting.data;
}

static inline uint32_t *carom_table_slots(const carom_world_table *table) {
    return table->slots.data;
}

static inline uint32_t *carom_table_places(const carom_world_table *table) {
    return table->places.data;
}

/* The body of a place. */
static inline carom_body carom_table_body(const carom_world_table *table, uint64_t place) {
    const uint32_t slot = carom_table_slots(table)[place];
    carom_body body;
    carom_body_join(&carom_table_moving(table)[slot], &carom_table_lasting(table)[slot], &body);
    return body;
}

static inline void carom_table_set_body(const carom_world_table *table, uint64_t place, const carom_body *body) {
    const uint32_t slot = carom_table_slots(table)[place];
    carom_body_split(body, &carom_table_moving(table)[slot], &carom_table_lasting(table)[slot]);
}

/* Fetches a body that is read soon, if there is one. */
static inline __attribute__((always_inline)) void carom_table_fetch(const carom_world_table *table, uint64_t place) {
    if (place < table->count) {
        const uint32_t slot = carom_table_slots(table)[place];
        __builtin_prefetch(&carom_table_moving(table)[slot]);
        __builtin_prefetch(&carom_table_lasting(table)[slot]);
        __builtin_prefetch(&carom_table_lasting(table)[slot].restitution);
    }
}

static inline carom_pair_values *carom_table_values(const carom_world_table *table) {
    return table->values.data;
}

static inline uint64_t *carom_table_serials(const carom_world_table *table) {
    return table->serials.data;
}

static inline carom_handle *carom_table_handles(const carom_world_table *table) {
    return table->handles.data;
}

static inline bool *carom_table_marks(const carom_world_table *table) {
    return table->marks.data;
}

static inline carom_table_entry *carom_table_entries(const carom_world_table *table) {
    return table->entry_of.data;
}

/* Entry and generation as a handle. */
static inline carom_handle carom_table_handle(uint32_t entry, uint32_t generation) {
    return (uint64_t)generation << 32 | entry;
}

/* How many bodies the entry has served that are gone. */
static inline uint32_t carom_table_served(const carom_table_entry *entry) {
    return entry->generation - 1; /* of one that is used up, all */
}

/* Makes room for `more` bodies, and for more entries. Errors: MEMORY; then nothing has changed but room. */
carom_status carom_table_reserve(carom_world_table *table, carom_memory *memory, uint64_t more, uint64_t entries,
                                 carom_error *error);

/* Appends a body, for which there is room; returns its handle. */
carom_handle carom_table_append(carom_world_table *table, const carom_body *body, const carom_pair_values *values);

/* The place of the body that a handle names; CAROM_TABLE_NONE if it names none. */
uint32_t carom_table_find(const carom_world_table *table, carom_handle handle);

/* Removes the bodies that are marked. The others keep their order. */
void carom_table_remove_marked(carom_world_table *table);

/* Walks the table between changes: what is wrong with it, or NULL. */
const char *carom_table_validate(const carom_world_table *table);

void carom_table_release(carom_world_table *table, carom_memory *memory);

#endif
