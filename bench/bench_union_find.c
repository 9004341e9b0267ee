/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Union-find, from singletons to flat: N elements, N / 2 pairs that are near one another, as touching bodies in swept
 * order are, or anywhere: union_find_near/<N>/threads:<T>, union_find_far. Items are pairs. */
#include <inttypes.h>
#include <stdio.h>

#include "bench/shim.h"
#include "bench/suite.h"
#include "kernel/groups/union_find.h"
#include "kernel/sys/team.h"

/* How far apart, at most, the two of a near pair are. */
enum { NEAR = 2048 };

typedef struct unite_run {
    uint64_t count;
    bool near;
    carom_team team;
    uint32_t *a;
    uint32_t *b;
    carom_union_find_parent *parent;
} unite_run;

static uint64_t random_word(uint64_t n) {
    uint64_t z = (n + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    return z ^ (z >> 29);
}

static void make_pairs(unite_run *r) {
    uint64_t pairs = r->count / 2;
    r->a = carom_bench_allocate(pairs * sizeof *r->a);
    r->b = carom_bench_allocate(pairs * sizeof *r->b);
    r->parent = carom_bench_allocate(r->count * sizeof *r->parent);
    for (uint64_t n = 0; n < pairs; n++) {
        uint64_t base = 2 * n;
        uint64_t span = r->near && r->count > NEAR ? NEAR : r->count;
        r->a[n] = (uint32_t)(r->near ? base : random_word(base) % r->count);
        r->b[n] = (uint32_t)((r->a[n] + random_word(base + 1) % span) % r->count);
    }
}

static void start(void *data, uint32_t worker) {
    unite_run *r = data;
    const carom_range own = carom_team_range(&r->team, worker, r->count, 64);
    carom_union_find_init(r->parent, own.begin, own.end);
}

static void unite(void *data, uint32_t worker) {
    unite_run *r = data;
    const carom_range own = carom_team_range(&r->team, worker, r->count / 2, 64);
    carom_union_find_unite_pairs(r->parent, own.end - own.begin, r->a + own.begin, r->b + own.begin);
}

static void flatten(void *data, uint32_t worker) {
    unite_run *r = data;
    const carom_range own = carom_team_range(&r->team, worker, r->count, 64);
    carom_union_find_flatten(r->parent, own.begin, own.end);
}

static void bench_unite(carom_bench_state *state, void *data) {
    unite_run *r = data;
    if (r->a == NULL) {
        make_pairs(r);
    }
    while (carom_bench_next(state)) {
        carom_team_run(&r->team, start, r);
        carom_team_run(&r->team, unite, r);
        carom_team_run(&r->team, flatten, r);
    }
    carom_bench_items(state, r->count / 2);
}

void carom_bench_register_union_find(void) {
    uint32_t threads[16];
    size_t thread_counts = carom_bench_threads(threads);
    for (int near = 0; near < 2; near++) {
        for (int s = 0; s < CAROM_BENCH_SIZES; s++) {
            for (size_t t = 0; t < thread_counts; t++) {
                unite_run *r = carom_bench_allocate(sizeof *r);
                *r = (unite_run){.count = carom_bench_sizes[s], .near = near != 0};
                carom_team_init(&r->team, threads[t], NULL);
                char name[64];
                snprintf(name, sizeof name, "union_find_%s/%" PRIu64 "/threads:%u", near ? "near" : "far", r->count,
                         threads[t]);
                carom_bench_register(name, bench_unite, r);
            }
        }
    }
}
