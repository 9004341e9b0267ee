/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a world. Out: bytes. snapshot_read.c is the way back. */
#include "kernel/world/snapshot.h"

#include "kernel/world/bytes.h"
#include "kernel/world/snapshot_format.h"

uint64_t carom_snapshot_size(const carom_world_state *world) {
    const carom_snapshot_counts counts = {world->table.count, world->table.entries, world->rules.config.surface_count,
                                          world->contacts.before.count};
    return carom_snapshot_bytes(&counts);
}

static void put_doubles(carom_bytes *to, const double *value, int count) {
    for (int n = 0; n < count; n++) {
        carom_bytes_put_double(to, value[n]);
    }
}

static void put_head(const carom_world_state *world, carom_bytes *to) {
    const carom_world_table *table = &world->table;
    carom_bytes_put(to, CAROM_SNAPSHOT_MAGIC, 8);
    carom_bytes_put(to, CAROM_SNAPSHOT_VERSION, 4);
    carom_bytes_put(to, world->single ? 32 : 64, 4);
    carom_bytes_put(to, carom_snapshot_size(world), 8);
    carom_bytes_put(to, table->count, 8);
    carom_bytes_put(to, table->entries, 8);
    carom_bytes_put(to, world->rules.config.surface_count, 8);
    carom_bytes_put(to, world->contacts.before.count, 8);
    carom_bytes_put(to, table->next_serial, 8);
    carom_bytes_put(to, table->free, 8);
}

static void put_config(const carom_rules *rules, carom_bytes *to) {
    const carom_step_config *config = &rules->config;
    carom_bytes_put_double(to, config->dt);
    put_doubles(to, config->acceleration, 3);
    carom_bytes_put_double(to, config->restitution);
    carom_bytes_put_double(to, config->rest_speed);
    carom_bytes_put_double(to, config->contact_time);
    carom_bytes_put(to, config->budget, 4);
    carom_bytes_put(to, (uint64_t)config->response, 4);
    carom_bytes_put(to, config->events, 4);
    carom_bytes_put(to, config->periodic != NULL, 4);
    for (int e = 0; e < 3; e++) {
        const bool along = config->periodic != NULL && rules->periodic.along[e];
        static const double none[3] = {0.0, 0.0, 0.0};
        carom_bytes_put(to, along, 8);
        put_doubles(to, along ? rules->periodic.edge[e] : none, 3);
    }
}

static void put_surface(const carom_surface *surface, carom_bytes *to) {
    carom_bytes_put(to, (uint64_t)surface->kind, 8);
    carom_bytes_put_double(to, surface->restitution);
    put_doubles(to, surface->at, 3);
    for (int e = 0; e < 3; e++) {
        put_doubles(to, surface->axis[e], 3);
    }
    put_doubles(to, surface->extent, 3);
}

static void put_body(const carom_world_table *table, uint64_t n, carom_bytes *to) {
    const carom_body body = carom_table_body(table, n);
    carom_table_fetch(table, n + CAROM_TABLE_AHEAD);
    const carom_pair_values *values = &carom_table_values(table)[n];
    put_doubles(to, body.x, 3);
    put_doubles(to, body.v, 3);
    carom_bytes_put_double(to, body.radius);
    carom_bytes_put_double(to, body.mass);
    carom_bytes_put_double(to, body.restitution);
    carom_bytes_put_double(to, body.last_impact);
    carom_bytes_put(to, values->user, 8);
    carom_bytes_put(to, values->category, 4);
    carom_bytes_put(to, values->mask, 4);
    carom_bytes_put(to, carom_table_serials(table)[n], 8);
    carom_bytes_put(to, carom_table_handles(table)[n], 8);
}

void carom_snapshot_write(const carom_world_state *world, unsigned char *bytes) {
    const uint64_t size = carom_snapshot_size(world);
    const carom_world_table *table = &world->table;
    const carom_contact *contact = world->contacts.before.buffer.data;
    carom_bytes to = {bytes, bytes + size};
    put_head(world, &to);
    put_config(&world->rules, &to);
    for (uint64_t n = 0; n < world->rules.config.surface_count; n++) {
        put_surface(&world->rules.config.surface[n], &to);
    }
    for (uint64_t n = 0; n < table->count; n++) {
        put_body(table, n, &to);
    }
    for (uint64_t n = 0; n < table->entries; n++) {
        carom_bytes_put(&to, carom_table_entries(table)[n].generation, 4);
        carom_bytes_put(&to, carom_table_entries(table)[n].place, 4);
    }
    for (uint64_t n = 0; n < world->contacts.before.count; n++) {
        carom_bytes_put(&to, contact[n].serial_i, 8);
        carom_bytes_put(&to, contact[n].serial_k, 8);
        carom_bytes_put(&to, contact[n].i, 8);
        carom_bytes_put(&to, contact[n].k, 8);
    }
    carom_bytes_put(&to, carom_bytes_checksum(bytes, size - 8), 8);
    CAROM_ASSERT(to.at == to.end);
}
