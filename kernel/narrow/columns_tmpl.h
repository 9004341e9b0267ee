/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Pairs of a caller's bodies as a block of columns (kernel/narrow/many.h): positions and rotations at the start of the
 * step, as they are, valid or not. */
#ifndef CAROM_NARROW_COLUMNS_TMPL_H
#define CAROM_NARROW_COLUMNS_TMPL_H

#include "kernel/narrow/columns.h"
#include "kernel/narrow/many.h"
#include "simd/precision.h"

#define carom_columns_load CAROM_REAL(carom_columns_load)
#define carom_columns_load_bodies CAROM_REAL(carom_columns_load_bodies)
#define carom_columns_load_motion CAROM_REAL(carom_columns_load_motion)
#define carom_columns_load_poses CAROM_REAL(carom_columns_load_poses)
#define carom_columns_keep_poses CAROM_REAL(carom_columns_keep_poses)

/* Gives places to `count` pairs i[n], k[n] and fills the columns there. The bodies have shapes. Pairs of bodies or
 * shapes that do not exist have no place. */
void carom_columns_load(const carom_bodies *bodies, const uint32_t *i, const uint32_t *k, uint32_t count,
                        carom_many *many);

/* A body at rest in one cache line, or half of one. */
typedef struct carom_columns_pose {
    carom_real at[3];
    uint32_t shape;
    carom_real turn[4];
} carom_columns_pose;

/* The same for pairs of poses, whose shapes are there. */
void carom_columns_load_poses(const carom_shapes *shapes, const carom_columns_pose *poses, const uint32_t *i,
                              const uint32_t *k, uint32_t count, const carom_simd *simd, carom_many *many);

/* The poses of `count` bodies whose columns are filled. */
void carom_columns_keep_poses(const carom_columns_bodies *columns, uint32_t count, carom_columns_pose *poses);

/* Fills the columns of bodies [first, first + count), count <= CAROM_BLOCK_PAIRS. A body whose shape is not
 * there has a compound's columns. */
void carom_columns_load_bodies(const carom_bodies *bodies, uint64_t first, uint32_t count,
                               carom_columns_bodies *columns);

/* The same for how they move. */
void carom_columns_load_motion(const carom_bodies *bodies, uint64_t first, uint32_t count, carom_block_motion *motion);

#endif
