/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Depths of pairs of cores: simd/epa_pair.h, a pair a lane. What a step computes is in lanes: the nearest face, the
 * support beyond it, which faces it sees, and the planes of the new ones; how faces hang together is found lane by
 * lane. A lane whose search has ended takes the next pair. No lane sees another, so results do not depend on which
 * pairs are side by side. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/epa_lanes.h"
#include "simd/epa_vectors.h"
#include "simd/newton/cap.h"

#define carom_epa CAROM_KERNEL_OF(epa)

/* The faces with the least distance; the lowest number of several. Two rows at a time: a row would have to wait for
 * the one before. */
static vd find_nearest(carom_epa_lanes *s, uint32_t rows) {
    vd nearest = vd_set1(0.0);
    vd least = vd_set1(HUGE_VAL);
    vd number = vd_set1(0.0);
    for (uint32_t n = 0; n < rows; n += 2) {
        const vd one = vd_load(s->face[n].distance);
        const vd other = vd_load(s->face[n + 1].distance);
        const vdm is_other = vd_lt(other, one);
        const vd distance = vd_select(is_other, other, one);
        const vd of = vd_select(is_other, vd_add(number, vd_set1(1.0)), number);
        const vdm nearer = vd_lt(distance, least);
        nearest = vd_select(nearer, of, nearest);
        least = vd_select(nearer, distance, least);
        number = vd_add(number, vd_set1(2.0));
    }
    vd_store(s->nearest, nearest);
    return least;
}

/* Directions from the nearest faces into the polytopes. */
static void set_back(carom_epa_lanes *s) {
    const double *normal[3][CAROM_PAIRS];
    for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
        const carom_epa_planes *row = &s->face[(uint32_t)s->nearest[l]];
        for (int d = 0; d < 3; d++) {
            normal[d][l] = &row->normal[d][l];
        }
    }
    for (int d = 0; d < 3; d++) {
        vd_store(s->back[d], vd_negate(vd_load_each(normal[d])));
    }
}

/* Supports along `back`; returns how far along the faces' normals they are, and in *lower what that proves. */
static vd look(carom_epa_lanes *s, vd *lower) {
    vd n[3];
    vd_load_vector(s->back, n);
    const vd least = carom_difference_lanes_support(&s->difference, n, s->point);
    *lower = carom_difference_lanes_raise(&s->difference, n, least, s->lower, s->normal);
    vd_store(s->found, *lower);
    return vd_negate(least);
}

/* Looks beyond the nearest faces; returns the lanes whose search ends there. */
static uint32_t look_beyond(carom_epa_lanes *s, uint32_t rows) {
    const vd zero = vd_set1(0.0);
    const vd distance = find_nearest(s, rows);
    const vd inner = vd_sub(vd_load(s->difference.error), distance);
    const vdm proves = vdm_and(vd_lt(zero, distance), vd_lt(inner, vd_load(s->upper)));
    const vd upper = vd_select(proves, inner, vd_load(s->upper));
    vd lower;
    vd_store(s->upper, upper);
    set_back(s);
    const vd far = look(s, &lower);
    const vdm full = vd_le(vd_set1(CAROM_POLYTOPE_POINTS), vd_load(s->points));
    const vdm apart = vd_lt(zero, vd_load(s->lower));
    const vdm no_farther = vd_le(far, vd_add(distance, vd_load(s->flat)));
    return vdm_bits(vdm_or(vdm_or(carom_goal_lanes_reached(&s->goal, lower, upper), apart), vdm_or(full, no_farther)));
}

/* Which faces see the new points. */
static void find_seen(carom_epa_lanes *s, uint32_t rows) {
    vd w[3];
    vd_load_vector(s->point + CAROM_POINT_W, w);
    const vd flat = vd_load(s->flat);
    for (uint32_t first = 0; first < rows; first += 32) {
        const uint32_t end = rows - first < 32 ? rows : first + 32;
        vd word = vd_set1(0.0);
        vd bit = vd_set1(1.0);
        for (uint32_t n = first; n < end; n++) {
            vd normal[3];
            vd_load_vector(s->face[n].normal, normal);
            const vdm sees = vd_lt(vd_add(vd_load(s->face[n].distance), flat), vd_dot(normal, w));
            word = vd_add(word, vd_select(sees, bit, vd_set1(0.0)));
            bit = vd_add(bit, bit);
        }
        vd_store(s->seen[first / 32], word);
    }
}

/* Adds the new point of lane l to its polytope; false if that is of no more use. */
static bool grow(carom_epa_lanes *s, uint32_t l, uint32_t rows) {
    carom_polytope *polytope = &s->search[l].polytope;
    carom_difference_point *to = &polytope->point[polytope->point_count++];
    carom_polytope_fan *fan = &s->fan[l];
    carom_polytope_faces seen = {{0}};
    s->points[l] = polytope->point_count;
    for (int d = 0; d < 3; d++) {
        to->w[d] = s->point[CAROM_POINT_W + d][l];
        to->a[d] = s->point[CAROM_POINT_A + d][l];
    }
    for (uint32_t w = 0; 32 * w < rows; w++) {
        seen.word[w / 2] |= (uint64_t)s->seen[w][l] << (32 * (w % 2));
    }
    if (!carom_polytope_grow(polytope, (uint32_t)s->nearest[l], &seen, fan)) {
        return false;
    }
    for (uint32_t n = fan->count; n < fan->gone; n++) {
        s->face[fan->face[n]].distance[l] = HUGE_VAL;
    }
    return true;
}

/* Edge n of all lanes' horizons, from p to q; of lanes with fewer edges, their first. */
static inline void load_edges(carom_epa_lanes *s, uint32_t n, vd p[8], vd q[8]) {
    const double *from[CAROM_PAIRS];
    const double *to[CAROM_PAIRS];
    for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
        const carom_polytope_fan *fan = &s->fan[l];
        const carom_polytope_edge edge = fan->edge[n < fan->count ? n : 0];
        from[l] = s->search[l].polytope.point[edge.from].w;
        to[l] = s->search[l].polytope.point[edge.to].w;
    }
    vd_load_rows(from, p);
    vd_load_rows(to, q);
}

/* carom_polytope_find_plane, a triangle a lane. */
static inline void find_planes(const vd p[3], const vd q[3], const vd r[3], carom_epa_planes *planes) {
    vd e[3];
    vd f[3];
    vd normal[3];
    for (int d = 0; d < 3; d++) {
        e[d] = vd_sub(q[d], p[d]);
        f[d] = vd_sub(r[d], p[d]);
    }
    vd_cross(e, f, normal);
    const vd area = vd_set1(CAROM_TRIANGLE_AREA);
    const vd square = vd_dot(normal, normal);
    const vdm has_area = vd_lt(area, square);
    const vd scale = vd_div(vd_set1(1.0), vd_sqrt(vd_select(has_area, square, vd_max(vd_dot(p, p), area))));
    for (int d = 0; d < 3; d++) {
        normal[d] = vd_mul(scale, vd_select(has_area, normal[d], p[d]));
    }
    vd_store_vector(planes->normal, normal);
    vd_store(planes->distance, vd_min(vd_min(vd_dot(normal, p), vd_dot(normal, q)), vd_dot(normal, r)));
}

/* The planes of new face n of all lanes' fans. */
static void find_new_planes(carom_epa_lanes *s, uint32_t n, carom_epa_planes *planes) {
    vd p[8];
    vd q[8];
    vd apex[3];
    load_edges(s, n, p, q);
    vd_load_vector(s->point + CAROM_POINT_W, apex);
    find_planes(p, q, apex, planes);
}

/* Planes of the fans. */
static void set_fans(carom_epa_lanes *s) {
    uint32_t most = 0;
    for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
        most = s->fan[l].count > most ? s->fan[l].count : most;
    }
    for (uint32_t first = 0; first < most; first += CAROM_EPA_FRESH) {
        const uint32_t end = most - first < CAROM_EPA_FRESH ? most - first : CAROM_EPA_FRESH;
        for (uint32_t n = 0; n < end; n++) {
            find_new_planes(s, first + n, &s->fresh[n]);
        }
        for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
            const uint32_t left = s->fan[l].count > first ? s->fan[l].count - first : 0;
            for (uint32_t n = 0; n < left && n < CAROM_EPA_FRESH; n++) {
                carom_epa_planes *to = &s->face[s->fan[l].face[first + n]];
                for (int d = 0; d < 3; d++) {
                    to->normal[d][l] = s->fresh[n].normal[d][l];
                }
                to->distance[l] = s->fresh[n].distance[l];
            }
        }
    }
}

static void answer(carom_epa_lanes *s, uint32_t l) {
    const double back[3] = {s->back[0][l], s->back[1][l], s->back[2][l]};
    carom_bracket *bracket = carom_epa_lanes_give(s, l);
    carom_epa_answer(&s->search[l], (uint32_t)s->nearest[l], back, s->found[l]);
    bracket->overlap = bracket->lower > 0.0;
}

/* Whether lane l's answer is proved from how round cores bend. */
static bool is_proved(carom_epa_lanes *s, uint32_t l) {
    carom_epa_search *search = &s->search[l];
    const uint32_t stride = sizeof s->face[0] / sizeof(double);
    const carom_cap_planes planes = {&s->face[0].distance[l],
                                     {&s->face[0].normal[0][l], &s->face[0].normal[1][l], &s->face[0].normal[2][l]},
                                     stride,
                                     stride};
    if (!carom_cap_is_due(search, s->face[(uint32_t)s->nearest[l]].distance[l])) {
        return false;
    }
    (void)carom_epa_lanes_give(s, l);
    return carom_cap_prove(search, &planes);
}

/* One step of the lanes that have a pair. Returns those whose search has ended. */
static uint32_t advance(carom_epa_lanes *s, uint32_t busy) {
    uint32_t rows = 0;
    for (uint32_t rest = busy; rest != 0; rest &= rest - 1) {
        const uint32_t count = s->search[__builtin_ctz(rest)].polytope.face_count;
        rows = count > rows ? count : rows;
    }
    set_fans(s);
    uint32_t ended = look_beyond(s, rows) & busy;
    find_seen(s, rows);
    for (uint32_t rest = busy; rest != 0; rest &= rest - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(rest);
        s->search[l].bracket->iterations++;
        if ((ended >> l & 1) != 0) {
            answer(s, l);
        } else if (is_proved(s, l)) {
            ended |= 1U << l;
        } else if (!grow(s, l, rows)) {
            (void)carom_epa_lanes_give(s, l);
            carom_epa_take_best(&s->search[l]);
            ended |= 1U << l;
        } else {
            carom_epa_lanes_ready_rows(s, s->search[l].polytope.face_count);
        }
        s->fan[l].count = (ended >> l & 1) != 0 ? 0 : s->fan[l].count;
    }
    return ended;
}

static void find_one_by_one(const carom_search_pairs *p, carom_epa_pair *pair) {
    for (uint32_t n = 0; n < p->count; n++) {
        if (p->brackets[n].overlap) {
            p->brackets[n].overlap = !carom_epa_find(&p->i[n], &p->k[n], &p->goals[n], &p->brackets[n],
                                                     carom_epa_core_support, carom_epa_nearest_face, pair);
        }
    }
}

static __attribute__((noinline)) void find_on_stack(const carom_search_pairs *p) {
    carom_epa_pair pair;
    find_one_by_one(p, &pair);
}

static void find_in_lanes(carom_search_pairs *p, carom_epa_lanes *s) {
    uint32_t busy = 0;
    uint32_t ended = (1U << CAROM_PAIRS) - 1;
    carom_epa_lanes_clear(s, p);
    do {
        for (; ended != 0; ended &= ended - 1) {
            const uint32_t l = (uint32_t)__builtin_ctz(ended);
            busy = carom_epa_lanes_take(s, l, p) ? busy | 1U << l : busy & ~(1U << l);
        }
        ended = busy != 0 ? advance(s, busy) : 0;
    } while (busy != 0);
}

static uint32_t count_overlaps(const carom_search_pairs *p) {
    uint32_t overlaps = 0;
    for (uint32_t n = 0; n < p->count; n++) {
        overlaps += p->brackets[n].overlap ? 1 : 0;
    }
    return overlaps;
}

void carom_epa(const carom_posed *i, const carom_posed *k, const carom_goal *goals, uint32_t count,
               carom_bracket *brackets, carom_epa_room *room) {
    carom_search_pairs p = {.i = i, .k = k, .goals = goals, .brackets = brackets, .count = count};
    if (room == NULL) {
        find_on_stack(&p);
    } else if (count_overlaps(&p) <= CAROM_SEARCH_FEW) {
        find_one_by_one(&p, (carom_epa_pair *)(void *)room);
    } else {
        find_in_lanes(&p, (carom_epa_lanes *)(void *)room);
    }
}
