/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Plain names for the types of the precision that is being compiled (CAROM_REAL_BITS). */
#ifndef CAROM_SIMD_TYPES_TMPL_H
#define CAROM_SIMD_TYPES_TMPL_H

#include "simd/isa.h"
#include "simd/kernels.h"

typedef CAROM_REAL(carom_bodies) carom_bodies;
typedef CAROM_REAL(carom_record) carom_record;
typedef CAROM_REAL(carom_contact_rows) carom_contact_rows;

#endif
