/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Outcomes of every call that can fail. The library never prints, exits or aborts. It returns one of these statuses
 * and, if the caller passes a carom_error, says what was wrong and where. */
#ifndef CAROM_STATUS_H
#define CAROM_STATUS_H

#include <stdint.h>

#include "carom/export.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum carom_status {
    /* The call succeeded. */
    CAROM_OK = 0,

    /* An argument is NULL, out of range or contradicts another. */
    CAROM_ERROR_ARGUMENT,

    /* A body is invalid, for example by NaN, infinity, a negative radius or its exclusion list. error.body and
     * error.field say which. */
    CAROM_ERROR_BODY,

    /* The instruction set is unknown, or this CPU lacks it. */
    CAROM_ERROR_ISA,

    /* The allocator refused, or the call would exceed the context's memory limit. */
    CAROM_ERROR_MEMORY,

    /* A buffer of the caller's is too small. The call says what size it must have. */
    CAROM_ERROR_CAPACITY,

    /* A file cannot be opened, read or written. */
    CAROM_ERROR_FILE,

    /* A file or a snapshot breaks the rules of its format. For a file the message has file:line. */
    CAROM_ERROR_FORMAT,

    /* A function of the caller's stopped the call. */
    CAROM_ERROR_STOPPED,

    /* carom_context_check: this build or machine does not compute as results need it. */
    CAROM_ERROR_ARITHMETIC,

    /* The caller's flag or progress function cancelled the call. */
    CAROM_ERROR_CANCELLED
} carom_status;

/* Bytes of carom_error.message, the final '\0' included. */
enum { CAROM_MESSAGE_SIZE = 256 };

/* Details of a failure. A call writes them only when it fails. */
typedef struct carom_error {
    /* The status that the call returned, never CAROM_OK. */
    carom_status status;

    /* Index of the invalid body, from 0; UINT64_MAX if the failure concerns no body. */
    uint64_t body;

    /* Name of the invalid field ("prev_x", "radius", ...), or "". A constant string, never NULL. */
    const char *field;

    /* One sentence for a person, without a newline at the end. It always ends in '\0'. */
    char message[CAROM_MESSAGE_SIZE];
} carom_error;

/* Returns a short English name of a status ("ok", "bad body", ...), never NULL. The string is constant.
 *
 *   status   the status to name; values outside the enum have a name too */
CAROM_API const char *carom_status_name(carom_status status);

#ifdef __cplusplus
}
#endif

#endif
