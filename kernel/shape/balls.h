/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Balls around the children of a compound, around groups of neighbours, around groups of these, and so on: a bounding
 * volume tree with eight branches at each fork, which tells fast which children may matter for another shape. */
#ifndef CAROM_SHAPE_BALLS_H
#define CAROM_SHAPE_BALLS_H

#include <stdint.h>

#include "simd/posed.h"

enum {
    CAROM_BALLS_LEAST = 17, /* children; fewer are looked at one by one as fast */
    CAROM_BALLS_GROUP = 8,
    CAROM_BALLS_LEVELS = 6 /* 8^6 is more than CAROM_COMPOUND_CHILDREN_MAX */
};

/* A ball in the compound's frame. It holds its children, wherever they turn about their own origins. */
typedef struct carom_ball {
    double at[3];
    double radius; /* rounded up */
    double far;    /* no point of a child is farther from the compound's origin; rounded up */
} carom_ball;

typedef struct carom_balls {
    uint32_t levels;
    uint32_t count[CAROM_BALLS_LEVELS]; /* of each level; of the last one at most CAROM_BALLS_GROUP */

    /* Level 0 has a ball for each child. Ball n of another level holds those from CAROM_BALLS_GROUP n on of the level
     * below, CAROM_BALLS_GROUP of them or what is left. */
    carom_ball *ball[CAROM_BALLS_LEVELS];
    uint16_t *child; /* whose ball each of level 0 is */
} carom_balls;

/* Sets levels and counts for `children` children, CAROM_BALLS_LEAST or more. */
void carom_balls_count(uint32_t children, carom_balls *balls);

/* Fills the arrays, which are there, for a compound whose children's entries are complete. Takes n log n steps. */
void carom_balls_fill(const carom_shape_entry *compound, const carom_balls *balls);

/* The ball of child `number` of a compound. */
void carom_balls_child(const carom_shape_entry *compound, uint32_t number, carom_ball *ball);

#endif
