/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What coherent detection keeps from step to step, and why.
 *
 * order: a body's slot is the place of its record. Slots follow the order in space at the last rebuild, so the records
 * of near bodies lie near in memory. No step has to sort.
 *
 * fat boxes: one for each body, larger than its swept box (a fat AABB). While every swept box lies inside its fat box,
 * a pair that is not on the list cannot overlap.
 *
 * list: the pairs whose fat boxes overlap, a neighbour list with a margin after Verlet. A step tests only these. In
 * double, pairs are listed by boxes that are larger still, by the rounding of another centre (extended_tmpl.h).
 *
 * touching: a bit for each pair of the list. Did it touch in the step before? The events begin, persist and end follow
 * from these bits and from those of this step.
 *
 * groups: labels and linked members of the step before. A step changes only the groups of pairs that began or ended.
 *
 * lookahead: how many steps ahead fat boxes reach, learned from what earlier lists cost, and whether lists are worth
 * it.
 *
 * cold steps: where lists do not pay there is none. Then the touching pairs are kept as a set of pairs of bodies.
 *
 * periodic boxes: the bodies of a list are the caller's, in the cell, and then the images that they may need while they
 * are in their fat boxes (periodic/periodic.h). Pairs of two images are not on it. Touching pairs are kept as a set, as
 * in cold steps: which image of a body touches may change from step to step. */
#ifndef CAROM_COHERENT_STATE_H
#define CAROM_COHERENT_STATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "carom/coherent.h"
#include "kernel/coherent/lookahead.h"
#include "kernel/coherent/pair_set.h"
#include "kernel/coherent/trial_state.h"
#include "kernel/groups/groups.h"
#include "kernel/periodic/image_set.h"
#include "kernel/store/context.h"

/* Arrays of the state. "Slots" and "bodies" both stand for `count` of them: in a periodic box with its images. */
typedef enum carom_coherent_buffer {
    CAROM_COHERENT_SLOT,            /* bodies: the slot of each */
    CAROM_COHERENT_BODY,            /* slots: the body in each, the inverse of SLOT */
    CAROM_COHERENT_RECORDS,         /* slots: positions, displacements and radii of this step */
    CAROM_COHERENT_FAT_BOXES,       /* bodies: fat boxes, six arrays of floats relative to `centre` */
    CAROM_COHERENT_INNER,           /* bodies: boxes inside the fat boxes, six arrays of 16-bit numbers */
    CAROM_COHERENT_INDEX,           /* slots: the boxes that pairs are listed by, in a hierarchy (index.h) */
    CAROM_COHERENT_EXTENDED,        /* bodies extended along their paths; their swept boxes become the fat boxes */
    CAROM_COHERENT_PAIR_I,          /* list: the larger slot of each pair */
    CAROM_COHERENT_PAIR_K,          /* list: the smaller slot */
    CAROM_COHERENT_START,           /* slots + 1: where the pairs begin of which it is the larger slot */
    CAROM_COHERENT_TOUCHING,        /* list: a bit for each pair, set if it touches in this step; workspace of a rebuild */
    CAROM_COHERENT_TOUCHING_BEFORE, /* list: likewise for the step before */
    CAROM_COHERENT_ESCAPED,         /* bodies found outside their fat boxes in this step */
    CAROM_COHERENT_TASKS,           /* parts of the list, for the workers of this step */
    CAROM_COHERENT_HITS,            /* workers: pairs of slots of one batch */
    CAROM_COHERENT_PARENT,          /* slots: union-find */
    CAROM_COHERENT_LEAST,           /* slots: at a root, the smallest body of its group */
    CAROM_COHERENT_GROUP_SIZE,      /* slots: workspace of the labels */
    CAROM_COHERENT_NODES,           /* slots: groups as rings of members; workspace of the labels while not linked */
    CAROM_COHERENT_MEMBERS,         /* workspace of an update of groups: slots of split groups, changed pairs */
    CAROM_COHERENT_LABEL,           /* bodies: the smallest body of its group */
    CAROM_COHERENT_SAVED,           /* pairs of bodies that touched in the step before, saved over a rebuild */
    CAROM_COHERENT_EVENTS,          /* pairs that began, then pairs that ended */
    CAROM_COHERENT_SET,             /* pairs of bodies that touch in this step, if it is cold (pair_set.h) */
    CAROM_COHERENT_SET_BEFORE,      /* likewise for the step before */
    CAROM_COHERENT_PLACED,          /* periodic: prev, curr, radius of bodies and images in this step */
    CAROM_COHERENT_WRAP,            /* periodic, bodies: edges taken from the position of each in this step */
    CAROM_COHERENT_IMAGE,           /* periodic, images: owner and shift; then those of pairs apart */
    CAROM_COHERENT_IMAGE_BY,        /* periodic, images: displacements, three arrays */
    CAROM_COHERENT_IMAGE_OWNER,     /* periodic, images in order of slots: the slot of the owner */
    CAROM_COHERENT_MOVED,           /* periodic: bodies that have left the cell in which the list has them */
    CAROM_COHERENT_MARK, /* periodic, slots: 1 for those of these bodies and images while pairs are set apart, else 0 */
    CAROM_COHERENT_APART, /* periodic: pairs of these bodies, which are tested apart from the list */
    CAROM_COHERENT_BUFFERS
} carom_coherent_buffer;

/* Sizes of groups that are counted apart, to find the largest; larger ones count as the last. */
enum { CAROM_COHERENT_SIZES = 1024 };

/* The numbers of the list. */
typedef struct carom_coherent_pairs {
    uint64_t pairs;       /* on the list, ordered <= pairs <= capacity */
    uint64_t ordered;     /* the first so many are in order of pair_i; the rest came with escaped bodies */
    uint64_t capacity;    /* the list may grow to this between rebuilds, < 2^32 */
    uint64_t saved;       /* pairs of bodies in SAVED that are still to be found on a new list */
    uint64_t saved_ended; /* the first so many pairs of SAVED are not on the new list: they have ended */
} carom_coherent_pairs;

/* Steps without a list. */
typedef struct carom_coherent_cold {
    bool active;      /* steps are cold until a trial pays */
    bool leaving;     /* the steps of the list cost more than cold ones: the next step is cold */
    bool resuming;    /* a trial has paid: the next step builds a list */
    bool in_set;      /* while compared: the pairs of the step before are in SET_BEFORE, not in TOUCHING_BEFORE */
    uint64_t places;  /* of SET_BEFORE, while in_set */
    uint64_t pairs;   /* in SET_BEFORE, while in_set */
    double box_pairs; /* of the last step that succeeded; < 0: there was none */
    double touching;  /* pairs, likewise */
    carom_chunk_pool logged; /* chunks of the log of touching pairs */
    carom_coherent_trial trial;
} carom_coherent_cold;

/* The periodic box of a list. */
typedef struct carom_coherent_space {
    bool periodic;         /* steps are those of a periodic box */
    carom_periodic box;    /* as the caller gave it */
    carom_lattice lattice; /* of the box */
    double lo[3];          /* range in the lattice of the boxes that have all images they need on the list */
    double hi[3];
    double reach;        /* greatest number that positions are computed from; 0 in open space */
    int32_t most[3];     /* greatest |shift| of an image */
    uint64_t border;     /* slots before it have bodies that cannot leave the cell while they are in their fat boxes */
    bool crossed;        /* one of these has got a fat box in which it can */
    bool far;            /* boxes may be infinite: no body may be hidden (periodic/apart_f64.h) */
    uint64_t moved;      /* bodies in MOVED in this step */
    uint64_t apart;      /* pairs in APART in this step */
    uint64_t most_apart; /* that there is room for; also of moved bodies */
} carom_coherent_space;

/* The groups of the step before. */
typedef struct carom_coherent_groups {
    bool known;                             /* LABEL, and PARENT and LEAST or NODES, hold them */
    bool linked;                            /* NODES hold them, and updates keep NODES instead of PARENT and LEAST */
    bool unites;                            /* the next walk is to unite slots: an update is not worth its while */
    double members_a_change;                /* bodies that an update looks at for each; 0: not known */
    carom_group_counts counts;              /* while known */
    uint32_t of_size[CAROM_COHERENT_SIZES]; /* while linked: number of groups of each size */
} carom_coherent_groups;

typedef struct carom_coherent {
    carom_context *context;
    carom_coherent_config config;
    carom_buffer buffer[CAROM_COHERENT_BUFFERS];
    bool built;     /* order, fat boxes and list are those of `count` bodies */
    bool compared;  /* TOUCHING_BEFORE or SET_BEFORE holds the pairs of the step before */
    bool has_inner; /* INNER and `inner` hold boxes inside the fat boxes */
    uint64_t count; /* bodies at the last rebuild, with the images of a periodic box */
    uint64_t owned; /* of these, the caller's: they have the first slots */
    uint64_t rebuilds;
    carom_coherent_pairs list;
    carom_coherent_groups groups;
    double centre[3]; /* fat boxes are relative to it; the caller's unit of length */
    double drift;     /* f64: fat boxes hold while the scene's centre is no farther from it */
    carom_inner_boxes inner;
    carom_coherent_lookahead lookahead;
    carom_coherent_cold cold;
    carom_coherent_space space;
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

/* The set in SET or SET_BEFORE, of so many places. */
static inline carom_pair_set carom_coherent_set(const carom_coherent *state, carom_coherent_buffer which,
                                                uint64_t places) {
    return (carom_pair_set){.key = carom_coherent_data(state, which), .size = places};
}

/* The arrays of the list. */
typedef struct carom_coherent_list {
    uint32_t *i;                 /* larger slot of each pair */
    uint32_t *k;                 /* smaller slot */
    uint32_t *start;             /* of the pairs of each larger slot, in the ordered part */
    uint64_t *touching;          /* bits of this step, 64 pairs a word */
    uint64_t *before;            /* bits of the step before */
    const uint32_t *body;        /* in each slot */
    const uint32_t *slot;        /* of each body */
    uint64_t words;              /* of bits that hold the pairs on the list */
    uint32_t owned;              /* slots of the caller's bodies */
    const uint32_t *image_owner; /* slot of the owner of the image in each slot after them */
} carom_coherent_list;

static inline carom_coherent_list carom_coherent_list_of(const carom_coherent *state) {
    return (carom_coherent_list){.i = carom_coherent_data(state, CAROM_COHERENT_PAIR_I),
                                 .k = carom_coherent_data(state, CAROM_COHERENT_PAIR_K),
                                 .start = carom_coherent_data(state, CAROM_COHERENT_START),
                                 .touching = carom_coherent_data(state, CAROM_COHERENT_TOUCHING),
                                 .before = carom_coherent_data(state, CAROM_COHERENT_TOUCHING_BEFORE),
                                 .body = carom_coherent_data(state, CAROM_COHERENT_BODY),
                                 .slot = carom_coherent_data(state, CAROM_COHERENT_SLOT),
                                 .words = (state->list.pairs + 63) / 64,
                                 .owned = (uint32_t)state->owned,
                                 .image_owner = carom_coherent_data(state, CAROM_COHERENT_IMAGE_OWNER)};
}

/* The slot of the caller's body that is in a slot, or has its image there. */
static inline uint32_t carom_coherent_owner_slot(const carom_coherent_list *list, uint32_t slot) {
    return slot < list->owned ? slot : list->image_owner[slot - list->owned];
}

/* The slots of the caller's bodies of pair n. */
static inline uint32_t carom_coherent_pair_i(const carom_coherent_list *list, uint64_t n) {
    return carom_coherent_owner_slot(list, list->i[n]);
}
static inline uint32_t carom_coherent_pair_k(const carom_coherent_list *list, uint64_t n) {
    return carom_coherent_owner_slot(list, list->k[n]);
}

/* Whether the pair of two slots may be on the list: not that of two images, which is there for their owners, and not
 * that of a body with its own image. */
static inline bool carom_coherent_is_listed(const carom_coherent_list *list, uint32_t a, uint32_t b) {
    return (a < list->owned || b < list->owned) &&
           carom_coherent_owner_slot(list, a) != carom_coherent_owner_slot(list, b);
}

/* A walk through words of touching bits: a look after so many of them, each of which is 64 pairs. */
enum { CAROM_COHERENT_WORDS = CAROM_CONTROL_ITEMS / 64 };

/* Bytes of TOUCHING and of TOUCHING_BEFORE: whole words, and the bytes that kernels may write after the last pair. */
static inline uint64_t carom_coherent_touching_bytes(const carom_coherent *state) {
    return state->list.capacity / 8 + 64;
}

/* Takes the lowest bit from a word of touching bits and returns the number of its pair. bits is not 0. */
static inline uint64_t carom_coherent_take_pair(uint64_t *bits, uint64_t word) {
    const uint64_t pair = word * 64 + (uint64_t)__builtin_ctzll(*bits);
    *bits &= *bits - 1;
    return pair;
}

/* Pairs of a periodic box that are tested apart from the list: bodies of theirs have left the cells in which the list
 * has them, and cold detection would pair other images. */
typedef struct carom_coherent_apart {
    uint32_t *pair;   /* the pair of the list */
    uint32_t *slot_i; /* its slots */
    uint32_t *slot_k;
    uint32_t *i; /* records in place of those in its slots: two each, after the records of all slots */
    uint32_t *k;
    uint8_t *touching; /* bits of this step */
} carom_coherent_apart;

/* Entries of each array, with those that kernels may read or write after the last. */
static inline uint64_t carom_coherent_apart_stride(uint64_t most) {
    return most + 64;
}

static inline uint64_t carom_coherent_apart_bytes(uint64_t most) {
    return 6 * carom_coherent_apart_stride(most) * sizeof(uint32_t);
}

static inline carom_coherent_apart carom_coherent_apart_of(const carom_coherent *state) {
    uint32_t *block = carom_coherent_data(state, CAROM_COHERENT_APART);
    const uint64_t stride = carom_coherent_apart_stride(state->space.most_apart);
    if (block == NULL) {
        return (carom_coherent_apart){0};
    }
    return (carom_coherent_apart){.pair = block,
                                  .slot_i = block + stride,
                                  .slot_k = block + 2 * stride,
                                  .i = block + 3 * stride,
                                  .k = block + 4 * stride,
                                  .touching = (uint8_t *)(block + 5 * stride)};
}

/* Pairs apart that a list with so many images has room for. Of the bodies that have images few cross a face before the
 * next rebuild, with some pairs each; if they are more, the list is rebuilt. */
static inline uint64_t carom_coherent_most_apart(uint64_t images) {
    return 2 * images + 1024;
}

/* Bytes of PLACED, for the bodies, images and pairs apart of a periodic box. Fields begin in different sets of the L1
 * cache. */
static inline uint64_t carom_coherent_fields_bytes(uint64_t count) {
    const uint64_t pages = (count * sizeof(double) + 4095) / 4096;
    return CAROM_BODY_FIELDS * (pages * 4096 + UINT64_C(9) * CAROM_CACHE_LINE);
}

/* The first record after those of all slots. */
static inline uint64_t carom_coherent_apart_records(const carom_coherent *state) {
    return state->count + CAROM_SIMD_PAD;
}

/* The six arrays of fat boxes. The nine cache lines keep arrays of 2^n bodies apart in the sets of the L1 cache. */
static inline void carom_coherent_fat_boxes(const carom_coherent *state, float *lo[3], float *hi[3]) {
    float *block = carom_coherent_data(state, CAROM_COHERENT_FAT_BOXES);
    uint64_t stride = state->count + CAROM_SIMD_PAD + UINT64_C(9) * CAROM_CACHE_LINE / sizeof(float);
    for (uint64_t a = 0; a < 3; a++) {
        lo[a] = block + a * stride;
        hi[a] = block + (a + 3) * stride;
    }
}

/* The same, to be read. */
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

/* A buffer and the bytes that it must hold. Its contents are lost when it grows. */
typedef struct carom_coherent_need {
    carom_coherent_buffer which;
    uint64_t bytes;
} carom_coherent_need;

/* Makes `count` buffers large enough. Errors: MEMORY; then *required is a memory limit under which all would have fit.
 */
carom_status carom_coherent_reserve(carom_coherent *state, const carom_coherent_need *need, uint32_t count,
                                    uint64_t *required);

/* Pairs that a list of `pairs` pairs has room for: escaped bodies bring more between rebuilds. */
uint64_t carom_coherent_room(uint64_t pairs);

/* Nothing is known: no list, no step before, no cost. The state's memory must be zero or released. */
void carom_coherent_start(carom_coherent *state);

/* The same, keeping memory that there is no limit to: releasing that of many bodies takes long. */
void carom_coherent_restart(carom_coherent *state);

/* With more bodies outside their fat boxes there is a rebuild, and the rest need no check. */
static inline uint64_t carom_coherent_escape_limit(uint64_t bodies) {
    return bodies / 64 + 16;
}

/* Gives back the memory of all that a rebuild makes anew; what it is made from stays. */
void carom_coherent_release_list(carom_coherent *state);

/* Gives back the memory of a periodic step's bodies and images. */
void carom_coherent_release_placed(carom_coherent *state);

/* Gives back the memory of cold steps, but for the pairs of the step before where only these have them. */
void carom_coherent_release_cold(carom_coherent *state);

/* Steps in open space, or in a periodic box, begin; those in the other are forgotten. In another box than before the
 * list is no good, but the pairs of the step before are. `lattice` is of `box`. */
void carom_coherent_space_leave(carom_coherent *state);
void carom_coherent_space_enter(carom_coherent *state, const carom_periodic *box, const carom_lattice *lattice);

/* Forgets everything but the lookahead, and releases the memory. */
void carom_coherent_forget(carom_coherent *state);

#endif
