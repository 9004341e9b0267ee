/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* From contacts of owned bodies and images to contacts of the caller's bodies and shifts. */
#ifndef CAROM_PERIODIC_IMAGE_ROWS_H
#define CAROM_PERIODIC_IMAGE_ROWS_H

#include "kernel/periodic/images.h"
#include "kernel/store/row_table.h"

/* A block of double rows of a shape with shifts, as the cells leave it: i is owned, k owned or an image. */
typedef struct carom_image_rows {
    carom_row_shape shape;
    void *block;
    uint64_t capacity;
    uint64_t count;
} carom_image_rows;

/* Makes i and k bodies of the caller's, i < k; sets the shifts, turns the normals of pairs whose bodies change places,
 * and moves the points to where the caller has body i. */
void carom_image_rows_map(const carom_team *team, const carom_images *images, const carom_image_rows *rows);
/* The same by the calling thread alone. */
void carom_image_rows_map_alone(const carom_images *images, const carom_image_rows *rows);

/* Rounds rows of doubles to rows of floats, once. */
void carom_image_rows_narrow(const carom_team *team, const carom_image_rows *from, const carom_image_rows *to);
void carom_image_rows_narrow_alone(const carom_image_rows *from, const carom_image_rows *to);

/* Bits that the shifts of one pair differ in, at most; and a number of so many bits that orders them. */
uint32_t carom_image_rows_bits(const carom_images *images);
uint64_t carom_image_rows_rank(const carom_images *images, const carom_image_rows *rows, uint64_t n);

#endif
