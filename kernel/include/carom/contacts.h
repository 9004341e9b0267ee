/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Contact rows as a structure of arrays: element n of every array belongs to pair n. The same type points to rows that
 * the library stores (carom_detection_f32.contacts), to rows that it hands to a sink (carom_block_f32.contacts), and to
 * arrays of the caller's that receive rows (carom_detect_output_f32.contacts). The library's rows are for reading only;
 * the pointers are not const so that one type serves all three. carom/detect.h defines the values. */
#ifndef CAROM_CONTACTS_H
#define CAROM_CONTACTS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Any array may be NULL. In the library's rows the arrays that the call was not asked for are NULL: after until = PAIRS
 * all but i, k and shift. */
typedef struct carom_contacts_f32 {
    /* Index of the lower body, 0 to k - 1; k itself in pairs of a body with its own image. */
    uint32_t *i;

    /* Index of the higher body, i + 1 to the number of bodies - 1; i itself in pairs of a body with its own image. */
    uint32_t *k;

    /* Time of closest approach, in steps, 0 to 1. For bodies with shapes: t_toi. */
    float *t_ca;

    /* Spheres: distance between the centres at t_ca, in units of length, >= 0. Bodies with shapes: an upper bound of the
     * signed distance at t_toi, negative in an overlap (carom/detect.h). */
    float *distance;

    /* Time of impact, in steps, 0 to 1. With all_pairs NaN where the pair does not touch. */
    float *t_toi;

    /* Unit vector from k to i at t_toi. With all_pairs 0 where the pair does not touch. */
    float *normal[3];

    /* Point of contact at t_toi, in units of length. With all_pairs 0 where the pair does not touch. */
    float *point[3];

    /* The image of body k in whole numbers of the periodic box's edges; 0 where space is open. NULL without a box. */
    int32_t *shift[3];
} carom_contacts_f32;

/* The fields are as in carom_contacts_f32, with double. */
typedef struct carom_contacts_f64 {
    uint32_t *i;
    uint32_t *k;
    double *t_ca;
    double *distance;
    double *t_toi;
    double *normal[3];
    double *point[3];
    int32_t *shift[3];
} carom_contacts_f64;

#ifdef __cplusplus
}
#endif

#endif
