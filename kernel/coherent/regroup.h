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
/* Whether an update after so many changes can be worth its while, by what the last one has cost. */
bool carom_regroup_is_promising(const carom_coherent *state, uint64_t changed);
/* A step goes by without an update: what the last one has cost counts less. */
void carom_regroup_forget(carom_coherent *state);
/* Bytes of NODES and MEMBERS. */
uint64_t carom_regroup_nodes_bytes(uint64_t count);
uint64_t carom_regroup_members_bytes(uint64_t count);
/* Labels all bodies anew, in parts: every slot is alone; slots of pairs that touch are united, by any workers at once;
 * the groups get their labels. */
void carom_regroup_start(carom_coherent *state);
void carom_regroup_unite(const carom_coherent *state, uint64_t count, const uint32_t *i, const uint32_t *k);
carom_group_counts carom_regroup_label(carom_coherent *state);
/* All parts, with the touching pairs of the list. */
carom_group_counts carom_regroup_all(carom_coherent *state);

#endif
