/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/support/thread_contexts.h"

#include <stdio.h>
#include <stdlib.h>

void thread_contexts_open(carom_context **contexts, const uint32_t *threads, uint32_t count,
                          uint64_t bodies_per_thread) {
    carom_context_config config = carom_context_config_default();
    carom_error error = {.message = ""};
    config.bodies_per_thread = bodies_per_thread;
    for (uint32_t n = 0; n < count; n++) {
        config.threads = threads[n];
        if (carom_context_create(&config, &contexts[n], &error) != CAROM_OK) {
            fprintf(stderr, "%s\n", error.message);
            exit(1);
        }
    }
}

void thread_contexts_close(carom_context **contexts, uint32_t count) {
    for (uint32_t n = 0; n < count; n++) {
        carom_context_destroy(contexts[n]);
    }
}
