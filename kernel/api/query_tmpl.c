/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* carom_query. In: the caller's probes and config. Out: an answer. */
#include "carom/query.h"

#include <inttypes.h>

#include "kernel/api/bodies_tmpl.h"
#include "kernel/api/layout.h"
#include "kernel/query/periodic.h"
#include "kernel/query/query_tmpl.h"
#include "kernel/sys/arithmetic.h"
#include "kernel/sys/error.h"

#define carom_query CAROM_REAL(carom_query)
#define carom_query_run_periodic CAROM_REAL(carom_query_run_periodic)
#define carom_layout_query_answer CAROM_REAL(carom_layout_query_answer)

typedef CAROM_REAL(carom_query_answer) carom_query_answer;

/* The caller's structs as the library's own. */
typedef struct query_call {
    carom_bodies probes;
    carom_query_config config;
    carom_filter filter;
    carom_filter probe_filter;
    carom_query_answer answer;
    carom_control control;
} query_call;

static carom_status check_config(const carom_query_config *config, carom_error *error) {
    if (config->until != CAROM_UNTIL_PAIRS && config->until != CAROM_UNTIL_APPROACH) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "config.until is %d: queries end after pairs or approach",
                               (int)config->until);
    }
    for (size_t n = 0; n < sizeof config->reserved; n++) {
        if (config->reserved[n] != 0) {
            return carom_error_set(error, CAROM_ERROR_ARGUMENT, "config.reserved[%zu] is %u, not 0", n,
                                   config->reserved[n]);
        }
    }
    return CAROM_OK;
}

/* *filter: the caller's; at the end `own`, complete, or NULL. */
static carom_status take_filter(const carom_filter **filter, carom_filter *own, carom_error *error) {
    if (*filter == NULL) {
        return CAROM_OK;
    }
    *own = carom_filter_default();
    const carom_status status = carom_layout_take(&carom_layout_filter, own, *filter, error);
    *filter = own;
    return status;
}

static carom_status check_lists(const query_call *call, carom_error *error) {
    const carom_filter *filter = call->config.probe_filter;
    return filter == NULL || filter->excluded != NULL || filter->exclusion_offset == NULL ||
                   filter->exclusion_offset[0] == filter->exclusion_offset[call->probes.count]
               ? CAROM_OK
               : carom_error_set(error, CAROM_ERROR_ARGUMENT,
                                 "probe_filter.excluded is NULL, but some exclusion list has entries");
}

static carom_status take_arguments(query_call *call, const carom_bodies *probes, const carom_query_config *config,
                                   carom_error *error) {
    carom_status status = carom_bodies_take(&call->probes, probes, error);
    if (status == CAROM_OK) {
        status = carom_bodies_refuse_shapes(&call->probes, error);
    }
    call->config = carom_query_config_default();
    if (status == CAROM_OK) {
        status = carom_layout_take(&carom_layout_query_config, &call->config, config, error);
    }
    if (status == CAROM_OK) {
        status = check_config(&call->config, error);
    }
    if (status == CAROM_OK) {
        status = take_filter(&call->config.filter, &call->filter, error);
    }
    if (status == CAROM_OK) {
        status = take_filter(&call->config.probe_filter, &call->probe_filter, error);
    }
    return status == CAROM_OK ? check_lists(call, error) : status;
}

/* Whether the context keeps bodies that can be searched. */
static carom_status check_partition(const carom_context *context, const query_call *call, carom_error *error) {
    const carom_context_partition *partition = &context->partition;
    if (!partition->searchable) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT,
                               "the last call in this context was no successful carom_detect or carom_coherent_detect "
                               "of spheres, until pairs or later: there is nothing to query");
    }
    if (partition->asked != CAROM_REAL_BITS) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "the last detection in this context was of f%u",
                               partition->asked);
    }
    if (call->probes.count > CAROM_BODIES_MAX - partition->owned) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT,
                               "%" PRIu64 " bodies and %" PRIu64 " to ask for are more than %" PRIu64, partition->owned,
                               call->probes.count, CAROM_BODIES_MAX);
    }
    return CAROM_OK;
}

static carom_status run(carom_context *context, query_call *call, carom_error *error) {
    carom_status status = carom_context_take_again(context, error);
    if (status != CAROM_OK) {
        return status;
    }
    carom_control_start(&call->control, call->config.cancel, NULL, NULL);
    context->team.control = call->config.cancel != NULL ? &call->control : NULL;
    status = check_partition(context, call, error);
    if (status == CAROM_OK) {
        status = (context->partition.box.periodic ? carom_query_run_periodic : carom_query_run)(
            context, &call->probes, &call->config, &call->answer, error);
    }
    context->team.control = NULL;
    carom_context_give_back(context);
    return status;
}

carom_status carom_query(carom_context *context, const carom_bodies *probes, const carom_query_config *config,
                         carom_query_answer *answer, carom_error *error) {
    if (answer == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "answer is NULL");
    }
    query_call call = {.answer = {0}};
    carom_status status = carom_layout_check(&carom_layout_query_answer, answer, error);
    if (status != CAROM_OK) {
        return status;
    }
    carom_layout_give(&carom_layout_query_answer, answer, &call.answer);
    if (context == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "context is NULL");
    }
    const carom_arithmetic before = carom_arithmetic_enter();
    status = take_arguments(&call, probes, config, error);
    if (status == CAROM_OK) {
        status = run(context, &call, error);
        carom_layout_give(&carom_layout_query_answer, answer, &call.answer);
    }
    carom_arithmetic_leave(before);
    return status;
}
