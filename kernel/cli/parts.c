/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a scene for each world, or bodies. Out: the bodies of all worlds, and what is found in each. */
#include "kernel/cli/parts.h"

#include <inttypes.h>

#include "carom/worlds.h"

carom_exit carom_parts_divide(carom_parts *parts, carom_memory *memory, const char *path, uint64_t bodies,
                              uint64_t worlds) {
    if (bodies % worlds != 0) {
        carom_say("%s: %" PRIu64 " bodies are not %" PRIu64 " worlds of equal size", path, bodies, worlds);
        return CAROM_EXIT_INPUT;
    }
    if (carom_buffer_reserve(memory, &parts->buffer, (worlds + 1) * sizeof(uint64_t)) != CAROM_OK) {
        carom_say("no memory for %" PRIu64 " worlds", worlds);
        return CAROM_EXIT_RESOURCES;
    }
    uint64_t *offset = parts->buffer.data;
    for (uint64_t w = 0; w <= worlds; w++) {
        offset[w] = w * (bodies / worlds);
    }
    parts->worlds = worlds;
    parts->offset = offset;
    return CAROM_EXIT_OK;
}

carom_exit carom_parts_make(const carom_scene_options *first, uint64_t worlds, bool wide, carom_memory *memory,
                            carom_buffer *buffer, void *column[CAROM_COLUMNS]) {
    carom_scene_options one = *first;
    carom_exit outcome =
        carom_columns_reserve(memory, buffer, worlds * one.bodies, wide ? sizeof(double) : sizeof(float), column);
    for (uint64_t w = 0; w < worlds && outcome == CAROM_EXIT_OK; w++) {
        carom_scene_f32 scene;
        one.seed = first->seed + w;
        outcome = carom_scene_options_make(&one, &scene);
        if (outcome == CAROM_EXIT_OK) {
            carom_columns_put(column, w * one.bodies, wide, &scene);
            carom_scene_release(&scene);
        }
    }
    return outcome;
}

static carom_worlds_config config_of(const carom_detect_config *config) {
    carom_worlds_config worlds = carom_worlds_config_default();
    worlds.until = config->until;
    worlds.count_only = config->count_only;
    worlds.approaching = config->approaching;
    worlds.hash = config->hash;
    return worlds;
}

static carom_detect_summary summary_of(const carom_worlds_counts *total, double seconds) {
    return (carom_detect_summary){.box_pairs = total->box_pairs,
                                  .touching_pairs = total->touching_pairs,
                                  .groups = total->groups,
                                  .largest_group = total->largest_group,
                                  .touching_hash = total->touching_hash,
                                  .result_hash = total->result_hash,
                                  .seconds = seconds,
                                  .method = "worlds",
                                  .reason = "worlds: each by itself, small ones by all pairs of boxes"};
}

carom_status carom_parts_detect_f32(const carom_parts *parts, carom_context *context, const carom_bodies_f32 *bodies,
                                    const carom_detect_config *config, carom_detection_f32 *found, carom_error *error) {
    const carom_worlds_config worlds = config_of(config);
    carom_worlds_result_f32 result = {.size = sizeof result};
    const carom_status status =
        carom_worlds_f32(context, bodies, parts->worlds, parts->offset, &worlds, &result, error);
    found->contacts = result.contacts;
    found->pair_count = result.pair_count;
    found->summary = summary_of(&result.total, result.seconds);
    return status;
}

carom_status carom_parts_detect_f64(const carom_parts *parts, carom_context *context, const carom_bodies_f64 *bodies,
                                    const carom_detect_config *config, carom_detection_f64 *found, carom_error *error) {
    const carom_worlds_config worlds = config_of(config);
    carom_worlds_result_f64 result = {.size = sizeof result};
    const carom_status status =
        carom_worlds_f64(context, bodies, parts->worlds, parts->offset, &worlds, &result, error);
    found->contacts = result.contacts;
    found->pair_count = result.pair_count;
    found->summary = summary_of(&result.total, result.seconds);
    return status;
}
