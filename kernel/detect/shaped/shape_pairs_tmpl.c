/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Two bodies that both rest have a signed distance, all others a time of impact. A row is computed when it is written,
 * from the two bodies again: pairs wait for their places as slots. */
#include "kernel/detect/shaped/shape_pairs_tmpl.h"

#include <math.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/detect/shaped/shape_work.h"
#include "kernel/narrow/columns_tmpl.h"
#include "kernel/narrow/gather_tmpl.h"
#include "kernel/narrow/moving.h"
#include "kernel/narrow/pair.h"
#include "kernel/narrow/round_tmpl.h"
#include "kernel/shape/table.h"
#include "simd/vector.h"

/* Relative to the smaller shape, as the defaults of carom/distance.h and carom/toi.h. */
#if CAROM_REAL_BITS == 32
static const double DISTANCE_TOLERANCE = 0x1p-20;
static const double TOI_TOLERANCE = 1e-4;
#else
static const double DISTANCE_TOLERANCE = 0x1p-40;
static const double TOI_TOLERANCE = 1e-9;
#endif

/* The most poses that a time of impact looks at. */
enum { ITERATIONS = 64 };

/* Their frames would otherwise be parts of those of functions from which searches are called: stacks may be small. */
#define NOT_INLINED __attribute__((noinline))

typedef struct two_bodies {
    carom_body_numbers i;
    carom_body_numbers k;
    const carom_shape_entry *shape_i;
    const carom_shape_entry *shape_k;
    uint32_t body_i; /* the lower number */
    uint32_t body_k;
} two_bodies;

static void name_pair(const carom_detect_job *job, uint32_t slot_i, uint32_t slot_k, two_bodies *pair) {
    const uint32_t a = (uint32_t)job->search.records[slot_i].body;
    const uint32_t b = (uint32_t)job->search.records[slot_k].body;
    pair->body_i = a < b ? a : b;
    pair->body_k = a < b ? b : a;
}

/* What the caller says of the two bodies. */
static void load_pair(const carom_detect_job *job, two_bodies *pair) {
    const carom_shape_state *state = &job->shapes;
    const carom_shapes *shapes = state->source->shapes;
    carom_gather_body(state->source, pair->body_i, state->moving, &pair->i);
    carom_gather_body(state->source, pair->body_k, state->moving, &pair->k);
    pair->shape_i = &shapes->entry[pair->i.shape];
    pair->shape_k = &shapes->entry[pair->k.shape];
}

static bool are_equal(const double *a, const double *b, int count) {
    bool equal = true;
    for (int d = 0; d < count; d++) {
        equal = equal && a[d] == b[d];
    }
    return equal;
}

/* Whether a body neither moves nor turns. */
static bool rests(const carom_body_numbers *body) {
    static const double zero[3] = {0.0, 0.0, 0.0};
    switch (body->turning) {
    case CAROM_BODY_TURNS_TO:
        return are_equal(body->at, body->end, 3) && are_equal(body->turn, body->end_turn, 4);
    case CAROM_BODY_TURNS_ALONG:
        return are_equal(body->at, body->end, 3) && are_equal(body->spin, zero, 3);
    case CAROM_BODY_RESTS:
        break;
    }
    return true;
}

/* The answer at the start of the step. */
static void find_distance(const two_bodies *pair, const carom_shapes *shapes, carom_gap_detail detail,
                          carom_pair_answer *answer) {
    const carom_gap_task task = {.detail = detail, .margin = 0.0, .tolerance = DISTANCE_TOLERANCE};
    carom_body_posed i;
    carom_body_posed k;
    carom_body_pose(&pair->i, shapes, &i);
    carom_body_pose(&pair->k, shapes, &k);
    carom_pair_find(&i.posed, &k.posed, &task, answer);
}

static carom_toi_task impact_task(const carom_detect_job *job) {
    return (carom_toi_task){.tolerance = TOI_TOLERANCE, .iterations_max = ITERATIONS, .simd = job->context->simd};
}

static void find_impact(const carom_detect_job *job, const two_bodies *pair, carom_toi_found *found) {
    const carom_toi_task task = impact_task(job);
    carom_moving_find(&pair->i, pair->shape_i, &pair->k, pair->shape_k, &task, found);
}

static NOT_INLINED bool touches(const carom_detect_job *job, const two_bodies *pair) {
    const carom_shapes *shapes = job->shapes.source->shapes;
    if (rests(&pair->i) && rests(&pair->k)) {
        carom_pair_answer answer;
        find_distance(pair, shapes, CAROM_GAP_STATE, &answer);
        return answer.state != CAROM_GAP_SEPARATED;
    }
    carom_toi_found found;
    find_impact(job, pair, &found);
    return found.state != CAROM_TOI_NONE;
}

static NOT_INLINED bool is_at_rest(const carom_detect_job *job, two_bodies *pair) {
    load_pair(job, pair);
    return rests(&pair->i) && rests(&pair->k);
}

static void fetch_pair(const carom_detect_job *job, uint32_t slot_i, uint32_t slot_k) {
    const carom_columns_pose *poses = job->shapes.poses;
    __builtin_prefetch(&poses[(uint32_t)job->search.records[slot_i].body]);
    __builtin_prefetch(&poses[(uint32_t)job->search.records[slot_k].body]);
}

/* Finds the distances of those pairs of a block, at most CAROM_MANY_PAIRS, that are at rest and without compounds. */
static void find_resting(const carom_detect_job *job, uint32_t count, const uint32_t *slot_i, const uint32_t *slot_k,
                         carom_gap_detail detail, carom_shape_work *work) {
    const carom_shape_state *state = &job->shapes;
    const carom_gap_task task = {.detail = detail, .tolerance = DISTANCE_TOLERANCE, .simd = job->context->simd};
    carom_shape_resting *block = &work->resting;
    carom_many *many = &work->many;
    block->count = 0;
    block->alone = 0;
    for (uint32_t n = 0; n < count; n++) {
        two_bodies pair;
        if (state->poses != NULL) {
            fetch_pair(job, slot_i[n], slot_k[n]);
        }
        name_pair(job, slot_i[n], slot_k[n], &pair);
        if (state->moving && !is_at_rest(job, &pair)) {
            block->alone |= (uint64_t)1 << n;
            continue;
        }
        block->i[block->count] = pair.body_i;
        block->k[block->count] = pair.body_k;
        block->pair[block->count++] = n;
    }
    if (state->poses != NULL) {
        carom_columns_load_poses(state->source->shapes, state->poses, block->i, block->k, block->count, many);
    } else {
        carom_columns_load(state->source, block->i, block->k, block->count, many);
    }
    carom_many_find(many, &task);
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
    for (uint64_t rest = job->shapes.moving ? block->alone : 0; rest != 0; rest &= rest - 1) {
        const uint32_t n = (uint32_t)__builtin_ctzll(rest);
        const uint32_t at = rounds->count;
        two_bodies pair;
        carom_toi_found given_up;
        name_pair(job, slot_i[n], slot_k[n], &pair);
        if (is_at_rest(job, &pair) || pair.shape_i->kind == CAROM_SHAPE_COMPOUND ||
            pair.shape_k->kind == CAROM_SHAPE_COMPOUND ||
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
        touching |= (uint64_t) !(work->many.block.lower[c] > 0.0) << work->resting.pair[work->many.number[c]];
    }
    touching &= ~work->resting.alone;
    find_moving(job, slot_i, slot_k, work);
    for (uint32_t m = 0; m < work->rounds.count; m++) {
        touching |= (uint64_t)(work->rounds.pair[m].search.found.state != CAROM_TOI_NONE) << work->pair[m];
    }
    for (uint64_t rest = work->resting.alone; rest != 0; rest &= rest - 1) {
        const uint32_t n = (uint32_t)__builtin_ctzll(rest);
        two_bodies pair;
        name_pair(job, slot_i[n], slot_k[n], &pair);
        load_pair(job, &pair);
        touching |= (uint64_t)touches(job, &pair) << n;
    }
    return touching;
}

uint32_t carom_shape_pairs_touch(const carom_detect_job *job, uint32_t worker, uint32_t count, uint32_t *slot_i,
                                 uint32_t *slot_k) {
    uint32_t kept = 0;
    CAROM_ASSERT(job->shapes.source != NULL);
    for (uint32_t begin = 0; begin < count; begin += CAROM_MANY_PAIRS) {
        const uint32_t block = count - begin < CAROM_MANY_PAIRS ? count - begin : CAROM_MANY_PAIRS;
        const uint64_t touching = find_touching(job, block, slot_i + begin, slot_k + begin, &job->shapes.work[worker]);
        for (uint32_t n = 0; n < block; n++) {
            slot_i[kept] = slot_i[begin + n];
            slot_k[kept] = slot_k[begin + n];
            kept += touching >> n & 1;
        }
    }
    return kept;
}

/* The answer at the start as an impact at that time. */
static void find_at_start(const two_bodies *pair, const carom_shapes *shapes, carom_toi_found *found) {
    carom_pair_answer answer;
    find_distance(pair, shapes, CAROM_GAP_DISTANCE, &answer);
    *found = (carom_toi_found){
        .state = CAROM_TOI_HIT, .child_i = answer.child_i, .child_k = answer.child_k, .gap = answer.gap.upper};
    memcpy(found->normal, answer.gap.normal, sizeof found->normal);
    memcpy(found->point_i, answer.gap.point_i, sizeof found->point_i);
    memcpy(found->point_k, answer.gap.point_k, sizeof found->point_k);
}

/* Rounded after the point between the surfaces is taken, which goes where point_i was. */
static void write_contact(const carom_toi_found *found, uint64_t n, const carom_shape_rows *to) {
    const carom_contacts *rows = &to->contacts;
    carom_toi_found middle = *found;
    carom_toi_row row;
    for (int a = 0; a < 3; a++) {
        middle.point_i[a] = 0.5 * found->point_i[a] + 0.5 * found->point_k[a];
    }
    carom_round_impact(&middle, &row);
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

static void write_apart(const two_bodies *pair, const carom_shapes *shapes, uint64_t n, const carom_shape_rows *to) {
    carom_toi_found start;
    find_at_start(pair, shapes, &start);
    write_distance(&start, n, to);
}

/* The row of pair n, which is answered alone. */
static NOT_INLINED void write_alone(const carom_detect_job *job, two_bodies *pair, uint64_t n, const carom_shape_rows *to) {
    const carom_shapes *shapes = job->shapes.source->shapes;
    carom_toi_found found;
    load_pair(job, pair);
    if (job->config->all_pairs && !touches(job, pair)) {
        write_apart(pair, shapes, n, to);
        return;
    }
    if (rests(&pair->i) && rests(&pair->k)) {
        find_at_start(pair, shapes, &found);
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
    if (job->config->all_pairs && block->lower[column] > 0.0) {
        write_distance(&found, n, to);
    } else {
        write_contact(&found, n, to);
    }
}

/* The row of one of the rounds' pairs. */
static NOT_INLINED void write_moving(const carom_detect_job *job, const carom_shape_work *work, uint32_t m, const uint32_t *slot_i,
                         const uint32_t *slot_k, uint64_t first, const carom_shape_rows *to) {
    const uint32_t n = work->pair[m];
    carom_toi_found found = work->rounds.pair[m].search.found;
    if (found.state == CAROM_TOI_NONE) {
        two_bodies pair;
        name_pair(job, slot_i[n], slot_k[n], &pair);
        load_pair(job, &pair);
        write_apart(&pair, job->shapes.source->shapes, first + n, to);
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
    two_bodies pair;
    find_resting(job, count, slot_i, slot_k, CAROM_GAP_DISTANCE, work);
    const uint64_t not_resting = resting->alone;
    find_moving(job, slot_i, slot_k, work);
    for (uint32_t n = 0; n < count; n++) {
        name_pair(job, slot_i[n], slot_k[n], &pair);
        to->contacts.i[first + n] = pair.body_i;
        to->contacts.k[first + n] = pair.body_k;
        if (resting->alone >> n & 1) {
            write_alone(job, &pair, first + n, to);
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
