/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/fuzz/contexts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORKERS = 3, CONTEXTS_MOST = 16 };

/* The reference first. */
static carom_context *made[CONTEXTS_MOST];
static size_t made_count;

/* Workers one after the other, the last first. */
static void run_backwards(void *user, uint32_t count, carom_executor_task *task, void *task_data) {
    (void)user;
    for (uint32_t n = count; n > 0; n--) {
        task(task_data, n - 1);
    }
}

static carom_context *make_context(const char *isa, uint32_t threads) {
    carom_context_config config = carom_context_config_default();
    config.threads = threads;
    config.bodies_per_thread = 1;
    config.isa = isa;
    config.executor.parallel_for = run_backwards;
    carom_context *context = NULL;
    carom_error error = {.message = ""};
    if (carom_context_create(&config, &context, &error) != CAROM_OK) {
        fprintf(stderr, "no context: %s\n", error.message);
        abort();
    }
    return context;
}

static void destroy_all(void) {
    while (made_count > 0) {
        carom_context_destroy(made[--made_count]);
    }
}

static void add_contexts(const char *isa) {
    made[made_count++] = make_context(isa, 1);
    made[made_count++] = make_context(isa, WORKERS);
}

void fuzz_contexts_start(void) {
    const char *isas[CONTEXTS_MOST / 2];
    const size_t count = carom_isa_available(isas, CONTEXTS_MOST / 2);
    setenv("CMOCKA_TEST_ABORT", "1", 1); /* a check that fails aborts: there is no test to leave */
    add_contexts("scalar");
    for (size_t n = 0; n < count; n++) {
        if (strcmp(isas[n], "scalar") != 0) {
            add_contexts(isas[n]);
        }
    }
    atexit(destroy_all);
}

size_t fuzz_contexts_count(void) {
    return fuzz_thorough ? made_count - 1 : 1;
}

fuzz_contexts fuzz_contexts_of(unsigned pick, size_t n) {
    return (fuzz_contexts){made[0], made[1 + (pick + n) % (made_count - 1)]};
}
