/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/support/any_coherent.h"

#include "tests/support/check.h"

any_coherent any_coherent_start(carom_context *context, any_precision precision) {
    any_coherent coherent = {NULL, NULL};
    carom_coherent_config config = carom_coherent_config_default();
    config.events = true; /* every step is compared with the one before */
    const carom_status status = precision == ANY_F32 ? carom_coherent_create_f32(context, &config, &coherent.f32, NULL)
                                                     : carom_coherent_create_f64(context, &config, &coherent.f64, NULL);
    assert_int_equal(status, CAROM_OK);
    return coherent;
}

void any_coherent_stop(any_coherent *coherent) {
    carom_coherent_destroy_f32(coherent->f32);
    carom_coherent_destroy_f64(coherent->f64);
    *coherent = (any_coherent){NULL, NULL};
}

static void step_f32(any_coherent *coherent, const any_bodies *bodies, const carom_detect_config *config,
                     carom_coherent_report *report, any_result *r) {
    carom_detection_f32 d = {0};
    r->status = carom_coherent_detect_f32(coherent->f32, &bodies->f32, config, NULL, &d, report, &r->error);
    if (r->status == CAROM_OK) {
        any_result_take_f32(r, &d);
    }
}

static void step_f64(any_coherent *coherent, const any_bodies *bodies, const carom_detect_config *config,
                     carom_coherent_report *report, any_result *r) {
    carom_detection_f64 d = {0};
    r->status = carom_coherent_detect_f64(coherent->f64, &bodies->f64, config, NULL, &d, report, &r->error);
    if (r->status == CAROM_OK) {
        any_result_take_f64(r, &d);
    }
}

any_result any_coherent_step(any_coherent *coherent, const any_bodies *bodies, const carom_detect_config *config,
                             carom_coherent_report *report) {
    any_result result = {.bodies = bodies->f32.count};
    if (bodies->precision == ANY_F32) {
        step_f32(coherent, bodies, config, report, &result);
    } else {
        step_f64(coherent, bodies, config, report, &result);
    }
    return result;
}
