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
#include "kernel/sys/arithmetic.h"
#include "kernel/sys/error.h"

#define carom_detect_run CAROM_REAL(carom_detect_run)

/* Arrays may be NULL if there are no bodies. */
static carom_status check_arrays(const carom_bodies *bodies, carom_error *error) {
    int given = 0;
    int missing = 0;
    for (int a = 0; a < 3; a++) {
        if (bodies->prev[a] == NULL) {
            return carom_error_set(error, CAROM_ERROR_ARGUMENT, "bodies.prev[%d] is NULL", a);
        }
        given = bodies->curr[a] != NULL ? a : given;
        missing = bodies->curr[a] == NULL ? a : missing;
    }
    if ((bodies->curr[given] != NULL) && (bodies->curr[missing] == NULL)) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT,
                               "bodies.curr[%d] is NULL, but bodies.curr[%d] is not: all three are for bodies at rest",
                               missing, given);
    }
    const bool common = !(bodies->common_radius == 0);
    if (common == (bodies->radius != NULL)) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT,
                               common ? "bodies.radius and bodies.common_radius are both given"
                                      : "bodies.radius is NULL, and bodies.common_radius is 0");
    }
    return CAROM_OK;
}

/* Values may not overlap, must be aligned and lie in the address space. */
static carom_status check_stride(const char *name, uint64_t stride, uint64_t count, carom_error *error) {
    if (stride % sizeof(carom_real) != 0) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT,
                               "bodies.%s is %" PRIu64 " bytes: it must be a multiple of %zu", name, stride,
                               sizeof(carom_real));
    }
    if (count > 0 && stride > (uint64_t)PTRDIFF_MAX / count) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT,
                               "bodies.%s is %" PRIu64 " bytes: too many for %" PRIu64 " bodies", name, stride, count);
    }
    return CAROM_OK;
}

static carom_status check_strides(const carom_bodies *bodies, carom_error *error) {
    carom_status status = check_stride("prev_stride", bodies->prev_stride, bodies->count, error);
    if (status == CAROM_OK) {
        status = check_stride("curr_stride", bodies->curr_stride, bodies->count, error);
    }
    return status == CAROM_OK ? check_stride("radius_stride", bodies->radius_stride, bodies->count, error) : status;
}

static carom_status check_bodies(const carom_bodies *bodies, carom_error *error) {
    if (bodies == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "bodies is NULL");
    }
    if (bodies->count > CAROM_BODIES_MAX) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "%" PRIu64 " bodies; at most %" PRIu64 " are allowed",
                               bodies->count, CAROM_BODIES_MAX);
    }
    const carom_status status = bodies->count > 0 ? check_arrays(bodies, error) : CAROM_OK;
    return status == CAROM_OK ? check_strides(bodies, error) : status;
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

/* Whether the caller wants any pair array filled. */
static bool has_pair_arrays(const CAROM_REAL(carom_detect_output) * output) {
    bool any = output->i != NULL || output->k != NULL || output->t_ca != NULL || output->distance != NULL ||
               output->t_toi != NULL;
    for (int a = 0; a < 3; a++) {
        any |= output->normal[a] != NULL || output->point[a] != NULL || output->shift[a] != NULL;
    }
    return any;
}

/* Refuses options that cannot be combined with a sink. */
static carom_status check_sink(const carom_detect_config *config, const CAROM_REAL(carom_detect_output) * output,
                               carom_error *error) {
    if (output == NULL || output->sink == NULL) {
        return CAROM_OK;
    }
    const char *other = has_pair_arrays(output)                       ? "pair arrays in the output"
                        : config->count_only                          ? "config.count_only"
                        : config->sort_pairs                          ? "config.sort_pairs"
                        : config->neighbours != CAROM_NEIGHBOURS_NONE ? "config.neighbours"
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

/* A stride of one value is none, and bodies at rest end where they begin. */
carom_bodies carom_detect_layout(const carom_bodies *bodies) {
    carom_bodies plain = *bodies;
    const bool rest = bodies->curr[0] == NULL;
    plain.prev_stride = bodies->prev_stride == sizeof(carom_real) ? 0 : bodies->prev_stride;
    plain.curr_stride = bodies->curr_stride == sizeof(carom_real) ? 0 : bodies->curr_stride;
    plain.radius_stride = bodies->radius_stride == sizeof(carom_real) ? 0 : bodies->radius_stride;
    plain.curr_stride = rest ? plain.prev_stride : plain.curr_stride;
    for (int a = 0; a < 3; a++) {
        plain.curr[a] = rest ? plain.prev[a] : plain.curr[a];
    }
    return plain;
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
        const carom_bodies plain = carom_detect_layout(bodies);
        status = carom_detect_run(context, &plain, config, output, detection, error);
    }
    carom_arithmetic_leave(before);
    return status;
}
