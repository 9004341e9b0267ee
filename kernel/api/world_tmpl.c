/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Worlds: creates, configures, steps and describes them. Arguments are checked here. */
#include "kernel/api/world_tmpl.h"

#include <string.h>

#include "kernel/api/layout.h"
#include "kernel/api/take_rules.h"
#include "kernel/sys/arithmetic.h"
#include "kernel/sys/error.h"

#define carom_world_create CAROM_REAL(carom_world_create)
#define carom_world_destroy CAROM_REAL(carom_world_destroy)
#define carom_world_configure CAROM_REAL(carom_world_configure)
#define carom_world_config CAROM_REAL(carom_world_config)
#define carom_world_count CAROM_REAL(carom_world_count)
#define carom_world_handles CAROM_REAL(carom_world_handles)
#define carom_world_total CAROM_REAL(carom_world_total)
#define carom_world_step CAROM_REAL(carom_world_step)

static carom_status no_world(carom_error *error) {
    return carom_error_set(error, CAROM_ERROR_ARGUMENT, "world is NULL");
}

/* The context is taken. The old rules hold until the new ones are made. */
static carom_status configure(carom_world_state *world, const carom_step_config *config, carom_error *error) {
    carom_memory *memory = &world->context->memory;
    carom_rules rules;
    memset(&rules, 0, sizeof rules);
    const carom_status status = carom_take_rules(&rules, memory, CAROM_RULES_WORLD, config, error);
    if (status == CAROM_OK) {
        carom_world_set_rules(world, &rules);
    } else {
        carom_rules_release(&rules, memory);
    }
    return status;
}

static carom_status create(carom_context *context, const carom_step_config *config, carom_public_world **made,
                           carom_error *error) {
    carom_public_world *world = carom_memory_allocate(&context->memory, sizeof *world);
    if (world == NULL) {
        return carom_error_set(error, CAROM_ERROR_MEMORY, "no memory for a world");
    }
    carom_world_init(&world->world, context, sizeof(carom_real) == sizeof(float));
    const carom_status status = configure(&world->world, config, error);
    if (status == CAROM_OK) {
        *made = world;
    } else {
        carom_memory_release(&context->memory, world, sizeof *world);
    }
    return status;
}

carom_status carom_world_create(carom_context *context, const carom_step_config *config, carom_public_world **world,
                                carom_error *error) {
    if (world == NULL) {
        return no_world(error);
    }
    *world = NULL;
    if (context == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "context is NULL");
    }
    carom_status status = carom_context_take(context, error);
    if (status == CAROM_OK) {
        const carom_arithmetic before = carom_arithmetic_enter();
        status = create(context, config, world, error);
        carom_arithmetic_leave(before);
        carom_context_give_back(context);
    }
    return status;
}

void carom_world_destroy(carom_public_world *world) {
    if (world != NULL) {
        carom_memory *memory = &world->world.context->memory;
        carom_world_release(&world->world);
        carom_memory_release(memory, world, sizeof *world);
    }
}

carom_status carom_world_configure(carom_public_world *world, const carom_step_config *config, carom_error *error) {
    if (world == NULL) {
        return no_world(error);
    }
    carom_status status = carom_context_take(world->world.context, error);
    if (status == CAROM_OK) {
        const carom_arithmetic before = carom_arithmetic_enter();
        status = configure(&world->world, config, error);
        carom_arithmetic_leave(before);
        carom_context_give_back(world->world.context);
    }
    return status;
}

const carom_step_config *carom_world_config(const carom_public_world *world) {
    return &world->world.rules.config;
}

uint64_t carom_world_count(const carom_public_world *world) {
    return world->world.table.count;
}

const carom_handle *carom_world_handles(const carom_public_world *world) {
    return world->world.table.count > 0 ? carom_table_handles(&world->world.table) : NULL;
}

carom_status carom_world_total(const carom_public_world *world, carom_world_totals *totals, carom_error *error) {
    if (world == NULL) {
        return no_world(error);
    }
    if (totals == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "totals is NULL");
    }
    const carom_status status = carom_layout_check(&carom_layout_world_totals, totals, error);
    if (status == CAROM_OK) {
        const carom_arithmetic before = carom_arithmetic_enter();
        carom_world_totals own;
        carom_world_sum(&world->world, &own);
        carom_layout_give(&carom_layout_world_totals, totals, &own);
        carom_arithmetic_leave(before);
    }
    return status;
}

static carom_status step(carom_public_world *world, carom_step_report *report, carom_world_contacts *contacts,
                         carom_error *error) {
    if (world == NULL) {
        return no_world(error);
    }
    const carom_status status = carom_context_take(world->world.context, error);
    return status == CAROM_OK ? carom_world_run(&world->world, report, contacts, error) : status;
}

carom_status carom_world_step(carom_public_world *world, carom_step_report *report, carom_world_contacts *contacts,
                              carom_error *error) {
    carom_step_report own_report;
    carom_world_contacts own_contacts;
    memset(&own_report, 0, sizeof own_report);
    memset(&own_contacts, 0, sizeof own_contacts);
    carom_status status = report != NULL ? carom_layout_check(&carom_layout_step_report, report, error) : CAROM_OK;
    if (status == CAROM_OK && contacts != NULL) {
        status = carom_layout_check(&carom_layout_world_contacts, contacts, error);
    }
    if (status != CAROM_OK) {
        return status;
    }
    const carom_arithmetic before = carom_arithmetic_enter();
    status = step(world, &own_report, contacts != NULL ? &own_contacts : NULL, error);
    carom_arithmetic_leave(before);
    if (report != NULL) {
        carom_layout_give(&carom_layout_step_report, report, &own_report);
    }
    if (contacts != NULL) {
        carom_layout_give(&carom_layout_world_contacts, contacts, &own_contacts);
    }
    return status;
}
