/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bytes as a call of detection: a few bodies, a filter, what is asked for, and how they move on. Every input is one:
 *   byte 0    bit 0 the precision; the others choose the context it is tried on
 *   byte 1    until mod 4; a wild scene if the three topmost bits are set
 *   byte 2    method mod 5
 *   byte 3    neighbours mod 3
 *   byte 4    bits 0 to 4 count_only, all_pairs, sort_pairs, group_members, hash; bits 5 to 7 the way mod 5
 *   byte 5    parts of the filter, a bit each; 0: no filter
 *   byte 6    bodies mod 65, but no more than begin before the input ends
 * then body by body its kind mod 6 (from 0xF0 on a radius keeps its sign) and what that takes (scene.c), the filter's
 * parts, two bytes of the periodic box, and a byte for every move. What lies beyond the end is 0. */
#ifndef CAROM_TESTS_FUZZ_SCENE_H
#define CAROM_TESTS_FUZZ_SCENE_H

#include <stdbool.h>

#include "tests/fuzz/bytes.h"
#include "tests/support/any_detect.h"

enum { FUZZ_BODIES_MOST = 64, FUZZ_FIELDS = 7, FUZZ_EXCLUDED_MOST = 64 };

/* What is done besides the call that asks for everything. */
typedef enum fuzz_way {
    FUZZ_WAY_ASKED,         /* a call that asks for what the input says */
    FUZZ_WAY_STEPS,         /* step after step, the bodies moved on in between */
    FUZZ_WAY_PERIODIC,      /* in a box about as large as the scene */
    FUZZ_WAY_SINK,          /* rows to a function */
    FUZZ_WAY_PERIODIC_SINK, /* both */
    FUZZ_WAYS
} fuzz_way;

typedef struct fuzz_scene {
    any_precision precision;
    unsigned pick;           /* chooses the context */
    bool wild;               /* doubles of any exponent, of which every decision takes integers of thousands of bits */
    carom_bodies_f64 bodies; /* of field, in floats' values where precision is f32 */
    double field[FUZZ_FIELDS][FUZZ_BODIES_MOST];
    carom_detect_config config; /* its filter is this one, or NULL */
    carom_filter filter;
    uint32_t category[FUZZ_BODIES_MOST];
    uint32_t mask[FUZZ_BODIES_MOST];
    uint32_t group[FUZZ_BODIES_MOST];
    uint8_t fixed[FUZZ_BODIES_MOST];
    uint8_t part[FUZZ_BODIES_MOST];
    uint64_t exclusion_offset[FUZZ_BODIES_MOST + 1];
    uint32_t excluded[FUZZ_EXCLUDED_MOST];
    uint64_t salt; /* of the filter's function */
    fuzz_way way;
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
 * of its radius on, in some far or to where another is. All stay finite. False, and nothing done, if the input has come
 * to its end. */
bool fuzz_scene_move_on(fuzz_scene *scene);

/* Whether there can be such a box as the next function makes. In one much smaller than the scene bodies would have more
 * images than memory holds. */
bool fuzz_scene_fits_box(const fuzz_scene *scene);

/* A box that repeats along some axes, half to four times as large as what holds all bodies. Its edges are powers of
 * two, one of them perhaps tilted. */
carom_periodic fuzz_scene_box(fuzz_scene *scene);

/* Whether bodies and such a box lie on one grid, so coarse that sums with whole edges are exact and so are brute
 * force's decisions. */
bool fuzz_scene_on_grid(const fuzz_scene *scene);

#endif
