/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Calls that look at two large compounds, of which all pairs of children matter. Guards that such a call looks at its
 * control within that pair, and ends there: reports are counted, not time. */
#include <pthread.h>
#include <string.h>

#include "carom/detect.h"
#include "kernel/narrow/batch_tmpl.h"
#include "kernel/narrow/compound.h"
#include "kernel/narrow/impacts_tmpl.h"
#include "kernel/shape/table.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

#define DETECTION CAROM_REAL(carom_detection)
#define DETECT CAROM_REAL(carom_detect)
#define POSE CAROM_REAL(carom_pose)
#define SWEEP CAROM_REAL(carom_sweep)
#define DISTANCE CAROM_REAL(carom_distance_pair)
#define TOI CAROM_REAL(carom_toi_pair)

enum { CHILDREN = 300, PAIRS = CHILDREN * CHILDREN, COMPOUND = 1, CANCEL_AT = 20 };

/* Of a call that nobody ends, within the pair alone. */
enum { REPORTS_LEAST = PAIRS / CAROM_WATCH_REPORTS };

static carom_shapes *shapes;
static carom_context *context;

/* A progress function that ends the call, by the flag if there is one. */
typedef struct listener {
    uint64_t reports;
    uint64_t cancel_at; /* from 1; 0: never */
    carom_cancel *flag;
} listener;

static int listen(void *user, const carom_progress *progress) {
    listener *l = user;
    (void)progress;
    if (++l->reports == l->cancel_at && l->flag != NULL) {
        carom_cancel_raise(l->flag);
    }
    return l->reports >= l->cancel_at && l->cancel_at > 0 && l->flag == NULL;
}

/* All children are in the same place: no pair is nearer than another. */
static int make_table(void **state) {
    static carom_shape_child child[CHILDREN];
    const carom_shape shape[] = {{.kind = CAROM_SHAPE_SPHERE, .radius = 0.5},
                                 {.kind = CAROM_SHAPE_COMPOUND, .child = child, .child_count = CHILDREN}};
    carom_context_config config = carom_context_config_default();
    (void)state;
    config.threads = 1;
    for (uint32_t n = 0; n < CHILDREN; n++) {
        child[n] = (carom_shape_child){.at = {0.1, 0.2, 0.3}, .turn = {0.0, 0.0, 0.0, 1.0}};
    }
    return carom_shapes_create(shape, 2, NULL, &shapes, NULL) != CAROM_OK ||
           carom_context_create(&config, &context, NULL) != CAROM_OK;
}

static int release_table(void **state) {
    (void)state;
    carom_shapes_destroy(shapes);
    carom_context_destroy(context);
    return 0;
}

/* Two bodies that overlap, or that come to. */
typedef struct scene {
    carom_real prev[3][2];
    carom_real curr[3][2];
    uint32_t shape[2];
    uint32_t i;
    uint32_t k;
    carom_bodies bodies;
    carom_job_pairs pairs;
} scene;

static void set_scene(bool moves, scene *s) {
    *s = (scene){.shape = {COMPOUND, COMPOUND}, .k = 1};
    s->prev[0][1] = moves ? (carom_real)3 : (carom_real)0.3;
    s->bodies = (carom_bodies){.size = sizeof s->bodies, .count = 2, .shapes = shapes, .shape = s->shape};
    for (int d = 0; d < 3; d++) {
        s->bodies.prev[d] = s->prev[d];
        s->bodies.curr[d] = moves ? s->curr[d] : NULL;
    }
    s->pairs = (carom_job_pairs){.bodies = &s->bodies, .i = &s->i, .k = &s->k, .count = 1};
}

typedef carom_status run(listener *l);

/* Lends the context a control that reports, as calls for pairs do not. */
static void lend(listener *l, carom_control *control) {
    carom_control_start(control, l->flag, listen, l);
    context->team.control = control;
}

static carom_status run_distance(listener *l) {
    const carom_gap_task task = {.detail = CAROM_GAP_DISTANCE, .tolerance = 0x1p-40};
    carom_control control;
    carom_gap_row gap;
    carom_batch_rows rows = {.gap = &gap};
    scene s;
    set_scene(false, &s);
    lend(l, &control);
    const carom_status status = carom_batch_gaps(context, &s.pairs, &task, &rows, NULL);
    context->team.control = NULL;
    return status;
}

static carom_status run_impact(listener *l) {
    const carom_toi_task task = {.tolerance = 1e-9, .iterations_max = 64};
    carom_control control;
    carom_toi_row impact;
    scene s;
    set_scene(true, &s);
    lend(l, &control);
    const carom_status status = carom_narrow_impacts(context, &s.pairs, &task, &impact, NULL);
    context->team.control = NULL;
    return status;
}

static carom_status detect(bool moves, listener *l) {
    carom_detect_config config = carom_detect_config_default();
    DETECTION found = {.size = sizeof found};
    scene s;
    set_scene(moves, &s);
    config.progress = listen;
    config.progress_user = l;
    config.cancel = l->flag;
    const carom_status status = DETECT(context, &s.bodies, &config, NULL, &found, NULL);
    note_check(status != CAROM_OK || found.pair_count == 1, "the bodies do not touch");
    return status;
}

static carom_status run_resting(listener *l) {
    return detect(false, l);
}

static carom_status run_moving(listener *l) {
    return detect(true, l);
}

static void check_run(run *call, const char *name) {
    carom_cancel flag = {0};
    listener heard = {0};
    listener ends = {.cancel_at = CANCEL_AT};
    listener raises = {.cancel_at = CANCEL_AT, .flag = &flag};
    note_case(0, "%s", name);
    note_check(call(&heard) == CAROM_OK, "the call fails");
    note_check(heard.reports >= REPORTS_LEAST, "%d reports", (int)heard.reports);
    note_check(call(&ends) == CAROM_ERROR_CANCELLED, "the function does not end the call");
    note_check(ends.reports == CANCEL_AT, "%d reports, the call should end at %d", (int)ends.reports, CANCEL_AT);
    note_check(call(&raises) == CAROM_ERROR_CANCELLED, "the flag does not end the call");
    note_check(raises.reports == CANCEL_AT, "%d reports, the flag was raised at %d", (int)raises.reports, CANCEL_AT);
}

static void calls_end_within_a_pair(void **state) {
    (void)state;
    check_run(run_distance, "distances");
    check_run(run_impact, "times of impact");
    check_run(run_resting, "a detection at rest");
    check_run(run_moving, "a detection in motion");
}

/* Calls for one pair have no context, and take a flag alone: one that is raised while they run. */
typedef struct raiser {
    pthread_barrier_t begun;
    carom_cancel flag;
} raiser;

static void *raise_flag(void *data) {
    raiser *r = data;
    (void)pthread_barrier_wait(&r->begun);
    carom_cancel_raise(&r->flag);
    return NULL;
}

/* The flag is raised at the start, or within the pair; both ways the call ends with the status. */
static void single_pairs_end(void **state) {
    const POSE i = {.shape = COMPOUND, .turn = {0.0, 0.0, 0.0, 1.0}};
    const POSE k = {.shape = COMPOUND, .at = {3.0, 0.0, 0.0}, .turn = {0.0, 0.0, 0.0, 1.0}};
    const SWEEP sweep = {.move = {-3.0, 0.0, 0.0}};
    carom_status status[2];
    (void)state;
    for (int n = 0; n < 2; n++) {
        pthread_t thread;
        raiser r = {.flag = {0}};
        carom_distance_config distance = carom_distance_config_default();
        carom_toi_config toi = carom_toi_config_default();
        carom_gap_row gap;
        carom_toi_row impact;
        distance.cancel = toi.cancel = &r.flag;
        assert_int_equal(pthread_barrier_init(&r.begun, NULL, 2), 0);
        assert_int_equal(pthread_create(&thread, NULL, raise_flag, &r), 0);
        (void)pthread_barrier_wait(&r.begun);
        do {
            status[n] = n == 0 ? DISTANCE(shapes, &i, &k, &distance, &gap, NULL, NULL)
                               : TOI(shapes, &i, NULL, &k, &sweep, &toi, &impact, NULL);
        } while (status[n] == CAROM_OK);
        (void)pthread_join(thread, NULL);
        (void)pthread_barrier_destroy(&r.begun);
        note_check(status[n] == CAROM_ERROR_CANCELLED, "status %s", carom_status_name(status[n]));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_end_within_a_pair),
        cmocka_unit_test(single_pairs_end),
    };
    note_start("test_watched_compounds");
    return cmocka_run_group_tests(tests, make_table, release_table);
}
