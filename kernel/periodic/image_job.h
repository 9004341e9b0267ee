/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What the passes of carom_images_make share. In: the caller's bodies. Out: what each worker finds, and where its
 * images go. Workers own ranges of bodies, and write nothing that another one reads within a pass. */
#ifndef CAROM_PERIODIC_IMAGE_JOB_H
#define CAROM_PERIODIC_IMAGE_JOB_H

#include "kernel/periodic/image_set.h"

/* What one worker finds. */
typedef struct carom_image_worker {
    _Alignas(CAROM_CACHE_LINE) double lo[3]; /* range of all boxes in the lattice, in edges of the basis */
    double hi[3];
    double low[3]; /* range of all boxes along the caller's axes */
    double high[3];
    double guess[3];      /* bound on where boxes end in the lattice, from the worker's first bodies */
    bool wraps;           /* some body starts outside the first cell */
    double images;        /* images of the worker's bodies; exact for any number that can be stored */
    double layers[3];     /* greatest lattice step of an image */
    double widest;        /* extent of the widest box that has images, in edges of the basis */
    uint64_t widest_body; /* its body */
    uint64_t first_bad;   /* the first body with a value that is not finite, or UINT64_MAX */
    uint64_t first_far;   /* the first body too many cells from the origin, or UINT64_MAX */
    uint64_t first_large; /* the first body wide enough to touch its own image, or UINT64_MAX */
    uint64_t candidates;  /* bodies that may have images */
    uint64_t first_image; /* number of the worker's first image */
} carom_image_worker;

typedef struct carom_image_job {
    const carom_team *team;
    const carom_image_source *source;
    carom_images *images;        /* the result */
    uint64_t grain;              /* workers' ranges of bodies begin at multiples of it in the first pass */
    const carom_simd *simd;      /* kernels, for carom_renewal */
    carom_home home;             /* likewise */
    carom_image_worker *workers; /* one for each worker of the team */
    int32_t (*wrap)[3];          /* of each body; see carom_images */
    uint32_t *candidate;         /* bodies that may have images; each worker's begin at the place of its first body */
    double *field[CAROM_BODY_FIELDS]; /* prev, curr, radius of owned bodies and images */
    carom_image *image;
    double lo[3]; /* range of all boxes in the lattice, widened by what rounding can do */
    double hi[3];
} carom_image_job;

/* Reads bodies [begin, end), or as many as a batch holds. The rest of the batch repeats its first body, so that loops
 * over whole batches find nothing new. */
void carom_image_job_load(const carom_image_job *job, uint64_t begin, uint64_t end, carom_image_batch *batch);

/* The same, with the bodies moved into the cell; after the wraps are known. */
void carom_image_job_load_owned(const carom_image_job *job, uint64_t begin, uint64_t end, carom_image_batch *batch);

/* Stores the bodies of a batch as bodies `at` and on, in the caller's order. */
void carom_image_job_store(const carom_image_job *job, uint64_t at, const carom_image_batch *batch);

/* After the first pass: which bodies were wrapped, into images->wrap; NULL if none. */
void carom_image_job_merge_wraps(carom_image_job *job);

/* Reads one body. */
void carom_image_job_read(const carom_image_job *job, uint64_t body, double value[CAROM_BODY_FIELDS]);

#endif
