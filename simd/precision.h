/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Names for templates: files ending in _tmpl, which the build compiles once with CAROM_REAL_BITS 32 and once with 64.
 * They write plain names. Here the plain names become those of the precision being compiled: carom_record is
 * carom_record_f32 or carom_record_f64. */
#ifndef CAROM_SIMD_PRECISION_H
#define CAROM_SIMD_PRECISION_H

#include "simd/kernels.h"
#include "simd/paste.h"

#define CAROM_PRECISION CAROM_PASTE(_f, CAROM_REAL_BITS)
/* The same for any other name. */
#define CAROM_REAL(name) CAROM_PASTE(name, CAROM_PRECISION)

typedef CAROM_REAL(carom_real) carom_real;
typedef CAROM_REAL(carom_record) carom_record;
typedef CAROM_REAL(carom_bodies) carom_bodies;
typedef CAROM_REAL(carom_contacts) carom_contacts;
typedef CAROM_REAL(carom_place_in) carom_place_in;
typedef CAROM_REAL(carom_follow_in) carom_follow_in;
typedef CAROM_REAL(carom_follow_out) carom_follow_out;
typedef CAROM_REAL(carom_recheck_in) carom_recheck_in;
typedef CAROM_REAL(carom_recheck_out) carom_recheck_out;
typedef CAROM_REAL(carom_swept_out) carom_swept_out;
typedef CAROM_REAL(carom_contact_in) carom_contact_in;
typedef CAROM_REAL(carom_gap) carom_gap_row; /* the public one; carom_gap is the bracket within the library */
typedef CAROM_REAL(carom_manifold) carom_manifold_row;
typedef CAROM_REAL(carom_gap_rows) carom_gap_rows;
typedef CAROM_REAL(carom_quick_in) carom_quick_in;
typedef CAROM_REAL(carom_quick_gaps) carom_quick_gaps;
typedef CAROM_REAL(carom_kernels) carom_kernels;

/* The kernels of this precision: carom_kernels_of(simd)->touch(...). */
static inline const carom_kernels *carom_kernels_of(const carom_simd *simd) {
    return &simd->CAROM_PASTE(f, CAROM_REAL_BITS);
}

#endif
