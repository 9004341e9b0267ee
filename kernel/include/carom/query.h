/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A query finds which bodies of the last detection some other bodies touch, without a detection of all. The bodies of
 * the last detection, or coherent step, are "the bodies" here, 0 to N - 1; those that the caller asks about are "the
 * probes", 0 to M - 1.
 *
 *     carom_detect_f64(context, &bodies, &config, NULL, &found, &error);
 *     carom_query_f64(context, &probes, NULL, &answer, &error);
 *     for (uint64_t n = answer.offset[q]; n < answer.offset[q + 1]; n++) {
 *         ... answer.contacts.i[n] is a body that probe q touches
 *     }
 *
 * Probes are bodies that move from prev to curr, like all others: a ray is a probe of radius 0, a point one at rest.
 * Probes are not tested against one another.
 *
 * The contacts are, to the bit, those that a detection of all would store for pairs of a body and a probe, if the
 * probes followed the bodies: carom/detect.h defines them, with the body as i and the probe as k. With until = PAIRS
 * the answer has all pairs whose boxes overlap. In float and open space these, too, are those of a detection of all; in
 * double and in periodic boxes they may differ in pairs whose boxes just meet or just do not, because boxes are rounded
 * relative to the centre of each call's bodies.
 *
 * What is searched. The context keeps the bodies of its last call, in the order of its search. So the caller's arrays
 * of that call may have changed or gone. The call must have been a carom_detect or carom_coherent_detect of spheres
 * and of the same precision that succeeded, with until = PAIRS or a later stage; of any other config but the periodic
 * box, also its filter, a query knows nothing. Queries may follow one another. After a detection that failed there is
 * nothing to query, unless its arguments were refused before it began (ARGUMENT): then the one before is searched
 * still. What the detection has returned stays valid until the next call that is no query; an answer until the next
 * call of any kind. A coherent state that is reset or destroyed may take the bodies of its last step with it: then
 * there is nothing to query.
 *
 * Periodic boxes. Bodies and probes may be anywhere. Each image of a probe that touches a body has a row of its own, as
 * in a detection of bodies and probes in that box: in row n the probe stands at its place plus `shift[a][n]` times
 * edge a, for each a. Probes keep to what the box asks of bodies: without self_images the diameter of a probe must be
 * less than the distance to its own image (BODY); with self_images probes, too, may be of any size. A probe that needs
 * very many images, or images more than 1e8 edges away, is an error (BODY).
 *
 * Results have the same bits in the same order for every thread count, instruction set, compiler and optimisation
 * level. */
#ifndef CAROM_QUERY_H
#define CAROM_QUERY_H

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
#include "carom/filter.h"
#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a query computes. The library only reads it. */
typedef struct carom_query_config {
    /* sizeof(carom_query_config), in bytes. carom_query_config_default() sets it. */
    size_t size;

    /* CAROM_UNTIL_PAIRS: pairs whose boxes overlap; CAROM_UNTIL_APPROACH, the default: contacts of those that touch. */
    carom_until until;

    /* Only pairs that approach count as touching, as in carom_detect_config. Default: false. */
    bool approaching;

    /* 0. Later versions may give these bytes names and meanings. */
    uint8_t reserved[3];

    /* Values of the bodies, N entries an array: category, mask, group, fixed and part. The other members are not used.
     * Default: NULL, as if all were left out. */
    const carom_filter *filter;

    /* The same of the probes, M entries an array. Its exclusion lists, M + 1 offsets, name bodies. `accepts` is asked
     * with a body as i and a probe as k, so i may be any number beside k. Default: NULL, as if all were left out. */
    const carom_filter *probe_filter;

    /* A flag that ends the call with CANCELLED while it is raised. Default: NULL. */
    const carom_cancel *cancel;
} carom_query_config;

/* The answer. Its arrays belong to the context. They are valid until its next call, a query or any other. */
typedef struct carom_query_answer_f32 {
    /* sizeof(carom_query_answer_f32), in bytes; 0: the members of version 0.2 (carom/version.h). The caller sets it,
     * for example with = {0}; the call keeps it. */
    size_t size;

    /* Pairs of a body and a probe whose boxes overlap and that pass the filters, >= 0. */
    uint64_t box_pairs;

    /* Entries in each array of `contacts`: box_pairs with until = PAIRS, else how many of these touch. */
    uint64_t pair_count;

    /* The rows of probe q are offset[q] to offset[q + 1] - 1: M + 1 entries, ascending. NULL without probes. */
    const uint64_t *offset;

    /* Rows in order of (k, i), rows of one pair in ascending order of shift[0], then shift[1], then shift[2]: k is the
     * probe, i the body. With until = PAIRS only these and the shifts. The normal points from the probe to the body.
     * `shift` is that of the probe; NULL in open space. */
    carom_contacts_f32 contacts;

    /* On MEMORY, a memory limit in bytes, greater than the one that was too small. 0 without error. */
    uint64_t required_bytes;

    /* Wall time of the call in seconds, >= 0. */
    double seconds;
} carom_query_answer_f32;

/* The fields are as in carom_query_answer_f32, with double. */
typedef struct carom_query_answer_f64 {
    size_t size;
    uint64_t box_pairs;
    uint64_t pair_count;
    const uint64_t *offset;
    carom_contacts_f64 contacts;
    uint64_t required_bytes;
    double seconds;
} carom_query_answer_f64;

/* Returns the default: contacts of all pairs that touch, no filters. */
static inline carom_query_config carom_query_config_default(void) {
    carom_query_config config;
    memset(&config, 0, sizeof config);
    config.size = sizeof config;
    config.until = CAROM_UNTIL_APPROACH;
    return config;
}

/* Finds the bodies of the context's last detection that the probes touch. On any error *answer is zero but for its size
 * and required_bytes, and the context can be used again. A query that fails leaves the last detection as it was, and
 * another may follow.
 *
 *   context   the context of the detection; it serves one call at a time
 *   probes    what to look for, 0 or more; as for carom_detect
 *   config    what to compute; NULL: the default
 *   answer    receives the results
 *   error     receives the details of a failure; may be NULL
 *
 * Errors:
 *   ARGUMENT    what carom_detect says of bodies, here of probes; messages name them bodies
 *               answer is NULL, or the size of a struct is wrong
 *               config.until is neither PAIRS nor APPROACH, or a reserved byte is not 0
 *               the last call of the context is none that can be searched, or another call is using the context
 *               N + M is more than CAROM_BODIES_MAX
 *   BODY        a value of a probe is not as it must be, or the probe does not go with the periodic box; error names
 *               the lowest such probe
 *               an exclusion offset of a probe is greater than the next, or its list names a body that does not exist;
 *               error names the lowest such probe
 *   MEMORY      there is no memory, or the limit is too low
 *   CANCELLED   config's flag is raised
 *
 * Cost: a probe searches a tree of the bodies' boxes. Of the uniform scene on one thread that takes some 0.2
 * microseconds a probe with a thousand bodies, 2 with 1e5, 5 with 1e6. The first query after a detection makes the
 * tree, which takes one to two times as long as the detection, and 50 bytes a body. So queries pay where several follow
 * a detection, each of less than about a hundredth of the bodies; else a detection of all is faster. In a periodic box
 * each image of a probe that may meet a body searches the tree once: mostly there are few.
 *
 * Threads: as for carom_detect. */
CAROM_API carom_status carom_query_f32(carom_context *context, const carom_bodies_f32 *probes,
                                       const carom_query_config *config, carom_query_answer_f32 *answer,
                                       carom_error *error);
CAROM_API carom_status carom_query_f64(carom_context *context, const carom_bodies_f64 *probes,
                                       const carom_query_config *config, carom_query_answer_f64 *answer,
                                       carom_error *error);

#ifdef __cplusplus
}
#endif

#endif
