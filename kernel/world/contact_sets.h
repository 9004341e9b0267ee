/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Pairs in contact in this step and in the one before. Both are in the order of the serials of their bodies, which stay
 * what they are when bodies come and go, so one walk compares them. */
#ifndef CAROM_WORLD_CONTACT_SETS_H
#define CAROM_WORLD_CONTACT_SETS_H

#include "kernel/impacts/list.h"
#include "kernel/world/mover.h"
#include "kernel/world/table.h"

typedef struct carom_contact {
    uint64_t serial_i;
    uint64_t serial_k;
    carom_handle i;
    carom_handle k;
} carom_contact;

/* Zero-initialise before the first use. */
typedef struct carom_contact_sets {
    carom_list before; /* of carom_contact */
    carom_list now;
    carom_buffer keys;    /* pairs of places, and room for sorting */
    carom_buffer handles; /* what the caller gets */
} carom_contact_sets;

/* Lists the pairs of the mover's step, and makes room for comparing them. Errors: MEMORY, CANCELLED. */
carom_status carom_contact_sets_prepare(carom_contact_sets *sets, const carom_mover *mover,
                                        const carom_mover_impacts *impacts, const carom_world_table *table,
                                        carom_error *error);

/* Compares what was prepared with the step before, and keeps it for the next one. */
void carom_contact_sets_compare(carom_contact_sets *sets, carom_world_contacts *contacts);

/* Forgets the step before. */
void carom_contact_sets_forget(carom_contact_sets *sets);

/* Whether a comes before b. */
bool carom_contact_precedes(const carom_contact *a, const carom_contact *b);

void carom_contact_sets_release(carom_contact_sets *sets, carom_memory *memory);

#endif
