/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a complete config. Out: rules of which nothing has to be checked again, or what is wrong with the config. */
#include "kernel/world/rules.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kernel/impacts/shift.h"
#include "kernel/response/surface.h"
#include "kernel/sys/error.h"

static bool is_share(double x) {
    return x >= 0.0 && x <= 1.0;
}

static bool is_amount(double x) {
    return x >= 0.0 && isfinite(x);
}

static carom_status check_numbers(const carom_step_config *config, carom_error *error) {
    if (!(config->dt > 0.0 && isfinite(config->dt))) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "config.dt is %g: it must be finite and > 0", config->dt);
    }
    for (int a = 0; a < 3; a++) {
        if (!isfinite(config->acceleration[a])) {
            return carom_error_set(error, CAROM_ERROR_ARGUMENT, "config.acceleration[%d] is %g: it must be finite", a,
                                   config->acceleration[a]);
        }
    }
    if (!is_share(config->restitution)) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "config.restitution is %g: it must be 0 to 1",
                               config->restitution);
    }
    if (!is_amount(config->rest_speed) || !is_amount(config->contact_time)) {
        const bool speed = !is_amount(config->rest_speed);
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "config.%s is %g: it must be finite and >= 0",
                               speed ? "rest_speed" : "contact_time",
                               speed ? config->rest_speed : config->contact_time);
    }
    if (config->budget < 1 || config->budget > CAROM_BUDGET_MAX) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "config.budget is %" PRIu32 ": it must be 1 to %d",
                               config->budget, CAROM_BUDGET_MAX);
    }
    return CAROM_OK;
}

static carom_status check_response(const carom_step_config *config, carom_rules_owner owner, carom_error *error) {
    if ((unsigned)config->response > CAROM_RESPONSE_MERGE) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "config.response is %d, which is no response",
                               (int)config->response);
    }
    if (config->response == CAROM_RESPONSE_MERGE && owner == CAROM_RULES_STEP) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "config.response is MERGE, which only worlds do");
    }
    if (config->response == CAROM_RESPONSE_MERGE && config->surface_count > 0) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "config.response MERGE does not go with surfaces");
    }
    return CAROM_OK;
}

static carom_status check_reserved(const uint8_t *reserved, size_t count, const char *name, carom_error *error) {
    for (size_t n = 0; n < count; n++) {
        if (reserved[n] != 0) {
            return carom_error_set(error, CAROM_ERROR_ARGUMENT, "%s.reserved[%zu] is %u, not 0", name, n, reserved[n]);
        }
    }
    return CAROM_OK;
}

static carom_status check_filter(const carom_filter *filter, carom_rules_owner owner, carom_error *error) {
    const bool values = filter->category != NULL || filter->mask != NULL || filter->group != NULL ||
                        filter->fixed != NULL || filter->exclusion_offset != NULL || filter->excluded != NULL;
    if (filter->part != NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "filter.part is given: steps cannot be divided");
    }
    if (filter->excluded != NULL && filter->exclusion_offset == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "filter.excluded without filter.exclusion_offset");
    }
    if (owner == CAROM_RULES_WORLD && values) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "a world's filter has arrays: it may have `accepts` alone");
    }
    return CAROM_OK;
}

static carom_status take_periodic(carom_rules *rules, carom_error *error) {
    const carom_periodic *periodic = &rules->periodic;
    const carom_status status = check_reserved(periodic->reserved, sizeof periodic->reserved, "periodic", error);
    if (status != CAROM_OK) {
        return status;
    }
    if (periodic->self_images) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "config.periodic.self_images does not go with steps");
    }
    rules->tilted = false;
    if (carom_lattice_make(periodic, &rules->lattice, error) != CAROM_OK) {
        return CAROM_ERROR_ARGUMENT;
    }
    if (rules->lattice.shortest < (double)FLT_MIN) { /* boxes around paths would meet images without number */
        return carom_error_set(error, CAROM_ERROR_ARGUMENT,
                               "config.periodic: space repeats after %g, and steps need at least %g, the least normal "
                               "float",
                               rules->lattice.shortest, (double)FLT_MIN);
    }
    /* Which cell bodies are in counts for surfaces, which have no images. Who merges is found by a detection. */
    const bool may_reduce = rules->config.surface_count == 0 && rules->config.response != CAROM_RESPONSE_MERGE;
    rules->tilted = may_reduce && carom_shift_is_tilted(&rules->lattice);
    rules->reduced = carom_shift_reduced(&rules->lattice);
    return CAROM_OK;
}

static const char *bad_axes(carom_surface_kind kind) {
    if (kind == CAROM_SURFACE_BOX) {
        return "its axes are no directions, or not at right angles";
    }
    return kind == CAROM_SURFACE_PLANE ? "its normal, axis[0], is no direction" : "its axis[0] is no direction";
}

/* Extents that a kind has. */
static int extents_of(carom_surface_kind kind) {
    return kind == CAROM_SURFACE_PLANE ? 0 : kind == CAROM_SURFACE_BOX ? 3 : 1;
}

/* Whatever the caller left in members that the kind does not name becomes 0. */
static void clear_unused(carom_surface *s) {
    for (int a = extents_of(s->kind); a < 3; a++) {
        s->extent[a] = 0.0;
    }
    for (int a = s->kind == CAROM_SURFACE_BOX ? 3 : 1; a < 3; a++) {
        memset(s->axis[a], 0, sizeof s->axis[a]);
    }
}

/* The first thing that is wrong with a surface; NULL if it is its directions or nothing. */
static const char *fault_of(const carom_surface *s) {
    const int extents = extents_of(s->kind);
    if ((unsigned)s->kind > CAROM_SURFACE_PIPE) {
        return "no such kind";
    }
    if (s->reserved != 0) {
        return "reserved is not 0";
    }
    for (int a = 0; a < 3; a++) {
        if (!isfinite(s->at[a])) {
            return "`at` is not finite";
        }
        if (a < extents && !is_amount(s->extent[a])) {
            return "an extent is not finite and >= 0";
        }
    }
    return is_share(s->restitution) ? NULL : "restitution is outside [0, 1]";
}

static carom_status refuse_surface(uint64_t n, const char *fault, carom_error *error) {
    return carom_error_set(error, CAROM_ERROR_ARGUMENT, "config.surface[%" PRIu64 "]: %s", n, fault);
}

static carom_status take_surfaces(carom_rules *rules, carom_memory *memory, carom_error *error) {
    const carom_step_config *config = &rules->config;
    const uint64_t count = config->surface_count;
    if (count > CAROM_STEP_SURFACES_MAX) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT,
                               "config.surface_count is %" PRIu64 "; at most %" PRIu64 " are allowed", count,
                               CAROM_STEP_SURFACES_MAX);
    }
    if (count > 0 && config->surface == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT,
                               "config.surface is NULL, but config.surface_count is %" PRIu64, count);
    }
    if (carom_buffer_reserve(memory, &rules->surfaces, 2 * count * sizeof(carom_surface)) != CAROM_OK) {
        return carom_error_set(error, CAROM_ERROR_MEMORY, "no memory for %" PRIu64 " surfaces", count);
    }
    carom_surface *copy = rules->surfaces.data;
    for (uint64_t n = 0; n < count; n++) {
        copy[n] = config->surface[n];
        clear_unused(&copy[n]);
        const char *fault = fault_of(&copy[n]);
        if (fault != NULL || !carom_surface_unit(&copy[n], &copy[count + n])) {
            return refuse_surface(n, fault != NULL ? fault : bad_axes(copy[n].kind), error);
        }
    }
    return CAROM_OK;
}

void carom_rules_bind(carom_rules *rules) {
    carom_step_config *config = &rules->config;
    config->filter = config->filter != NULL ? &rules->filter : NULL;
    config->periodic = config->periodic != NULL ? &rules->periodic : NULL;
    config->surface = config->surface_count > 0 ? rules->surfaces.data : NULL;
}

carom_status carom_rules_make(carom_rules *rules, carom_memory *memory, carom_rules_owner owner, carom_error *error) {
    const carom_step_config *config = &rules->config;
    carom_status status = check_numbers(config, error);
    if (status == CAROM_OK) {
        status = check_response(config, owner, error);
    }
    if (status == CAROM_OK) {
        status = check_reserved(config->reserved, sizeof config->reserved, "config", error);
    }
    if (status == CAROM_OK && config->filter != NULL) {
        status = check_filter(&rules->filter, owner, error);
    }
    if (status == CAROM_OK && config->periodic != NULL) {
        status = take_periodic(rules, error);
    }
    if (status == CAROM_OK) {
        status = take_surfaces(rules, memory, error);
    }
    carom_rules_bind(rules);
    return status;
}

void carom_rules_release(carom_rules *rules, carom_memory *memory) {
    carom_buffer_release(memory, &rules->surfaces);
}
