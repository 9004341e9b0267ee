/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Two bodies that both rest have a signed distance, all others a time of impact. Pairs are answered in blocks. In a
 * periodic box body i is where the caller has it, and body k is moved by the edges that the row's shift names. */
#include "kernel/detect/shaped/shape_pairs_tmpl.h"

#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/detect/shaped/shape_apart_tmpl.h"
#include "kernel/detect/shaped/shape_names_tmpl.h"
#include "kernel/detect/shaped/shape_search_tmpl.h"
#include "kernel/detect/shaped/shape_work.h"
#include "kernel/narrow/moving.h"
#include "kernel/narrow/pair.h"
#include "kernel/narrow/seek.h"
#include "simd/vector.h"

/* Their frames would otherwise be parts of those of functions from which searches are called: stacks may be small. */
#define NOT_INLINED __attribute__((noinline))

static void pose_body(const carom_body_numbers *body, const carom_shape_entry *shape, carom_posed *posed) {
    posed->shape = shape;
    carom_pose_turn(body->turn, posed->turn);
    memcpy(posed->at, body->at, sizeof posed->at);
}

/* Where the search for the distance of two hulls begins. */
static NOT_INLINED void find_start(const carom_shape_two *pair, const carom_gap_task *task, carom_seek_start *start) {
    start->steps = 0.0F;
    if (pair->shape_i->kind == CAROM_SHAPE_HULL && pair->shape_k->kind == CAROM_SHAPE_HULL) {
        carom_seek_bodies(&pair->i, pair->shape_i->hull, &pair->k, pair->shape_k->hull, task, start);
    }
}

/* The answer at the start of the step. */
static void find_distance(const carom_detect_job *job, const carom_shape_two *pair, carom_gap_detail detail,
                          carom_pair_answer *answer) {
    carom_gap_task task = carom_shape_distance_task(job, detail);
    carom_seek_start start;
    carom_posed i;
    carom_posed k;
    find_start(pair, &task, &start);
    task.starts = &start;
    pose_body(&pair->i, pair->shape_i, &i);
    pose_body(&pair->k, pair->shape_k, &k);
    carom_pair_find(&i, &k, &task, answer);
}

/* Whether an answer relative to k's position is one of a pair that counts as touching. */
static bool is_contact(const carom_detect_job *job, const carom_moving moving[2], const carom_toi_found *found) {
    return found->state != CAROM_TOI_NONE && (!job->config->approaching || carom_moving_approaches(moving, found));
}

/* What is asked of a block of pairs. */
typedef enum question {
    ASK_TOUCHES,  /* which touch */
    ASK_CONTACTS, /* also the answers of those that do */
    ASK_ALL       /* also the distances of the others when the step starts; who touches stays the same */
} question;

/* A block of pairs, and where their answers go: of those that touch (ASK_CONTACTS), or of all. */
typedef struct block_call {
    const carom_detect_job *job;
    carom_shape_work *work;
    carom_hits hits;
    question ask;
    carom_shape_answer *answer;
} block_call;

static carom_gap_detail detail_of(question ask) {
    return ask == ASK_TOUCHES ? CAROM_GAP_STATE : CAROM_GAP_CONTACT;
}

/* Takes the answer of pair n; returns its bit if it touches. */
static uint64_t take(const block_call *call, uint32_t n, bool touches, const carom_toi_found *found) {
    if (touches && call->ask != ASK_TOUCHES) {
        carom_shape_answer_contact(found, call->job->periodic.float_results, &call->answer[n]);
    }
    return (uint64_t)touches << n;
}

/* A signed distance as an impact when the step starts. */
static void set_at_start(const carom_pair_answer *answer, carom_toi_found *found) {
    *found = (carom_toi_found){
        .state = CAROM_TOI_HIT, .child_i = answer->child_i, .child_k = answer->child_k, .gap = answer->gap.upper};
    memcpy(found->normal, answer->gap.normal, sizeof found->normal);
    memcpy(found->point_i, answer->gap.point_i, sizeof found->point_i);
    memcpy(found->point_k, answer->gap.point_k, sizeof found->point_k);
}

static NOT_INLINED uint64_t answer_alone_resting(const block_call *call, const carom_shape_two *pair, uint32_t n) {
    carom_pair_answer answer;
    carom_toi_found found;
    find_distance(call->job, pair, detail_of(call->ask), &answer);
    set_at_start(&answer, &found);
    return take(call, n, answer.state != CAROM_GAP_SEPARATED, &found);
}

static NOT_INLINED uint64_t answer_alone_moving(const block_call *call, const carom_shape_two *pair, uint32_t n) {
    const carom_toi_task task = carom_shape_impact_task(call->job);
    carom_moving moving[2];
    carom_toi_found found;
    const bool known = carom_moving_pair(&pair->i, pair->shape_i, &pair->k, pair->shape_k, moving, &found);
    if (known) {
        carom_toi_find(&moving[0], &moving[1], &task, &found);
    }
    const bool touches = is_contact(call->job, moving, &found);
    if (known) {
        carom_moving_place(&pair->k, &found);
    }
    return take(call, n, touches, &found);
}

/* Pair n, which is answered alone. */
static uint64_t answer_alone(const block_call *call, uint32_t n) {
    carom_shape_two *pair = &call->work->two;
    carom_shape_names(call->job, call->hits.slot_i[n], call->hits.slot_k[n], pair);
    carom_shape_load(call->job, pair);
    return carom_body_rests(&pair->i) && carom_body_rests(&pair->k) ? answer_alone_resting(call, pair, n)
                                                                    : answer_alone_moving(call, pair, n);
}

/* The answer in a column. */
static void column_answer(const carom_pair_block *block, uint32_t column, carom_toi_found *found) {
    *found = (carom_toi_found){.state = CAROM_TOI_HIT, .gap = block->upper[column]};
    for (int a = 0; a < 3; a++) {
        const double origin = block->origin[a][column];
        found->normal[a] = block->normal[a][column];
        found->point_i[a] = block->point_i[a][column] + origin;
        found->point_k[a] = block->point_k[a][column] + origin;
    }
}

/* The number in the block of the pair in a column. */
static uint32_t column_pair(const carom_shape_work *work, uint32_t column) {
    return work->resting.pair[work->many.number[column]];
}

/* The pair in a column. */
static uint64_t answer_column(const block_call *call, uint32_t column) {
    const carom_pair_block *block = &call->work->many.block;
    const uint32_t n = column_pair(call->work, column);
    const bool touches = !(block->lower[column] > call->job->config->margin);
    carom_toi_found found;
    if (call->ask == ASK_TOUCHES || !touches) {
        return (uint64_t)touches << n;
    }
    column_answer(block, column, &found);
    return take(call, n, touches, &found);
}

/* One of the rounds' pairs. */
static uint64_t answer_moving(const block_call *call, uint32_t m) {
    const carom_rounds_pair *moving = &call->work->rounds.pair[m];
    const uint32_t n = call->work->pair[m];
    carom_toi_found found = moving->search.found;
    const bool touches = is_contact(call->job, moving->body, &found);
    carom_vector_add(found.point_i, 1.0, call->work->origin[m], found.point_i);
    carom_vector_add(found.point_k, 1.0, call->work->origin[m], found.point_k);
    return take(call, n, touches, &found);
}

/* Answers a block of pairs, at most CAROM_MANY_PAIRS: bit n of the result says whether pair n touches. */
static uint64_t answer_block(const block_call *call) {
    carom_shape_work *work = call->work;
    const carom_hits *hits = &call->hits;
    uint64_t touching = 0;
    carom_shape_search_resting(call->job, hits, detail_of(call->ask), work);
    const uint64_t unanswered = work->resting.alone;
    carom_shape_search_moving(call->job, hits, work);
    for (uint32_t c = 0; c < work->many.count; c++) {
        if (!(unanswered >> column_pair(work, c) & 1)) {
            touching |= answer_column(call, c);
        }
    }
    for (uint32_t m = 0; m < work->rounds.count; m++) {
        touching |= answer_moving(call, m);
    }
    for (uint64_t rest = work->resting.alone; rest != 0; rest &= rest - 1) {
        touching |= answer_alone(call, (uint32_t)__builtin_ctzll(rest));
    }
    return touching;
}

/* Pair n of the block, alone. */
static NOT_INLINED void start_alone(const block_call *call, uint32_t n) {
    carom_shape_two *pair = &call->work->two;
    carom_pair_answer answer;
    carom_toi_found start;
    carom_shape_names(call->job, call->hits.slot_i[n], call->hits.slot_k[n], pair);
    carom_shape_load(call->job, pair);
    find_distance(call->job, pair, CAROM_GAP_DISTANCE, &answer);
    set_at_start(&answer, &start);
    carom_shape_answer_apart(&start, call->job->periodic.float_results, &call->answer[n]);
}

/* The distances, when the step starts, of the pairs of a block that do not touch. */
static void answer_apart(const block_call *call, uint64_t touching) {
    carom_shape_work *work = call->work;
    carom_shape_search_resting(call->job, &call->hits, CAROM_GAP_DISTANCE, work);
    for (uint32_t c = 0; c < work->many.count; c++) {
        const uint64_t bit = (uint64_t)1 << column_pair(work, c);
        if (((touching | work->resting.alone) & bit) == 0) {
            carom_toi_found start;
            column_answer(&work->many.block, c, &start);
            carom_shape_answer_apart(&start, call->job->periodic.float_results, &call->answer[column_pair(work, c)]);
        }
    }
    for (uint64_t rest = work->resting.alone & ~touching; rest != 0; rest &= rest - 1) {
        start_alone(call, (uint32_t)__builtin_ctzll(rest));
    }
}

carom_shape_answer *carom_shape_pairs_answers(const carom_detect_job *job, uint32_t worker) {
    return job->shapes.answers + (uint64_t)worker * CAROM_HITS_MAX;
}

/* Keeps the pairs of a block that touch, with their answers, from pair `kept` of all on. */
static uint32_t keep_block(const block_call *call, uint32_t kept, uint32_t *slot_i, uint32_t *slot_k,
                           carom_shape_answer *answer) {
    const uint64_t touching = answer_block(call);
    for (uint64_t rest = touching; rest != 0; rest &= rest - 1) {
        const uint32_t n = (uint32_t)__builtin_ctzll(rest);
        slot_i[kept] = call->hits.slot_i[n];
        slot_k[kept] = call->hits.slot_k[n];
        if (call->ask != ASK_TOUCHES) {
            answer[kept] = call->answer[n];
        }
        kept++;
    }
    return kept;
}

uint32_t carom_shape_pairs_touch(const carom_detect_job *job, uint32_t worker, uint32_t count, uint32_t *slot_i,
                                 uint32_t *slot_k) {
    carom_shape_answer *answer = carom_shape_pairs_answers(job, worker);
    uint32_t kept = 0;
    CAROM_ASSERT(job->shapes.source != NULL && count <= CAROM_HITS_MAX);
    const uint32_t left = carom_shape_apart_drop(job, worker, count, slot_i, slot_k);
    for (uint32_t begin = 0; begin < left; begin += CAROM_MANY_PAIRS) {
        const uint32_t block = left - begin < CAROM_MANY_PAIRS ? left - begin : CAROM_MANY_PAIRS;
        const block_call call = {job,
                                 &job->shapes.work[worker],
                                 {block, slot_i + begin, slot_k + begin, NULL},
                                 job->rows.answered ? ASK_CONTACTS : ASK_TOUCHES,
                                 answer + begin};
        kept = keep_block(&call, kept, slot_i, slot_k, answer);
    }
    return kept;
}

/* Finds the answers of pairs that have none. */
static void write_all(const carom_detect_job *job, uint32_t worker, const carom_hits *hits,
                      const carom_shape_rows *to) {
    carom_shape_answer *answer = carom_shape_pairs_answers(job, worker);
    for (uint32_t begin = 0; begin < hits->count; begin += CAROM_MANY_PAIRS) {
        const uint32_t left = hits->count - begin;
        const carom_hits block = carom_hits_part(hits, begin, left < CAROM_MANY_PAIRS ? left : CAROM_MANY_PAIRS);
        const block_call call = {job, &job->shapes.work[worker], block, ASK_ALL, answer};
        answer_apart(&call, answer_block(&call));
        for (uint32_t n = 0; n < block.count; n++) {
            carom_shape_answer_put(&answer[n], begin + n, to);
        }
    }
}

void carom_shape_pairs_write(const carom_detect_job *job, uint32_t worker, const carom_hits *hits,
                             const carom_shape_rows *to) {
    if (hits->answer == NULL) {
        write_all(job, worker, hits, to);
        return;
    }
    for (uint32_t n = 0; n < hits->count; n++) {
        carom_shape_answer_put(&hits->answer[n], n, to);
    }
}
