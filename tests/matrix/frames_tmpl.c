/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "simd/isa.h"
#include "tests/matrix/frames.h"

/* The hash of one step stays what it is. */
static void fold(hashes *h, const carom_detect_summary *summary) {
    h->touching = 31 * h->touching + summary->touching_hash;
    h->result = 31 * h->result + summary->result_hash;
}

static bool hash_cold(const frames *f, carom_context *context, const carom_detect_config *config, hashes *found) {
    CAROM_REAL(carom_detection) d = {0};
    const bool fine = CAROM_REAL(carom_detect)(context, &f->CAROM_REAL(bodies)[0], config, NULL, &d, NULL) == CAROM_OK;
    fold(found, &d.summary);
    return fine;
}

static bool hash_steps(const frames *f, carom_context *context, const carom_detect_config *config, hashes *found) {
    CAROM_REAL(carom_coherent) * coherent;
    bool fine = CAROM_REAL(carom_coherent_create)(context, NULL, &coherent, NULL) == CAROM_OK;
    for (uint32_t n = 0; fine && n < f->count; n++) {
        CAROM_REAL(carom_detection) d = {0};
        carom_coherent_report report = {0};
        fine = CAROM_REAL(carom_coherent_detect)(coherent, &f->CAROM_REAL(bodies)[n], config, NULL, &d, &report,
                                                 NULL) == CAROM_OK;
        fold(found, &d.summary);
    }
    CAROM_REAL(carom_coherent_destroy)(coherent);
    return fine;
}

bool CAROM_REAL(frames_hash)(const frames *f, carom_context *context, hashes *found) {
    carom_detect_config config = carom_detect_config_default();
    config.hash = true;
    config.periodic = f->call == CALL_PERIODIC ? &f->box : NULL;
    *found = (hashes){0, 0};
    return f->call == CALL_COHERENT ? hash_steps(f, context, &config, found) : hash_cold(f, context, &config, found);
}
