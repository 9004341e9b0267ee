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

int main(void) {
    carom_context *context = NULL;
    carom_context_config config = carom_context_config_default();
    config.threads = 2;
    place();
    const bool good = carom_context_create(&config, &context, &error) == CAROM_OK && detect(context) && step(context) &&
                      cancel(context);
    carom_context_destroy(context);
    printf("%s %s\n", carom_version(), good ? "good" : error.message);
    return good ? 0 : 1;
}
