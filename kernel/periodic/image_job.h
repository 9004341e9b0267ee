/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The state of carom_images_make, shared by its passes. */
#ifndef CAROM_PERIODIC_IMAGE_JOB_H
#define CAROM_PERIODIC_IMAGE_JOB_H

#include "kernel/periodic/images.h"

/* What one worker finds. */
typedef struct carom_image_worker {
    _Alignas(CAROM_CACHE_LINE) double lo[3]; /* range of all boxes */
    double hi[3];
    double low[3]; /* the same in the caller's axes */
    double high[3];
    double guess[3];      /* how far boxes reach in the lattice, by the worker's first bodies */
    bool wraps;           /* some body is outside the cell */
    double images;        /* how many there are; exact for any number that can be stored */
    double layers[3];     /* greatest lattice step of an image */
    double widest;        /* widest box that has images, in lattice coordinates; */
    uint64_t widest_body; /* and its body */
    uint64_t first_bad;   /* the first body with a value that is not finite, or UINT64_MAX */
    uint64_t first_far;   /* likewise: too many boxes from the origin */
    uint64_t first_large; /* likewise: wide enough to touch its own image */
    uint64_t candidates;  /* bodies that may have images */
    uint64_t first_image; /* number of the worker's first image */
} carom_image_worker;

typedef struct carom_image_job {
    const carom_team *team;
    const carom_image_source *source;
    carom_images *images;
    carom_image_worker *workers;
    int32_t (*wrap)[3];
    uint32_t *candidate; /* each worker's, from its first body on */
    double *field[CAROM_BODY_FIELDS];
    carom_image *image;
    double lo[3];
    double hi[3];
} carom_image_job;

/* Reads bodies [begin, end), or as many as a batch holds. The rest of the batch repeats its first body, so that loops
 * over whole batches find nothing new. */
void carom_image_job_load(const carom_image_job *job, uint64_t begin, uint64_t end, carom_image_batch *batch);

/* The same, with the bodies moved into the cell; after the wraps are known. */
void carom_image_job_load_owned(const carom_image_job *job, uint64_t begin, uint64_t end, carom_image_batch *batch);

/* Reads one body. */
void carom_image_job_read(const carom_image_job *job, uint64_t body, double value[CAROM_BODY_FIELDS]);

#endif
