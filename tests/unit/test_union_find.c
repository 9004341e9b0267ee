/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The union-find without locks against a serial one, from 8 threads, on graphs that make them meet, and from one. */
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/groups/union_find.h"
#include "kernel/scene/random.h"
#include "kernel/sys/team.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

enum { WORKERS = 8 };

typedef enum graph_kind {
    GRAPH_SPARSE,   /* N / 3 random edges: many small sets */
    GRAPH_CRITICAL, /* N / 2: sets of all sizes */
    GRAPH_GIANT,    /* 3 N: one set holds nearly all */
    GRAPH_CHAIN_UP, /* 0-1, 1-2, ... */
    GRAPH_CHAIN_DOWN,
    GRAPH_CHAIN_MIXED, /* the same edges in a random order */
    GRAPH_STAR_LOW,    /* all to 0 */
    GRAPH_STAR_HIGH,   /* all to the last */
    GRAPH_COMB,        /* a star on the top of a long chain: deep trees for the flatten */
    GRAPH_BLOCKS,      /* cliques of 16, numbered far apart */
    GRAPH_LOOPS,       /* self-loops and one edge many times */
    GRAPH_KINDS
} graph_kind;

static const char *const kind_names[GRAPH_KINDS] = {"sparse",     "critical",    "giant",    "chain up",
                                                    "chain down", "chain mixed", "star low", "star high",
                                                    "comb",       "blocks",      "loops"};

typedef struct graph {
    uint32_t elements;
    uint64_t edges;
    uint32_t *a;
    uint32_t *b;
} graph;

static uint32_t below(carom_random *random, uint32_t bound) {
    return (uint32_t)((carom_random_next(random) >> 32) * bound >> 32);
}

static void add_edge(graph *g, uint32_t a, uint32_t b) {
    g->a[g->edges] = a;
    g->b[g->edges++] = b;
}

static void shuffle(graph *g, carom_random *random) {
    for (uint64_t n = g->edges; n > 1; n--) {
        const uint32_t other = below(random, (uint32_t)n);
        const uint32_t a = g->a[n - 1];
        const uint32_t b = g->b[n - 1];
        g->a[n - 1] = g->a[other];
        g->b[n - 1] = g->b[other];
        g->a[other] = b; /* ends swapped too */
        g->b[other] = a;
    }
}

static void add_random_edges(graph *g, uint64_t edges, carom_random *random) {
    for (uint64_t n = 0; n < edges; n++) {
        add_edge(g, below(random, g->elements), below(random, g->elements));
    }
}

static void add_chain(graph *g, uint32_t begin, uint32_t end, bool down) {
    for (uint32_t n = begin + 1; n < end; n++) {
        const uint32_t x = down ? end + begin - n : n;
        add_edge(g, x, x - 1);
    }
}

static void add_star(graph *g, uint32_t centre, uint32_t begin, uint32_t end) {
    for (uint32_t n = begin; n < end; n++) {
        add_edge(g, n, centre);
    }
}

static void add_blocks(graph *g, carom_random *random) {
    const uint32_t blocks = g->elements / 16;
    for (uint64_t n = 0; blocks > 0 && n < 3 * (uint64_t)g->elements; n++) {
        const uint32_t block = below(random, blocks);
        add_edge(g, block + blocks * below(random, 16), block + blocks * below(random, 16));
    }
}

static void add_edges(graph *g, graph_kind kind, carom_random *random) {
    const uint32_t elements = g->elements;
    switch (kind) {
    case GRAPH_SPARSE:
        add_random_edges(g, elements / 3, random);
        break;
    case GRAPH_CRITICAL:
        add_random_edges(g, elements / 2, random);
        break;
    case GRAPH_GIANT:
        add_random_edges(g, 3 * (uint64_t)elements, random);
        break;
    case GRAPH_CHAIN_UP:
    case GRAPH_CHAIN_DOWN:
    case GRAPH_CHAIN_MIXED:
        add_chain(g, 0, elements, kind == GRAPH_CHAIN_DOWN);
        break;
    case GRAPH_STAR_LOW:
    case GRAPH_STAR_HIGH:
        add_star(g, kind == GRAPH_STAR_LOW ? 0 : elements - 1, 0, elements);
        break;
    case GRAPH_COMB:
        add_star(g, elements / 2, elements / 2, elements);
        add_chain(g, 0, elements / 2 + 1, true);
        break;
    case GRAPH_BLOCKS:
        add_blocks(g, random);
        break;
    default:
        add_star(g, 0, 0, 1);
        for (uint32_t n = 0; n < elements; n++) {
            add_edge(g, n % 7 == 0 ? elements - 1 : n, n % 7 == 0 ? elements / 2 : n);
        }
    }
    if (kind == GRAPH_CHAIN_MIXED) {
        shuffle(g, random);
    }
}

static graph make_graph(graph_kind kind, uint32_t elements, carom_random *random) {
    graph g = {elements, 0, NULL, NULL};
    const size_t room = (3 * (size_t)elements + 16) * sizeof *g.a;
    g.a = malloc(room);
    g.b = malloc(room);
    assert_true(g.a != NULL && g.b != NULL);
    add_edges(&g, kind, random);
    return g;
}

/* Smallest element of each element's set, by a serial union-find as plain as can be. */
static uint32_t *serial_labels(const graph *g, uint32_t *sets) {
    uint32_t *label = malloc((g->elements + 1) * sizeof *label);
    assert_non_null(label);
    for (uint32_t n = 0; n < g->elements; n++) {
        label[n] = n;
    }
    *sets = g->elements;
    for (uint64_t n = 0; n < g->edges; n++) {
        uint32_t a = g->a[n];
        uint32_t b = g->b[n];
        while (label[a] != a) {
            a = label[a] = label[label[a]];
        }
        while (label[b] != b) {
            b = label[b] = label[label[b]];
        }
        label[a < b ? b : a] = a < b ? a : b;
        *sets -= a != b;
    }
    for (uint32_t n = 0; n < g->elements; n++) {
        label[n] = label[label[n]]; /* parents come first, so theirs are roots already */
    }
    return label;
}

typedef struct job {
    const graph *graph;
    const carom_team *team;
    carom_union_find_parent *parent;
    bool one_by_one;  /* by unite, counting; else by unite_pairs */
    bool interleaved; /* worker w takes edges w, w + 8, ...: all at the same place; else contiguous blocks */
    _Atomic uint64_t joins;
    _Atomic uint64_t strays; /* roots seen that were not elements at or below */
} job;

static void init_part(void *data, uint32_t worker) {
    job *j = data;
    const carom_range own = carom_team_range(j->team, worker, j->graph->elements, 64);
    carom_union_find_init(j->parent, own.begin, own.end);
}

static void unite_part(void *data, uint32_t worker) {
    job *j = data;
    const graph *g = j->graph;
    const carom_range own = carom_team_range(j->team, worker, g->edges, 1);
    if (!j->one_by_one) {
        carom_union_find_unite_pairs(j->parent, own.end - own.begin, g->a + own.begin, g->b + own.begin);
        return;
    }
    const uint64_t step = j->interleaved ? WORKERS : 1;
    uint64_t joins = 0;
    uint64_t strays = 0;
    for (uint64_t n = j->interleaved ? worker : own.begin; n < (j->interleaved ? g->edges : own.end); n += step) {
        joins += carom_union_find_unite(j->parent, g->a[n], g->b[n]);
        strays += carom_union_find_root(j->parent, g->a[n]) > g->a[n];
    }
    atomic_fetch_add(&j->joins, joins);
    atomic_fetch_add(&j->strays, strays);
}

static void flatten_part(void *data, uint32_t worker) {
    job *j = data;
    const carom_range own = carom_team_range(j->team, worker, j->graph->elements, 1);
    carom_union_find_flatten(j->parent, own.begin, own.end);
}

static void check_round(const graph *g, const uint32_t *label, uint32_t sets, int round) {
    carom_team team;
    carom_team_init(&team, WORKERS, NULL);
    job j = {.graph = g, .team = &team, .one_by_one = round % 3 != 0, .interleaved = round % 3 == 1};
    j.parent = malloc((g->elements + 1) * sizeof *j.parent);
    assert_non_null((void *)j.parent);
    carom_team_run(&team, init_part, &j);
    carom_team_run(&team, unite_part, &j);
    carom_team_run(&team, flatten_part, &j);
    for (uint32_t n = 0; n < g->elements; n++) {
        note_check(j.parent[n] == label[n], "round %d: element %u has label %u, not %u", round, n,
                   (unsigned)j.parent[n], label[n]);
        note_check(carom_union_find_root(j.parent, n) == label[n], "round %d: root of element %u", round, n);
    }
    note_check(!j.one_by_one || j.joins == g->elements - sets, "round %d: %" PRIu64 " joins, not %u", round,
               (uint64_t)j.joins, g->elements - sets);
    note_check(j.strays == 0, "round %d: a root above its element", round);
    free((void *)j.parent);
}

/* The form for one thread. */
static void check_alone(const graph *g, const uint32_t *label) {
    carom_union_find_parent *parent = malloc((g->elements + 1) * sizeof *parent);
    assert_non_null((void *)parent);
    carom_union_find_init(parent, 0, g->elements);
    carom_union_find_unite_pairs_alone(parent, g->edges, g->a, g->b);
    for (uint32_t n = 0; n < g->elements; n++) {
        note_check(carom_union_find_root(parent, n) == label[n], "alone: element %u has root %u, not %u", n,
                   carom_union_find_root(parent, n), label[n]);
    }
    free((void *)parent);
}

static void check_graph(uint64_t number, graph_kind kind, uint32_t elements, int rounds) {
    if (note_only_case() != UINT64_MAX && note_only_case() != number) {
        return;
    }
    note_case(number, "%s, %u elements", kind_names[kind], elements);
    carom_random random = carom_random_seeded(note_case_seed(number));
    graph g = make_graph(kind, elements, &random);
    uint32_t sets;
    uint32_t *label = serial_labels(&g, &sets);
    check_alone(&g, label);
    for (int round = 0; round < rounds; round++) {
        check_round(&g, label, sets, round);
    }
    free(label);
    free(g.a);
    free(g.b);
}

/* Small graphs many times over: the threads meet on every element. */
static void test_small_graphs(void **state) {
    (void)state;
    uint64_t number = 0;
    for (uint32_t elements = 1; elements <= 200; elements += elements < 20 ? 1 : 37) {
        for (int kind = 0; kind < GRAPH_KINDS; kind++) {
            check_graph(number++, (graph_kind)kind, elements, 30);
        }
    }
}

static void test_middle_graphs(void **state) {
    (void)state;
    for (int kind = 0; kind < GRAPH_KINDS; kind++) {
        check_graph(10000 + (uint64_t)kind, (graph_kind)kind, 5000, 60);
    }
}

static void test_large_graphs(void **state) {
    (void)state;
    for (int kind = 0; kind < GRAPH_KINDS; kind++) {
        check_graph(20000 + (uint64_t)kind, (graph_kind)kind, 300000, note_long() ? 60 : 3);
    }
}

/* Two threads in step, each linking the same root to an element of its own: the window in which a link can be lost is
 * a few instructions, so they meet very often. */
enum { TRIPLES = 200000, SPINS = 200 };

typedef struct duel {
    carom_union_find_parent *parent;
    _Atomic uint64_t arrived;
    _Atomic uint64_t joins;
} duel;

typedef struct duellist {
    duel *duel;
    uint32_t number;
} duellist;

static void wait_for(duel *d, uint64_t arrivals) {
    atomic_fetch_add(&d->arrived, 1);
    for (int spin = 0; atomic_load(&d->arrived) < arrivals; spin++) {
        if (spin > SPINS) {
            sched_yield(); /* the other may have no core of its own */
        }
    }
}

static void *fight(void *data) {
    const duellist *me = data;
    uint64_t joins = 0;
    for (uint32_t n = 0; n < TRIPLES; n++) {
        wait_for(me->duel, 2 * (uint64_t)(n + 1));
        joins += carom_union_find_unite(me->duel->parent, 3 * n + 2, 3 * n + me->number);
    }
    atomic_fetch_add(&me->duel->joins, joins);
    return NULL;
}

static void test_two_links_of_one_root(void **state) {
    (void)state;
    duel d = {.parent = malloc(3 * TRIPLES * sizeof *d.parent)};
    assert_non_null((void *)d.parent);
    carom_union_find_init(d.parent, 0, 3 * TRIPLES);
    duellist duellists[2] = {{&d, 0}, {&d, 1}};
    pthread_t thread[2];
    for (int n = 0; n < 2; n++) {
        assert_int_equal(pthread_create(&thread[n], NULL, fight, &duellists[n]), 0);
    }
    for (int n = 0; n < 2; n++) {
        assert_int_equal(pthread_join(thread[n], NULL), 0);
    }
    for (uint32_t n = 0; n < 3 * TRIPLES; n++) {
        assert_int_equal(carom_union_find_root(d.parent, n), n / 3 * 3);
    }
    assert_int_equal(d.joins, 2 * TRIPLES);
    free((void *)d.parent);
}

int main(int argc, char **argv) {
    (void)argc;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_graphs),
        cmocka_unit_test(test_middle_graphs),
        cmocka_unit_test(test_large_graphs),
        cmocka_unit_test(test_two_links_of_one_root),
    };
    note_start(argv[0]);
    return cmocka_run_group_tests_name("union_find", tests, NULL, NULL);
}
