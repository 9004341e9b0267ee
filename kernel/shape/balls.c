/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: the children of a compound. Out: balls around groups of them. Children are in the order of a curve that goes
 * through one octant of space after the other (Morton 1966), so that those of a group are near each other. The order
 * decides how many balls a search looks at, and nothing else. */
#include "kernel/shape/balls.h"

#include <math.h>
#include <stdbool.h>

#include "kernel/check/assert.h"
#include "simd/compare.h"
#include "simd/vector.h"

/* Above the roundings of a few sums, a length and a middle. */
static const double ROUNDING_UP = 1.0 + 0x1p-45;

/* Cells along each axis: 16 bits of a code. The 16 lowest bits of a key are the child's number. */
static const double CELLS = 0x1p16;
enum { CELL_BITS = 16 };

void carom_balls_count(uint32_t children, carom_balls *balls) {
    uint32_t count = children;
    CAROM_ASSERT(children >= CAROM_BALLS_LEAST && children <= CAROM_COMPOUND_CHILDREN_MAX);
    balls->levels = 1;
    balls->count[0] = count;
    while (count > CAROM_BALLS_GROUP) {
        count = (count + CAROM_BALLS_GROUP - 1) / CAROM_BALLS_GROUP;
        balls->count[balls->levels++] = count;
    }
}

/* The lowest corner of all origins, and the longest side of their box. */
static double measure_origins(const carom_shape_entry *compound, double lo[3]) {
    double hi[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    double side = 0.0;
    for (int d = 0; d < 3; d++) {
        lo[d] = HUGE_VAL;
        for (uint32_t n = 0; n < compound->child_count; n++) {
            lo[d] = carom_lesser(lo[d], compound->child[n].at[d]);
            hi[d] = carom_greater(hi[d], compound->child[n].at[d]);
        }
        side = carom_greater(side, hi[d] - lo[d]);
    }
    return side;
}

/* Where a child lies along the curve, and its number. */
static uint64_t key_of(const double at[3], const double lo[3], double side, uint32_t number) {
    uint64_t code = 0;
    for (int d = 0; d < 3; d++) {
        const double place = side > 0.0 ? (at[d] - lo[d]) / side * CELLS : 0.0;
        const uint32_t cell = (uint32_t)carom_lesser(place, CELLS - 1.0);
        for (int bit = 0; bit < CELL_BITS; bit++) {
            code |= (uint64_t)(cell >> bit & 1) << (3 * bit + d);
        }
    }
    return code << CELL_BITS | number;
}

/* Lets the key at `hole` sink to where no key below it is greater. */
static void sink(uint64_t *key, uint32_t hole, uint32_t count) {
    const uint64_t moved = key[hole];
    for (uint32_t below = 2 * hole + 1; below < count; below = 2 * hole + 1) {
        below += below + 1 < count && key[below + 1] > key[below] ? 1 : 0;
        if (key[below] <= moved) {
            break;
        }
        key[hole] = key[below];
        hole = below;
    }
    key[hole] = moved;
}

/* Heapsort (Williams 1964): it needs no room. */
static void sort(uint64_t *key, uint32_t count) {
    for (uint32_t n = count / 2; n > 0; n--) {
        sink(key, n - 1, count);
    }
    for (uint32_t left = count; left > 1; left--) {
        const uint64_t greatest = key[0];
        key[0] = key[left - 1];
        key[left - 1] = greatest;
        sink(key, 0, left - 1);
    }
}

void carom_balls_child(const carom_shape_entry *compound, uint32_t number, carom_ball *ball) {
    const carom_shape_child *child = &compound->child[number];
    const double reach = compound->table[child->shape].reach;
    *ball = (carom_ball){.at = {child->at[0], child->at[1], child->at[2]},
                         .radius = reach,
                         .far = (carom_vector_length(child->at) + reach) * ROUNDING_UP};
}

/* A ball around others, about the middle of their box. */
static void enclose(const carom_ball *part, uint32_t count, carom_ball *ball) {
    *ball = (carom_ball){.radius = 0.0};
    for (int d = 0; d < 3; d++) {
        double lo = HUGE_VAL;
        double hi = -HUGE_VAL;
        for (uint32_t n = 0; n < count; n++) {
            lo = carom_lesser(lo, part[n].at[d] - part[n].radius);
            hi = carom_greater(hi, part[n].at[d] + part[n].radius);
        }
        ball->at[d] = 0.5 * lo + 0.5 * hi;
    }
    for (uint32_t n = 0; n < count; n++) {
        double between[3];
        carom_vector_add(part[n].at, -1.0, ball->at, between);
        ball->radius = carom_greater(ball->radius, (carom_vector_length(between) + part[n].radius) * ROUNDING_UP);
        ball->far = carom_greater(ball->far, part[n].far);
    }
}

void carom_balls_fill(const carom_shape_entry *compound, const carom_balls *balls) {
    _Static_assert(sizeof(carom_ball) >= sizeof(uint64_t), "the children's balls have room for their keys");
    const uint32_t count = compound->child_count;
    uint64_t *key = (void *)balls->ball[0];
    double lo[3];
    const double side = measure_origins(compound, lo);
    for (uint32_t n = 0; n < count; n++) {
        key[n] = key_of(compound->child[n].at, lo, side, n);
    }
    sort(key, count);
    for (uint32_t n = 0; n < count; n++) {
        balls->child[n] = (uint16_t)(key[n] & 0xFFFF);
    }
    for (uint32_t n = 0; n < count; n++) {
        carom_balls_child(compound, balls->child[n], &balls->ball[0][n]);
    }
    for (uint32_t level = 1; level < balls->levels; level++) {
        for (uint32_t n = 0; n < balls->count[level]; n++) {
            const uint32_t first = CAROM_BALLS_GROUP * n;
            const uint32_t left = balls->count[level - 1] - first;
            enclose(&balls->ball[level - 1][first], left < CAROM_BALLS_GROUP ? left : CAROM_BALLS_GROUP,
                    &balls->ball[level][n]);
        }
    }
}
