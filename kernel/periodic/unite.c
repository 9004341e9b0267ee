/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Groups of a periodic box. In: bodies and images, and a union-find over their slots. Out: each image joined to its
 * owner, so that a group that leaves through one face of the box comes in through the other. */
#include "kernel/periodic/images.h"

typedef struct unite_job {
    const carom_team *team;
    const carom_images *images;
    const carom_group_workspace *workspace;
} unite_job;

static void unite_images(void *data, uint32_t worker) {
    const unite_job *job = data;
    const carom_images *images = job->images;
    const uint32_t *slot_of = job->workspace->slot_of;
    carom_walk walk = carom_team_walk(job->team, worker, images->count, CAROM_SIMD_PAD);
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin; n < walk.end; n++) {
            carom_union_find_unite(job->workspace->parent, slot_of[images->owned + n], slot_of[images->image[n].owner]);
        }
    }
}

void carom_images_unite(const carom_team *team, const carom_images *images, const carom_group_workspace *workspace) {
    CAROM_ASSERT(workspace->parent != NULL && workspace->slot_of != NULL);
    unite_job job = {team, images, workspace};
    carom_team_run(team, unite_images, &job);
}
