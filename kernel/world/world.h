/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What a world is: bodies, rules, and what steps keep. One struct serves both precisions: numbers are doubles, and in
 * worlds of floats they are floats whenever no step is under way. */
#ifndef CAROM_WORLD_WORLD_H
#define CAROM_WORLD_WORLD_H

#include "kernel/world/contact_sets.h"
#include "kernel/world/merge.h"
#include "kernel/world/mover.h"
#include "kernel/world/rules.h"
#include "kernel/world/table.h"

typedef struct carom_world_state {
    carom_context *context;
    bool single;   /* a world of floats */
    bool resumes;  /* neither bodies nor rules have changed since the last step */
    bool filtered; /* some body has had a category or a mask of its own */
    carom_rules rules;
    carom_world_table table;
    carom_mover mover;
    carom_merge merge;
    carom_contact_sets contacts;
} carom_world_state;

/* An empty world at `world`, with rules to be made. */
void carom_world_init(carom_world_state *world, carom_context *context, bool single);

/* Gives all memory back but the struct's own. */
void carom_world_release(carom_world_state *world);

/* Exchanges the rules for others, which were made with the context's memory and now belong to the world. */
void carom_world_set_rules(carom_world_state *world, carom_rules *rules);

/* The restitution of a body, its own or the world's. */
double carom_world_restitution(const carom_world_state *world, uint64_t n);

/* Steps the world, with a context that the caller has taken and this function gives back. `contacts` may be NULL. On
 * any error the world is as it was. Errors: as carom_world_step. */
carom_status carom_world_run(carom_world_state *world, carom_step_report *report, carom_world_contacts *contacts,
                             carom_error *error);

/* What the world has in sum. */
void carom_world_sum(const carom_world_state *world, carom_world_totals *totals);

#endif
