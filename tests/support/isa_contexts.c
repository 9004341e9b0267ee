/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/support/isa_contexts.h"

#include <assert.h>

#include "tests/support/any_detect.h"

enum { ISAS_MOST = 8 };

carom_context *isa_contexts[ISA_CONTEXTS_MOST];
uint64_t isa_context_count;

int isa_contexts_make(const uint32_t *threads, uint64_t thread_counts) {
    const char *isas[ISAS_MOST];
    const uint64_t count = carom_isa_available(isas, ISAS_MOST);
    assert(count <= ISAS_MOST && count * thread_counts <= ISA_CONTEXTS_MOST);
    for (uint64_t n = 0; n < count * thread_counts; n++) {
        isa_contexts[isa_context_count++] = any_context(threads[n % thread_counts], isas[n / thread_counts]);
    }
    return 0;
}

int isa_contexts_destroy(void **state) {
    (void)state;
    while (isa_context_count > 0) {
        carom_context_destroy(isa_contexts[--isa_context_count]);
    }
    return 0;
}
