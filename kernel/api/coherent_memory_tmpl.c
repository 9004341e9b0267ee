/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Says beforehand how much memory steps of coherent detection need. In: a context and numbers of a step. Out: bytes. */
#include "carom/coherent.h"
#include "kernel/api/layout.h"
#include "kernel/api/settings.h"
#include "kernel/coherent/memory_tmpl.h"
#include "kernel/detect/need_tmpl.h"
#include "kernel/periodic/images.h"

#define carom_coherent_memory CAROM_REAL(carom_coherent_memory)

/* A periodic box is calculated in double for both precisions. The images of a call follow from the pairs that touch.
 * Those of a list are for boxes that reach farther, but not as far as if all its pairs touched. */
static uint64_t bound_periodic(carom_need *need, uint64_t candidates, bool events) {
    carom_lattice lattice;
    if (carom_lattice_make(need->config->periodic, &lattice, NULL) != CAROM_OK) {
        return 0;
    }
    need->images = carom_images_estimate(&lattice, false, need->owned, need->pairs);
    need->float_results = sizeof(carom_real) == sizeof(float);
    const uint64_t images = carom_images_estimate(&lattice, false, need->owned, (need->pairs + candidates) / 2);
    return carom_coherent_memory_bound_f64(need, candidates, images, events);
}

uint64_t carom_coherent_memory(const carom_context *context, uint64_t count, uint64_t candidates, uint64_t pairs,
                               const carom_detect_config *config, const carom_coherent_config *coherent) {
    carom_settings settings;
    carom_coherent_config own = carom_coherent_config_default();
    if (context == NULL || carom_settings_take(&settings, config, NULL) != CAROM_OK ||
        (settings.config.periodic != NULL && settings.config.periodic->self_images) ||
        carom_layout_take(&carom_layout_coherent_config, &own, coherent, NULL) != CAROM_OK) {
        return 0;
    }
    if (count > CAROM_BODIES_MAX || candidates > UINT32_MAX) {
        return UINT64_MAX;
    }
    carom_need need = {.context = context, .config = &settings.config, .owned = count, .pairs = pairs};
    const uint64_t bytes = settings.config.until == CAROM_UNTIL_BOUNDS ? carom_need_detect(&need)
                           : settings.config.periodic != NULL
                               ? bound_periodic(&need, candidates, own.events)
                               : carom_coherent_memory_bound(&need, candidates, 0, own.events);
    return carom_size_add(sizeof *context + sizeof(carom_coherent), bytes);
}
