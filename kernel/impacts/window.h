/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A window of time within a step, and the bodies that have impacts in it.
 *
 * Bodies whose impacts may depend on one another are in one group, and each group is simulated alone from the window's
 * beginning. Then each new piece of a path is held against those of all neighbours. Where it meets one of another group
 * before the window ends the two groups become one, which is simulated again. When none does, no impact between groups
 * exists, so each group has had the very impacts of one queue for all. Several windows follow one another between two
 * searches for neighbours.
 *
 * Groups are simulated, and held against others, by all workers at once. Each worker writes what it finds into lists of
 * its own. All workers make groups of what is due, too; one thread joins those that meet, between these stages. */
#ifndef CAROM_IMPACTS_WINDOW_H
#define CAROM_IMPACTS_WINDOW_H

#include <stdatomic.h>

#include "kernel/groups/union_find.h"
#include "kernel/impacts/bodies.h"
#include "kernel/impacts/hulls.h"
#include "kernel/impacts/list.h"
#include "kernel/impacts/rows.h"
#include "kernel/impacts/tree.h"
#include "simd/dispatch.h"

/* A piece of a path, and where the next one is. */
typedef struct carom_path_piece {
    carom_piece piece;
    carom_coarse_path coarse;
    uint32_t next;
    uint32_t moment; /* where several begin at one time: for the first of them the last one; else the piece itself */
} carom_path_piece;

/* A body that has impacts in this window. Groups are sets of these entries. One fills a cache line. */
typedef struct carom_active {
    uint32_t slot;
    uint32_t parent;       /* at most the entry; the root itself: the group's entry. After carom_due_groups and
                              carom_window_flatten the root */
    _Atomic uint32_t next; /* the group's members in a ring */
    uint32_t worker;       /* who simulated the group last: in whose lists its paths and impacts are */
    uint32_t first; /* of the new pieces, after that with which the window began; CAROM_IMPACTS_NONE: no impact */
    uint32_t last;
    uint32_t moment;     /* the first of the pieces that begin when the last one does */
    uint32_t local;      /* index in the group while that is simulated */
    uint32_t escape;     /* in the worker's list, or CAROM_IMPACTS_NONE: the body left its hull in this round */
    uint32_t events;     /* of a root: the group's impacts, */
    uint32_t round;      /* and in which it was simulated last */
    bool dirty;          /* of a root: it is in window->dirty, and has not been simulated since */
    bool verified;       /* of a root: paths of members were verified and then dropped */
    bool joined : 1;     /* while groups are made: all that the body touches when the window begins have joined it */
    bool seen : 1;       /* its bystanders took part in the last simulation (bystanders.h) */
    uint8_t at_once : 2; /* while groups are made: impacts that are due when the window begins, at most 2 */
    _Atomic uint8_t row; /* how large the body's row is; of a root, the largest one of those who were members when
                            groups were made or united. 0: no row is long (large_groups.h) */
    union {
        _Atomic double t; /* until its group is verified: of a due impact with a member whose entry is lower; NaN: there
                             is none */
        double held; /* from then on: when the first piece ended, as it was when it was last held; NaN: the body had
                        no impact then, and the piece was held whole */
    };
    uint64_t event; /* of a root: the first of the group's impacts */
} carom_active;

_Static_assert(sizeof(carom_active) == CAROM_CACHE_LINE, "an entry is a cache line");

/* An impact that may happen: what a body in a slot may hit, and when. It does not if one of them has another before. */
typedef struct carom_pending {
    carom_contact_pair pair;
    uint16_t count[2]; /* impacts that the two had; of a surface: 0 */
    double t;
} carom_pending;

/* One that was noted in a round, after the window's end. */
typedef struct carom_later {
    carom_pending pending;
    uint32_t round;
    bool is_new[2]; /* whether the piece of each is a new one */
} carom_later;

/* An impact that happened. */
typedef struct carom_impacts_event {
    double t;         /* in steps */
    uint32_t i;       /* number of the lower body */
    uint32_t k;       /* number of the other body or surface */
    int32_t shift[3]; /* of k's image, in edges of the periodic box */
    uint32_t group;   /* impacts of a group have one number and follow one another */
    carom_impact impact;
} carom_impacts_event;

/* A body that leaves its hull, now or later, and the hull it had. */
typedef struct carom_escape {
    uint32_t slot;
    bool now;     /* it does so before the window ends */
    uint32_t met; /* neighbours that were found for the wider hull */
    carom_box before;
} carom_escape;

/* What the search for new neighbours of bodies that left their hulls goes through, and what it finds. */
typedef struct carom_escape_search {
    carom_list found;  /* of carom_contact_pair */
    carom_list box;    /* of carom_box: wider hulls, seen from images */
    carom_list before; /* of carom_box: the hulls that they had */
    carom_list query;  /* of carom_escape_query: whose each is */
    carom_buffer room; /* for kernel/impacts/known.c */
    carom_tree_search tree;
    bool ended; /* a body is too fast for the hulls' time: what else there is does not matter */
} carom_escape_search;

/* Parts of the time until the next search at whose ends a window may end. */
enum { CAROM_HORIZON_PARTS = 64 };

/* Where a member's pieces, which are in order of time, find the first one of another body's that lasts as long. */
typedef struct carom_hint {
    uint64_t member; /* whose hint it is: the number of a verification of one member */
    uint32_t piece;
} carom_hint;

/* What the verification of groups goes through. */
typedef struct carom_verification {
    carom_list waiting; /* pieces that wait for other bodies to be fetched */
    carom_list hint;    /* of carom_hint, for each entry */
    carom_list piece;   /* of uint32_t: pieces of a long row's body, which are held together */
    carom_list kept;    /* of uint32_t: slots of its row that tubes around them meet */
    carom_list idle;    /* of uint32_t: slots of its row that are in no group */
    carom_list other;   /* of carom_row_entry: what of its row is not for the kernel */
    uint64_t member;    /* that is verified: counts up */
} carom_verification;

/* What members of the group that is simulated may hit: another member, or CAROM_IMPACTS_SURFACE plus a surface, and at
 * which image. */
typedef struct carom_adjacency {
    carom_list other;     /* of uint32_t */
    carom_list image;     /* of uint32_t */
    carom_buffer cluster; /* the group */
    carom_list instant;   /* of carom_instant_list (instant.c) */
    carom_list column;    /* of float: the columns of these */
} carom_adjacency;

/* Pairs that may collide before the hulls end, in this step or a later one (kernel/impacts/reuse_predict.c). */
typedef struct carom_prospects {
    carom_list pair;    /* of carom_contact_pair */
    carom_list changed; /* of uint32_t: slots whose pairs are looked at anew in this step */
    carom_list crossed; /* of carom_crossing: bodies that have crossed a face of the box since the last step */
    bool lost;          /* there was no memory for a pair: they are of no use */
} carom_prospects;

/* New pieces of paths. */
typedef struct carom_paths {
    carom_list piece;  /* of carom_path_piece */
    carom_list joined; /* of carom_joined: whose they are that have no entries yet (kernel/impacts/bystanders.h) */
    uint32_t free;     /* the first of those that were dropped, or CAROM_IMPACTS_NONE */
} carom_paths;

/* Bodies that cannot go on: the lowest number of those, or CAROM_IMPACTS_NONE. */
typedef struct carom_beyond {
    uint32_t floats; /* whose hulls are beyond floats */
    uint32_t image;  /* that may meet an image too far away for a code */
} carom_beyond;

static const carom_beyond CAROM_BEYOND_NONE = {UINT32_MAX, UINT32_MAX};

static inline void carom_beyond_note(uint32_t *lowest, uint32_t number) {
    *lowest = number < *lowest ? number : *lowest;
}

/* What one worker finds. */
typedef struct carom_impacts_worker {
    _Alignas(CAROM_CACHE_LINE) carom_paths path; /* no other worker writes to these lines */
    carom_list event;                            /* of carom_impacts_event */
    carom_list pending;                          /* of carom_pending: impacts until window->soon */
    carom_list aside;                            /* of carom_pending: from then on until the hulls end */
    carom_list due;                              /* of carom_pending: those that are due before the window ends */
    carom_list later;                            /* of carom_later */
    carom_prospects prospects;                   /* for later steps */
    carom_list meeting;                          /* of carom_contact_pair: bodies of different groups that collide */
    carom_list escape;                           /* of carom_escape */
    carom_escape_search search;                  /* for new neighbours of those */
    carom_adjacency adjacent;                    /* in the group that is simulated */
    carom_verification verification;             /* of groups */
    carom_buffer near;                           /* slots: neighbours that may be met, and neighbours in groups */
    uint64_t tally[2];                  /* counts of a stage, for who adds them up after it: the stage says of what */
    uint32_t part[CAROM_HORIZON_PARTS]; /* pending impacts in each part of the time until the next search */
    carom_beyond beyond;
    uint32_t largest; /* members of the largest group */
    double cut;       /* when a group has had more impacts than it should, or INFINITY */
    bool failed;      /* no memory */
    _Alignas(CAROM_CACHE_LINE) _Atomic uint64_t claims; /* of groups, in a stage: others take what is left */
} carom_impacts_worker;

/* Which groups are verified. */
typedef struct carom_verified {
    uint32_t round; /* those that were not simulated in this round or a later one */
    uint32_t root;  /* in the first rounds, in which groups are in the order of their roots: those with lesser roots */
    bool ordered;   /* this is so */
} carom_verified;

/* Sets of slots, and of entries. */
typedef struct carom_window_sets {
    uint64_t *escaped;     /* a bit for each slot; clear but while escapes are followed */
    _Atomic uint64_t *due; /* a bit for each slot: bodies that have impacts; clear but while groups are made */
    uint64_t *due_words;   /* for each worker a bit for each word of `due` that it has written to */
    uint64_t due_stride;   /* from worker to worker: whole cache lines */
    carom_list united;     /* of carom_union_find_parent: entries while groups are made */
    carom_list large;      /* of uint64_t (kernel/impacts/large_groups.c) */
} carom_window_sets;

typedef struct carom_window {
    carom_impacts_bodies *bodies;
    const carom_hulls *hulls;
    const carom_impacts_rows *rows;
    carom_memory *memory;
    const carom_simd *simd;
    uint32_t *active_of; /* for each slot its entry in `active`, or CAROM_IMPACTS_NONE */
    uint16_t *count_of;  /* for each slot the impacts of the step that the body had when the window began; before the
                            first one, of the step before */
    carom_window_sets sets;
    double begin;          /* in steps */
    double end;            /* impacts at this time belong to the next window */
    double soon;           /* impacts from then on are set aside; INFINITY: none are */
    uint32_t round;        /* of simulation, in this window */
    uint64_t impacts_most; /* of a group: the window is cut where one has more */
    carom_verified verified;
    carom_list active;            /* of carom_active */
    carom_list dirty;             /* roots that were made dirty, of uint32_t */
    carom_list front;             /* slots, of uint32_t: bodies around a meeting that join its group */
    carom_control *control;       /* the host's; NULL: none */
    carom_impacts_worker *worker; /* for each worker of the team */
    bool failed;                  /* no memory */
} carom_window;

/* Words that have so many bits. */
static inline uint64_t carom_window_words(uint64_t bits) {
    return (bits + 63) / 64;
}

static inline bool carom_window_has_escaped(const carom_window *window, uint32_t slot) {
    return (window->sets.escaped[slot / 64] >> slot % 64 & 1) != 0;
}

static inline carom_active *carom_window_active(const carom_window *window) {
    return window->active.buffer.data;
}

/* The next of a group's members, after the last one the root. */
static inline uint32_t carom_active_next(const carom_active *active) {
    return atomic_load_explicit(&active->next, memory_order_relaxed);
}

/* A member of a root's group may have a larger row than others. Several threads may say so. */
static inline void carom_window_note_row(carom_active *root, const carom_active *member) {
    const uint8_t row = atomic_load_explicit(&member->row, memory_order_relaxed);
    uint8_t largest = atomic_load_explicit(&root->row, memory_order_relaxed);
    while (row > largest && !atomic_compare_exchange_weak_explicit(&root->row, &largest, row, memory_order_relaxed,
                                                                   memory_order_relaxed)) {
    }
}

/* Neither surfaces nor fixed bodies are in groups. */
static inline bool carom_window_is_member(const carom_window *window, uint32_t other) {
    return !carom_impacts_is_surface(other) && !carom_impacts_is_fixed(window->bodies, other);
}

/* The paths that a worker has made. */
static inline carom_path_piece *carom_window_path(const carom_window *window, uint32_t worker) {
    return window->worker[worker].path.piece.buffer.data;
}

/* The root of an entry's group. Between stages only. */
uint32_t carom_window_root(const carom_window *window, uint32_t entry);

/* Makes room for so many entries, which are there from now on and must be begun, and for as many in `dirty`, which has
 * none of them yet. False if there is no memory. */
bool carom_window_reserve(carom_window *window, uint64_t entries);

/* Begins the entry of a body that has none: a group of its own, to be put into `dirty`. Several threads may do so for
 * different ones. */
void carom_window_begin_entry(const carom_window *window, uint32_t entry, uint32_t slot);

/* Makes the groups of two bodies one, and dirty. Returns its root, or CAROM_IMPACTS_NONE if there is no memory. */
uint32_t carom_window_unite(carom_window *window, uint32_t slot_a, uint32_t slot_b);

/* Makes a body that has no entry a member of a root's group, which is as dirty as it was. NULL, and window->failed, if
 * there is no memory. */
carom_active *carom_window_adopt(carom_window *window, uint32_t slot, uint32_t root);

/* Makes neighbours of a body, and theirs in turn, members of its group until `count` have joined it. */
void carom_window_unite_around(carom_window *window, uint32_t slot, uint64_t count);

/* Makes a body's group dirty. */
void carom_window_touch(carom_window *window, uint32_t slot);

/* Makes the root the parent of all members of dirty groups, and drops from `dirty` what is no root any more. */
void carom_window_flatten(carom_window *window);

/* Pairs of a worker that wait for each other (kernel/impacts/lone_block.h). */
typedef struct carom_lone_block carom_lone_block;

/* Simulates the group of a root until the window ends, or lets it wait in the block. A team's worker may do so while
 * others simulate other groups. */
void carom_window_simulate(carom_window *window, uint32_t root, carom_lone_block *block, uint32_t worker);

/* Holds the new pieces of a group that was simulated in this round against the paths of all neighbours: notes who meets
 * members of other groups in this window. A team's worker may do so while others do the same. */
void carom_window_verify(carom_window *window, uint32_t root, uint32_t worker);

/* Ends a worker's verification of groups: holds what still waits to be held. */
void carom_window_verify_last(carom_window *window, uint32_t worker);

#endif
