/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/sys/environment.h"

#include <stdlib.h>

const char *carom_environment(const char *name) {
    return getenv(name);
}
