/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What both halves of the program share: structs in memory of exactly their size, and calls that must refuse one. */
#ifndef CAROM_TESTS_ABI_GUEST_H
#define CAROM_TESTS_ABI_GUEST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

static inline void *exact(size_t bytes) {
    void *made = calloc(1, bytes);
    if (made == NULL) {
        abort();
    }
    return made;
}

#define FRESH(member) ((member) = exact(sizeof *(member)))
#define FROM(member, value) (FRESH(member), *(member) = (value))

/* Sets byte n of those that today's library does not know; the call, which puts its details into `error`, must name the
 * struct. */
#define EXPECT_UNKNOWN(what, struct_name, call)                                                                        \
    do {                                                                                                               \
        carom_error error = {.status = CAROM_OK};                                                                      \
        (what)->later[n] = 1;                                                                                          \
        const carom_status status = (call);                                                                            \
        (what)->later[n] = 0;                                                                                          \
        if (status != CAROM_ERROR_ARGUMENT || strstr(error.message, struct_name ".size is ") != error.message) {       \
            printf("%s: %s, \"%s\"\n", struct_name, carom_status_name(status), error.message);                         \
            return EXIT_FAILURE;                                                                                       \
        }                                                                                                              \
    } while (0)

/* Steps and worlds. Structs that may leave their size 0 say it if `sized`. */
void guest_step(carom_context *context, bool sized);

#ifdef LATER
/* EXIT_SUCCESS if every struct of steps and worlds is refused when byte n of its later ones is set. */
int guest_step_expect_unknown(carom_context *context, size_t n);
#endif

#endif
