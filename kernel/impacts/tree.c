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

/* The boxes around those of the level below. */
static void build_nodes(const carom_tree *tree, uint32_t level, uint64_t begin, uint64_t end) {
    for (uint64_t n = begin; n < end; n++) {
        const carom_box box = around(&tree->level[level - 1], n * CAROM_TREE_WIDTH);
        carom_box_array_put(&tree->level[level], n, &box);
    }
}

/* The boxes around leaves. */
static void build_lowest(const carom_tree *tree, uint64_t begin, uint64_t end) {
    for (uint64_t n = begin; n < end; n++) {
        const carom_hull_box *leaf = tree->leaves + n * CAROM_TREE_WIDTH;
        carom_box box = carom_box_of(leaf);
        for (int other = 1; other < CAROM_TREE_WIDTH; other++) {
            const carom_box more = carom_box_of(leaf + other);
            carom_box_widen(&box, &more);
        }
        carom_box_array_put(&tree->level[0], n, &box);
    }
}

typedef struct build {
    const carom_tree *tree;
    const carom_team *team;
    uint32_t level;
} build;

/* A team's task: one level, above the leaves or the level below. */
static void build_level(void *data, uint32_t worker) {
    const build *b = data;
    carom_walk walk = carom_team_walk(b->team, worker, b->tree->nodes[b->level], CAROM_TREE_WIDTH);
    while (carom_walk_next(&walk)) {
        if (b->level == 0) {
            build_lowest(b->tree, walk.begin, walk.end);
        } else {
            build_nodes(b->tree, b->level, walk.begin, walk.end);
        }
    }
}

carom_status carom_tree_build(carom_tree *tree, carom_memory *memory, const carom_team *team, carom_hull_box *leaves,
                              uint32_t count) {
    const uint64_t room = plan(tree, count);
    tree->count = 0;
    const carom_status status = carom_buffer_reserve(memory, &tree->buffer, 6 * room * sizeof(float));
    if (status != CAROM_OK) {
        return status;
    }
    place(tree, room);
    tree->count = count;
    tree->leaves = leaves;
    for (uint64_t n = count; n < carom_tree_room(count); n++) {
        carom_box_put(&leaves[n], &EMPTY);
    }
    for (uint32_t l = 0; l < tree->levels; l++) {
        build b = {tree, team, l};
        carom_team_run_over(team, tree->nodes[l] * CAROM_TREE_WIDTH, build_level, &b);
        fill_room(&tree->level[l], tree->nodes[l]);
    }
    return CAROM_OK;
}

void carom_tree_widen(const carom_tree *tree, uint32_t leaf) {
    const carom_box box = carom_box_of(&tree->leaves[leaf]);
    uint32_t node = leaf;
    for (uint32_t l = 0; l < tree->levels; l++) {
        node /= CAROM_TREE_WIDTH;
        carom_box above = carom_box_array_get(&tree->level[l], node);
        if (carom_box_holds(&above, &box)) { /* so do those above it */
            break;
        }
        carom_box_widen(&above, &box);
        carom_box_array_put(&tree->level[l], node, &above);
    }
}

/* A child of a level: of the level below, or a leaf. */
static carom_box child_of(const carom_tree *tree, uint32_t level, uint32_t child) {
    return level > 0 ? carom_box_array_get(&tree->level[level - 1], child) : carom_box_of(&tree->leaves[child]);
}

static bool reserve_hits(carom_memory *memory, carom_tree_hits *hits, uint64_t room) {
    const uint64_t bytes = (room + CAROM_SIMD_PAD) * sizeof(uint32_t);
    hits->count = 0;
    return carom_buffer_reserve(memory, &hits->box, bytes) == CAROM_OK &&
           carom_buffer_reserve(memory, &hits->node, bytes) == CAROM_OK;
}

/* Every box begins at the root. */
static bool begin_search(carom_memory *memory, const carom_tree_boxes *boxes, carom_tree_hits *hits) {
    if (!reserve_hits(memory, hits, boxes->count)) {
        return false;
    }
    for (uint32_t n = 0; n < boxes->count; n++) {
        ((uint32_t *)hits->box.data)[n] = n;
        ((uint32_t *)hits->node.data)[n] = 0;
    }
    hits->count = boxes->count;
    return true;
}

/* What the kernel reads. Nobody writes marks while it does. */
static carom_children search_of(const carom_tree *tree, uint32_t level, const carom_tree_boxes *boxes) {
    carom_children children = {.box = (const float *)(const void *)boxes->box,
                               .hull = level == 0 ? tree->leaves : NULL,
                               .known = level == 0 ? (const float *)(const void *)boxes->known : NULL,
                               .marks = boxes->marks};
    for (int a = 0; a < 3 && level > 0; a++) {
        children.lo[a] = tree->level[level - 1].lo[a];
        children.hi[a] = tree->level[level - 1].hi[a];
    }
    return children;
}

bool carom_tree_find(const carom_tree *tree, carom_memory *memory, const carom_simd *simd,
                     const carom_tree_boxes *boxes, carom_tree_search *search) {
    if (!begin_search(memory, boxes, &search->leaf)) {
        return false;
    }
    for (uint32_t level = tree->levels; level-- > 0;) {
        const carom_children children = search_of(tree, level, boxes);
        const carom_tree_hits from = search->leaf;
        carom_tree_hits to = search->spare;
        const bool room = reserve_hits(memory, &to, CAROM_TREE_WIDTH * from.count);
        search->leaf = to;
        search->spare = from;
        if (!room) {
            return false;
        }
        search->leaf.count =
            simd->met_children(&children, from.box.data, from.node.data, from.count, to.box.data, to.node.data);
    }
    return true;
}

void carom_tree_search_release(carom_tree_search *search, carom_memory *memory) {
    carom_buffer *buffers[] = {&search->leaf.box, &search->leaf.node, &search->spare.box, &search->spare.node};
    for (size_t n = 0; n < sizeof buffers / sizeof *buffers; n++) {
        carom_buffer_release(memory, buffers[n]);
    }
}

/* A shape's way down the tree. */
typedef struct shape_walk {
    const carom_tree *tree;
    carom_tree_meets *meets;
    const void *shape;
    carom_tree_take *take;
    void *data;
} shape_walk;

/* Visits what is below a node of a level; as deep as the tree. */
static void visit(const shape_walk *walk, uint32_t level, uint32_t node) {
    for (uint32_t child = node * CAROM_TREE_WIDTH; child < (node + 1) * CAROM_TREE_WIDTH; child++) {
        const carom_box box = child_of(walk->tree, level, child);
        if (!(box.lo[0] <= box.hi[0] && walk->meets(walk->shape, &box))) {
            continue;
        }
        if (level > 0) {
            visit(walk, level - 1, child);
        } else {
            walk->take(walk->data, child);
        }
    }
}

void carom_tree_find_shape(const carom_tree *tree, carom_tree_meets *meets, const void *shape, carom_tree_take *take,
                           void *data) {
    const shape_walk walk = {tree, meets, shape, take, data};
    visit(&walk, tree->levels - 1, 0);
}

void carom_tree_release(carom_tree *tree, carom_memory *memory) {
    carom_buffer_release(memory, &tree->buffer);
}
