/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Names of coherent detection's entry points. carom/coherent.h declares and describes them in both precisions. */
#ifndef CAROM_API_COHERENT_TMPL_H
#define CAROM_API_COHERENT_TMPL_H

#include "carom/coherent.h"
#include "simd/precision.h"

#define carom_coherent_create CAROM_REAL(carom_coherent_create)
#define carom_coherent_reset CAROM_REAL(carom_coherent_reset)
#define carom_coherent_destroy CAROM_REAL(carom_coherent_destroy)
#define carom_coherent_detect CAROM_REAL(carom_coherent_detect)

#endif
