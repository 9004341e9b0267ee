/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/detect/groups_tmpl.h"

#include "kernel/detect/results/members_tmpl.h"
#include "kernel/detect/results/room_tmpl.h"
#include "kernel/groups/groups.h"

static carom_group_counts label_bodies(carom_detect_job *job, uint32_t *label) {
    carom_context *context = job->context;
    carom_group_workspace workspace = {.parent = job->groups.parent,
                                       .least = job->groups.least,
                                       .size = job->groups.size,
                                       .body = job->groups.body,
                                       .slot_of = job->groups.slot_of,
                                       .spare = carom_context_work(context, CAROM_WORK_GROUP_SPARE),
                                       .owned = job->owned};
    if (job->periodic.images != NULL) {
        carom_images_unite(&context->team, job->periodic.images, &workspace);
    }
    return carom_groups_label(&context->team, &workspace, job->bodies->count, label);
}

carom_status carom_groups_stage(carom_detect_job *job) {
    carom_detect_summary *summary = &job->detection->summary;
    uint32_t *label = carom_context_work(job->context, CAROM_WORK_LABEL);
    carom_group_counts counts = label_bodies(job, label);
    summary->groups = counts.groups;
    summary->largest_group = counts.largest;
    job->detection->groups.count = counts.groups;
    job->detection->groups.label = label;
    const double words = job->context->team.workers > 1 ? 15 : 12; /* read or written of every slot */
    summary->phase_bytes[CAROM_PHASE_GROUPS] =
        (double)job->bodies->count * words * sizeof(uint32_t) + (double)summary->touching_pairs * 16;
    carom_status status = job->config->group_members ? carom_members_list(job, counts.groups) : CAROM_OK;
    carom_job_lap(job, CAROM_PHASE_GROUPS);
    return carom_room_explain(job, status);
}
