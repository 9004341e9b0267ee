/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The version of the library that is linked, which Meson passes to the compiler. */
#include "carom/version.h"

const char *carom_version(void) {
    return CAROM_VERSION;
}
