/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* All arguments of a detection are checked here, so that nothing below has to. */
#include "kernel/api/call_tmpl.h"

#include <string.h>

#include "kernel/api/bodies_tmpl.h"
#include "kernel/api/layout.h"
#include "kernel/store/row_table_tmpl.h"
#include "kernel/sys/error.h"

#define carom_layout_detect_output CAROM_REAL(carom_layout_detect_output)
#define carom_layout_detection CAROM_REAL(carom_layout_detection)

/* Offsets without a list are allowed as long as no exclusion list has an entry. */
static carom_status check_exclusions(const carom_filter *filter, uint64_t count, carom_error *error) {
    return filter == NULL || filter->exclusion_offset == NULL || filter->excluded != NULL || count == 0 ||
                   filter->exclusion_offset[0] == filter->exclusion_offset[count]
               ? CAROM_OK
               : carom_error_set(error, CAROM_ERROR_ARGUMENT,
                                 "filter.excluded is NULL, but some exclusion list has entries");
}

/* Refuses options that cannot be combined with a sink. */
static carom_status check_sink(const carom_detect_config *config, const carom_call_output *output, carom_error *error) {
    void *field[CAROM_CONTACT_FIELDS];
    if (output->sink == NULL) {
        return CAROM_OK;
    }
    const char *other = carom_row_table_columns(&output->contacts, field)    ? "arrays in output.contacts"
                        : output->child_i != NULL || output->child_k != NULL ? "output.child_i and output.child_k"
                        : config->count_only                                 ? "config.count_only"
                        : config->sort_pairs                                 ? "config.sort_pairs"
                        : config->neighbours != CAROM_NEIGHBOURS_NONE        ? "config.neighbours"
                                                                             : NULL;
    return other == NULL ? CAROM_OK
                         : carom_error_set(error, CAROM_ERROR_ARGUMENT, "output.sink does not go with %s", other);
}

static carom_status take_output(carom_call *call, const carom_call_output *output, carom_error *error) {
    call->output = output != NULL ? &call->own_output : NULL;
    carom_status status = carom_layout_take(&carom_layout_detect_output, &call->own_output, output, error);
    return status == CAROM_OK ? check_sink(&call->settings.config, &call->own_output, error) : status;
}

carom_status carom_call_open(carom_call *call, carom_call_detection *detection, carom_error *error) {
    if (detection == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "detection is NULL");
    }
    carom_status status = carom_layout_check(&carom_layout_detection, detection, error);
    memset(call, 0, sizeof *call);
    call->detection = detection;
    if (status == CAROM_OK) {
        carom_layout_give(&carom_layout_detection, detection, &call->found);
    }
    return status;
}

carom_status carom_call_take(carom_call *call, const carom_bodies *bodies, const carom_detect_config *config,
                             const carom_call_output *output, carom_error *error) {
    carom_status status = carom_bodies_take(&call->bodies, bodies, error);
    if (status == CAROM_OK) {
        status = carom_settings_take(&call->settings, config, error);
    }
    if (status == CAROM_OK && call->bodies.shapes == NULL &&
        (call->settings.config.margin != 0.0 || call->settings.config.tolerance != 0.0)) {
        status = carom_error_set(error, CAROM_ERROR_ARGUMENT, "config.%s goes with bodies.shapes alone",
                                 call->settings.config.margin != 0.0 ? "margin" : "tolerance");
    }
    if (status == CAROM_OK) {
        status = check_exclusions(call->settings.config.filter, call->bodies.count, error);
    }
    return status == CAROM_OK ? take_output(call, output, error) : status;
}

carom_status carom_call_begin(carom_call *call, carom_context *context, carom_error *error) {
    const carom_detect_config *config = &call->settings.config;
    const carom_status status = carom_context_take(context, error);
    if (status != CAROM_OK) {
        return status;
    }
    const bool controlled = config->cancel != NULL || config->progress != NULL;
    carom_control_start(&call->control, config->cancel, config->progress, config->progress_user);
    context->team.control = controlled ? &call->control : NULL;
    return CAROM_OK;
}

void carom_call_end(carom_context *context) {
    context->team.control = NULL;
    carom_context_give_back(context);
}

void carom_call_close(const carom_call *call) {
    carom_layout_give(&carom_layout_detection, call->detection, &call->found);
}
