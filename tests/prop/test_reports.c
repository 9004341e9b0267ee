/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What a step with CAROM_RESPONSE_REPORT reports, against detection of the same motion: bodies that do not touch when
 * the step begins, and cross a periodic box up to several times in it, or fly through one another in two swarms, or
 * apart. Then the pairs and images that touch are those of the events, at the same times. Guards that a step which
 * looks at a short time after the other reports each once. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

#include "kernel/scene/random.h"
#include "tests/support/check.h"
#include "tests/support/note.h"
#include "tests/support/thread_contexts.h"

enum { CASES = 60, SWARM_CASES = 6, BODIES = 40, SWARMS = 1000, CONTEXTS = 2 };

/* Of the box, and how much times may differ: the step's paths begin from velocities, detection's end at places. In
 * swarms places have a hundred times as many units. */
static const double EDGE = 10.0;
static const double CLOSE = 1e-9;
static const double CLOSE_SWARMS = 1e-7;

static const uint32_t threads[CONTEXTS] = {1, 3};

static carom_context *contexts[CONTEXTS];
static carom_periodic box;
static uint32_t count;
static double x[3][SWARMS];
static double v[3][SWARMS];
static double to[3][SWARMS];
static double radius[SWARMS];
static uint64_t events;
static uint64_t windows;

static double uniform(carom_random *random, double lo, double hi) {
    return lo + (hi - lo) * carom_random_u01(random);
}

/* Bodies near the points of a lattice, four along each axis, which do not touch. `tilt` of the box, in widths. */
static void make_bodies(carom_random *random, double edges, double tilt) {
    box = carom_periodic_default();
    for (int e = 0; e < 3; e++) {
        box.along[e] = true;
        box.edge[e][e] = EDGE;
    }
    box.edge[1][0] = tilt * EDGE;
    count = BODIES;
    for (int n = 0; n < BODIES; n++) {
        const double at[3] = {n % 4, n / 4 % 4, n / 16};
        for (int a = 0; a < 3; a++) {
            x[a][n] = 2.5 * at[a] + uniform(random, 0.7, 1.8);
            v[a][n] = uniform(random, -edges, edges) * EDGE;
        }
        x[0][n] += tilt * x[1][n]; /* so that they begin in the box, from where images are counted */
        for (int a = 0; a < 3; a++) {
            to[a][n] = x[a][n] + v[a][n];
        }
        radius[n] = uniform(random, 0.1, 0.3);
    }
}

/* The event of a row of detection, which may have the pair the other way round; -1: there is none. */
static int event_of(const carom_step_report *report, const carom_contacts_f64 *rows, uint64_t n) {
    for (uint64_t m = 0; m < report->event_count; m++) {
        const carom_event *e = &report->event[m];
        bool same = e->i == rows->i[n] && e->k == rows->k[n];
        for (int a = 0; a < 3; a++) {
            same = same && e->shift[a] == (rows->shift[a] != NULL ? rows->shift[a][n] : 0);
        }
        if (same) {
            return (int)m;
        }
    }
    return -1;
}

static double end[3][SWARMS];
static double kept[3][SWARMS];

/* A step from where bodies are. */
static carom_step_report step_with(carom_context *context, const carom_step_config *config) {
    memcpy(end, x, sizeof end);
    memcpy(kept, v, sizeof kept);
    carom_motion_f64 motion = {.count = count, .radius = radius};
    for (int a = 0; a < 3; a++) {
        motion.position[a] = end[a];
        motion.velocity[a] = kept[a];
    }
    carom_error error = {.message = ""};
    carom_step_report report = {0};
    note_check(carom_step_f64(context, &motion, config, &report, &error) == CAROM_OK, "%s", error.message);
    return report;
}

static bool same_event(const carom_event *a, const carom_event *b) {
    return a->t == b->t && a->i == b->i && a->k == b->k && memcmp(a->shift, b->shift, sizeof a->shift) == 0 &&
           memcmp(a->point, b->point, sizeof a->point) == 0 && memcmp(a->normal, b->normal, sizeof a->normal) == 0;
}

/* Each number of threads reports the same bits, and counts as many if nobody wants to see the events. */
static void check_threads(const carom_step_config *config, const carom_event *wanted, uint64_t wanted_count) {
    carom_step_config counts = *config;
    counts.events = false;
    for (uint32_t c = 0; c < CONTEXTS; c++) {
        const carom_step_report report = step_with(contexts[c], config);
        note_check(report.event_count == wanted_count, "%u threads: %g events, not %g", threads[c],
                   (double)report.event_count, (double)wanted_count);
        for (uint64_t n = 0; n < wanted_count; n++) {
            note_check(same_event(&report.event[n], &wanted[n]), "%u threads: event %g differs", threads[c], (double)n);
        }
        note_check(step_with(contexts[c], &counts).impacts == wanted_count, "%u threads count differently", threads[c]);
    }
}

/* `periodic`: NULL: open space. `close`: how much times may differ. */
static void compare(carom_context *context, const carom_periodic *periodic, double close) {
    carom_step_config config = carom_step_config_default();
    config.periodic = periodic;
    config.response = CAROM_RESPONSE_REPORT;
    config.events = true;
    carom_bodies_f64 bodies = {.count = count, .radius = radius};
    for (int a = 0; a < 3; a++) {
        bodies.prev[a] = x[a];
        bodies.curr[a] = to[a];
    }
    carom_error error = {.message = ""};
    carom_step_report report = step_with(context, &config);
    carom_event *of_step = malloc((report.event_count + 1) * sizeof *of_step);
    assert_non_null(of_step);
    memcpy(of_step, report.event, report.event_count * sizeof *of_step);
    report.event = of_step;

    carom_detect_config detect = carom_detect_config_default();
    carom_detection_f64 found = {0};
    detect.periodic = periodic;
    note_check(carom_detect_f64(context, &bodies, &detect, NULL, &found, &error) == CAROM_OK, "%s", error.message);
    note_check(found.pair_count == report.event_count, "%g pairs touch, %g are reported", (double)found.pair_count,
               (double)report.event_count);
    for (uint64_t n = 0; n < found.pair_count; n++) {
        const int m = event_of(&report, &found.contacts, n);
        note_check(m >= 0, "bodies %u and %u are not reported", found.contacts.i[n], found.contacts.k[n]);
        note_check(fabs(of_step[m].t - found.contacts.t_toi[n]) <= close,
                   "bodies %u and %u touch at %a, reported at %a", found.contacts.i[n], found.contacts.k[n],
                   found.contacts.t_toi[n], of_step[m].t);
    }
    check_threads(&config, of_step, report.event_count);
    events += report.event_count;
    windows += report.windows;
    free(of_step);
}

static void check_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const double edges = number % 3 == 0 ? 0.2 : uniform(&random, 0.5, 3.0);
    const double tilt = number % 4 == 3 ? uniform(&random, -0.5, 0.5) : 0.0;
    make_bodies(&random, edges, tilt);
    note_case(number, "up to %g edges a step, tilt %g, %u threads", edges, tilt, threads[number % CONTEXTS]);
    compare(contexts[number % CONTEXTS], &box, CLOSE);
}

/* Each on points of a lattice, so that nothing touches at first. Boxes around whole paths would nearly all meet. */
static void make_swarms(carom_random *random) {
    static const double along[3] = {100.0, 90.0, -80.0};
    count = SWARMS;
    for (uint32_t n = 0; n < SWARMS; n++) {
        const double side = n % 2 == 0 ? 1.0 : -1.0;
        const double at[3] = {n / 2 % 8, n / 16 % 8, n / 128};
        for (int a = 0; a < 3; a++) {
            x[a][n] = 12.0 * at[a] + uniform(random, -4.0, 4.0) - 0.5 * side * along[a];
            v[a][n] = side * along[a] + uniform(random, -0.1, 0.1);
            to[a][n] = x[a][n] + v[a][n];
        }
        radius[n] = uniform(random, 0.2, 1.5);
    }
}

/* From points of a small sphere, evenly along a spiral, a hundred times as far in the step. */
static void make_explosion(carom_random *random) {
    count = SWARMS;
    for (uint32_t n = 0; n < SWARMS; n++) {
        const double z = (2.0 * n + 1.0) / SWARMS - 1.0;
        const double turn = 2.399963229728653 * n;
        const double at[3] = {sqrt(1.0 - z * z) * cos(turn), sqrt(1.0 - z * z) * sin(turn), z};
        for (int a = 0; a < 3; a++) {
            x[a][n] = at[a];
            v[a][n] = 100.0 * at[a] + uniform(random, -4.0, 4.0);
            to[a][n] = x[a][n] + v[a][n];
        }
        radius[n] = uniform(random, 0.01, 0.03);
    }
}

static void check_swarms(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const uint32_t context = number / 2 % CONTEXTS;
    if (number % 2 == 0) {
        make_swarms(&random);
    } else {
        make_explosion(&random);
    }
    note_case(number, "%s, %u threads", number % 2 == 0 ? "two swarms" : "an explosion", threads[context]);
    const uint64_t before = windows;
    compare(contexts[context], NULL, CLOSE_SWARMS);
    note_check(windows - before > 2, "%g searches", (double)(windows - before));
}

static void test_reports(void **state) {
    (void)state;
    note_each_case(CASES, check_case);
    note_check(note_only_case() != UINT64_MAX || (events > 3 * note_cases(CASES) && windows > 2 * note_cases(CASES)),
               "%g events in %g windows: the test is empty", (double)events, (double)windows);
}

static void test_swarms(void **state) {
    (void)state;
    events = windows = 0;
    note_each_case(SWARM_CASES, check_swarms);
    note_check(note_only_case() != UINT64_MAX || events > 20 * SWARM_CASES, "%g events: the test is empty",
               (double)events);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reports), cmocka_unit_test(test_swarms)};
    note_start("test_reports");
    thread_contexts_open(contexts, threads, CONTEXTS, 1);
    const int failed = cmocka_run_group_tests_name("reports", tests, NULL, NULL);
    thread_contexts_close(contexts, CONTEXTS);
    return failed;
}
