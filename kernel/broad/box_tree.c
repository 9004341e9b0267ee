/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/broad/box_tree.h"

#include <math.h>

#include "kernel/check/assert.h"

/* Nodes are shared out by this many. */
enum { GRAIN = 64 };

static uint64_t nodes_over(uint64_t count) {
    return (count + CAROM_BOX_TREE_WIDTH - 1) / CAROM_BOX_TREE_WIDTH;
}

uint64_t carom_box_tree_bytes(uint64_t count) {
    uint64_t room = 0;
    for (uint64_t boxes = count; boxes > 0; boxes = boxes > CAROM_BOX_TREE_WIDTH ? nodes_over(boxes) : 0) {
        room += nodes_over(boxes) * CAROM_BOX_TREE_WIDTH;
    }
    return 6 * room * sizeof(float);
}

carom_box_tree carom_box_tree_view(void *memory, uint64_t count) {
    CAROM_ASSERT(count > 0);
    carom_box_tree tree = {.levels = 0};
    float *block = memory;
    for (uint64_t boxes = count; boxes > 0; boxes = boxes > CAROM_BOX_TREE_WIDTH ? nodes_over(boxes) : 0) {
        carom_box_blocks *level = &tree.level[tree.levels++];
        level->count = boxes;
        level->block = block;
        block += 6 * nodes_over(boxes) * CAROM_BOX_TREE_WIDTH;
    }
    return tree;
}

static void fill_room(const carom_box_blocks *boxes) {
    static const float nothing[3] = {NAN, NAN, NAN};
    for (uint64_t n = boxes->count; n < nodes_over(boxes->count) * CAROM_BOX_TREE_WIDTH; n++) {
        carom_box_blocks_put(boxes, n, nothing, nothing);
    }
}

/* No comparison with NaN holds, so the room after the boxes does not count. */
static void make_node(const carom_box_blocks *below, const carom_box_blocks *level, uint64_t node) {
    float low[3];
    float high[3];
    for (int a = 0; a < 3; a++) {
        const float *lo = carom_box_blocks_side(below, node * CAROM_BOX_TREE_WIDTH, a);
        const float *hi = carom_box_blocks_side(below, node * CAROM_BOX_TREE_WIDTH, 3 + a);
        low[a] = lo[0];
        high[a] = hi[0];
        for (int n = 1; n < CAROM_BOX_TREE_WIDTH; n++) {
            low[a] = lo[n] < low[a] ? lo[n] : low[a];
            high[a] = hi[n] > high[a] ? hi[n] : high[a];
        }
    }
    carom_box_blocks_put(level, node, low, high);
}

typedef struct build {
    const carom_team *team;
    const carom_box_blocks *below;
    const carom_box_blocks *level;
} build;

static void make_nodes(void *data, uint32_t worker) {
    const build *b = data;
    carom_walk walk = carom_team_walk(b->team, worker, b->level->count, GRAIN);
    while (carom_walk_next(&walk)) {
        for (uint64_t node = walk.begin; node < walk.end; node++) {
            make_node(b->below, b->level, node);
        }
    }
}

void carom_box_tree_build(const carom_team *team, const carom_box_tree *tree) {
    fill_room(&tree->level[0]);
    for (uint32_t l = 1; l < tree->levels; l++) {
        build b = {team, &tree->level[l - 1], &tree->level[l]};
        carom_team_run_over(team, b.level->count * CAROM_BOX_TREE_WIDTH, make_nodes, &b);
        fill_room(b.level);
    }
}

void carom_box_tree_widen(const carom_box_tree *tree, uint64_t n, const float low[3], const float high[3]) {
    uint64_t at = n;
    for (uint32_t l = 0; l < tree->levels; l++) {
        for (int a = 0; a < 3; a++) {
            float *lo = carom_box_blocks_side(&tree->level[l], at, a);
            float *hi = carom_box_blocks_side(&tree->level[l], at, 3 + a);
            *lo = low[a] < *lo ? low[a] : *lo;
            *hi = high[a] > *hi ? high[a] : *hi;
        }
        at /= CAROM_BOX_TREE_WIDTH;
    }
}

typedef struct walk {
    const carom_box_tree *tree;
    const carom_simd *simd;
    const float *low;
    const float *high;
    carom_box_tree_take *take;
    void *data;
} walk;

/* Sixteen boxes of a level, and what is below them: as deep as the tree. All children that will be visited are fetched
 * first: they lie anywhere. */
static void visit(const walk *w, uint32_t l, uint64_t first) {
    uint32_t met = carom_box_blocks_meet(&w->tree->level[l], w->simd, first, w->low, w->high);
    if (l == 0) {
        if (met != 0) {
            w->take(w->data, first, met);
        }
        return;
    }
    for (uint32_t left = met; left != 0; left &= left - 1) {
        carom_box_blocks_prefetch(&w->tree->level[l - 1],
                                  (first + (uint32_t)__builtin_ctz(left)) * CAROM_BOX_TREE_WIDTH);
    }
    for (; met != 0; met &= met - 1) {
        visit(w, l - 1, (first + (uint32_t)__builtin_ctz(met)) * CAROM_BOX_TREE_WIDTH);
    }
}

void carom_box_tree_walk(const carom_box_tree *tree, const carom_simd *simd, const float low[3], const float high[3],
                         carom_box_tree_take *take, void *data) {
    const walk w = {tree, simd, low, high, take, data};
    visit(&w, tree->levels - 1, 0);
}

typedef struct list {
    uint32_t *found; /* may be NULL */
    uint64_t count;
} list;

static void take_all(void *data, uint64_t first, uint32_t met) {
    list *l = data;
    for (; met != 0; met &= met - 1) {
        if (l->found != NULL) {
            l->found[l->count] = (uint32_t)first + (uint32_t)__builtin_ctz(met);
        }
        l->count++;
    }
}

uint64_t carom_box_tree_find(const carom_box_tree *tree, const carom_simd *simd, const float low[3],
                             const float high[3], uint32_t *found) {
    list l = {found, 0};
    carom_box_tree_walk(tree, simd, low, high, take_all, &l);
    return l.count;
}
