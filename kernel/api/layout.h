/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Public structs that begin with `size` may get members at their end in later versions (carom/version.h). A caller may
 * have been compiled against an older or a newer header than the library. In: the caller's struct. Out: the library's
 * own, complete, in which members that the caller's lacks have their default. The rest of the library sees only
 * these. */
#ifndef CAROM_API_LAYOUT_H
#define CAROM_API_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/carom.h"

/* What is known of a struct. */
typedef struct carom_layout {
    const char *name; /* for messages */
    size_t first;     /* bytes up to the last member that version 0.2 has */
    size_t full;      /* bytes of this library's */
    bool zero;        /* size 0 stands for `first` */
} carom_layout;

/* All of them: name without carom_; last member in version 0.2, which never changes once that is released; last member
 * now; zero. */
#define CAROM_LAYOUT_LIST(LAYOUT)                                                                                      \
    LAYOUT(bodies_f32, reserved, spin_stride, true)                                                                    \
    LAYOUT(bodies_f64, common_radius, spin_stride, true)                                                               \
    LAYOUT(detect_output_f32, sink_user, child_k, true)                                                                \
    LAYOUT(detect_output_f64, sink_user, child_k, true)                                                                \
    LAYOUT(detection_f32, order, child_k, true)                                                                        \
    LAYOUT(detection_f64, order, child_k, true)                                                                        \
    LAYOUT(coherent_report, ended_k, ended_k, true)                                                                    \
    LAYOUT(detect_config, reserved_bytes, tolerance, false)                                                            \
    LAYOUT(filter, part, part, false)                                                                                  \
    LAYOUT(periodic, reserved, reserved, false)                                                                        \
    LAYOUT(context_config, executor, executor, false)                                                                  \
    LAYOUT(coherent_config, steps_ahead, steps_ahead, false)                                                           \
    LAYOUT(query_config, cancel, cancel, false)                                                                        \
    LAYOUT(list_config, cancel, cancel, false)                                                                         \
    LAYOUT(lists, reason, reason, true)                                                                                \
    LAYOUT(distance_config, cancel, states, false)                                                                     \
    LAYOUT(toi_config, cancel, cancel, false)                                                                          \
    LAYOUT(query_answer_f32, seconds, seconds, true)                                                                   \
    LAYOUT(query_answer_f64, seconds, seconds, true)                                                                   \
    LAYOUT(step_config, cancel, cancel, false)                                                                         \
    LAYOUT(motion_f32, reserved, reserved, true)                                                                       \
    LAYOUT(motion_f64, common_radius, common_radius, true)                                                             \
    LAYOUT(step_report, reserved, reserved, true)                                                                      \
    LAYOUT(world_bodies_f32, user, user, true)                                                                         \
    LAYOUT(world_bodies_f64, user, user, true)                                                                         \
    LAYOUT(world_contacts, ended_k, ended_k, true)                                                                     \
    LAYOUT(worlds_config, cancel, cancel, false)                                                                       \
    LAYOUT(worlds_result_f32, seconds, seconds, true)                                                                  \
    LAYOUT(worlds_result_f64, seconds, seconds, true)                                                                  \
    LAYOUT(world_totals, hash, hash, true)

#define CAROM_LAYOUT_DECLARE(type, first, last, zero) extern const carom_layout carom_layout_##type;
CAROM_LAYOUT_LIST(CAROM_LAYOUT_DECLARE)
#undef CAROM_LAYOUT_DECLARE

/* ARGUMENT, with a message that names the struct, unless its size is one that some version may have. */
carom_status carom_layout_check(const carom_layout *layout, const void *given, carom_error *error);

/* Copies the caller's struct over *own, which holds the defaults, as far as the library knows its members, and sets its
 * size to the library's. NULL leaves the defaults. Errors: ARGUMENT for a wrong size, and for members that the library
 * does not know and that are not zero. */
carom_status carom_layout_take(const carom_layout *layout, void *own, const void *given, carom_error *error);

/* Sets the caller's struct to 0, but for its size. */
void carom_layout_clear(const carom_layout *layout, void *given);

/* Copies *own over the caller's struct, as much as that has room for. The caller's size stays. */
void carom_layout_give(const carom_layout *layout, void *given, const void *own);

#endif
