/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Says beforehand how much memory a detect call needs. In: a context and the call's numbers. Out: bytes. */
#include "kernel/api/settings.h"
#include "kernel/detect/need_tmpl.h"
#include "kernel/periodic/images.h"

#define carom_detect_memory CAROM_REAL(carom_detect_memory)

/* Of a periodic box, which is calculated in double for both precisions. */
static uint64_t need_periodic(carom_need *need) {
    carom_lattice lattice;
    if (carom_lattice_make(need->config->periodic, &lattice, NULL) != CAROM_OK) {
        return 0;
    }
    const bool self_images = need->config->periodic->self_images;
    need->images = carom_images_estimate(&lattice, self_images, need->owned, need->pairs);
    need->swept = carom_images_in_column(&lattice, need->owned, need->pairs) ||
                  carom_images_in_crowd(self_images, need->owned, need->images);
    need->float_results = sizeof(carom_real) == sizeof(float);
    return carom_need_detect_f64(need);
}

uint64_t carom_detect_memory(const carom_context *context, uint64_t count, uint64_t pairs,
                             const carom_detect_config *config) {
    carom_settings settings;
    if (context == NULL || carom_settings_take(&settings, config, NULL) != CAROM_OK) {
        return 0;
    }
    if (count > CAROM_BODIES_MAX) {
        return UINT64_MAX;
    }
    config = &settings.config;
    carom_need need = {.context = context, .config = config, .owned = count, .pairs = pairs};
    const bool periodic = config->periodic != NULL && config->until != CAROM_UNTIL_BOUNDS;
    return carom_size_add(sizeof *context, periodic ? need_periodic(&need) : carom_need_detect(&need));
}
