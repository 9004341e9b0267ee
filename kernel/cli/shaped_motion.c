/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* All arithmetic is in double. The sum of two floats, rounded to double and then to float, is the float sum, so bodies
 * of a scene go where spheres would. */
#include "kernel/cli/shaped_motion.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/io/heap.h"
#include "kernel/scene/scene.h"
#include "kernel/scene/turn.h"
#include "kernel/sys/arithmetic.h"

/* Bodies of a scene have floats as numbers. */
static double number(const carom_shaped *shaped, double x) {
    return shaped->has_walls ? (double)(float)x : x;
}

/* A scene's walls: all are floats. */
static void bounce(float lo, float hi, double *at, double *displacement) {
    float place = (float)*at;
    CAROM_ASSERT(lo <= hi);
    if (carom_scene_bounce(lo, hi, &place)) {
        *at = (double)place;
        *displacement = -*displacement;
    }
}

/* curr = prev + displacement. */
static void advance(const carom_shaped_motion *motion, carom_shaped *shaped) {
    CAROM_ASSERT(motion->count == shaped->count);
    for (int axis = 0; axis < 3; ++axis) {
        const float lo = (float)shaped->lo[axis];
        const float hi = (float)shaped->hi[axis];
        const double *prev = shaped->array[CAROM_SHAPED_PREV + axis];
        double *curr = shaped->array[CAROM_SHAPED_CURR + axis];
        double *displacement = motion->displacement[axis];
        for (uint64_t body = 0; body < shaped->count; ++body) {
            curr[body] = number(shaped, prev[body] + displacement[body]);
            if (shaped->has_walls) {
                bounce(lo, hi, &curr[body], &displacement[body]);
            }
        }
    }
}

/* `count` numbers of a body, from the first of these arrays on. */
static void get(const carom_shaped *shaped, int first, int count, uint64_t body, double *numbers) {
    for (int d = 0; d < count; ++d) {
        numbers[d] = shaped->array[first + d][body];
    }
}

static void put(carom_shaped *shaped, int first, int count, uint64_t body, const double *numbers) {
    for (int d = 0; d < count; ++d) {
        shaped->array[first + d][body] = number(shaped, numbers[d]);
    }
}

/* Rotations at both ends become spins, which go on from step to step, by more than half a turn too. */
static void find_spins(carom_shaped *shaped) {
    for (uint64_t body = 0; body < shaped->count && shaped->turns; ++body) {
        double from[4];
        double to[4];
        double spin[3];
        get(shaped, CAROM_SHAPED_PREV_TURN, 4, body, from);
        get(shaped, CAROM_SHAPED_CURR_TURN, 4, body, to);
        carom_scene_turn_between(from, to, spin);
        put(shaped, CAROM_SHAPED_SPIN, 3, body, spin);
    }
    shaped->spins |= shaped->turns;
    shaped->turns = false;
}

/* False if a finite number times `scale` is too large for the bodies' numbers. */
static bool scale_number(const carom_shaped *shaped, double scale, double from, double *to) {
    *to = number(shaped, scale * from);
    return isfinite(*to) || !isfinite(from);
}

static bool scale_motion(double scale, carom_shaped *shaped, const carom_shaped_motion *motion) {
    bool fits = true;
    for (int axis = 0; axis < 3; ++axis) {
        const double *prev = shaped->array[CAROM_SHAPED_PREV + axis];
        const double *curr = shaped->array[CAROM_SHAPED_CURR + axis];
        double *spin = shaped->array[CAROM_SHAPED_SPIN + axis];
        for (uint64_t body = 0; body < shaped->count; ++body) {
            const double displacement = number(shaped, curr[body] - prev[body]);
            fits = scale_number(shaped, scale, displacement, &motion->displacement[axis][body]) && fits;
            fits = scale_number(shaped, scale, spin[body], &spin[body]) && fits;
        }
    }
    return fits;
}

carom_exit carom_shaped_motion_start(double scale, carom_shaped *shaped, carom_shaped_motion *motion) {
    double *block = carom_heap_allocate(3 * shaped->count * sizeof *block);
    *motion = (carom_shaped_motion){.count = 0};
    if (block == NULL) {
        carom_say("no memory for the motion of %" PRIu64 " bodies", shaped->count);
        return CAROM_EXIT_RESOURCES;
    }
    motion->count = shaped->count;
    for (uint64_t axis = 0; axis < 3; ++axis) {
        motion->displacement[axis] = block + axis * shaped->count;
    }
    const carom_arithmetic before = carom_arithmetic_enter();
    find_spins(shaped);
    const bool fits = scale_motion(scale, shaped, motion);
    advance(motion, shaped);
    carom_arithmetic_leave(before);
    if (!fits && shaped->has_walls) { /* a file's own numbers may be the large ones: then detection names the body */
        carom_say("--displacement %g makes bodies move or turn by more than their numbers hold", scale);
        return CAROM_EXIT_USAGE;
    }
    return CAROM_EXIT_OK;
}

/* Without spins rotations stay. */
static void turn_on(carom_shaped *shaped) {
    for (uint64_t body = 0; body < shaped->count && shaped->spins; ++body) {
        double turn[4];
        double spin[3];
        get(shaped, CAROM_SHAPED_PREV_TURN, 4, body, turn);
        get(shaped, CAROM_SHAPED_SPIN, 3, body, spin);
        carom_scene_turn_on(turn, spin, turn);
        put(shaped, CAROM_SHAPED_PREV_TURN, 4, body, turn);
    }
}

void carom_shaped_motion_step(const carom_shaped_motion *motion, carom_shaped *shaped) {
    const carom_arithmetic before = carom_arithmetic_enter();
    for (int axis = 0; axis < 3; ++axis) {
        memcpy(shaped->array[CAROM_SHAPED_PREV + axis], shaped->array[CAROM_SHAPED_CURR + axis],
               shaped->count * sizeof(double));
    }
    turn_on(shaped);
    advance(motion, shaped);
    carom_arithmetic_leave(before);
}

void carom_shaped_motion_end(carom_shaped_motion *motion) {
    carom_heap_release(motion->displacement[0], 3 * motion->count * sizeof(double));
    *motion = (carom_shaped_motion){.count = 0};
}
