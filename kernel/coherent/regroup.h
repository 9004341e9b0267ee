/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Groups of touching bodies, updated. In: the groups of the step before, and the pairs that began or ended. Out: the
 * groups of this step. A pair that begins merges two groups. Where a pair ends, its group is split into single bodies,
 * which the remaining pairs merge again; if one body had no other pair, only that body leaves. All other groups keep
 * their labels. The members of a group form a ring, so the cost is that of the change, not that of the scene. */
#ifndef CAROM_COHERENT_REGROUP_H
#define CAROM_COHERENT_REGROUP_H

#include "kernel/coherent/state.h"

/* Updates the groups after `changed` pairs began or ended. False if so many bodies are concerned that labelling all
 * bodies anew is cheaper: then labels and counts are not valid. Serial. */
bool carom_regroup_update(carom_coherent *state, uint64_t changed, carom_group_counts *counts);
/* Bytes of NODES and MEMBERS. */
uint64_t carom_regroup_nodes_bytes(uint64_t count);
uint64_t carom_regroup_members_bytes(uint64_t count);
/* Labels all bodies anew from the touching pairs. */
carom_group_counts carom_regroup_all(carom_coherent *state);

#endif
