/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Steps of bodies so fast that some are soon more than CAROM_IMAGE_MOST edges of a periodic box apart, and may be hit
 * off their paths there. Guards that only who meets such an image fails, that this does not depend on how long a search
 * was to last or on threads, and that steps which do not fail are those of a sequential event queue. */
#include <math.h>
#include <string.h>

#include <carom/carom.h>

#include "kernel/impacts/step.h"
#include "kernel/scene/random.h"
#include "tests/support/check.h"
#include "tests/support/note.h"
#include "tests/support/queue_mirror.h"
#include "tests/support/queue_trial.h"

enum { WORLDS = 400, BODIES = 9, EVENTS_MOST = 4096, CONTEXTS = 2, LENGTHS = 5 };

_Static_assert((int)CONTEXTS <= (int)QUEUE_TRIAL_CONTEXTS, "there are as many contexts");

static const double EDGE = 8.0;
static const double FASTEST = 14.5; /* edges a step */

/* Of searches, in steps; 0: as long as a first one is. */
static const double length[LENGTHS] = {0.0, 1.0, 0x1p-3, 0x1p-8, 0x1p-14};

static queue_world queue;
static queue_event expected[EVENTS_MOST];
static queue_mirror mirror;
static carom_memory memory;
static carom_impacts_step step;
static carom_periodic box;
static uint32_t failed_worlds;
static uint32_t far_worlds; /* in which bodies were too many edges apart for a code, without a failure */

static double uniform(carom_random *random, double lo, double hi) {
    return lo + (hi - lo) * carom_random_u01(random);
}

static void keep_event(void *user, const queue_event *event) {
    (void)user;
    assert_true(queue.impacts <= EVENTS_MOST);
    expected[queue.impacts - 1] = *event;
}

/* Space repeats along two axes. A heavy body may throw a light one off its path, which then leaves its hull. */
static void make_world(carom_random *random) {
    memset(&queue, 0, sizeof queue);
    queue.rules.budget = 1000;
    box = carom_periodic_default();
    for (int e = 0; e < 3; e++) {
        box.along[e] = e < 2;
        box.edge[e][e] = EDGE;
    }
    queue.periodic = &box;
    queue.images = CAROM_IMAGE_MOST;
    queue.on_event = keep_event;
    for (uint32_t n = 0; n < BODIES; n++) {
        const double fastest = n < 4 ? FASTEST * EDGE : 0.5 * EDGE;
        const double x[3] = {uniform(random, 0, EDGE), uniform(random, 0, EDGE), uniform(random, 0, EDGE)};
        const double v[3] = {uniform(random, -fastest, fastest), uniform(random, -EDGE, EDGE), uniform(random, -1, 1)};
        queue_add(&queue, x, v, uniform(random, 0.05, 0.4), n % 2 == 0 ? 1.0 : 100.0, 1.0);
    }
}

static bool ends_far_apart(void) {
    double lo = INFINITY;
    double hi = -INFINITY;
    for (uint32_t n = 0; n < BODIES; n++) {
        lo = fmin(lo, queue.piece[n].x[0]);
        hi = fmax(hi, queue.piece[n].x[0]);
    }
    return hi - lo > (CAROM_IMAGE_MOST + 1) * EDGE;
}

static void check_world(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    make_world(&random);
    queue_trial_before = queue;
    queue_step(&queue);
    carom_status first = CAROM_OK;
    for (uint32_t n = 0; n < LENGTHS * CONTEXTS; n++) {
        carom_error error = {.message = ""};
        note_case(number, "searches of %g steps in context %u", length[n / CONTEXTS], n % CONTEXTS);
        queue_mirror_make(&mirror, &queue_trial_before, &random);
        step.length = length[n / CONTEXTS];
        const carom_status status =
            carom_impacts_step_run(&step, &memory, queue_trial_context[n % CONTEXTS], &mirror.bodies, &error);
        first = n == 0 ? status : first;
        note_check(status == first && (status == CAROM_OK || status == CAROM_ERROR_BODY), "%s: %s; at first %s",
                   carom_status_name(status), error.message, carom_status_name(first));
        note_check((status == CAROM_OK) == (error.message[0] == '\0'), "ok, and %s", error.message);
        if (status == CAROM_OK) {
            queue_mirror_check_events(&step, expected, queue.impacts);
            queue_mirror_check_bodies(&mirror, &queue);
        }
    }
    failed_worlds += first == CAROM_OK ? 0 : 1;
    far_worlds += first == CAROM_OK && ends_far_apart() ? 1 : 0;
}

static void test_worlds(void **state) {
    (void)state;
    note_each_case(WORLDS, check_world);
    print_message("%u worlds failed, %u did not though bodies were far apart\n", failed_worlds, far_worlds);
    if (note_only_case() == UINT64_MAX) {
        assert_true(failed_worlds > 0 && far_worlds > 4 * failed_worlds);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_worlds)};
    note_start("test_far_images");
    queue_trial_open();
    carom_memory_init(&memory, NULL, 0);
    const int failed = cmocka_run_group_tests_name("far images", tests, NULL, NULL);
    carom_impacts_step_release(&step, &memory);
    queue_trial_close();
    return failed;
}
