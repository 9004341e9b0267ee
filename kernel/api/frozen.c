/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What no version may change, checked when the library is compiled (carom/version.h). It makes no code. */
#include "kernel/api/layout.h"

/* Sizes of structs that do not begin with `size`: callers embed them, or hold arrays of their own size. Other systems
 * have other sizes of pointers, but the members are the same. */
#if UINTPTR_MAX == UINT64_MAX
#define FROZEN(type, bytes) _Static_assert(sizeof(type) == (bytes), #type " is frozen")
FROZEN(carom_contacts_f32, 112);
FROZEN(carom_contacts_f64, 112);
FROZEN(carom_groups, 32);
FROZEN(carom_neighbours, 24);
FROZEN(carom_detect_summary, 592);
FROZEN(carom_error, 280);
FROZEN(carom_allocator, 24);
FROZEN(carom_executor, 24);
FROZEN(carom_cancel, 4);
FROZEN(carom_surface, 136);
FROZEN(carom_event, 96);
FROZEN(carom_shape, 72);
FROZEN(carom_shape_child, 64);
FROZEN(carom_shape_facts, 80);
FROZEN(carom_gap_f32, 68);
FROZEN(carom_gap_f64, 120);
FROZEN(carom_manifold_f32, 64);
FROZEN(carom_manifold_f64, 128);
FROZEN(carom_pose_f32, 36);
FROZEN(carom_pose_f64, 64);
FROZEN(carom_sweep_f32, 24);
FROZEN(carom_sweep_f64, 48);
FROZEN(carom_toi_f32, 60);
FROZEN(carom_toi_f64, 104);

/* A struct that may grow ends with its last member. Were there padding behind it, a later member could come to lie
 * where older callers have bytes that nobody sets. */
#define ENDS(type, first, last, zero)                                                                                  \
    _Static_assert(offsetof(carom_##type, last) + sizeof(((carom_##type *)0)->last) == sizeof(carom_##type),           \
                   "carom_" #type ": name its last member in kernel/api/layout.h; fill padding with `reserved`");
CAROM_LAYOUT_LIST(ENDS)
#endif
