/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/json.h"

#include <stdio.h>

carom_exit carom_json_print(json_t *object) {
    const size_t digits = 9; /* of a real: nanoseconds of a second */
    const int failed = object == NULL || json_dumpf(object, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(digits)) != 0;
    json_decref(object);
    if (failed) {
        carom_say("cannot write JSON");
        return CAROM_EXIT_RESOURCES;
    }
    putchar('\n');
    return CAROM_EXIT_OK;
}
