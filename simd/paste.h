/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Joins two or three names to one. Macros in them are expanded first, which takes the second macro. */
#ifndef CAROM_SIMD_PASTE_H
#define CAROM_SIMD_PASTE_H

#define CAROM_PASTE_(a, b) a##b
#define CAROM_PASTE(a, b) CAROM_PASTE_(a, b)
#define CAROM_JOIN_(a, b, c) a##b##c
#define CAROM_JOIN(a, b, c) CAROM_JOIN_(a, b, c)

#endif
