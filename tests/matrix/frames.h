/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The scenes of the result hashes: one step, or several of a scene in motion, in both precisions. */
#ifndef CAROM_TESTS_MATRIX_FRAMES_H
#define CAROM_TESTS_MATRIX_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/carom.h"

/* How the library is called. */
typedef enum call_kind {
    CALL_OPEN,     /* one cold detection */
    CALL_PERIODIC, /* the same with the scene's box repeated along all axes */
    CALL_COHERENT, /* FRAMES_MOST steps, one after the other */
    CALL_KINDS
} call_kind;

enum { FRAMES_MOST = 4 };

typedef struct frames {
    call_kind call;
    uint32_t count;
    carom_bodies_f32 bodies_f32[FRAMES_MOST];
    carom_bodies_f64 bodies_f64[FRAMES_MOST];
    carom_periodic box;
} frames;

/* Makes the frames of a standard scene or one at the edge of touching (edge_scene.h; of that one step only), every
 * coordinate and radius times 2^exponent and rounded to float: with an exponent of -132 most are subnormal. Ends the
 * program if there is no memory. */
frames frames_make(call_kind call, char letter, uint64_t bodies, int exponent);

void frames_release(frames *f);

typedef struct hashes {
    uint64_t touching;
    uint64_t result;
} hashes;

/* Hashes of the call, those of several steps folded into one. False if a call failed. */
bool frames_hash_f32(const frames *f, carom_context *context, hashes *found);
bool frames_hash_f64(const frames *f, carom_context *context, hashes *found);

#endif
