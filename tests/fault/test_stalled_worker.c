/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A worker that is kept from its task while the others go on: rows wait in chunks for those of that task. The others
 * must not fill chunks with all the rows there are, what they leave must be done in the end, and all must find the
 * memory for it that a call before left, in which nobody was kept from anything. */
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "tests/support/any_detect.h"
#include "tests/support/check.h"
#include "tests/support/fault_allocator.h"
#include "tests/support/note.h"
#include "tests/support/random_scene.h"

enum { BODIES = 60000, WORKERS = 2, CALLS = 3, NAPS_MOST = 300, NAPS_QUIET = 5 };
/* About as many tasks as there are, and the bytes of a chunk: every task has rows, so each takes one at least. Of shapes
 * it has answers, and the second worker has some work space beside. */
enum { TASKS = 128, CHUNK_BYTES = 8 << 10 };
static const uint64_t CHUNK_BYTES_SHAPES[ANY_PRECISIONS] = {64 << 10, 96 << 10};

typedef struct worker_call {
    carom_executor_task *task;
    void *data;
    uint32_t index;
} worker_call;

static void *run_call(void *data) {
    const worker_call *call = data;
    call->task(call->data, call->index);
    return NULL;
}

static void threads_for(uint32_t count, carom_executor_task *task, void *data) {
    pthread_t id[WORKERS];
    worker_call calls[WORKERS];
    if (count > WORKERS) {
        abort();
    }
    for (uint32_t n = 0; n < count; n++) {
        calls[n] = (worker_call){task, data, n};
        if (pthread_create(&id[n], NULL, run_call, &calls[n]) != 0) {
            abort();
        }
    }
    for (uint32_t n = 0; n < count; n++) {
        pthread_join(id[n], NULL);
    }
}

/* All workers at once, whatever OpenMP is allowed; or, unless *user is true, one after the other: then no row waits for
 * those of an earlier task. */
static void workers_for(void *user, uint32_t count, carom_executor_task *task, void *data) {
    const bool *at_once = user;
    if (*at_once) {
        threads_for(count, task, data);
    }
    for (uint32_t n = 0; n < count && !*at_once; n++) {
        task(data, n);
    }
}

static void nap(void) {
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
}

/* Accepts every pair; whoever asks first is kept until others have asked, for which a busy machine is given time, and
 * then nobody has for a while. */
static bool stall_first(void *user, uint32_t i, uint32_t k) {
    (void)i;
    (void)k;
    _Atomic uint64_t *asked = user;
    if (atomic_fetch_add(asked, 1) == 0) {
        for (int n = 0; n < NAPS_MOST && atomic_load(asked) == 1; n++) {
            nap();
        }
        uint64_t before = 0;
        for (int n = 0; n < NAPS_QUIET; n++) {
            n = atomic_load(asked) == before ? n : 0;
            before = atomic_load(asked);
            nap();
        }
    }
    return true;
}

typedef struct trial {
    any_bodies bodies;
    uint64_t chunk_bytes;
    any_result wanted; /* by one worker that nobody stalls */
    uint64_t wanted_peak;
} trial;

static carom_context *counted_context(fault_allocator *allocator, uint32_t workers, bool *at_once) {
    carom_context_config config = carom_context_config_default();
    config.threads = workers;
    config.bodies_per_thread = 1;
    config.allocator = fault_allocator_get(allocator);
    config.executor = (carom_executor){.user = at_once, .parallel_for = workers_for};
    carom_context *context = NULL;
    note_check(carom_context_create(&config, &context, NULL) == CAROM_OK, "no context");
    return context;
}

/* Bodies become balls of the same radius if there are shapes. */
static void set_shapes(trial *t, const carom_shapes *shapes) {
    if (shapes != NULL) {
        t->chunk_bytes = CHUNK_BYTES_SHAPES[t->bodies.precision];
        t->bodies.f32.shapes = t->bodies.f64.shapes = shapes;
        t->bodies.f32.size = sizeof t->bodies.f32;
        t->bodies.f64.size = sizeof t->bodies.f64;
        t->bodies.f32.radius = NULL;
        t->bodies.f64.radius = NULL;
    }
}

static trial make_trial(const random_scene *scene, const carom_shapes *shapes, any_precision precision) {
    fault_allocator allocator;
    fault_allocator_init(&allocator);
    trial t = {.bodies = any_bodies_make(precision, &scene->bodies), .chunk_bytes = CHUNK_BYTES};
    set_shapes(&t, shapes);
    bool at_once = true;
    carom_context *context = counted_context(&allocator, 1, &at_once);
    const carom_detect_config config = carom_detect_config_default();
    t.wanted = any_detect_bodies(context, &t.bodies, &config, NULL);
    note_check(t.wanted.status == CAROM_OK && t.wanted.pair_count > BODIES / 2, "%" PRIu64 " pairs %s",
               t.wanted.pair_count, t.wanted.error.message);
    carom_context_destroy(context);
    t.wanted_peak = allocator.peak_bytes;
    return t;
}

static void check_trial(const trial *t) {
    fault_allocator allocator;
    fault_allocator_init(&allocator);
    bool at_once = false;
    carom_context *context = counted_context(&allocator, WORKERS, &at_once);
    uint64_t requests = 0;
    for (int call = 0; call < CALLS; call++) {
        at_once = call > 0;
        _Atomic uint64_t asked = call == 0 ? 1 : 0; /* nobody is stalled in the first */
        carom_filter filter = carom_filter_default();
        filter.accepts = stall_first;
        filter.user = &asked;
        carom_detect_config config = carom_detect_config_default();
        config.filter = &filter;
        any_result r = any_detect_bodies(context, &t->bodies, &config, NULL);
        note_check(any_result_same(&t->wanted, &r), "call %d: other results: %s", call, r.error.message);
        note_check(atomic_load(&asked) >= r.pair_count, "call %d: the filter was not asked", call);
        note_check(call == 0 || allocator.requests == requests, "call %d asked %" PRIu64 " times for memory", call,
                   allocator.requests - requests);
        requests = allocator.requests;
        any_result_release(&r);
    }
    const uint64_t more = allocator.peak_bytes - t->wanted_peak;
    note_check(more < TASKS * t->chunk_bytes / 2,
               "%" PRIu64 " bytes more than one worker: chunks of all tasks", more);
    carom_context_destroy(context);
    note_check(allocator.live_blocks == 0 && allocator.damages == 0, "leak or damage");
}

static void stall_worker(bool with_shapes) {
    for (any_precision precision = ANY_F32; precision < ANY_PRECISIONS; precision++) {
        note_case((uint64_t)precision, "%s", any_precision_name(precision));
        carom_random random = carom_random_seeded(note_case_seed((uint64_t)precision));
        random_scene scene = random_scene_make(RANDOM_UNIFORM_DENSE, BODIES, precision == ANY_F32, &random);
        const carom_shape ball = {.kind = CAROM_SHAPE_SPHERE, .radius = scene.field[6][0]};
        carom_shapes *shapes = NULL;
        note_check(!with_shapes || carom_shapes_create(&ball, 1, NULL, &shapes, NULL) == CAROM_OK, "no shapes");
        trial t = make_trial(&scene, shapes, precision);
        check_trial(&t);
        any_result_release(&t.wanted);
        any_bodies_release(&t.bodies);
        random_scene_release(&scene);
        carom_shapes_destroy(shapes);
    }
}

static void test_stalled_worker(void **state) {
    (void)state;
    stall_worker(false);
}

/* Rows of shapes wait with their answers. */
static void test_stalled_shapes(void **state) {
    (void)state;
    stall_worker(true);
}

int main(void) {
    note_start("tests/fault/test_stalled_worker");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stalled_worker),
        cmocka_unit_test(test_stalled_shapes),
    };
    return cmocka_run_group_tests_name("stalled worker", tests, NULL, NULL);
}
