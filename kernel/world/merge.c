/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: bodies at the beginning of a step. Out: who touches, in groups, and the sums of each group. */
#include "kernel/world/merge.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/sys/error.h"
#include "kernel/world/cube_root.h"
#include "kernel/world/wrap.h"

/* Opposite numbers near the greatest differ by more than it: then sums are in units four times as great, in which
 * neither differences nor means overflow. */
static const double COARSE = 0.25;

/* Of a group, at its root. Where and how it moves is relative to the first body: equal velocities keep their bits. */
typedef struct sums {
    double mass;
    double widest;  /* greatest radius */
    double cubes;   /* of radii over the greatest */
    double scale;   /* of x and v while they are summed: 1 or COARSE */
    double x[3];    /* mean position, by mass */
    double v[3];    /* mean velocity */
    uint32_t fixed; /* the first of infinite mass, or CAROM_TABLE_NONE */
} sums;

/* Whether a loop at n is to go on. */
static bool goes_on(const carom_mover *mover, uint64_t n) {
    return carom_control_goes_on(mover->context->team.control, n);
}

static sums *sums_of(const carom_merge *merge, uint32_t member) {
    return (sums *)merge->sums.data + member;
}

static void add_masses(const carom_merge *merge, const carom_world_table *table, uint32_t member) {
    const uint32_t n = carom_touch_groups_bodies(&merge->groups)[member];
    const carom_body body = carom_table_body(table, n);
    sums *s = sums_of(merge, carom_touch_groups_place(&merge->groups, member).root);
    s->mass += body.mass;
    s->widest = fmax(s->widest, body.radius);
    s->fixed = isinf(body.mass) && s->fixed == CAROM_TABLE_NONE ? n : s->fixed;
}

/* To a sum of this scale. A body of infinite mass stays where it is. */
static void add_motion(const carom_merge *merge, const carom_mover *mover, const carom_world_table *table,
                       uint32_t member, double scale) {
    const carom_touch_place place = carom_touch_groups_place(&merge->groups, member);
    sums *s = sums_of(merge, place.root);
    if (s->scale != scale) {
        return;
    }
    const uint32_t n = carom_touch_groups_bodies(&merge->groups)[member];
    const uint32_t root = carom_touch_groups_bodies(&merge->groups)[place.root];
    const carom_body body = carom_table_body(table, n);
    const double share = s->fixed == CAROM_TABLE_NONE ? body.mass / s->mass : s->fixed == n ? 1.0 : 0.0;
    const double radius = s->widest > 0.0 ? body.radius / s->widest : 0.0;
    s->cubes += radius * radius * radius;
    if (n == root || share == 0.0) {
        return;
    }
    double end[3];
    double end_of_root[3];
    carom_piece_at(&mover->bodies.piece[n], 1.0, end);
    carom_piece_at(&mover->bodies.piece[root], 1.0, end_of_root);
    const double number[3] = {(double)place.offset[0], (double)place.offset[1], (double)place.offset[2]};
    double displacement[3] = {0.0, 0.0, 0.0};
    if (mover->rules->config.periodic != NULL) {
        carom_lattice_displacement(&mover->rules->lattice, number, displacement);
    }
    const carom_mover_end own = carom_mover_end_of(mover, n);
    const carom_mover_end first = carom_mover_end_of(mover, root);
    for (int a = 0; a < 3; a++) {
        s->x[a] += share * ((scale * end[a] - scale * end_of_root[a]) + scale * displacement[a]);
        s->v[a] += share * (scale * own.v[a] - scale * first.v[a]);
    }
}

static bool is_finite(const double x[3]) {
    return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

/* Sums that overflowed begin anew. Returns whether there are any. */
static bool begin_anew(sums *s, uint32_t count) {
    bool any = false;
    for (uint32_t n = 0; n < count; n++) {
        if (!is_finite(s[n].x) || !is_finite(s[n].v)) {
            s[n].cubes = 0.0;
            memset(s[n].x, 0, sizeof s[n].x);
            memset(s[n].v, 0, sizeof s[n].v);
            s[n].scale = COARSE;
            any = true;
        }
    }
    return any;
}

/* From sums to the body that the group becomes: its place, velocity, mass and radius (as `widest`). */
static void finish_group(const carom_merge *merge, const carom_mover *mover, uint32_t member) {
    sums *s = sums_of(merge, member);
    const uint32_t root = carom_touch_groups_bodies(&merge->groups)[member];
    double end[3];
    carom_piece_at(&mover->bodies.piece[root], 1.0, end);
    const bool fixed = s->fixed != CAROM_TABLE_NONE;
    const carom_mover_end first = carom_mover_end_of(mover, fixed ? s->fixed : root);
    for (int a = 0; a < 3; a++) {
        s->x[a] = fixed ? first.x[a] : (s->scale * end[a] + s->x[a]) / s->scale;
        s->v[a] = fixed ? first.v[a] : (s->scale * first.v[a] + s->v[a]) / s->scale;
        s->v[a] = carom_body_rounded(mover->source->single, s->v[a]);
    }
    if (!fixed && mover->rules->config.periodic != NULL) {
        carom_wrap_position(&mover->rules->lattice, s->x);
    }
    for (int a = 0; a < 3; a++) {
        s->x[a] = carom_body_rounded(mover->source->single, s->x[a]);
    }
    s->mass = carom_body_rounded(mover->source->single, s->mass);
    s->widest = carom_body_rounded(mover->source->single, s->widest * carom_cube_root(s->cubes));
}

/* The first field of what the group becomes that no body may have; CAROM_BODY_FIELDS if there is none. A mass that
 * overflowed would fix the body. */
static carom_body_field group_fault(const sums *s) {
    if (!isfinite(s->mass) && s->fixed == CAROM_TABLE_NONE) {
        return CAROM_BODY_MASS;
    }
    carom_body body = {.radius = s->widest, .mass = s->mass};
    memcpy(body.x, s->x, sizeof body.x);
    memcpy(body.v, s->v, sizeof body.v);
    return carom_body_fault(&body);
}

/* A body that meets its own image would make every later step fail, with its members gone: it is refused now. */
static carom_status check_group(const sums *s, const carom_rules *rules, uint32_t root, carom_error *error) {
    const carom_body_field field = group_fault(s);
    if (field != CAROM_BODY_FIELDS) {
        const char *name = carom_body_field_name(field);
        return carom_error_body(error, root, name, "body %u: the %s of all that it merges with is too great", root,
                                name);
    }
    if (rules->config.periodic != NULL && carom_rules_meets_itself(rules, s->widest)) {
        return carom_error_body(error, root, "radius",
                                "body %u: all that it merges with has radius %g, but its own image is at %g", root,
                                s->widest, rules->lattice.shortest);
    }
    return CAROM_OK;
}

static void sum_motion(const carom_merge *merge, const carom_mover *mover, const carom_world_table *table,
                       double scale) {
    for (uint32_t m = 0; m < merge->groups.count && goes_on(mover, m); m++) {
        add_motion(merge, mover, table, m, scale);
    }
}

static void sum_groups(const carom_merge *merge, const carom_mover *mover, const carom_world_table *table) {
    const uint32_t count = merge->groups.count;
    sums *s = merge->sums.data;
    for (uint32_t m = 0; m < count; m++) {
        s[m] = (sums){.scale = 1.0, .fixed = CAROM_TABLE_NONE};
    }
    for (uint32_t m = 0; m < count && goes_on(mover, m); m++) {
        add_masses(merge, table, m);
    }
    sum_motion(merge, mover, table, 1.0);
    if (begin_anew(s, count)) {
        sum_motion(merge, mover, table, COARSE);
    }
}

/* Groups of those that touch, and room for their sums. */
static carom_status make_groups(carom_merge *merge, const carom_mover *mover, carom_error *error) {
    carom_memory *memory = &mover->context->memory;
    const bool made = carom_touch_groups_make(&merge->groups, memory, mover->context->team.control, mover->bodies.count,
                                              &merge->touches.events.list);
    const bool enough =
        made && carom_buffer_grow(memory, &merge->sums, merge->groups.count * sizeof(sums), 0) == CAROM_OK;
    return enough ? carom_mover_cancelled(mover, error) : carom_touches_no_memory(mover, error);
}

static bool is_root(const carom_merge *merge, uint32_t member) {
    return carom_touch_groups_place(&merge->groups, member).root == member;
}

static carom_status finish_groups(carom_merge *merge, const carom_mover *mover, carom_error *error) {
    carom_status status = CAROM_OK;
    for (uint32_t m = 0; m < merge->groups.count && status == CAROM_OK && goes_on(mover, m); m++) {
        if (is_root(merge, m)) {
            finish_group(merge, mover, m);
            status = check_group(sums_of(merge, m), mover->rules, carom_touch_groups_bodies(&merge->groups)[m], error);
        } else {
            merge->merged++;
        }
    }
    return status == CAROM_OK ? carom_mover_cancelled(mover, error) : status;
}

carom_status carom_merge_find(carom_merge *merge, carom_mover *mover, const carom_world_table *table,
                              carom_error *error) {
    CAROM_ASSERT(!table->moved);
    merge->merged = 0;
    merge->groups.count = 0;
    merge->touches.events.list.count = 0;
    merge->touches.searches = 0;
    if (mover->bodies.count == 0) {
        return CAROM_OK;
    }
    carom_mover_lap(mover, CAROM_STEP_PHASE_END);
    carom_status status = carom_touches_find(&merge->touches, mover, error);
    carom_mover_lap(mover, CAROM_STEP_PHASE_NEIGHBOURS);
    if (status == CAROM_OK) {
        status = make_groups(merge, mover, error);
    }
    if (status == CAROM_OK) {
        sum_groups(merge, mover, table);
        status = carom_mover_cancelled(mover, error);
    }
    return status == CAROM_OK ? finish_groups(merge, mover, error) : status;
}

carom_mover_impacts carom_merge_touches(const carom_merge *merge) {
    const carom_list *list = &merge->touches.events.list;
    return (carom_mover_impacts){.event = list->buffer.data, .count = list->count, .happened = list->count};
}

static double effective(const carom_mover *mover, double restitution) {
    return restitution < 0.0 ? mover->rules->config.restitution : restitution;
}

/* What is not summed goes from a member to the first of the group. */
static void join(const carom_mover *mover, carom_world_table *table, uint32_t root, uint32_t n) {
    carom_body first = carom_table_body(table, root);
    const carom_body body = carom_table_body(table, n);
    carom_pair_values *values = carom_table_values(table);
    if (effective(mover, body.restitution) < effective(mover, first.restitution)) {
        first.restitution = body.restitution;
    }
    first.last_impact = fmax(first.last_impact, body.last_impact);
    carom_table_set_body(table, root, &first);
    values[root].category |= values[n].category;
    values[root].mask &= values[n].mask;
    carom_table_marks(table)[n] = true;
}

/* The first of a group becomes all of it. */
static void put_group(const sums *s, const carom_world_table *table, uint32_t root) {
    carom_body body = carom_table_body(table, root);
    memcpy(body.x, s->x, sizeof body.x);
    memcpy(body.v, s->v, sizeof body.v);
    body.mass = s->mass;
    body.radius = s->widest;
    carom_table_set_body(table, root, &body);
}

void carom_merge_apply(const carom_merge *merge, const carom_mover *mover, carom_world_table *table) {
    const uint32_t *body = carom_touch_groups_bodies(&merge->groups);
    for (uint32_t m = 0; m < merge->groups.count; m++) {
        const uint32_t root = carom_touch_groups_place(&merge->groups, m).root;
        if (m != root) {
            join(mover, table, body[root], body[m]);
        } else {
            put_group(sums_of(merge, m), table, body[m]);
        }
    }
    if (merge->merged > 0) {
        carom_table_remove_marked(table);
    }
}

void carom_merge_release(carom_merge *merge, carom_memory *memory) {
    carom_touches_release(&merge->touches, memory);
    carom_touch_groups_release(&merge->groups, memory);
    carom_buffer_release(memory, &merge->sums);
}
