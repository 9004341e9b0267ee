/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Worlds by hand: what calls refuse, what handles name, merging, contact times across steps, memory that gives out.
 * Guards that a call that fails leaves the world as it was. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

#include "kernel/sys/clock.h"
#include "kernel/world/cube_root.h"
#include "tests/support/check.h"
#include "tests/support/fault_allocator.h"

enum { MOST = 8, SNAPSHOT_MOST = 4096 };

/* Bodies to add. */
typedef struct crowd {
    double x[3][MOST];
    double v[3][MOST];
    double radius[MOST];
    double mass[MOST];
    double restitution[MOST];
    uint32_t category[MOST];
    uint32_t mask[MOST];
    uint64_t user[MOST];
    carom_world_bodies_f64 bodies;
} crowd;

static carom_context *context;
static crowd c;
static carom_handle handle[MOST];

static carom_world_bodies_f64 *view(uint64_t count) {
    c.bodies = (carom_world_bodies_f64){.count = count, .radius = c.radius, .mass = c.mass};
    for (int a = 0; a < 3; a++) {
        c.bodies.position[a] = c.x[a];
        c.bodies.velocity[a] = c.v[a];
    }
    c.bodies.restitution = c.restitution;
    c.bodies.category = c.category;
    c.bodies.mask = c.mask;
    c.bodies.user = c.user;
    return &c.bodies;
}

/* A row of bodies at rest, two units apart. */
static void make_row(void) {
    memset(&c, 0, sizeof c);
    for (int n = 0; n < MOST; n++) {
        c.x[0][n] = 2.0 * n;
        c.radius[n] = 0.5;
        c.mass[n] = 1.0;
        c.restitution[n] = 1.0;
        c.category[n] = 1;
        c.mask[n] = UINT32_MAX;
        c.user[n] = 100 + (uint64_t)n;
    }
}

static carom_world_f64 *make_world(const carom_step_config *config, uint64_t count) {
    carom_world_f64 *world = NULL;
    carom_error error = {.message = ""};
    if (carom_world_create_f64(context, config, &world, &error) != CAROM_OK ||
        carom_world_add_f64(world, view(count), handle, &error) != CAROM_OK) {
        fail_msg("%s", error.message);
    }
    return world;
}

static uint64_t hash_of(const carom_world_f64 *world) {
    carom_world_totals totals = {0};
    assert_int_equal(carom_world_total_f64(world, &totals, NULL), CAROM_OK);
    return totals.hash;
}

static void expect(carom_status status, carom_status wanted, const carom_error *error, const char *message) {
    if (status != wanted || strstr(error->message, message) == NULL) {
        fail_msg("%s: \"%s\", not \"%s\"", carom_status_name(status), error->message, message);
    }
}

static void test_refusals(void **state) {
    (void)state;
    carom_error e = {.message = ""};
    make_row();
    carom_world_f64 *world = make_world(NULL, 4);
    const uint64_t before = hash_of(world);
    const carom_status argument = CAROM_ERROR_ARGUMENT;
    carom_world_bodies_f64 *b = view(2);
    b->radius = NULL;
    expect(carom_world_add_f64(world, b, NULL, &e), argument, &e, "bodies.radius is NULL");
    b = view(2);
    b->position[2] = NULL;
    expect(carom_world_add_f64(world, b, NULL, &e), argument, &e, "bodies.position[2] is NULL");
    expect(carom_world_add_f64(world, NULL, NULL, &e), argument, &e, "bodies is NULL");
    expect(carom_world_add_f64(NULL, b, NULL, &e), argument, &e, "world is NULL");
    b = view(CAROM_STEP_BODIES_MAX - 3);
    expect(carom_world_add_f64(world, b, NULL, &e), argument, &e, "at most 2147483647");
    b = view(CAROM_STEP_BODIES_MAX + 1);
    expect(carom_world_add_f64(world, b, NULL, &e), argument, &e, "bodies.count");
    c.mass[1] = -1.0;
    expect(carom_world_add_f64(world, view(2), NULL, &e), CAROM_ERROR_BODY, &e, "body 1: mass is -1");
    expect(carom_world_set_f64(world, handle, view(2), &e), CAROM_ERROR_BODY, &e, "body 1: mass is -1");
    c.mass[1] = 2.0;
    expect(carom_world_get_f64(world, NULL, view(3), &e), argument, &e, "bodies.count is 3 of 4");
    carom_handle wrong[3] = {handle[0], handle[1], handle[0]};
    expect(carom_world_set_f64(world, wrong, view(3), &e), CAROM_ERROR_BODY, &e, "comes twice");
    expect(carom_world_remove_f64(world, wrong, 3, &e), CAROM_ERROR_BODY, &e, "comes twice");
    assert_true(e.body == 2);
    assert_int_equal(carom_world_get_f64(world, wrong, view(3), &e), CAROM_OK);
    make_row();
    wrong[1] = handle[3] + (UINT64_C(1) << 32);
    expect(carom_world_remove_f64(world, wrong, 3, &e), CAROM_ERROR_BODY, &e, "names no body");
    expect(carom_world_remove_f64(world, NULL, 1, &e), argument, &e, "handle is NULL");
    expect(carom_world_total_f64(world, NULL, &e), argument, &e, "totals is NULL");
    expect(carom_world_step_f64(NULL, NULL, NULL, &e), argument, &e, "world is NULL");
    expect(carom_world_create_f64(context, NULL, NULL, &e), argument, &e, "world is NULL");
    assert_true(hash_of(world) == before && carom_world_count_f64(world) == 4);
    assert_int_equal(carom_world_remove_f64(world, &handle[3], 1, &e), CAROM_OK);
    assert_true(carom_world_count_f64(world) == 3);
    carom_world_destroy_f64(world);
    carom_world_destroy_f64(NULL);
}

static void test_configure(void **state) {
    (void)state;
    carom_error e = {.message = ""};
    make_row();
    carom_world_f64 *world = make_world(NULL, 2);
    carom_step_config config = carom_step_config_default();
    carom_surface floor = {.kind = CAROM_SURFACE_PLANE, .restitution = 1.0, .axis = {{0, 0, 1}}, .at = {0, 0, -9}};
    carom_filter filter = carom_filter_default();
    config.response = CAROM_RESPONSE_MERGE;
    config.surface = &floor;
    config.surface_count = 1;
    expect(carom_world_configure_f64(world, &config, &e), CAROM_ERROR_ARGUMENT, &e, "does not go with surfaces");
    config.response = CAROM_RESPONSE_BOUNCE;
    config.filter = &filter;
    filter.category = c.category;
    expect(carom_world_configure_f64(world, &config, &e), CAROM_ERROR_ARGUMENT, &e, "`accepts` alone");
    filter.category = NULL;
    config.acceleration[2] = -1.0;
    assert_int_equal(carom_world_configure_f64(world, &config, &e), CAROM_OK);
    floor.axis[0][2] = 0.0; /* the world has its own copy */
    assert_int_equal(carom_world_configure_f64(world, carom_world_config_f64(world), &e),
                     CAROM_OK); /* and takes that */
    assert_int_equal(carom_world_config_f64(world)->surface_count, 1);
    assert_int_equal(carom_world_step_f64(world, NULL, NULL, &e), CAROM_OK);
    assert_int_equal(carom_world_get_f64(world, NULL, view(2), &e), CAROM_OK);
    assert_true(c.v[2][0] == -1.0 && c.x[2][1] == -1.0);
    carom_world_destroy_f64(world);
}

/* A new body has what its arrays do not say from the header, and its restitution from the world. */
static void test_defaults(void **state) {
    (void)state;
    carom_step_config config = carom_step_config_default();
    config.restitution = 0.25;
    make_row();
    carom_world_f64 *world = make_world(&config, 0);
    carom_world_bodies_f64 b = {.count = 2, .radius = c.radius};
    memcpy(b.position, view(2)->position, sizeof b.position);
    assert_int_equal(carom_world_add_f64(world, &b, NULL, NULL), CAROM_OK);
    memset(c.mass, 0, sizeof c.mass);
    assert_int_equal(carom_world_get_f64(world, NULL, view(2), NULL), CAROM_OK);
    assert_true(c.v[1][1] == 0.0 && c.mass[1] == 1.0 && c.restitution[1] == 0.25 && c.category[1] == 1 &&
                c.mask[1] == UINT32_MAX && c.user[1] == 0);
    config.restitution = 0.75;
    assert_int_equal(carom_world_configure_f64(world, &config, NULL), CAROM_OK);
    assert_int_equal(carom_world_get_f64(world, NULL, view(2), NULL), CAROM_OK);
    assert_true(c.restitution[0] == 0.75);
    carom_world_destroy_f64(world);
}

static void test_totals(void **state) {
    (void)state;
    make_row();
    c.mass[0] = INFINITY;
    c.v[0][0] = 5.0;
    c.mass[1] = 3.0;
    c.v[1][1] = 2.0;
    c.v[0][2] = -1.0;
    carom_world_f64 *world = make_world(NULL, 3);
    carom_world_totals t = {0};
    assert_int_equal(carom_world_total_f64(world, &t, NULL), CAROM_OK);
    assert_true(t.bodies == 3 && t.fixed == 1 && t.mass == 4.0 && t.energy == 6.5);
    assert_true(t.momentum[0] == -1.0 && t.momentum[1] == 6.0 && t.momentum[2] == 0.0 && t.centre[0] == 2.5);
    const uint64_t before = t.hash;
    c.radius[2] = nextafter(0.5, 1.0);
    assert_int_equal(carom_world_set_f64(world, NULL, view(3), NULL), CAROM_OK);
    assert_true(hash_of(world) != before);
    carom_world_destroy_f64(world);
}

/* Two bodies that touch on the way become one, a third one stays as it is. */
static void test_merge(void **state) {
    (void)state;
    carom_step_config config = carom_step_config_default();
    config.response = CAROM_RESPONSE_MERGE;
    config.events = true;
    make_row();
    c.v[0][0] = 1.5;
    c.mass[0] = 3.0;
    c.restitution[1] = 0.5;
    c.category[1] = 6;
    c.mask[0] = 7;
    c.mask[1] = 9;
    carom_world_f64 *world = make_world(&config, 3);
    carom_step_report report = {0};
    carom_world_contacts contacts = {0};
    assert_int_equal(carom_world_step_f64(world, &report, &contacts, NULL), CAROM_OK);
    assert_true(report.merged == 1 && report.impacts == 1 && report.event_count == 1);
    assert_true(report.event[0].i == handle[0] && report.event[0].k == handle[1] && report.event[0].impulse == 0.0);
    assert_true(report.event[0].normal[0] == -1.0 && fabs(report.event[0].t - 2.0 / 3.0) < 1e-12);
    assert_true(contacts.begun == 1 && contacts.begun_k[0] == handle[1]);
    assert_true(carom_world_count_f64(world) == 2 && carom_world_handles_f64(world)[0] == handle[0]);
    assert_int_equal(carom_world_get_f64(world, NULL, view(2), NULL), CAROM_OK);
    assert_true(c.mass[0] == 4.0 && c.v[0][0] == 1.125 && c.x[0][0] == 0.25 * 2.0 + 0.75 * 1.5);
    assert_true(c.radius[0] == 0.5 * carom_cube_root(2.0) && c.restitution[0] == 0.5 && c.category[0] == 7 &&
                c.mask[0] == 1 && c.user[0] == 100 && c.user[1] == 102);
    assert_int_equal(carom_world_step_f64(world, NULL, &contacts, NULL), CAROM_OK);
    assert_true(contacts.ended == 1 && contacts.ended_k[0] == handle[1]);
    carom_world_destroy_f64(world);
}

/* A body of infinite mass swallows others and goes its way. */
static void test_merge_fixed(void **state) {
    (void)state;
    carom_step_config config = carom_step_config_default();
    config.response = CAROM_RESPONSE_MERGE;
    make_row();
    c.mass[1] = INFINITY;
    c.v[1][1] = 0.25;
    c.v[0][0] = 1.5;
    c.v[0][2] = -1.5;
    carom_world_f64 *world = make_world(&config, 3);
    carom_step_report report = {0};
    assert_int_equal(carom_world_step_f64(world, &report, NULL, NULL), CAROM_OK);
    assert_true(report.merged == 2 && report.event == NULL);
    assert_int_equal(carom_world_get_f64(world, handle, view(1), NULL), CAROM_OK);
    assert_true(isinf(c.mass[0]) && c.x[0][0] == 2.0 && c.x[1][0] == 0.25 && c.v[1][0] == 0.25 && c.v[0][0] == 0.0);
    carom_world_destroy_f64(world);
}

/* Across the face of a periodic box the centre of mass lies between the bodies where they touch. */
static void test_merge_periodic(void **state) {
    (void)state;
    carom_periodic box = carom_periodic_default();
    box.along[0] = true;
    box.edge[0][0] = 10.0;
    carom_step_config config = carom_step_config_default();
    config.response = CAROM_RESPONSE_MERGE;
    config.periodic = &box;
    make_row();
    c.x[0][0] = 0.25;
    c.x[0][1] = 9.5;
    carom_world_f64 *world = make_world(&config, 2);
    carom_step_report report = {0};
    assert_int_equal(carom_world_step_f64(world, &report, NULL, NULL), CAROM_OK);
    assert_true(report.merged == 1);
    assert_int_equal(carom_world_get_f64(world, NULL, view(1), NULL), CAROM_OK);
    assert_true(c.x[0][0] == 9.875);
    carom_world_destroy_f64(world);
}

/* Who would meet its own image does not come to be: the bodies are still there, and a larger box lets them merge. */
static void test_merge_too_wide(void **state) {
    (void)state;
    carom_periodic box = carom_periodic_default();
    box.along[0] = true;
    box.edge[0][0] = 1.25;
    carom_step_config config = carom_step_config_default();
    config.response = CAROM_RESPONSE_MERGE;
    config.periodic = &box;
    make_row();
    c.x[0][0] = 0.25;
    c.x[0][1] = 1.0;
    carom_world_f64 *world = make_world(&config, 2);
    carom_error error;
    for (int tries = 0; tries < 2; tries++) {
        assert_int_equal(carom_world_step_f64(world, NULL, NULL, &error), CAROM_ERROR_BODY);
        assert_true(error.body == 0 && strcmp(error.field, "radius") == 0);
        assert_non_null(strstr(error.message, "its own image is at 1.25"));
        assert_int_equal(carom_world_count_f64(world), 2);
    }
    box.edge[0][0] = 1.5;
    assert_int_equal(carom_world_configure_f64(world, &config, NULL), CAROM_OK);
    assert_int_equal(carom_world_step_f64(world, NULL, NULL, NULL), CAROM_OK);
    assert_int_equal(carom_world_count_f64(world), 1);
    carom_world_destroy_f64(world);
}

/* Across a face offsets add up, whatever the order in which bodies join: here 0 and 3, then 1 and 2 on both sides of
 * the face, then the two pairs by 2 and 3. So 1 is an edge further than 0, and 2 an edge back from 1. */
static void test_merge_chain(void **state) {
    (void)state;
    static const double place[4] = {8.5, 0.25, 9.5, 9.0};
    carom_periodic box = carom_periodic_default();
    box.along[0] = true;
    box.edge[0][0] = 10.0;
    carom_step_config config = carom_step_config_default();
    config.response = CAROM_RESPONSE_MERGE;
    config.periodic = &box;
    make_row();
    for (int n = 0; n < 4; n++) {
        c.x[0][n] = place[n];
        c.radius[n] = 0.4;
    }
    carom_world_f64 *world = make_world(&config, 4);
    carom_step_report report = {0};
    assert_int_equal(carom_world_step_f64(world, &report, NULL, NULL), CAROM_OK);
    assert_true(report.merged == 3);
    assert_int_equal(carom_world_get_f64(world, NULL, view(1), NULL), CAROM_OK);
    assert_true(c.x[0][0] == 9.3125);
    carom_world_destroy_f64(world);
}

/* Opposite velocities near the greatest number differ by more than it; their mean is a number all the same, in the next
 * step and in a snapshot, too. */
static void test_merge_fast(void **state) {
    (void)state;
    const double most = 1.7e308;
    unsigned char bytes[SNAPSHOT_MOST];
    uint64_t size = 0;
    carom_step_config config = carom_step_config_default();
    config.response = CAROM_RESPONSE_MERGE;
    config.dt = 1e-300;
    for (int way = 0; way < 2; way++) {
        make_row();
        c.x[0][1] = 0.75;
        c.v[0][0] = most;
        c.v[0][1] = -most;
        c.v[1][0] = c.v[1][1] = 0.1;
        c.mass[0] = way == 0 ? 1.0 : 1.0 / 1023.0;
        carom_world_f64 *world = make_world(&config, 2);
        carom_world_f64 *loaded = NULL;
        assert_int_equal(carom_world_step_f64(world, NULL, NULL, NULL), CAROM_OK);
        assert_int_equal(carom_world_get_f64(world, NULL, view(1), NULL), CAROM_OK);
        assert_true(fabs(c.v[0][0] + (way == 0 ? 0.0 : most * (1022.0 / 1024.0))) <= 1e-15 * most);
        assert_true(c.v[1][0] == 0.1);
        assert_int_equal(carom_world_step_f64(world, NULL, NULL, NULL), CAROM_OK);
        assert_int_equal(carom_world_save_f64(world, bytes, sizeof bytes, &size, NULL), CAROM_OK);
        assert_int_equal(carom_world_load_f64(context, bytes, size, &loaded, NULL), CAROM_OK);
        carom_world_destroy_f64(loaded);
        carom_world_destroy_f64(world);
    }
}

/* Places that are as far apart. */
static void test_merge_far(void **state) {
    (void)state;
    carom_step_config config = carom_step_config_default();
    config.response = CAROM_RESPONSE_MERGE;
    make_row();
    c.x[0][0] = -1e308;
    c.x[0][1] = 1e308;
    c.radius[0] = c.radius[1] = 1.2e308;
    carom_world_f64 *world = make_world(&config, 2);
    carom_step_report report = {0};
    assert_int_equal(carom_world_step_f64(world, &report, NULL, NULL), CAROM_OK);
    assert_int_equal(carom_world_get_f64(world, NULL, view(1), NULL), CAROM_OK);
    assert_true(report.merged == 1 && c.x[0][0] == 0.0);
    carom_world_destroy_f64(world);
}

/* Takes its time. */
static bool slow_sink(void *user, const carom_event *events, uint64_t count) {
    const double begin = carom_clock_seconds();
    assert_true(events != NULL && count > 0);
    while (carom_clock_seconds() < begin + *(const double *)user) {
    }
    return true;
}

static void check_times(const carom_step_report *report, double least) {
    double sum = 0.0;
    for (int p = 0; p < CAROM_STEP_PHASE_COUNT; p++) {
        assert_true(report->phase_seconds[p] >= 0.0);
        sum += report->phase_seconds[p];
    }
    assert_true(report->phase_seconds[CAROM_STEP_PHASE_NEIGHBOURS] > 0.0);
    assert_true(report->seconds >= least && report->seconds >= sum * (1.0 - 1e-6));
}

/* A step that merges is one window for each search for who touches, which is one for neighbours. Times are those of the whole
 * call, the caller's sink with it. */
static void test_reports(void **state) {
    (void)state;
    double pause = 0.002;
    carom_step_config config = carom_step_config_default();
    config.sink = slow_sink;
    config.sink_user = &pause;
    for (int merges = 0; merges < 2; merges++) {
        carom_world_contacts contacts = {0};
        carom_step_report report = {0};
        config.response = merges == 1 ? CAROM_RESPONSE_MERGE : CAROM_RESPONSE_BOUNCE;
        make_row();
        c.v[0][0] = 3.0;
        carom_world_f64 *world = make_world(&config, 2);
        assert_int_equal(carom_world_step_f64(world, &report, &contacts, NULL), CAROM_OK);
        assert_true(report.impacts == 1 && report.windows >= 1 && (merges == 0 || report.windows == 1));
        check_times(&report, pause);
        assert_int_equal(carom_world_remove_f64(world, handle, 2 - (uint64_t)merges, NULL), CAROM_OK);
        assert_int_equal(carom_world_step_f64(world, &report, NULL, NULL), CAROM_OK);
        assert_true(report.windows == 0);
        carom_world_destroy_f64(world);
    }
    make_row();
    c.v[0][0] = 3.0;
    config.response = CAROM_RESPONSE_BOUNCE;
    carom_step_report report = {0};
    carom_motion_f64 motion = {.count = 2, .common_radius = 0.5};
    for (int a = 0; a < 3; a++) {
        motion.position[a] = c.x[a];
        motion.velocity[a] = c.v[a];
    }
    assert_int_equal(carom_step_f64(context, &motion, &config, &report, NULL), CAROM_OK);
    check_times(&report, pause);
}

/* A mass that doubles do not hold would fix the body. */
static void test_merge_overflow(void **state) {
    (void)state;
    carom_step_config config = carom_step_config_default();
    config.response = CAROM_RESPONSE_MERGE;
    make_row();
    c.mass[1] = c.mass[2] = 1e308;
    c.x[0][2] = 2.5;
    carom_world_f64 *world = make_world(&config, 3);
    const uint64_t before = hash_of(world);
    carom_error e = {.message = ""};
    expect(carom_world_step_f64(world, NULL, NULL, &e), CAROM_ERROR_BODY, &e, "body 1: the mass");
    assert_true(hash_of(world) == before && carom_world_count_f64(world) == 3);
    carom_world_destroy_f64(world);
}

static double refuse_pair(void *user, uint64_t i, uint64_t k) {
    assert_true(i == 100 && k == 101); /* user words */
    ++*(int *)user;
    return -1.0;
}

static bool refuse_places(void *user, uint32_t i, uint32_t k) {
    assert_true(i == 0 && k == 1);
    ++*(int *)user;
    return false;
}

/* Masks, the caller's predicate and a negative restitution keep bodies from touching. */
static void test_pairs(void **state) {
    (void)state;
    carom_step_config config = carom_step_config_default();
    carom_filter filter = carom_filter_default();
    int asked = 0;
    config.response = CAROM_RESPONSE_MERGE;
    for (int way = 0; way < 3; way++) {
        make_row();
        c.x[0][1] = 0.75;
        c.mask[1] = way == 0 ? 2 : UINT32_MAX;
        filter.accepts = refuse_places;
        filter.user = &asked;
        config.filter = way == 1 ? &filter : NULL;
        config.pair = way == 2 ? refuse_pair : NULL;
        config.pair_user = &asked;
        carom_world_f64 *world = make_world(&config, 2);
        carom_step_report report = {0};
        assert_int_equal(carom_world_step_f64(world, &report, NULL, NULL), CAROM_OK);
        assert_true(report.merged == 0 && report.impacts == 0);
        carom_world_destroy_f64(world);
    }
    assert_true(asked >= 2);
}

/* A ball that hit a wall two steps before, 4 ago, bounces off the other one without loss, if that is less than the
 * contact time ago. */
static void test_contact_time(void **state) {
    (void)state;
    carom_surface walls[2] = {{.kind = CAROM_SURFACE_PLANE, .restitution = 1.0, .axis = {{1, 0, 0}}},
                              {.kind = CAROM_SURFACE_PLANE, .restitution = 1.0, .axis = {{-1, 0, 0}}, .at = {3, 0, 0}}};
    static const double contact_times[] = {0.0, 5.0, 3.0};
    for (int tc = 0; tc < 3; tc++) {
        carom_step_config config = carom_step_config_default();
        config.surface = walls;
        config.surface_count = 2;
        config.dt = 2.0;
        config.contact_time = contact_times[tc];
        make_row();
        c.x[0][0] = 1.5;
        c.v[0][0] = -1.0;
        c.restitution[0] = 0.5;
        carom_world_f64 *world = make_world(&config, 1);
        for (int step = 0; step < 4; step++) {
            assert_int_equal(carom_world_step_f64(world, NULL, NULL, NULL), CAROM_OK);
        }
        assert_int_equal(carom_world_get_f64(world, NULL, view(1), NULL), CAROM_OK);
        assert_true(c.v[0][0] == (tc == 1 ? -0.5 : -0.25));
        carom_world_destroy_f64(world);
    }
}

/* An index that many bodies had in turn gives each another handle. */
static void test_generations(void **state) {
    (void)state;
    make_row();
    carom_world_f64 *world = make_world(NULL, 1);
    carom_handle last = 0;
    for (int n = 0; n < 1000; n++) {
        carom_handle h = 0;
        assert_int_equal(carom_world_add_f64(world, view(1), &h, NULL), CAROM_OK);
        assert_true(h > last && h != handle[0]);
        assert_int_equal(carom_world_remove_f64(world, &h, 1, NULL), CAROM_OK);
        assert_int_equal(carom_world_get_f64(world, &h, view(1), NULL), CAROM_ERROR_BODY);
        last = h;
    }
    carom_world_destroy_f64(world);
}

/* All that a world does, once, in a context of its own. */
static carom_status do_all(carom_context *own, carom_world_f64 **world, carom_error *error) {
    unsigned char bytes[SNAPSHOT_MOST];
    uint64_t size = 0;
    carom_step_config config = carom_step_config_default();
    carom_surface floor = {.kind = CAROM_SURFACE_PLANE, .restitution = 1.0, .axis = {{0, 0, 1}}, .at = {0, 0, -9}};
    carom_world_contacts contacts = {0};
    carom_world_f64 *twin = NULL;
    config.events = true;
    config.surface = &floor;
    config.surface_count = 1;
    config.budget = 1;
    carom_status status = carom_world_create_f64(own, &config, world, error);
    status = status == CAROM_OK ? carom_world_add_f64(*world, view(4), handle, error) : status;
    status = status == CAROM_OK ? carom_world_step_f64(*world, NULL, &contacts, error) : status;
    config.response = CAROM_RESPONSE_MERGE;
    config.surface_count = 0;
    status = status == CAROM_OK ? carom_world_configure_f64(*world, &config, error) : status;
    status = status == CAROM_OK ? carom_world_step_f64(*world, NULL, &contacts, error) : status;
    status = status == CAROM_OK ? carom_world_save_f64(*world, bytes, sizeof bytes, &size, error) : status;
    status = status == CAROM_OK ? carom_world_load_f64(own, bytes, size, &twin, error) : status;
    carom_world_destroy_f64(twin);
    return status;
}

static void test_memory_gives_out(void **state) {
    (void)state;
    bool refused = true;
    uint64_t requests = 0;
    for (uint64_t n = 1; refused; n++) {
        fault_allocator faults;
        fault_allocator_init(&faults);
        carom_context *own = NULL;
        carom_context_config config = carom_context_config_default();
        config.threads = 1;
        config.allocator = fault_allocator_get(&faults);
        assert_int_equal(carom_context_create(&config, &own, NULL), CAROM_OK);
        make_row();
        c.v[0][0] = 3.0;
        carom_error error = {.message = ""};
        carom_world_f64 *world = NULL;
        const uint64_t first = faults.requests;
        fault_allocator_fail(&faults, n, true);
        const carom_status status = do_all(own, &world, &error);
        refused = faults.requests >= first + n;
        assert_int_equal(status, refused ? CAROM_ERROR_MEMORY : CAROM_OK);
        assert_true(!refused || strstr(error.message, "memory") != NULL);
        fault_allocator_fail(&faults, 0, false);
        if (world != NULL) { /* a world that had no memory goes on */
            assert_int_equal(carom_world_step_f64(world, NULL, NULL, &error), CAROM_OK);
        }
        carom_world_destroy_f64(world);
        carom_context_destroy(own);
        assert_true(faults.live_blocks == 0 && faults.damages == 0);
        requests = n;
    }
    assert_true(requests > 20);
}

/* A world tells the rules that it was given, with copies of its own; a snapshot keeps them. */
static void test_config_is_told(void **state) {
    const carom_surface floor = {.kind = CAROM_SURFACE_PLANE, .restitution = 0.5, .axis = {{0, 0, 2}}};
    carom_step_config config = carom_step_config_default();
    unsigned char bytes[SNAPSHOT_MOST];
    uint64_t size = 0;
    carom_world_f64 *loaded = NULL;
    (void)state;
    make_row();
    config.dt = 0.25;
    config.surface = &floor;
    config.surface_count = 1;
    carom_world_f64 *world = make_world(&config, 2);
    const carom_step_config *told = carom_world_config_f64(world);
    assert_true(told->dt == 0.25 && told->budget == config.budget && told->periodic == NULL);
    assert_true(told->surface_count == 1 && told->surface != &floor && told->surface[0].axis[0][2] == 2.0);
    assert_int_equal(carom_world_save_f64(world, bytes, sizeof bytes, &size, NULL), CAROM_OK);
    assert_int_equal(carom_world_load_f64(context, bytes, size, &loaded, NULL), CAROM_OK);
    told = carom_world_config_f64(loaded);
    assert_true(told->dt == 0.25 && told->surface_count == 1 && told->surface[0].restitution == 0.5);
    config.dt = 0.5;
    assert_int_equal(carom_world_configure_f64(world, &config, NULL), CAROM_OK);
    assert_true(carom_world_config_f64(world)->dt == 0.5);
    carom_world_destroy_f64(loaded);
    carom_world_destroy_f64(world);
}

static void test_cube_root(void **state) {
    (void)state;
    assert_true(carom_cube_root(0.0) == 0.0 && carom_cube_root(1.0) == 1.0);
    for (double x = 1.0; x < 4e9; x *= 1.37) {
        const double root = carom_cube_root(x);
        assert_true(fabs(root * root * root / x - 1.0) < 1e-14);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_refusals),       cmocka_unit_test(test_configure),
                                       cmocka_unit_test(test_defaults),       cmocka_unit_test(test_totals),
                                       cmocka_unit_test(test_merge),          cmocka_unit_test(test_merge_fixed),
                                       cmocka_unit_test(test_merge_too_wide), cmocka_unit_test(test_merge_periodic),
                                       cmocka_unit_test(test_merge_chain),    cmocka_unit_test(test_merge_fast),
                                       cmocka_unit_test(test_merge_far),      cmocka_unit_test(test_merge_overflow),
                                       cmocka_unit_test(test_reports),        cmocka_unit_test(test_pairs),
                                       cmocka_unit_test(test_contact_time),   cmocka_unit_test(test_generations),
                                       cmocka_unit_test(test_cube_root),      cmocka_unit_test(test_memory_gives_out),
                                       cmocka_unit_test(test_config_is_told)};
    carom_context_config config = carom_context_config_default();
    config.threads = 1;
    if (carom_context_create(&config, &context, NULL) != CAROM_OK) {
        return 1;
    }
    const int failed = cmocka_run_group_tests_name("worlds by hand", tests, NULL, NULL);
    carom_context_destroy(context);
    return failed;
}
