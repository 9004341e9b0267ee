/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A caller's bodies with shapes, of either precision, for code in either: a call for floats may run in double. */
#ifndef CAROM_DETECT_SHAPED_SHAPE_SOURCE_H
#define CAROM_DETECT_SHAPED_SHAPE_SOURCE_H

#include "carom/bodies.h"
#include "kernel/narrow/body.h"
#include "kernel/narrow/columns.h"
#include "kernel/narrow/many.h"

typedef struct carom_shape_source {
    const void *bodies; /* carom_bodies_f32 or carom_bodies_f64, whose layout kernel/api has made plain */
    uint64_t count;
    const carom_shapes *shapes;
    bool moving; /* bodies may move or turn in the step */
    void (*gather)(const struct carom_shape_source *source, uint64_t body, carom_body_numbers *numbers);
    void (*load_bodies)(const void *bodies, uint64_t first, uint32_t count, carom_columns_bodies *columns);
    void (*load_motion)(const void *bodies, uint64_t first, uint32_t count, carom_block_motion *motion);
    void (*load_pairs)(const void *bodies, const uint32_t *i, const uint32_t *k, uint32_t count, carom_many *many);
} carom_shape_source;

/* NULL, or *source, which then is that of bodies with shapes. */
const carom_shape_source *carom_shape_source_of_f32(const carom_bodies_f32 *bodies, carom_shape_source *source);
const carom_shape_source *carom_shape_source_of_f64(const carom_bodies_f64 *bodies, carom_shape_source *source);

/* Body n as the caller has it. */
static inline void carom_shape_source_gather(const carom_shape_source *source, uint64_t n,
                                             carom_body_numbers *numbers) {
    source->gather(source, n, numbers);
}

/* The same as carom_columns_load_bodies, with the motion of bodies that move, and carom_columns_load (columns_tmpl.h). */
static inline void carom_shape_source_load_bodies(const carom_shape_source *source, uint64_t first, uint32_t count,
                                                  carom_columns_bodies *columns) {
    source->load_bodies(source->bodies, first, count, columns);
    if (source->moving) {
        source->load_motion(source->bodies, first, count, &columns->motion);
    }
}
static inline void carom_shape_source_load_pairs(const carom_shape_source *source, const uint32_t *i,
                                                 const uint32_t *k, uint32_t count, carom_many *many) {
    source->load_pairs(source->bodies, i, k, count, many);
}

#endif
