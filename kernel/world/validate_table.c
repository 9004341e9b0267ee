/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: the table of a world between changes. Out: NULL, or what is wrong with it. Each body has one slot and one place.
 * O(bodies). */
#include "kernel/world/table.h"

const char *carom_table_validate(const carom_world_table *table) {
    const uint32_t *slot = carom_table_slots(table);
    const uint32_t *place = carom_table_places(table);
    for (uint64_t n = 0; n < table->count; n++) {
        if (slot[n] >= table->count || place[n] >= table->count) {
            return "a slot or a place is out of range";
        }
        if (place[slot[n]] != n) {
            return "a slot is not that of its body's place";
        }
        if (!table->moved && slot[n] != n) {
            return "a body has another slot than its place, but none is said to have moved";
        }
    }
    return NULL;
}
