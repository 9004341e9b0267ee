/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The version of the library that is linked: that of the headers it was compiled with. */
#include "carom/version.h"

#define TEXT(number) #number
#define DOTTED(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

const char *carom_version(void) {
    return DOTTED(CAROM_VERSION_MAJOR, CAROM_VERSION_MINOR, CAROM_VERSION_PATCH);
}
