/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: boxes. Out: the tree, and what meets a box or a shape. */
#include "kernel/impacts/tree.h"

#include <math.h>

#include "kernel/check/assert.h"

/* Boxes of all levels lie one level after another, on each of the six edges. */
static uint64_t plan(carom_tree *tree, uint32_t count) {
    uint64_t room = 0;
    uint64_t below = count;
    tree->levels = 0;
    do {
        below = (below + CAROM_TREE_WIDTH - 1) / CAROM_TREE_WIDTH;
        tree->nodes[tree->levels++] = (uint32_t)below;
        room += carom_tree_room(below);
    } while (below > 1);
    CAROM_ASSERT(tree->levels <= CAROM_TREE_LEVELS);
    return room;
}

static void place(carom_tree *tree, uint64_t room) {
    float *edges = tree->buffer.data;
    uint64_t at = 0;
    for (uint32_t l = 0; l < tree->levels; l++) {
        for (int a = 0; a < 3; a++) {
            tree->level[l].lo[a] = edges + (uint64_t)a * room + at;
            tree->level[l].hi[a] = edges + (uint64_t)(a + 3) * room + at;
        }
        at += carom_tree_room(tree->nodes[l]);
    }
}

static const carom_box EMPTY = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void fill_room(const carom_box_array *boxes, uint64_t count) {
    for (uint64_t n = count; n < carom_tree_room(count); n++) {
        carom_box_array_put(boxes, n, &EMPTY);
    }
}

/* The box around sixteen boxes from `first` on. */
static carom_box around(const carom_box_array *boxes, uint64_t first) {
    carom_box box;
    for (int a = 0; a < 3; a++) {
        const float *lo = boxes->lo[a] + first;
        const float *hi = boxes->hi[a] + first;
        float least = lo[0];
        float most = hi[0];
        for (int n = 1; n < CAROM_TREE_WIDTH; n++) {
            least = lo[n] < least ? lo[n] : least;
            most = hi[n] > most ? hi[n] : most;
        }
        box.lo[a] = least;
        box.hi[a] = most;
    }
    return box;
}

static void build_level(const carom_box_array *below, const carom_box_array *level, uint64_t begin, uint64_t end) {
    for (uint64_t n = begin; n < end; n++) {
        const carom_box box = around(below, n * CAROM_TREE_WIDTH);
        carom_box_array_put(level, n, &box);
    }
}

typedef struct build {
    const carom_tree *tree;
    const carom_team *team;
} build;

/* A team's task: the level above the leaves. */
static void build_first(void *data, uint32_t worker) {
    const build *b = data;
    carom_walk walk = carom_team_walk(b->team, worker, b->tree->nodes[0], CAROM_TREE_WIDTH);
    while (carom_walk_next(&walk)) {
        build_level(b->tree->leaves, &b->tree->level[0], walk.begin, walk.end);
    }
}

carom_status carom_tree_build(carom_tree *tree, carom_memory *memory, const carom_team *team,
                              const carom_box_array *leaves, uint32_t count) {
    const uint64_t room = plan(tree, count);
    tree->count = 0;
    const carom_status status = carom_buffer_reserve(memory, &tree->buffer, 6 * room * sizeof(float));
    if (status != CAROM_OK) {
        return status;
    }
    place(tree, room);
    tree->count = count;
    tree->leaves = leaves;
    fill_room(leaves, count);
    build b = {tree, team};
    carom_team_run_over(team, count, build_first, &b);
    for (uint32_t l = 1; l < tree->levels; l++) {
        fill_room(&tree->level[l - 1], tree->nodes[l - 1]);
        build_level(&tree->level[l - 1], &tree->level[l], 0, tree->nodes[l]);
    }
    fill_room(&tree->level[tree->levels - 1], tree->nodes[tree->levels - 1]);
    return CAROM_OK;
}

void carom_tree_widen(const carom_tree *tree, uint32_t leaf) {
    const carom_box box = carom_box_array_get(tree->leaves, leaf);
    uint32_t node = leaf;
    for (uint32_t l = 0; l < tree->levels; l++) {
        node /= CAROM_TREE_WIDTH;
        carom_box above = carom_box_array_get(&tree->level[l], node);
        carom_box_widen(&above, &box);
        carom_box_array_put(&tree->level[l], node, &above);
    }
}

/* Children of a node that are met: those of a node of level 0 are leaves. */
typedef struct search {
    const carom_tree *tree;
    const carom_simd *simd;
    const carom_box *box;    /* NULL: a shape */
    carom_tree_meets *meets; /* for shapes */
    const void *shape;
    carom_tree_take *take;
    void *data;
} search;

static uint32_t met_by_box(const search *s, const carom_box_array *boxes, uint64_t first) {
    const float *lo[3];
    const float *hi[3];
    for (int a = 0; a < 3; a++) {
        lo[a] = boxes->lo[a] + first;
        hi[a] = boxes->hi[a] + first;
    }
    return s->simd->sixteen_boxes(lo, hi, s->box->lo, s->box->hi);
}

static uint32_t met_by_shape(const search *s, const carom_box_array *boxes, uint64_t first) {
    uint32_t mask = 0;
    for (uint32_t n = 0; n < CAROM_TREE_WIDTH; n++) {
        const carom_box box = carom_box_array_get(boxes, first + n);
        mask |= (uint32_t)(box.lo[0] <= box.hi[0] && s->meets(s->shape, &box)) << n;
    }
    return mask;
}

/* Visits what is below a node of a level, or below the root's level; as deep as the tree. */
static void visit(const search *s, uint32_t level, uint64_t node) {
    const carom_box_array *boxes = level > 0 ? &s->tree->level[level - 1] : s->tree->leaves;
    const uint64_t first = node * CAROM_TREE_WIDTH;
    uint32_t mask = s->box != NULL ? met_by_box(s, boxes, first) : met_by_shape(s, boxes, first);
    for (; mask != 0; mask &= mask - 1) {
        const uint64_t child = first + (uint32_t)__builtin_ctz(mask);
        if (level > 0) {
            visit(s, level - 1, child);
        } else {
            s->take(s->data, (uint32_t)child);
        }
    }
}

void carom_tree_find(const carom_tree *tree, const carom_simd *simd, const carom_box *box, carom_tree_take *take,
                     void *data) {
    const search s = {.tree = tree, .simd = simd, .box = box, .take = take, .data = data};
    visit(&s, tree->levels - 1, 0);
}

void carom_tree_find_shape(const carom_tree *tree, carom_tree_meets *meets, const void *shape, carom_tree_take *take,
                           void *data) {
    const search s = {.tree = tree, .meets = meets, .shape = shape, .take = take, .data = data};
    visit(&s, tree->levels - 1, 0);
}

void carom_tree_release(carom_tree *tree, carom_memory *memory) {
    carom_buffer_release(memory, &tree->buffer);
}
