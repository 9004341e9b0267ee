/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Contact rows of a periodic box. In: rows of owned bodies and images, in double. Out: rows of the caller's bodies,
 * with shifts, points where the caller has body i, and, where the caller has floats, rounded to float once. */
#ifndef CAROM_PERIODIC_IMAGE_ROWS_H
#define CAROM_PERIODIC_IMAGE_ROWS_H

#include "kernel/periodic/image_set.h"
#include "kernel/store/row_table.h"
#include "simd/kernels.h"

/* Rows of a shape with shifts. As cold detection leaves them, i is owned, and k owned or an image. */
typedef struct carom_image_rows {
    carom_row_shape shape;
    void *block; /* memory for `capacity` rows */
    uint64_t capacity;
    uint64_t count; /* rows, <= capacity */
} carom_image_rows;

/* Makes i and k bodies of the caller's, i <= k; sets the shifts, turns the normals of pairs whose bodies change places,
 * and moves the points to where the caller has body i. Where i is k the first shift that is not 0 is positive. */
void carom_image_rows_map(const carom_team *team, const carom_images *images, const carom_image_rows *rows);
/* The same on the calling thread. */
void carom_image_rows_map_alone(const carom_images *images, const carom_image_rows *rows);

/* Moves the point of row n by so many of the caller's edges. */
void carom_image_rows_move_point(const carom_lattice *lattice, const double number[3], const carom_contacts_f64 *rows,
                                 uint64_t n);
/* Turns row n round, which is of these records as i and k: its normal then points the other way. */
void carom_image_rows_turn(const carom_record_f64 *i, const carom_record_f64 *k, const carom_contacts_f64 *rows,
                           uint64_t n);

/* Rounds rows of doubles to rows of floats. to->count is not set. */
void carom_image_rows_narrow(const carom_team *team, const carom_image_rows *from, const carom_image_rows *to);
void carom_image_rows_narrow_alone(const carom_image_rows *from, const carom_image_rows *to);

/* Rows of one pair of bodies differ in their shifts: a number that orders them, and how many bits it has at most. */
uint32_t carom_image_rows_bits(const carom_images *images);
uint64_t carom_image_rows_rank(const carom_images *images, const carom_image_rows *rows, uint64_t n);

#endif
