/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* `carom detect --worlds`: many small scenes, or a file's bodies in equal parts, which do not see one another. */
#ifndef CAROM_CLI_PARTS_H
#define CAROM_CLI_PARTS_H

#include "carom/detect.h"
#include "kernel/cli/columns.h"
#include "kernel/cli/scene_options.h"

/* Worlds of equal size, one after the other. Zero-initialise before the first use. */
typedef struct carom_parts {
    uint64_t worlds;        /* 0: none */
    const uint64_t *offset; /* where the bodies of each begin, and an end */
    carom_buffer buffer;
} carom_parts;

/* Divides `bodies` into worlds. INPUT if that leaves a rest, which `path` then names. */
carom_exit carom_parts_divide(carom_parts *parts, carom_memory *memory, const char *path, uint64_t bodies,
                              uint64_t worlds);

/* Makes a scene for each world, of seeds that follow one another from that of the first on, in floats or doubles. */
carom_exit carom_parts_make(const carom_scene_options *first, uint64_t worlds, bool wide, carom_memory *memory,
                            carom_buffer *buffer, void *column[CAROM_COLUMNS]);

/* Detection in all worlds. The summary has the totals, the rows are those of all worlds. */
carom_status carom_parts_detect_f32(const carom_parts *parts, carom_context *context, const carom_bodies_f32 *bodies,
                                    const carom_detect_config *config, carom_detection_f32 *found, carom_error *error);
carom_status carom_parts_detect_f64(const carom_parts *parts, carom_context *context, const carom_bodies_f64 *bodies,
                                    const carom_detect_config *config, carom_detection_f64 *found, carom_error *error);

#endif
