/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/api/pair_config.h"

#include <math.h>

#include "kernel/api/layout.h"
#include "kernel/sys/error.h"

/* Tolerances relative to the smaller shape: those that may be asked for, and the defaults. A bracket cannot be narrower
 * than the rounding of its bounds. */
static const double TOLERANCE_MOST = 0.5;
static const double DISTANCE_LEAST = 0x1p-46;
static const double DISTANCE_FLOAT = 0x1p-20;
static const double DISTANCE_DOUBLE = 0x1p-40;
static const double TOI_LEAST = 0x1p-40;
static const double TOI_FLOAT = 1e-4;
static const double TOI_DOUBLE = 1e-9;

/* The most poses that a time of impact looks at by default. */
enum { ITERATIONS = 64 };

carom_status carom_pair_config_margin(double margin, carom_error *error) {
    return isfinite(margin) && margin >= 0.0
               ? CAROM_OK
               : carom_error_set(error, CAROM_ERROR_ARGUMENT, "config.margin is %g; it must be finite and >= 0",
                                 margin);
}

static carom_status take_tolerance(double *tolerance, double least, double standard, carom_error *error) {
    if (*tolerance == 0.0) {
        *tolerance = standard;
        return CAROM_OK;
    }
    return *tolerance >= least && *tolerance <= TOLERANCE_MOST
               ? CAROM_OK
               : carom_error_set(error, CAROM_ERROR_ARGUMENT, "config.tolerance is %g; it must be 0 or from %g to %g",
                                 *tolerance, least, TOLERANCE_MOST);
}

static carom_status check_reserved(uint32_t reserved, carom_error *error) {
    return reserved == 0
               ? CAROM_OK
               : carom_error_set(error, CAROM_ERROR_ARGUMENT, "config.reserved is %u, not 0", (unsigned)reserved);
}

carom_status carom_pair_config_distance(const carom_distance_config *given, size_t real, carom_distance_config *own,
                                        carom_error *error) {
    *own = carom_distance_config_default();
    carom_status status = carom_layout_take(&carom_layout_distance_config, own, given, error);
    if (status == CAROM_OK && (unsigned)own->detail > CAROM_GAP_CLEARANCE) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "config.detail is %d, which is no detail",
                               (int)own->detail);
    }
    if (status == CAROM_OK) {
        status = check_reserved(own->reserved, error);
    }
    if (status == CAROM_OK) {
        status = carom_pair_config_margin(own->margin, error);
    }
    return status == CAROM_OK ? take_tolerance(&own->tolerance, DISTANCE_LEAST,
                                               real == sizeof(float) ? DISTANCE_FLOAT : DISTANCE_DOUBLE, error)
                              : status;
}

carom_status carom_pair_config_toi(const carom_toi_config *given, size_t real, carom_toi_config *own,
                                   carom_error *error) {
    *own = carom_toi_config_default();
    carom_status status = carom_layout_take(&carom_layout_toi_config, own, given, error);
    if (status == CAROM_OK) {
        status = check_reserved(own->reserved, error);
    }
    if (status == CAROM_OK) {
        status = carom_pair_config_margin(own->margin, error);
    }
    own->iterations_max = own->iterations_max != 0 ? own->iterations_max : ITERATIONS;
    return status == CAROM_OK
               ? take_tolerance(&own->tolerance, TOI_LEAST, real == sizeof(float) ? TOI_FLOAT : TOI_DOUBLE, error)
               : status;
}

carom_status carom_pair_config_tolerance(double tolerance, carom_error *error) {
    return take_tolerance(&tolerance, DISTANCE_LEAST, DISTANCE_DOUBLE, error);
}
