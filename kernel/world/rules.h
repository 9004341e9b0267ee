/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What steps do: a caller's config that has been checked, with copies of the surfaces, the box and the filter. */
#ifndef CAROM_WORLD_RULES_H
#define CAROM_WORLD_RULES_H

#include "carom/step.h"
#include "kernel/periodic/lattice.h"
#include "kernel/sys/memory.h"

/* Zero-initialise before the first use. */
typedef struct carom_rules {
    carom_step_config config; /* its filter, periodic and surface point to the copies below, or are NULL */
    carom_filter filter;
    carom_periodic periodic;
    carom_lattice lattice;  /* of `periodic` */
    bool tilted;            /* so much that bodies are moved in a cell of the reduced edges: */
    carom_periodic reduced; /* the box that has them */
    carom_buffer surfaces;  /* the caller's, then the same with unit axes */
} carom_rules;

/* Who steps: the rules differ. */
typedef enum carom_rules_owner { CAROM_RULES_STEP, CAROM_RULES_WORLD } carom_rules_owner;

/* Checks rules->config, whose filter and periodic are NULL or point to rules->filter and rules->periodic, complete
 * structs, and copies its surfaces. Errors: ARGUMENT, MEMORY. Then the rules must not be used, but may be made again.
 */
carom_status carom_rules_make(carom_rules *rules, carom_memory *memory, carom_rules_owner owner, carom_error *error);

/* After the rules were copied to another place: config points to the copies there. */
void carom_rules_bind(carom_rules *rules);

/* The surfaces with unit axes. */
static inline const carom_surface *carom_rules_unit_surfaces(const carom_rules *rules) {
    const carom_surface *surfaces = rules->surfaces.data;
    return rules->config.surface_count > 0 ? surfaces + rules->config.surface_count : NULL;
}

void carom_rules_release(carom_rules *rules, carom_memory *memory);

/* Whether a body in the periodic box touches its own image. */
static inline bool carom_rules_meets_itself(const carom_rules *rules, double radius) {
    return !(2.0 * radius < rules->lattice.shortest);
}

#endif
