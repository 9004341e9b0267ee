/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/detect/results/log_tmpl.h"

#include "kernel/check/assert.h"

/* An image stands for its owner. */
static void name_owners(const carom_images *images, uint32_t count, uint32_t *body) {
    for (uint32_t n = 0; n < count; n++) {
        body[n] = carom_images_owner(images, body[n]);
    }
}

static void fill(const carom_detect_job *job, uint32_t count, const uint32_t *slot, uint32_t *body) {
    for (uint32_t n = 0; n < count; n++) {
        body[n] = (uint32_t)job->search.records[slot[n]].body;
    }
    if (job->periodic.images != NULL) {
        name_owners(job->periodic.images, count, body);
    }
}

void carom_log_touching(const carom_detect_job *job, carom_worker *worker, uint32_t count, const uint32_t *slot_i,
                        const uint32_t *slot_k) {
    CAROM_ASSERT(job->log != NULL);
    for (uint32_t n = 0; n < count;) {
        carom_chunk *chunk = carom_pair_log_chunk(job->log, &worker->touched);
        if (chunk == NULL) {
            return;
        }
        const uint32_t room = CAROM_CHUNK_PAIRS - chunk->count;
        const uint32_t more = count - n < room ? count - n : room;
        fill(job, more, slot_i + n, chunk->slot_i + chunk->count);
        fill(job, more, slot_k + n, chunk->slot_k + chunk->count);
        chunk->count += more;
        n += more;
    }
}
