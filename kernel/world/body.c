/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a body, or one of its fields. Out: the field's value and name, and whether a body may have it: one place decides
 * for arrays, worlds and snapshots. */
#include "kernel/world/body.h"

#include <inttypes.h>
#include <math.h>

#include "kernel/check/assert.h"
#include "kernel/sys/error.h"

static const char *const NAMES[CAROM_BODY_FIELDS] = {"position_x", "position_y", "position_z",
                                                     "velocity_x", "velocity_y", "velocity_z",
                                                     "radius",     "mass",       "restitution"};

const char *carom_body_field_name(carom_body_field field) {
    CAROM_ASSERT(field < CAROM_BODY_FIELDS);
    return NAMES[field];
}

bool carom_body_allows(carom_body_field field, double value) {
    switch (field) {
    case CAROM_BODY_RADIUS:
        return value >= 0.0 && isfinite(value);
    case CAROM_BODY_MASS:
        return value > 0.0;
    case CAROM_BODY_RESTITUTION:
        return value >= 0.0 && value <= 1.0;
    default:
        return isfinite(value);
    }
}

/* Not inline: where two values and more are rounded side by side, gcc 12 for x86 makes vectors of two doubles and of
 * two floats of them, takes either for as precise as the other, and leaves the rounding out. */
__attribute__((noinline)) double carom_body_rounded(bool single, double value) {
    return single ? (double)(float)value : value;
}

double carom_body_value(const carom_body *body, carom_body_field field) {
    switch (field) {
    case CAROM_BODY_RADIUS:
        return body->radius;
    case CAROM_BODY_MASS:
        return body->mass;
    case CAROM_BODY_RESTITUTION:
        return body->restitution;
    default:
        return field < CAROM_BODY_VELOCITY ? body->x[field] : body->v[field - CAROM_BODY_VELOCITY];
    }
}

carom_body_field carom_body_fault(const carom_body *body) {
    carom_body_field field = CAROM_BODY_POSITION;
    while (field < CAROM_BODY_FIELDS && carom_body_allows(field, carom_body_value(body, field))) {
        field = (carom_body_field)(field + 1);
    }
    return field;
}

carom_status carom_body_refuse(uint64_t n, carom_body_field field, double value, carom_error *error) {
    const char *rule = field == CAROM_BODY_RADIUS        ? "finite and >= 0"
                       : field == CAROM_BODY_MASS        ? "> 0"
                       : field == CAROM_BODY_RESTITUTION ? "0 to 1"
                                                         : "finite";
    const char *name = carom_body_field_name(field);
    return carom_error_body(error, n, name, "body %" PRIu64 ": %s is %g: it must be %s", n, name, value, rule);
}
