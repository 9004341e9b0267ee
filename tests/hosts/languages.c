/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A host in the words that C99 and C++ share. check_languages.py compiles it as each of them: guards the headers'
 * extern "C", and that they need no extension. */
#include <carom/carom.h>
#include <stdio.h>

#if CAROM_VERSION < 200
#error "CAROM_VERSION is no number for #if"
#endif

static bool count_rows(void *user, const carom_block_f64 *block) {
    unsigned *rows = (unsigned *)user;
    *rows += block->contacts.i[0] < block->contacts.k[0] ? block->count : 0;
    return true;
}

static int cancel_late(void *user, const carom_progress *progress) {
    unsigned *reports = (unsigned *)user;
    *reports += progress->size == sizeof *progress && carom_phase_name(progress->phase) != NULL;
    return progress->fraction > 0.5 ? 1 : 0;
}

static float float_x0[] = {0, 10, 50};
static float float_x1[] = {4, 4, 50};
static float float_zero[3];
static float float_radius[] = {1, 1, 1};
static double double_x0[] = {0, 10, 50};
static double double_x1[] = {4, 4, 50};
static double double_zero[3];
static double double_radius[] = {1, 1, 1};

/* What is static is zero. */
static carom_bodies_f32 floats;
static carom_bodies_f64 doubles;
static carom_detection_f32 found_f32;
static carom_detection_f64 found_f64;
static carom_detect_output_f64 output;
static carom_coherent_report report;
static carom_error error;

static void place(void) {
    floats.count = 3;
    doubles.count = 3;
    for (int a = 0; a < 3; a++) {
        floats.prev[a] = a == 0 ? float_x0 : float_zero;
        floats.curr[a] = a == 0 ? float_x1 : float_zero;
        doubles.prev[a] = a == 0 ? double_x0 : double_zero;
        doubles.curr[a] = a == 0 ? double_x1 : double_zero;
    }
    floats.radius = float_radius;
    doubles.radius = double_radius;
}

static bool detect(carom_context *context) {
    unsigned rows = 0;
    carom_filter filter = carom_filter_default();
    carom_periodic box = carom_periodic_default();
    carom_detect_config config = carom_detect_config_default();
    config.filter = &filter;
    if (carom_detect_f32(context, &floats, &config, NULL, &found_f32, &error) != CAROM_OK) {
        return false;
    }
    box.along[0] = true;
    box.edge[0][0] = 100;
    config.periodic = &box;
    output.sink = count_rows;
    output.sink_user = &rows;
    return carom_detect_f64(context, &doubles, &config, &output, &found_f64, &error) == CAROM_OK && rows == 1 &&
           found_f32.pair_count == 1 && found_f32.contacts.k[0] == 1 && found_f32.groups.label[1] == 0;
}

/* A raised flag, and a function that cancels. */
static bool cancel(carom_context *context) {
    unsigned reports = 0;
    carom_cancel flag = {0};
    carom_detect_config config = carom_detect_config_default();
    config.cancel = &flag;
    carom_cancel_raise(&flag);
    bool good = carom_detect_f32(context, &floats, &config, NULL, &found_f32, &error) == CAROM_ERROR_CANCELLED;
    carom_cancel_clear(&flag);
    good = good && carom_detect_f32(context, &floats, &config, NULL, &found_f32, &error) == CAROM_OK;
    config.progress = cancel_late;
    config.progress_user = &reports;
    return good && carom_detect_f32(context, &floats, &config, NULL, &found_f32, &error) == CAROM_ERROR_CANCELLED &&
           reports > 1 && found_f32.pair_count == 0;
}

static bool step(carom_context *context) {
    carom_coherent_f64 *coherent = NULL;
    carom_coherent_config config = carom_coherent_config_default();
    config.events = true;
    bool good = carom_coherent_create_f64(context, &config, &coherent, &error) == CAROM_OK &&
                carom_coherent_detect_f64(coherent, &doubles, NULL, NULL, &found_f64, &report, &error) == CAROM_OK &&
                report.begun == 1 && report.begun_k[0] == 1;
    carom_coherent_destroy_f64(coherent);
    return good;
}

static bool count_impacts(void *user, const carom_event *events, uint64_t count) {
    unsigned *impacts = (unsigned *)user;
    *impacts += events[0].surface == CAROM_EVENT_NO_SURFACE ? (unsigned)count : 0;
    return true;
}

static double half(void *user, uint64_t i, uint64_t k) {
    return user == NULL && i < k ? 0.5 : 1.0;
}

static carom_step_report step_report;
static carom_world_contacts contacts;
static carom_world_totals totals[2];

/* Bodies 0 and 1 meet above a floor that is far away. */
static bool move(carom_context *context) {
    unsigned impacts = 0;
    carom_surface floor = {CAROM_SURFACE_PLANE, 0, 1.0, {0, 0, -99}, {{0, 0, 1}, {0, 0, 0}, {0, 0, 0}}, {0, 0, 0}};
    static carom_motion_f32 motion;
    carom_step_config config = carom_step_config_default();
    float x[] = {0, 10, 50};
    float v[] = {9, 0, 0};
    static float rest[4][3];
    motion.size = sizeof motion;
    motion.count = 3;
    motion.radius = float_radius;
    for (int a = 0; a < 3; a++) {
        motion.position[a] = a == 0 ? x : rest[a - 1];
        motion.velocity[a] = a == 0 ? v : rest[a + 1];
    }
    config.surface = &floor;
    config.surface_count = 1;
    config.sink = count_impacts;
    config.sink_user = &impacts;
    config.pair = half;
    return carom_step_f32(context, &motion, &config, &step_report, &error) == CAROM_OK && impacts == 1 &&
           step_report.impacts == 1 && v[0] < 3 && v[1] > 6 && carom_step_phase_name(CAROM_STEP_PHASE_SIMULATE) != NULL;
}

/* A world and its twin from a snapshot. */
static bool live(carom_context *context) {
    static unsigned char snapshot[4096];
    double velocity[] = {9, 0, 0};
    uint64_t size = 0;
    carom_handle handle[3];
    static carom_world_bodies_f64 bodies;
    carom_world_f64 *world = NULL;
    carom_world_f64 *twin = NULL;
    bodies.size = sizeof bodies;
    bodies.count = 3;
    bodies.radius = double_radius;
    bodies.velocity[0] = velocity;
    bodies.velocity[1] = bodies.velocity[2] = double_zero;
    for (int a = 0; a < 3; a++) {
        bodies.position[a] = a == 0 ? double_x0 : double_zero;
    }
    bool good = carom_world_create_f64(context, NULL, &world, &error) == CAROM_OK &&
                carom_world_add_f64(world, &bodies, handle, &error) == CAROM_OK &&
                carom_world_step_f64(world, &step_report, &contacts, &error) == CAROM_OK && contacts.begun == 1 &&
                contacts.begun_k[0] == handle[1] && carom_world_handles_f64(world)[2] == handle[2] &&
                carom_world_config_f64(world)->budget == 10000;
    good = good && carom_world_remove_f64(world, &handle[2], 1, &error) == CAROM_OK &&
           carom_world_save_f64(world, snapshot, sizeof snapshot, &size, &error) == CAROM_OK &&
           carom_world_load_f64(context, snapshot, size, &twin, &error) == CAROM_OK &&
           carom_world_total_f64(world, &totals[0], &error) == CAROM_OK &&
           carom_world_total_f64(twin, &totals[1], &error) == CAROM_OK && totals[0].hash == totals[1].hash &&
           carom_world_count_f64(twin) == 2;
    carom_world_destroy_f64(twin);
    carom_world_destroy_f64(world);
    return good;
}

int main(void) {
    carom_context *context = NULL;
    carom_context_config config = carom_context_config_default();
    config.threads = 2;
    place();
    const bool good = carom_context_create(&config, &context, &error) == CAROM_OK && detect(context) && step(context) &&
                      cancel(context) && move(context) && live(context);
    carom_context_destroy(context);
    printf("%s %s\n", carom_version(), good ? "good" : error.message);
    return good ? 0 : 1;
}
