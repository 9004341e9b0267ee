/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies with shapes in a detection. The search sees each as a point that moves from the low corner of its swept box to
 * the high one: the swept box of that point is the body's own. */
#ifndef CAROM_DETECT_JOB_SHAPE_STATE_TMPL_H
#define CAROM_DETECT_JOB_SHAPE_STATE_TMPL_H

#include <stdbool.h>

#include "kernel/detect/job/hits_tmpl.h"
#include "simd/precision.h"
#include "simd/swept.h"

typedef struct carom_shape_source carom_shape_source; /* kernel/detect/shaped/shape_source.h */
typedef struct carom_shape_work carom_shape_work;
typedef struct carom_columns_pose carom_columns_pose;

typedef struct carom_shape_state {
    const carom_shape_source *source; /* the caller's bodies; NULL: all are spheres */
    carom_bodies *boxes;              /* points in their place: what is searched */
    carom_shape_work *work;           /* of each worker */
    carom_shape_answer *answers;      /* of the pairs that a worker has found last: CAROM_HITS_MAX for each worker */
    carom_columns_pose *poses;        /* of bodies at rest; NULL: bodies move or turn */
    float (*paths)[CAROM_PATH_NUMBERS];              /* of bodies that move, as the kernel apart_moving takes them; NULL: all rest */
    bool compounds;                   /* some body is a compound */
} carom_shape_state;

#endif
