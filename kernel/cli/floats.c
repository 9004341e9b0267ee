/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/floats.h"

#include <math.h>

carom_exit carom_floats_check(const double *values, uint64_t count, const char *name, carom_locate *locate,
                              const void *source) {
    for (uint64_t n = 0; n < count; ++n) {
        if (isinf((float)values[n]) && isfinite(values[n])) {
            char where[CAROM_MESSAGE_SIZE];
            locate(source, n, where, sizeof where);
            carom_say("%s: %s is %g, too large for a float; try --precision f64", where, name, values[n]);
            return CAROM_EXIT_INPUT;
        }
    }
    return CAROM_EXIT_OK;
}
