/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Groups of bodies that touch, directly or through others: connected components.
 *
 * In: a union-find over slots in which all touching pairs are united. Out: for each body a label, the smallest body of
 * its group; the number of groups and the size of the largest; on request, the members of each group.
 *
 * The union-find has slots, not bodies, as its elements. A slot is a body's place in the order of the partition, so
 * slots of bodies that are close in space are close in the array, and most unions stay in cache. */
#ifndef CAROM_GROUPS_GROUPS_H
#define CAROM_GROUPS_GROUPS_H

#include <stdatomic.h>
#include <stdint.h>

#include "carom/status.h"
#include "kernel/groups/union_find.h"
#include "kernel/sort/radix_sort.h"
#include "kernel/sys/memory.h"
#include "kernel/sys/team.h"
#include "simd/dispatch.h"

typedef struct carom_group_counts {
    uint64_t groups;  /* number of groups of two bodies or more */
    uint64_t largest; /* bodies in the largest of them, or 0 */
} carom_group_counts;

/* Arrays with one entry for each slot. */
typedef struct carom_group_workspace {
    carom_union_find_parent *parent; /* all unions done */
    _Atomic uint32_t *least;         /* filled: at a root the least body of its set */
    _Atomic uint32_t *size;          /* filled: at a root the number of bodies in its set, elsewhere 0 */
    const uint32_t *body;            /* the slot's body */
    const uint32_t *slot_of;         /* the body's slot */
    uint32_t *spare;                 /* workspace; may be NULL with one worker */
    uint64_t *shares;                /* workspace: one for each worker, not for each slot */

    /* Bodies from this number on are periodic images. They are not counted. Each is in the set of a body below it that
     * is none. */
    uint64_t owned;
} carom_group_workspace;

/* Writes label[body] for `count` bodies, and points every slot at its root or at a slot that points at it. The bodies
 * are a permutation of the slots. `label` is also used as workspace; it overlaps nothing of the group workspace. Labels
 * and counts do not depend on the number of workers. They are garbage if the team is stopped. */
carom_group_counts carom_groups_label(const carom_team *team, const carom_group_workspace *workspace, uint64_t count,
                                      uint32_t *label);

/* What is wrong with the workspace before labelling; NULL if nothing is. */
const char *carom_groups_validate_slots(const carom_group_workspace *workspace, uint64_t count);

/* What is wrong with it and the labels afterwards; NULL if nothing is. */
const char *carom_groups_validate_labels(const carom_group_workspace *workspace, uint64_t count, const uint32_t *label);

/* Workspace of the member lists: `count` entries each. */
typedef struct carom_member_workspace {
    uint32_t *key;            /* labels of the members: the sort's keys */
    uint32_t *spare_key;      /* workspace of the sort */
    uint32_t *spare_member;   /* the same */
    _Atomic uint8_t *grouped; /* for each body, zero on entry: whether another body has it as its label */
    uint64_t *shares;         /* workspace: one for each worker of the team */
} carom_member_workspace;

/* Lists the members of every group of two bodies or more, groups by ascending label, members ascending: group g has
 * member[offset[g]] .. member[offset[g + 1] - 1]. member holds `count` entries, offset one more than there are groups.
 * Errors: MEMORY (the sort's histograms), CANCELLED. */
carom_status carom_groups_list(const carom_team *team, const carom_simd *simd, carom_memory *memory,
                               carom_radix_sort *sort, const carom_member_workspace *workspace, uint64_t count,
                               const uint32_t *label, uint64_t *offset, uint32_t *member);

#endif
