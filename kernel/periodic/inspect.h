/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* First pass over the bodies of a periodic box. In: the caller's bodies. Out: which cells they are in, bad bodies, the
 * range of all boxes in the lattice, and which bodies may have images. */
#ifndef CAROM_PERIODIC_INSPECT_H
#define CAROM_PERIODIC_INSPECT_H

#include "kernel/periodic/image_job.h"

/* A team's task; `data` is a carom_image_job. */
void carom_inspect_bodies(void *data, uint32_t worker);

/* The same without ranges and images: bodies [begin, end) are moved into the cell and stored at once. `first` is the
 * worker's first body; it takes its bodies in ascending order. Before all workers: carom_inspect_start. */
void carom_inspect_start(const carom_image_job *job);
void carom_inspect_and_move(const carom_image_job *job, uint32_t worker, uint64_t first, uint64_t begin, uint64_t end);

/* Lists the candidates of the worker's bodies anew from the range of all boxes, where the worker's guess was wrong.
 * *batch is workspace. */
void carom_inspect_list_candidates(const carom_image_job *job, carom_image_worker *worker, carom_walk walk,
                                   carom_image_batch *batch);

#endif
