/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Sets of pairs against sorted arrays: what is in them, what two have in common, and one layout whatever the order of
 * insertion and the number of threads. */
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/coherent/pair_set.h"
#include "kernel/scene/random.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

enum { CASES = 200, PAIRS_MOST = 3000, THREADS = 4, RACES = 20, RACING = 40000 };

/* Pairs of bodies, none twice. */
typedef struct pairs {
    uint64_t count;
    uint32_t *i;
    uint32_t *k;
} pairs;

static int compare_keys(const void *left, const void *right) {
    const uint64_t a = *(const uint64_t *)left;
    const uint64_t b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* Few bodies make neighbouring keys, many make keys all over; either body of a pair may come first. */
static pairs make_pairs(uint64_t most, uint64_t bodies, carom_random *random) {
    pairs p = {0, calloc(most + 1, sizeof(uint32_t)), calloc(most + 1, sizeof(uint32_t))};
    uint64_t *key = calloc(most + 1, sizeof *key);
    assert_true(p.i != NULL && p.k != NULL && key != NULL);
    for (uint64_t n = 0; n < most; n++) {
        const uint32_t a = (uint32_t)(carom_random_next(random) % bodies);
        const uint32_t b = (uint32_t)(carom_random_next(random) % bodies);
        key[n] = carom_pair_key(a, a != b ? b : (uint32_t)((b + 1) % bodies));
    }
    qsort(key, most, sizeof *key, compare_keys);
    for (uint64_t n = 0; n < most; n++) {
        if (n == 0 || key[n] != key[n - 1]) {
            const bool turned = carom_random_next(random) % 2 == 0;
            p.i[p.count] = turned ? (uint32_t)key[n] : (uint32_t)(key[n] >> 32);
            p.k[p.count] = turned ? (uint32_t)(key[n] >> 32) : (uint32_t)key[n];
            p.count++;
        }
    }
    free(key);
    return p;
}

static void shuffle(pairs *p, carom_random *random) {
    for (uint64_t n = p->count; n > 1; n--) {
        const uint64_t other = carom_random_next(random) % n;
        const uint32_t i = p->i[n - 1];
        const uint32_t k = p->k[n - 1];
        p->i[n - 1] = p->i[other];
        p->k[n - 1] = p->k[other];
        p->i[other] = i;
        p->k[other] = k;
    }
}

static void release(pairs *p) {
    free(p->i);
    free(p->k);
}

static carom_pair_set make_set(uint64_t count) {
    carom_pair_set set = {.size = carom_pair_set_size(count)};
    set.key = malloc(set.size * sizeof *set.key);
    assert_non_null(set.key);
    carom_pair_set_clear(&set, 0, set.size);
    return set;
}

static carom_pair_set set_of(const pairs *p, bool alone) {
    const carom_pair_set set = make_set(p->count);
    carom_pair_set_insert(&set, p->count, p->i, p->k, alone);
    return set;
}

static bool same_layout(const carom_pair_set *a, const carom_pair_set *b) {
    bool same = a->size == b->size;
    for (uint64_t n = 0; same && n < a->size; n++) {
        same = a->key[n] == b->key[n];
    }
    return same;
}

/* By looking at every pair of both. */
static uint64_t common(const pairs *a, const pairs *b) {
    uint64_t count = 0;
    uint64_t at = 0;
    uint64_t *key = calloc(b->count + 1, sizeof *key);
    for (; at < b->count; at++) {
        key[at] = carom_pair_key(b->i[at], b->k[at]);
    }
    qsort(key, b->count, sizeof *key, compare_keys);
    for (uint64_t n = 0; n < a->count; n++) {
        const uint64_t wanted = carom_pair_key(a->i[n], a->k[n]);
        count += bsearch(&wanted, key, b->count, sizeof *key, compare_keys) != NULL;
    }
    free(key);
    return count;
}

static void check_difference(const carom_pair_set *set, const carom_pair_set *other, uint64_t expected) {
    uint32_t *out = calloc(2 * expected + 2, sizeof *out);
    out[2 * expected] = 7;
    const carom_team alone = {.workers = 1};
    const uint64_t count = carom_pair_set_difference(&alone, set, other, out, out + 1, 2);
    note_check(count == expected && out[2 * expected] == 7, "%" PRIu64 " pairs differ, not %" PRIu64, count, expected);
    for (uint64_t n = 0; n < count; n++) {
        const uint64_t key = carom_pair_key(out[2 * n], out[2 * n + 1]);
        note_check(out[2 * n] < out[2 * n + 1], "a pair in the wrong order");
        note_check(carom_pair_set_has(set, key) && !carom_pair_set_has(other, key), "a pair too many");
    }
    free(out);
}

static void run_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const uint64_t bodies = number % 3 == 0 ? 40 : number % 3 == 1 ? 5000 : UINT64_C(0xFFFFFFFE);
    pairs a = make_pairs(carom_random_next(&random) % PAIRS_MOST, bodies, &random);
    pairs b = make_pairs(carom_random_next(&random) % PAIRS_MOST, bodies, &random);
    const carom_pair_set none = {NULL, 0};
    note_case(number, "%" PRIu64 " and %" PRIu64 " pairs of %" PRIu64 " bodies", a.count, b.count, bodies);
    const carom_pair_set first = set_of(&a, true);
    note_check(carom_pair_set_validate(&first, a.count) == NULL, "a set is wrong");
    shuffle(&a, &random);
    const carom_pair_set again = set_of(&a, false);
    note_check(same_layout(&first, &again), "another order of insertion has another layout");
    carom_pair_set_insert(&again, a.count / 2, a.i, a.k, true);
    note_check(same_layout(&first, &again), "pairs that come twice are in the set twice");
    const carom_pair_set second = set_of(&b, true);
    const uint64_t both = common(&a, &b);
    check_difference(&first, &second, a.count - both);
    check_difference(&second, &first, b.count - both);
    check_difference(&first, &none, a.count);
    free(first.key);
    free(again.key);
    free(second.key);
    release(&a);
    release(&b);
}

static void test_random_pairs(void **state) {
    (void)state;
    for (uint64_t number = 0; number < note_cases(CASES); number++) {
        run_case(number);
    }
}

/* A thread's share of the pairs: every second pair is another thread's too. */
typedef struct share {
    const carom_pair_set *set;
    const pairs *all;
    uint64_t number;
} share;

static void *insert_share(void *data) {
    const share *s = data;
    for (uint64_t n = 0; n < s->all->count; n++) {
        if (n % THREADS == s->number || (n + 1) % THREADS == s->number) {
            carom_pair_set_insert(s->set, 1, &s->all->i[n], &s->all->k[n], false);
        }
    }
    return NULL;
}

static void test_threads(void **state) {
    (void)state;
    for (uint64_t number = 0; number < note_cases(RACES); number++) {
        carom_random random = carom_random_seeded(note_case_seed(number));
        pairs p = make_pairs(RACING, 3000, &random);
        const carom_pair_set raced = make_set(p.count);
        pthread_t thread[THREADS];
        share shares[THREADS];
        note_case(number, "%d threads", THREADS);
        for (uint64_t t = 0; t < THREADS; t++) {
            shares[t] = (share){&raced, &p, t};
            assert_int_equal(pthread_create(&thread[t], NULL, insert_share, &shares[t]), 0);
        }
        for (int t = 0; t < THREADS; t++) {
            pthread_join(thread[t], NULL);
        }
        const carom_pair_set alone = set_of(&p, true);
        note_check(same_layout(&raced, &alone), "threads have made another set");
        free(raced.key);
        free(alone.key);
        release(&p);
    }
}

int main(int argc, char **argv) {
    (void)argc;
    note_start(argv[0]);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_pairs), cmocka_unit_test(test_threads)};
    return cmocka_run_group_tests_name("pair set", tests, NULL, NULL);
}
