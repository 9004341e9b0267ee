/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: pairs and what to compute. Out: gaps and manifolds in the caller's arrays. */
#include "kernel/narrow/batch_tmpl.h"

#include <string.h>

#include "kernel/narrow/columns_tmpl.h"
#include "kernel/narrow/job_tmpl.h"
#include "kernel/narrow/manifold.h"
#include "kernel/shape/table.h"
#include "simd/ref/round.h"
#include "simd/vector.h"

/* Some pairs of a chunk: pair n is the caller's begin + number[n]. */
typedef struct pairs_left {
    uint64_t begin;
    uint32_t count;
    bool all; /* number[n] is n */
    const uint32_t *number;
    const carom_seek_start *starts; /* where searches for them begin, by their numbers; NULL: anywhere */
} pairs_left;

/* A set of all places. */
static uint64_t all_of(uint32_t count) {
    return count < CAROM_MANY_PAIRS ? ((uint64_t)1 << count) - 1 : UINT64_MAX;
}

static uint64_t row_of(const pairs_left *left, uint32_t pair) {
    return left->begin + left->number[pair];
}

static void write_row(const carom_batch_rows *rows, const carom_pair_answer *answer, uint64_t row) {
    if (rows->state != NULL) {
        rows->state[row] = (uint8_t)answer->state;
    }
    if (rows->gap == NULL) {
        return;
    }
    carom_round_gap(answer, &rows->gap[row]);
    if (rows->manifold != NULL) {
        carom_round_manifold(&answer->manifold, &rows->manifold[row]);
    }
}

/* The state of a pair that floats decided, at a place. No branch asks for it: that is as good as random. */
static inline carom_gap_state quick_state(const carom_quick_gaps *gaps, uint32_t place) {
    return CAROM_GAP_TOUCHING - (gaps->apart >> place & 1) * CAROM_GAP_TOUCHING;
}

/* The row of such a pair. What floats leave out is 0. */
static inline __attribute__((always_inline)) void write_quick(const carom_quick_gaps *gaps, uint32_t place,
                                                              carom_gap_row *row) {
    memset(row, 0, sizeof *row); /* the bytes between members, too */
    row->state = quick_state(gaps, place);
    row->distance = gaps->distance[place];
    row->lower = gaps->lower[place];
    row->upper = gaps->upper[place];
}

/* Pair number[c] of `left` is at place c. States of pairs that are not decided mean nothing. */
static void write_quick_rows(const carom_batch_rows *rows, const carom_quick_gaps *gaps, const uint32_t *number,
                             const pairs_left *left) {
    const uint64_t known = gaps->apart | gaps->touching;
    for (uint32_t c = 0; c < left->count && rows->state != NULL; c++) {
        rows->state[row_of(left, number[c])] = (uint8_t)quick_state(gaps, c);
    }
    for (uint64_t rest = rows->gap != NULL ? known : 0; rest != 0; rest &= rest - 1) {
        const uint32_t c = (uint32_t)__builtin_ctzll(rest);
        write_quick(gaps, c, &rows->gap[row_of(left, number[c])]);
    }
    for (uint64_t rest = rows->manifold != NULL ? known : 0; rest != 0; rest &= rest - 1) {
        const uint64_t at = row_of(left, number[__builtin_ctzll(rest)]);
        memset(&rows->manifold[at], 0, sizeof rows->manifold[at]);
    }
}

static void answer_gap(const carom_job *job, const carom_job_body *i, const carom_job_body *k, uint64_t row) {
    const carom_batch_rows *rows = job->rows;
    carom_gap_task task = *(const carom_gap_task *)job->task;
    carom_pair_answer answer;
    carom_quick_gaps quick = {.apart = 0, .touching = 0};
    carom_seek_start start;
    task.axes = task.axes != NULL ? task.axes + 3 * row : NULL;
    if (job->shapes != NULL) {
        carom_quick_pair(job->shapes, &i->numbers, &k->numbers, &task, &quick, &start);
        task.starts = &start;
    }
    if ((quick.apart | quick.touching) != 0) {
        const uint32_t first = 0;
        const pairs_left one = {.begin = row, .count = 1, .all = true, .number = &first};
        write_quick_rows(rows, &quick, &first, &one);
        return;
    }
    carom_pair_find(&i->body.posed, &k->body.posed, &task, &answer);
    write_row(rows, &answer, row);
}

/* The manifold of the pair at a place. */
static void write_manifold(const carom_job *job, const carom_many *many, uint32_t place, uint64_t row) {
    const carom_batch_rows *rows = job->rows;
    const carom_gap_task *task = job->task;
    const double origin[3] = {many->block.origin[0][place], many->block.origin[1][place], many->block.origin[2][place]};
    carom_pair_answer answer;
    carom_posed i;
    carom_posed k;
    carom_block_get_gap(&many->block, place, &answer.gap);
    carom_many_posed(many, place, &i, &k);
    carom_pair_manifold(&i, &k, origin, task->margin, &answer);
    rows->gap[row].point_count = (uint8_t)answer.point_count;
    carom_round_manifold(&answer.manifold, &rows->manifold[row]);
}

/* The z axis of a body, of any length. */
static void axis_of(const carom_block_side *side, uint32_t place, double axis[3]) {
    const double x = side->turn[0][place];
    const double y = side->turn[1][place];
    const double z = side->turn[2][place];
    const double w = side->turn[3][place];
    axis[0] = 2.0 * (x * z + w * y);
    axis[1] = 2.0 * (y * z - w * x);
    axis[2] = (w * w + z * z) - (x * x + y * y);
}

/* Two capsules that carom_edges_find cannot take for parallel: asked here because most are not. */
static bool are_askew(const carom_block_side *side, uint32_t place) {
    static const double least = CAROM_MANIFOLD_PARALLEL * CAROM_MANIFOLD_PARALLEL - 0.01;
    double a[3];
    double b[3];
    axis_of(&side[0], place, a);
    axis_of(&side[1], place, b);
    const double cosine = carom_vector_dot(a, b);
    return cosine * cosine < least * carom_vector_dot(a, a) * carom_vector_dot(b, b);
}

/* Whether the shapes at a place touch in one point. */
static bool is_point(const carom_many *many, uint32_t place) {
    const carom_block_side *side = many->block.side;
    const carom_shape_kind i = side[0].shape[place]->kind;
    const carom_shape_kind k = side[1].shape[place]->kind;
    return carom_manifold_is_point(i, k) ||
           (i == CAROM_SHAPE_CAPSULE && k == CAROM_SHAPE_CAPSULE && are_askew(side, place));
}

/* Of the pair at a place, whose shapes touch in one point: poses do not matter. */
static void write_point(const carom_many *many, uint32_t place, const carom_batch_rows *rows, uint64_t row) {
    carom_manifold_row *manifold = &rows->manifold[row];
    carom_gap gap;
    double point[3];
    carom_block_get_gap(&many->block, place, &gap);
    const double separation = carom_manifold_point(&gap, point);
    memset(manifold, 0, sizeof *manifold);
    for (int d = 0; d < 3; d++) {
        manifold->point[0][d] = carom_round_near(point[d] + many->block.origin[d][place]);
    }
    manifold->gap[0] = carom_round_near(separation);
    rows->gap[row].point_count = 1;
}

static void write_box_manifolds(const carom_job *job, const carom_job_block *block, const pairs_left *left) {
    const carom_batch_rows *rows = job->rows;
    const carom_gap_task *task = job->task;
    const carom_many_manifolds *boxes = &block->manifolds;
    carom_manifold_row *row[CAROM_MANY_PAIRS];
    for (uint32_t n = 0; n < boxes->count; n++) {
        const uint64_t at = row_of(left, block->many.number[boxes->list.place[n]]);
        rows->gap[at].point_count = (uint8_t)boxes->manifolds.count[n];
        row[n] = &rows->manifold[at];
    }
    carom_kernels_of(task->simd)->manifold_rows(boxes->manifolds.points, boxes->count, row);
}

/* The manifolds of pairs that are not apart; of others there is nothing. Those of boxes that overlap are there; other
 * boxes go through the kernel together. */
static void write_manifolds(const carom_job *job, carom_job_block *block, const pairs_left *left) {
    const carom_batch_rows *rows = job->rows;
    const carom_many *many = &block->many;
    carom_many_manifolds *boxes = &block->manifolds;
    const uint64_t all = all_of(many->count);
    const uint64_t apart = all & block->gaps.apart;
    uint64_t open = all & ~apart & ~boxes->found;
    write_box_manifolds(job, block, left);
    carom_many_box_manifolds(many, open, job->task, boxes);
    write_box_manifolds(job, block, left);
    for (open &= ~boxes->found; open != 0; open &= open - 1) {
        const uint32_t c = (uint32_t)__builtin_ctzll(open);
        const uint64_t row = row_of(left, many->number[c]);
        if (is_point(many, c)) {
            write_point(many, c, rows, row);
        } else {
            write_manifold(job, many, c, row);
        }
    }
    for (uint64_t rest = apart; rest != 0; rest &= rest - 1) {
        const uint64_t at = row_of(left, many->number[__builtin_ctzll(rest)]);
        memset(&rows->manifold[at], 0, sizeof rows->manifold[at]);
    }
}

/* The state of the pair at a place. */
static inline carom_gap_state state_at(const carom_gap_rows *gaps, uint32_t place) {
    static const carom_gap_state states[4] = {CAROM_GAP_CLOSE, CAROM_GAP_SEPARATED, CAROM_GAP_TOUCHING};
    return states[(gaps->apart >> place & 1) | (gaps->touching >> place & 1) << 1];
}

/* Writes a row for each place from its bracket, and sets `apart` and `touching`. Vectors also write past the last
 * place: into *spare. */
static void write_gaps(const carom_job *job, carom_job_block *block, const pairs_left *left, carom_gap_row *spare) {
    const carom_batch_rows *rows = job->rows;
    const carom_gap_task *task = job->task;
    const carom_many *many = &block->many;
    carom_gap_rows *gaps = &block->gaps;
    const carom_gap_limits limits = {.margin = task->margin,
                                     .tolerance = task->tolerance,
                                     .apart = carom_gap_wants_apart(task->detail),
                                     .touching = carom_gap_wants_touching(task->detail),
                                     .rows = rows->gap != NULL};
    for (uint32_t c = 0; c < many->count && limits.rows; c++) {
        gaps->row[c] = &rows->gap[row_of(left, many->number[c])];
    }
    for (uint32_t c = many->count; c < many->count + CAROM_SIMD_PAD; c++) {
        gaps->row[c] = spare;
    }
    gaps->apart = gaps->touching = 0;
    carom_kernels_of(task->simd)->gap_rows(&block->many.block, 0, many->count, &limits, gaps);
}

static void write_pairs(const carom_job *job, carom_job_block *block, const pairs_left *left) {
    const carom_batch_rows *rows = job->rows;
    const carom_many *many = &block->many;
    carom_gap_row spare;
    write_gaps(job, block, left, &spare);
    for (uint32_t c = 0; c < many->count && rows->state != NULL; c++) {
        rows->state[row_of(left, many->number[c])] = (uint8_t)state_at(&block->gaps, c);
    }
    if (rows->manifold != NULL) {
        write_manifolds(job, block, left);
    }
}

/* The bodies of the pairs in one of the caller's lists: a part of it, or in `room`. */
static const uint32_t *bodies_left(const uint32_t *list, const pairs_left *left, uint32_t room[CAROM_MANY_PAIRS]) {
    const uint32_t *from = list + left->begin;
    if (left->all) {
        return from;
    }
    for (uint32_t n = 0; n < left->count; n++) {
        room[n] = from[left->number[n]];
    }
    return room;
}

/* Most pairs go through the kernels together: here at most CAROM_MANY_PAIRS. Those that do not, and all that may be
 * invalid, are answered one by one, after the others, whose rows for them have no meaning. */
static void answer_part(carom_job *job, carom_job_block *block, const pairs_left *left) {
    carom_gap_task task = *(const carom_gap_task *)job->task;
    const carom_job_pairs *pairs = job->pairs;
    const carom_batch_rows *rows = job->rows;
    carom_many *many = &block->many;
    const uint32_t count = left->count;
    many->alone = all_of(count);
    if (pairs->bodies->shapes != NULL) {
        uint32_t room[2][CAROM_MANY_PAIRS];
        carom_columns_load(pairs->bodies, bodies_left(pairs->i, left, room[0]), bodies_left(pairs->k, left, room[1]),
                           count, many);
        task.axes = task.axes != NULL ? task.axes + 3 * left->begin : NULL;
        task.number = left->number;
        task.starts = left->starts;
        carom_many_find(many, &task, rows->manifold != NULL ? &block->manifolds : NULL);
        write_pairs(job, block, left);
    }
    for (uint64_t rest = many->alone; rest != 0; rest &= rest - 1) {
        carom_job_answer_pair(job, block, left->begin + left->number[__builtin_ctzll(rest)]);
    }
}

/* Rows are written soon, and all their lines are fetched together. */
static inline __attribute__((always_inline)) void fetch_rows(const carom_gap_row *rows, uint32_t count) {
    const char *const begin = (const char *)rows;
    for (uint64_t at = 0; at < count * sizeof *rows; at += CAROM_CACHE_LINE) {
        __builtin_prefetch(begin + at, 1);
    }
}

/* Writes the rows of those pairs that floats decide. Returns the others, bit c for the pair at place c of block->quick.
 * Rows of doubles are not fetched: they take so many lines that they would be late. */
static uint64_t answer_quickly(const carom_job *job, carom_job_block *block, const pairs_left *part) {
    const carom_job_pairs *pairs = job->pairs;
    const carom_batch_rows *rows = job->rows;
    carom_quick_work *quick = &block->quick;
    carom_gap_task task = *(const carom_gap_task *)job->task;
    uint32_t room[2][CAROM_MANY_PAIRS];
    task.axes = task.axes != NULL ? task.axes + 3 * part->begin : NULL;
    if (rows->gap != NULL && sizeof(carom_real) == sizeof(float) && part->all) {
        fetch_rows(&rows->gap[part->begin], part->count);
    }
    carom_quick_find(pairs->bodies, bodies_left(pairs->i, part, room[0]), bodies_left(pairs->k, part, room[1]),
                     part->count, &task, quick);
    write_quick_rows(rows, &quick->gaps, quick->number, part);
    return all_of(part->count) & ~(quick->gaps.apart | quick->gaps.touching);
}

/* Up to CAROM_MANY_PAIRS pairs of a chunk, from pair `done` of its list on. A list of all pairs in their order is that
 * of a part, too. */
static pairs_left part_of(const pairs_left *chunk, uint32_t done) {
    const uint32_t rest = chunk->count - done;
    const uint32_t count = rest < CAROM_MANY_PAIRS ? rest : CAROM_MANY_PAIRS;
    return (pairs_left){.begin = chunk->all ? chunk->begin + done : chunk->begin,
                        .count = count,
                        .all = chunk->all,
                        .number = chunk->all ? chunk->number : chunk->number + done,
                        .starts = chunk->starts};
}

/* Lists the pairs of a chunk that floats do not decide. */
static void list_left(const carom_job *job, carom_job_block *block, const pairs_left *chunk, pairs_left *left) {
    *left = (pairs_left){.begin = chunk->begin, .number = block->open, .starts = block->starts};
    for (uint32_t done = 0; done < chunk->count; done += CAROM_MANY_PAIRS) {
        const pairs_left part = part_of(chunk, done);
        for (uint64_t rest = answer_quickly(job, block, &part); rest != 0; rest &= rest - 1) {
            const uint32_t c = (uint32_t)__builtin_ctzll(rest);
            const uint32_t number = (uint32_t)(row_of(&part, block->quick.number[c]) - chunk->begin);
            block->open[left->count++] = number;
            if (block->quick.has_starts) {
                block->starts[number] = block->quick.start[c];
            }
        }
    }
}

/* A run is numbered by both kinds. */
enum { KINDS = CAROM_SHAPE_COMPOUND + 1, RUNS = KINDS * KINDS };

/* The run of each pair of a chunk, and how many pairs each has. Returns whether there are several. */
static bool find_runs(const carom_job_pairs *pairs, uint64_t begin, uint32_t count, uint8_t *run,
                      uint32_t pairs_of[RUNS]) {
    uint32_t different = 0;
    memset(pairs_of, 0, RUNS * sizeof *pairs_of);
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t kind_i = carom_gather_kind(pairs->bodies, pairs->i[begin + n]);
        const uint32_t kind_k = carom_gather_kind(pairs->bodies, pairs->k[begin + n]);
        run[n] = (uint8_t)(kind_i * KINDS + kind_k);
        different |= (uint32_t)(run[n] ^ run[0]);
        pairs_of[run[n]]++;
    }
    return different != 0;
}

/* Lists the pairs of a chunk, those of a run one after the other: the kernels take those together. As they are if there
 * are axes, which calls keep in the order of pairs. */
static void list_all(const carom_job *job, carom_job_block *block, uint64_t begin, uint32_t count, pairs_left *chunk) {
    const carom_gap_task *task = job->task;
    const bool one_kind = job->shapes == NULL || job->shapes->one_kind || task->axes != NULL;
    uint32_t next[RUNS];
    *chunk = (pairs_left){.begin = begin, .count = count, .number = block->listed};
    chunk->all = one_kind || !find_runs(job->pairs, begin, count, block->run, next);
    for (uint32_t n = 0; n < count && chunk->all; n++) {
        block->listed[n] = n;
    }
    uint32_t at = 0;
    for (uint32_t r = 0; r < RUNS && !chunk->all; r++) {
        const uint32_t run = next[r];
        next[r] = at;
        at += run;
    }
    for (uint32_t n = 0; n < count && !chunk->all; n++) {
        block->listed[next[block->run[n]]++] = n;
    }
}

static void answer_gaps(carom_job *job, carom_job_block *block, uint64_t begin, uint32_t count) {
    const carom_batch_rows *rows = job->rows;
    pairs_left left;
    list_all(job, block, begin, count, &left);
    if (job->shapes != NULL && carom_quick_is_asked(job->shapes, job->task)) {
        const pairs_left chunk = left;
        list_left(job, block, &chunk, &left);
    }
    for (uint32_t done = 0; done < left.count; done += CAROM_MANY_PAIRS) {
        const pairs_left part = part_of(&left, done);
        if (rows->gap != NULL && part.all) {
            fetch_rows(&rows->gap[part.begin], part.count);
        }
        answer_part(job, block, &part);
    }
}

carom_status carom_batch_gaps(carom_context *context, const carom_job_pairs *pairs, const carom_gap_task *task,
                              carom_batch_rows *rows, carom_error *error) {
    carom_gap_task own = *task;
    carom_job job = {.pairs = pairs,
                     .shapes = pairs->bodies->shapes,
                     .answer = answer_gap,
                     .answer_block = answer_gaps,
                     .task = &own,
                     .rows = rows,
                     .chunk = CAROM_JOB_CHUNK,
                     .context = context};
    own.simd = context->simd;
    own.control = context->team.control;
    return carom_job_run(&job, error);
}

carom_status carom_batch_gap(const carom_shapes *shapes, const carom_pose *i, const carom_pose *k,
                             const carom_gap_task *task, carom_batch_rows *rows, carom_error *error) {
    carom_job job = {.shapes = shapes, .answer = answer_gap, .task = task, .rows = rows};
    carom_job_body body_i;
    carom_job_body body_k;
    carom_gather_pose(i, &body_i.numbers);
    carom_gather_pose(k, &body_k.numbers);
    return carom_job_one(&job, shapes, &body_i, &body_k, error);
}
