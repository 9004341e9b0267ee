/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Creates and steps worlds. */
#include "kernel/world/world.h"

#include <math.h>
#include <string.h>

#include "kernel/sys/error.h"
#include "kernel/world/account.h"
#include "kernel/world/rearrange.h"

void carom_world_init(carom_world_state *world, carom_context *context, bool single) {
    memset(world, 0, sizeof *world);
    world->context = context;
    world->single = single;
    world->table.free = CAROM_TABLE_NONE;
}

void carom_world_release(carom_world_state *world) {
    carom_memory *memory = &world->context->memory;
    carom_rules_release(&world->rules, memory);
    carom_table_release(&world->table, memory);
    carom_mover_release(&world->mover, memory);
    carom_merge_release(&world->merge, memory);
    carom_contact_sets_release(&world->contacts, memory);
}

void carom_world_set_rules(carom_world_state *world, carom_rules *rules) {
    carom_rules_release(&world->rules, &world->context->memory);
    world->rules = *rules;
    world->resumes = false;
    carom_rules_bind(&world->rules);
}

double carom_world_restitution(const carom_world_state *world, uint64_t n) {
    const double own = carom_table_lasting(&world->table)[carom_table_slots(&world->table)[n]].restitution;
    return own < 0.0 ? world->rules.config.restitution : own;
}

static void load_bodies(const void *data, uint64_t begin, uint64_t count, carom_body *block) {
    const carom_world_state *world = data;
    const carom_moving_part *moving = carom_table_moving(&world->table) + begin;
    const carom_lasting_part *lasting = carom_table_lasting(&world->table) + begin;
    for (uint64_t n = 0; n < count; n++) {
        carom_body_join(&moving[n], &lasting[n], &block[n]);
    }
}

static const carom_moving_part *moving_of(const void *data) {
    const carom_world_state *world = data;
    return carom_table_moving(&world->table);
}

/* A velocity that stays is not written. */
static inline __attribute__((always_inline)) void store_velocity(carom_lasting_part *lasting,
                                                                 const carom_mover_end *end, const double v[3]) {
    for (int a = 0; a < 3 && !end->keeps_velocity; a++) {
        lasting->v[a] = v[a];
    }
}

static void store_bodies(void *data, uint64_t begin, uint64_t count, const carom_mover_end *block) {
    const carom_world_state *world = data;
    carom_moving_part *moving = carom_table_moving(&world->table) + begin;
    carom_lasting_part *lasting = carom_table_lasting(&world->table) + begin;
    for (uint64_t n = 0; n < count; n++) {
        for (int a = 0; a < 3; a++) {
            moving[n].x[a] = block[n].x[a];
        }
        moving[n].last_impact = block[n].last_impact;
        store_velocity(&lasting[n], &block[n], block[n].v);
    }
}

/* Floats come from an array of their own, into which another function has rounded them: see carom_body_rounded. */
static void store_singles(void *data, uint64_t begin, uint64_t count, const carom_mover_end *block) {
    const carom_world_state *world = data;
    carom_moving_part *moving = carom_table_moving(&world->table) + begin;
    carom_lasting_part *lasting = carom_table_lasting(&world->table) + begin;
    float single[CAROM_MOVER_BLOCK][6];
    carom_mover_round(block, count, single);
    for (uint64_t n = 0; n < count; n++) {
        double v[3];
        for (int a = 0; a < 3; a++) {
            moving[n].x[a] = (double)single[n][a];
            v[a] = (double)single[n][3 + a];
        }
        moving[n].last_impact = block[n].last_impact;
        store_velocity(&lasting[n], &block[n], v);
    }
}

static carom_status move_bodies(void *data, const uint32_t *from) {
    carom_world_state *world = data;
    return carom_rearrange(&world->table, world->context, from);
}

/* Who merges works with places alone. */
static carom_status order_places(carom_world_state *world, carom_error *error) {
    carom_context_use_workers(world->context, world->table.count);
    return carom_rearrange_back(&world->table, world->context) == CAROM_OK
               ? CAROM_OK
               : carom_memory_error(&world->context->memory, error, "the order of bodies");
}

/* Finds out what happens in the step, and makes room for all that is kept of it. */
static carom_status prepare(carom_world_state *world, const carom_mover_source *source, bool compares,
                            carom_mover_impacts *impacts, carom_error *error) {
    const carom_step_config *config = &world->rules.config;
    carom_mover *mover = &world->mover;
    const bool merges = config->response == CAROM_RESPONSE_MERGE;
    mover->pairs = (carom_pair_rules){.filter = config->filter, .pair = config->pair, .pair_user = config->pair_user};
    mover->pairs.values = world->filtered || config->pair != NULL ? carom_table_values(&world->table) : NULL;
    carom_status status = merges ? order_places(world, error) : CAROM_OK;
    if (status == CAROM_OK) {
        status = carom_mover_load(mover, &world->rules, source, error);
    }
    if (status == CAROM_OK) {
        status = merges ? carom_mover_check(mover, error) : carom_mover_run(mover, error);
    }
    if (status == CAROM_OK && merges) {
        status = carom_merge_find(&world->merge, mover, &world->table, error);
    }
    if (status == CAROM_OK) {
        *impacts = merges ? carom_merge_touches(&world->merge) : carom_mover_impacts_of(mover);
        status = carom_account_reserve(mover, impacts->count, error);
    }
    if (status == CAROM_OK && compares) {
        status = carom_contact_sets_prepare(&world->contacts, mover, impacts, &world->table, error);
    }
    return status == CAROM_OK ? carom_mover_finish(mover, error) : status;
}

/* Nothing can fail any more. */
static void commit(carom_world_state *world, const carom_mover_impacts *impacts, carom_step_report *report,
                   carom_world_contacts *contacts) {
    carom_mover *mover = &world->mover;
    const carom_handle *handle = carom_table_handles(&world->table);
    carom_account_report(mover, impacts, handle, report); /* asks who is held, which storing forgets */
    carom_mover_store(mover);
    if (contacts != NULL) {
        carom_contact_sets_compare(&world->contacts, contacts);
    } else {
        carom_contact_sets_forget(&world->contacts);
    }
    if (world->rules.config.response == CAROM_RESPONSE_MERGE) {
        report->merged = world->merge.merged;
        report->windows = world->merge.touches.searches;
        carom_merge_apply(&world->merge, mover, &world->table);
    }
    carom_account_deliver(mover, impacts, handle);
    carom_account_time(mover, report);
}

carom_status carom_world_run(carom_world_state *world, carom_step_report *report, carom_world_contacts *contacts,
                             carom_error *error) {
    /* What a filter has and a function answers is the caller's, and may change at any time between steps. */
    const bool owned = world->rules.config.filter == NULL && world->rules.config.pair == NULL;
    const carom_mover_source source = {
        .count = world->table.count,
        .bodies = world,
        .slots = {carom_table_slots(&world->table), carom_table_places(&world->table), moving_of, move_bodies},
        .load = load_bodies,
        .store = world->single ? store_singles : store_bodies,
        .restitution = world->rules.config.restitution,
        .inherits = true,
        .single = world->single,
        .owned = owned,
        .unchanged = world->resumes,
        .pairs = contacts != NULL,
    };
    carom_mover_impacts impacts = {.count = 0};
    carom_mover_open(&world->mover, world->context);
    const carom_status status = prepare(world, &source, contacts != NULL, &impacts, error);
    if (status == CAROM_OK) {
        commit(world, &impacts, report, contacts);
    } else {
        carom_impacts_step_forget(&world->mover.impacts);
    }
    world->resumes = status == CAROM_OK;
    carom_mover_close(&world->mover);
    return status;
}
