/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Groups brought up to date. In: the groups of the step before and the pairs that began or ended. Out: the groups. */
#ifndef CAROM_COHERENT_REGROUP_H
#define CAROM_COHERENT_REGROUP_H

#include "kernel/coherent/state.h"

/* Brings the groups up to date after `changed` pairs began or ended. Returns false if so many bodies are concerned that
 * starting anew is cheaper: then nothing may be used of them. Serial. */
bool carom_regroup_update(carom_coherent *state, uint64_t changed, carom_group_counts *counts);
/* Bytes of NODES and MEMBERS. */
uint64_t carom_regroup_nodes_bytes(uint64_t count);
uint64_t carom_regroup_members_bytes(uint64_t count);
/* Labels all bodies anew from the touching pairs. */
carom_group_counts carom_regroup_all(carom_coherent *state);

#endif
