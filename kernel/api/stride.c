/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/api/stride.h"

#include <inttypes.h>

#include "kernel/sys/error.h"

carom_status carom_stride_check(const char *name, uint64_t stride, uint64_t count, size_t value, carom_error *error) {
    if (stride % value != 0) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "%s is %" PRIu64 " bytes: it must be a multiple of %zu",
                               name, stride, value);
    }
    if (count > 0 && stride > (uint64_t)PTRDIFF_MAX / count) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "%s is %" PRIu64 " bytes: too many for %" PRIu64 " bodies",
                               name, stride, count);
    }
    return CAROM_OK;
}
