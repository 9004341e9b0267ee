/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: bytes that may be anything. Out: a world in which all is as it must be, or what is wrong with the bytes. A
 * checksum keeps out damage; all else is checked because somebody may have made the bytes up. */
#include <inttypes.h>
#include <math.h>

#include "kernel/sys/error.h"
#include "kernel/world/bytes.h"
#include "kernel/world/snapshot.h"
#include "kernel/world/snapshot_format.h"

typedef struct head {
    carom_snapshot_counts counts;
    uint64_t next_serial;
    uint32_t free;
} head;

static carom_status refuse(carom_error *error, const char *what) {
    return carom_error_set(error, CAROM_ERROR_FORMAT, "snapshot: %s", what);
}

static void get_doubles(carom_bytes *from, double *value, int count) {
    for (int n = 0; n < count; n++) {
        value[n] = carom_bytes_get_double(from);
    }
}

static carom_status get_head(carom_bytes *from, uint64_t size, bool single, head *h, carom_error *error) {
    if (size < CAROM_SNAPSHOT_HEAD || carom_bytes_get(from, 8) != CAROM_SNAPSHOT_MAGIC) {
        return refuse(error, "these bytes are no snapshot of a world");
    }
    const uint64_t version = carom_bytes_get(from, 4);
    if (version != CAROM_SNAPSHOT_VERSION) {
        return carom_error_set(error, CAROM_ERROR_FORMAT, "snapshot: version %" PRIu64 " is not known, only %d",
                               version, CAROM_SNAPSHOT_VERSION);
    }
    const uint64_t bits = carom_bytes_get(from, 4);
    if (bits != 32 && bits != 64) {
        return refuse(error, "it is of a world of neither floats nor doubles");
    }
    if (bits != (single ? 32 : 64)) {
        return refuse(error, single ? "it is of a world of doubles, and a world of floats was to be loaded"
                                    : "it is of a world of floats, and a world of doubles was to be loaded");
    }
    const uint64_t bytes = carom_bytes_get(from, 8);
    h->counts.bodies = carom_bytes_get(from, 8);
    h->counts.entries = carom_bytes_get(from, 8);
    h->counts.surfaces = carom_bytes_get(from, 8);
    h->counts.contacts = carom_bytes_get(from, 8);
    h->next_serial = carom_bytes_get(from, 8);
    const uint64_t first_free = carom_bytes_get(from, 8);
    h->free = (uint32_t)first_free;
    const bool fits = h->counts.bodies <= CAROM_STEP_BODIES_MAX && h->counts.entries < CAROM_TABLE_NONE &&
                      first_free <= CAROM_TABLE_NONE;
    return bytes == size && fits && carom_snapshot_bytes(&h->counts) == size
               ? CAROM_OK
               : refuse(error, "it is cut off, or its numbers of bytes disagree");
}

static carom_status check_sum(const unsigned char *bytes, uint64_t size, carom_error *error) {
    carom_bytes last = {(unsigned char *)(uintptr_t)(bytes + size - CAROM_SNAPSHOT_CHECKSUM), bytes + size};
    return carom_bytes_get(&last, 8) == carom_bytes_checksum(bytes, size - CAROM_SNAPSHOT_CHECKSUM)
               ? CAROM_OK
               : refuse(error, "its checksum is wrong: it is damaged");
}

static carom_status get_config(carom_rules *rules, carom_bytes *from, carom_error *error) {
    carom_step_config *config = &rules->config;
    *config = carom_step_config_default();
    rules->periodic = carom_periodic_default();
    config->dt = carom_bytes_get_double(from);
    get_doubles(from, config->acceleration, 3);
    config->restitution = carom_bytes_get_double(from);
    config->rest_speed = carom_bytes_get_double(from);
    config->contact_time = carom_bytes_get_double(from);
    config->budget = (uint32_t)carom_bytes_get(from, 4);
    const uint64_t response = carom_bytes_get(from, 4);
    const uint64_t events = carom_bytes_get(from, 4);
    const uint64_t periodic = carom_bytes_get(from, 4);
    bool flags = events <= 1 && periodic <= 1 && response <= CAROM_RESPONSE_MERGE;
    for (int e = 0; e < 3; e++) {
        const uint64_t along = carom_bytes_get(from, 8);
        get_doubles(from, rules->periodic.edge[e], 3);
        rules->periodic.along[e] = along == 1;
        flags = flags && along <= 1;
    }
    config->response = flags ? (carom_response)response : CAROM_RESPONSE_BOUNCE;
    config->events = events == 1;
    config->periodic = periodic == 1 ? &rules->periodic : NULL;
    return flags ? CAROM_OK : refuse(error, "a word of its config has no meaning");
}

static void get_surface(carom_surface *surface, carom_bytes *from) {
    const uint64_t kind = carom_bytes_get(from, 8);
    *surface = (carom_surface){.kind = (carom_surface_kind)(kind <= CAROM_SURFACE_PIPE ? kind : UINT8_MAX)};
    surface->restitution = carom_bytes_get_double(from);
    get_doubles(from, surface->at, 3);
    for (int e = 0; e < 3; e++) {
        get_doubles(from, surface->axis[e], 3);
    }
    get_doubles(from, surface->extent, 3);
}

/* What the rules complain about is the snapshot's fault. */
static carom_status make_rules(carom_rules *rules, carom_memory *memory, carom_error *error) {
    carom_error found = {.message = ""};
    const carom_status status = carom_rules_make(rules, memory, CAROM_RULES_WORLD, &found);
    return status == CAROM_ERROR_ARGUMENT
               ? carom_error_set(error, CAROM_ERROR_FORMAT, "snapshot: %.200s", found.message)
           : status != CAROM_OK ? carom_error_set(error, status, "%s", found.message)
                                : CAROM_OK;
}

static carom_status get_rules(carom_world_state *world, carom_bytes *from, uint64_t surfaces, carom_error *error) {
    carom_memory *memory = &world->context->memory;
    carom_rules *rules = &world->rules;
    carom_buffer given = {NULL, 0};
    carom_status status = get_config(rules, from, error);
    if (status != CAROM_OK) {
        return status;
    }
    if (carom_buffer_reserve(memory, &given, carom_size_multiply(surfaces, sizeof(carom_surface))) != CAROM_OK) {
        return carom_error_set(error, CAROM_ERROR_MEMORY, "no memory for %" PRIu64 " surfaces", surfaces);
    }
    for (uint64_t n = 0; n < surfaces; n++) {
        get_surface((carom_surface *)given.data + n, from);
    }
    rules->config.surface = given.data;
    rules->config.surface_count = surfaces;
    status = make_rules(rules, memory, error);
    carom_buffer_release(memory, &given);
    return status;
}

/* Whether the value is one that a world of this precision may have. */
static bool allows(const carom_world_state *world, carom_body_field field, double value) {
    const bool inherited = field == CAROM_BODY_RESTITUTION && value == CAROM_TABLE_INHERITED;
    return (inherited || carom_body_allows(field, value)) && (!world->single || (double)(float)value == value);
}

static carom_status get_body(carom_world_state *world, uint64_t n, carom_bytes *from, carom_error *error) {
    carom_world_table *table = &world->table;
    carom_body body;
    carom_pair_values *values = &carom_table_values(table)[n];
    get_doubles(from, body.x, 3);
    get_doubles(from, body.v, 3);
    body.radius = carom_bytes_get_double(from);
    body.mass = carom_bytes_get_double(from);
    body.restitution = carom_bytes_get_double(from);
    body.last_impact = carom_bytes_get_double(from);
    values->user = carom_bytes_get(from, 8);
    values->category = (uint32_t)carom_bytes_get(from, 4);
    values->mask = (uint32_t)carom_bytes_get(from, 4);
    carom_table_serials(table)[n] = carom_bytes_get(from, 8);
    carom_table_handles(table)[n] = carom_bytes_get(from, 8);
    carom_table_marks(table)[n] = false;
    carom_table_slots(table)[n] = carom_table_places(table)[n] = (uint32_t)n;
    carom_table_set_body(table, n, &body);
    world->filtered = world->filtered || values->category != 1 || values->mask != UINT32_MAX;
    for (int f = 0; f < CAROM_BODY_FIELDS; f++) {
        if (!allows(world, (carom_body_field)f, carom_body_value(&body, (carom_body_field)f))) {
            return carom_error_set(error, CAROM_ERROR_FORMAT, "snapshot: body %" PRIu64 ": %s is out of its range", n,
                                   carom_body_field_name((carom_body_field)f));
        }
    }
    return body.last_impact <= 0.0 ? CAROM_OK : refuse(error, "a body's last impact is not in the past");
}

/* Each serial is greater than the one before, and less than the next one to be given. */
static carom_status check_serials(const carom_world_table *table, carom_error *error) {
    const uint64_t *serial = carom_table_serials(table);
    for (uint64_t n = 0; n < table->count; n++) {
        if (serial[n] >= table->next_serial || (n > 0 && serial[n] <= serial[n - 1])) {
            return refuse(error, "its bodies are in no order");
        }
    }
    return CAROM_OK;
}

static bool is_live(const carom_world_table *table, uint64_t n) {
    const carom_table_entry *entry = &carom_table_entries(table)[n];
    return entry->generation != 0 && entry->place < table->count &&
           carom_table_handles(table)[entry->place] == carom_table_handle((uint32_t)n, entry->generation);
}

/* The entry of every body's handle is that body's, with the generation of the handle: else it might be free as well,
 * and serve another body. */
static carom_status check_handles(const carom_world_table *table, carom_error *error) {
    for (uint64_t n = 0; n < table->count; n++) {
        const uint64_t index = carom_table_handles(table)[n] & UINT32_MAX;
        if (index >= table->entries || carom_table_entries(table)[index].place != n || !is_live(table, index)) {
            return refuse(error, "a handle does not name its body");
        }
    }
    return CAROM_OK;
}

/* A body takes one generation of an entry and one serial, so as many of both are gone. Entries have fewer than 2^64
 * generations together: serials never begin again. */
static carom_status check_next_serial(const carom_world_table *table, carom_error *error) {
    uint64_t served = table->count;
    for (uint64_t n = 0; n < table->entries; n++) {
        served += carom_table_served(&carom_table_entries(table)[n]);
    }
    return served == table->next_serial ? CAROM_OK
                                        : refuse(error, "it has had another number of bodies than its handles say");
}

/* The list of free entries has each entry without a body once: it has as many as there are, and ends. */
static carom_status check_entries(const carom_world_table *table, carom_error *error) {
    const carom_table_entry *entry = carom_table_entries(table);
    uint64_t free = 0;
    for (uint64_t n = 0; n < table->entries; n++) {
        free += entry[n].generation != 0 && !is_live(table, n);
    }
    uint32_t at = table->free;
    while (at != CAROM_TABLE_NONE && free > 0) {
        if (at >= table->entries || entry[at].generation == 0 || is_live(table, at)) {
            return refuse(error, "its list of free handles is wrong");
        }
        at = entry[at].place;
        free--;
    }
    return at == CAROM_TABLE_NONE && free == 0 ? CAROM_OK : refuse(error, "its list of free handles is wrong");
}

static carom_status get_table(carom_world_state *world, carom_bytes *from, const head *h, carom_error *error) {
    carom_world_table *table = &world->table;
    carom_status status =
        carom_table_reserve(table, &world->context->memory, h->counts.bodies, h->counts.entries, error);
    if (status != CAROM_OK) {
        return status;
    }
    table->count = h->counts.bodies;
    table->entries = h->counts.entries;
    table->next_serial = h->next_serial;
    table->free = h->free;
    for (uint64_t n = 0; n < table->count && status == CAROM_OK; n++) {
        status = get_body(world, n, from, error);
    }
    for (uint64_t n = 0; n < table->entries && status == CAROM_OK; n++) {
        const uint32_t generation = (uint32_t)carom_bytes_get(from, 4);
        carom_table_entries(table)[n] = (carom_table_entry){generation, (uint32_t)carom_bytes_get(from, 4)};
    }
    if (status == CAROM_OK) {
        status = check_serials(table, error);
    }
    if (status == CAROM_OK) {
        status = check_handles(table, error);
    }
    if (status == CAROM_OK) {
        status = check_entries(table, error);
    }
    return status == CAROM_OK ? check_next_serial(table, error) : status;
}

/* Whether the handle named a body that is gone. */
static bool is_gone(const carom_world_table *table, carom_handle handle) {
    const uint64_t index = handle & UINT32_MAX;
    const uint64_t generation = handle >> 32;
    return index < table->entries && generation > 0 &&
           generation <= carom_table_served(&carom_table_entries(table)[index]);
}

/* Whether a serial and a handle may be those of one body, here or gone. */
static bool agree(const carom_world_table *table, uint64_t serial, carom_handle handle) {
    const uint32_t place = carom_table_find(table, handle);
    return place != CAROM_TABLE_NONE ? carom_table_serials(table)[place] == serial
                                     : is_gone(table, handle) && serial < table->next_serial;
}

static carom_status get_contacts(carom_world_state *world, carom_bytes *from, uint64_t count, carom_error *error) {
    carom_list *list = &world->contacts.before;
    if (!carom_list_reserve(&world->context->memory, list, count, sizeof(carom_contact))) {
        return carom_error_set(error, CAROM_ERROR_MEMORY, "no memory for %" PRIu64 " contacts", count);
    }
    carom_contact *contact = list->buffer.data;
    for (uint64_t n = 0; n < count; n++) {
        carom_contact *c = &contact[n];
        c->serial_i = carom_bytes_get(from, 8);
        c->serial_k = carom_bytes_get(from, 8);
        c->i = carom_bytes_get(from, 8);
        c->k = carom_bytes_get(from, 8);
        if (c->serial_i >= c->serial_k || (n > 0 && !carom_contact_precedes(&contact[n - 1], c)) ||
            !agree(&world->table, c->serial_i, c->i) || !agree(&world->table, c->serial_k, c->k)) {
            return refuse(error, "its contacts are in no order, or of no bodies");
        }
    }
    list->count = count;
    return CAROM_OK;
}

carom_status carom_snapshot_read(carom_world_state *world, const unsigned char *bytes, uint64_t size,
                                 carom_error *error) {
    head h = {.free = CAROM_TABLE_NONE};
    carom_bytes from = {(unsigned char *)(uintptr_t)bytes, bytes + size};
    carom_status status = get_head(&from, size, world->single, &h, error);
    if (status == CAROM_OK) {
        status = check_sum(bytes, size, error);
    }
    if (status == CAROM_OK) {
        status = get_rules(world, &from, h.counts.surfaces, error);
    }
    if (status == CAROM_OK) {
        status = get_table(world, &from, &h, error);
    }
    return status == CAROM_OK ? get_contacts(world, &from, h.counts.contacts, error) : status;
}
