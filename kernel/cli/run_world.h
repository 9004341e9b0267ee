/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The world of a run, in either precision. */
#ifndef CAROM_CLI_RUN_WORLD_H
#define CAROM_CLI_RUN_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/world.h"
#include "kernel/cli/run_bodies.h"
#include "kernel/io/moment.h"

typedef struct carom_run_world {
    bool wide; /* which of the two there is */
    carom_world_f32 *f32;
    carom_world_f64 *f64;
} carom_run_world;

/* Makes a world of the bodies, whose ids become their user words. Errors: as of carom_world_create and carom_world_add.
 * Destroy also after a failure. */
carom_status carom_run_world_make(carom_context *context, bool wide, const carom_step_config *config,
                                  const carom_run_bodies *bodies, carom_run_world *world, carom_error *error);

/* Makes a world of a snapshot, which is of doubles if `wide`. Errors: as of carom_world_load. */
carom_status carom_run_world_load(carom_context *context, bool wide, const void *bytes, uint64_t size,
                                  carom_run_world *world, carom_error *error);
void carom_run_world_destroy(carom_run_world *world);

/* The functions of carom/world.h, for the world's precision. */
carom_status carom_run_world_configure(carom_run_world *world, const carom_step_config *config, carom_error *error);
carom_status carom_run_world_step(carom_run_world *world, carom_step_report *report, carom_error *error);
carom_status carom_run_world_total(const carom_run_world *world, carom_world_totals *totals, carom_error *error);
carom_status carom_run_world_save(const carom_run_world *world, void *bytes, uint64_t capacity, uint64_t *size,
                                  carom_error *error);
const carom_step_config *carom_run_world_config(const carom_run_world *world);
const carom_handle *carom_run_world_handles(const carom_run_world *world);
uint64_t carom_run_world_count(const carom_run_world *world);

/* What bodies are at one time: arrays of float or double, as the world has them. Zero-initialise before the first use.
 */
typedef struct carom_run_view {
    uint64_t count;
    void *position[3];
    void *velocity[3];
    void *radius;
    void *mass;
    uint64_t *id;
    void *memory; /* one allocation behind all arrays */
    uint64_t bytes;
} carom_run_view;

/* Reads all bodies in their order. Errors: MEMORY. */
carom_status carom_run_view_read(const carom_run_world *world, carom_run_view *view, carom_error *error);
void carom_run_view_release(carom_run_view *view);

#endif
