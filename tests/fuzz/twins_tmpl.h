/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Two worlds to which the same is done, in two contexts. All that is told of them must be the same, bit for bit. */
#ifndef CAROM_TESTS_FUZZ_TWINS_TMPL_H
#define CAROM_TESTS_FUZZ_TWINS_TMPL_H

#include "carom/carom.h"
#include "simd/precision.h"
#include "tests/fuzz/contexts.h"

typedef CAROM_REAL(carom_world) fuzz_twin;
typedef CAROM_REAL(carom_world_bodies) fuzz_world_bodies;

typedef struct fuzz_twins {
    fuzz_contexts contexts;
    fuzz_twin *world[2];
} fuzz_twins;

#define fuzz_twins_create CAROM_REAL(fuzz_twins_create)
#define fuzz_twins_load CAROM_REAL(fuzz_twins_load)
#define fuzz_twins_destroy CAROM_REAL(fuzz_twins_destroy)
#define fuzz_twins_configure CAROM_REAL(fuzz_twins_configure)
#define fuzz_twins_limit CAROM_REAL(fuzz_twins_limit)
#define fuzz_twins_add CAROM_REAL(fuzz_twins_add)
#define fuzz_twins_remove CAROM_REAL(fuzz_twins_remove)
#define fuzz_twins_set CAROM_REAL(fuzz_twins_set)
#define fuzz_twins_step CAROM_REAL(fuzz_twins_step)
#define fuzz_twins_are_moderate CAROM_REAL(fuzz_twins_are_moderate)
#define fuzz_twins_restore CAROM_REAL(fuzz_twins_restore)

/* Empty worlds. Unless OK there are none. */
carom_status fuzz_twins_create(fuzz_twins *twins, const fuzz_contexts *contexts, const carom_step_config *config);

/* Worlds from bytes that may be anything. Unless OK there are none. */
carom_status fuzz_twins_load(fuzz_twins *twins, const fuzz_contexts *contexts, const void *bytes, uint64_t size);

void fuzz_twins_destroy(fuzz_twins *twins);

/* These leave the worlds as they were unless OK. */
carom_status fuzz_twins_configure(fuzz_twins *twins, const carom_step_config *config);
carom_status fuzz_twins_limit(fuzz_twins *twins, uint32_t budget); /* else their own rules */
carom_status fuzz_twins_add(fuzz_twins *twins, const fuzz_world_bodies *bodies);
carom_status fuzz_twins_remove(fuzz_twins *twins, const carom_handle *handle, uint64_t count);
carom_status fuzz_twins_set(fuzz_twins *twins, const carom_handle *handle, const fuzz_world_bodies *bodies);

/* Whether the next step may be compared. A body that crosses a periodic box many times in a step, or is so far
 * from it that its float hull is wider than the box, meets millions of images. Near the greatest floats it depends on
 * windows whether a step is refused, and a restored world has others. */
bool fuzz_twins_are_moderate(const fuzz_twins *twins);

/* The report is that of the first world; its arrays are valid until that world's next call. */
carom_status fuzz_twins_step(fuzz_twins *twins, bool contacts, carom_step_report *report);

/* Makes the second world anew, of a snapshot of the first. */
void fuzz_twins_restore(fuzz_twins *twins);

#endif
