/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a status and what went wrong. Out: a filled carom_error. Messages are built here and nowhere printed. */
#include "kernel/sys/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "kernel/check/assert.h"

static void fill(carom_error *error, carom_status status, uint64_t body, const char *field) {
    error->status = status;
    error->body = body;
    error->field = field;
}

carom_status carom_error_set(carom_error *error, carom_status status, const char *format, ...) {
    CAROM_ASSERT(status != CAROM_OK);
    if (error != NULL) {
        fill(error, status, CAROM_NO_BODY, "");
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
    }
    return status;
}

carom_status carom_error_body(carom_error *error, uint64_t body, const char *field, const char *format, ...) {
    if (error != NULL) {
        fill(error, CAROM_ERROR_BODY, body, field);
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
    }
    return CAROM_ERROR_BODY;
}

/* Some library calls fail without setting errno; a read error is then the likeliest reason. */
carom_status carom_error_file(carom_error *error, const char *path) {
    const int reason = errno != 0 ? errno : EIO;
    return carom_error_set(error, reason == ENOMEM ? CAROM_ERROR_MEMORY : CAROM_ERROR_FILE, "%s: %s", path,
                           strerror(reason));
}

/* No default case: the compiler then warns if a status has no name. */
const char *carom_status_name(carom_status status) {
    switch (status) {
    case CAROM_OK:
        return "ok";
    case CAROM_ERROR_ARGUMENT:
        return "bad argument";
    case CAROM_ERROR_BODY:
        return "bad body";
    case CAROM_ERROR_ISA:
        return "unknown or unsupported instruction set";
    case CAROM_ERROR_MEMORY:
        return "out of memory";
    case CAROM_ERROR_CAPACITY:
        return "buffer too small";
    case CAROM_ERROR_FILE:
        return "file error";
    case CAROM_ERROR_FORMAT:
        return "format error";
    case CAROM_ERROR_STOPPED:
        return "stopped by the caller";
    case CAROM_ERROR_ARITHMETIC:
        return "wrong arithmetic";
    case CAROM_ERROR_CANCELLED:
        return "cancelled";
    }
    return "unknown status";
}
