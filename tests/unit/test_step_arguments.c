/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What carom_step refuses, and with what message; what happens when memory gives out at each allocation, or a flag is
 * raised. Guards that every mistake is named, and that after an error nothing of the caller's has changed. */
#include <math.h>
#include <string.h>

#include <carom/carom.h>

#include "tests/support/check.h"
#include "tests/support/fault_allocator.h"

enum { COUNT = 4 };

/* Everything that a call is given. */
typedef struct call {
    double position[3][COUNT];
    double velocity[3][COUNT];
    double radius[COUNT];
    double mass[COUNT];
    double restitution[COUNT];
    carom_motion_f64 motion;
    carom_step_config config;
    carom_surface surface[2];
    carom_filter filter;
    carom_periodic periodic;
    carom_cancel flag;
    uint64_t offset[COUNT + 1];
    uint32_t excluded[2];
} call;

static call c;
static carom_context *context;

/* Two bodies that collide head-on, two that rest. */
static void make_call(void) {
    memset(&c, 0, sizeof c);
    for (int n = 0; n < COUNT; n++) {
        c.position[0][n] = 3.0 * n;
        c.radius[n] = 0.5;
        c.mass[n] = 1.0 + n;
        c.restitution[n] = 1.0;
    }
    c.velocity[0][0] = 4.0;
    for (int a = 0; a < 3; a++) {
        c.motion.position[a] = c.position[a];
        c.motion.velocity[a] = c.velocity[a];
    }
    c.motion.count = COUNT;
    c.motion.radius = c.radius;
    c.motion.mass = c.mass;
    c.motion.restitution = c.restitution;
    c.config = carom_step_config_default();
    c.config.events = true;
    c.filter = carom_filter_default();
    c.periodic = carom_periodic_default();
    for (int n = 0; n < 2; n++) {
        c.surface[n] = (carom_surface){
            .kind = CAROM_SURFACE_BOX, .restitution = 1.0, .at = {-100.0, 0.0, 0.0}, .extent = {1.0, 1.0, 1.0}};
    }
}

static void give_surfaces(void) {
    c.config.surface = c.surface;
    c.config.surface_count = 2;
}

static void give_box(void) {
    c.config.periodic = &c.periodic;
    c.periodic.along[1] = true;
    c.periodic.edge[1][1] = 8.0;
}

static void give_lists(void) {
    c.config.filter = &c.filter;
    c.filter.exclusion_offset = c.offset;
    c.filter.excluded = c.excluded;
    c.offset[4] = 1;
}

static void no_position(void) {
    c.motion.position[1] = NULL;
}
static void no_velocity(void) {
    c.motion.velocity[2] = NULL;
}
static void no_radius(void) {
    c.motion.radius = NULL;
}
static void two_radii(void) {
    c.motion.common_radius = 1.0;
}
static void odd_stride(void) {
    c.motion.mass_stride = 9;
}
static void wide_stride(void) {
    c.motion.position_stride = UINT64_MAX / 8 * 8;
}
static void wrong_size(void) {
    c.motion.size = 8;
}
static void config_size(void) {
    c.config.size = 0;
}
static void too_many(void) {
    c.motion.count = CAROM_STEP_BODIES_MAX + 1;
}
static void no_dt(void) {
    c.config.dt = 0.0;
}
static void endless_dt(void) {
    c.config.dt = INFINITY;
}
static void bad_acceleration(void) {
    c.config.acceleration[2] = NAN;
}
static void bad_default(void) {
    c.config.restitution = 1.5;
}
static void bad_rest_speed(void) {
    c.config.rest_speed = -1.0;
}
static void bad_contact_time(void) {
    c.config.contact_time = INFINITY;
}
static void no_budget(void) {
    c.config.budget = 0;
}
static void great_budget(void) {
    c.config.budget = 65536;
}
static void no_response(void) {
    c.config.response = (carom_response)3;
}
static void merge(void) {
    c.config.response = CAROM_RESPONSE_MERGE;
}
static void reserved(void) {
    c.config.reserved[6] = 2;
}
static void no_surfaces(void) {
    c.config.surface_count = 1;
}
static void too_many_surfaces(void) {
    give_surfaces();
    c.config.surface_count = CAROM_STEP_SURFACES_MAX + 1;
}
static void surface_kind(void) {
    give_surfaces();
    c.surface[1].kind = (carom_surface_kind)4;
}
static void surface_reserved(void) {
    give_surfaces();
    c.surface[1].reserved = 1;
}
static void surface_at(void) {
    give_surfaces();
    c.surface[0].at[2] = NAN;
}
static void surface_extent(void) {
    give_surfaces();
    c.surface[1].extent[2] = -1.0;
}
static void surface_restitution(void) {
    give_surfaces();
    c.surface[1].restitution = NAN;
}
static void surface_normal(void) {
    give_surfaces();
    c.surface[1].kind = CAROM_SURFACE_PLANE;
}
static void no_edge(void) {
    c.config.periodic = &c.periodic;
}
static void self_images(void) {
    give_box();
    c.periodic.self_images = true;
}
static void least_box(void) {
    give_box();
    for (int e = 0; e < 3; e++) {
        c.periodic.edge[e][e] = 1e-40;
    }
}
static void box_reserved(void) {
    give_box();
    c.periodic.reserved[3] = 1;
}
static void box_size(void) {
    give_box();
    c.periodic.size = 1;
}
static void filter_size(void) {
    c.config.filter = &c.filter;
    c.filter.size = 3;
}
static void parts(void) {
    static const uint8_t part[COUNT] = {0};
    c.config.filter = &c.filter;
    c.filter.part = part;
}
static void no_offsets(void) {
    give_lists();
    c.filter.exclusion_offset = NULL;
}
static void no_excluded(void) {
    give_lists();
    c.filter.excluded = NULL;
}
static void falling_offsets(void) {
    give_lists();
    c.offset[2] = 3;
}
static void stranger(void) {
    give_lists();
    c.excluded[0] = COUNT;
}
static void bad_position(void) {
    c.position[1][2] = NAN;
    c.velocity[0][3] = NAN;
}
static void bad_velocity(void) {
    c.velocity[2][1] = INFINITY;
    c.radius[1] = -1.0;
}
static void bad_radius(void) {
    c.radius[3] = -0.5;
    c.mass[3] = 0.0;
}
static void bad_mass(void) {
    c.mass[0] = 0.0;
    c.restitution[0] = 2.0;
}
static void bad_restitution(void) {
    c.restitution[2] = -0.25;
}
static void beyond(void) {
    c.velocity[1][3] = 1e60;
}
static void at_its_image(void) {
    give_box();
    c.radius[2] = 4.0;
}
static void outside(void) {
    give_box();
    c.position[1][1] = -1e11;
}
static void too_far(void) {
    give_box();
    c.velocity[1][3] = 8.0 * 15.5;
}

typedef struct refusal {
    void (*spoil)(void);
    carom_status status;
    const char *message; /* a part of it */
    uint64_t body;
    const char *field;
} refusal;

#define ARGUMENT(spoil, message)                                                                                       \
    { spoil, CAROM_ERROR_ARGUMENT, message, UINT64_MAX, "" }
#define BODY(spoil, body, field, message)                                                                              \
    { spoil, CAROM_ERROR_BODY, message, body, field }

static const refusal refusals[] = {
    ARGUMENT(no_position, "motion.position[1] is NULL"),
    ARGUMENT(no_velocity, "motion.velocity[2] is NULL"),
    ARGUMENT(no_radius, "motion.radius is NULL, and motion.common_radius is 0"),
    ARGUMENT(two_radii, "both given"),
    ARGUMENT(odd_stride, "motion.mass_stride is 9 bytes: it must be a multiple of 8"),
    ARGUMENT(wide_stride, "motion.position_stride"),
    ARGUMENT(wrong_size, "carom_motion_f64.size is 8"),
    ARGUMENT(config_size, "carom_step_config.size is 0"),
    ARGUMENT(too_many, "motion.count is 2147483648; at most 2147483647"),
    ARGUMENT(no_dt, "config.dt is 0"),
    ARGUMENT(endless_dt, "config.dt is inf"),
    ARGUMENT(bad_acceleration, "config.acceleration[2] is"),
    ARGUMENT(bad_default, "config.restitution is 1.5"),
    ARGUMENT(bad_rest_speed, "config.rest_speed is -1"),
    ARGUMENT(bad_contact_time, "config.contact_time is inf"),
    ARGUMENT(no_budget, "config.budget is 0"),
    ARGUMENT(great_budget, "config.budget is 65536"),
    ARGUMENT(no_response, "config.response is 3"),
    ARGUMENT(merge, "MERGE"),
    ARGUMENT(reserved, "config.reserved[6] is 2"),
    ARGUMENT(no_surfaces, "config.surface is NULL"),
    ARGUMENT(too_many_surfaces, "config.surface_count is 2147483647"),
    ARGUMENT(surface_kind, "config.surface[1]: no such kind"),
    ARGUMENT(surface_reserved, "config.surface[1]: reserved"),
    ARGUMENT(surface_at, "config.surface[0]: `at`"),
    ARGUMENT(surface_extent, "config.surface[1]: an extent"),
    ARGUMENT(surface_restitution, "config.surface[1]: restitution"),
    ARGUMENT(surface_normal, "config.surface[1]: its normal"),
    ARGUMENT(no_edge, "along is false"),
    ARGUMENT(self_images, "self_images"),
    ARGUMENT(least_box, "space repeats after 1e-40"),
    ARGUMENT(box_reserved, "periodic.reserved[3] is 1"),
    ARGUMENT(box_size, "carom_periodic.size is 1"),
    ARGUMENT(filter_size, "carom_filter.size is 3"),
    ARGUMENT(parts, "filter.part"),
    ARGUMENT(no_offsets, "filter.excluded without filter.exclusion_offset"),
    ARGUMENT(no_excluded, "filter.excluded is NULL"),
    BODY(falling_offsets, 2, "exclusion_offset", "body 2: exclusion_offset is 3, and then 0"),
    BODY(stranger, 3, "excluded", "body 3: excluded names body 4 of 4"),
    BODY(bad_position, 2, "position_y", "body 2: position_y is"),
    BODY(bad_velocity, 1, "velocity_z", "body 1: velocity_z is inf: it must be finite"),
    BODY(bad_radius, 3, "radius", "body 3: radius is -0.5: it must be finite and >= 0"),
    BODY(bad_mass, 0, "mass", "body 0: mass is 0: it must be > 0"),
    BODY(bad_restitution, 2, "restitution", "body 2: restitution is -0.25: it must be 0 to 1"),
    BODY(beyond, 3, NULL, ""),
    BODY(at_its_image, 2, "radius", "body 2: radius is 4, but the body's own image is at 8"),
    BODY(outside, 1, "position_y",
         "body 1: position_y is -1e+11; to move the body into the periodic box takes more than 1e+09 of its edges"),
    BODY(too_far, 3, "velocity", "body 3: it moves 15.5 edges of the periodic box in the step, more than 15"),
};

static void check_refused(const refusal *r) {
    make_call();
    r->spoil();
    const call before = c;
    carom_step_report report = {0};
    report.impacts = 7;
    carom_error error = {.field = "", .message = ""};
    const carom_status status = carom_step_f64(context, &c.motion, &c.config, &report, &error);
    if (status != r->status || error.body != r->body || (r->field != NULL && strcmp(error.field, r->field) != 0) ||
        strstr(error.message, r->message) == NULL) {
        fail_msg("%s of body %g, %s: \"%s\", not \"%s\"", carom_status_name(status), (double)error.body, error.field,
                 error.message, r->message);
    }
    assert_memory_equal(&before, &c, sizeof c);
    static const carom_step_report nothing;
    assert_memory_equal(&report, &nothing, sizeof report);
}

static void test_refusals(void **state) {
    (void)state;
    for (size_t n = 0; n < sizeof refusals / sizeof *refusals; n++) {
        check_refused(&refusals[n]);
    }
    carom_error error;
    make_call();
    assert_int_equal(carom_step_f64(NULL, &c.motion, NULL, NULL, &error), CAROM_ERROR_ARGUMENT);
    assert_string_equal(error.message, "context is NULL");
    assert_int_equal(carom_step_f64(context, NULL, NULL, NULL, &error), CAROM_ERROR_ARGUMENT);
    assert_string_equal(error.message, "motion is NULL");
    carom_step_report report = {.size = 5};
    assert_int_equal(carom_step_f64(context, &c.motion, NULL, &report, &error), CAROM_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "carom_step_report.size is 5"));
}

/* Floats end where doubles do not. */
static void test_beyond_floats(void **state) {
    (void)state;
    float x[3] = {3e38f, 0.0f, 0.0f};
    float v[3] = {0.0f, 3e38f, 0.0f};
    carom_motion_f32 motion = {.count = 1, .common_radius = 1.0f};
    for (int a = 0; a < 3; a++) {
        motion.position[a] = &x[a];
        motion.velocity[a] = &v[a];
    }
    carom_step_config config = carom_step_config_default();
    config.acceleration[1] = 3e38;
    carom_error error;
    assert_int_equal(carom_step_f32(context, &motion, &config, NULL, &error), CAROM_ERROR_BODY);
    assert_true(error.body == 0 && x[0] == 3e38f && v[1] == 3e38f);
    config.dt = 1e-3;
    config.acceleration[1] = 3e41;
    assert_int_equal(carom_step_f32(context, &motion, &config, NULL, &error), CAROM_ERROR_BODY);
    assert_string_equal(error.field, "velocity_y");
    assert_non_null(strstr(error.message, "at the end of the step"));
    motion.reserved = 1;
    assert_int_equal(carom_step_f32(context, &motion, &config, NULL, &error), CAROM_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "motion.reserved is 1"));
}

/* Far out in the direction in which a box is open, along which an edge goes, floats lie edges apart, and boxes around
 * bodies would meet images without number. That is refused at once. */
static void test_far_out_of_open_box(void **state) {
    (void)state;
    for (double far = 1e8; far < 1e30; far *= 100.0) {
        double x[3][2] = {{0.0, 3.0}, {far, far}, {-far, -far}};
        double v[3][2] = {{1.0, -1.0}};
        carom_motion_f64 motion = {.count = 2, .common_radius = 1.0};
        for (int a = 0; a < 3; a++) {
            motion.position[a] = x[a];
            motion.velocity[a] = v[a];
        }
        carom_periodic box = carom_periodic_default();
        box.along[0] = box.along[2] = true;
        box.edge[0][0] = 200.0;
        box.edge[2][1] = box.edge[2][2] = 20.0;
        carom_step_config config = carom_step_config_default();
        config.periodic = &box;
        carom_step_report report = {0};
        carom_error error;
        const carom_status status = carom_step_f64(context, &motion, &config, &report, &error);
        if (far < 1e9) {
            assert_int_equal(status, CAROM_OK);
            assert_true(report.impacts == 1);
        } else {
            assert_int_equal(status, CAROM_ERROR_BODY);
            assert_string_equal(error.field, "position");
            assert_true(x[0][1] == 3.0 && x[1][0] == far);
        }
    }
}

/* Each of a row of bodies that touch hits one of a thousandth of its mass, which goes on nearly twice as fast: a step
 * may begin with usual numbers alone, and come to where floats end. */
static void test_beyond_floats_after_impacts(void **state) {
    (void)state;
    enum { ROW = 80 };
    static const double begins[2] = {1e3, 1e17};
    for (int which = 0; which < 2; which++) {
        double x[3][ROW] = {{0.0}};
        double v[3][ROW] = {{begins[which]}};
        double mass[ROW];
        carom_motion_f64 motion = {.count = ROW, .common_radius = 1.0, .mass = mass};
        for (int n = 0; n < ROW; n++) {
            x[0][n] = 2.0 * n;
            mass[n] = pow(1e-3, n);
        }
        for (int a = 0; a < 3; a++) {
            motion.position[a] = x[a];
            motion.velocity[a] = v[a];
        }
        carom_error error;
        const carom_status status = carom_step_f64(context, &motion, NULL, NULL, &error);
        if (which == 0) {
            assert_int_equal(status, CAROM_OK);
            assert_true(v[0][ROW - 1] > 1e26 && x[0][ROW - 1] > 1e26);
        } else {
            assert_int_equal(status, CAROM_ERROR_BODY);
            assert_non_null(strstr(error.message, "leaves the range of floats in this step"));
            assert_true(x[0][ROW - 1] == 2.0 * (ROW - 1) && v[0][0] == begins[which]);
        }
    }
}

/* The same of a quarter of the mass, in so short a step that only the last velocity is no float. */
static void test_too_fast_after_impacts(void **state) {
    (void)state;
    enum { ROW = 130 };
    float x[3][ROW] = {{0.0F}};
    float v[3][ROW] = {{9e17F}};
    float mass[ROW];
    carom_motion_f32 motion = {.count = ROW, .common_radius = 1.0F, .mass = mass};
    carom_step_config config = carom_step_config_default();
    carom_error error;
    config.dt = 1e-10;
    for (int n = 0; n < ROW; n++) {
        x[0][n] = 2.0F * (float)n;
        mass[n] = ldexpf(1e38F, -2 * n);
    }
    for (int a = 0; a < 3; a++) {
        motion.position[a] = x[a];
        motion.velocity[a] = v[a];
    }
    assert_int_equal(carom_step_f32(context, &motion, &config, NULL, &error), CAROM_ERROR_BODY);
    assert_string_equal(error.field, "velocity_x");
    assert_non_null(strstr(error.message, "at the end of the step velocity_x is "));
    assert_true(v[0][0] == 9e17F && v[0][ROW - 1] == 0.0F);
}

/* What a caller left in members that a surface's kind does not name is not kept, so that nothing depends on it. */
static void test_unused_members(void **state) {
    (void)state;
    carom_surface plane = {.kind = CAROM_SURFACE_PLANE, .restitution = 1.0};
    carom_step_config config = carom_step_config_default();
    carom_world_f64 *world;
    memset(plane.axis, 0xFF, sizeof plane.axis);
    memset(plane.extent, 0xFF, sizeof plane.extent);
    plane.axis[0][0] = plane.axis[0][1] = 0.0;
    plane.axis[0][2] = 2.0;
    config.surface = &plane;
    config.surface_count = 1;
    assert_int_equal(carom_world_create_f64(context, &config, &world, NULL), CAROM_OK);
    const carom_surface *kept = carom_world_config_f64(world)->surface;
    for (int a = 0; a < 3; a++) {
        assert_true(kept->extent[a] == 0.0 && kept->axis[1][a] == 0.0 && kept->axis[2][a] == 0.0);
    }
    assert_true(kept->axis[0][2] == 2.0);
    carom_world_destroy_f64(world);
}

/* No bodies, one body, no config, no report. */
static void test_little(void **state) {
    (void)state;
    carom_motion_f64 motion = {.count = 0};
    carom_step_report report = {0};
    assert_int_equal(carom_step_f64(context, &motion, NULL, &report, NULL), CAROM_OK);
    assert_true(report.impacts == 0 && report.windows == 0 && report.event == NULL && report.held_body == NULL);
    make_call();
    c.motion.count = 1;
    assert_int_equal(carom_step_f64(context, &c.motion, NULL, NULL, NULL), CAROM_OK);
    assert_true(c.position[0][0] == 4.0 && c.velocity[0][0] == 4.0);
}

/* A context of its own for each allocation that fails. */
static void test_memory_gives_out(void **state) {
    (void)state;
    bool refused = true;
    for (uint64_t n = 1; refused; n++) {
        fault_allocator faults;
        fault_allocator_init(&faults);
        carom_context *own;
        carom_context_config config = carom_context_config_default();
        config.threads = 1;
        config.allocator = fault_allocator_get(&faults);
        assert_int_equal(carom_context_create(&config, &own, NULL), CAROM_OK);
        make_call();
        give_surfaces();
        c.config.budget = 1; /* some are held */
        const call before = c;
        carom_error error = {.message = ""};
        const uint64_t first = faults.requests;
        fault_allocator_fail(&faults, n, true);
        carom_step_report report = {0};
        const carom_status status = carom_step_f64(own, &c.motion, &c.config, &report, &error);
        refused = faults.requests >= first + n;
        assert_int_equal(status, refused ? CAROM_ERROR_MEMORY : CAROM_OK);
        if (refused) {
            assert_memory_equal(&before, &c, sizeof c);
            assert_non_null(strstr(error.message, "memory"));
        }
        fault_allocator_fail(&faults, 0, false);
        c = before;
        assert_int_equal(carom_step_f64(own, &c.motion, &c.config, &report, &error), CAROM_OK);
        assert_true(report.impacts == 1 && report.held == 2 && report.held_body[1] == 1 && report.event_count == 1);
        carom_context_destroy(own);
        assert_true(faults.live_blocks == 0 && faults.damages == 0);
    }
}

static void test_cancel(void **state) {
    (void)state;
    make_call();
    c.config.cancel = &c.flag;
    carom_cancel_raise(&c.flag);
    const call before = c;
    carom_error error;
    carom_step_report report = {0};
    assert_int_equal(carom_step_f64(context, &c.motion, &c.config, &report, &error), CAROM_ERROR_CANCELLED);
    assert_memory_equal(&before, &c, sizeof c);
    carom_cancel_clear(&c.flag);
    assert_int_equal(carom_step_f64(context, &c.motion, &c.config, &report, &error), CAROM_OK);
    assert_true(report.impacts == 1);
}

static bool step_again(void *user, const carom_event *events, uint64_t count) {
    (void)events;
    (void)count;
    carom_error error;
    assert_int_equal(carom_step_f64(context, &c.motion, NULL, NULL, &error), CAROM_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "in use"));
    ++*(int *)user;
    return true;
}

/* A sink that calls the context it is called from is told so. */
static void test_sink_within(void **state) {
    (void)state;
    int calls = 0;
    make_call();
    c.config.events = false;
    c.config.sink = step_again;
    c.config.sink_user = &calls;
    assert_int_equal(carom_step_f64(context, &c.motion, &c.config, NULL, NULL), CAROM_OK);
    assert_int_equal(calls, 1);
}

static void test_phase_names(void **state) {
    (void)state;
    assert_string_equal(carom_step_phase_name(CAROM_STEP_PHASE_BEGIN), "begin");
    assert_string_equal(carom_step_phase_name(CAROM_STEP_PHASE_END), "end");
    assert_non_null(carom_step_phase_name((carom_step_phase)99));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_beyond_floats),
                                       cmocka_unit_test(test_far_out_of_open_box),
                                       cmocka_unit_test(test_beyond_floats_after_impacts),
                                       cmocka_unit_test(test_too_fast_after_impacts),
                                       cmocka_unit_test(test_unused_members),
                                       cmocka_unit_test(test_little),
                                       cmocka_unit_test(test_cancel),
                                       cmocka_unit_test(test_memory_gives_out),
                                       cmocka_unit_test(test_sink_within),
                                       cmocka_unit_test(test_phase_names)};
    carom_context_config config = carom_context_config_default();
    config.threads = 2;
    config.bodies_per_thread = 1;
    if (carom_context_create(&config, &context, NULL) != CAROM_OK) {
        return 1;
    }
    const int failed = cmocka_run_group_tests_name("arguments of steps", tests, NULL, NULL);
    carom_context_destroy(context);
    return failed;
}
