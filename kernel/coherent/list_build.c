/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A counting sort by the larger slot, by all workers. It is stable, so the order of the list follows from the order of
 * i and k, with any number of workers. Each worker owns a range of slots, and looks for the pairs of these in blocks
 * that may have some. Where the search had cells, pairs come in about the order of slots, and most blocks have pairs of
 * one worker. With one cell for all bodies, or with images, whose slots are the last, a block may have pairs of all
 * workers, and each reads it. */
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/coherent/list.h"

/* How many pairs ahead the slots of their bodies are fetched. */
enum { AHEAD = 16 };

/* Pairs of a block. */
enum { BLOCK = 1024 };

/* The larger slots of a block's pairs. */
typedef struct slot_range {
    uint32_t least;
    uint32_t greatest;
} slot_range;

/* A list while it is made. */
typedef struct list_build {
    const carom_team *team;
    carom_coherent_list list;
    uint64_t slots;
    uint64_t pairs;
    const uint32_t *i; /* bodies */
    const uint32_t *k;
    uint32_t *high; /* the larger and the smaller slot of each pair */
    uint32_t *low;
    slot_range *block;
    uint32_t sum[CAROM_THREADS_MAX]; /* pairs of each worker's slots */
} list_build;

/* Slots of the pairs of a block. */
static slot_range translate_block(const list_build *b, uint64_t begin, uint64_t end) {
    const uint32_t *slot = b->list.slot;
    slot_range range = {UINT32_MAX, 0};
    for (uint64_t n = begin; n < end; n++) {
        if (n + AHEAD < b->pairs) {
            __builtin_prefetch(&slot[b->i[n + AHEAD]]);
            __builtin_prefetch(&slot[b->k[n + AHEAD]]);
        }
        const uint32_t own = slot[b->i[n]];
        const uint32_t other = slot[b->k[n]];
        const uint32_t high = own > other ? own : other;
        b->high[n] = high;
        b->low[n] = own > other ? other : own;
        range.least = high < range.least ? high : range.least;
        range.greatest = high > range.greatest ? high : range.greatest;
    }
    return range;
}

static void translate(void *data, uint32_t worker) {
    const list_build *b = data;
    carom_walk walk = carom_team_walk(b->team, worker, b->pairs, BLOCK);
    while (carom_walk_next(&walk)) {
        for (uint64_t at = walk.begin; at < walk.end; at += BLOCK) {
            b->block[at / BLOCK] = translate_block(b, at, walk.end - at < BLOCK ? walk.end : at + BLOCK);
        }
    }
}

/* A worker's way through the blocks that may have pairs of its slots. */
typedef struct own_blocks {
    carom_range own; /* slots */
    uint64_t at;     /* the next block */
    uint64_t read;   /* blocks so far */
    uint64_t begin;  /* pairs of the block at hand */
    uint64_t end;
    bool all; /* all of them are the worker's */
} own_blocks;

/* A look at the control before each block. Blocks are noted together. */
static bool goes_on(const list_build *b, own_blocks *blocks) {
    enum { TOGETHER = CAROM_CONTROL_ITEMS / BLOCK };
    return ++blocks->read % TOGETHER != 0 ? !carom_control_look(b->team->control)
                                          : !carom_control_note(b->team->control, CAROM_CONTROL_ITEMS, b->pairs);
}

/* Goes on to the next block. Returns false if there is none, or if the call is to stop. */
static bool next_block(const list_build *b, own_blocks *blocks) {
    const uint64_t count = (b->pairs + BLOCK - 1) / BLOCK;
    for (uint64_t n = blocks->at; n < count; n++) {
        const slot_range range = b->block[n];
        if (range.least >= blocks->own.end || range.greatest < blocks->own.begin) {
            continue;
        }
        blocks->at = n + 1;
        blocks->begin = n * BLOCK;
        blocks->end = b->pairs - n * BLOCK < BLOCK ? b->pairs : (n + 1) * BLOCK;
        blocks->all = range.least >= blocks->own.begin && range.greatest < blocks->own.end;
        return goes_on(b, blocks);
    }
    return false;
}

/* start[s + 1] becomes the number of pairs of slot s. */
static void count_pairs(void *data, uint32_t worker) {
    list_build *b = data;
    own_blocks blocks = {.own = carom_team_range(b->team, worker, b->slots, 1)};
    const carom_range own = blocks.own;
    uint32_t *count = b->list.start + 1;
    uint64_t sum = 0;
    carom_walk walk = carom_team_walk(b->team, worker, b->slots, 1);
    while (carom_walk_next(&walk)) {
        memset(count + walk.begin, 0, (walk.end - walk.begin) * sizeof *count);
    }
    while (next_block(b, &blocks)) {
        for (uint64_t n = blocks.begin; n < blocks.end; n++) {
            const uint32_t s = b->high[n];
            if (blocks.all || (s >= own.begin && s < own.end)) {
                count[s]++;
                sum++;
            }
        }
    }
    b->sum[worker] = (uint32_t)sum;
}

/* start[s + 1] becomes where the pairs of slot s begin. */
static void lay_out(const list_build *b, uint32_t worker) {
    uint32_t *start = b->list.start;
    uint32_t begin = 0;
    for (uint32_t before = 0; before < worker; before++) {
        begin += b->sum[before];
    }
    carom_walk walk = carom_team_walk(b->team, worker, b->slots, 1);
    while (carom_walk_next(&walk)) {
        for (uint64_t s = walk.begin; s < walk.end; s++) {
            const uint32_t pairs = start[s + 1];
            start[s + 1] = begin;
            begin += pairs;
        }
    }
}

/* start[s + 1] becomes where the pairs of slot s end. */
static void place_pairs(void *data, uint32_t worker) {
    const list_build *b = data;
    own_blocks blocks = {.own = carom_team_range(b->team, worker, b->slots, 1)};
    const carom_range own = blocks.own;
    uint32_t *next = b->list.start + 1;
    lay_out(b, worker);
    while (next_block(b, &blocks)) {
        for (uint64_t n = blocks.begin; n < blocks.end; n++) {
            const uint32_t s = b->high[n];
            if (blocks.all || (s >= own.begin && s < own.end)) {
                const uint32_t at = next[s]++;
                b->list.i[at] = s;
                b->list.k[at] = b->low[n];
            }
        }
    }
}

/* TOUCHING has the ranges of blocks until its bits are cleared. */
void carom_coherent_list_build(carom_coherent *state, uint64_t pairs, const uint32_t *i, const uint32_t *k,
                               uint32_t *high, uint32_t *low) {
    const carom_team *team = &state->context->team;
    CAROM_ASSERT(pairs <= state->list.capacity && state->list.capacity < UINT32_MAX);
    CAROM_ASSERT(pairs == 0 || (i != NULL && k != NULL && high != NULL && low != NULL));
    CAROM_ASSERT((pairs + BLOCK - 1) / BLOCK * sizeof(slot_range) <= carom_coherent_touching_bytes(state));
    list_build b = {.team = team,
                    .list = carom_coherent_list_of(state),
                    .slots = state->count,
                    .pairs = pairs,
                    .i = i,
                    .k = k,
                    .high = high,
                    .low = low,
                    .block = carom_coherent_data(state, CAROM_COHERENT_TOUCHING)};
    state->list.pairs = pairs;
    state->list.ordered = pairs;
    b.list.start[0] = 0;
    carom_team_run(team, translate, &b);
    if (!carom_team_stopped(team)) {
        carom_team_run(team, count_pairs, &b);
    }
    if (!carom_team_stopped(team)) {
        carom_team_run(team, place_pairs, &b);
    }
}
