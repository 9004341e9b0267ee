/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The arguments of the kernels of one precision (_in comes in, _out goes out), the types of these kernels, and their
 * table. simd/kernels.h includes this file with CAROM_BOUND_TO _f32 and again with _f64. The macros below give each
 * plain name the suffix; the end of the file takes them away. */
#define CAROM_BOUND(name) CAROM_PASTE(name, CAROM_BOUND_TO)
#define carom_real CAROM_BOUND(carom_real)
#define carom_bodies CAROM_BOUND(carom_bodies)
#define carom_record CAROM_BOUND(carom_record)
#define carom_contacts CAROM_BOUND(carom_contacts)
#define carom_place_in CAROM_BOUND(carom_place_in)
#define carom_follow_in CAROM_BOUND(carom_follow_in)
#define carom_follow_out CAROM_BOUND(carom_follow_out)
#define carom_recheck_in CAROM_BOUND(carom_recheck_in)
#define carom_recheck_out CAROM_BOUND(carom_recheck_out)
#define carom_contact_in CAROM_BOUND(carom_contact_in)
#define carom_swept_out CAROM_BOUND(carom_swept_out)
#define carom_gap_row CAROM_BOUND(carom_gap)
#define carom_manifold_row CAROM_BOUND(carom_manifold)
#define carom_gap_rows CAROM_BOUND(carom_gap_rows)
#define carom_quick_in CAROM_BOUND(carom_quick_in)
#define carom_quick_gaps CAROM_BOUND(carom_quick_gaps)
#define carom_kernels CAROM_BOUND(carom_kernels)

/* `gap_rows`. */
typedef struct carom_gap_rows {
    carom_gap_row *row[CAROM_BLOCK_ROOM]; /* of each pair, unless no rows are wanted; also past the last one, where it
                                             may be the same for all */
    uint64_t apart;                       /* lower > margin */
    uint64_t touching;                    /* not apart, and upper <= margin */
} carom_gap_rows;

/* `place`. past_cache is for arrays larger than the cache: whole lines then go straight to memory, and no line is read
 * just to be overwritten. Only f64 records are whole lines; `place` ignores it for f32. */
typedef struct carom_place_in {
    const carom_bodies *bodies; /* any values */
    uint64_t begin;             /* bodies [begin, end) are moved, end <= bodies->count */
    uint64_t end;
    uint64_t known;       /* slot[end .. known) may be read too, to prefetch; in [end, bodies->count] */
    const uint32_t *slot; /* of each body, by its number; no two are the same */
    bool past_cache;      /* write f64 records past the cache; they are aligned to 64 bytes */
} carom_place_in;

/* `follow`. There is a fat box and a slot for each body, also beyond `end`: the kernel prefetches them. */
typedef struct carom_follow_in {
    const carom_bodies *bodies; /* any values */
    uint64_t begin;             /* bodies [begin, end) are moved, end <= bodies->count */
    uint64_t end;
    const carom_fat_box_set *fat_boxes; /* of all bodies */
    const uint32_t *slot;               /* of all bodies, by their numbers; no two are the same */
    bool past_cache;                    /* write f64 records past the cache; they are aligned to 64 bytes */
} carom_follow_in;

typedef struct carom_follow_out {
    carom_record *records;  /* the bodies, each at its slot */
    uint32_t *escaped;      /* room for end - begin: bodies outside their fat boxes, ascending */
    uint32_t escaped_count; /* in [0, end - begin] */
} carom_follow_out;

/* `recheck`. */
typedef struct carom_recheck_in {
    const carom_record *records; /* finite, radii >= 0; f64: or hidden by a radius of -inf, no finite box overlaps it */
    const double *centre;        /* boxes are relative to these three coordinates */
    uint32_t count;              /* of pairs */
    uint64_t more;               /* pairs that follow in slot_i and slot_k: their records may be prefetched */
    const uint32_t *slot_i;      /* records of pair n: slot_i[n] and slot_k[n] */
    const uint32_t *slot_k;
} carom_recheck_in;

/* Bit n % 8 of byte n / 8 is that of pair n; the bits after the last pair's are 0. */
typedef struct carom_recheck_out {
    uint32_t *slot_i;     /* touching pairs, in order; room for count + CAROM_SIMD_PAD */
    uint32_t *slot_k;     /* likewise */
    uint8_t *overlapping; /* room for count bits: pairs whose boxes overlap */
    uint8_t *touching;    /* room for count bits: those of them that touch */
    carom_recheck_counts counts;
} carom_recheck_out;

/* `swept_boxes`: corners of shape n are at first + n, its path is paths[n]. */
typedef struct carom_swept_out {
    carom_real *const *corner;
    uint64_t first;
    float (*paths)[CAROM_PATH_NUMBERS];
} carom_swept_out;

/* `quick`. Bodies are less than 2^31, and so are shapes. Positions, quaternions and numbers of shapes may have any
 * values. */
typedef struct carom_quick_in {
    const carom_real *at[3];   /* of bodies, packed */
    const carom_real *turn[4]; /* turn[0] NULL: none is turned */
    const uint32_t *shape;     /* of bodies; NULL: all have shape 0 */
    uint32_t bodies;
    uint32_t shapes;
    const uint32_t *kind;    /* of each shape; NULL: all are of both kinds, which are one */
    const float *box;        /* of each shape: a row of CAROM_APART_ROW numbers */
    const uint32_t *body[2]; /* pair n is of bodies body[0][n] and body[1][n], any values */
    uint32_t count;          /* of pairs, at most CAROM_BLOCK_PAIRS */
    uint32_t kinds[2];       /* of all pairs, unless they are `others` */
    carom_quick_test test;   /* of these kinds */
    float above;             /* >= 0; pairs are apart if they are farther apart than this */
    float below;             /* >= 0; they touch if they are no farther apart */
    carom_seek_pairs *seek;  /* test HULLS: where k is in the frame of i. NULL: not asked */
} carom_quick_in;

/* Value n is of pair n, and so is bit n. Values of pairs in no set have no meaning; all others are true bounds. */
typedef struct carom_quick_gaps {
    carom_real distance[CAROM_BLOCK_PAIRS];
    carom_real lower[CAROM_BLOCK_PAIRS];
    carom_real upper[CAROM_BLOCK_PAIRS];
    uint64_t apart;    /* lower > above */
    uint64_t touching; /* upper <= below, and not apart */
    uint64_t open;     /* in neither of them, and may be searched for */
    bool others; /* some pair is of other kinds, or of a body or shape that is not there: then the sets are empty */
} carom_quick_gaps;

/* `contact`. */
typedef struct carom_contact_in {
    const carom_record *records; /* finite, radii >= 0 */
    uint64_t begin;              /* pairs [begin, end) get their rows */
    uint64_t end;
    const uint32_t *slot_i; /* records of pair n: slot_i[n] and slot_k[n], in either order */
    const uint32_t *slot_k;
    bool all_touch; /* every pair is known to touch in the step: the decision is skipped */
} carom_contact_in;

#define CAROM_LIST_REAL(result, name, parameters) typedef result CAROM_BOUND(carom_##name##_fn) parameters;
#include "simd/kernel_list.h"

/* One pointer for each kernel of the precision. */
typedef struct carom_kernels {
#define CAROM_LIST_REAL(result, name, parameters) CAROM_BOUND(carom_##name##_fn) * name;
#include "simd/kernel_list.h"
} carom_kernels;

#undef carom_quick_gaps
#undef carom_quick_in
#undef carom_gap_rows
#undef carom_manifold_row
#undef carom_gap_row
#undef carom_kernels
#undef carom_swept_out
#undef carom_contact_in
#undef carom_recheck_out
#undef carom_recheck_in
#undef carom_follow_out
#undef carom_follow_in
#undef carom_place_in
#undef carom_contacts
#undef carom_record
#undef carom_bodies
#undef carom_real
#undef CAROM_BOUND
