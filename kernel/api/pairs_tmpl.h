/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What calls about pairs of bodies have in common: bodies and pairs, and the way they take and give back a context. */
#ifndef CAROM_API_PAIRS_TMPL_H
#define CAROM_API_PAIRS_TMPL_H

#include "kernel/narrow/job_tmpl.h"
#include "kernel/store/context.h"

#define carom_pairs_take CAROM_REAL(carom_pairs_take)
#define carom_pairs_begin CAROM_REAL(carom_pairs_begin)
#define carom_pairs_end CAROM_REAL(carom_pairs_end)
#define carom_pairs_check_poses CAROM_REAL(carom_pairs_check_poses)
#define carom_pairs_control CAROM_REAL(carom_pairs_control)
#define carom_pairs_look CAROM_REAL(carom_pairs_look)

typedef struct carom_pairs_call {
    carom_context *context;
    carom_bodies bodies;   /* the caller's, of a plain layout */
    carom_job_pairs pairs; /* of these: they must stay where they are */
    carom_control control; /* of this call, if the caller controls it */
} carom_pairs_call;

/* Takes and checks the arguments of a call over many pairs. Errors: ARGUMENT. */
carom_status carom_pairs_take(carom_pairs_call *call, carom_context *context, const carom_bodies *bodies,
                              const uint32_t *i, const uint32_t *k, uint64_t count, carom_error *error);

/* Before the work: takes the context, and lends it the flag; NULL: none. What the last detection has left for queries
 * stays. Errors: ARGUMENT if another call has the context; CANCELLED if the flag is raised. */
carom_status carom_pairs_begin(carom_pairs_call *call, const carom_cancel *cancel, carom_error *error);

/* After the work, if it has begun. */
void carom_pairs_end(carom_pairs_call *call);

/* Checks the arguments of a call for one pair. Errors: ARGUMENT. */
carom_status carom_pairs_check_poses(const carom_shapes *shapes, const carom_pose *i, const carom_pose *k,
                                     carom_error *error);

/* For a call for one pair, which has no context. Before the work: sets *control to `room`, which has the flag; `cancel`
 * NULL: to NULL. CANCELLED if the flag is raised. */
carom_status carom_pairs_control(const carom_cancel *cancel, carom_control *room, carom_control **control,
                                 carom_error *error);

/* After the work: CANCELLED if the flag was seen raised. */
carom_status carom_pairs_look(carom_control *control, carom_error *error);

#endif
