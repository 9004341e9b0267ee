/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bytes as a world and what is done to it (world_tmpl.c): a few bodies, in touch, in one place, of any mass, with
 * surfaces, boxes, gravity, budgets, merging; steps, additions, removals, changes, snapshots. Guards that two worlds to
 * which the same is done stay the same in contexts with other instruction sets and workers, that a world that is made
 * of a snapshot goes on bit for bit, that a call that fails leaves the world as it was, and that no body goes through a
 * plane or another body, becomes NaN, or gets an event that is none.
 *
 * Byte 0: bit 0 the precision; the others choose the context that is tried. */
#include "tests/fuzz/bytes.h"
#include "tests/fuzz/target.h"
#include "tests/fuzz/world_tmpl.h"
#include "tests/support/note.h"

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    fuzz_contexts_start();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_bytes bytes = {data, data + size};
    const uint8_t first = fuzz_byte(&bytes);
    for (size_t n = 0; n < fuzz_contexts_count(); n++) {
        const fuzz_contexts contexts = fuzz_contexts_of(first / 2, n);
        note_case(size, "%s, %s with %u workers", first % 2 == 0 ? "doubles" : "floats",
                  carom_context_isa(contexts.tried), carom_context_threads(contexts.tried));
        if (first % 2 == 0) {
            fuzz_world_run_f64(&contexts, bytes);
        } else {
            fuzz_world_run_f32(&contexts, bytes);
        }
    }
    return 0;
}
