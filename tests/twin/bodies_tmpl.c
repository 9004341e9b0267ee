/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/twin/bodies_tmpl.h"

#include <math.h>

static double position(carom_random *random, body_kind kind) {
    switch (kind) {
    case BODIES_WILD:
        return guarded_number(random);
    case BODIES_FINITE:
        return 200.0 * carom_random_u01(random) - 100.0;
    case BODIES_NEAR:
        break;
    }
    return 2.0 * carom_random_u01(random);
}

static double radius_of(carom_random *random, body_kind kind) {
    if (kind == BODIES_WILD) {
        double r = guarded_number(random);
        return carom_random_next(random) % 8 == 0 ? r : fabs(r);
    }
    return (kind == BODIES_NEAR ? 0.8 : 2.0) * carom_random_u01(random);
}

carom_bodies make_bodies(guarded_pool *pool, carom_random *random, uint64_t count, body_kind kind) {
    carom_bodies bodies = {.count = count};
    carom_real *array[7];
    for (int a = 0; a < 7; a++) {
        array[a] = guarded_array(pool, count, sizeof(carom_real), carom_random_next(random) % 16);
        for (uint64_t n = 0; n < count; n++) {
            array[a][n] = (carom_real)(a == 6 ? radius_of(random, kind) : position(random, kind));
        }
    }
    for (int a = 0; a < 3; a++) {
        for (uint64_t n = 0; n < count && kind != BODIES_WILD; n++) {
            array[a + 3][n] = array[a][n] + (carom_real)(carom_random_u01(random) - 0.5);
        }
        bodies.prev[a] = array[a];
        bodies.curr[a] = array[a + 3];
    }
    bodies.radius = array[6];
    return bodies;
}

/* Bodies are checked before they become records. */
static carom_real finite_or_some(carom_real x) {
    return isfinite(x) ? x : (carom_real)1.5;
}

carom_record *make_records(guarded_pool *pool, carom_random *random, uint64_t count, body_kind kind) {
    carom_bodies bodies = make_bodies(pool, random, count, kind);
    carom_record *records = guarded_array(pool, count, sizeof *records, 0);
    for (uint64_t n = 0; n < count; n++) {
        for (int a = 0; a < 3; a++) {
            records[n].prev[a] = finite_or_some(bodies.prev[a][n]);
            records[n].curr[a] = finite_or_some(bodies.curr[a][n]);
        }
        records[n].radius = (carom_real)fabs((double)finite_or_some(bodies.radius[n]));
        records[n].body = (uint32_t)n;
    }
    for (uint64_t n = count; n > 1; n--) {
        uint64_t other = carom_random_next(random) % n;
        uint32_t body = (uint32_t)records[n - 1].body;
        records[n - 1].body = records[other].body;
        records[other].body = body;
    }
    return records;
}

const uint32_t *draw_slots(guarded_pool *pool, carom_random *random, uint32_t count) {
    uint32_t *slot = guarded_array(pool, count, sizeof(uint32_t), carom_random_next(random) % 16);
    for (uint32_t n = 0; n < count; n++) {
        uint32_t other = (uint32_t)(carom_random_next(random) % (n + 1));
        slot[n] = slot[other];
        slot[other] = n;
    }
    return slot;
}
