/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Pairs whose depths the kernel epa finds, a pair a lane: the lanes, and how they take pairs and give answers. */
#ifndef CAROM_SIMD_EPA_LANES_H
#define CAROM_SIMD_EPA_LANES_H

#include "simd/epa_room.h"
#include "simd/epa_search.h"
#include "simd/search_lanes.h"

/* Planes of so many new faces a lane are computed before they go to their places. */
enum { CAROM_EPA_FRESH = 8 };

/* The planes of the faces of one number. */
typedef struct carom_epa_planes {
    double normal[3][CAROM_PAIRS];
    double distance[CAROM_PAIRS]; /* infinite: no face */
} carom_epa_planes;

typedef struct carom_epa_lanes {
    carom_difference_lanes difference;
    carom_goal_lanes goal;
    double nearest[CAROM_PAIRS];                    /* the number of a face */
    double back[3][CAROM_PAIRS];                    /* from it into the polytope */
    double found[CAROM_PAIRS];                      /* the bound that this direction proves */
    double point[CAROM_POINT_COLUMNS][CAROM_PAIRS]; /* the support there */
    double lower[CAROM_PAIRS];                      /* the brackets */
    double upper[CAROM_PAIRS];
    double normal[3][CAROM_PAIRS];
    double points[CAROM_PAIRS]; /* how many the polytopes have */
    double flat[CAROM_PAIRS];   /* carom_epa_search.flat */

    carom_epa_planes face[CAROM_POLYTOPE_FACES];        /* from rows_ready on not written yet */
    carom_epa_planes fresh[CAROM_EPA_FRESH];            /* of new faces */
    double seen[2 * CAROM_POLYTOPE_WORDS][CAROM_PAIRS]; /* halves of words of a carom_polytope_faces */
    uint32_t rows_ready;
    carom_polytope_fan fan[CAROM_PAIRS];
    carom_epa_search search[CAROM_PAIRS];
} carom_epa_lanes;
_Static_assert(sizeof(carom_epa_lanes) <= CAROM_EPA_ROOM_BYTES, "there is room for the lanes");

/* Makes rows of no face of those that have not been written yet, up to an even number of `count` or more: rows are read
 * two at a time. */
static inline void carom_epa_lanes_ready_rows(carom_epa_lanes *s, uint32_t count) {
    for (; s->rows_ready < count + count % 2; s->rows_ready++) {
        carom_epa_planes *row = &s->face[s->rows_ready];
        memset(row->normal, 0, sizeof row->normal);
        vd_store(row->distance, vd_set1(HUGE_VAL));
    }
}

/* The faces of a tetrahedron: the first, and a fan of the others. */
static inline void carom_epa_lanes_begin_faces(carom_epa_lanes *s, uint32_t l) {
    const carom_polytope *polytope = &s->search[l].polytope;
    carom_polytope_fan *fan = &s->fan[l];
    carom_polytope_plane plane;
    carom_polytope_plane_of(polytope, 0, &plane);
    for (int d = 0; d < 3; d++) {
        s->face[0].normal[d][l] = plane.normal[d];
        s->point[CAROM_POINT_W + d][l] = polytope->point[3].w[d];
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
static inline bool carom_epa_lanes_begin(carom_epa_lanes *s, uint32_t l, const carom_search_pairs *p, uint32_t n) {
    carom_epa_search *search = &s->search[l];
    carom_bracket *bracket = &p->brackets[n];
    if (!carom_epa_begin(&p->i[n], &p->k[n], &p->goals[n], bracket, search)) {
        return false;
    }
    carom_difference_lanes_set(&s->difference, l, &search->difference);
    carom_goal_lanes_set(&s->goal, l, &p->goals[n]);
    s->lower[l] = bracket->lower;
    s->upper[l] = bracket->upper;
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
static inline bool carom_epa_lanes_take(carom_epa_lanes *s, uint32_t l, carom_search_pairs *p) {
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

/* No lane has a pair. Idle lanes take part in every step, so they need shapes that can be read; what they compute,
 * which may be NaN, is never looked at. */
static inline void carom_epa_lanes_clear(carom_epa_lanes *s, const carom_search_pairs *p) {
    memset(s, 0, offsetof(carom_epa_lanes, face));
    s->difference.kind_i = p->i[0].shape->kind;
    s->difference.kind_k = p->k[0].shape->kind;
    s->rows_ready = 0;
    for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
        carom_posed_lanes_set(&s->difference.i, l, &p->i[0]);
        carom_posed_lanes_set(&s->difference.k, l, &p->k[0]);
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
