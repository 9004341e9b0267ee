/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Creates and steps worlds. */
#include "kernel/world/world.h"

#include <math.h>
#include <string.h>

#include "kernel/world/account.h"

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
    carom_rules_bind(&world->rules);
}

static double restitution_of(const carom_world_state *world, const carom_body *body) {
    return body->restitution < 0.0 ? world->rules.config.restitution : body->restitution;
}

double carom_world_restitution(const carom_world_state *world, uint64_t n) {
    return restitution_of(world, &carom_table_bodies(&world->table)[n]);
}

static void load_body(const void *data, uint64_t n, carom_body *body) {
    const carom_world_state *world = data;
    *body = carom_table_bodies(&world->table)[n];
    body->restitution = restitution_of(world, body);
}

static void store_body(void *data, uint64_t n, const carom_mover_end *end) {
    const carom_world_state *world = data;
    carom_body *body = &carom_table_bodies(&world->table)[n];
    for (int a = 0; a < 3; a++) {
        body->x[a] = carom_body_rounded(world->single, end->x[a]);
        body->v[a] = carom_body_rounded(world->single, end->v[a]);
    }
    body->last_impact = end->last_impact;
}

/* Finds out what happens in the step, and makes room for all that is kept of it. */
static carom_status prepare(carom_world_state *world, const carom_mover_source *source, bool compares,
                            carom_mover_impacts *impacts, carom_error *error) {
    const carom_step_config *config = &world->rules.config;
    carom_mover *mover = &world->mover;
    const bool merges = config->response == CAROM_RESPONSE_MERGE;
    mover->pairs = (carom_pair_rules){.filter = config->filter, .pair = config->pair, .pair_user = config->pair_user};
    mover->pairs.values = world->filtered || config->pair != NULL ? carom_table_values(&world->table) : NULL;
    carom_status status = carom_mover_load(mover, &world->rules, source, error);
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
    carom_mover_store(mover);
    carom_account_report(mover, impacts, handle, report);
    if (contacts != NULL) {
        carom_contact_sets_compare(&world->contacts, contacts);
    } else {
        carom_contact_sets_forget(&world->contacts);
    }
    if (world->rules.config.response == CAROM_RESPONSE_MERGE) {
        report->merged = world->merge.merged;
        report->windows = mover->bodies.count > 0;
        carom_merge_apply(&world->merge, mover, &world->table);
    }
    carom_account_deliver(mover, impacts, handle);
    carom_account_time(mover, report);
}

carom_status carom_world_run(carom_world_state *world, carom_step_report *report, carom_world_contacts *contacts,
                             carom_error *error) {
    const carom_mover_source source = {
        .count = world->table.count,
        .bodies = world,
        .load = load_body,
        .store = store_body,
        .single = world->single,
        .pairs = contacts != NULL,
    };
    carom_mover_impacts impacts = {.count = 0};
    carom_mover_open(&world->mover, world->context);
    const carom_status status = prepare(world, &source, contacts != NULL, &impacts, error);
    if (status == CAROM_OK) {
        commit(world, &impacts, report, contacts);
    }
    carom_mover_close(&world->mover);
    return status;
}
