/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What coherent detection keeps from step to step. A body's slot is the place of its record, in the space order of the
 * last rebuild. */
#ifndef CAROM_STEP_COHERENT_H
#define CAROM_STEP_COHERENT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "carom/coherent.h"
#include "kernel/broad/groups.h"
#include "kernel/step/context.h"

typedef enum carom_coherent_buffer {
    CAROM_COHERENT_SLOT, /* of each body */
    CAROM_COHERENT_BODY, /* of each slot */
    CAROM_COHERENT_RECORDS,
    CAROM_COHERENT_HULLS,     /* six arrays, in the caller's order */
    CAROM_COHERENT_INNER,     /* boxes inside them, six arrays */
    CAROM_COHERENT_INDEX,     /* hulls in order of slots, and boxes around them */
    CAROM_COHERENT_DRAWN_OUT, /* the bodies that hulls are the boxes of */
    CAROM_COHERENT_PAIR_I,    /* the list */
    CAROM_COHERENT_PAIR_K,
    CAROM_COHERENT_ROW, /* slots + 1: where the pairs of each begin */
    CAROM_COHERENT_TOUCHING,
    CAROM_COHERENT_TOUCHING_BEFORE,
    CAROM_COHERENT_ESCAPED,
    CAROM_COHERENT_TASKS,
    CAROM_COHERENT_HITS, /* of each worker: pairs of slots */
    CAROM_COHERENT_PARENT,
    CAROM_COHERENT_LEAST,
    CAROM_COHERENT_GROUP_SIZE,
    CAROM_COHERENT_NODES, /* the groups once more, linked for updates; until then spare, 4 bytes a slot, for labels */
    CAROM_COHERENT_MEMBERS,
    CAROM_COHERENT_LABEL,
    CAROM_COHERENT_CARRIED, /* touching pairs of bodies, over a rebuild */
    CAROM_COHERENT_EVENTS,
    CAROM_COHERENT_BUFFERS
} carom_coherent_buffer;

/* How far ahead hulls reach, chosen by a model of cost so that the same steps give the same choice on every machine. */
typedef struct carom_coherent_reach {
    double horizon;     /* steps */
    double share;       /* margin as a share of the distance a body goes within the horizon */
    double factor;      /* of the last change of horizon */
    double last_rate;   /* cost a step of the list before; 0: none */
    double spent;       /* cost since the rebuild */
    double spent_aside; /* of it, on escaped bodies */
    double build_cost;
    uint64_t steps;      /* since the rebuild */
    double displacement; /* mean of the bodies', at the rebuild */
    double margin;       /* length, all around */
} carom_coherent_reach;

/* Sizes of groups told apart when the largest is looked for; larger ones count as the last. */
enum { CAROM_COHERENT_SIZES = 1024 };

typedef struct carom_coherent {
    carom_context *context;
    carom_coherent_config config;
    carom_buffer buffer[CAROM_COHERENT_BUFFERS];
    bool built;    /* order, hulls and list are those of `count` bodies */
    bool compared; /* TOUCHING_BEFORE holds the pairs of the step before */
    bool grouped;  /* LABEL, and PARENT and LEAST or NODES, hold the groups of the step before */
    bool linked;   /* NODES hold them too, and are what is kept up to date from there on */
    uint64_t count;
    uint64_t pairs;      /* on the list */
    uint64_t ordered;    /* of them, in order of pair_i: the rest came with escaped bodies */
    uint64_t pairs_room; /* the list may grow to this between rebuilds */
    uint64_t rebuilds;
    uint64_t carried; /* touching pairs of bodies in CARRIED, to be found on a new list */
    uint64_t carried_ended;
    carom_group_counts groups;              /* while grouped */
    uint32_t of_size[CAROM_COHERENT_SIZES]; /* while linked: groups of so many bodies */
    double centre[3];                       /* of the hulls */
    double drift;                           /* how far the boxes' centre may be from it (f64) */
    bool has_inner;                         /* hulls have boxes inside them: */
    carom_inner_hulls inner;
    carom_coherent_reach reach;
} carom_coherent;

struct carom_coherent_f32 {
    carom_coherent state;
};
struct carom_coherent_f64 {
    carom_coherent state;
};

static inline void *carom_coherent_data(const carom_coherent *state, carom_coherent_buffer which) {
    return state->buffer[which].data;
}

/* The six arrays of hulls. */
static inline void carom_coherent_hulls(const carom_coherent *state, float *lo[3], float *hi[3]) {
    float *block = carom_coherent_data(state, CAROM_COHERENT_HULLS);
    uint64_t stride = state->count + CAROM_SIMD_PAD + UINT64_C(9) * CAROM_CACHE_LINE / sizeof(float);
    for (uint64_t a = 0; a < 3; a++) {
        lo[a] = block + a * stride;
        hi[a] = block + (a + 3) * stride;
    }
}

/* The same to be read. */
static inline carom_hull_set carom_coherent_hull_set(const carom_coherent *state) {
    carom_hull_set set = {.inner = state->has_inner ? &state->inner : NULL};
    float *lo[3];
    float *hi[3];
    carom_coherent_hulls(state, lo, hi);
    for (int a = 0; a < 3; a++) {
        set.centre[a] = state->centre[a];
        set.lo[a] = lo[a];
        set.hi[a] = hi[a];
    }
    return set;
}

/* A buffer to be made large enough; contents are lost when it grows. */
typedef struct carom_coherent_need {
    carom_coherent_buffer which;
    uint64_t bytes;
} carom_coherent_need;

/* On failure *required is a memory limit under which all would have fit. */
carom_status carom_coherent_reserve(carom_coherent *state, const carom_coherent_need *need, uint32_t count,
                                    uint64_t *required);

/* Forgets everything but what was learned about reach, and gives the memory back. */
void carom_coherent_forget(carom_coherent *state);

carom_status carom_coherent_run_f32(carom_coherent *state, const carom_bodies_f32 *bodies,
                                    const carom_detect_config *config, const carom_detect_output_f32 *output,
                                    carom_detection_f32 *detection, carom_coherent_report *report, carom_error *error);
carom_status carom_coherent_run_f64(carom_coherent *state, const carom_bodies_f64 *bodies,
                                    const carom_detect_config *config, const carom_detect_output_f64 *output,
                                    carom_detection_f64 *detection, carom_coherent_report *report, carom_error *error);

/* coherent_reach.c */

/* The start of every life of `coherent`. */
void carom_coherent_reach_init(carom_coherent_reach *reach);
/* Chooses horizon and margin of the next list, from what the last one cost. */
void carom_coherent_reach_choose(carom_coherent_reach *reach, uint32_t fixed, double displacement, double extent);
/* A list of so many pairs was built, used for a step, extended by escaped bodies. */
void carom_coherent_reach_built(carom_coherent_reach *reach, uint64_t bodies, uint64_t pairs);
void carom_coherent_reach_step(carom_coherent_reach *reach, uint64_t bodies, uint64_t pairs);
/* False: extending the list for so many bodies is dearer than a new one. */
bool carom_coherent_reach_worth(carom_coherent_reach *reach, uint64_t bodies, uint64_t escaped);

/* coherent_list.c */

/* Builds the list from pairs of bodies: slots, the larger first, in order of it. Serial; O(pairs + slots). */
void carom_coherent_list_build(carom_coherent *state, uint64_t pairs, const uint32_t *i, const uint32_t *k);
/* Takes the touching pairs of the list, as bodies, to CARRIED, before a rebuild. Errors: MEMORY. */
carom_status carom_coherent_list_carry(carom_coherent *state, uint64_t *required);
/* Marks the carried pairs in TOUCHING_BEFORE of the new list. Those that are not on it have ended: they are moved to
 * the front of CARRIED, and carried_ended says how many. */
void carom_coherent_list_restore(carom_coherent *state);

/* coherent_index.c: hulls in order of slots, in blocks with a box around each, and blocks of blocks. */

typedef struct carom_coherent_index {
    uint64_t count;
    carom_slot_box *hull;
    carom_slot_box *block; /* around CAROM_INDEX_BLOCK hulls */
    carom_slot_box *super; /* around as many blocks */
} carom_coherent_index;

enum { CAROM_INDEX_BLOCK = 32 };

uint64_t carom_coherent_index_bytes(uint64_t count);
carom_coherent_index carom_coherent_index_view(void *block, uint64_t count);
/* Fills block and super from hull. */
void carom_coherent_index_build(const carom_coherent_index *index);
/* A box around all hulls. */
carom_slot_box carom_coherent_index_all(const carom_coherent_index *index);
/* Whether some hull is so far from its centre that another one, up to FLT_MAX / 2 away, might have boxes in it beyond
 * floats' range: there all look alike, and no room would be enough. To be asked of a new list only: a hull that grows
 * to there still holds where it was, and so overlaps all others that do. */
bool carom_coherent_index_is_far(const carom_coherent_index *index);
/* Grows the hull of `slot` to hold `box` too, and writes the slots of the hulls that it overlaps now and did
 * not before, at most `capacity`. Returns how many there are; if more than capacity nothing is changed. */
uint64_t carom_coherent_index_grow(const carom_coherent_index *index, uint32_t slot, const carom_slot_box *box,
                                   uint32_t *found, uint64_t capacity);

/* coherent_inner.c: boxes inside the hulls, of 16 bits a side. */

uint64_t carom_coherent_inner_bytes(uint64_t count);
/* Chooses the steps of sides for the hulls of a new list, or that there shall be no inner ones. */
void carom_coherent_inner_start(carom_coherent *state, const carom_coherent_index *index);
/* Fills in those of bodies [begin, end) from their hulls, if there are any. */
void carom_coherent_inner_fill(const carom_coherent *state, uint64_t begin, uint64_t end);

/* coherent_changes.c */

/* Makes room for as many events as this list and what is carried can give, where they are asked for. Errors: MEMORY. */
carom_status carom_coherent_changes_reserve(carom_coherent *state, uint64_t *required);
/* Compares TOUCHING with TOUCHING_BEFORE: counts, and lists where asked for. Errors: MEMORY. */
carom_status carom_coherent_changes_find(carom_coherent *state, uint64_t touching, carom_coherent_report *report,
                                         uint64_t *required);
/* Brings the groups up to date after `changed` pairs began or ended. Returns false if so many bodies are concerned that
 * starting anew is cheaper: then nothing may be used of them. Serial. */
bool carom_coherent_changes_regroup(carom_coherent *state, uint64_t changed, carom_group_counts *counts);
/* Bytes of NODES and MEMBERS. */
uint64_t carom_coherent_changes_nodes_bytes(uint64_t count);
uint64_t carom_coherent_changes_members_bytes(uint64_t count);
/* Labels all bodies anew from the touching pairs. */
carom_group_counts carom_coherent_changes_group_all(carom_coherent *state);

#endif
