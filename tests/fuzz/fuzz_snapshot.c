/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bytes as a snapshot of a world: as they are, and once more with the size and the checksum that they must have. Guards
 * that loading neither crashes nor leaks nor takes what is none, and that what it takes is a world: it steps, is saved
 * and loaded again, takes bodies and gives them up, all the same in two contexts. */
#include <stdlib.h>

#include "kernel/world/bytes.h"
#include "kernel/world/snapshot_format.h"
#include "tests/fuzz/target.h"
#include "tests/fuzz/world_tmpl.h"
#include "tests/support/note.h"

/* Where the head says the precision and the size. */
enum { PRECISION = 12, SIZE = 16 };

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    fuzz_contexts_start();
    return 0;
}

static void run(const uint8_t *data, size_t size) {
    for (size_t n = 0; n < fuzz_contexts_count(); n++) {
        const fuzz_contexts contexts = fuzz_contexts_of(size > 0 ? data[size - 1] : 0, n);
        note_case(size, "%s with %u workers", carom_context_isa(contexts.tried), carom_context_threads(contexts.tried));
        if (size > PRECISION && data[PRECISION] == 32) {
            fuzz_snapshot_run_f32(&contexts, data, size);
        } else {
            fuzz_snapshot_run_f64(&contexts, data, size);
        }
    }
}

/* Whole words, with what keeps out damage made right. */
static void sign(uint8_t *bytes, size_t size) {
    carom_bytes at = {bytes, bytes + size};
    carom_bytes_put(&at, CAROM_SNAPSHOT_MAGIC, 8);
    carom_bytes_put(&at, CAROM_SNAPSHOT_VERSION, 4);
    at.at = bytes + SIZE;
    carom_bytes_put(&at, size, 8);
    at.at = bytes + size - CAROM_SNAPSHOT_CHECKSUM;
    carom_bytes_put(&at, carom_bytes_checksum(bytes, size - CAROM_SNAPSHOT_CHECKSUM), 8);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    run(data, size);
    const size_t whole = size / 8 * 8;
    if (whole >= CAROM_SNAPSHOT_HEAD + CAROM_SNAPSHOT_CHECKSUM) {
        uint8_t *bytes = malloc(whole);
        if (bytes == NULL) {
            abort();
        }
        memcpy(bytes, data, whole);
        sign(bytes, whole);
        run(bytes, whole);
        free(bytes);
    }
    return 0;
}
