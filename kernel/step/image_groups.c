/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/step/images.h"

typedef struct unite_job {
    const carom_team *team;
    const carom_images *images;
    const carom_group_space *space;
    uint32_t *slot_of;
} unite_job;

static void find_slots(void *data, uint32_t worker) {
    const unite_job *job = data;
    uint64_t begin;
    uint64_t end;
    carom_team_range(job->team, worker, job->images->bodies.count, CAROM_SIMD_PAD, &begin, &end);
    for (uint64_t slot = begin; slot < end; slot++) {
        job->slot_of[job->space->body[slot]] = (uint32_t)slot;
    }
}

static void unite_images(void *data, uint32_t worker) {
    const unite_job *job = data;
    const carom_images *images = job->images;
    uint64_t begin;
    uint64_t end;
    carom_team_range(job->team, worker, images->count, CAROM_SIMD_PAD, &begin, &end);
    for (uint64_t n = begin; n < end; n++) {
        uint32_t slot = job->slot_of[images->owned + n];
        atomic_store_explicit(&job->space->others[slot], UINT32_MAX, memory_order_relaxed);
        carom_union_find_unite(job->space->parent, slot, job->slot_of[images->image[n].owner]);
    }
}

void carom_images_unite(const carom_team *team, const carom_images *images, const carom_group_space *space,
                        uint32_t *slot_of) {
    unite_job job = {team, images, space, slot_of};
    carom_team_run(team, find_slots, &job);
    carom_team_run(team, unite_images, &job);
}
