/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Worlds against carom_step on the same bodies, while bodies come, go and change: the same bits, events that name the
 * same bodies, contacts that follow from events, handles that are never used again; in boxes, with filters, categories
 * and masks, restitutions of pairs, contact times, and where impacts are only reported. At some moment the world is
 * saved; what is made of the snapshot goes on bit for bit. Compiled once for each precision. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

#include "kernel/scene/random.h"
#include "simd/precision.h"
#include "tests/support/check.h"
#include "tests/support/note.h"
#include "tests/support/world_calls_tmpl.h"

typedef CAROM_REAL(carom_world) world;
typedef CAROM_REAL(carom_world_bodies) bodies_of_world;
typedef CAROM_REAL(carom_motion) motion;

enum { CASES = 150, ROUNDS = 12, MOST = 96, FIELDS = 9, HANDLES_MOST = 2 * ROUNDS * MOST, SNAPSHOT_MOST = 1 << 18 };

/* The rules of a step, for a world and for arrays, in which the filter has the categories and masks, and `pair` gets
 * indices. */
typedef struct rules {
    carom_step_config of_world;
    carom_step_config of_arrays;
    carom_filter world_filter;
    carom_filter arrays_filter;
    carom_periodic box;
} rules;

/* The same bodies as the world's, in their order. */
typedef struct mirror {
    uint32_t count;
    carom_real field[FIELDS][MOST];
    uint32_t category[MOST];
    uint32_t mask[MOST];
    uint64_t user[MOST];
    carom_handle handle[MOST];
} mirror;

static mirror m;
static carom_handle given[HANDLES_MOST]; /* all that ever were */
static uint32_t given_count;
static carom_context *context;
static carom_random *dice;
static carom_surface floor_below = {.kind = CAROM_SURFACE_PLANE, .restitution = 0.8, .axis = {{0, 0, 1}}};

static uint32_t below(uint32_t count) {
    return (uint32_t)(carom_random_next(dice) % count);
}

static double uniform(double lo, double hi) {
    return lo + (hi - lo) * carom_random_u01(dice);
}

static void make_body(uint32_t n) {
    static const double masses[] = {1.0, 1.0, 2.0, 0.25, INFINITY};
    for (int a = 0; a < 3; a++) {
        m.field[a][n] = (carom_real)uniform(0.0, 5.0);
        m.field[3 + a][n] = (carom_real)uniform(-2.0, 2.0);
    }
    if (below(4) == 0) {
        m.field[3 + below(3)][n] = (carom_real)-0.0; /* a bit that must stay what it is */
    }
    m.field[6][n] = (carom_real)uniform(0.1, 0.6);
    m.field[7][n] = (carom_real)masses[below(5)];
    m.field[8][n] = (carom_real)uniform(0.0, 1.0);
    m.category[n] = 1U << below(3);
    m.mask[n] = below(3) == 0 ? below(8) : UINT32_MAX;
    m.user[n] = carom_random_next(dice);
}

/* The mirror's entries from `from` on. */
static bodies_of_world view(uint32_t from, uint32_t count) {
    bodies_of_world b = {.count = count, .radius = m.field[6] + from, .mass = m.field[7] + from};
    b.restitution = m.field[8] + from;
    b.category = m.category + from;
    b.mask = m.mask + from;
    b.user = m.user + from;
    for (int a = 0; a < 3; a++) {
        b.position[a] = m.field[a] + from;
        b.velocity[a] = m.field[3 + a] + from;
    }
    return b;
}

static void check_ok(carom_status status, const carom_error *error) {
    note_check(status == CAROM_OK, "%s: %s", carom_status_name(status), error->message);
}

/* The mirror's entries from `from` on. */
static void add_entries(world *w, uint32_t from, uint32_t count) {
    carom_error error = {.message = ""};
    const bodies_of_world b = view(from, count);
    check_ok(ADD(w, &b, m.handle + from, &error), &error);
    for (uint32_t n = from; n < from + count; n++) {
        for (uint32_t g = 0; g < given_count; g++) {
            note_check(given[g] != m.handle[n], "a handle names another body");
        }
        note_check(m.handle[n] != 0, "a handle is 0");
        given[given_count++] = m.handle[n];
    }
}

static void add_some(world *w) {
    const uint32_t count = below(MOST - m.count < 30 ? MOST - m.count + 1 : 30);
    for (uint32_t n = 0; n < count; n++) {
        make_body(m.count + n);
    }
    add_entries(w, m.count, count);
    m.count += count;
}

/* The same bodies once more, which have had no impacts so far. */
static void add_anew(world *w) {
    carom_error error = {.message = ""};
    check_ok(REMOVE(w, m.handle, m.count, &error), &error);
    add_entries(w, 0, m.count);
}

static void remove_some(world *w) {
    carom_handle gone[MOST];
    uint32_t count = 0;
    uint32_t kept = 0;
    carom_error error = {.message = ""};
    const uint32_t share = 1 + below(6);
    for (uint32_t n = 0; n < m.count; n++) {
        if (below(share) == 0 && share > 1) {
            gone[count++] = m.handle[n];
            continue;
        }
        for (int f = 0; f < FIELDS; f++) {
            m.field[f][kept] = m.field[f][n];
        }
        m.category[kept] = m.category[n];
        m.mask[kept] = m.mask[n];
        m.user[kept] = m.user[n];
        m.handle[kept++] = m.handle[n];
    }
    m.count = kept;
    for (uint32_t n = count; n > 1; n--) { /* in any order */
        const uint32_t other = below(n);
        const carom_handle one = gone[n - 1];
        gone[n - 1] = gone[other];
        gone[other] = one;
    }
    check_ok(REMOVE(w, gone, count, &error), &error);
    for (uint32_t n = 0; n < count; n++) {
        note_check(REMOVE(w, &gone[n], 1, &error) == CAROM_ERROR_BODY, "a body is removed twice");
    }
}

/* Other velocities and masks for every other body, by handle. */
static void change_some(world *w) {
    carom_handle handle[MOST];
    carom_real velocity[MOST];
    uint32_t mask[MOST];
    carom_error error = {.message = ""};
    uint32_t count = 0;
    for (uint32_t n = 0; n < m.count; n += 2) {
        handle[count] = m.handle[n];
        mask[count] = m.mask[n] = below(3) == 0 ? below(8) : UINT32_MAX;
        velocity[count++] = m.field[4][n] = (carom_real)uniform(-3.0, 3.0);
    }
    bodies_of_world b = {.count = count, .mask = mask};
    b.velocity[1] = velocity;
    check_ok(SET(w, handle, &b, &error), &error);
}

static void check_same(world *w) {
    static mirror found;
    carom_error error = {.message = ""};
    note_check(COUNT(w) == m.count, "%g bodies, not %u", (double)COUNT(w), m.count);
    note_check(m.count == 0 || memcmp(HANDLES(w), m.handle, m.count * sizeof *m.handle) == 0, "handles differ");
    note_check(m.count > 0 || HANDLES(w) == NULL, "handles of no bodies");
    const mirror kept = m;
    memset(m.field, 0, sizeof m.field);
    memset(m.category, 0, sizeof m.category);
    memset(m.mask, 0, sizeof m.mask);
    const bodies_of_world b = view(0, m.count);
    check_ok(GET(w, below(2) == 0 ? m.handle : NULL, &b, &error), &error);
    found = m;
    m = kept;
    for (int f = 0; f < FIELDS; f++) {
        note_check(memcmp(found.field[f], m.field[f], m.count * sizeof(carom_real)) == 0, "field %d differs", f);
    }
    note_check(memcmp(found.user, m.user, m.count * sizeof *m.user) == 0, "user words differ");
    note_check(memcmp(found.category, m.category, m.count * sizeof *m.category) == 0, "categories differ");
    note_check(memcmp(found.mask, m.mask, m.count * sizeof *m.mask) == 0, "masks differ");
}

typedef struct pair {
    carom_handle i;
    carom_handle k;
} pair;

/* Pairs in contact, as events tell. */
typedef struct pair_list {
    pair pair[MOST * MOST];
    uint32_t count;
} pair_list;

static pair_list lists[2]; /* of the last two steps */

static bool has(const pair_list *list, pair p) {
    bool found = false;
    for (uint32_t n = 0; n < list->count; n++) {
        found = found || (list->pair[n].i == p.i && list->pair[n].k == p.k);
    }
    return found;
}

static void list_contacts(const carom_step_report *report, pair_list *list) {
    list->count = 0;
    for (uint64_t n = 0; n < report->event_count; n++) {
        const pair p = {report->event[n].i, report->event[n].k};
        if (report->event[n].surface == CAROM_EVENT_NO_SURFACE && !has(list, p)) {
            list->pair[list->count++] = p;
        }
    }
}

static void check_listed(const carom_handle *i, const carom_handle *k, uint64_t count, const pair_list *in,
                         const pair_list *out, uint64_t wanted) {
    for (uint64_t n = 0; n < count; n++) {
        const pair p = {i[n], k[n]};
        note_check(has(in, p) && (out == NULL || !has(out, p)), "a pair in contact is listed where it should not be");
    }
    note_check(count == wanted, "%g pairs, not %g", (double)count, (double)wanted);
}

static void check_contacts(const carom_world_contacts *c) {
    uint64_t persisted = 0;
    for (uint32_t n = 0; n < lists[1].count; n++) {
        persisted += has(&lists[0], lists[1].pair[n]);
    }
    check_listed(c->begun_i, c->begun_k, c->begun, &lists[1], &lists[0], lists[1].count - persisted);
    check_listed(c->persisted_i, c->persisted_k, c->persisted, &lists[1], NULL, persisted);
    check_listed(c->ended_i, c->ended_k, c->ended, &lists[0], &lists[1], lists[0].count - persisted);
    lists[0] = lists[1];
}

static void check_events(const carom_step_report *of_world, const carom_step_report *of_arrays) {
    note_check(of_world->impacts == of_arrays->impacts && of_world->event_count == of_arrays->event_count &&
                   of_world->held == of_arrays->held && of_world->surface_impacts == of_arrays->surface_impacts,
               "%g impacts, not %g", (double)of_world->impacts, (double)of_arrays->impacts);
    for (uint64_t n = 0; n < of_world->event_count; n++) {
        const carom_event *e = &of_world->event[n];
        carom_event f = of_arrays->event[n];
        f.i = m.handle[f.i];
        f.k = f.k == UINT64_MAX ? f.k : m.handle[f.k];
        note_check(memcmp(e, &f, sizeof f) == 0, "event %g is (%a, %g, %g, %a), not (%a, %g, %g, %a)", (double)n, e->t,
                   (double)e->i, (double)e->k, e->impulse, f.t, (double)f.i, (double)f.k, f.impulse);
    }
    for (uint64_t n = 0; n < of_world->held; n++) {
        note_check(of_world->held_body[n] == of_arrays->held_body[n], "another body is held");
    }
}

/* Not the same for (i, k) as for (k, i). */
static bool accept_places(void *user, uint32_t i, uint32_t k) {
    return (7 * i + 5 * k + *(const uint32_t *)user) % 4 != 0;
}

static double restitution_of(void *user, uint64_t i, uint64_t k) {
    return (double)((3 * i + k + *(const uint32_t *)user) % 8) / 7.0 - 0.2;
}

static double restitution_at(void *user, uint64_t i, uint64_t k) {
    return restitution_of(user, m.user[i], m.user[k]);
}

static void make_box(carom_periodic *box) {
    *box = carom_periodic_default();
    const uint32_t axes = 1 + below(7);
    for (int e = 0; e < 3; e++) {
        box->along[e] = (axes >> e & 1) != 0;
        box->edge[e][e] = uniform(4.0, 8.0);
        box->edge[e][(e + 1) % 3] = below(2) == 0 ? uniform(-1.0, 1.0) : 0.0;
    }
}

static void make_rules(rules *r) {
    static uint32_t salt;
    carom_step_config config = carom_step_config_default();
    config.dt = uniform(0.1, 1.0);
    config.acceleration[2] = below(2) == 0 ? -0.5 : 0.0;
    config.budget = below(3) == 0 ? 2 : 60;
    config.events = true;
    config.surface = &floor_below;
    config.surface_count = below(2);
    config.response = below(4) == 0 ? CAROM_RESPONSE_REPORT : CAROM_RESPONSE_BOUNCE;
    config.contact_time = below(4) == 0 ? uniform(0.0, 0.5) : 0.0;
    config.pair_user = &salt;
    salt = below(8);
    make_box(&r->box);
    config.periodic = below(2) == 0 ? &r->box : NULL;
    r->of_world = config;
    r->of_arrays = config;
    r->world_filter = carom_filter_default();
    r->world_filter.accepts = accept_places;
    r->world_filter.user = &salt;
    r->arrays_filter = r->world_filter;
    if (below(2) == 0) {
        r->arrays_filter.accepts = NULL;
    } else {
        r->of_world.filter = &r->world_filter;
    }
    r->arrays_filter.category = m.category;
    r->arrays_filter.mask = m.mask;
    r->of_arrays.filter = &r->arrays_filter;
    if (below(3) == 0) {
        r->of_world.pair = restitution_of;
        r->of_arrays.pair = restitution_at;
    }
}

static void step_both(world *w, const rules *r) {
    carom_error error = {.message = ""};
    carom_step_report of_world = {0};
    carom_step_report of_arrays = {0};
    carom_world_contacts contacts = {0};
    motion arrays = {
        .count = m.count, .radius = m.field[6], .mass = m.field[7], .restitution = m.field[8], .common_radius = 0};
    for (int a = 0; a < 3; a++) {
        arrays.position[a] = m.field[a];
        arrays.velocity[a] = m.field[3 + a];
    }
    check_ok(STEP(context, &arrays, &r->of_arrays, &of_arrays, &error), &error);
    check_ok(CONFIGURE(w, &r->of_world, &error), &error);
    check_ok(WORLD_STEP(w, &of_world, &contacts, &error), &error);
    check_events(&of_world, &of_arrays);
    list_contacts(&of_world, &lists[1]);
    check_contacts(&contacts);
}

static unsigned char snapshots[2][SNAPSHOT_MOST];

static uint64_t save(const world *w, unsigned char *bytes) {
    uint64_t size = 0;
    uint64_t needed = 0;
    carom_error error = {.message = ""};
    note_check(SAVE(w, NULL, 0, &needed, &error) == CAROM_ERROR_CAPACITY, "a snapshot without room");
    note_check(needed <= SNAPSHOT_MOST, "%g bytes", (double)needed);
    check_ok(SAVE(w, bytes, needed, &size, &error), &error);
    note_check(size == needed, "another size");
    return size;
}

/* The world and one made of its snapshot go on alike, to the last byte of their next snapshots. Functions are not in
 * it. */
static void check_twin(world *w, const carom_step_config *config) {
    carom_error error = {.message = ""};
    world *twin = NULL;
    const uint64_t size = save(w, snapshots[0]);
    check_ok(LOAD(context, snapshots[0], size, &twin, &error), &error);
    note_check(save(twin, snapshots[1]) == size && memcmp(snapshots[0], snapshots[1], size) == 0,
               "a snapshot changes by loading");
    if (config->filter != NULL || config->pair != NULL) {
        check_ok(CONFIGURE(twin, config, &error), &error);
    }
    world *worlds[2] = {w, twin};
    carom_real place = 1;
    bodies_of_world one = {.count = 1, .radius = &place};
    for (int a = 0; a < 3; a++) {
        one.position[a] = &place;
    }
    carom_handle handle[2];
    carom_world_contacts contacts[2];
    for (int n = 0; n < 2; n++) {
        memset(&contacts[n], 0, sizeof contacts[n]);
        check_ok(WORLD_STEP(worlds[n], NULL, &contacts[n], &error), &error);
        check_ok(ADD(worlds[n], &one, &handle[n], &error), &error);
        check_ok(REMOVE(worlds[n], &handle[n], 1, &error), &error);
        check_ok(WORLD_STEP(worlds[n], NULL, NULL, &error), &error);
    }
    note_check(handle[0] == handle[1], "another handle");
    note_check(contacts[0].begun == contacts[1].begun && contacts[0].persisted == contacts[1].persisted &&
                   contacts[0].ended == contacts[1].ended,
               "other contacts");
    note_check(save(w, snapshots[0]) == save(twin, snapshots[1]) &&
                   memcmp(snapshots[0], snapshots[1], (size_t)save(w, snapshots[0])) == 0,
               "the twin went another way");
    DESTROY(twin);
}

static void run_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    dice = &random;
    memset(&m, 0, sizeof m);
    memset(lists, 0, sizeof lists);
    given_count = 0;
    world *w = NULL;
    rules r;
    carom_error error = {.message = ""};
    check_ok(CREATE(context, NULL, &w, &error), &error);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        note_case(number, "round %u, %u bodies", round, m.count);
        if (below(2) == 0) {
            remove_some(w);
        }
        add_some(w);
        if (below(2) == 0) {
            change_some(w);
        }
        check_same(w);
        make_rules(&r);
        if (r.of_world.contact_time > 0.0) { /* arrays do not know of impacts in steps before */
            add_anew(w);
        }
        step_both(w, &r);
        check_same(w);
    }
    check_twin(w, &r.of_world);
    DESTROY(w);
}

static void test_worlds(void **state) {
    (void)state;
    note_each_case(CASES, run_case);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_worlds)};
    note_start("test_world");
    carom_context_config config = carom_context_config_default();
    config.threads = 2;
    config.bodies_per_thread = 16;
    if (carom_context_create(&config, &context, NULL) != CAROM_OK) {
        return 1;
    }
    const int failed = cmocka_run_group_tests_name("worlds", tests, NULL, NULL);
    carom_context_destroy(context);
    return failed;
}
