/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Fills a carom_error, so that each failure is described in one expression where it is found: `return
 * carom_error_set(...)`. The caller of the library decides whether to print it. */
#ifndef CAROM_SYS_ERROR_H
#define CAROM_SYS_ERROR_H

#include <stdint.h>

#include "carom/status.h"

/* carom_error.body if the failure is not about one body. */
#define CAROM_NO_BODY UINT64_MAX

/* Writes *error (NULL is allowed) and returns `status`, which is not OK. A message that is too long is cut off. */
__attribute__((format(printf, 3, 4))) carom_status carom_error_set(carom_error *error, carom_status status,
                                                                   const char *format, ...);

/* The same for a body's field. */
__attribute__((format(printf, 4, 5))) carom_status carom_error_body(carom_error *error, uint64_t body,
                                                                    const char *field, const char *format, ...);

/* The same for a file that the system refused, with the reason in errno. Returns MEMORY for ENOMEM, else FILE. */
carom_status carom_error_file(carom_error *error, const char *path);

#endif
