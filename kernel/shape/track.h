/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A convex shape on its way through a step: a body's own, or a child of its compound, which moves about the body's
 * origin. */
#ifndef CAROM_SHAPE_TRACK_H
#define CAROM_SHAPE_TRACK_H

#include "kernel/shape/motion.h"
#include "kernel/shape/revolution.h"
#include "simd/proof.h"

typedef struct carom_track {
    const carom_moving *body;
    carom_swing swing; /* a convex shape, or a half-space or line at rest. Its angle is 0 for a point at the body's origin */
    const carom_shape_child *child; /* its place in the body's frame; NULL: the frame itself */
    double reach;      /* no point of the shape is farther from the body's origin; 0 for half-spaces and lines */
    double error;        /* no point's pose, relative to the body's position, is off by more */
} carom_track;

/* Beside what the motion makes: a child's pose is off by this times its reach about the body's origin. Each entry of
 * the product of two rotations is within 2^-48 of the exact one, which moves a vector by less than 3 2^-48. */
#define CAROM_CHILD_ERROR 0x1p-46

/* Of a shape that turns by no more radians than this, swing.around is the core's reach: a better bound is not worth its
 * time. */
#define CAROM_TRACK_FAST 2.0

/* Makes swing.around the least bound there is. */
void carom_track_measure(carom_track *track);

/* How many convex shapes a body has: 1, or the compound's children. */
uint32_t carom_track_count(const carom_moving *body);

/* The body's convex shape `number`. */
void carom_track_make(const carom_moving *body, uint32_t number, carom_track *track);

/* Its pose at t, relative to the body's position then. */
void carom_track_pose(const carom_track *track, double t, carom_posed *posed);

#endif
