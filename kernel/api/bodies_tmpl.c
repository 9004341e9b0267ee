/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: the caller's bodies, in any layout. Out: the same with all defaults in place. Numbers in the arrays are not
 * looked at: the survey reads them anyway, and finds NaN, infinity and negative radii. */
#include "kernel/api/bodies_tmpl.h"

#include <inttypes.h>

#include "kernel/api/layout.h"
#include "kernel/api/stride.h"
#include "kernel/sys/error.h"

#define carom_layout_bodies CAROM_REAL(carom_layout_bodies)

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

static carom_status check_stride(const char *name, uint64_t stride, uint64_t count, carom_error *error) {
    return carom_stride_check(name, stride, count, sizeof(carom_real), error);
}

/* Those of arrays that are not given mean nothing. */
static carom_status check_strides(const carom_bodies *bodies, carom_error *error) {
    carom_status status = check_stride("bodies.prev_stride", bodies->prev_stride, bodies->count, error);
    if (status == CAROM_OK && bodies->curr[0] != NULL) {
        status = check_stride("bodies.curr_stride", bodies->curr_stride, bodies->count, error);
    }
    if (status == CAROM_OK && bodies->radius != NULL) {
        status = check_stride("bodies.radius_stride", bodies->radius_stride, bodies->count, error);
    }
    return status;
}

/* Only structs of floats have the word. */
static carom_status check_reserved(const carom_bodies *bodies, carom_error *error) {
#if CAROM_REAL_BITS == 32
    if (bodies->reserved != 0) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "bodies.reserved is %u, not 0", bodies->reserved);
    }
#endif
    (void)bodies;
    (void)error;
    return CAROM_OK;
}

static carom_status check_bodies(const carom_bodies *bodies, carom_error *error) {
    if (bodies->count > CAROM_BODIES_MAX) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT,
                               "bodies.count is %" PRIu64 "; at most %" PRIu64 " are allowed", bodies->count,
                               CAROM_BODIES_MAX);
    }
    carom_status status = check_reserved(bodies, error);
    if (status == CAROM_OK && bodies->count > 0) {
        status = check_arrays(bodies, error);
    }
    return status == CAROM_OK ? check_strides(bodies, error) : status;
}

static uint64_t plain_stride(uint64_t stride) {
    return stride == sizeof(carom_real) ? 0 : stride;
}

/* A stride of one value is none, and bodies at rest end where they begin. */
static carom_bodies plain_layout(const carom_bodies *bodies) {
    carom_bodies plain = *bodies;
    const bool rest = bodies->curr[0] == NULL;
    plain.prev_stride = plain_stride(bodies->prev_stride);
    plain.curr_stride = rest ? plain.prev_stride : plain_stride(bodies->curr_stride);
    plain.radius_stride = bodies->radius != NULL ? plain_stride(bodies->radius_stride) : 0;
    for (int a = 0; a < 3; a++) {
        plain.curr[a] = rest ? plain.prev[a] : plain.curr[a];
    }
    return plain;
}

carom_status carom_bodies_take(carom_bodies *own, const carom_bodies *given, carom_error *error) {
    if (given == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "bodies is NULL");
    }
    *own = (carom_bodies){.size = sizeof *own};
    carom_status status = carom_layout_take(&carom_layout_bodies, own, given, error);
    if (status == CAROM_OK) {
        status = check_bodies(own, error);
    }
    *own = plain_layout(own);
    return status;
}
