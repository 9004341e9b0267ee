/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Pairs whose depths the kernel epa finds, a pair a lane: the lanes, and how they take pairs and give answers. */
#ifndef CAROM_SIMD_EPA_LANES_H
#define CAROM_SIMD_EPA_LANES_H

#include "simd/difference_lanes.h"
#include "simd/epa_room.h"
#include "simd/epa_search.h"

enum { CAROM_EPA_WIDTH, CAROM_EPA_REACH, CAROM_EPA_RADIUS, CAROM_EPA_ABOVE, CAROM_EPA_BELOW, CAROM_EPA_GOAL_COLUMNS };
enum { CAROM_EPA_POINT_W = 0, CAROM_EPA_POINT_A = 3, CAROM_EPA_POINT_COLUMNS = 6 };

/* Planes of so many new faces a lane are computed before they go to their places. */
enum { CAROM_EPA_FRESH = 8 };

/* The planes of the faces of one number. */
typedef struct carom_epa_planes {
    double normal[3][CAROM_PAIRS];
    double distance[CAROM_PAIRS]; /* infinite: no face */
} carom_epa_planes;

typedef struct carom_epa_lanes {
    /* Columns of a pair each. */
    carom_posed_lanes i;
    carom_posed_lanes k;
    double nearest[CAROM_PAIRS];                        /* the number of a face */
    double back[3][CAROM_PAIRS];                        /* from it into the polytope */
    double found[CAROM_PAIRS];                          /* the bound that this direction proves */
    double point[CAROM_EPA_POINT_COLUMNS][CAROM_PAIRS]; /* the support there */
    double lower[CAROM_PAIRS];                          /* the brackets */
    double upper[CAROM_PAIRS];
    double normal[3][CAROM_PAIRS];
    double points[CAROM_PAIRS]; /* how many the polytopes have */
    double error[CAROM_PAIRS];
    double flat[CAROM_PAIRS];
    double goal[CAROM_EPA_GOAL_COLUMNS][CAROM_PAIRS];

    carom_epa_planes face[CAROM_POLYTOPE_FACES];        /* from rows_ready on not written yet */
    carom_epa_planes fresh[CAROM_EPA_FRESH];            /* of new faces */
    double seen[2 * CAROM_POLYTOPE_WORDS][CAROM_PAIRS]; /* halves of words of a carom_polytope_faces */
    carom_shape_kind kind_i;
    carom_shape_kind kind_k;
    uint32_t rows_ready;
    carom_polytope_fan fan[CAROM_PAIRS];
    carom_epa_search search[CAROM_PAIRS];
} carom_epa_lanes;
_Static_assert(sizeof(carom_epa_lanes) <= CAROM_EPA_ROOM_BYTES, "there is room for the lanes");

/* The pairs of a call. */
typedef struct carom_epa_pairs {
    const carom_posed *i;
    const carom_posed *k;
    const carom_goal *goals;
    carom_bracket *brackets;
    uint32_t count;
    uint32_t next; /* the first that no lane has had */
} carom_epa_pairs;

static inline void carom_epa_lanes_load(double column[][CAROM_PAIRS], vd x[3]) {
    for (int a = 0; a < 3; a++) {
        x[a] = vd_load(column[a]);
    }
}

static inline void carom_epa_lanes_store(double column[][CAROM_PAIRS], const vd x[3]) {
    for (int a = 0; a < 3; a++) {
        vd_store(column[a], x[a]);
    }
}

/* Rows of faces that no lane has had yet. */
static inline void carom_epa_lanes_ready_rows(carom_epa_lanes *s, uint32_t count) {
    for (; s->rows_ready < count + count % 2; s->rows_ready++) {
        carom_epa_planes *row = &s->face[s->rows_ready];
        memset(row->normal, 0, sizeof row->normal);
        vd_store(row->distance, vd_set1(HUGE_VAL));
    }
}

static inline void carom_epa_lanes_set_goal(carom_epa_lanes *s, uint32_t l, const carom_goal *goal) {
    s->goal[CAROM_EPA_WIDTH][l] = goal->width;
    s->goal[CAROM_EPA_REACH][l] = goal->reach;
    s->goal[CAROM_EPA_RADIUS][l] = goal->radius;
    s->goal[CAROM_EPA_ABOVE][l] = goal->above;
    s->goal[CAROM_EPA_BELOW][l] = goal->below;
}

/* The faces of a tetrahedron: the first, and a fan of the others. */
static inline void carom_epa_lanes_begin_faces(carom_epa_lanes *s, uint32_t l) {
    const carom_polytope *polytope = &s->search[l].polytope;
    carom_polytope_fan *fan = &s->fan[l];
    carom_polytope_plane plane;
    carom_polytope_plane_of(polytope, 0, &plane);
    for (int d = 0; d < 3; d++) {
        s->face[0].normal[d][l] = plane.normal[d];
        s->point[CAROM_EPA_POINT_W + d][l] = polytope->point[3].w[d];
    }
    s->face[0].distance[l] = plane.distance;
    fan->count = 3;
    for (uint8_t n = 0; n < 3; n++) {
        fan->face[n] = n + 1;
        fan->edge[n].from = polytope->corner[4 * (n + 1)];
        fan->edge[n].to = polytope->corner[4 * (n + 1) + 1];
    }
}

/* Lane l begins with pair n. False if that is answered at once. */
static inline bool carom_epa_lanes_begin(carom_epa_lanes *s, uint32_t l, const carom_epa_pairs *p, uint32_t n) {
    carom_epa_search *search = &s->search[l];
    carom_bracket *bracket = &p->brackets[n];
    if (!carom_epa_begin(&p->i[n], &p->k[n], &p->goals[n], bracket, search)) {
        return false;
    }
    carom_posed_lanes_set(&s->i, l, &p->i[n]);
    carom_posed_lanes_set(&s->k, l, &p->k[n]);
    carom_epa_lanes_set_goal(s, l, &p->goals[n]);
    s->lower[l] = bracket->lower;
    s->upper[l] = bracket->upper;
    s->error[l] = search->difference.error;
    s->flat[l] = search->flat;
    s->points[l] = 4.0;
    for (int d = 0; d < 3; d++) {
        s->normal[d][l] = bracket->normal[d];
    }
    for (uint32_t face = 4; face < s->rows_ready; face++) {
        s->face[face].distance[l] = HUGE_VAL;
    }
    carom_epa_lanes_ready_rows(s, 4);
    carom_epa_lanes_begin_faces(s, l);
    return true;
}

/* Lane l takes the next pair that has to be searched for. False if there is none. */
static inline bool carom_epa_lanes_take(carom_epa_lanes *s, uint32_t l, carom_epa_pairs *p) {
    while (p->next < p->count) {
        const uint32_t n = p->next++;
        if (p->brackets[n].overlap) {
            p->brackets[n].overlap = false;
            if (carom_epa_lanes_begin(s, l, p, n)) {
                return true;
            }
        }
    }
    return false;
}

/* Lanes without a pair compute what has no meaning, but numbers. */
static inline void carom_epa_lanes_clear(carom_epa_lanes *s, const carom_epa_pairs *p) {
    memset(s, 0, offsetof(carom_epa_lanes, face));
    s->kind_i = p->i[0].shape->kind;
    s->kind_k = p->k[0].shape->kind;
    s->rows_ready = 0;
    for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
        carom_posed_lanes_set(&s->i, l, &p->i[0]);
        carom_posed_lanes_set(&s->k, l, &p->k[0]);
        s->fan[l].count = 0;
        s->fan[l].edge[0] = (carom_polytope_edge){0, 0, 0};
    }
}

/* Lane l's bracket goes to its pair. */
static inline carom_bracket *carom_epa_lanes_give(carom_epa_lanes *s, uint32_t l) {
    carom_bracket *bracket = s->search[l].bracket;
    bracket->lower = s->lower[l];
    bracket->upper = s->upper[l];
    for (int d = 0; d < 3; d++) {
        bracket->normal[d] = s->normal[d][l];
    }
    return bracket;
}

#endif
