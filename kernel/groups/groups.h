/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* From a union-find over slots to groups of bodies: labels, sizes, member lists. A slot is a body's place in swept
 * order: neighbours in space are neighbours in the parent array, so that uniting and finding stay in cache. */
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
    uint64_t groups;  /* of two bodies or more */
    uint64_t largest; /* bodies in the largest of them, or 0 */
} carom_group_counts;

/* One entry a slot. */
typedef struct carom_group_workspace {
    carom_union_find_parent *parent; /* all unions done */
    _Atomic uint32_t *least;         /* filled: at a root the least body of its set */
    _Atomic uint32_t *size;          /* filled: at a root the bodies of its set, elsewhere 0 */
    const uint32_t *body;            /* the slot's body */
    const uint32_t *slot_of;         /* the body's slot */
    uint32_t *spare;                 /* to be used as wanted; not with one worker */
    uint64_t owned; /* bodies from this one on are images: not counted, each in the set of a lower body that is */
} carom_group_workspace;

/* Points every slot at its root or at a slot that does, and writes label[body], the smallest body of its set. Bodies
 * are a permutation of the slots. `label` has an entry for each, is used for other things before, and overlaps nothing
 * of the space. Labels and counts do not depend on the number of workers. */
carom_group_counts carom_groups_label(const carom_team *team, const carom_group_workspace *workspace, uint64_t count,
                                      uint32_t *label);

/* Work space of the member lists: count entries each. */
typedef struct carom_member_workspace {
    uint32_t *key;
    uint32_t *spare_key;
    uint32_t *spare_member;
    _Atomic uint8_t *grouped; /* a body, zero on entry: some other body has it as its label */
} carom_member_workspace;

/* Lists the members of every group of two or more: group by ascending label, members ascending. member holds `count`
 * entries, offset groups + 1. Errors: MEMORY (the sort's histograms). */
carom_status carom_groups_list(const carom_team *team, const carom_simd *simd, carom_memory *memory,
                               carom_radix_sort *sort, const carom_member_workspace *workspace, uint64_t count,
                               const uint32_t *label, uint64_t *offset, uint32_t *member);

#endif
