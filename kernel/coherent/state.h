/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What coherent detection keeps from step to step. A body's slot is the place of its record, in the space order of the
 * last rebuild. */
#ifndef CAROM_COHERENT_STATE_H
#define CAROM_COHERENT_STATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "carom/coherent.h"
#include "kernel/coherent/reach.h"
#include "kernel/groups/groups.h"
#include "kernel/store/context.h"

typedef enum carom_coherent_buffer {
    CAROM_COHERENT_SLOT, /* of each body */
    CAROM_COHERENT_BODY, /* of each slot */
    CAROM_COHERENT_RECORDS,
    CAROM_COHERENT_FAT_BOXES, /* six arrays, in the caller's order */
    CAROM_COHERENT_INNER,     /* boxes inside them, six arrays */
    CAROM_COHERENT_INDEX,     /* fat boxes in order of slots, and boxes around them */
    CAROM_COHERENT_DRAWN_OUT, /* the bodies that fat boxes are the boxes of */
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

/* Sizes of groups told apart when the largest is looked for; larger ones count as the last. */
enum { CAROM_COHERENT_SIZES = 1024 };

/* The list of pairs. */
typedef struct carom_coherent_pairs {
    uint64_t pairs;         /* on the list */
    uint64_t ordered;       /* the first so many are in order of pair_i; the rest came with escaped bodies */
    uint64_t room;          /* the list may grow to this between rebuilds */
    uint64_t carried;       /* touching pairs of bodies in CARRIED, to be found on a new list */
    uint64_t carried_ended; /* the first so many of them are not on it: they have ended */
} carom_coherent_pairs;

typedef struct carom_coherent {
    carom_context *context;
    carom_coherent_config config;
    carom_buffer buffer[CAROM_COHERENT_BUFFERS];
    bool built;    /* order, fat boxes and list are those of `count` bodies */
    bool compared; /* TOUCHING_BEFORE holds the pairs of the step before */
    bool grouped;  /* LABEL, and PARENT and LEAST or NODES, hold the groups of the step before */
    bool linked;   /* NODES hold them too, and are what is kept up to date from there on */
    uint64_t count;
    uint64_t rebuilds;
    carom_coherent_pairs list;
    carom_group_counts groups;              /* while grouped */
    uint32_t of_size[CAROM_COHERENT_SIZES]; /* while linked: groups of so many bodies */
    double centre[3];                       /* of the fat boxes */
    double drift;                           /* how far the boxes' centre may be from it (f64) */
    bool has_inner;                         /* fat boxes have boxes inside them: */
    carom_inner_boxes inner;
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

/* The six arrays of fat boxes. */
static inline void carom_coherent_fat_boxes(const carom_coherent *state, float *lo[3], float *hi[3]) {
    float *block = carom_coherent_data(state, CAROM_COHERENT_FAT_BOXES);
    uint64_t stride = state->count + CAROM_SIMD_PAD + UINT64_C(9) * CAROM_CACHE_LINE / sizeof(float);
    for (uint64_t a = 0; a < 3; a++) {
        lo[a] = block + a * stride;
        hi[a] = block + (a + 3) * stride;
    }
}

/* The same to be read. */
static inline carom_fat_box_set carom_coherent_fat_box_set(const carom_coherent *state) {
    carom_fat_box_set set = {.inner = state->has_inner ? &state->inner : NULL};
    float *lo[3];
    float *hi[3];
    carom_coherent_fat_boxes(state, lo, hi);
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

/* Pairs that a list of `pairs` pairs has room for: escaped bodies bring more between rebuilds. */
uint64_t carom_coherent_room(uint64_t pairs);

/* Gives back the memory of all that a rebuild makes anew; what it is made from stays. */
void carom_coherent_release_list(carom_coherent *state);

/* Forgets everything but what was learned about reach, and gives the memory back. */
void carom_coherent_forget(carom_coherent *state);

#endif
