/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The version of these headers, and the version and build of the linked library. */
#ifndef CAROM_VERSION_H
#define CAROM_VERSION_H

#include "carom/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Version of the headers compiled against: major.minor.patch, each >= 0. */
#define CAROM_VERSION_MAJOR 0
#define CAROM_VERSION_MINOR 1
#define CAROM_VERSION_PATCH 0

/* Returns "major.minor.patch" of the linked library, which may differ from the headers. The string is constant. */
CAROM_API const char *carom_version(void);

/* Returns how the library was built: compiler and optimisation, in one line for bug reports and benchmarks. The string
 * is constant. */
CAROM_API const char *carom_build_description(void);

#ifdef __cplusplus
}
#endif

#endif
