/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Two bodies that both rest have a signed distance, all others a time of impact. A row is computed when it is written,
 * from the two bodies again: pairs wait for their places as slots. In a periodic box body i is where the caller has it,
 * and body k is moved by the edges that the row's shift names. */
#include "kernel/detect/shaped/shape_pairs_tmpl.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/detect/shaped/shape_source.h"
#include "kernel/detect/shaped/shape_work.h"
#include "kernel/narrow/columns_tmpl.h"
#include "kernel/narrow/moving.h"
#include "kernel/narrow/pair.h"
#include "kernel/narrow/round_tmpl.h"
#include "kernel/periodic/image_pair.h"
#include "kernel/shape/table.h"
#include "simd/apart_boxes.h"
#include "simd/compare.h"
#include "simd/vector.h"

/* Relative to the smaller shape, as the defaults of carom/distance.h and carom/toi.h for floats and doubles. */
static const double DISTANCE_TOLERANCE[2] = {0x1p-20, 0x1p-40};
static const double TOI_TOLERANCE[2] = {1e-4, 1e-9};
static const double TOI_LEAST = 0x1p-40;

/* The most poses that a time of impact looks at. */
enum { ITERATIONS = 64 };

/* Their frames would otherwise be parts of those of functions from which searches are called: stacks may be small. */
#define NOT_INLINED __attribute__((noinline))

static bool in_floats(const carom_detect_job *job) {
    return sizeof(carom_real) == sizeof(float) || job->periodic.float_results;
}

static double distance_tolerance(const carom_detect_job *job) {
    return job->config->tolerance > 0.0 ? job->config->tolerance : DISTANCE_TOLERANCE[in_floats(job) ? 0 : 1];
}

static void name_images(const carom_images *images, carom_shape_two *pair) {
    const carom_image_pair named = carom_image_pair_of(images, pair->searched[0], pair->searched[1]);
    pair->body_i = named.i;
    pair->body_k = named.k;
    if (named.shift[0] != 0 || named.shift[1] != 0 || named.shift[2] != 0) {
        carom_lattice_displacement(&images->lattice, (double[3]){named.shift[0], named.shift[1], named.shift[2]},
                                   pair->by);
    }
}

static void name_pair(const carom_detect_job *job, uint32_t slot_i, uint32_t slot_k, carom_shape_two *pair) {
    const uint32_t a = (uint32_t)job->search.records[slot_i].body;
    const uint32_t b = (uint32_t)job->search.records[slot_k].body;
    pair->searched[0] = a < b ? a : b;
    pair->searched[1] = a < b ? b : a;
    pair->body_i = pair->searched[0];
    pair->body_k = pair->searched[1];
    memset(pair->by, 0, sizeof pair->by);
    if (job->periodic.images != NULL) {
        name_images(job->periodic.images, pair);
    }
}

/* What the caller says of the two bodies. */
static void load_pair(const carom_detect_job *job, carom_shape_two *pair) {
    const carom_shape_source *source = job->shapes.source;
    carom_shape_source_gather(source, pair->body_i, &pair->i);
    carom_shape_source_gather(source, pair->body_k, &pair->k);
    pair->shape_i = &source->shapes->entry[pair->i.shape];
    pair->shape_k = &source->shapes->entry[pair->k.shape];
    for (int d = 0; d < 3 && job->periodic.images != NULL; d++) {
        pair->k.at[d] += pair->by[d];
    }
}

static void pose_body(const carom_body_numbers *body, const carom_shape_entry *shape, carom_posed *posed) {
    posed->shape = shape;
    carom_pose_turn(body->turn, posed->turn);
    memcpy(posed->at, body->at, sizeof posed->at);
}

/* The answer at the start of the step. */
static void find_distance(const carom_detect_job *job, const carom_shape_two *pair, carom_gap_detail detail,
                          carom_pair_answer *answer) {
    const carom_gap_task task = {.detail = detail, .margin = job->config->margin, .tolerance = distance_tolerance(job)};
    carom_posed i;
    carom_posed k;
    pose_body(&pair->i, pair->shape_i, &i);
    pose_body(&pair->k, pair->shape_k, &k);
    carom_pair_find(&i, &k, &task, answer);
}

static carom_toi_task impact_task(const carom_detect_job *job) {
    const double tolerance = job->config->tolerance;
    return (carom_toi_task){.margin = job->config->margin,
                            .tolerance = tolerance > 0.0 ? carom_greater(tolerance, TOI_LEAST)
                                                         : TOI_TOLERANCE[in_floats(job) ? 0 : 1],
                            .iterations_max = ITERATIONS,
                            .simd = job->context->simd};
}

static void find_impact(const carom_detect_job *job, const carom_shape_two *pair, carom_toi_found *found) {
    const carom_toi_task task = impact_task(job);
    carom_moving_find(&pair->i, pair->shape_i, &pair->k, pair->shape_k, &task, found);
}

/* Whether an answer relative to k's position is one of a pair that counts as touching. */
static bool is_contact(const carom_detect_job *job, const carom_moving moving[2], const carom_toi_found *found) {
    return found->state != CAROM_TOI_NONE && (!job->config->approaching || carom_moving_approaches(moving, found));
}

static NOT_INLINED bool touches(const carom_detect_job *job, const carom_shape_two *pair) {
    if (carom_body_rests(&pair->i) && carom_body_rests(&pair->k)) {
        carom_pair_answer answer;
        find_distance(job, pair, CAROM_GAP_STATE, &answer);
        return answer.state != CAROM_GAP_SEPARATED;
    }
    const carom_toi_task task = impact_task(job);
    carom_moving moving[2];
    carom_toi_found found;
    if (carom_moving_pair(&pair->i, pair->shape_i, &pair->k, pair->shape_k, moving, &found)) {
        carom_toi_find(&moving[0], &moving[1], &task, &found);
    }
    return is_contact(job, moving, &found);
}

/* Whether both bodies rest, as the pass over all bodies found. */
static bool is_at_rest(const carom_detect_job *job, const carom_shape_two *pair) {
    const carom_shape_state *state = &job->shapes;
    return state->paths == NULL ||
           (state->paths[pair->body_i][CAROM_PATH_RESTS] > 0.0F && state->paths[pair->body_k][CAROM_PATH_RESTS] > 0.0F);
}

static inline __attribute__((always_inline)) void fetch_pair(const carom_detect_job *job, const carom_shape_two *pair) {
    __builtin_prefetch(&job->shapes.poses[pair->body_i]);
    __builtin_prefetch(&job->shapes.poses[pair->body_k]);
}

/* Into the columns, with the edges that bodies k are moved by. */
static void load_resting(const carom_detect_job *job, carom_shape_work *work) {
    const carom_shape_state *state = &job->shapes;
    carom_shape_resting *block = &work->resting;
    carom_many *many = &work->many;
    if (state->poses != NULL) {
        carom_columns_load_poses(state->source->shapes, state->poses, block->i, block->k, block->count,
                                 job->context->simd, many);
    } else {
        carom_shape_source_load_pairs(state->source, block->i, block->k, block->count, many);
    }
    for (uint32_t c = 0; c < many->count && job->periodic.images != NULL; c++) {
        for (int d = 0; d < 3; d++) {
            carom_many_k(many, c)->at[d][c] += block->by[many->number[c]][d];
        }
    }
}

/* Finds the distances of those pairs of a block, at most CAROM_MANY_PAIRS, that are at rest and without compounds. If
 * only pairs that approach count, pairs at rest are left out. */
static void find_resting(const carom_detect_job *job, uint32_t count, const uint32_t *slot_i, const uint32_t *slot_k,
                         carom_gap_detail detail, carom_shape_work *work) {
    const carom_shape_state *state = &job->shapes;
    const carom_gap_task task = {.detail = detail,
                                 .margin = job->config->margin,
                                 .tolerance = distance_tolerance(job),
                                 .simd = job->context->simd};
    carom_shape_resting *block = &work->resting;
    carom_many *many = &work->many;
    block->count = 0;
    block->alone = 0;
    for (uint32_t n = 0; n < count; n++) {
        carom_shape_two pair;
        name_pair(job, slot_i[n], slot_k[n], &pair);
        if (state->poses != NULL) {
            fetch_pair(job, &pair);
        }
        if (!is_at_rest(job, &pair)) {
            block->alone |= (uint64_t)1 << n;
            continue;
        }
        if (job->config->approaching) {
            continue;
        }
        block->i[block->count] = pair.body_i;
        block->k[block->count] = pair.body_k;
        memcpy(block->by[block->count], pair.by, sizeof pair.by);
        block->pair[block->count++] = n;
    }
    load_resting(job, work);
    carom_many_find(many, &task, NULL);
    for (uint64_t rest = many->alone; rest != 0; rest &= rest - 1) {
        block->alone |= (uint64_t)1 << block->pair[__builtin_ctzll(rest)];
    }
}

/* Finds the times of impact of those of the other pairs that move, without compounds; they are no longer alone. */
static void find_moving(const carom_detect_job *job, const uint32_t *slot_i, const uint32_t *slot_k,
                        carom_shape_work *work) {
    const carom_toi_task task = impact_task(job);
    carom_shape_resting *block = &work->resting;
    carom_rounds *rounds = &work->rounds;
    rounds->count = 0;
    for (uint64_t rest = job->shapes.source->moving ? block->alone : 0; rest != 0; rest &= rest - 1) {
        const uint32_t n = (uint32_t)__builtin_ctzll(rest);
        const uint32_t at = rounds->count;
        carom_shape_two pair;
        carom_toi_found given_up;
        name_pair(job, slot_i[n], slot_k[n], &pair);
        if (is_at_rest(job, &pair)) {
            continue;
        }
        load_pair(job, &pair);
        if (pair.shape_i->kind == CAROM_SHAPE_COMPOUND || pair.shape_k->kind == CAROM_SHAPE_COMPOUND ||
            !carom_moving_pair(&pair.i, pair.shape_i, &pair.k, pair.shape_k, rounds->pair[at].body, &given_up)) {
            continue;
        }
        work->pair[at] = n;
        memcpy(work->origin[at], pair.k.at, sizeof work->origin[at]);
        rounds->count++;
        block->alone &= ~((uint64_t)1 << n);
    }
    carom_rounds_find(rounds, &task);
}

/* Decides a block of pairs: bit n of the result is that of pair n. */
static uint64_t find_touching(const carom_detect_job *job, uint32_t count, const uint32_t *slot_i,
                              const uint32_t *slot_k, carom_shape_work *work) {
    uint64_t touching = 0;
    find_resting(job, count, slot_i, slot_k, CAROM_GAP_STATE, work);
    for (uint32_t c = 0; c < work->many.count; c++) {
        touching |= (uint64_t) !(work->many.block.lower[c] > job->config->margin)
                    << work->resting.pair[work->many.number[c]];
    }
    touching &= ~work->resting.alone;
    find_moving(job, slot_i, slot_k, work);
    for (uint32_t m = 0; m < work->rounds.count; m++) {
        const carom_rounds_pair *pair = &work->rounds.pair[m];
        touching |= (uint64_t)is_contact(job, pair->body, &pair->search.found) << work->pair[m];
    }
    for (uint64_t rest = work->resting.alone; rest != 0; rest &= rest - 1) {
        const uint32_t n = (uint32_t)__builtin_ctzll(rest);
        name_pair(job, slot_i[n], slot_k[n], &work->two);
        load_pair(job, &work->two);
        touching |= (uint64_t)touches(job, &work->two) << n;
    }
    return touching;
}

/* From which gap on no test of pairs could doubt that two shapes are apart: a bracket is no wider than the tolerance
 * times the pair's size, and a time of impact is early by no more. */
static carom_apart apart_of(const carom_detect_job *job) {
    const double impact = job->shapes.paths != NULL ? 4.0 * impact_task(job).tolerance : 0.0;
    return (carom_apart){.box = job->shapes.source->shapes->box[0],
                         .margin = (float)carom_lesser(job->config->margin, (double)FLT_MAX),
                         .slack = CAROM_APART_ROUNDING + (float)carom_lesser(distance_tolerance(job) + impact, 1.0)};
}

/* Drops the pairs of a block that are apart by boxes in their own frames. Returns how many are left. */
static uint32_t drop_apart(const carom_detect_job *job, const carom_apart *apart, uint32_t count, uint32_t *slot_i,
                           uint32_t *slot_k, carom_shape_boxed *boxed) {
    const carom_shape_state *state = &job->shapes;
    const carom_simd *simd = job->context->simd;
    for (uint32_t n = 0; n < count; n++) {
        boxed->i[n] = (uint32_t)job->search.records[slot_i[n]].body;
        boxed->k[n] = (uint32_t)job->search.records[slot_k[n]].body;
        if (state->poses != NULL) {
            __builtin_prefetch(&state->poses[boxed->i[n]]);
            __builtin_prefetch(&state->poses[boxed->k[n]]);
        } else {
            __builtin_prefetch(&state->paths[boxed->i[n]]);
            __builtin_prefetch(&state->paths[boxed->k[n]]);
        }
    }
    const uint32_t left =
        state->poses != NULL
            ? carom_kernels_of(simd)->apart(apart, state->poses->at, boxed->i, boxed->k, count, boxed->kept)
            : simd->apart_moving(apart, state->paths[0], boxed->i, boxed->k, count, boxed->kept);
    for (uint32_t n = 0; n < left; n++) {
        slot_i[n] = slot_i[boxed->kept[n]];
        slot_k[n] = slot_k[boxed->kept[n]];
    }
    return left;
}

/* The same for all pairs, if bodies are where the caller has them. */
static uint32_t drop_all_apart(const carom_detect_job *job, uint32_t worker, uint32_t count, uint32_t *slot_i,
                               uint32_t *slot_k) {
    const carom_apart apart = apart_of(job);
    uint32_t kept = 0;
    if (job->periodic.images != NULL) {
        return count;
    }
    for (uint32_t begin = 0; begin < count; begin += CAROM_MANY_PAIRS) {
        const uint32_t block = count - begin < CAROM_MANY_PAIRS ? count - begin : CAROM_MANY_PAIRS;
        const uint32_t left =
            drop_apart(job, &apart, block, slot_i + begin, slot_k + begin, &job->shapes.work[worker].boxed);
        memmove(slot_i + kept, slot_i + begin, left * sizeof *slot_i);
        memmove(slot_k + kept, slot_k + begin, left * sizeof *slot_k);
        kept += left;
    }
    return kept;
}

uint32_t carom_shape_pairs_touch(const carom_detect_job *job, uint32_t worker, uint32_t count, uint32_t *slot_i,
                                 uint32_t *slot_k) {
    uint32_t kept = 0;
    CAROM_ASSERT(job->shapes.source != NULL);
    count = drop_all_apart(job, worker, count, slot_i, slot_k);
    for (uint32_t begin = 0; begin < count; begin += CAROM_MANY_PAIRS) {
        const uint32_t block = count - begin < CAROM_MANY_PAIRS ? count - begin : CAROM_MANY_PAIRS;
        const uint64_t touching = find_touching(job, block, slot_i + begin, slot_k + begin, &job->shapes.work[worker]);
        for (uint32_t n = 0; n < block; n++) {
            slot_i[kept] = slot_i[begin + n];
            slot_k[kept] = slot_k[begin + n];
            kept += (uint32_t)(touching >> n & 1);
        }
    }
    return kept;
}

/* The answer at the start as an impact at that time. */
static void find_at_start(const carom_detect_job *job, const carom_shape_two *pair, carom_toi_found *found) {
    carom_pair_answer answer;
    find_distance(job, pair, CAROM_GAP_DISTANCE, &answer);
    *found = (carom_toi_found){
        .state = CAROM_TOI_HIT, .child_i = answer.child_i, .child_k = answer.child_k, .gap = answer.gap.upper};
    memcpy(found->normal, answer.gap.normal, sizeof found->normal);
    memcpy(found->point_i, answer.gap.point_i, sizeof found->point_i);
    memcpy(found->point_k, answer.gap.point_k, sizeof found->point_k);
}

/* As a call for floats rounds it: what is left to do is exact. */
static void round_to_floats(const carom_toi_found *found, carom_toi_row *row) {
    carom_toi_f32 near;
    carom_round_impact_f32(found, &near);
    row->child_i = near.child_i;
    row->child_k = near.child_k;
    row->t = (carom_real)near.t;
    row->gap = (carom_real)near.gap;
    for (int a = 0; a < 3; a++) {
        row->normal[a] = (carom_real)near.normal[a];
        row->point_i[a] = (carom_real)near.point_i[a];
    }
}

/* Rounded after the point between the surfaces is taken, which goes where point_i was. */
static void write_contact(const carom_toi_found *found, uint64_t n, const carom_shape_rows *to) {
    const carom_contacts *rows = &to->contacts;
    carom_toi_found middle = *found;
    carom_toi_row row;
    for (int a = 0; a < 3; a++) {
        middle.point_i[a] = 0.5 * found->point_i[a] + 0.5 * found->point_k[a];
    }
    if (to->floats) {
        round_to_floats(&middle, &row);
    } else {
        carom_round_impact(&middle, &row);
    }
    rows->t_ca[n] = row.t;
    rows->t_toi[n] = row.t;
    rows->distance[n] = row.gap;
    if (to->child_i != NULL) {
        to->child_i[n] = row.child_i;
        to->child_k[n] = row.child_k;
    }
    for (int a = 0; a < 3; a++) {
        rows->normal[a][n] = row.normal[a];
        rows->point[a][n] = row.point_i[a];
    }
}

/* Of a pair that does not touch a row only has the distance at the start. */
static void write_distance(const carom_toi_found *start, uint64_t n, const carom_shape_rows *to) {
    write_contact(start, n, to);
    to->contacts.t_toi[n] = (carom_real)NAN;
    for (int a = 0; a < 3; a++) {
        to->contacts.normal[a][n] = 0;
        to->contacts.point[a][n] = 0;
    }
}

static void write_apart(const carom_detect_job *job, const carom_shape_two *pair, uint64_t n,
                        const carom_shape_rows *to) {
    carom_toi_found start;
    find_at_start(job, pair, &start);
    write_distance(&start, n, to);
}

/* The row of pair n, which is answered alone. */
static NOT_INLINED void write_alone(const carom_detect_job *job, carom_shape_two *pair, uint64_t n,
                                    const carom_shape_rows *to) {
    carom_toi_found found;
    load_pair(job, pair);
    if (job->config->all_pairs && !touches(job, pair)) {
        write_apart(job, pair, n, to);
        return;
    }
    if (carom_body_rests(&pair->i) && carom_body_rests(&pair->k)) {
        find_at_start(job, pair, &found);
    } else {
        find_impact(job, pair, &found);
    }
    write_contact(&found, n, to);
}

/* The row of a column's pair. */
static void write_column(const carom_detect_job *job, const carom_many *many, uint32_t column, uint64_t n,
                         const carom_shape_rows *to) {
    const carom_pair_block *block = &many->block;
    carom_toi_found found = {.state = CAROM_TOI_HIT, .gap = block->upper[column]};
    for (int a = 0; a < 3; a++) {
        const double origin = block->origin[a][column];
        found.normal[a] = block->normal[a][column];
        found.point_i[a] = block->point_i[a][column] + origin;
        found.point_k[a] = block->point_k[a][column] + origin;
    }
    if (job->config->all_pairs && block->lower[column] > job->config->margin) {
        write_distance(&found, n, to);
    } else {
        write_contact(&found, n, to);
    }
}

/* The row of one of the rounds' pairs. */
static NOT_INLINED void write_moving(const carom_detect_job *job, const carom_shape_work *work, uint32_t m,
                                     const uint32_t *slot_i, const uint32_t *slot_k, uint64_t first,
                                     const carom_shape_rows *to) {
    const uint32_t n = work->pair[m];
    carom_toi_found found = work->rounds.pair[m].search.found;
    if (found.state == CAROM_TOI_NONE) {
        carom_shape_two pair;
        name_pair(job, slot_i[n], slot_k[n], &pair);
        load_pair(job, &pair);
        write_apart(job, &pair, first + n, to);
        return;
    }
    carom_vector_add(found.point_i, 1.0, work->origin[m], found.point_i);
    carom_vector_add(found.point_k, 1.0, work->origin[m], found.point_k);
    write_contact(&found, first + n, to);
}

static void write_block(const carom_detect_job *job, uint32_t count, const uint32_t *slot_i, const uint32_t *slot_k,
                        carom_shape_work *work, uint64_t first, const carom_shape_rows *to) {
    const carom_many *many = &work->many;
    const carom_shape_resting *resting = &work->resting;
    carom_shape_two *pair = &work->two;
    find_resting(job, count, slot_i, slot_k, CAROM_GAP_DISTANCE, work);
    const uint64_t not_resting = resting->alone;
    find_moving(job, slot_i, slot_k, work);
    for (uint32_t n = 0; n < count; n++) {
        name_pair(job, slot_i[n], slot_k[n], pair);
        to->contacts.i[first + n] = pair->searched[0];
        to->contacts.k[first + n] = pair->searched[1];
        if (resting->alone >> n & 1) {
            write_alone(job, pair, first + n, to);
        }
    }
    for (uint32_t c = 0; c < many->count; c++) {
        const uint32_t n = resting->pair[many->number[c]];
        if (!(not_resting >> n & 1)) {
            write_column(job, many, c, first + n, to);
        }
    }
    for (uint32_t m = 0; m < work->rounds.count; m++) {
        write_moving(job, work, m, slot_i, slot_k, first, to);
    }
}

void carom_shape_pairs_write(const carom_detect_job *job, uint32_t worker, uint32_t count, const uint32_t *slot_i,
                             const uint32_t *slot_k, const carom_shape_rows *to) {
    for (uint32_t begin = 0; begin < count; begin += CAROM_MANY_PAIRS) {
        const uint32_t block = count - begin < CAROM_MANY_PAIRS ? count - begin : CAROM_MANY_PAIRS;
        write_block(job, block, slot_i + begin, slot_k + begin, &job->shapes.work[worker], begin, to);
    }
}
