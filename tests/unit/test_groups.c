/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Labels and sizes from forests of every shape that unions can leave behind, for any number of workers, against plain
 * climbing: sets across the workers' borders, in chains from one worker to the next, without and with images. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "kernel/groups/groups.h"
#include "kernel/scene/random.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

typedef enum forest_kind {
    FOREST_SINGLES,
    FOREST_STAR,    /* all under the first slot */
    FOREST_CHAIN,   /* each under the one before */
    FOREST_FAR,     /* each under any before it */
    FOREST_NEAR,    /* half of them roots, the others under one of the 40 before */
    FOREST_FEW,     /* each under one of the first ten, these being roots */
    FOREST_HALVES,  /* each of the second half under the same place of the first */
    FOREST_LADDERS, /* each under the one a hundred before: a hundred sets through all workers */
    FOREST_KINDS
} forest_kind;

static const char *const kind_names[FOREST_KINDS] = {"singles", "star", "chain",  "far",
                                                     "near",    "few",  "halves", "ladders"};

static uint32_t below(carom_random *random, uint32_t bound) {
    return (uint32_t)((carom_random_next(random) >> 32) * bound >> 32);
}

static uint32_t lesser(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static uint32_t parent_of(forest_kind kind, uint32_t slot, uint32_t count, carom_random *random) {
    switch (kind) {
    case FOREST_STAR:
        return 0;
    case FOREST_CHAIN:
        return slot > 0 ? slot - 1 : 0;
    case FOREST_FAR:
        return slot > 0 ? below(random, slot) : 0;
    case FOREST_NEAR:
        return slot > 0 && below(random, 2) == 0 ? slot - 1 - below(random, lesser(slot, 40)) : slot;
    case FOREST_FEW:
        return slot < 10 ? slot : below(random, 10);
    case FOREST_HALVES:
        return slot >= count / 2 ? slot - count / 2 : slot;
    case FOREST_LADDERS:
        return slot >= 100 ? slot - 100 : slot;
    default:
        return slot;
    }
}

/* A forest over slots, whose bodies they are, and what is to be found. */
typedef struct forest {
    uint32_t count;
    uint32_t owned;
    uint32_t *up;
    uint32_t *body;
    uint32_t *slot_of;
    uint32_t *root;  /* of each slot */
    uint32_t *least; /* at roots */
    uint32_t *size;  /* at roots, images not counted */
    carom_group_counts counts;
} forest;

static uint32_t *words(uint64_t count) {
    uint32_t *block = malloc((count + 1) * sizeof *block);
    assert_non_null(block);
    return block;
}

static void give(forest *f, uint32_t slot, uint32_t body) {
    f->body[slot] = body;
    f->slot_of[body] = slot;
}

/* Bodies in no order. Images have the greatest numbers, and no set is of them alone. */
static void give_bodies(forest *f, bool images, carom_random *random) {
    uint32_t next = f->count;
    for (uint32_t slot = 0; slot < f->count; slot++) {
        f->body[slot] = UINT32_MAX;
        f->size[slot] = 0;
    }
    for (uint32_t slot = 0; slot < f->count; slot++) {
        f->size[f->root[slot]]++; /* no images yet */
    }
    for (uint32_t slot = 0; images && slot < f->count; slot++) {
        if (f->size[f->root[slot]] > 1 && below(random, 3) == 0) {
            f->size[f->root[slot]]--;
            give(f, slot, --next);
        }
    }
    f->owned = next;
    for (uint32_t slot = 0; slot < f->count; slot++) {
        if (f->body[slot] == UINT32_MAX) {
            give(f, slot, --next);
        }
    }
    for (uint32_t n = f->owned; n > 1; n--) {
        const uint32_t other = below(random, n);
        const uint32_t here = f->slot_of[n - 1];
        give(f, f->slot_of[other], n - 1);
        give(f, here, other);
    }
}

static void find_sets(forest *f) {
    for (uint32_t slot = 0; slot < f->count; slot++) {
        f->least[slot] = f->body[slot];
        f->size[slot] = 0;
    }
    f->counts = (carom_group_counts){0, 0};
    for (uint32_t slot = 0; slot < f->count; slot++) {
        const uint32_t root = f->root[slot];
        f->least[root] = lesser(f->least[root], f->body[slot]);
        f->size[root] += f->body[slot] < f->owned;
    }
    for (uint32_t slot = 0; slot < f->count; slot++) {
        f->counts.groups += f->size[slot] > 1;
        f->counts.largest = f->size[slot] > 1 && f->size[slot] > f->counts.largest ? f->size[slot] : f->counts.largest;
    }
}

static forest make_forest(forest_kind kind, uint32_t count, bool images, carom_random *random) {
    forest f = {count,        count,        words(count), words(count), words(count),
                words(count), words(count), words(count), {0, 0}};
    for (uint32_t slot = 0; slot < count; slot++) {
        f.up[slot] = parent_of(kind, slot, count, random);
        f.root[slot] = f.up[slot] == slot ? slot : f.root[f.up[slot]];
    }
    give_bodies(&f, images, random);
    find_sets(&f);
    return f;
}

static void free_forest(forest *f) {
    uint32_t *const blocks[] = {f->up, f->body, f->slot_of, f->root, f->least, f->size};
    for (size_t n = 0; n < sizeof blocks / sizeof blocks[0]; n++) {
        free(blocks[n]);
    }
}

static void check_slots(const forest *f, const carom_group_workspace *workspace, const uint32_t *label,
                        uint32_t workers) {
    for (uint32_t slot = 0; slot < f->count; slot++) {
        const uint32_t root = f->root[slot];
        const uint32_t body = f->body[slot];
        note_check(body >= f->owned || label[body] == f->least[root], "%u workers: body %u has label %u, not %u",
                   workers, body, label[body], f->least[root]);
        note_check(workspace->parent[workspace->parent[slot]] == root,
                   "%u workers: slot %u is more than two steps from its root", workers, slot);
        note_check(workspace->size[slot] == f->size[slot], "%u workers: a set of %u bodies at slot %u, not %u", workers,
                   (unsigned)workspace->size[slot], slot, f->size[slot]);
    }
}

static void check_workers(const forest *f, uint32_t workers) {
    carom_team team;
    carom_team_init(&team, workers, NULL);
    uint32_t *parent = words(f->count);
    uint32_t *least = words(f->count);
    uint32_t *size = words(f->count);
    uint32_t *spare = words(f->count);
    uint32_t *label = words(f->count);
    uint64_t shares[CAROM_THREADS_MAX];
    for (uint32_t slot = 0; slot < f->count; slot++) {
        parent[slot] = f->up[slot];
    }
    const carom_group_workspace workspace = {.parent = (carom_union_find_parent *)parent,
                                             .least = (_Atomic uint32_t *)least,
                                             .size = (_Atomic uint32_t *)size,
                                             .body = f->body,
                                             .slot_of = f->slot_of,
                                             .spare = spare,
                                             .shares = shares,
                                             .owned = f->owned};
    const carom_group_counts counts = carom_groups_label(&team, &workspace, f->count, label);
    note_check(counts.groups == f->counts.groups, "%u workers: %" PRIu64 " groups, not %" PRIu64, workers,
               counts.groups, f->counts.groups);
    note_check(counts.largest == f->counts.largest, "%u workers: %" PRIu64 " bodies in the largest, not %" PRIu64,
               workers, counts.largest, f->counts.largest);
    check_slots(f, &workspace, label, workers);
    uint32_t *const blocks[] = {parent, least, size, spare, label};
    for (size_t n = 0; n < sizeof blocks / sizeof blocks[0]; n++) {
        free(blocks[n]);
    }
}

static void test_forests(void **state) {
    (void)state;
    static const uint32_t counts[] = {0, 1, 2, 63, 64, 65, 129, 700, 4096, 30011, 300007};
    static const uint32_t workers[] = {1, 2, 3, 8, 61};
    uint64_t number = 0;
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        for (int kind = 0; kind < 2 * FOREST_KINDS; kind++, number++) {
            if (note_only_case() != UINT64_MAX && note_only_case() != number) {
                continue;
            }
            const bool images = kind >= FOREST_KINDS;
            note_case(number, "%s, %u slots, %s images", kind_names[kind % FOREST_KINDS], counts[c],
                      images ? "with" : "no");
            carom_random random = carom_random_seeded(note_case_seed(number));
            forest f = make_forest((forest_kind)(kind % FOREST_KINDS), counts[c], images, &random);
            for (size_t w = 0; w < sizeof workers / sizeof workers[0]; w++) {
                check_workers(&f, workers[w]);
            }
            free_forest(&f);
        }
    }
}

int main(int argc, char **argv) {
    (void)argc;
    note_start(argv[0]);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_forests)};
    return cmocka_run_group_tests_name("groups", tests, NULL, NULL);
}
