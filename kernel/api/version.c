/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "carom/version.h"

const char *carom_version(void) {
    return CAROM_VERSION;
}

const char *carom_build_description(void) {
    return CAROM_BUILD;
}
