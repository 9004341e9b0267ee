/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: bodies in slots, and an order. Out: the bodies in that order. Copies are made first, which a cancelled call
 * leaves; then they take the place of the bodies at once. */
#include "kernel/world/rearrange.h"

#include "kernel/check/assert.h"

/* Slots in a slice of a walk begin at multiples of this. */
enum { GRAIN = 64 };

typedef struct pass {
    const carom_world_table *table;
    const carom_team *team;
    const uint32_t *from;
} pass;

static void copy_bodies(void *data, uint32_t worker) {
    const pass *p = data;
    const carom_moving_part *moving = carom_table_moving(p->table);
    const carom_lasting_part *lasting = carom_table_lasting(p->table);
    const uint32_t *place = carom_table_places(p->table);
    carom_moving_part *moving_to = p->table->spare_moving.data;
    carom_lasting_part *lasting_to = p->table->spare_lasting.data;
    uint32_t *place_to = p->table->spare_places.data;
    carom_walk walk = carom_team_walk(p->team, worker, p->table->count, GRAIN);
    while (carom_walk_next(&walk)) {
        for (uint64_t slot = walk.begin; slot < walk.end; slot++) {
            const uint64_t ahead = slot + CAROM_TABLE_AHEAD < walk.end ? slot + CAROM_TABLE_AHEAD : slot;
            __builtin_prefetch(&moving[p->from[ahead]]);
            __builtin_prefetch(&lasting[p->from[ahead]]);
            __builtin_prefetch(&lasting[p->from[ahead]].restitution);
            __builtin_prefetch(&place[p->from[ahead]]);
            moving_to[slot] = moving[p->from[slot]];
            lasting_to[slot] = lasting[p->from[slot]];
            place_to[slot] = place[p->from[slot]];
        }
    }
}

static void set_slots(void *data, uint32_t worker) {
    const pass *p = data;
    const uint32_t *new_place = p->table->spare_places.data;
    uint32_t *place = carom_table_places(p->table);
    uint32_t *slots = carom_table_slots(p->table);
    carom_walk walk = carom_team_walk(p->team, worker, p->table->count, GRAIN);
    while (carom_walk_next(&walk)) {
        for (uint64_t slot = walk.begin; slot < walk.end; slot++) {
            place[slot] = new_place[slot];
            slots[new_place[slot]] = (uint32_t)slot;
        }
    }
}

static void swap(carom_buffer *a, carom_buffer *b) {
    const carom_buffer old = *a;
    *a = *b;
    *b = old;
}

/* Nothing stops this any more. */
static void commit(carom_world_table *table, const carom_context *context) {
    carom_team team = context->team;
    pass p = {.table = table, .team = &team};
    team.control = NULL;
    swap(&table->moving, &table->spare_moving);
    swap(&table->lasting, &table->spare_lasting);
    carom_team_run_over(&team, table->count, set_slots, &p);
    table->moved = true;
    CAROM_VALIDATE(carom_table_validate(table));
}

carom_status carom_rearrange(carom_world_table *table, carom_context *context, const uint32_t *from) {
    carom_memory *memory = &context->memory;
    const uint64_t count = table->count;
    if (carom_buffer_reserve(memory, &table->spare_moving, count * sizeof(carom_moving_part)) != CAROM_OK ||
        carom_buffer_reserve(memory, &table->spare_lasting, count * sizeof(carom_lasting_part)) != CAROM_OK ||
        carom_buffer_reserve(memory, &table->spare_places, count * sizeof(uint32_t)) != CAROM_OK) {
        return CAROM_ERROR_MEMORY;
    }
    pass p = {.table = table, .team = &context->team, .from = from};
    carom_team_run_over(&context->team, table->count, copy_bodies, &p);
    if (carom_team_stopped(&context->team)) {
        return CAROM_ERROR_CANCELLED;
    }
    commit(table, context);
    return CAROM_OK;
}

carom_status carom_rearrange_back(carom_world_table *table, carom_context *context) {
    if (!table->moved) {
        return CAROM_OK;
    }
    const carom_status status = carom_rearrange(table, context, carom_table_slots(table));
    table->moved = status != CAROM_OK;
    CAROM_VALIDATE(carom_table_validate(table));
    return status;
}
