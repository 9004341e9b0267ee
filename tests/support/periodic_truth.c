/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/support/periodic_truth.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/note.h"

/* Images are looked for this much farther than boxes can reach. */
static const double MARGIN = 1e-6;
/* A box in float may be this share of the greatest coordinates larger than the exact one. */
static const double BOX_SLACK = 0x1p-20;

static double dot(const double x[3], const double y[3]) {
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

static void cross(const double x[3], const double y[3], double z[3]) {
    for (int a = 0; a < 3; a++) {
        z[a] = x[(a + 1) % 3] * y[(a + 2) % 3] - x[(a + 2) % 3] * y[(a + 1) % 3];
    }
}

static void displace(const carom_periodic *box, const int32_t shift[3], double by[3]) {
    for (int j = 0; j < 3; j++) {
        by[j] = 0;
        for (int a = 0; a < 3; a++) {
            by[j] += shift[a] == 0 ? 0.0 : shift[a] * box->edge[a][j];
        }
    }
}

/* Functions that a step along edge a raises by one and steps along other periodic edges do not change. */
static void make_functions(const carom_periodic *box, double function[3][3]) {
    int along[3];
    int count = 0;
    memset(function, 0, 9 * sizeof(double));
    for (int a = 0; a < 3; a++) {
        along[count] = a;
        count += box->along[a];
    }
    const double(*e)[3] = box->edge;
    for (int n = 0; n < count; n++) {
        int a = along[n];
        double normal[3];
        if (count == 1) {
            memcpy(normal, e[a], sizeof normal);
        } else if (count == 3) {
            cross(e[(a + 1) % 3], e[(a + 2) % 3], normal);
        } else {
            double up[3];
            cross(e[along[0]], e[along[1]], up);
            cross(e[along[1 - n]], up, normal);
        }
        for (int j = 0; j < 3; j++) {
            function[a][j] = normal[j] / dot(normal, e[a]);
        }
    }
}

/* Edge a is in a vector no longer than `least` at most least |function a| times. */
double periodic_shortest(const carom_periodic *box) {
    double function[3][3];
    double least = INFINITY;
    int32_t range[3];
    int32_t s[3];
    make_functions(box, function);
    for (int a = 0; a < 3; a++) {
        least = box->along[a] ? fmin(least, sqrt(dot(box->edge[a], box->edge[a]))) : least;
    }
    for (int a = 0; a < 3; a++) {
        range[a] = (int32_t)(least * sqrt(dot(function[a], function[a])) + MARGIN);
    }
    for (s[0] = 0; s[0] <= range[0]; s[0]++) {
        for (s[1] = -range[1]; s[1] <= range[1]; s[1]++) {
            for (s[2] = -range[2]; s[2] <= range[2]; s[2]++) {
                double by[3];
                displace(box, s, by);
                least = s[0] != 0 || s[1] != 0 || s[2] != 0 ? fmin(least, sqrt(dot(by, by))) : least;
            }
        }
    }
    return least;
}

/* Two bodies: i where the caller has it, and k's image. */
typedef struct duo {
    double field[7][2];
    carom_bodies_f64 bodies;
} duo;

static void make_duo(const carom_bodies_f64 *bodies, const carom_periodic *box, const periodic_row *row, duo *d) {
    double by[3];
    displace(box, row->shift, by);
    for (int a = 0; a < 3; a++) {
        d->field[a][0] = bodies->prev[a][row->i];
        d->field[a + 3][0] = bodies->curr[a][row->i];
        d->field[a][1] = bodies->prev[a][row->k] + by[a];
        d->field[a + 3][1] = bodies->curr[a][row->k] + by[a];
    }
    d->field[6][0] = bodies->radius[row->i];
    d->field[6][1] = bodies->radius[row->k];
    d->bodies = (carom_bodies_f64){.count = 2,
                                   .prev = {d->field[0], d->field[1], d->field[2]},
                                   .curr = {d->field[3], d->field[4], d->field[5]},
                                   .radius = d->field[6]};
}

static bool boxes_overlap(const duo *d, long double slack) {
    long double lo[2][3];
    long double hi[2][3];
    bool overlap = true;
    for (uint64_t n = 0; n < 2; n++) {
        brute_force_box(&d->bodies, n, lo[n], hi[n]);
    }
    for (int a = 0; a < 3; a++) {
        overlap &= lo[0][a] <= hi[1][a] + slack && hi[0][a] >= lo[1][a] - slack;
    }
    return overlap;
}

static void add_row(periodic_truth *known, const periodic_row *row) {
    if ((known->count & (known->count - 1)) == 0) {
        known->row = realloc(known->row, (known->count * 2 + 1) * sizeof *known->row);
        if (known->row == NULL) {
            abort();
        }
    }
    known->row[known->count++] = *row;
    known->touching += row->touches;
}

/* Shifts at which the two boxes can meet, by the function of one edge. */
static void range_of(const duo *d, const double function[3], int32_t wrapped, int32_t *first, int32_t *last) {
    double least[2] = {0, 0};
    double greatest[2] = {0, 0};
    for (int n = 0; n < 2; n++) {
        for (int j = 0; j < 3; j++) {
            double lo = (fmin(d->field[j][n], d->field[j + 3][n]) - d->field[6][n]) * function[j];
            double hi = (fmax(d->field[j][n], d->field[j + 3][n]) + d->field[6][n]) * function[j];
            least[n] += fmin(lo, hi);
            greatest[n] += fmax(lo, hi);
        }
    }
    *first = wrapped + (int32_t)ceil(least[0] - greatest[1] - MARGIN);
    *last = wrapped + (int32_t)floor(greatest[0] - least[1] + MARGIN);
}

/* A body and its own image are one pair at s and -s: the first number that is not 0 is positive. */
static bool is_counted(const periodic_row *row) {
    const int32_t *s = row->shift;
    return row->i != row->k || s[0] > 0 || (s[0] == 0 && (s[1] > 0 || (s[1] == 0 && s[2] > 0)));
}

static void add_pair(periodic_truth *known, const double function[3][3], const int32_t (*wrap)[3], uint32_t i,
                     uint32_t k) {
    duo d;
    periodic_row row = {.i = i, .k = k};
    int32_t first[3] = {0, 0, 0};
    int32_t last[3] = {0, 0, 0};
    for (int a = 0; a < 3; a++) {
        row.shift[a] = wrap[i][a] - wrap[k][a];
    }
    make_duo(known->bodies, known->box, &row, &d);
    for (int a = 0; a < 3; a++) {
        first[a] = last[a] = 0;
        if (known->box->along[a]) {
            range_of(&d, function[a], row.shift[a], &first[a], &last[a]);
        }
    }
    int32_t *s = row.shift;
    for (s[0] = first[0]; s[0] <= last[0]; s[0]++) {
        for (s[1] = first[1]; s[1] <= last[1]; s[1]++) {
            for (s[2] = first[2]; s[2] <= last[2]; s[2]++) {
                make_duo(known->bodies, known->box, &row, &d);
                if (is_counted(&row) && boxes_overlap(&d, 0)) {
                    row.touches = brute_force_touches(&d.bodies, 0, 1);
                    add_row(known, &row);
                }
            }
        }
    }
}

static void add_groups(periodic_truth *known) {
    brute_pairs touching = {.count = 0,
                            .i = calloc(known->touching + 1, sizeof(uint32_t)),
                            .k = calloc(known->touching + 1, sizeof(uint32_t))};
    for (uint64_t n = 0; n < known->count; n++) {
        if (known->row[n].touches) {
            touching.i[touching.count] = known->row[n].i;
            touching.k[touching.count] = known->row[n].k;
            touching.count++;
        }
    }
    known->groups = brute_force_groups(known->bodies->count, &touching);
    known->touching_hash = brute_force_hash(&touching);
    brute_force_release_pairs(&touching);
}

periodic_truth periodic_truth_of(const carom_bodies_f64 *bodies, const int32_t (*wrap)[3], const carom_periodic *box) {
    periodic_truth known = {.bodies = bodies, .box = box};
    double function[3][3];
    make_functions(box, function);
    for (uint32_t i = 0; i < bodies->count; i++) {
        for (uint32_t k = box->self_images ? i : i + 1; k < bodies->count; k++) {
            add_pair(&known, (const double(*)[3])function, wrap, i, k);
        }
    }
    add_groups(&known);
    return known;
}

void periodic_truth_release(periodic_truth *known) {
    free(known->row);
    brute_force_release_groups(&known->groups);
    memset(known, 0, sizeof *known);
}

static bool same_row(const periodic_row *row, const any_result *r, uint64_t n) {
    bool same = row->i == r->i[n] && row->k == r->k[n];
    for (int a = 0; a < 3; a++) {
        same = same && row->shift[a] == r->shift[a][n];
    }
    return same;
}

/* The contact as one of two bodies of open space. */
static void check_contact_of_row(const periodic_truth *known, any_precision precision, const any_result *r, uint64_t n,
                                 const periodic_row *row) {
    duo d;
    uint32_t body[2] = {0, 1};
    make_duo(known->bodies, known->box, row, &d);
    truth two = {.bodies = &d.bodies, .moved = true};
    any_result one = {.bodies = 2, .pair_count = 1, .i = &body[0], .k = &body[1]};
    for (int f = 0; f < ANY_FIELDS; f++) {
        one.field[f] = &r->field[f][n];
    }
    check_contact(&two, precision, &one, 0);
}

static void check_order(const any_result *r) {
    for (uint64_t n = 1; n < r->pair_count; n++) {
        int64_t now[5] = {r->i[n], r->k[n], r->shift[0][n], r->shift[1][n], r->shift[2][n]};
        int64_t before[5] = {r->i[n - 1], r->k[n - 1], r->shift[0][n - 1], r->shift[1][n - 1], r->shift[2][n - 1]};
        int f = 0;
        while (f < 4 && now[f] == before[f]) {
            f++;
        }
        note_check(before[f] < now[f], "row %" PRIu64 " is out of order or stands twice", n);
    }
}

/* A row that is none of the truth's: boxes that overlap only when rounded, and bodies that do not touch. */
static void check_extra(const periodic_truth *known, const any_result *r, uint64_t n) {
    periodic_row row = {.i = r->i[n], .k = r->k[n], .shift = {r->shift[0][n], r->shift[1][n], r->shift[2][n]}};
    double largest = 0;
    duo d;
    make_duo(known->bodies, known->box, &row, &d);
    for (int f = 0; f < 7; f++) {
        largest = fmax(largest, fmax(fabs(d.field[f][0]), fabs(d.field[f][1])));
    }
    for (int a = 0; a < 3; a++) {
        for (int j = 0; j < 3; j++) {
            largest = known->box->along[a] ? fmax(largest, 4 * fabs(known->box->edge[a][j])) : largest;
        }
    }
    note_check((row.i < row.k || (known->box->self_images && is_counted(&row))) &&
                   boxes_overlap(&d, (long double)(BOX_SLACK * largest)),
               "(%u, %u) with (%d, %d, %d): boxes do not overlap", row.i, row.k, row.shift[0], row.shift[1],
               row.shift[2]);
    note_check(r->field[ANY_T_TOI] == NULL || isnan(r->field[ANY_T_TOI][n]), "(%u, %u) does not touch", row.i, row.k);
}

/* Both lists are in order. */
static uint64_t check_rows(const periodic_truth *known, any_precision precision, bool all, const any_result *r) {
    uint64_t n = 0;
    check_order(r);
    for (uint64_t w = 0; w < known->count; w++) {
        const periodic_row *row = &known->row[w];
        if (!all && !row->touches) {
            continue;
        }
        for (; n < r->pair_count && !same_row(row, r, n); n++) {
            check_extra(known, r, n);
        }
        note_check(n < r->pair_count, "(%u, %u) with (%d, %d, %d) is missing", row->i, row->k, row->shift[0],
                   row->shift[1], row->shift[2]);
        if (r->field[ANY_T_CA] != NULL) {
            check_contact_of_row(known, precision, r, n, row);
        }
        n++;
    }
    for (; n < r->pair_count; n++) {
        check_extra(known, r, n);
    }
    return n;
}

void periodic_check(const periodic_truth *known, any_precision precision, bool all_pairs, const any_result *r) {
    note_check(r->status == CAROM_OK, "status %s: %s", carom_status_name(r->status), r->error.message);
    check_rows(known, precision, all_pairs, r);
    note_check(all_pairs || r->pair_count == known->touching, "%" PRIu64 " rows, not %" PRIu64, r->pair_count,
               known->touching);
    note_check(r->summary.touching_pairs == known->touching, "%" PRIu64 " touching pairs, not %" PRIu64,
               r->summary.touching_pairs, known->touching);
    note_check(r->summary.box_pairs >= known->count, "%" PRIu64 " box pairs, not %" PRIu64, r->summary.box_pairs,
               known->count);
    note_check(r->summary.required_pairs == r->pair_count, "required_pairs is %" PRIu64, r->summary.required_pairs);
    note_check(r->summary.touching_hash == known->touching_hash, "touching_hash is wrong");
    note_check(r->summary.groups == known->groups.count && r->group_count == known->groups.count,
               "%" PRIu64 " groups, not %" PRIu64, r->summary.groups, known->groups.count);
    note_check(r->summary.largest_group == known->groups.largest, "largest group %" PRIu64 ", not %" PRIu64,
               r->summary.largest_group, known->groups.largest);
    uint64_t members = 0;
    for (uint64_t n = 0; n < r->bodies; n++) {
        note_check(r->label[n] == known->groups.label[n], "body %" PRIu64 " has label %u, not %u", n, r->label[n],
                   known->groups.label[n]);
        members += r->label[n] != n;
    }
    note_check(r->bodies == 0 || r->offset[r->group_count] == members + r->group_count, "members are missing");
    for (uint64_t g = 0; g < r->group_count; g++) {
        for (uint64_t m = r->offset[g]; m < r->offset[g + 1]; m++) {
            note_check(r->member[m] < r->bodies && r->label[r->member[m]] == r->member[r->offset[g]],
                       "a member of another group");
        }
    }
}

void periodic_check_pairs(const periodic_truth *known, const any_result *r) {
    note_check(r->status == CAROM_OK, "status %s: %s", carom_status_name(r->status), r->error.message);
    check_rows(known, ANY_F64, true, r);
    note_check(r->pair_count == r->summary.box_pairs, "%" PRIu64 " rows of %" PRIu64 " box pairs", r->pair_count,
               r->summary.box_pairs);
}
