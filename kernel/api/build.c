/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* How the library was built, as Meson told the compiler. */
#include "carom/version.h"

const char *carom_build_description(void) {
    return CAROM_BUILD;
}
