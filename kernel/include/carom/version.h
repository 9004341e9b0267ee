/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#ifndef CAROM_VERSION_H
#define CAROM_VERSION_H

#include "carom/export.h"

#define CAROM_VERSION_MAJOR 0
#define CAROM_VERSION_MINOR 1
#define CAROM_VERSION_PATCH 0

/* "major.minor.patch" of the library that is linked, which may differ from the header compiled against. */
CAROM_API const char *carom_version(void);

/* How the library was built: compiler and optimisation, in a line for bug reports and benchmark contexts. */
CAROM_API const char *carom_build_description(void);

#endif
