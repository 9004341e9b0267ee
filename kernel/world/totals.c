/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Sums over all bodies of a world, in their order. */
#include <math.h>
#include <string.h>

#include "kernel/sys/mix.h"
#include "kernel/world/world.h"
#include "simd/vector.h"

/* Of a sequence of words: each takes part in all bits of what comes after. */
static uint64_t hash_word(uint64_t hash, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return carom_mix64((hash ^ bits) + UINT64_C(0x9E3779B97F4A7C15));
}

static uint64_t hash_body(uint64_t hash, const carom_body *body, double restitution) {
    for (int f = 0; f < CAROM_BODY_RESTITUTION; f++) {
        hash = hash_word(hash, carom_body_value(body, (carom_body_field)f));
    }
    return hash_word(hash, restitution);
}

static void add_body(carom_world_totals *totals, const carom_body *body) {
    totals->mass += body->mass;
    totals->energy += body->mass * carom_vector_dot(body->v, body->v) / 2.0;
    carom_vector_add(totals->momentum, body->mass, body->v, totals->momentum);
    carom_vector_add(totals->centre, body->mass, body->x, totals->centre);
}

void carom_world_sum(const carom_world_state *world, carom_world_totals *totals) {
    memset(totals, 0, sizeof *totals);
    totals->bodies = world->table.count;
    for (uint64_t n = 0; n < world->table.count; n++) {
        const carom_body body = carom_table_body(&world->table, n);
        carom_table_fetch(&world->table, n + CAROM_TABLE_AHEAD);
        totals->hash = hash_body(totals->hash, &body, carom_world_restitution(world, n));
        if (isinf(body.mass)) {
            totals->fixed++;
        } else {
            add_body(totals, &body);
        }
    }
    for (int a = 0; a < 3 && totals->mass > 0.0; a++) {
        totals->centre[a] /= totals->mass;
    }
}
