/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The data that batch kernels share with the rest of the library, and carom_simd, the table of the kernels of one
 * instruction set. simd/kernel_list.h says what each kernel computes. What several kernels pass on to each other is
 * here; arguments of one kernel in one precision are in simd/kernels_tmpl.h. */
#ifndef CAROM_SIMD_KERNELS_H
#define CAROM_SIMD_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/bodies.h"
#include "carom/contacts.h"
#include "carom/distance.h"
#include "simd/convex.h"
#include "simd/epa_room.h"
#include "simd/manifold.h"
#include "simd/pair_block.h"
#include "simd/paste.h"
#include "simd/proof.h"
#include "simd/quick_floats.h"
#include "simd/seek_floats.h"
#include "simd/swept.h"
#include "simd/view.h"

/* Floats in the widest vector: arrays that are read or written in whole vectors have room for this many elements after
 * their last one. */
enum { CAROM_SIMD_PAD = 16 };

/* `gap_rows`. */
typedef struct carom_gap_limits {
    double margin;    /* states are those of s - margin */
    double tolerance; /* of brackets, relative to the greater of the smaller reach and |s| */
    bool apart;       /* rows of pairs that are apart get normals and points; else these are 0 */
    bool touching;    /* likewise rows of pairs that are not apart */
    bool rows;        /* rows are wanted */
} carom_gap_limits;

/* A body as detection sorts and carries it: all its values side by side, so that one cache line, or half of one, brings
 * them. All numbers are finite. Vector kernels read it as eight fields, 0 to 6 the numbers and 7 the bits of `body`. */
typedef struct carom_record_f32 {
    float prev[3]; /* centre at the start of the step, t = 0 */
    float radius;  /* >= 0 */
    float curr[3]; /* centre at the end of the step, t = 1 */
    uint32_t body; /* number in the arrays that the record was made from */
} carom_record_f32;

typedef struct carom_record_f64 {
    double prev[3];
    double radius;
    double curr[3];
    uint64_t body; /* below 2^32: compares like the subnormal double of the same bits */
} carom_record_f64;

/* The grid of cells. A coordinate x is in column trunc(clamp((x - origin) scale, 0, last)) of its axis. The map is
 * monotone, and what lies outside the grid is in the border columns. A body is assigned to the cell of its box's low
 * corner. One straddle bit for each split axis says whether its high corner is in the next column. Both make its code:
 *
 *   code = sum over the axes of column cell_weight + straddle bit_weight
 *
 * All are small integers, so the sum in float is exact. A body whose box is wider than `wide` on a split axis gets
 * wide_code instead. */
typedef struct carom_grid {
    uint32_t columns[3];  /* cells on each axis, >= 1; an axis is split if it has more than 1 */
    float origin[3];      /* low side of column 0, relative to centre */
    float scale[3];       /* columns per unit of length; 0 on an axis that is not split */
    float last[3];        /* columns - 1 */
    float cell_weight[3]; /* codes from a cell to the next along the axis */
    float bit_weight[3];  /* the straddle bit, a power of two; 0 on an axis that is not split */
    float wide[3];        /* the widest box that a cell takes, a length; may be infinite */
    float wide_code;      /* after the codes of all cells, < 2^24 */
    double centre[3];     /* middle of the scene, finite; unused for f32 */
} carom_grid;

/* What one pass over the bodies learns, per axis. Start from carom_survey_start; survey kernels accumulate. Sides are
 * relative to the centre that the kernel is given. They may be infinite. */
typedef struct carom_survey {
    float lo[3];     /* least low corner of a box */
    float hi[3];     /* greatest high corner */
    float extent[3]; /* greatest hi - lo of one box, >= 0 */
    uint32_t bad;    /* nonzero: some body has NaN, infinity or a negative radius */
} carom_survey;

/* The first cell of a lattice, and the greatest bodies it takes. */
typedef struct carom_home {
    double dual[3][3];   /* a body is in the cell if 0 <= dual[b] . prev < 1 for the first `dimensions` b */
    uint32_t dimensions; /* 1 to 3 */
    double diameter;     /* of bodies is less */
} carom_home;

/* A grid of cubes that are 2^CAROM_STEPS_BITS steps wide. A distance from the origin is at least 0 and at most 2^20
 * cells on each axis. */
#define CAROM_STEPS_BITS 23
typedef struct carom_step_grid {
    double origin[3];
    double scale;     /* steps in a unit of length */
    double weight[3]; /* cells from one to the next along the axis, a whole number */
    double first;     /* the number of the cell at the origin; all are below 2^32 */
    bool moves;       /* places are half way from prev to curr; else at prev, and curr is the same */
} carom_step_grid;

/* What is added to places and keys of a run, modulo 2^32: that of an edge of a periodic box. */
typedef struct carom_gather_move {
    uint32_t step[3];
    uint32_t key;
} carom_gather_move;

/* Runs of slots, and the arrays that are read in them. Most runs are not longer than CAROM_GATHER_PAD: so many values
 * are copied of each. There are 32 where four cells are looked at along each axis, those along the last in two runs. */
enum { CAROM_GATHER_RUNS = 32, CAROM_GATHER_PAD = 32, CAROM_GATHER_VALUES = 5 };
typedef struct carom_gather_in {
    const uint32_t *step[3]; /* NULL: places are not wanted */
    const float *value[CAROM_GATHER_VALUES]; /* each NULL: not wanted */
    const uint32_t *key;                     /* NULL: not wanted */
    uint32_t centre[3];      /* subtracted from steps, modulo 2^32 */
    uint32_t runs;           /* at most CAROM_GATHER_RUNS */
    uint32_t begin[CAROM_GATHER_RUNS];
    uint32_t end[CAROM_GATHER_RUNS];
    bool moved; /* `move` is read */
    carom_gather_move move[CAROM_GATHER_RUNS];
} carom_gather_in;

/* Boxes of bodies in columns, relative to the centre of the scene, and lengths by which squares of distances decide
 * (simd/ref/box_columns_tmpl.c). The distance is that of the middles of the boxes, times two. If it is above the sum of
 * two outer lengths, the bodies never touch. If it is below the sum of two inner lengths, they touch. */
typedef struct carom_box_columns {
    float *lo[3];
    float *hi[3];
    float *inner; /* NaN: not known */
    float *outer;
} carom_box_columns;

/* Runs of slots, and their columns. CAROM_GATHER_PAD values after the last slot may be read too. */
enum { CAROM_BOX_RUNS = 5 };
typedef struct carom_box_runs {
    carom_box_columns of;
    uint32_t runs; /* at most CAROM_BOX_RUNS */
    uint32_t begin[CAROM_BOX_RUNS];
    uint32_t end[CAROM_BOX_RUNS];
} carom_box_runs;

/* Bodies of a cell, and candidates, of which they are the first. */
typedef struct carom_box_hits_in {
    carom_box_columns of; /* candidates; after the last one follow CAROM_SIMD_PAD whose sides are NaN */
    uint32_t count;       /* candidates */
    uint32_t begin;       /* bodies [begin, end) are tested */
    uint32_t end;
    bool decides; /* lengths decide; else every pair of boxes has a bit */
} carom_box_hits_in;

/* Bodies of a cell of a grid, and candidates, among which they are: all that may be in their reach. Coordinates are
 * whole numbers below 2^24. */
typedef struct carom_hits_in {
    const float *at[3];     /* of candidates; after the last one follow CAROM_SIMD_PAD that are 0 */
    const float *square_of; /* of candidates: the square of the distance from the origin; after the last one that of
                             * CAROM_HITS_FAR */
    const float *radius;    /* of candidates, and as many more that are 0; NULL: `square` is that of every sum of two */
    const float *outer;     /* of candidates that move, and as many more that are 0: radius + half of the path; this and
                             * `way` only moving_hits reads */
    const float *way[3];    /* of the same, and as many more that are 0: half of the path, from its middle to its end */
    const uint32_t *id; /* of candidates, and as many more: only those that are greater than the body's count; NULL: all
                         */
    uint32_t count;     /* candidates */
    uint32_t first;     /* the candidate that is the first of the bodies; the others follow it */
    uint32_t bodies;    /* how many */
    bool later;         /* only candidates after the body count */
    float square;
    float margin; /* a candidate whose excess is within it is close */
} carom_hits_in;

/* Words of 16 bits for so many candidates. */
static inline uint32_t carom_hits_words(uint32_t count) {
    return (count + 15) / 16;
}

/* What candidates are filtered by, an array for each value, with CAROM_SIMD_PAD more after the last; NULL: not tested.
 */
typedef struct carom_filter_columns {
    const uint32_t *category; /* bits of the kinds that a body is of, */
    const uint32_t *mask;     /* and of those that it meets; NULL as category is */
    const uint32_t *group;    /* 0: of none */
    const uint32_t *apart;    /* bits of which no two bodies of a pair have one in common */
} carom_filter_columns;

/* Traces, sets of bits in a low and a high word, and the bit of each word that stands for each candidate in the traces
 * of others; likewise. */
typedef struct carom_trace_columns {
    const uint32_t *trace[2];
    const uint32_t *bit[2];
} carom_trace_columns;

/* The most entries that `rank_sort` takes. */
enum { CAROM_RANK_MOST = 64 };

/* The square of a distance that is far from all. */
#define CAROM_HITS_FAR 1e36F

/* The longest row that `pack_hits` and `sort_rows` take, how many times UINT32_MAX ends a packed row, the room that it
 * needs, and the most rows that are sorted at once. */
enum {
    CAROM_HIT_ROW_MOST = 128,
    CAROM_HIT_ROW_ENDS = 16,
    CAROM_HIT_ROW_ROOM = CAROM_HIT_ROW_MOST + CAROM_HIT_ROW_ENDS,
    CAROM_HIT_ROWS = 16
};

/* A cumulative histogram of the sizes of boxes. The size of a box is its extent on its widest axis. */
enum { CAROM_CENSUS_LIMITS = 12 };
typedef struct carom_census {
    float limit[CAROM_CENSUS_LIMITS];    /* sizes, ascending */
    uint64_t wider[CAROM_CENSUS_LIMITS]; /* number of boxes larger than each; kernels add to it */
} carom_census;

/* The bins that sort the boxes of one cell along the sweep axis. The bin of x is trunc(clamp((x - origin) scale, 0,
 * last)), monotone like the columns of the grid. */
typedef struct carom_bins {
    uint32_t axis; /* the sweep axis, 0 to 2 */
    float origin;  /* low side of bin 0 */
    float scale;   /* bins per unit of length, >= 0 */
    float last;    /* number of the last bin, < 2^24 */
} carom_bins;

/* A box of which each corner is one load of four floats. The fourth is 0. */
typedef struct carom_slot_box {
    float lo[4];
    float hi[4];
} carom_slot_box;

/* The boxes of one cell, or of a part of one, in swept order: entries ascend by the bins of their low corners. Side 0
 * is on the sweep axis, sides 1 and 2 on the two axes after it, cyclically. The sides of the CAROM_SIMD_PAD entries
 * from `count` on are NaN, so that these entries overlap nothing. */
typedef struct carom_boxes {
    uint32_t count;    /* entries */
    float *lo[3];      /* low side of each entry */
    float *hi[3];      /* high side */
    uint32_t *slot;    /* record of each entry */
    uint32_t *earlier; /* bit a set: on axis a the box's low corner lies in a column before this cell's; the broad phase
                          sets higher bits for oversized bodies, for cells within cells and for part bits */
    uint32_t *end;     /* first entry that cannot overlap it on the sweep axis, in [0, count] */
} carom_boxes;

/* Where a sweep is to continue: entry i against the entries from k on. Start at {first, first + 1, stop}; the sweep is
 * done when i == stop. */
typedef struct carom_sweep_cursor {
    uint32_t i;
    uint32_t k;    /* > i */
    uint32_t stop; /* entries i < stop are swept, each against all entries that follow it */
} carom_sweep_cursor;

/* `direct_pairs`: boxes of which each is tested against all later ones. */
typedef struct carom_direct_rows {
    uint32_t next; /* the box whose row is next */
    uint32_t end;  /* >= next */
} carom_direct_rows;

/* A box inside each fat box, in half the bytes: a side is at origin + number step. */
typedef struct carom_inner_boxes {
    const uint16_t *lo[3]; /* number of each body's low side */
    const uint16_t *hi[3];
    float origin[3]; /* relative to the centre of the fat boxes */
    float step[3];   /* length, >= 0 */
} carom_inner_boxes;

/* Fat boxes, one per body, enlarged so that the swept box stays inside for several steps. A kernel may test the inner
 * box first: a body inside it is inside its fat box. No result depends on the inner boxes. */
typedef struct carom_fat_box_set {
    double centre[3]; /* the boxes are relative to it */
    const float *lo[3];
    const float *hi[3];
    const carom_inner_boxes *inner; /* may be NULL */
} carom_fat_box_set;

/* A straight path in floats. Over a step the body is never farther than a part of `reach` from it, so that bodies which
 * collide have paths within reach of one another. */
typedef struct carom_coarse_path {
    float x[3];     /* where the centre is when the hulls' time begins; NaN: anywhere */
    float reach;    /* radius and rounding, >= 0 */
    float v[3];     /* in units of length a step */
    uint32_t group; /* of bodies that may depend on one another, less than 2^31; 0: the body is in none */
} carom_coarse_path;

/* A time, and how hulls and coarse paths for it are made: as a point sees them that is at the origin when the time
 * begins, and moves at `drift`. */
typedef struct carom_hull_frame {
    double begin; /* in steps; coarse paths are seen from then */
    double end;
    double drift[3];  /* in units of length a step */
    double span;      /* steps after `begin` until which coarse paths are of use, >= 1 */
    double unit;      /* coarse paths are in lengths of 1 / unit */
    double rounding;  /* of a place that is predicted, over the body's coordinates, >= CAROM_HULL_ROUNDING */
    double reach;     /* of coordinates that rounding is relative to beside a body's own, in units of length */
    double own_room;  /* room of a hull on all sides, over the length of the body's path */
    double room;      /* room beside that, in units of length a step */
    double room_most; /* in units of length; may be infinite */
} carom_hull_frame;

/* A hull, half a cache line: who reads one needs all of it. */
typedef struct carom_hull_box {
    float lo[3];
    float hi[3];
    float spare[2]; /* 0 */
} carom_hull_box;

/* Where hulls and coarse paths go, for each body. */
typedef struct carom_hull_paths {
    carom_hull_box *box;
    carom_coarse_path *coarse;
} carom_hull_paths;

/* The bodies of pairs that `collide` takes. */
typedef struct carom_collide_in {
    const carom_hull_frame *frame;
    const double *motion;      /* for each slot, as of `hulls` */
    const carom_hull_box *box; /* for each slot */
} carom_collide_in;

/* Pairs that collide, in columns: value n is of pair n, and side 0 of its body i, side 1 of body k. All values are
 * read: where there is no pair, those of another one must be. */
enum { CAROM_COLLIDE_MOST = 16 };
typedef struct carom_collide_block {
    uint32_t slot[2][CAROM_COLLIDE_MOST];
    double t[CAROM_COLLIDE_MOST]; /* of the impact, in steps */
    double radius[2][CAROM_COLLIDE_MOST];
    double inverse_mass[2][CAROM_COLLIDE_MOST]; /* > 0 */
    double bounce[CAROM_COLLIDE_MOST];          /* 1 + e, */
    double rest_speed[CAROM_COLLIDE_MOST];      /* but for those that approach more slowly: 1 */

    /* What the kernel makes of them. */
    double impact[CAROM_COLLIDE_MOST][8];    /* normal, point, impulse, 0 */
    double motion[2][CAROM_COLLIDE_MOST][8]; /* from the impact on; the eighth value stays as it is */
    carom_coarse_path coarse[2][CAROM_COLLIDE_MOST];
    uint32_t stays[2]; /* bit n: the body stays in its hull */
} carom_collide_block;

/* Boxes of the shapes of a table, and from which gap on a pair is apart: simd/apart_boxes.h says what the rows are. */
typedef struct carom_apart {
    const float *box; /* a row of eight numbers for each shape */
    float margin;     /* a pair counts if the gap is no greater than this */
    float slack;      /* over a pair's size: CAROM_APART_ROUNDING and what the tests of pairs are off by */
} carom_apart;

/* What near_row keeps. */
typedef struct carom_near_counts {
    uint32_t near;
    uint32_t grouped;
} carom_near_counts;

/* From when to when, in steps from the beginning of the hulls' time. Where path a stands for several that are in one
 * place at that time, or one that goes out from there, `spread` is the most by which a velocity of theirs ever differs
 * from its own; else 0. */
typedef struct carom_coarse_time {
    float from;
    float until;
    float spread;
} carom_coarse_time;

/* Pairs of a body and others that it touches at a time, in columns. `rate` is half the rate at which the square of the
 * distance grows, less rounding. If the body's velocity is greater by u, the rate is greater by p.u, give or take
 * `margin` times |u|. */
typedef struct carom_instant_rows {
    float *p[3]; /* the body's place, seen from the other's */
    float *rate;
    float *margin;
    uint32_t *owner; /* the other's path */
} carom_instant_rows;

/* Children of a node of a tree, which follow one another. */
enum { CAROM_CHILDREN = 16 };

/* The children of nodes, and boxes that may meet them, of six floats each: low corner, high corner. */
typedef struct carom_children {
    const float *lo[3];
    const float *hi[3];
    const carom_hull_box *hull; /* the children, in place of lo and hi; NULL: those */
    const float *box;
    const float *known;    /* a box each: children that it meets count only if they are marked; NULL: all count */
    const uint64_t *marks; /* a bit for each child; read where there are known boxes */
} carom_children;

/* Numbers of pairs. touching <= overlapping. */
typedef struct carom_recheck_counts {
    uint32_t overlapping;
    uint32_t touching;
} carom_recheck_counts;

/* The most values that a digit of a radix sort can have. */
enum { CAROM_DIGITS_MAX = 256 };

typedef float carom_real_f32;
typedef double carom_real_f64;

/* Arguments of kernels, types of kernels, and the tables carom_kernels_f32 and carom_kernels_f64. */
#define CAROM_BOUND_TO _f32
#include "simd/kernels_tmpl.h"
#undef CAROM_BOUND_TO
#define CAROM_BOUND_TO _f64
#include "simd/kernels_tmpl.h"
#undef CAROM_BOUND_TO

#define CAROM_LIST_ONCE(result, name, parameters) typedef result carom_##name##_fn parameters;
#include "simd/kernel_list.h"

/* The kernels of one instruction set; simd/dispatch.h finds it. simd->f32.touch(...) calls one. */
typedef struct carom_simd {
    const char *name; /* "avx2": what carom_simd_find takes */
    uint32_t lanes;   /* floats in a vector */
#define CAROM_LIST_ONCE(result, name, parameters) carom_##name##_fn *name;
#include "simd/kernel_list.h"
    carom_kernels_f32 f32;
    carom_kernels_f64 f64;
} carom_simd;

#endif
