/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/api/settings.h"

#include "kernel/api/layout.h"
#include "kernel/api/pair_config.h"
#include "kernel/periodic/lattice.h"
#include "kernel/sys/error.h"

static carom_status check_reserved(const carom_detect_config *config, carom_error *error) {
    if (config->reserved != 0) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "config.reserved is %u, not 0", config->reserved);
    }
    for (size_t n = 0; n < sizeof config->reserved_bytes; n++) {
        if (config->reserved_bytes[n] != 0) {
            return carom_error_set(error, CAROM_ERROR_ARGUMENT, "config.reserved_bytes[%zu] is %u, not 0", n,
                                   config->reserved_bytes[n]);
        }
    }
    return CAROM_OK;
}

static carom_status check_config(const carom_detect_config *config, carom_error *error) {
    if ((unsigned)config->until > CAROM_UNTIL_GROUPS) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "config.until is %d, which is no stage",
                               (int)config->until);
    }
    if ((unsigned)config->method > CAROM_METHOD_SHARED) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "config.method is %d, which is no method",
                               (int)config->method);
    }
    if ((unsigned)config->neighbours > CAROM_NEIGHBOURS_FULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "config.neighbours is %d, which is no kind of list",
                               (int)config->neighbours);
    }
    if (config->neighbours != CAROM_NEIGHBOURS_NONE && config->count_only) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT,
                               "config.neighbours are made from stored pairs, but config.count_only stores none");
    }
    if (config->approaching && config->all_pairs) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT,
                               "config.approaching leaves pairs out, but config.all_pairs keeps them all");
    }
    carom_status status = carom_pair_config_margin(config->margin, error);
    if (status == CAROM_OK) {
        status = carom_pair_config_tolerance(config->tolerance, error);
    }
    return status == CAROM_OK ? check_reserved(config, error) : status;
}

static carom_status check_filter(const carom_filter *filter, carom_error *error) {
    return filter->excluded == NULL || filter->exclusion_offset != NULL
               ? CAROM_OK
               : carom_error_set(error, CAROM_ERROR_ARGUMENT, "filter.excluded without filter.exclusion_offset");
}

static carom_status take_filter(carom_settings *settings, carom_error *error) {
    settings->filter = carom_filter_default();
    carom_status status = carom_layout_take(&carom_layout_filter, &settings->filter, settings->config.filter, error);
    settings->config.filter = &settings->filter;
    return status == CAROM_OK ? check_filter(&settings->filter, error) : status;
}

static carom_status check_periodic(const carom_periodic *periodic, carom_error *error) {
    for (size_t n = 0; n < sizeof periodic->reserved; n++) {
        if (periodic->reserved[n] != 0) {
            return carom_error_set(error, CAROM_ERROR_ARGUMENT, "periodic.reserved[%zu] is %u, not 0", n,
                                   periodic->reserved[n]);
        }
    }
    carom_lattice lattice;
    return carom_lattice_make(periodic, &lattice, error);
}

static carom_status take_periodic(carom_settings *settings, carom_error *error) {
    settings->periodic = carom_periodic_default();
    carom_status status =
        carom_layout_take(&carom_layout_periodic, &settings->periodic, settings->config.periodic, error);
    settings->config.periodic = &settings->periodic;
    return status == CAROM_OK ? check_periodic(&settings->periodic, error) : status;
}

carom_status carom_settings_take(carom_settings *settings, const carom_detect_config *config, carom_error *error) {
    settings->config = carom_detect_config_default();
    carom_status status = carom_layout_take(&carom_layout_detect_config, &settings->config, config, error);
    if (status == CAROM_OK) {
        status = check_config(&settings->config, error);
    }
    if (status == CAROM_OK && settings->config.periodic != NULL) {
        status = take_periodic(settings, error);
    }
    if (status == CAROM_OK && settings->config.filter != NULL) {
        status = take_filter(settings, error);
    }
    return status;
}
