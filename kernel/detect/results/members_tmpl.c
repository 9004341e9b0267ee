/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/detect/results/members_tmpl.h"

#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/groups/groups.h"

/* Buffers that member lists need. */
enum { NEEDS = 6 };

/* What the lists of `groups` groups of `count` bodies take. */
static void list_needs(uint64_t count, uint64_t groups, carom_work_need need[NEEDS]) {
    const uint64_t words = count * sizeof(uint32_t);
    need[0] = (carom_work_need){CAROM_WORK_MEMBER, words};
    need[1] = (carom_work_need){CAROM_WORK_OFFSET, (groups + 1) * sizeof(uint64_t)};
    need[2] = (carom_work_need){CAROM_WORK_GROUPED, count};
    need[3] = (carom_work_need){CAROM_WORK_SORT_KEY, words};
    need[4] = (carom_work_need){CAROM_WORK_SORT_SPARE_KEY, words};
    need[5] = (carom_work_need){CAROM_WORK_SORT_SPARE_PAYLOAD, words};
}

/* A group has two members at least. */
static uint64_t most_groups(const carom_detect_job *job) {
    return job->owned / 2;
}

carom_status carom_members_reserve_all(carom_detect_job *job) {
    carom_context *context = job->context;
    carom_work_need need[NEEDS];
    list_needs(job->owned, most_groups(job), need);
    carom_status status = carom_job_reserve(job, need, NEEDS);
    uint64_t histogram = carom_radix_sort_bytes(&context->team);
    if (status == CAROM_OK && carom_buffer_reserve(&context->memory, &context->sort.histogram, histogram) != CAROM_OK) {
        status = carom_job_no_memory(job, carom_size_add(context->memory.held, histogram));
    }
    return status;
}

carom_status carom_members_list(carom_detect_job *job, uint64_t groups) {
    carom_context *context = job->context;
    const uint64_t count = job->owned;
    carom_work_need need[NEEDS];
    CAROM_ASSERT(job->detection->groups.label != NULL);
    CAROM_ASSERT(groups <= most_groups(job));
    /* From step to step the number of groups goes up and down: then there is room for any. */
    list_needs(count, job->headroom != CAROM_HEADROOM_NONE ? most_groups(job) : groups, need);
    carom_status status = carom_context_reserve(context, need, NEEDS, NULL);
    if (status != CAROM_OK) {
        return status;
    }
    carom_member_workspace workspace = {.key = carom_context_work(context, CAROM_WORK_SORT_KEY),
                                        .spare_key = carom_context_work(context, CAROM_WORK_SORT_SPARE_KEY),
                                        .spare_member = carom_context_work(context, CAROM_WORK_SORT_SPARE_PAYLOAD),
                                        .grouped = carom_context_work(context, CAROM_WORK_GROUPED),
                                        .shares = carom_context_shares(context)};
    uint64_t *offset = carom_context_work(context, CAROM_WORK_OFFSET);
    uint32_t *member = carom_context_work(context, CAROM_WORK_MEMBER);
    memset((void *)workspace.grouped, 0, count); /* plain: no worker runs yet */
    status = carom_groups_list(&context->team, context->simd, &context->memory, &context->sort, &workspace, count,
                               job->detection->groups.label, offset, member);
    if (status == CAROM_OK) {
        job->detection->groups.offset = offset;
        job->detection->groups.member = member;
    }
    return status;
}

uint64_t carom_members_bytes(const carom_detect_job *job) {
    if (!job->config->group_members) {
        return 0;
    }
    const uint64_t bodies = job->bodies->count;
    return bodies * (4 * sizeof(uint32_t) + 1) + (bodies / 2 + 1) * sizeof(uint64_t);
}
