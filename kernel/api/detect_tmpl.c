/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* carom_detect. In: the caller's bodies, config and output. Out: a detection. All arguments are checked here,
 * so that nothing below has to. A NULL config becomes the default. The numbers in the arrays are not looked at: the
 * survey reads them anyway, and finds NaN, infinity and negative radii. */
#include "kernel/api/detect_tmpl.h"

#include <inttypes.h>
#include <string.h>

#include "kernel/api/detect.h"
#include "kernel/detect/detect.h"
#include "kernel/store/row_table_tmpl.h"
#include "kernel/sys/arithmetic.h"
#include "kernel/sys/error.h"

#define carom_detect_run CAROM_REAL(carom_detect_run)

/* Arrays may be NULL if there are no bodies. */
static carom_status check_bodies(const carom_bodies *bodies, carom_error *error) {
    if (bodies == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "bodies is NULL");
    }
    if (bodies->count > CAROM_BODIES_MAX) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "%" PRIu64 " bodies; at most %" PRIu64 " are allowed",
                               bodies->count, CAROM_BODIES_MAX);
    }
    bool missing = bodies->radius == NULL;
    for (int a = 0; a < 3; a++) {
        missing |= bodies->prev[a] == NULL || bodies->curr[a] == NULL;
    }
    if (missing && bodies->count > 0) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "an array of bodies is NULL");
    }
    return CAROM_OK;
}

/* NULL is no filter. Offsets without a list are allowed as long as no exclusion list has an entry. */
static carom_status check_filter(const carom_filter *filter, uint64_t count, carom_error *error) {
    if (filter == NULL) {
        return CAROM_OK;
    }
    if (filter->size != sizeof *filter) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT,
                               "filter.size is %zu, not %zu: start from carom_filter_default()", filter->size,
                               sizeof *filter);
    }
    if (filter->excluded != NULL && filter->exclusion_offset == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "filter.excluded without filter.exclusion_offset");
    }
    if (filter->exclusion_offset != NULL && filter->excluded == NULL && count > 0 &&
        filter->exclusion_offset[0] != filter->exclusion_offset[count]) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT,
                               "filter.excluded is NULL, but some exclusion list has entries");
    }
    return CAROM_OK;
}

/* Refuses options that cannot be combined with a sink. */
static carom_status check_sink(const carom_detect_config *config, const CAROM_REAL(carom_detect_output) * output,
                               carom_error *error) {
    if (output == NULL || output->sink == NULL) {
        return CAROM_OK;
    }
    void *field[CAROM_FIELDS_ALL];
    const char *other = carom_row_table_columns(&output->contacts, field) ? "arrays in output.contacts"
                        : config->count_only                              ? "config.count_only"
                        : config->sort_pairs                              ? "config.sort_pairs"
                        : config->neighbours != CAROM_NEIGHBOURS_NONE     ? "config.neighbours"
                                                                          : NULL;
    return other == NULL ? CAROM_OK
                         : carom_error_set(error, CAROM_ERROR_ARGUMENT, "output.sink does not go with %s", other);
}

carom_status carom_detect_check(const carom_bodies *bodies, const carom_detect_config *config,
                                const CAROM_REAL(carom_detect_output) * output, carom_error *error) {
    carom_status status = check_bodies(bodies, error);
    if (status == CAROM_OK) {
        status = carom_detect_check_config(config, error);
    }
    if (status == CAROM_OK) {
        status = check_filter(config->filter, bodies->count, error);
    }
    return status == CAROM_OK ? check_sink(config, output, error) : status;
}

carom_status carom_detect(carom_context *context, const carom_bodies *bodies, const carom_detect_config *config,
                          const CAROM_REAL(carom_detect_output) * output, CAROM_REAL(carom_detection) * detection,
                          carom_error *error) {
    carom_detect_config defaults = carom_detect_config_default();
    config = config != NULL ? config : &defaults;
    if (detection == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "detection is NULL");
    }
    /* Zero, whatever fails after this: a caller who does not check reads no garbage. */
    memset(detection, 0, sizeof *detection);
    if (context == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "context is NULL");
    }
    /* The host may have changed rounding or flush subnormals; results must not depend on it. */
    const carom_arithmetic before = carom_arithmetic_enter();
    carom_status status = carom_detect_check(bodies, config, output, error);
    if (status == CAROM_OK) {
        status = carom_detect_run(context, bodies, config, output, detection, error);
    }
    carom_arithmetic_leave(before);
    return status;
}
