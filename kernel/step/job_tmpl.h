/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* State of one detection while it runs, shared by the files of the pipeline. Included once for each precision. */
#ifndef CAROM_STEP_JOB_TMPL_H
#define CAROM_STEP_JOB_TMPL_H

#include <stdatomic.h>

#include "kernel/broad/cell.h"
#include "kernel/broad/groups.h"
#include "kernel/broad/guests.h"
#include "kernel/broad/partition.h"
#include "kernel/step/detect.h"
#include "kernel/step/images.h"
#include "simd/isa.h"

typedef CAROM_REAL(carom_record) carom_record;
typedef CAROM_REAL(carom_bodies) carom_bodies;
typedef CAROM_REAL(carom_detection) carom_detection;
typedef CAROM_REAL(carom_detect_output) carom_detect_output;
typedef CAROM_REAL(carom_contact_rows) carom_contact_rows;
typedef CAROM_REAL(carom_block) carom_block;

/* Entries above which a cell among others is searched as a part. */
enum { CAROM_CROWDED = 16384 };

/* What one worker finds; on cache lines of its own. */
typedef struct carom_worker {
    _Alignas(CAROM_CACHE_LINE) uint64_t box_pairs;
    uint64_t touching_pairs;
    uint64_t touching_hash;
    uint64_t result_hash;
    uint64_t bad_row;   /* the first body whose row of exclusions is not valid */
    bool rows_ascend;   /* all rows of exclusions seen are in order */
    uint64_t partners;  /* neighbours in the rows of its bodies */
    void *block;        /* rows to be handed to the sink */
    void *narrow_block; /* with images: the same rounded to floats */
    uint32_t block_rows;
    double seconds[CAROM_PHASE_COUNT];
    carom_survey survey;
    carom_census census;
    carom_cell cell;
    carom_cell_space space;
} carom_worker;

/* What a filter tests by values, of the body in one slot. */
typedef struct carom_filter_slot {
    uint32_t category;
    uint32_t mask;
    uint32_t group;
    uint32_t fixed; /* 0 or 1 */
} carom_filter_slot;

/* The row of exclusions of the body in one slot, as far as it fits 64 bits. */
typedef struct carom_filter_row {
    uint64_t trace; /* a bit for each body in the row */
    uint32_t body;
    uint32_t bit; /* of the body itself, in the traces of others */
} carom_filter_row;

/* Consecutive cells, or consecutive entries of one large cell, worked through by one worker, and the rows it found
 * there. The same for any number of workers, and so is the order of the rows. */
typedef enum carom_task_state {
    CAROM_TASK_OPEN,
    CAROM_TASK_DONE,
    CAROM_TASK_SETTLED /* its rows are made, in their place, and its chunks given back */
} carom_task_state;

typedef struct carom_cell_task {
    uint32_t begin;
    uint32_t end;
    uint64_t rows;
    uint64_t first_row;
    uint64_t parts;    /* blocks handed to the sink */
    carom_chunk *head; /* pairs whose rows are not made yet; NULL where one worker does everything */
    carom_chunk *tail;
    _Atomic uint32_t state; /* carom_task_state */
} carom_cell_task;

/* The scene, or a part of it that is searched as a scene of its own: the entries of a crowded cell, or the bodies too
 * wide for the cells. */
typedef struct carom_part {
    uint32_t depth;          /* 0: the scene */
    carom_bodies bodies;     /* the caller's, or a part's own copy */
    const uint32_t *slot;    /* of each body; NULL for the scene, whose slots are places in records */
    const uint32_t *missing; /* of each body: bits from the cells around */
    carom_plan plan;
    carom_record *records; /* bodies are numbered within the part */
    const uint32_t *start;
    carom_guests guests;
    uint32_t *crowded; /* cells to be searched as parts */
    uint32_t crowded_count;
    uint64_t most_entries; /* in a cell that is not */
} carom_part;

typedef struct carom_detect_job {
    carom_context *context;
    const carom_bodies *bodies;
    const carom_detect_config *config;
    const carom_detect_output *output;
    carom_detection *detection;
    carom_error *error;
    carom_images *images;             /* of a periodic box, or NULL; then the job is an f64 one */
    const carom_image_source *source; /* with images: the caller's bodies; `bodies` are then images->bodies */
    bool narrow;                      /* with images: the caller's bodies and results are floats */
    const carom_detect_output_f32 *narrow_output; /* then: the caller's, for its sink; may be NULL */
    uint64_t owned;                               /* bodies that are the caller's, not images */
    bool follows;                                 /* a step of coherent detection: see carom_context_reserve_more */
    bool listed_anew;                             /* that has rebuilt its list, and so may ask for memory beforehand */
    const double *given_centre;                   /* NULL: chosen from the bodies */
    carom_worker *workers;
    double centre[3];                    /* of the scene: boxes are relative to it */
    carom_record *records;               /* of the scene, by slot */
    const carom_part *part;              /* being searched */
    const carom_cell_space *shared_cell; /* its only cell, if all workers sweep it */
    carom_union_find_parent *parent;
    _Atomic uint32_t *least;
    _Atomic uint32_t *size;
    uint32_t *body;
    carom_cell_task *tasks; /* of all parts so far */
    uint64_t task_count;
    _Atomic uint64_t next_task;
    uint64_t placed_tasks;          /* tasks, from the first on, whose rows have their places */
    uint64_t placed_rows;           /* rows of those */
    uint64_t made_tasks;            /* those whose rows are there, or about to be */
    _Atomic uint64_t next_made;     /* where all workers together are to make them */
    _Atomic uint64_t settled_tasks; /* those whose rows are there for certain */
    uint64_t window;                /* tasks that may be begun behind these */
    uint64_t widest_window;         /* of all parts so far */
    _Atomic uint32_t held_back;     /* more would have been: the workers are to come to an end */
    _Atomic uint32_t placing;       /* a worker is at the counts above, or at the block itself */
    _Atomic uint32_t making;        /* workers that make rows in the block */
    uint64_t entries;               /* boxes in all cells, borrowed ones too */
    carom_row_shape shape;
    bool store_rows;
    carom_filter_slot *filter_slots; /* NULL: no values to test */
    carom_filter_row *filter_rows;   /* NULL: no exclusions */
    uint64_t *traces;                /* the same a body, while they are made */
    bool rows_ascend;                /* all rows of exclusions are in order */
    bool deliver;                    /* rows go to the sink */
    _Atomic uint32_t delivered;      /* the sink has had a block: the call cannot begin again */
    _Atomic uint32_t stopped;        /* the sink has had enough */
    _Atomic uint32_t rows_lost;      /* memory gave out: rows are only counted from here on */
    double clock;                    /* end of the last phase */
} carom_detect_job;

/* Runs the job whose context, bodies, config, output, detection, given_centre and, for a periodic box, images, source,
 * narrow and narrow_output are set. On failure the detection is zero but for what is required, and *error (which may be
 * NULL) is written. */
carom_status CAROM_REAL(carom_detect_run_job)(carom_detect_job *job, carom_error *error);

/* The same with config->periodic, which has been checked. */
carom_status CAROM_REAL(carom_detect_run_periodic)(carom_context *context, const carom_bodies *bodies,
                                                   const carom_detect_config *config, const carom_detect_output *output,
                                                   carom_detection *detection, carom_error *error);

/* Makes the images of a periodic box, if the job has one. */
carom_status CAROM_REAL(carom_detect_images)(carom_detect_job *job);

/* Copies `count` final rows and the labels to the caller's arrays, and shows them in the detection. */
carom_status CAROM_REAL(carom_detect_hand_out)(carom_detect_job *job, const carom_rows *from, uint64_t count);

/* Adds the time since the last phase ended to `phase`. */
void CAROM_REAL(carom_detect_lap)(carom_detect_job *job, carom_phase phase);

/* Makes job->workers, all zero. */
carom_status CAROM_REAL(carom_detect_start_workers)(carom_detect_job *job);

/* Samples and surveys a part's bodies and plans it; of the scene chooses the centre, or names the first bad body. */
carom_status CAROM_REAL(carom_detect_survey)(carom_detect_job *job, carom_part *part, carom_method method);

/* The centre alone that a survey of these bodies would choose. */
void CAROM_REAL(carom_detect_centre)(const carom_bodies *bodies, double centre[3]);

/* Files and searches a part that has been planned, and the parts it leads to. */
carom_status CAROM_REAL(carom_detect_part)(carom_detect_job *job, carom_part *part);

/* Works through the cells of a part that are not crowded. */
carom_status CAROM_REAL(carom_detect_cells)(carom_detect_job *job, carom_part *part);

/* Notes which bodies are at slots [begin, end), for the groups. */
void CAROM_REAL(carom_detect_name_slots)(const carom_detect_job *job, uint64_t begin, uint64_t end);

/* Takes a block of pairs of overlapping boxes, in the worker's space, as far as the call goes. Returns the time. */
double CAROM_REAL(carom_detect_pairs)(carom_detect_job *job, carom_worker *worker, carom_cell_task *task, uint32_t hits,
                                      double clock);

/* Adds the time since `since` to the worker's share of a phase; returns the time. */
double CAROM_REAL(carom_detect_worker_lap)(carom_worker *worker, carom_phase phase, double since);

/* Names the first body with bad exclusions. */
carom_status CAROM_REAL(carom_detect_filter_check)(carom_detect_job *job);

/* Brings the filter's values into the order of the records. */
carom_status CAROM_REAL(carom_detect_filter_start)(carom_detect_job *job);

/* Keeps, in order and in place, the pairs that pass, and says how many they are. Cheap where there is no filter. */
uint32_t CAROM_REAL(carom_detect_filter_hits)(const carom_detect_job *job, uint32_t hits, uint32_t *slot_i,
                                              uint32_t *slot_k);

/* Before a team sets out on the tasks from `first` on, whose number is known. */
void CAROM_REAL(carom_detect_start_tasks)(carom_detect_job *job, uint64_t first);
/* For a worker: its next task. False: there are none, or so many whose rows wait for an earlier one's that all workers
 * should come to an end; then tasks_left says that some are left, and the team is to set out again. Without that a
 * worker kept from its task, by another program say, would let the others fill chunks with all the rows there are. */
bool CAROM_REAL(carom_detect_claim_task)(carom_detect_job *job, uint64_t *task);
bool CAROM_REAL(carom_detect_tasks_left)(carom_detect_job *job);

/* A task's rows have an end: they are made in their place when those of all tasks before have one. A worker calls these
 * before and after each task. */
void CAROM_REAL(carom_detect_begin_task)(carom_detect_job *job, carom_cell_task *task);
void CAROM_REAL(carom_detect_end_task)(carom_detect_job *job, carom_worker *worker, carom_cell_task *task);

/* Sets where each task's rows go; returns how many rows there are. Bytes of all chunks for them. Makes the rest of
 * them. */
uint64_t CAROM_REAL(carom_detect_count_rows)(carom_detect_job *job);
uint64_t CAROM_REAL(carom_detect_chunk_bytes)(const carom_detect_job *job);
/* What is written and read for a row, its bodies apart. */
double CAROM_REAL(carom_detect_row_bytes)(const carom_detect_job *job);
carom_status CAROM_REAL(carom_detect_join_rows)(carom_detect_job *job, uint64_t rows);
/* Once rows are counted and joined: sees to it that another such call finds all the chunks that it can need. */
void CAROM_REAL(carom_detect_keep_chunks)(carom_detect_job *job);

/* Writes the rows of `count` pairs from row `at` of a block of `capacity` on. */
void CAROM_REAL(carom_detect_put_rows)(const carom_detect_job *job, void *block, uint64_t capacity, uint64_t at,
                                       uint32_t count, const uint32_t *slot_i, const uint32_t *slot_k);

/* Rows for the sink: whether there is one; room for them and for all that comes after; a worker's pairs; what is left
 * of a task; STOPPED if the sink said so. */
bool CAROM_REAL(carom_detect_has_sink)(const carom_detect_job *job);
carom_status CAROM_REAL(carom_detect_blocks_start)(carom_detect_job *job);
void CAROM_REAL(carom_detect_blocks_append)(carom_detect_job *job, carom_worker *worker, carom_cell_task *task,
                                            uint32_t count, const uint32_t *slot_i, const uint32_t *slot_k);
void CAROM_REAL(carom_detect_blocks_flush)(carom_detect_job *job, carom_worker *worker, carom_cell_task *task);
bool CAROM_REAL(carom_detect_stopped)(const carom_detect_job *job);
carom_status CAROM_REAL(carom_detect_blocks_end)(carom_detect_job *job);

/* Sets job->shape and makes room for rows. */
void CAROM_REAL(carom_detect_prepare_rows)(carom_detect_job *job);

/* Rows of `count` pairs of slots, stored at the end of the task's or on their way to the sink. */
void CAROM_REAL(carom_detect_store_pairs)(carom_detect_job *job, carom_worker *worker, carom_cell_task *task,
                                          uint32_t count, const uint32_t *slot_i, const uint32_t *slot_k);

/* touching_hash: the sum over touching pairs of a mixed (i, k). */
uint64_t CAROM_REAL(carom_detect_hash_pairs)(const carom_detect_job *job, uint32_t count, const uint32_t *slot_i,
                                             const uint32_t *slot_k);

/* The wall time since the last phase ended, shared out among the phases as the workers' time was. */
void CAROM_REAL(carom_detect_share_time)(carom_detect_job *job);

/* That of the job's rows once they are rounded to float. */
carom_row_shape CAROM_REAL(carom_detect_narrow_shape)(const carom_detect_job *job);

/* Joins, orders and hands out what the cells found. */
carom_status CAROM_REAL(carom_detect_collect)(carom_detect_job *job);

/* Neighbours of every body from the stored rows; bytes that takes. */
carom_status CAROM_REAL(carom_detect_neighbours)(carom_detect_job *job, uint64_t rows);
uint64_t CAROM_REAL(carom_detect_neighbour_bytes)(const carom_detect_job *job, uint64_t rows);

/* Room for the member lists of up to `groups` groups. */
carom_status CAROM_REAL(carom_detect_members_reserve)(carom_detect_job *job, uint64_t groups);

/* Labels and lists from the unions. */
carom_status CAROM_REAL(carom_detect_groups)(carom_detect_job *job);

/* Order-free hash of rows [begin, end). */
uint64_t CAROM_REAL(carom_detect_hash_rows)(const carom_detection *rows, uint64_t begin, uint64_t end);

/* The members of each of `groups` groups, from their labels. */
carom_status CAROM_REAL(carom_detect_list_members)(carom_detect_job *job, uint64_t groups);

/* Order-free hashes of all results. */
void CAROM_REAL(carom_detect_hash)(carom_detect_job *job);

/* MEMORY once the rows are counted: every buffer that rows and member lists pass through is given back, and what they
 * all need is added to what the context then still holds. */
carom_status CAROM_REAL(carom_detect_no_room)(carom_detect_job *job);

/* MEMORY, with what would have been enough. */
carom_status CAROM_REAL(carom_detect_no_memory)(carom_detect_job *job, uint64_t required);

#endif
