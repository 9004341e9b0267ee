/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bytes as a call of detection: a few bodies, a filter, what is asked for, and how they move on. Every input is one. */
#ifndef CAROM_TESTS_FUZZ_SCENE_H
#define CAROM_TESTS_FUZZ_SCENE_H

#include <stdbool.h>

#include "tests/fuzz/bytes.h"
#include "tests/support/any_detect.h"

enum { FUZZ_BODIES_MOST = 64, FUZZ_FIELDS = 7, FUZZ_EXCLUDED_MOST = 64 };

/* What is done besides plain calls, as bits. */
typedef enum fuzz_way {
    FUZZ_WAY_STEPS = 1,    /* step after step, the bodies moved on in between */
    FUZZ_WAY_PERIODIC = 2, /* in a box about as large as the scene */
    FUZZ_WAY_SINK = 4      /* rows to a function */
} fuzz_way;

typedef struct fuzz_scene {
    any_precision precision;
    carom_bodies_f64 bodies; /* of field, in floats' values where precision is f32 */
    double field[FUZZ_FIELDS][FUZZ_BODIES_MOST];
    carom_detect_config config; /* its filter is this one, or NULL */
    carom_filter filter;
    uint32_t category[FUZZ_BODIES_MOST];
    uint32_t mask[FUZZ_BODIES_MOST];
    uint32_t group[FUZZ_BODIES_MOST];
    uint8_t fixed[FUZZ_BODIES_MOST];
    uint64_t exclusion_offset[FUZZ_BODIES_MOST + 1];
    uint32_t excluded[FUZZ_EXCLUDED_MOST];
    uint64_t salt;   /* of the filter's function */
    unsigned ways;   /* fuzz_way */
    fuzz_bytes rest; /* what has not been taken yet */
} fuzz_scene;

/* Points into *scene, which must stay where it is. */
void fuzz_scene_make(const uint8_t *data, size_t size, fuzz_scene *scene);

/* The lowest body that is none, or `count` if all are. */
uint64_t fuzz_scene_bad_body(const fuzz_scene *scene);

/* Whether all values of two bodies are multiples of one power of two, fewer than 2^24 of it, and of moderate size:
 * their quadratic and its discriminant are then exact in 113 bits, and no result leaves the range of floats. */
bool fuzz_scene_tame(const fuzz_scene *scene, uint32_t i, uint32_t k);

/* On to the next step, as the next byte of the input has it: every body from where it was, in most steps a small part
 * of its radius on, in some far or to where another is. All stay finite. */
void fuzz_scene_move_on(fuzz_scene *scene);

/* A box that repeats along some axes, half to four times as large as what holds all bodies. Its edges are powers of
 * two, one of them perhaps tilted. */
carom_periodic fuzz_scene_box(fuzz_scene *scene);

/* Whether bodies and such a box lie on one grid, so coarse that sums with whole edges are exact and so are brute
 * force's decisions. */
bool fuzz_scene_on_grid(const fuzz_scene *scene);

#endif
