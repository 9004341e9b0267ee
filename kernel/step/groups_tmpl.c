/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Labels, sizes and member lists, once all cells are united. */
#include <string.h>

#include "kernel/step/job_tmpl.h"

carom_status CAROM_REAL(carom_detect_members_reserve)(carom_detect_job *job, uint64_t groups) {
    uint64_t count = job->owned;
    uint64_t words = count * sizeof(uint32_t);
    uint64_t required = 0;
    carom_work_need need[] = {
        {CAROM_WORK_MEMBER, words},         {CAROM_WORK_OFFSET, (groups + 1) * sizeof(uint64_t)},
        {CAROM_WORK_GROUPED, count},        {CAROM_WORK_SORT_KEY, words},
        {CAROM_WORK_SORT_SPARE_KEY, words}, {CAROM_WORK_SORT_SPARE_PAYLOAD, words},
    };
    if (carom_context_reserve(job->context, need, sizeof need / sizeof need[0], &required) != CAROM_OK) {
        return CAROM_REAL(carom_detect_no_room)(job);
    }
    return CAROM_OK;
}

carom_status CAROM_REAL(carom_detect_list_members)(carom_detect_job *job, uint64_t groups) {
    carom_context *context = job->context;
    uint64_t count = job->owned;
    carom_status status = CAROM_REAL(carom_detect_members_reserve)(job, job->follows ? count / 2 : groups);
    if (status != CAROM_OK) {
        return status;
    }
    carom_member_space space = {.key = carom_context_work(context, CAROM_WORK_SORT_KEY),
                                .spare_key = carom_context_work(context, CAROM_WORK_SORT_SPARE_KEY),
                                .spare_member = carom_context_work(context, CAROM_WORK_SORT_SPARE_PAYLOAD),
                                .grouped = carom_context_work(context, CAROM_WORK_GROUPED)};
    uint64_t *offset = carom_context_work(context, CAROM_WORK_OFFSET);
    uint32_t *member = carom_context_work(context, CAROM_WORK_MEMBER);
    memset((void *)space.grouped, 0, count);
    status = carom_groups_list(&context->team, context->simd, &context->memory, &context->sort, &space, count,
                               job->detection->groups.label, offset, member);
    if (status != CAROM_OK) {
        return CAROM_REAL(carom_detect_no_room)(job);
    }
    job->detection->groups.offset = offset;
    job->detection->groups.member = member;
    return CAROM_OK;
}

carom_status CAROM_REAL(carom_detect_groups)(carom_detect_job *job) {
    carom_context *context = job->context;
    carom_detect_summary *summary = &job->detection->summary;
    uint32_t *label = carom_context_work(context, CAROM_WORK_LABEL);
    carom_group_space space = {.parent = job->parent,
                               .least = job->least,
                               .size = job->size,
                               .body = job->body,
                               .slot_of = carom_context_work(context, carom_context_part_work(0, CAROM_PART_CODE)),
                               .spare = carom_context_work(context, CAROM_WORK_GROUP_SPARE),
                               .owned = job->owned};
    if (job->images != NULL) {
        carom_images_unite(&context->team, job->images, &space);
    }
    carom_group_counts counts = carom_groups_label(&context->team, &space, job->bodies->count, label);
    summary->groups = counts.groups;
    summary->largest_group = counts.largest;
    job->detection->groups.count = counts.groups;
    job->detection->groups.label = label;
    const double words = context->team.workers > 1 ? 15 : 12; /* read or written of every slot */
    summary->phase_bytes[CAROM_PHASE_GROUPS] =
        (double)job->bodies->count * words * sizeof(uint32_t) + (double)summary->touching_pairs * 16;
    carom_status status =
        job->config->group_members ? CAROM_REAL(carom_detect_list_members)(job, counts.groups) : CAROM_OK;
    CAROM_REAL(carom_detect_lap)(job, CAROM_PHASE_GROUPS);
    return status;
}
