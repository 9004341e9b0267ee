/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The half of the program that steps bodies of its own and worlds. */
#include "tests/abi/guest.h"

#include <inttypes.h>
#include <math.h>

enum { BODIES = 300, EDGE = 12, STEPS = 3, SNAPSHOT = 1 << 16 };

typedef struct stepper {
    carom_context *context;
    carom_step_config *config;
    carom_filter *filter;
    carom_periodic *box;
    carom_surface *floor;
    carom_motion_f32 *motion_f32;
    carom_motion_f64 *motion_f64;
    carom_world_bodies_f32 *bodies_f32;
    carom_world_bodies_f64 *bodies_f64;
    carom_step_report *report;
    carom_world_contacts *contacts;
    carom_world_totals *totals;
    float floats[8][BODIES];
    double doubles[8][BODIES];
    carom_handle handle[BODIES];
    unsigned char snapshot[SNAPSHOT];
} stepper;

/* Positions in the box, velocities, radii and masses. */
static void place(stepper *s) {
    uint64_t state = 5;
    for (int f = 0; f < 8; f++) {
        for (int n = 0; n < BODIES; n++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            const double u = (double)(state >> 40) * 0x1p-24;
            s->doubles[f][n] = f < 3 ? EDGE * u : f < 6 ? 2.0 * u - 1.0 : f == 6 ? 0.25 + u / 4.0 : 1.0 + u;
            s->floats[f][n] = (float)s->doubles[f][n];
        }
    }
    s->doubles[7][0] = s->floats[7][0] = INFINITY;
}

static void make(stepper *s, bool sized) {
    FROM(s->config, carom_step_config_default());
    FROM(s->filter, carom_filter_default());
    FROM(s->box, carom_periodic_default());
    FRESH(s->floor);
    FRESH(s->motion_f32)->size = sized ? sizeof *s->motion_f32 : 0;
    FRESH(s->motion_f64)->size = sized ? sizeof *s->motion_f64 : 0;
    FRESH(s->bodies_f32)->size = sized ? sizeof *s->bodies_f32 : 0;
    FRESH(s->bodies_f64)->size = sized ? sizeof *s->bodies_f64 : 0;
    FRESH(s->report)->size = sized ? sizeof *s->report : 0;
    FRESH(s->contacts)->size = sized ? sizeof *s->contacts : 0;
    FRESH(s->totals)->size = sized ? sizeof *s->totals : 0;
}

static void fill(stepper *s) {
    *s->floor = (carom_surface){.kind = CAROM_SURFACE_PLANE, .restitution = 0.5, .axis = {{0.0, 0.0, 1.0}}};
    s->motion_f32->count = s->motion_f64->count = s->bodies_f32->count = s->bodies_f64->count = BODIES;
    for (int a = 0; a < 3; a++) {
        s->box->along[a] = true;
        s->box->edge[a][a] = EDGE;
        s->motion_f32->position[a] = s->bodies_f32->position[a] = s->floats[a];
        s->motion_f32->velocity[a] = s->bodies_f32->velocity[a] = s->floats[a + 3];
        s->motion_f64->position[a] = s->bodies_f64->position[a] = s->doubles[a];
        s->motion_f64->velocity[a] = s->bodies_f64->velocity[a] = s->doubles[a + 3];
    }
    s->motion_f32->radius = s->bodies_f32->radius = s->floats[6];
    s->motion_f64->radius = s->bodies_f64->radius = s->doubles[6];
    s->motion_f32->mass = s->bodies_f32->mass = s->floats[7];
    s->motion_f64->mass = s->bodies_f64->mass = s->doubles[7];
}

static stepper *start(carom_context *context, bool sized) {
    stepper *s = exact(sizeof *s);
    s->context = context;
    place(s);
    make(s, sized);
    fill(s);
    return s;
}

static void end(stepper *s) {
    void *all[] = {s->config,     s->filter,     s->box,      s->floor,  s->motion_f32, s->motion_f64,
                   s->bodies_f32, s->bodies_f64, s->contacts, s->report, s->totals,     s};
    for (size_t n = 0; n < sizeof all / sizeof all[0]; n++) {
        free(all[n]);
    }
}

static void print(const char *what, carom_status status, const carom_step_report *report) {
    printf("%s: %s, %" PRIu64 " impacts, %" PRIu64 " on surfaces, %" PRIu64 " held, %" PRIu64 " merged, %" PRIu64
           " events\n",
           what, carom_status_name(status), report->impacts, report->surface_impacts, report->held, report->merged,
           report->event_count);
}

static void print_totals(const char *what, const carom_world_totals *totals) {
    printf("%s: %" PRIu64 " bodies, %" PRIu64 " fixed, energy %.9g, %016" PRIx64 "\n", what, totals->bodies,
           totals->fixed, totals->energy, totals->hash);
}

/* The caller's arrays: above a floor, then in a box. */
static void step_arrays(stepper *s) {
    s->config->surface = s->floor;
    s->config->surface_count = 1;
    s->config->acceleration[2] = -1.0;
    s->config->dt = 0.25;
    s->config->filter = s->filter;
    carom_status status = carom_step_f32(s->context, s->motion_f32, s->config, s->report, NULL);
    print("floor", status, s->report);
    printf("body 7 at %.9g\n", (double)s->floats[2][7]);
    s->config->surface_count = 0;
    s->config->periodic = s->box;
    s->config->events = true;
    s->config->budget = 2;
    status = carom_step_f64(s->context, s->motion_f64, s->config, s->report, NULL);
    print("box", status, s->report);
    printf("first at %.9g by %" PRIu64 " and %" PRIu64 ", %s\n", s->report->event[0].t, s->report->event[0].i,
           s->report->event[0].k, carom_step_phase_name(CAROM_STEP_PHASE_END));
}

/* A world, a snapshot of it, and the world that is made of that. */
static void step_world_f32(stepper *s) {
    carom_world_f32 *world = NULL;
    carom_world_f32 *twin = NULL;
    uint64_t size = 0;
    carom_status status = carom_world_create_f32(s->context, s->config, &world, NULL);
    status = status == CAROM_OK ? carom_world_add_f32(world, s->bodies_f32, s->handle, NULL) : status;
    for (int n = 0; n < STEPS && status == CAROM_OK; n++) {
        status = carom_world_step_f32(world, s->report, s->contacts, NULL);
        print("world", status, s->report);
        printf("%" PRIu64 " begun, %" PRIu64 " persisted, %" PRIu64 " ended\n", s->contacts->begun,
               s->contacts->persisted, s->contacts->ended);
    }
    status = status == CAROM_OK ? carom_world_save_f32(world, s->snapshot, SNAPSHOT, &size, NULL) : status;
    status = status == CAROM_OK ? carom_world_load_f32(s->context, s->snapshot, size, &twin, NULL) : status;
    if (status == CAROM_OK) {
        status = carom_world_total_f32(twin, s->totals, NULL);
        print_totals("loaded", s->totals);
        printf("%s, %" PRIu64 " bytes, budget %u\n", carom_status_name(status), size,
               carom_world_config_f32(twin)->budget);
    }
    carom_world_destroy_f32(twin);
    carom_world_destroy_f32(world);
}

/* A world whose bodies merge, are read, set and removed. */
static void step_world_f64(stepper *s) {
    carom_world_f64 *world = NULL;
    s->config->response = CAROM_RESPONSE_MERGE;
    carom_status status = carom_world_create_f64(s->context, NULL, &world, NULL);
    status = status == CAROM_OK ? carom_world_configure_f64(world, s->config, NULL) : status;
    status = status == CAROM_OK ? carom_world_add_f64(world, s->bodies_f64, NULL, NULL) : status;
    status = status == CAROM_OK ? carom_world_step_f64(world, s->report, NULL, NULL) : status;
    print("merging", status, s->report);
    if (status == CAROM_OK) {
        s->bodies_f64->count = carom_world_count_f64(world);
        status = carom_world_get_f64(world, NULL, s->bodies_f64, NULL);
        s->doubles[6][0] = 0.125;
        s->bodies_f64->count = 1;
        status = status == CAROM_OK ? carom_world_set_f64(world, carom_world_handles_f64(world), s->bodies_f64, NULL)
                                    : status;
        status =
            status == CAROM_OK ? carom_world_remove_f64(world, &carom_world_handles_f64(world)[1], 1, NULL) : status;
        status = status == CAROM_OK ? carom_world_total_f64(world, s->totals, NULL) : status;
        printf("%s\n", carom_status_name(status));
        print_totals("left", s->totals);
    }
    carom_world_destroy_f64(world);
}

void guest_step(carom_context *context, bool sized) {
    stepper *s = start(context, sized);
    step_arrays(s);
    step_world_f32(s);
    step_world_f64(s);
    end(s);
}

#ifdef LATER
static int expect_unknown(stepper *s, size_t n, carom_world_f32 *floats, carom_world_f64 *doubles) {
#define STEP_F32 carom_step_f32(s->context, s->motion_f32, s->config, s->report, &error)
#define STEP_F64 carom_step_f64(s->context, s->motion_f64, s->config, s->report, &error)
#define CONFIGURE carom_world_configure_f32(floats, s->config, &error)
    s->config->filter = s->filter;
    s->config->periodic = s->box;
    EXPECT_UNKNOWN(s->motion_f32, "carom_motion_f32", STEP_F32);
    EXPECT_UNKNOWN(s->motion_f64, "carom_motion_f64", STEP_F64);
    EXPECT_UNKNOWN(s->config, "carom_step_config", STEP_F32);
    EXPECT_UNKNOWN(s->config, "carom_step_config", CONFIGURE);
    EXPECT_UNKNOWN(s->filter, "carom_filter", STEP_F64);
    EXPECT_UNKNOWN(s->box, "carom_periodic", CONFIGURE);
    EXPECT_UNKNOWN(s->bodies_f32, "carom_world_bodies_f32", carom_world_add_f32(floats, s->bodies_f32, NULL, &error));
    EXPECT_UNKNOWN(s->bodies_f64, "carom_world_bodies_f64", carom_world_add_f64(doubles, s->bodies_f64, NULL, &error));
    return EXIT_SUCCESS;
}

int guest_step_expect_unknown(carom_context *context, size_t n) {
    stepper *s = start(context, true);
    carom_world_f32 *floats = NULL;
    carom_world_f64 *doubles = NULL;
    int failed = EXIT_FAILURE;
    if (carom_world_create_f32(context, NULL, &floats, NULL) == CAROM_OK &&
        carom_world_create_f64(context, NULL, &doubles, NULL) == CAROM_OK) {
        failed = expect_unknown(s, n, floats, doubles);
    }
    carom_world_destroy_f32(floats);
    carom_world_destroy_f64(doubles);
    end(s);
    return failed;
}
#endif
