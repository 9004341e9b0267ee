/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a block of moving pairs. Out: their times of impact. All searches that go on look once in each round. They are in
 * the order of their kinds, each run of which is one call of the kernel. */
#include "kernel/narrow/rounds.h"

#include <math.h>
#include <string.h>

#include "kernel/narrow/begin.h"

/* A run is numbered by both kinds. NO_RUN: the pair needs no look. */
enum { KINDS = CAROM_SHAPE_COMPOUND, RUNS = KINDS * KINDS, NO_RUN = RUNS };

static uint32_t run_of(const carom_rounds_pair *pair) {
    return (uint32_t)pair->body[0].shape->kind * KINDS + (uint32_t)pair->body[1].shape->kind;
}

/* Whether one look has to say how far apart the shapes are, which are never looked at otherwise. */
static bool begin_once(carom_advance *search) {
    if (search->found.state != CAROM_TOI_NONE || !carom_begin_once(search)) {
        return false;
    }
    carom_advance_begin(search, 0.0);
    return true;
}

/* Whether the pair has to be looked at. */
static bool begin(carom_rounds_pair *pair, const carom_toi_task *task) {
    double start;
    carom_track_make(&pair->body[0], 0, &pair->approach.i);
    carom_track_make(&pair->body[1], 0, &pair->approach.k);
    carom_approach_set(&pair->approach, task->margin);
    carom_advance_make(&pair->approach, task, 1.0, &pair->search);
    if (carom_begin_search(&pair->search, &start)) {
        carom_advance_begin(&pair->search, start);
        return true;
    }
    return begin_once(&pair->search);
}

/* Counting sort of the pairs that have to be looked at. */
static void sort(carom_rounds *rounds, const carom_toi_task *task) {
    uint32_t first[RUNS + 1];
    uint32_t run[CAROM_ROUNDS_PAIRS];
    memset(first, 0, sizeof first);
    for (uint32_t n = 0; n < rounds->count; n++) {
        run[n] = begin(&rounds->pair[n], task) ? run_of(&rounds->pair[n]) : NO_RUN;
        if (run[n] != NO_RUN) {
            first[run[n] + 1]++;
        }
    }
    for (uint32_t r = 0; r < RUNS; r++) {
        first[r + 1] += first[r];
    }
    rounds->active = first[RUNS];
    for (uint32_t n = 0; n < rounds->count; n++) {
        if (run[n] != NO_RUN) {
            rounds->number[first[run[n]]++] = n;
        }
    }
}

static carom_view view_of(carom_rounds *rounds, uint32_t slot) {
    return (carom_view){&rounds->i[slot], &rounds->k[slot], &rounds->goal[slot], &rounds->bracket[slot]};
}

static carom_rounds_pair *pair_of(carom_rounds *rounds, uint32_t slot) {
    return &rounds->pair[rounds->number[slot]];
}

/* The end of the run of pairs of the same two kinds that begins at slot `begin` of `count`. */
static uint32_t end_of_run(carom_rounds *rounds, uint32_t begin, uint32_t count) {
    const uint32_t run = run_of(pair_of(rounds, begin));
    uint32_t end = begin + 1;
    while (end < count && run_of(pair_of(rounds, end)) == run) {
        end++;
    }
    return end;
}

/* The depths of those pairs of a run that overlap, side by side, unless they have a closed form. Searches that began
 * with points of an earlier look are left alone, as they are repeated without. */
static void find_depths(carom_rounds *rounds, uint32_t begin, uint32_t end) {
    const carom_rounds_pair *first = pair_of(rounds, begin);
    bool repeated[CAROM_ROUNDS_PAIRS];
    bool any = false;
    if (carom_gap_overlaps_are_closed(rounds->i[begin].shape->kind, rounds->k[begin].shape->kind)) {
        return;
    }
    for (uint32_t slot = begin; slot < end; slot++) {
        carom_bracket *bracket = &rounds->bracket[slot];
        repeated[slot] = bracket->overlap && pair_of(rounds, slot)->search.warm > 0;
        bracket->overlap = bracket->overlap && !repeated[slot];
        any = any || bracket->overlap;
    }
    if (any) {
        carom_gap_depths(first->search.gap.simd, rounds->i + begin, rounds->k + begin, rounds->goal + begin,
                         end - begin, rounds->bracket + begin, &rounds->room);
    }
    for (uint32_t slot = begin; slot < end; slot++) {
        rounds->bracket[slot].overlap = rounds->bracket[slot].overlap || repeated[slot];
    }
}

/* Searches for the distances of all pairs that go on. */
static void look(carom_rounds *rounds) {
    for (uint32_t slot = 0; slot < rounds->active;) {
        const carom_advance *search = &pair_of(rounds, slot)->search;
        const uint32_t end = end_of_run(rounds, slot, rounds->active);
        if (search->searched) {
            search->gap.simd->gjk(rounds->i + slot, rounds->k + slot, rounds->goal + slot, end - slot,
                                  rounds->bracket + slot);
            find_depths(rounds, slot, end);
        }
        slot = end;
    }
}

/* Takes what slots [begin, end), of pairs of the same two kinds, have seen, and proves how far it reaches. */
static void take(carom_rounds *rounds, uint32_t begin, uint32_t end) {
    carom_proof *proof[CAROM_ROUNDS_PAIRS];
    uint32_t count = 0;
    for (uint32_t slot = begin; slot < end; slot++) {
        const carom_view seen = view_of(rounds, slot);
        carom_advance *search = &pair_of(rounds, slot)->search;
        rounds->goes_on[slot] = carom_advance_take(search, &seen, rounds->aim[slot].shift);
        if (rounds->goes_on[slot]) {
            proof[count++] = &search->proof;
        }
    }
    if (count > 0) {
        pair_of(rounds, begin)->search.gap.simd->prove(proof, count);
    }
}

/* Moves slots [begin, end), of pairs of the same two kinds, on to where a first plane no longer holds them apart. */
static void prove_first(carom_rounds *rounds, uint32_t begin, uint32_t end) {
    carom_advance *first[CAROM_ROUNDS_PAIRS];
    carom_proof *proof[CAROM_ROUNDS_PAIRS];
    uint32_t count = 0;
    for (uint32_t slot = begin; slot < end; slot++) {
        first[count] = &pair_of(rounds, slot)->search;
        proof[count] = &first[count]->proof;
        count += carom_advance_first(first[count]) ? 1 : 0;
    }
    if (count > 0) {
        first[0]->gap.simd->prove(proof, count);
    }
    for (uint32_t n = 0; n < count; n++) {
        if (!carom_advance_follow(first[n])) {
            (void)begin_once(first[n]);
        }
    }
}

/* Goes on with those that have to, in order. */
static void step(carom_rounds *rounds) {
    uint32_t kept = 0;
    for (uint32_t slot = 0; slot < rounds->active; slot++) {
        carom_advance *search = &pair_of(rounds, slot)->search;
        if (rounds->goes_on[slot] && carom_advance_step(search)) {
            const carom_view seen = view_of(rounds, slot);
            const carom_view view = view_of(rounds, kept);
            carom_advance_aim(search, &seen, &view, &rounds->aim[kept]);
            rounds->number[kept++] = rounds->number[slot];
        }
    }
    rounds->active = kept;
}

void carom_rounds_find(carom_rounds *rounds, const carom_toi_task *task) {
    sort(rounds, task);
    for (uint32_t slot = 0; slot < rounds->active;) {
        const uint32_t end = end_of_run(rounds, slot, rounds->active);
        prove_first(rounds, slot, end);
        slot = end;
    }
    for (uint32_t slot = 0; slot < rounds->active; slot++) {
        const carom_view view = view_of(rounds, slot);
        carom_advance_aim(&pair_of(rounds, slot)->search, NULL, &view, &rounds->aim[slot]);
    }
    while (rounds->active > 0) {
        pair_of(rounds, 0)->search.gap.simd->aim(rounds->aim, rounds->active);
        look(rounds);
        for (uint32_t slot = 0; slot < rounds->active;) {
            const uint32_t end = end_of_run(rounds, slot, rounds->active);
            take(rounds, slot, end);
            slot = end;
        }
        step(rounds);
    }
    for (uint32_t n = 0; n < rounds->count; n++) {
        carom_toi_found *found = &rounds->pair[n].search.found;
        found->t = found->state == CAROM_TOI_NONE ? 1.0 : found->t;
    }
}
