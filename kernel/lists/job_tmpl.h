/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Lists by cells while they are made: what the stages hand to one another.
 *
 *   place    bodies into the cells of a grid: slots, which are in the order of the cells
 *   search   the candidates of each cell, a bit for each candidate of each body, and how many are set
 *   close    pairs that floats do not decide
 *   filter   pairs that the caller's filter does not pass
 *   fill     rows of neighbours, from the bits
 *   pairs    pairs of neighbours, from the bits */
#ifndef CAROM_LISTS_JOB_TMPL_H
#define CAROM_LISTS_JOB_TMPL_H

#include "carom/lists.h"
#include "kernel/lists/grid.h"
#include "kernel/lists/images.h"
#include "kernel/store/context.h"
#include "kernel/store/exclusion_list.h"
#include "kernel/store/filter_values.h"
#include "kernel/sys/claims.h"
#include "simd/precision.h"

/* A body in its slot: steps along each axis, of which the low bits are kept. */
typedef struct carom_lists_record {
    uint32_t step[3];
    uint32_t key;
} carom_lists_record;

/* What else is known of a body, in steps. Where bodies are at rest, and their radii differ, the first is; where they
 * move, all are, but for the last if there is one radius. */
enum {
    CAROM_LISTS_OUTER,                        /* radius and half of the way */
    CAROM_LISTS_WAY,                          /* half of the way from prev to curr, along each axis */
    CAROM_LISTS_RADIUS = CAROM_LISTS_WAY + 3, /* of a body that moves */
    CAROM_LISTS_VALUES
};

/* The same, with slots.values of them. */
typedef struct carom_lists_sized_record {
    carom_lists_record place;
    float value[];
} carom_lists_sized_record;

/* What one worker finds out about the bodies. */
typedef struct carom_lists_range {
    _Alignas(CAROM_CACHE_LINE) carom_survey survey;
    double least_radius;
    double most_radius;
    double sum_radius;
    double most_outer;   /* outer radius */
    uint64_t most;       /* candidates of a cell, at most */
    uint64_t most_words; /* words of a cell's bits, at most */
} carom_lists_range;

/* What pairs are filtered by: the columns of the kernels filter_hits and trace_hits. */
enum {
    CAROM_LISTS_CATEGORY,
    CAROM_LISTS_MASK,
    CAROM_LISTS_GROUP,
    CAROM_LISTS_APART, /* part bits, and one of fixed bodies */
    CAROM_LISTS_TRACE, /* low and high words */
    CAROM_LISTS_BIT = CAROM_LISTS_TRACE + 2,
    CAROM_LISTS_COLUMNS = CAROM_LISTS_BIT + 2
};

typedef struct carom_lists_filter {
    const carom_filter *given;             /* NULL: all pairs pass */
    uint32_t *column[CAROM_LISTS_COLUMNS]; /* of each slot; NULL: not tested */
    uint32_t columns;                      /* how many are tested */
    bool lists_ascend;                     /* every exclusion list is in ascending order */
} carom_lists_filter;

/* The candidates of a cell. */
typedef struct carom_lists_candidates {
    float *at[4];                     /* the last: squares of distances from the centre */
    float *value[CAROM_LISTS_VALUES]; /* as in carom_lists_slots */
    uint32_t *key;
    uint32_t *pair[2];                     /* room for a body's pairs with all of them, where pairs are wanted */
    uint32_t *column[CAROM_LISTS_COLUMNS]; /* what they are filtered by, as in carom_lists_filter */
    uint32_t *doubtful;                    /* room for the numbers of all of them, where there are exclusions */
    uint16_t *close;                       /* bits of candidates that floats do not decide, of each open body */
    uint8_t *open;                         /* of each body of the cell */
} carom_lists_candidates;

/* Rows of about one length that wait to be sorted together: the longest one says what all of them cost. Batch 0 has
 * lengths from 1 to CAROM_LISTS_UNIT, and so on. */
enum { CAROM_LISTS_UNIT = 8, CAROM_LISTS_BATCHES = CAROM_HIT_ROW_MOST / CAROM_LISTS_UNIT };

typedef struct carom_lists_rows {
    _Alignas(CAROM_CACHE_LINE) uint32_t packed[CAROM_HIT_ROWS * CAROM_HIT_ROW_ROOM];
    uint32_t length[CAROM_HIT_ROWS];
    uint32_t *row[CAROM_HIT_ROWS];
    uint32_t rows;
} carom_lists_rows;

/* The bodies in the order of their cells; in each cell first those that the caller has there, then images. */
typedef struct carom_lists_slots {
    uint32_t *slot_of; /* of each body and image: its cell, then its slot */
    uint32_t *start;   /* of each cell, and one more: its first slot */
    uint32_t *next;    /* of each worker and cell: bodies, then the slot of the next one */
    char *record;      /* of each slot: a carom_lists_record, or a carom_lists_sized_record if there are values */
    uint64_t record_bytes;
    uint32_t *step[3]; /* of each body and image, then of each slot */
    uint32_t *key;
    uint32_t values;                  /* as many of CAROM_LISTS_VALUES as are needed */
    float *value[CAROM_LISTS_VALUES]; /* of each slot, so many of them; the others are NULL */
    carom_lists_filter filter;
} carom_lists_slots;

/* The neighbours, as bits of candidates. */
typedef struct carom_lists_found {
    uint64_t *word;      /* of each cell, and one more: the first word of its bodies' bits */
    uint32_t *rows;      /* of each cell: bodies that have rows; NULL: all */
    uint64_t most;       /* candidates of a cell, at most */
    uint64_t most_words; /* words of a cell's bits, at most */
    uint16_t *bits;
    uint32_t *length; /* of each slot: bits that are set */
} carom_lists_found;

typedef struct carom_lists_result {
    uint64_t *offset; /* of each body, and one more: its row */
    uint32_t *row;    /* of all bodies: keys */
    uint64_t *place;  /* of each cell: its first pair */
    uint64_t pairs;
    uint32_t *pair[2]; /* keys */
} carom_lists_result;

typedef struct carom_lists_job {
    carom_context *context;
    const carom_bodies *bodies; /* radii are those that decide */
    const carom_list_config *config;
    carom_lists *lists;               /* on MEMORY required_bytes; the reason */
    bool moves;                       /* else bodies are at rest */
    bool once;                        /* pairs are wanted, in open space: each is found from one of its bodies */
    const carom_lists_images *images; /* in a periodic box, in which calls are for doubles; else NULL */
    uint32_t key_bits;                /* of a key, those after the body's number */
    uint64_t count;                   /* bodies and images */

    carom_lists_grid grid;
    carom_lists_range *ranges; /* of each worker */
    bool same_radius;
    float square;      /* same_radius: of every sum of two radii */
    double mean_reach; /* twice the mean radius, in widths of a cell */
    carom_lists_slots slots;

    carom_lists_found found;
    carom_lists_result result;
    char *scratch;          /* of each worker: batches of rows, candidates, open bodies */
    uint64_t scratch_bytes; /* of one */
    carom_claims claims;    /* of cells: the same parts for search and for writing */
} carom_lists_job;

#define carom_lists_owner CAROM_REAL(carom_lists_owner)

/* The body that a key names, or of which it names an image. */
static inline uint32_t carom_lists_owner(const carom_lists_job *job, uint32_t key) {
    return key >> job->key_bits;
}

#define carom_lists_rows_of CAROM_REAL(carom_lists_rows_of)

/* The bodies of a cell that have rows: all but images. */
static inline uint64_t carom_lists_rows_of(const carom_lists_job *job, uint64_t cell) {
    return job->found.rows != NULL ? job->found.rows[cell] : job->slots.start[cell + 1] - job->slots.start[cell];
}

/* Cells are claimed by so many. */
enum { CAROM_LISTS_RUN = 32 };

#define carom_lists_start_claims CAROM_REAL(carom_lists_start_claims)

/* Before a stage in which workers claim runs of cells. */
static inline void carom_lists_start_claims(carom_lists_job *job) {
    carom_claims_start(&job->claims, &job->context->team, job->grid.count, CAROM_LISTS_RUN);
}

#define carom_lists_sum_shares CAROM_REAL(carom_lists_sum_shares)

/* Each worker's share becomes the sum of those before it. Returns the sum of all. */
static inline uint64_t carom_lists_sum_shares(const carom_lists_job *job) {
    uint64_t *share = carom_context_shares(job->context);
    uint64_t sum = 0;
    for (uint32_t w = 0; w < job->context->team.workers; w++) {
        const uint64_t own = share[w];
        share[w] = sum;
        sum += own;
    }
    return sum;
}

#define carom_lists_batches CAROM_REAL(carom_lists_batches)

/* The batches of a worker. */
static inline carom_lists_rows *carom_lists_batches(const carom_lists_job *job, uint32_t worker) {
    return (carom_lists_rows *)(void *)(job->scratch + worker * job->scratch_bytes);
}

#define carom_lists_place_columns CAROM_REAL(carom_lists_place_columns)

/* Where candidates' columns begin; returns where they end. */
static inline uint32_t *carom_lists_place_columns(const carom_lists_filter *filter, uint32_t *block, uint64_t stride,
                                                  carom_lists_candidates *candidates) {
    for (int c = 0; c < CAROM_LISTS_COLUMNS; c++) {
        candidates->column[c] = block;
        block += filter->column[c] != NULL ? stride : 0;
    }
    candidates->doubtful = block;
    return block + (filter->column[CAROM_LISTS_TRACE] != NULL ? stride : 0);
}

#define carom_lists_stride CAROM_REAL(carom_lists_stride)

/* Places in a candidates' array: each begins on a cache line. */
static inline uint64_t carom_lists_stride(const carom_lists_job *job) {
    const uint64_t line = CAROM_CACHE_LINE / sizeof(float);
    return (job->found.most + CAROM_GATHER_PAD + line - 1) / line * line;
}

#define carom_lists_scratch CAROM_REAL(carom_lists_scratch)

/* The candidates' arrays of a worker: after its batches. */
static inline carom_lists_candidates carom_lists_scratch(const carom_lists_job *job, uint32_t worker) {
    float *block = (float *)(void *)(carom_lists_batches(job, worker) + CAROM_LISTS_BATCHES);
    const uint64_t stride = carom_lists_stride(job);
    carom_lists_candidates candidates = {.at = {block, block + stride, block + 2 * stride, block + 3 * stride}};
    block += 4 * stride;
    for (uint32_t v = 0; v < job->slots.values; v++, block += stride) {
        candidates.value[v] = block;
    }
    candidates.key = (uint32_t *)(void *)block;
    candidates.pair[0] = candidates.key + stride;
    candidates.pair[1] = candidates.pair[0] + (job->config->pairs ? stride : 0);
    uint32_t *const columns = candidates.pair[1] + (job->config->pairs ? stride : 0);
    uint32_t *const end = carom_lists_place_columns(&job->slots.filter, columns, stride, &candidates);
    candidates.close = (uint16_t *)(void *)end;
    candidates.open = (uint8_t *)(candidates.close + job->found.most_words + CAROM_SIMD_PAD);
    return candidates;
}

#define carom_lists_scratch_bytes CAROM_REAL(carom_lists_scratch_bytes)

/* Bytes of all that a worker has. */
static inline uint64_t carom_lists_scratch_bytes(const carom_lists_job *job) {
    const uint64_t stride = carom_lists_stride(job);
    const uint64_t columns = job->slots.filter.columns + (job->slots.filter.column[CAROM_LISTS_TRACE] != NULL ? 1 : 0);
    const uint64_t close = (job->found.most_words + CAROM_SIMD_PAD) * sizeof(uint16_t);
    const uint64_t pairs = job->config->pairs ? 2 * stride * sizeof(uint32_t) : 0;
    const uint64_t bytes = CAROM_LISTS_BATCHES * sizeof(carom_lists_rows) +
                           stride * ((5 + job->slots.values) * sizeof(float) + 1) + close + pairs +
                           columns * stride * sizeof(uint32_t);
    return (bytes + CAROM_CACHE_LINE - 1) / CAROM_CACHE_LINE * CAROM_CACHE_LINE;
}

#endif
