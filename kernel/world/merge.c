/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: bodies at the beginning of a step. Out: who touches, in groups, and the sums of each group.
 *
 * In a periodic box a body may touch an image of another. Each body then has an offset in edges from the first of its
 * group: together with their offsets the members lie where they touch. A group that reaches around the box has several
 * sets of offsets; the earliest touches decide. */
#include "kernel/world/merge.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/sys/error.h"
#include "kernel/world/cube_root.h"
#include "kernel/world/wrap.h"

/* Union-find in which lower bodies are nearer to the root: the root is the first of its group. */
typedef struct link {
    uint32_t parent;
    int64_t offset[3]; /* from the parent, in edges of the box */
} link;

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
    uint32_t count; /* bodies */
    uint32_t fixed; /* the first of infinite mass, or CAROM_TABLE_NONE */
} sums;

/* Bodies, or touches, between looks at the host's flag. */
enum { LOOK = 1 << 16 };

/* Whether a loop at n is to go on. */
static bool goes_on(const carom_mover *mover, uint64_t n) {
    carom_control *control = mover->context->team.control;
    return control == NULL || !(n % LOOK == 0 ? carom_control_look(control) : carom_control_stopped(control));
}

static carom_status no_memory(carom_error *error) {
    return carom_error_set(error, CAROM_ERROR_MEMORY, "no memory for merging bodies");
}

static carom_status reserve(carom_merge *merge, carom_memory *memory, uint64_t count, carom_error *error) {
    const bool enough = carom_buffer_reserve(memory, &merge->ends, count * sizeof(double[3])) == CAROM_OK &&
                        carom_buffer_reserve(memory, &merge->links, count * sizeof(link)) == CAROM_OK &&
                        carom_buffer_reserve(memory, &merge->sums, count * sizeof(sums)) == CAROM_OK;
    return enough ? CAROM_OK : no_memory(error);
}

/* Where bodies are when the step ends. */
static void find_ends(const carom_merge *merge, const carom_mover *mover) {
    const carom_impacts_bodies *bodies = &mover->bodies;
    double(*end)[3] = merge->ends.data;
    for (uint32_t n = 0; n < bodies->count; n++) {
        carom_piece_at(&bodies->piece[n], 1.0, end[n]);
    }
}

/* The root of a body's group; `offset` receives the offset from it. Shortens the way. */
static uint32_t root_of(link *links, uint32_t n, int64_t offset[3]) {
    memset(offset, 0, 3 * sizeof *offset);
    while (links[n].parent != n) {
        link *l = &links[n];
        const link *parent = &links[l->parent];
        for (int a = 0; a < 3; a++) {
            l->offset[a] += parent->parent != l->parent ? parent->offset[a] : 0;
            offset[a] += l->offset[a];
        }
        l->parent = parent->parent;
        n = l->parent;
    }
    return n;
}

static void unite(link *links, const carom_impacts_event *event) {
    int64_t of_i[3];
    int64_t of_k[3];
    const uint32_t i = root_of(links, event->i, of_i);
    const uint32_t k = root_of(links, event->k, of_k);
    if (i == k) {
        return;
    }
    link *lower = &links[i < k ? k : i];
    lower->parent = i < k ? i : k;
    for (int a = 0; a < 3; a++) {
        const int64_t between = of_i[a] + event->shift[a] - of_k[a]; /* from i's root to k's */
        lower->offset[a] = i < k ? between : -between;
    }
}

static void make_groups(const carom_merge *merge, const carom_mover *mover) {
    link *links = merge->links.data;
    for (uint32_t n = 0; n < mover->bodies.count; n++) {
        links[n] = (link){.parent = n};
    }
    const carom_impacts_event *events = merge->touches.events.list.buffer.data;
    for (uint64_t n = 0; n < merge->touches.events.list.count && goes_on(mover, n); n++) {
        unite(links, &events[n]);
    }
}

static void add_masses(const carom_merge *merge, const carom_world_table *table, uint32_t n) {
    int64_t offset[3];
    const carom_body body = carom_table_body(table, n);
    sums *s = (sums *)merge->sums.data + root_of(merge->links.data, n, offset);
    s->count++;
    s->mass += body.mass;
    s->widest = fmax(s->widest, body.radius);
    s->fixed = isinf(body.mass) && s->fixed == CAROM_TABLE_NONE ? n : s->fixed;
}

/* To a sum of this scale. A body of infinite mass stays where it is. */
static void add_motion(const carom_merge *merge, const carom_mover *mover, const carom_world_table *table, uint32_t n,
                       double scale) {
    int64_t offset[3];
    const uint32_t root = root_of(merge->links.data, n, offset);
    sums *s = (sums *)merge->sums.data + root;
    if (s->count < 2 || s->scale != scale) {
        return;
    }
    const carom_body body = carom_table_body(table, n);
    const double share = s->fixed == CAROM_TABLE_NONE ? body.mass / s->mass : s->fixed == n ? 1.0 : 0.0;
    const double radius = s->widest > 0.0 ? body.radius / s->widest : 0.0;
    s->cubes += radius * radius * radius;
    if (n == root || share == 0.0) {
        return;
    }
    const double(*end)[3] = merge->ends.data;
    const double number[3] = {(double)offset[0], (double)offset[1], (double)offset[2]};
    double displacement[3] = {0.0, 0.0, 0.0};
    if (mover->rules->config.periodic != NULL) {
        carom_lattice_displacement(&mover->rules->lattice, number, displacement);
    }
    const carom_mover_end own = carom_mover_end_of(mover, n);
    const carom_mover_end first = carom_mover_end_of(mover, root);
    for (int a = 0; a < 3; a++) {
        s->x[a] += share * ((scale * end[n][a] - scale * end[root][a]) + scale * displacement[a]);
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
static void finish_group(const carom_merge *merge, const carom_mover *mover, uint32_t root) {
    sums *s = (sums *)merge->sums.data + root;
    const double(*end)[3] = merge->ends.data;
    const bool fixed = s->fixed != CAROM_TABLE_NONE;
    const carom_mover_end first = carom_mover_end_of(mover, fixed ? s->fixed : root);
    for (int a = 0; a < 3; a++) {
        s->x[a] = fixed ? first.x[a] : (s->scale * end[root][a] + s->x[a]) / s->scale;
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
    for (uint32_t n = 0; n < mover->bodies.count && goes_on(mover, n); n++) {
        add_motion(merge, mover, table, n, scale);
    }
}

static void sum_groups(const carom_merge *merge, const carom_mover *mover, const carom_world_table *table) {
    const uint32_t count = mover->bodies.count;
    sums *s = merge->sums.data;
    for (uint32_t n = 0; n < count; n++) {
        s[n] = (sums){.scale = 1.0, .fixed = CAROM_TABLE_NONE};
    }
    for (uint32_t n = 0; n < count && goes_on(mover, n); n++) {
        add_masses(merge, table, n);
    }
    sum_motion(merge, mover, table, 1.0);
    if (begin_anew(s, count)) {
        sum_motion(merge, mover, table, COARSE);
    }
}

carom_status carom_merge_find(carom_merge *merge, carom_mover *mover, const carom_world_table *table,
                              carom_error *error) {
    const uint32_t count = mover->bodies.count;
    CAROM_ASSERT(!table->moved);
    merge->merged = 0;
    merge->touches.events.list.count = 0;
    merge->touches.searches = 0;
    carom_status status = reserve(merge, &mover->context->memory, count, error);
    if (status != CAROM_OK || count == 0) {
        return status;
    }
    carom_mover_lap(mover, CAROM_STEP_PHASE_END);
    find_ends(merge, mover);
    status = carom_touches_find(&merge->touches, mover, merge->ends.data, error);
    carom_mover_lap(mover, CAROM_STEP_PHASE_NEIGHBOURS);
    if (status != CAROM_OK) {
        return status;
    }
    make_groups(merge, mover);
    sum_groups(merge, mover, table);
    status = carom_mover_cancelled(mover, error);
    sums *s = merge->sums.data;
    for (uint32_t n = 0; n < count && status == CAROM_OK && goes_on(mover, n); n++) {
        merge->merged += s[n].count > 1 ? s[n].count - 1 : 0;
        if (s[n].count > 1) {
            finish_group(merge, mover, n);
            status = check_group(&s[n], mover->rules, n, error);
        }
    }
    return status == CAROM_OK ? carom_mover_cancelled(mover, error) : status;
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

void carom_merge_apply(const carom_merge *merge, const carom_mover *mover, carom_world_table *table) {
    const sums *s = merge->sums.data;
    int64_t offset[3];
    for (uint32_t n = 0; n < mover->bodies.count; n++) {
        const uint32_t root = root_of(merge->links.data, n, offset);
        if (n != root) {
            join(mover, table, root, n);
        } else if (s[n].count > 1) {
            carom_body body = carom_table_body(table, n);
            memcpy(body.x, s[n].x, sizeof body.x);
            memcpy(body.v, s[n].v, sizeof body.v);
            body.mass = s[n].mass;
            body.radius = s[n].widest;
            carom_table_set_body(table, n, &body);
        }
    }
    carom_table_remove_marked(table);
}

void carom_merge_release(carom_merge *merge, carom_memory *memory) {
    carom_touches_release(&merge->touches, memory);
    carom_buffer_release(memory, &merge->ends);
    carom_buffer_release(memory, &merge->links);
    carom_buffer_release(memory, &merge->sums);
}
