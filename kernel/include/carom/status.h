/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Outcomes of every call that can fail. The library never prints, exits or aborts: it returns one of
 * these and, where the caller asks for it, says in a carom_error what was wrong and where. */
#ifndef CAROM_STATUS_H
#define CAROM_STATUS_H

#include <stdint.h>

#include "carom/export.h"

typedef enum carom_status {
    CAROM_OK = 0,
    CAROM_ERROR_ARGUMENT,  /* a null, contradictory or out-of-range argument */
    CAROM_ERROR_BODY,      /* a body holds NaN, infinity or a negative radius: error.body and error.field say which */
    CAROM_ERROR_ISA,       /* an instruction set that is unknown or that this CPU lacks */
    CAROM_ERROR_MEMORY,    /* the allocator refused, or the context's memory limit would be passed */
    CAROM_ERROR_CAPACITY,  /* a buffer of the caller's is too small: result.required_pairs is the exact size */
    CAROM_ERROR_FILE,      /* a file cannot be opened, read or written */
    CAROM_ERROR_FORMAT,    /* a file's text or bytes are not what its format allows: the message has file:line */
    CAROM_ERROR_STOPPED,   /* a function of the caller's asked for the call to be stopped */
    CAROM_ERROR_ARITHMETIC /* carom_context_check: this build or machine does not compute as results need it */
} carom_status;

enum { CAROM_MESSAGE_SIZE = 256 };

/* Details of a failure. Written only when the call fails; always ends in '\0'. */
typedef struct carom_error {
    carom_status status;
    uint64_t body;                    /* index of the offending body, or UINT64_MAX when no body is to blame */
    const char *field;                /* name of the offending field ("prev_x", "radius", ...), or "" */
    char message[CAROM_MESSAGE_SIZE]; /* one sentence for a person, without a trailing newline */
} carom_error;

/* A short English name of a status ("ok", "bad body", ...). Never NULL, also for values outside the enum. */
CAROM_API const char *carom_status_name(carom_status status);

#endif
