/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Worlds whose bodies have come to lie in other and other orders, against what is made of their snapshots, where they
 * lie in the order of adding until the step: events, contacts, bodies, sums and snapshots must have the same bits, and
 * errors name the same bodies. Bodies trade places, come and go between steps, and steps bounce, report and merge.
 * Steps that run out of memory at any request, are cancelled or meet a body that they refuse leave the world as it was.
 * Compiled once for each precision. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

#include "kernel/scene/random.h"
#include "simd/precision.h"
#include "tests/support/check.h"
#include "tests/support/fault_allocator.h"
#include "tests/support/note.h"
#include "tests/support/world_calls_tmpl.h"

typedef CAROM_REAL(carom_world) world;
typedef CAROM_REAL(carom_world_bodies) bodies_of_world;

enum { CASES = 400, ROUNDS = 10, MOST = 80, FIELDS = 9, SNAPSHOT_MOST = 1 << 18 };

typedef struct crowd {
    carom_real field[FIELDS][MOST];
    uint32_t category[MOST];
    uint64_t user[MOST];
} crowd;

/* All that is seen of a step. */
typedef struct outcome {
    carom_status status;
    carom_error error;
    carom_step_report report;
    carom_world_contacts contacts;
} outcome;

static carom_random *dice;
static crowd c;
static carom_cancel flag;
static uint64_t pieces_left; /* pieces of parallel work until the flag is raised; 0: it is not */
static carom_periodic box;
static carom_step_config config;
static unsigned char before[SNAPSHOT_MOST];
static unsigned char after[SNAPSHOT_MOST];
static unsigned char twins[SNAPSHOT_MOST];

static uint32_t below(uint32_t count) {
    return (uint32_t)(carom_random_next(dice) % count);
}

static double uniform(double lo, double hi) {
    return lo + (hi - lo) * carom_random_u01(dice);
}

static bodies_of_world view(uint64_t count) {
    bodies_of_world b = {.count = count, .radius = c.field[6], .mass = c.field[7], .restitution = c.field[8]};
    for (int a = 0; a < 3; a++) {
        b.position[a] = c.field[a];
        b.velocity[a] = c.field[3 + a];
    }
    b.category = c.category;
    b.user = c.user;
    return b;
}

static void check_ok(carom_status status, const carom_error *error) {
    note_check(status == CAROM_OK, "%s: %s", carom_status_name(status), error->message);
}

static uint64_t save(const world *w, unsigned char *bytes) {
    uint64_t size = 0;
    carom_error error = {.message = ""};
    check_ok(SAVE(w, bytes, SNAPSHOT_MOST, &size, &error), &error);
    return size;
}

static void add_some(world *w) {
    carom_error error = {.message = ""};
    const uint64_t count = below(20) < MOST - COUNT(w) ? below(20) : 0;
    for (uint64_t n = 0; n < count; n++) {
        for (int a = 0; a < 3; a++) {
            c.field[a][n] = (carom_real)uniform(0.0, 5.0);
            c.field[3 + a][n] = (carom_real)uniform(-2.0, 2.0);
        }
        c.field[6][n] = (carom_real)uniform(0.05, 0.5);
        c.field[7][n] = (carom_real)(below(6) == 0 ? (double)INFINITY : uniform(0.5, 2.0));
        c.field[8][n] = (carom_real)uniform(0.0, 1.0);
        c.category[n] = 1U << below(2);
        c.user[n] = carom_random_next(dice);
    }
    const bodies_of_world b = view(COUNT(w) + count <= MOST ? count : 0);
    check_ok(ADD(w, &b, NULL, &error), &error);
}

static void remove_some(world *w) {
    carom_error error = {.message = ""};
    carom_handle gone[MOST];
    uint64_t count = 0;
    const uint32_t share = 2 + below(5);
    for (uint64_t n = COUNT(w); n > 0; n--) {
        if (below(share) == 0) {
            gone[count++] = HANDLES(w)[n - 1];
        }
    }
    check_ok(REMOVE(w, gone, count, &error), &error);
}

/* Each body comes where another was: the order of space is another one for sure. */
static void trade_places(world *w) {
    carom_error error = {.message = ""};
    const uint64_t count = COUNT(w);
    bodies_of_world b = {.count = count, .position = {c.field[0], c.field[1], c.field[2]}};
    check_ok(GET(w, NULL, &b, &error), &error);
    for (uint64_t n = count; n > 1; n--) {
        const uint64_t other = below((uint32_t)n);
        for (int a = 0; a < 3; a++) {
            const carom_real kept = c.field[a][n - 1];
            c.field[a][n - 1] = c.field[a][other];
            c.field[a][other] = kept;
        }
    }
    check_ok(SET(w, NULL, &b, &error), &error);
}

static double restitution_of(void *user, uint64_t i, uint64_t k) {
    (void)user;
    return (double)((3 * i + k) % 8) / 7.0 - 0.2;
}

static void make_rules(void) {
    config = carom_step_config_default();
    config.dt = uniform(0.1, 1.0);
    config.acceleration[2] = -0.5;
    config.budget = below(3) == 0 ? 2 : 60;
    config.events = true;
    config.cancel = &flag;
    config.response = (carom_response)below(3);
    config.pair = below(3) == 0 ? restitution_of : NULL;
    box = carom_periodic_default();
    for (int e = 0; e < 3; e++) {
        box.along[e] = true;
        box.edge[e][e] = uniform(4.0, 8.0);
    }
    box.edge[1][0] = below(2) == 0 ? 200.0 : 0.0; /* tilted so much that bodies are moved */
    config.periodic = below(3) == 0 ? &box : NULL;
}

static outcome step(world *w) {
    outcome o;
    memset(&o, 0, sizeof o);
    o.status = WORLD_STEP(w, &o.report, &o.contacts, &o.error);
    return o;
}

static void check_as_before(const world *w, uint64_t size, const char *what) {
    note_check(save(w, after) == size && memcmp(before, after, size) == 0, "a step %s has changed the world", what);
}

/* Two bodies that leave the range of floats, or are too far from a periodic box; the first in the order of adding is
 * named. */
static void check_refused(world *w, uint64_t size) {
    carom_error error = {.message = ""};
    const uint64_t count = COUNT(w);
    const bool may = config.response == CAROM_RESPONSE_MERGE && config.periodic == NULL;
    if (count < 2 || (may && sizeof(carom_real) == sizeof(double))) {
        return; /* doubles that merge in open space may go there */
    }
    const uint64_t one = below((uint32_t)count);
    const uint64_t other = (one + 1 + below((uint32_t)count - 1)) % count;
    const carom_handle handle[2] = {HANDLES(w)[one], HANDLES(w)[other]};
    carom_real kept[2][2];
    carom_real far[2] = {(carom_real)3.3e38, (carom_real)3.3e38};
    bodies_of_world b = {.count = 2, .position = {kept[0]}, .velocity = {kept[1]}};
    check_ok(GET(w, handle, &b, &error), &error);
    b.position[0] = b.velocity[0] = far;
    check_ok(SET(w, handle, &b, &error), &error);
    const outcome o = step(w);
    note_check(o.status == CAROM_ERROR_BODY && o.error.body == (one < other ? one : other),
               "%s, body %g of %g and %g: %s", carom_status_name(o.status), (double)o.error.body, (double)one,
               (double)other, o.error.message);
    b.position[0] = kept[0];
    b.velocity[0] = kept[1];
    check_ok(SET(w, handle, &b, &error), &error);
    check_as_before(w, size, "that refused a body");
}

/* Refuses all requests from the n-th on, for each n, until the step succeeds. A search may do with less memory than it
 * asks for. */
static outcome step_without_memory(world *w, fault_allocator *faults, uint64_t size) {
    outcome o = {.status = CAROM_ERROR_MEMORY};
    for (uint64_t n = 1; o.status != CAROM_OK; n++) {
        const uint64_t first = faults->requests;
        fault_allocator_fail(faults, n, true);
        o = step(w);
        const bool refused = faults->requests >= first + n;
        fault_allocator_fail(faults, 0, false);
        note_check(o.status == CAROM_OK || (o.status == CAROM_ERROR_MEMORY && refused), "%s: %s",
                   carom_status_name(o.status), o.error.message);
        if (o.status != CAROM_OK) {
            check_as_before(w, size, "without memory");
        }
    }
    return o;
}

/* Raises the flag before each parallel piece of work, until the step succeeds. */
static outcome step_cancelled(world *w, uint64_t size) {
    outcome o = {.status = CAROM_ERROR_CANCELLED};
    for (uint64_t n = 0; o.status != CAROM_OK; n++) {
        pieces_left = n;
        if (n == 0) {
            carom_cancel_raise(&flag);
        }
        o = step(w);
        pieces_left = 0;
        carom_cancel_clear(&flag);
        note_check(o.status == CAROM_OK || o.status == CAROM_ERROR_CANCELLED, "%s: %s", carom_status_name(o.status),
                   o.error.message);
        if (o.status != CAROM_OK) {
            check_as_before(w, size, "that was cancelled");
        }
    }
    return o;
}

static outcome step_somehow(world *w, fault_allocator *faults, uint64_t size) {
    const uint32_t how = below(4);
    return how == 0 ? step_without_memory(w, faults, size) : how == 1 ? step_cancelled(w, size) : step(w);
}

static void check_handles(const carom_handle *a, const carom_handle *b, uint64_t count) {
    note_check(count == 0 || memcmp(a, b, count * sizeof *a) == 0, "other handles");
}

static void check_outcomes(const outcome *a, const outcome *b) {
    note_check(a->status == b->status && a->error.body == b->error.body, "%s and %s: %s", carom_status_name(a->status),
               carom_status_name(b->status), a->error.message);
    note_check(a->report.impacts == b->report.impacts && a->report.event_count == b->report.event_count &&
                   a->report.held == b->report.held && a->report.merged == b->report.merged,
               "another report");
    for (uint64_t n = 0; n < a->report.event_count; n++) {
        note_check(memcmp(&a->report.event[n], &b->report.event[n], sizeof *a->report.event) == 0,
                   "event %g differs: %a and %a", (double)n, a->report.event[n].t, b->report.event[n].t);
    }
    for (uint64_t n = 0; n < a->report.held; n++) {
        note_check(a->report.held_body[n] == b->report.held_body[n], "another body is held");
    }
    note_check(a->contacts.begun == b->contacts.begun && a->contacts.persisted == b->contacts.persisted &&
                   a->contacts.ended == b->contacts.ended,
               "other contacts");
    check_handles(a->contacts.begun_i, b->contacts.begun_i, a->contacts.begun);
    check_handles(a->contacts.begun_k, b->contacts.begun_k, a->contacts.begun);
    check_handles(a->contacts.persisted_k, b->contacts.persisted_k, a->contacts.persisted);
    check_handles(a->contacts.ended_k, b->contacts.ended_k, a->contacts.ended);
}

/* Bodies at once, by handles, and in sum. */
static void check_reading(const world *w, const world *twin) {
    static crowd found[3];
    carom_error error = {.message = ""};
    carom_world_totals totals[2] = {{0}, {0}};
    const uint64_t count = COUNT(w);
    memset(&c, 0, sizeof c);
    for (int n = 0; n < 3; n++) {
        const bodies_of_world b = view(count);
        check_ok(GET(n < 2 ? w : twin, n == 1 ? HANDLES(w) : NULL, &b, &error), &error);
        found[n] = c;
    }
    note_check(memcmp(&found[0], &found[1], sizeof c) == 0, "bodies differ by handles");
    note_check(memcmp(&found[0], &found[2], sizeof c) == 0, "bodies differ");
    check_ok(TOTAL(w, &totals[0], &error), &error);
    check_ok(TOTAL(twin, &totals[1], &error), &error);
    note_check(memcmp(&totals[0], &totals[1], sizeof *totals) == 0, "sums differ");
}

static void check_round(world *w, fault_allocator *faults, carom_context *other) {
    carom_error error = {.message = ""};
    world *twin = NULL;
    make_rules();
    check_ok(CONFIGURE(w, &config, &error), &error);
    const uint64_t size = save(w, before);
    if (below(3) == 0) {
        check_refused(w, size);
    }
    check_ok(LOAD(other, before, size, &twin, &error), &error);
    check_ok(CONFIGURE(twin, &config, &error), &error);
    const outcome a = step_somehow(w, faults, size);
    const outcome b = step(twin);
    check_outcomes(&a, &b);
    check_reading(w, twin);
    const uint64_t bytes = save(w, after);
    note_check(save(twin, twins) == bytes && memcmp(after, twins, bytes) == 0, "snapshots differ");
    DESTROY(twin);
}

/* The last part of the work first. */
static void parallel_for(void *user, uint32_t count, carom_executor_task *task, void *data) {
    (void)user;
    if (pieces_left > 0 && --pieces_left == 0) {
        carom_cancel_raise(&flag);
    }
    for (uint32_t n = count; n > 0; n--) {
        task(data, n - 1);
    }
}

static carom_context *make_context(fault_allocator *faults, uint32_t threads) {
    carom_context *context = NULL;
    carom_context_config own = carom_context_config_default();
    own.threads = threads;
    own.bodies_per_thread = 4;
    if (faults != NULL) {
        own.allocator = fault_allocator_get(faults);
        own.executor = (carom_executor){.parallel_for = parallel_for};
    }
    assert_int_equal(carom_context_create(&own, &context, NULL), CAROM_OK);
    return context;
}

static void run_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    carom_error error = {.message = ""};
    fault_allocator faults;
    world *w = NULL;
    dice = &random;
    memset(&c, 0, sizeof c);
    fault_allocator_init(&faults);
    carom_context *contexts[2] = {make_context(&faults, 1 + (uint32_t)(number % 3)), make_context(NULL, 1)};
    check_ok(CREATE(contexts[0], NULL, &w, &error), &error);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        note_case(number, "round %u, %g bodies", round, (double)COUNT(w));
        if (below(3) == 0) {
            remove_some(w);
        }
        if (round == 0 || below(2) == 0) {
            add_some(w);
        }
        if (below(2) == 0) {
            trade_places(w);
        }
        check_round(w, &faults, contexts[1]);
    }
    DESTROY(w);
    carom_context_destroy(contexts[0]);
    carom_context_destroy(contexts[1]);
    note_check(faults.live_blocks == 0 && faults.damages == 0, "blocks are left, or damaged");
}

static void test_slots(void **state) {
    (void)state;
    note_each_case(CASES, run_case);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_slots)};
    note_start("test_slots");
    return cmocka_run_group_tests_name("bodies in slots", tests, NULL, NULL);
}
