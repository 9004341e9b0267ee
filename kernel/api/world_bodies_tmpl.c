/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies into a world and out of it. Everything is checked before anything changes. */
#include <inttypes.h>
#include <math.h>

#include "kernel/api/layout.h"
#include "kernel/api/world_tmpl.h"
#include "kernel/sys/arithmetic.h"
#include "kernel/sys/error.h"

#define carom_world_add CAROM_REAL(carom_world_add)
#define carom_world_remove CAROM_REAL(carom_world_remove)
#define carom_world_get CAROM_REAL(carom_world_get)
#define carom_world_set CAROM_REAL(carom_world_set)
#define carom_layout_world_bodies CAROM_REAL(carom_layout_world_bodies)

typedef CAROM_REAL(carom_world_bodies) world_bodies;

static carom_status take_bodies(const carom_public_world *world, world_bodies *own, const world_bodies *given,
                                carom_error *error) {
    if (world == NULL || given == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "%s is NULL", world == NULL ? "world" : "bodies");
    }
    *own = (world_bodies){.size = sizeof *own};
    const carom_status status = carom_layout_take(&carom_layout_world_bodies, own, given, error);
    return status != CAROM_OK || own->count <= CAROM_STEP_BODIES_MAX
               ? status
               : carom_error_set(error, CAROM_ERROR_ARGUMENT,
                                 "bodies.count is %" PRIu64 "; at most %" PRIu64 " are allowed", own->count,
                                 CAROM_STEP_BODIES_MAX);
}

/* The caller's array of a field; NULL if it is left out. */
static carom_real *array_of(const world_bodies *bodies, carom_body_field field) {
    switch (field) {
    case CAROM_BODY_RADIUS:
        return bodies->radius;
    case CAROM_BODY_MASS:
        return bodies->mass;
    case CAROM_BODY_RESTITUTION:
        return bodies->restitution;
    default:
        return field < CAROM_BODY_VELOCITY ? bodies->position[field] : bodies->velocity[field - CAROM_BODY_VELOCITY];
    }
}

static carom_status check_values(const world_bodies *bodies, carom_error *error) {
    for (uint64_t n = 0; n < bodies->count; n++) {
        for (int f = 0; f < CAROM_BODY_FIELDS; f++) {
            const carom_body_field field = (carom_body_field)f;
            const carom_real *array = array_of(bodies, field);
            if (array != NULL && !carom_body_allows(field, (double)array[n])) {
                return carom_body_refuse(n, field, (double)array[n], error);
            }
        }
    }
    return CAROM_OK;
}

/* Where a body has the value of a field. */
static double *value_of(carom_body *body, carom_body_field field) {
    switch (field) {
    case CAROM_BODY_RADIUS:
        return &body->radius;
    case CAROM_BODY_MASS:
        return &body->mass;
    case CAROM_BODY_RESTITUTION:
        return &body->restitution;
    default:
        return field < CAROM_BODY_VELOCITY ? &body->x[field] : &body->v[field - CAROM_BODY_VELOCITY];
    }
}

/* Gives a body the values of entry n. */
static void read_entry(carom_world_state *world, const world_bodies *bodies, uint64_t n, carom_body *body,
                       carom_pair_values *values) {
    for (int f = 0; f < CAROM_BODY_FIELDS; f++) {
        const carom_real *array = array_of(bodies, (carom_body_field)f);
        if (array != NULL) {
            *value_of(body, (carom_body_field)f) = (double)array[n];
        }
    }
    values->user = bodies->user != NULL ? bodies->user[n] : values->user;
    values->category = bodies->category != NULL ? bodies->category[n] : values->category;
    values->mask = bodies->mask != NULL ? bodies->mask[n] : values->mask;
    world->filtered = world->filtered || values->category != 1 || values->mask != UINT32_MAX;
}

static void write_entry(const carom_world_state *world, const world_bodies *bodies, uint64_t n, uint64_t place) {
    carom_body body = carom_table_body(&world->table, place);
    const carom_pair_values *values = &carom_table_values(&world->table)[place];
    body.restitution = carom_world_restitution(world, place);
    for (int f = 0; f < CAROM_BODY_FIELDS; f++) {
        carom_real *array = array_of(bodies, (carom_body_field)f);
        if (array != NULL) {
            array[n] = (carom_real)carom_body_value(&body, (carom_body_field)f);
        }
    }
    if (bodies->user != NULL) {
        bodies->user[n] = values->user;
    }
    if (bodies->category != NULL) {
        bodies->category[n] = values->category;
    }
    if (bodies->mask != NULL) {
        bodies->mask[n] = values->mask;
    }
}

static carom_status check_new(const carom_world_state *world, const world_bodies *bodies, carom_error *error) {
    for (int a = 0; a < 3 && bodies->count > 0; a++) {
        if (bodies->position[a] == NULL) {
            return carom_error_set(error, CAROM_ERROR_ARGUMENT, "bodies.position[%d] is NULL: new bodies need it", a);
        }
    }
    if (bodies->count > 0 && bodies->radius == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "bodies.radius is NULL: new bodies need it");
    }
    if (bodies->count > CAROM_STEP_BODIES_MAX - world->table.count) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT,
                               "%" PRIu64 " bodies and %" PRIu64 " more; at most %" PRIu64 " are allowed",
                               world->table.count, bodies->count, CAROM_STEP_BODIES_MAX);
    }
    return check_values(bodies, error);
}

static carom_status add(carom_world_state *world, const world_bodies *bodies, carom_handle *handle,
                        carom_error *error) {
    const carom_status status =
        carom_table_reserve(&world->table, &world->context->memory, bodies->count, bodies->count, error);
    world->resumes = false;
    for (uint64_t n = 0; n < bodies->count && status == CAROM_OK; n++) {
        carom_body body = {.mass = 1.0, .restitution = CAROM_TABLE_INHERITED, .last_impact = -INFINITY};
        carom_pair_values values = {.category = 1, .mask = UINT32_MAX};
        read_entry(world, bodies, n, &body, &values);
        const carom_handle made = carom_table_append(&world->table, &body, &values);
        if (handle != NULL) {
            handle[n] = made;
        }
    }
    return status;
}

carom_status carom_world_add(carom_public_world *world, const world_bodies *bodies, carom_handle *handle,
                             carom_error *error) {
    world_bodies own;
    const carom_arithmetic before = carom_arithmetic_enter();
    carom_status status = take_bodies(world, &own, bodies, error);
    if (status == CAROM_OK) {
        status = check_new(&world->world, &own, error);
    }
    if (status == CAROM_OK) {
        status = carom_context_take(world->world.context, error);
    }
    if (status == CAROM_OK) {
        status = add(&world->world, &own, handle, error);
        carom_context_give_back(world->world.context);
    }
    carom_arithmetic_leave(before);
    return status;
}

static carom_status refuse_handle(const carom_handle *handle, uint64_t n, const char *why, carom_error *error) {
    return carom_error_body(error, n, "handle", "handle[%" PRIu64 "], %" PRIu64 ", %s", n, handle[n], why);
}

/* Checks that each handle names a body. */
static carom_status check_handles(const carom_world_table *table, const carom_handle *handle, uint64_t count,
                                  carom_error *error) {
    for (uint64_t n = 0; n < count; n++) {
        if (carom_table_find(table, handle[n]) == CAROM_TABLE_NONE) {
            return refuse_handle(handle, n, "names no body of the world", error);
        }
    }
    return CAROM_OK;
}

static void unmark(carom_world_table *table, const carom_handle *handle, uint64_t count) {
    for (uint64_t n = 0; n < count; n++) {
        carom_table_marks(table)[carom_table_find(table, handle[n])] = false;
    }
}

/* Marks the bodies. On an error none is marked. */
static carom_status mark(carom_world_table *table, const carom_handle *handle, uint64_t count, carom_error *error) {
    const carom_status status = check_handles(table, handle, count, error);
    for (uint64_t n = 0; n < count && status == CAROM_OK; n++) {
        bool *marked = &carom_table_marks(table)[carom_table_find(table, handle[n])];
        if (*marked) {
            unmark(table, handle, n);
            return refuse_handle(handle, n, "comes twice", error);
        }
        *marked = true;
    }
    return status;
}

carom_status carom_world_remove(carom_public_world *world, const carom_handle *handle, uint64_t count,
                                carom_error *error) {
    if (world == NULL || (handle == NULL && count > 0)) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "%s is NULL", world == NULL ? "world" : "handle");
    }
    carom_status status = carom_context_take(world->world.context, error);
    if (status == CAROM_OK) {
        status = mark(&world->world.table, handle, count, error);
        if (status == CAROM_OK) {
            world->world.resumes = false;
            carom_table_remove_marked(&world->world.table);
        }
        carom_context_give_back(world->world.context);
    }
    return status;
}

/* Without handles all bodies are meant. */
static carom_status check_all(const carom_world_table *table, const carom_handle *handle, uint64_t count,
                              carom_error *error) {
    return handle != NULL || count == table->count
               ? CAROM_OK
               : carom_error_set(error, CAROM_ERROR_ARGUMENT,
                                 "handle is NULL, but bodies.count is %" PRIu64 " of %" PRIu64, count, table->count);
}

/* The place of entry n's body. All bodies in their order, which is not that of memory, are fetched ahead. */
static uint64_t place_of(const carom_world_table *table, const carom_handle *handle, uint64_t n) {
    if (handle != NULL) {
        return carom_table_find(table, handle[n]);
    }
    carom_table_fetch(table, n + CAROM_TABLE_AHEAD);
    return n;
}

carom_status carom_world_get(const carom_public_world *world, const carom_handle *handle, const world_bodies *bodies,
                             carom_error *error) {
    world_bodies own;
    const carom_arithmetic before = carom_arithmetic_enter();
    carom_status status = take_bodies(world, &own, bodies, error);
    if (status == CAROM_OK) {
        status = check_all(&world->world.table, handle, own.count, error);
    }
    if (status == CAROM_OK && handle != NULL) {
        status = check_handles(&world->world.table, handle, own.count, error);
    }
    for (uint64_t n = 0; status == CAROM_OK && n < own.count; n++) {
        write_entry(&world->world, &own, n, place_of(&world->world.table, handle, n));
    }
    carom_arithmetic_leave(before);
    return status;
}

static carom_status set(carom_world_state *world, const carom_handle *handle, const world_bodies *bodies,
                        carom_error *error) {
    carom_world_table *table = &world->table;
    carom_status status = check_all(table, handle, bodies->count, error);
    if (status == CAROM_OK && handle != NULL) {
        status = mark(table, handle, bodies->count, error);
        if (status == CAROM_OK) {
            unmark(table, handle, bodies->count);
        }
    }
    if (status == CAROM_OK) {
        status = check_values(bodies, error);
    }
    world->resumes = false;
    for (uint64_t n = 0; n < bodies->count && status == CAROM_OK; n++) {
        const uint64_t place = place_of(table, handle, n);
        carom_body body = carom_table_body(table, place);
        read_entry(world, bodies, n, &body, &carom_table_values(table)[place]);
        carom_table_set_body(table, place, &body);
    }
    return status;
}

carom_status carom_world_set(carom_public_world *world, const carom_handle *handle, const world_bodies *bodies,
                             carom_error *error) {
    world_bodies own;
    const carom_arithmetic before = carom_arithmetic_enter();
    carom_status status = take_bodies(world, &own, bodies, error);
    if (status == CAROM_OK) {
        status = carom_context_take(world->world.context, error);
    }
    if (status == CAROM_OK) {
        status = set(&world->world, handle, &own, error);
        carom_context_give_back(world->world.context);
    }
    carom_arithmetic_leave(before);
    return status;
}
