/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: pending impacts. Out: those that are due, an entry for each of their bodies, and groups.
 *
 * All workers take part in each stage. Entries are in the order of slots, as bodies near one another are. What is due
 * unites entries in a union-find of all workers; then each entry that is no root joins the ring of its root. */
#include "kernel/impacts/due_groups.h"

#include <string.h>

#include "kernel/impacts/pending.h"
#include "kernel/impacts/touching.h"

/* Impacts further on whose bodies' entries are fetched. */
enum { AHEAD = 16 };

/* What an impact is worth to a team, in bodies of a detection: its entries may be in the caches of other cores. */
enum { DUE_ITEMS = 8 };

/* Shares of entries begin at multiples of this: a cache line of `dirty`. */
enum { GRAIN = 16 };

typedef struct pass {
    carom_window *window;
    const carom_team *team;
} pass;

static carom_union_find_parent *united(const carom_window *window) {
    return window->sets.united.buffer.data;
}

/* The words of sets->due that a worker has written to. */
static uint64_t *words_of(const carom_window_sets *sets, uint32_t worker) {
    return sets->due_words + worker * sets->due_stride;
}

/* One worker alone needs no locked instruction. */
static inline void mark(const carom_window_sets *sets, uint64_t *words, uint32_t slot, bool alone) {
    const uint64_t word = slot / 64;
    const uint64_t bit = UINT64_C(1) << slot % 64;
    if (alone) {
        const uint64_t marks = atomic_load_explicit(&sets->due[word], memory_order_relaxed);
        atomic_store_explicit(&sets->due[word], marks | bit, memory_order_relaxed);
    } else {
        atomic_fetch_or_explicit(&sets->due[word], bit, memory_order_relaxed);
    }
    words[word / 64] |= UINT64_C(1) << word % 64;
}

/* Marks the bodies that are in a group, and counts impacts at the window's beginning. */
static void mark_due(const carom_window *window, uint32_t worker, bool alone) {
    carom_impacts_worker *own = &window->worker[worker];
    const carom_pending *due = own->due.buffer.data;
    uint64_t *words = words_of(&window->sets, worker);
    uint64_t at_once = 0;
    for (uint64_t n = 0; n < own->due.count; n++) {
        at_once += due[n].t <= window->begin ? 1 : 0;
        if (carom_window_is_member(window, due[n].pair.a)) {
            mark(&window->sets, words, due[n].pair.a, alone);
        }
        if (carom_window_is_member(window, due[n].pair.other)) {
            mark(&window->sets, words, due[n].pair.other, alone);
        }
    }
    own->tally[0] = at_once;
}

static void due_task(void *data, uint32_t worker) {
    const pass *p = data;
    carom_impacts_worker *own = &p->window->worker[worker];
    carom_pending_take_due(p->window, own);
    if (!own->failed) {
        mark_due(p->window, worker, p->team->workers == 1);
    }
}

/* A worker's share of the words that each worker has. */
static carom_range shares_of(const pass *p, uint32_t worker) {
    return carom_team_range(p->team, worker, carom_window_words(carom_window_words(p->window->bodies->count)), 1);
}

/* Joins what all workers have in word n, for the first of them. */
static uint64_t join_words(const pass *p, uint64_t n) {
    const carom_window_sets *sets = &p->window->sets;
    uint64_t words = words_of(sets, 0)[n];
    for (uint32_t w = 1; w < p->team->workers; w++) {
        words |= words_of(sets, w)[n];
        words_of(sets, w)[n] = 0;
    }
    words_of(sets, 0)[n] = words;
    return words;
}

static void count_task(void *data, uint32_t worker) {
    const pass *p = data;
    const carom_window_sets *sets = &p->window->sets;
    const carom_range own = shares_of(p, worker);
    uint64_t marked = 0;
    for (uint64_t n = own.begin; n < own.end; n++) {
        for (uint64_t words = join_words(p, n); words != 0; words &= words - 1) {
            marked += (uint64_t)__builtin_popcountll(sets->due[64 * n + (uint64_t)__builtin_ctzll(words)]);
        }
    }
    p->window->worker[worker].tally[0] = marked;
}

/* Gives the marked bodies of a word groups of their own, and takes the marks away. Returns the next free entry. */
static uint32_t begin_word(const carom_window *window, uint64_t word, uint32_t entry) {
    for (uint64_t marks = window->sets.due[word]; marks != 0; marks &= marks - 1) {
        carom_window_begin_entry(window, entry++, (uint32_t)(64 * word) + (uint32_t)__builtin_ctzll(marks));
    }
    atomic_store_explicit(&window->sets.due[word], 0, memory_order_relaxed);
    return entry;
}

static void begin_task(void *data, uint32_t worker) {
    const pass *p = data;
    const carom_window *window = p->window;
    uint64_t *words = words_of(&window->sets, 0);
    const carom_range own = shares_of(p, worker);
    uint32_t first = 0;
    for (uint32_t w = 0; w < worker; w++) {
        first += (uint32_t)window->worker[w].tally[0];
    }
    uint32_t entry = first;
    for (uint64_t n = own.begin; n < own.end; n++) {
        for (; words[n] != 0; words[n] &= words[n] - 1) {
            entry = begin_word(window, 64 * n + (uint64_t)__builtin_ctzll(words[n]), entry);
        }
    }
    carom_union_find_init(united(window), first, entry);
}

static uint64_t marked_bodies(const carom_window *window, const carom_team *team) {
    uint64_t marked = 0;
    for (uint32_t w = 0; w < team->workers; w++) {
        marked += window->worker[w].tally[0];
    }
    return marked;
}

/* The entry that is not the root keeps the time. In a group of more than two nobody reads it. */
static inline void unite(const carom_window *window, const carom_pending *due, bool alone) {
    const uint32_t a = window->active_of[due->pair.a];
    const uint32_t b = window->active_of[due->pair.other];
    if (alone) {
        carom_union_find_unite_alone(united(window), a, b);
    } else {
        carom_union_find_unite(united(window), a, b);
    }
    atomic_store_explicit(&carom_window_active(window)[a > b ? a : b].t, due->t, memory_order_relaxed);
}

static void unite_task(void *data, uint32_t worker) {
    const pass *p = data;
    const carom_window *window = p->window;
    const carom_impacts_worker *own = &window->worker[worker];
    const carom_pending *due = own->due.buffer.data;
    for (uint64_t n = 0; n < own->due.count; n++) {
        const carom_contact_pair *ahead = &due[n + AHEAD < own->due.count ? n + AHEAD : n].pair;
        __builtin_prefetch(&window->active_of[ahead->a]);
        __builtin_prefetch(&window->active_of[carom_impacts_is_surface(ahead->other) ? ahead->a : ahead->other]);
        if (carom_window_is_member(window, due[n].pair.a) && carom_window_is_member(window, due[n].pair.other)) {
            unite(window, &due[n], p->team->workers == 1);
        }
    }
}

/* Puts an entry into the ring of its root, behind it. Several threads may do so, if they are not alone. */
static inline void join_ring(carom_active *active, uint32_t root, uint32_t entry, bool alone) {
    uint32_t next;
    if (alone) {
        next = carom_active_next(&active[root]);
        atomic_store_explicit(&active[root].next, entry, memory_order_relaxed);
    } else {
        next = atomic_exchange_explicit(&active[root].next, entry, memory_order_relaxed);
    }
    atomic_store_explicit(&active[entry].next, next, memory_order_relaxed);
}

/* Makes entries members of their roots' groups. Returns the number of roots, which it puts from dirty[begin] on. */
static uint64_t group_entries(const pass *p, uint64_t begin, uint64_t end) {
    carom_active *active = carom_window_active(p->window);
    uint32_t *dirty = (uint32_t *)p->window->dirty.buffer.data + begin;
    const bool alone = p->team->workers == 1;
    uint64_t roots = 0;
    for (uint64_t entry = begin; entry < end; entry++) {
        const uint32_t root = carom_union_find_root(united(p->window), (uint32_t)entry);
        active[entry].parent = root;
        if (root == entry) {
            dirty[roots++] = root;
            continue;
        }
        active[entry].dirty = false;
        join_ring(active, root, (uint32_t)entry, alone);
        carom_window_note_row(&active[root], &active[entry]);
    }
    return roots;
}

static carom_range entries_of(const pass *p, uint32_t worker) {
    return carom_team_range(p->team, worker, p->window->active.count, GRAIN);
}

static void group_task(void *data, uint32_t worker) {
    const pass *p = data;
    const carom_range own = entries_of(p, worker);
    p->window->worker[worker].tally[0] = group_entries(p, own.begin, own.end);
}

/* Closes the gaps between the workers' roots. */
static void join_roots(const pass *p) {
    uint32_t *dirty = p->window->dirty.buffer.data;
    uint64_t roots = 0;
    for (uint32_t w = 0; w < p->team->workers; w++) {
        const uint64_t count = p->window->worker[w].tally[0];
        memmove(dirty + roots, dirty + entries_of(p, w).begin, count * sizeof *dirty);
        roots += count;
    }
    p->window->dirty.count = roots;
}

/* Groups of what is marked. `items`: what that is worth to the team. */
static void make_groups(pass *p, uint64_t items) {
    carom_window *window = p->window;
    carom_team_run_over(p->team, window->bodies->count / 16, count_task, p);
    const uint64_t marked = marked_bodies(window, p->team);
    if (marked == 0) {
        return;
    }
    if (!carom_window_reserve(window, marked)) {
        window->failed = true;
        return;
    }
    carom_team_run_over(p->team, items, begin_task, p);
    carom_team_run_over(p->team, items, unite_task, p);
    carom_team_run_over(p->team, items, group_task, p);
    join_roots(p);
}

void carom_due_groups(carom_window *window, const carom_team *team) {
    pass p = {window, team};
    uint64_t due = 0;
    uint64_t at_once = 0;
    carom_team_run_over(team, carom_pending_count(window, team), due_task, &p);
    for (uint32_t w = 0; w < team->workers; w++) {
        const carom_impacts_worker *worker = &window->worker[w];
        window->failed = window->failed || worker->failed;
        due += worker->due.count;
        at_once += worker->tally[0];
    }
    if (!window->failed) {
        make_groups(&p, due * DUE_ITEMS);
    }
    if (!window->failed && at_once > 0) {
        carom_touching_unite(window, team->workers);
        carom_window_flatten(window);
    }
}
