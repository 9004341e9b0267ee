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

/* The arrays of a member are given all, or none: then the message ends with what that means. */
static carom_status check_whole(const char *name, const carom_real *const *array, int count, const char *none,
                                carom_error *error) {
    int given = 0;
    int missing = 0;
    for (int a = count; a-- > 0;) {
        given = array[a] != NULL ? a : given;
        missing = array[a] == NULL ? a : missing;
    }
    return array[given] == NULL || array[missing] != NULL
               ? CAROM_OK
               : carom_error_set(error, CAROM_ERROR_ARGUMENT,
                                 "bodies.%s[%d] is NULL, but bodies.%s[%d] is not; give %s, or none %s", name, missing,
                                 name, given, count == 3 ? "all three" : "all four", none);
}

static carom_status check_radius(const carom_bodies *bodies, carom_error *error) {
    const bool common = !(bodies->common_radius == 0);
    if (common == (bodies->radius != NULL)) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT,
                               common ? "bodies.radius and bodies.common_radius are both given"
                                      : "bodies.radius is NULL, and bodies.common_radius is 0");
    }
    return CAROM_OK;
}

static carom_status check_turns(const carom_bodies *bodies, carom_error *error) {
    carom_status status = check_whole("prev_turn", bodies->prev_turn, 4, "for bodies that are not rotated", error);
    if (status == CAROM_OK) {
        status = check_whole("curr_turn", bodies->curr_turn, 4, "for bodies that do not turn", error);
    }
    if (status == CAROM_OK) {
        status = check_whole("spin", bodies->spin, 3, "for bodies that do not turn", error);
    }
    if (status == CAROM_OK && bodies->curr_turn[0] != NULL && bodies->spin[0] != NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "bodies.curr_turn and bodies.spin are both given");
    }
    return status;
}

/* Arrays may be NULL if there are no bodies. */
static carom_status check_arrays(const carom_bodies *bodies, carom_error *error) {
    for (int a = 0; a < 3; a++) {
        if (bodies->prev[a] == NULL) {
            return carom_error_set(error, CAROM_ERROR_ARGUMENT, "bodies.prev[%d] is NULL", a);
        }
    }
    const carom_status status = check_whole("curr", bodies->curr, 3, "for bodies at rest", error);
    if (status != CAROM_OK) {
        return status;
    }
    return bodies->shapes != NULL ? check_turns(bodies, error) : check_radius(bodies, error);
}

/* Those of arrays that are not given mean nothing. */
static carom_status check_strides(const carom_bodies *bodies, carom_error *error) {
    const bool shaped = bodies->shapes != NULL;
    const struct {
        const char *name;
        const void *array;
        uint64_t stride;
        size_t value;
    } all[] = {
        {"bodies.prev_stride", bodies, bodies->prev_stride, sizeof(carom_real)},
        {"bodies.curr_stride", bodies->curr[0], bodies->curr_stride, sizeof(carom_real)},
        {"bodies.radius_stride", shaped ? NULL : bodies->radius, bodies->radius_stride, sizeof(carom_real)},
        {"bodies.shape_stride", shaped ? bodies->shape : NULL, bodies->shape_stride, sizeof *bodies->shape},
        {"bodies.prev_turn_stride", shaped ? bodies->prev_turn[0] : NULL, bodies->prev_turn_stride, sizeof(carom_real)},
        {"bodies.curr_turn_stride", shaped ? bodies->curr_turn[0] : NULL, bodies->curr_turn_stride, sizeof(carom_real)},
        {"bodies.spin_stride", shaped ? bodies->spin[0] : NULL, bodies->spin_stride, sizeof(carom_real)}};
    carom_status status = CAROM_OK;
    for (size_t n = 0; n < sizeof all / sizeof *all && status == CAROM_OK; n++) {
        status = all[n].array != NULL
                     ? carom_stride_check(all[n].name, all[n].stride, bodies->count, all[n].value, error)
                     : CAROM_OK;
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

/* The same of what bodies with shapes have besides. */
static void plain_shapes(carom_bodies *plain) {
    plain->shape_stride = plain->shape_stride == sizeof *plain->shape ? 0 : plain->shape_stride;
    plain->prev_turn_stride = plain_stride(plain->prev_turn_stride);
    plain->curr_turn_stride = plain_stride(plain->curr_turn_stride);
    plain->spin_stride = plain_stride(plain->spin_stride);
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
    plain_shapes(&plain);
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

carom_status carom_bodies_refuse_shapes(const carom_bodies *bodies, carom_error *error) {
    return bodies->shapes == NULL ? CAROM_OK
                                  : carom_error_set(error, CAROM_ERROR_ARGUMENT,
                                                    "bodies.shapes is given, but this call knows spheres only");
}
