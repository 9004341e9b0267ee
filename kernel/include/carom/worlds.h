/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Detection in many small scenes at once, which do not see one another: the environments of a training run, the samples
 * of a simulation, the tables of a game server. Here each is called a world; what steps bodies is another thing
 * (carom/world.h). One call finds in every world what
 * carom_detect would find there (carom/detect.h), for worlds of ten bodies in less than half the time of as many calls,
 * and spreads the worlds over the threads.
 *
 *     const uint64_t offset[] = {0, 10, 25, 40};
 *     carom_worlds_result_f32 result = {0};
 *     carom_worlds_f32(context, &bodies, 3, offset, NULL, &result, &error);
 *     for (uint64_t n = result.pair_offset[w]; n < result.pair_offset[w + 1]; n++) {
 *         ... result.contacts.i[n] and k[n] touch in world w
 *     }
 *
 * The bodies of world w are offset[w] to offset[w + 1] - 1 of the caller's arrays. Contacts and labels name bodies by
 * their numbers in these arrays. Contacts are ordered by world, then by i and k. They are the same for every thread
 * count, instruction set, compiler and optimisation level.
 *
 * In worlds of up to some 320 bodies each is tested against all others of its world, many at a time. A larger world is
 * searched as carom_detect searches it, on all threads, one after the other. */
#ifndef CAROM_WORLDS_H
#define CAROM_WORLDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "carom/bodies.h"
#include "carom/contacts.h"
#include "carom/context.h"
#include "carom/control.h"
#include "carom/detect.h"
#include "carom/export.h"
#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a call computes. The library only reads it. */
typedef struct carom_worlds_config {
    /* sizeof(carom_worlds_config), in bytes. carom_worlds_config_default() sets it. */
    size_t size;

    /* The last stage to run, CAROM_UNTIL_PAIRS or later. Default: CAROM_UNTIL_GROUPS. */
    carom_until until;

    /* Only count pairs: store no pairs and no contacts. Default: false. */
    bool count_only;

    /* As in carom_detect_config. Default: false. */
    bool approaching;

    /* Also compute the hashes. Default: false. */
    bool hash;

    /* 0. Later versions may give this byte a name and a meaning. */
    uint8_t reserved;

    /* A flag that ends the call with CANCELLED while it is raised. Default: NULL. */
    const carom_cancel *cancel;
} carom_worlds_config;

/* What carom_detect would have in the summary of one world; its bodies are then 0 and on. */
typedef struct carom_worlds_counts {
    uint64_t box_pairs;
    uint64_t touching_pairs;
    uint64_t groups;
    uint64_t largest_group;
    uint64_t touching_hash; /* 0 unless asked for */
    uint64_t result_hash;   /* likewise; without the rows of pairs if they are only counted */
} carom_worlds_counts;

/* Results. Arrays belong to the context. They are valid until its next call. */
typedef struct carom_worlds_result_f32 {
    /* sizeof(carom_worlds_result_f32), in bytes; 0: the members of version 0.2 (carom/version.h). The caller sets it,
     * for example with = {0}; the call keeps it. */
    size_t size;

    /* Sums over all worlds, hashes modulo 2^64; largest_group is the greatest. */
    carom_worlds_counts total;

    /* One entry a world. NULL without worlds. */
    const carom_worlds_counts *world;

    /* Contact rows: entries in each array of `contacts`, >= 0. */
    uint64_t pair_count;

    /* Where each world's rows begin: one entry more than there are worlds, ascending. With count_only all are 0. */
    const uint64_t *pair_offset;

    /* Pairs and their contacts, as in carom_detection_f32. Arrays may be NULL when pair_count is 0. */
    carom_contacts_f32 contacts;

    /* The lowest body of each body's group: one entry a body. NULL if the call stopped before groups. */
    const uint32_t *label;

    /* On MEMORY, a memory limit in bytes to try next, greater than the one that was too small: the call gets further
     * under it, and some further limits may be needed. 0 without error. */
    uint64_t required_bytes;

    /* Wall time of the call in seconds, >= 0. */
    double seconds;
} carom_worlds_result_f32;

/* The fields are as in carom_worlds_result_f32, with double. */
typedef struct carom_worlds_result_f64 {
    size_t size;
    carom_worlds_counts total;
    const carom_worlds_counts *world;
    uint64_t pair_count;
    const uint64_t *pair_offset;
    carom_contacts_f64 contacts;
    const uint32_t *label;
    uint64_t required_bytes;
    double seconds;
} carom_worlds_result_f64;

/* Returns the default: contacts and groups. */
static inline carom_worlds_config carom_worlds_config_default(void) {
    carom_worlds_config config;
    memset(&config, 0, sizeof config);
    config.size = sizeof config;
    config.until = CAROM_UNTIL_GROUPS;
    return config;
}

/* Detects in every world. On any error *result is zero but for its size and required_bytes, and the context can be used
 * again. Queries have nothing to search after it.
 *
 *   context   lends threads, instruction set and memory; serves one call at a time
 *   bodies    of all worlds, 0 or more; spheres
 *   worlds    how many worlds there are, >= 0
 *   offset    where the bodies of each world begin: worlds + 1 numbers, ascending from 0 to bodies->count; a world may
 *             be empty. NULL if there are no worlds, and then no bodies
 *   config    what to compute; NULL: the default
 *   result    receives the results
 *   error     receives the details of a failure; may be NULL. Bodies are named by their numbers in the arrays
 *
 * Errors:
 *   ARGUMENT    what carom_detect says of context and bodies
 *               result is NULL, or the size of a struct is wrong
 *               bodies have shapes
 *               offset is NULL, does not begin at 0, descends, or does not end at bodies->count
 *               config.until is BOUNDS or no stage, or the reserved byte is not 0
 *               a world has more than 2^32 - 1 pairs
 *   BODY        as in carom_detect
 *   MEMORY      there is no memory, or the limit is too low
 *   CANCELLED   config's flag is raised
 *
 * Cost: O(sum over worlds of the square of their bodies), and of carom_detect for the larger ones. Memory: the results,
 * some 1 MiB a thread, and for the larger worlds what carom_detect takes for the largest, rows twice. Once the buffers
 * have grown, a call allocates nothing.
 *
 * Threads: as for carom_detect. */
CAROM_API carom_status carom_worlds_f32(carom_context *context, const carom_bodies_f32 *bodies, uint64_t worlds,
                                        const uint64_t *offset, const carom_worlds_config *config,
                                        carom_worlds_result_f32 *result, carom_error *error);
CAROM_API carom_status carom_worlds_f64(carom_context *context, const carom_bodies_f64 *bodies, uint64_t worlds,
                                        const uint64_t *offset, const carom_worlds_config *config,
                                        carom_worlds_result_f64 *result, carom_error *error);

#ifdef __cplusplus
}
#endif

#endif
