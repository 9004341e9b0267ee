/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/detect/groups_tmpl.h"

#include "kernel/check/assert.h"
#include "kernel/detect/results/members_tmpl.h"
#include "kernel/detect/results/shortage_tmpl.h"
#include "kernel/groups/groups.h"

/* In a periodic box an image is first joined to the body that it is of. */
static carom_group_counts label_bodies(carom_detect_job *job) {
    const carom_team *team = &job->context->team;
    carom_group_workspace workspace = {.parent = job->groups.parent,
                                       .least = job->groups.least,
                                       .size = job->groups.size,
                                       .body = job->groups.body,
                                       .slot_of = job->groups.slot_of,
                                       .spare = job->groups.spare,
                                       .shares = carom_context_shares(job->context),
                                       .owned = job->owned};
    if (job->periodic.images != NULL) {
        carom_images_unite(team, job->periodic.images, &workspace);
    }
    return carom_groups_label(team, &workspace, job->bodies->count, job->groups.label);
}

carom_status carom_groups_stage(carom_detect_job *job) {
    carom_detect_summary *summary = &job->detection->summary;
    CAROM_ASSERT(job->groups.parent != NULL && job->groups.label != NULL);
    carom_group_counts counts = label_bodies(job);
    if (carom_job_stopped(job)) {
        return CAROM_ERROR_CANCELLED;
    }
    CAROM_ASSERT(counts.groups <= job->owned / 2 && counts.largest <= job->owned);
    summary->groups = counts.groups;
    summary->largest_group = counts.largest;
    job->detection->groups.count = counts.groups;
    job->detection->groups.label = job->groups.label;
    const double words = job->context->team.workers > 1 ? 15 : 12; /* read or written of every slot */
    summary->phase_bytes[CAROM_PHASE_GROUPS] =
        (double)job->bodies->count * words * sizeof(uint32_t) + (double)summary->touching_pairs * 16;
    carom_status status = job->config->group_members ? carom_members_list(job, counts.groups) : CAROM_OK;
    carom_job_lap(job, CAROM_PHASE_GROUPS);
    return carom_shortage_report(job, status);
}
