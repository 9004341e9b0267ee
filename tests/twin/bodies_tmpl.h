/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Random bodies and records for the twin tests of one precision. */
#ifndef CAROM_TESTS_BODIES_TMPL_H
#define CAROM_TESTS_BODIES_TMPL_H

#include "simd/isa.h"
#include "tests/support/check.h"
#include "tests/support/note.h"
#include "tests/twin/guarded.h"

/* How wild the numbers are. */
typedef enum body_kind {
    BODIES_WILD,   /* any number anywhere, NaN, infinity and negative radii too */
    BODIES_FINITE, /* finite and ordinary: what the partition is given */
    BODIES_NEAR    /* small and slow in a small box: about half of the pairs touch */
} body_kind;

/* Arrays at a random alignment of their elements. */
carom_bodies make_bodies(guarded_pool *pool, carom_random *random, uint64_t count, body_kind kind);

/* The same bodies in a layout drawn at random. It may come with other radii, all alike, or at rest: then *packed is
 * changed to these. Kernels must give for it what the twin gives for the packed ones. */
carom_bodies draw_layout(guarded_pool *pool, carom_random *random, carom_bodies *packed);

/* The same as records in order of the bodies, finite and with radii >= 0; numbers of bodies are shuffled. */
carom_record *make_records(guarded_pool *pool, carom_random *random, uint64_t count, body_kind kind);

/* A permutation. */
const uint32_t *draw_slots(guarded_pool *pool, carom_random *random, uint32_t count);

#if CAROM_REAL_BITS == 32
#define same_real guarded_same_f32
#else
#define same_real guarded_same_f64
#endif

/* Each fails with the case that repeats it. */
void check_bounds(void **state);
void check_survey(void **state);
void check_direct_bodies(void **state);
void check_home(void **state);
void check_census(void **state);
void check_codes(void **state);
void check_grid_steps(void **state);
void check_cell_lows(void **state);
void check_cell_boxes(void **state);
void check_touch(void **state);
void check_approaching(void **state);
void check_contact(void **state);
void check_fat_boxes(void **state);
void check_follow(void **state);
void check_follow_inner(void **state);
void check_follow_only_inner(void **state);
void check_place(void **state);
void check_slot_boxes(void **state);
void check_box_columns(void **state);
void lengths_decide_rightly(void **state);
void check_recheck(void **state);
void check_relative(void **state);
void check_gap_rows(void **state);
void check_manifold_rows(void **state);
void check_pose_boxes(void **state);
void check_pose_columns(void **state);
void check_swept_boxes(void **state);
void check_apart(void **state);
void check_apart_moving(void **state);
void check_quick(void **state);
void bounds_contain_the_exact_box(void **state);
void touch_agrees_with_the_definition(void **state);
void contacts_meet_their_definitions(void **state);

#endif
