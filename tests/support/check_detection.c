/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/support/check_detection.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "tests/support/note.h"

/* Rounding of a result in the precision returned, and of the arithmetic, which is in double for both. */
static const long double RESULT_ROUNDING[ANY_PRECISIONS] = {0x1p-24L, 0x1p-53L};
/* The smallest number of that precision: below 2^-126 floats do not get finer. */
static const long double RESULT_LEAST[ANY_PRECISIONS] = {0x1p-149L, 0x1p-1074L};
static const long double WORK_ROUNDING = 0x1p-53L;
/* Roundings that add up between the inputs and a result: about a dozen operations, each on values of the size of all
 * lengths together. */
static const long double ROUNDINGS = 64;
/* Boxes are float: a bound may be this share of the coordinates it comes from farther out than the exact one ... */
static const long double BOX_SLACK = 0x1p-21L;
/* ... or by some of the smallest floats. */
static const long double BOX_SLACK_LEAST = 0x1p-146L;

truth truth_of(const carom_bodies_f64 *bodies) {
    truth known = {.bodies = bodies};
    known.boxes = brute_force_box_pairs(bodies);
    known.touching = brute_force_touching(bodies, &known.boxes);
    known.groups = brute_force_groups(bodies->count, &known.touching);
    return known;
}

truth truth_filtered(const truth *known, const carom_filter *filter) {
    truth left = {.bodies = known->bodies, .filter = filter};
    left.boxes = brute_force_filtered(filter, &known->boxes);
    left.touching = brute_force_filtered(filter, &known->touching);
    left.groups = brute_force_groups(known->bodies->count, &left.touching);
    return left;
}

truth truth_approaching(const truth *known) {
    truth left = {.bodies = known->bodies, .filter = known->filter, .moved = known->moved};
    left.boxes = brute_force_filtered(known->filter, &known->boxes);
    left.touching = brute_force_approaching(known->bodies, &known->touching);
    left.groups = brute_force_groups(known->bodies->count, &left.touching);
    return left;
}

void truth_release(truth *known) {
    brute_force_release_pairs(&known->boxes);
    brute_force_release_pairs(&known->touching);
    brute_force_release_groups(&known->groups);
}

static void check_pairs(const brute_pairs *wanted, const any_result *r) {
    note_check(r->pair_count == 0 || (r->i != NULL && r->k != NULL), "no pairs were returned");
    uint64_t common = wanted->count < r->pair_count ? wanted->count : r->pair_count;
    for (uint64_t n = 0; n < common; n++) {
        note_check(wanted->i[n] == r->i[n] && wanted->k[n] == r->k[n],
                   "pair %" PRIu64 " is (%u, %u), not (%u, %u); %" PRIu64 " of %" PRIu64 " pairs", n, r->i[n], r->k[n],
                   wanted->i[n], wanted->k[n], r->pair_count, wanted->count);
    }
    note_check(wanted->count == r->pair_count, "%" PRIu64 " pairs, not %" PRIu64, r->pair_count, wanted->count);
}

/* One row under examination: the truth, what was returned, and the errors rounding explains. */
typedef struct row {
    const carom_bodies_f64 *bodies;
    const any_result *result;
    uint64_t n;
    brute_contact c;
    long double out;   /* relative rounding of a returned value */
    long double least; /* and absolute */
    long double work;  /* length: rounding errors of the arithmetic */
    bool moved;        /* the library works on positions that rounding has moved */
} row;

static long double returned(const row *w, int field) {
    return (long double)w->result->field[field][w->n];
}

static void check_value(const row *w, const char *what, long double got, long double wanted, long double tolerance) {
    note_check(fabsl(got - wanted) <= tolerance + w->least, "(%u, %u): %s is %.17Lg, not %.17Lg (within %.3Lg)",
               w->result->i[w->n], w->result->k[w->n], what, got, wanted, tolerance);
}

/* The error of p.v / v.v grows as the motion gets small against the distance; t_ca is 0 when there is none. */
static void check_closest(const row *w) {
    long double t_ca = returned(w, ANY_T_CA);
    long double t_error = 0;
    if (w->c.length_v > 0) {
        long double condition = 1 + w->c.length_p / w->c.length_v;
        t_error = ROUNDINGS * WORK_ROUNDING * condition * condition + w->out;
    }
    note_check(t_ca >= 0 && t_ca <= 1, "t_ca %Lg is outside the step", t_ca);
    check_value(w, "t_ca", t_ca, w->c.t_ca, t_error);
    check_value(w, "distance", returned(w, ANY_DISTANCE), w->c.distance, w->work + w->out * w->c.distance);
}

/* How early a time may be: by a share of (|p|^2 + R^2 + |p||v|) / -(p.v), and a rounding down. */
static long double early_bound(const row *w) {
    const brute_contact *c = &w->c;
    bool is_float = w->out == RESULT_ROUNDING[ANY_F32];
    long double b = c->p[0] * c->v[0] + c->p[1] * c->v[1] + c->p[2] * c->v[2];
    long double size = c->length_p * (c->length_p + c->length_v) + c->sum_radius * c->sum_radius;
    long double share = b < 0 ? (is_float ? 0x1p-27L : 0x1p-37L) * size / -b : 0;
    return share + (is_float ? 0x1p-23L : 0x1p-51L) * c->t_toi + w->least;
}

/* How far apart the surfaces may then be, by the same promise. */
static long double residual_bound(const row *w) {
    const brute_contact *c = &w->c;
    long double b = c->p[0] * c->v[0] + c->p[1] * c->v[1] + c->p[2] * c->v[2];
    long double size = c->length_p + c->length_v + c->sum_radius;
    return c->sum_radius > 0 && b < 0 ? 0x1p-43L * size * size * c->length_p * c->length_v / (c->sum_radius * -b) : 0;
}

/* What rounding of positions explains: an error e in distance moves the time by the root of a d^2 + 2 s d = 2 R e, s =
 * R times the closing speed. */
static long double moved_bound(const row *w) {
    const brute_contact *c = &w->c;
    long double a = c->length_v * c->length_v;
    long double s = c->sum_radius * c->closing_speed;
    long double twice = 2 * c->sum_radius * w->work;
    return (twice > 0 ? twice / (s + sqrtl(s * s + a * twice)) : 0) + w->work / c->length_v;
}

/* Rounding of the truth itself, which is in long double. */
static const long double TRUTH_ROUNDING = 0x1p-58L;

/* Never late, early by no more than promised, and where that is much, near a graze, still at the right distance. */
static void check_impact_time(const row *w) {
    const brute_contact *c = &w->c;
    long double t = returned(w, ANY_T_TOI);
    note_check(t >= 0 && t <= 1, "t_toi %Lg is outside the step", t);
    if (c->t_toi == 0 && (!w->moved || c->length_v == 0 || c->length_p + w->work < c->sum_radius)) {
        note_check(t == 0, "t_toi is %Lg, not 0 for bodies that touch at the start", t);
        return;
    }
    long double slack = w->moved ? moved_bound(w) : TRUTH_ROUNDING;
    long double early = c->t_toi - t;
    note_check(early >= -slack, "(%u, %u): t_toi %.17Lg is late by %.3Lg", w->result->i[w->n], w->result->k[w->n], t,
               -early);
    note_check(early <= early_bound(w) + slack, "(%u, %u): t_toi %.17Lg is early by %.3Lg", w->result->i[w->n],
               w->result->k[w->n], t, early);
    long double at[3];
    for (int x = 0; x < 3; x++) {
        at[x] = c->p[x] + t * c->v[x];
    }
    long double gap = sqrtl(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]) - c->sum_radius;
    check_value(w, "gap at t_toi", gap, 0, 4 * w->work + 2 * w->out * t * c->length_v + residual_bound(w));
}

static void check_normal(const row *w, const long double at[3], long double length, long double at_error) {
    long double square = 0;
    long double error = 4 * w->out + (length > 0 ? at_error / length : 1);
    for (int x = 0; x < 3; x++) {
        long double n = returned(w, ANY_NORMAL + x);
        square += n * n;
        if (error < 0.5L) {
            check_value(w, "normal", n, at[x] / length, error);
        }
    }
    check_value(w, "length of the normal", sqrtl(square), 1, 4 * w->out);
    if (w->c.length_p == 0) {
        check_value(w, "normal of coinciding centres", returned(w, ANY_NORMAL), 1, 0);
    }
}

/* Normal and point at the returned time, with the returned normal: errors of time and direction are not blamed twice.
 */
static void check_place(const row *w) {
    const brute_contact *c = &w->c;
    uint32_t k = w->result->k[w->n];
    long double t = returned(w, ANY_T_TOI);
    long double at[3];
    for (int x = 0; x < 3; x++) {
        at[x] = c->p[x] + t * c->v[x];
    }
    long double length = sqrtl(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
    long double at_error = w->work + 2 * w->out * t * c->length_v;
    check_normal(w, at, length, at_error);
    long double reach = w->bodies->radius[k] + (length - c->sum_radius) / 2;
    for (int x = 0; x < 3; x++) {
        long double prev = w->bodies->prev[x][k];
        long double motion = w->bodies->curr[x][k] - prev;
        long double size = fabsl(prev) + fabsl(motion);
        long double point = prev + t * motion + returned(w, ANY_NORMAL + x) * reach;
        long double error = at_error + ROUNDINGS * WORK_ROUNDING * size +
                            4 * w->out * (t * fabsl(motion) + fabsl(reach) + fabsl(point));
        check_value(w, "point", returned(w, ANY_POINT + x), point, error);
    }
}

void check_contact(const truth *known, any_precision precision, const any_result *r, uint64_t n) {
    row w = {.bodies = known->bodies, .result = r, .n = n, .moved = known->moved};
    w.out = RESULT_ROUNDING[precision];
    w.least = RESULT_LEAST[precision];
    w.c = brute_force_contact(known->bodies, r->i[n], r->k[n]);
    w.work = ROUNDINGS * WORK_ROUNDING * (w.c.length_p + w.c.length_v + w.c.sum_radius);
    check_closest(&w);
    note_check(isnan(r->field[ANY_T_TOI][n]) == !w.c.touches, "(%u, %u): t_toi %g, touching %d", r->i[n], r->k[n],
               r->field[ANY_T_TOI][n], w.c.touches);
    if (w.c.touches) {
        check_impact_time(&w);
        check_place(&w);
        return;
    }
    for (int f = ANY_NORMAL; f < ANY_FIELDS; f++) {
        note_check(r->field[f][n] == 0, "(%u, %u) does not touch and has a contact", r->i[n], r->k[n]);
    }
}

static void check_members(const any_result *r) {
    uint64_t grouped = 0;
    note_check(r->offset != NULL && r->member != NULL && r->offset[0] == 0, "no member lists");
    for (uint64_t g = 0; g < r->group_count; g++) {
        uint64_t begin = r->offset[g];
        uint64_t end = r->offset[g + 1];
        note_check(end >= begin + 2, "group %" PRIu64 " has fewer than two members", g);
        note_check(g == 0 || r->member[begin] > r->member[r->offset[g - 1]], "groups are not in order");
        for (uint64_t m = begin; m < end; m++) {
            note_check(r->member[m] < r->bodies && r->label[r->member[m]] == r->member[begin], "a member of another");
            note_check(m == begin || r->member[m] > r->member[m - 1], "members are not in order");
        }
    }
    for (uint64_t n = 0; n < r->bodies; n++) {
        grouped += r->label[n] != n;
    }
    note_check(r->offset[r->group_count] == grouped + r->group_count, "members are missing");
}

static void check_groups(const truth *known, const any_result *r) {
    note_check(r->summary.groups == known->groups.count && r->group_count == known->groups.count,
               "%" PRIu64 " groups, not %" PRIu64, r->summary.groups, known->groups.count);
    note_check(r->summary.largest_group == known->groups.largest, "largest group %" PRIu64 ", not %" PRIu64,
               r->summary.largest_group, known->groups.largest);
    note_check(r->bodies == 0 || r->label != NULL, "no labels");
    for (uint64_t n = 0; n < r->bodies; n++) {
        note_check(r->label[n] == known->groups.label[n], "body %" PRIu64 " has label %u, not %u", n, r->label[n],
                   known->groups.label[n]);
    }
}

void check_full_result(const truth *known, any_precision precision, const any_result *r) {
    note_check(r->status == CAROM_OK, "status %s: %s", carom_status_name(r->status), r->error.message);
    note_check(r->summary.touching_pairs == known->touching.count, "%" PRIu64 " touching pairs, not %" PRIu64,
               r->summary.touching_pairs, known->touching.count);
    check_pairs(&known->touching, r);
    note_check(r->summary.required_pairs == r->pair_count, "required_pairs is %" PRIu64, r->summary.required_pairs);
    note_check(r->summary.box_pairs >= known->boxes.count, "%" PRIu64 " box pairs, not %" PRIu64, r->summary.box_pairs,
               known->boxes.count);
    note_check(r->summary.touching_hash == brute_force_hash(&known->touching), "touching_hash is wrong");
    for (uint64_t n = 0; n < r->pair_count; n++) {
        check_contact(known, precision, r, n);
    }
    if (r->bodies > 0) {
        check_groups(known, r);
        check_members(r);
    }
}

/* How far boxes may be too large on an axis: in f64 they are float relative to the scene's middle. */
static long double box_slack(const carom_bodies_f64 *bodies, any_precision precision, int axis, uint32_t i,
                             uint32_t k) {
    long double largest = 0;
    uint64_t begin = precision == ANY_F32 ? i : 0;
    uint64_t end = precision == ANY_F32 ? (uint64_t)i + 1 : bodies->count;
    for (uint64_t n = begin; n < end; n++) {
        long double size = fmaxl(fabs(bodies->prev[axis][n]), fabs(bodies->curr[axis][n])) + bodies->radius[n];
        largest = fmaxl(largest, size);
    }
    largest += fabs(bodies->prev[axis][k]) + fabs(bodies->curr[axis][k]) + bodies->radius[k];
    return BOX_SLACK * largest + BOX_SLACK_LEAST;
}

/* Every pair of exact boxes is there (both lists are in order), and what is there too is near enough. */
static void check_box_pairs(const truth *known, any_precision precision, const any_result *r) {
    uint64_t found = 0;
    for (uint64_t n = 0; n < r->pair_count; n++) {
        uint32_t i = r->i[n];
        uint32_t k = r->k[n];
        note_check(i < k && k < r->bodies, "pair (%u, %u)", i, k);
        note_check(brute_force_passes(known->filter, i, k), "pair (%u, %u) does not pass the filter", i, k);
        note_check(n == 0 || r->i[n - 1] < i || (r->i[n - 1] == i && r->k[n - 1] < k), "pairs out of order or double");
        if (found < known->boxes.count && known->boxes.i[found] == i && known->boxes.k[found] == k) {
            found++;
            continue;
        }
        long double lo[2][3];
        long double hi[2][3];
        brute_force_box(known->bodies, i, lo[0], hi[0]);
        brute_force_box(known->bodies, k, lo[1], hi[1]);
        for (int a = 0; a < 3; a++) {
            long double slack = box_slack(known->bodies, precision, a, i, k);
            note_check(lo[0][a] <= hi[1][a] + slack && hi[0][a] >= lo[1][a] - slack, "boxes of (%u, %u) are apart", i,
                       k);
        }
    }
    note_check(found == known->boxes.count, "box pair (%u, %u) is missing",
               found < known->boxes.count ? known->boxes.i[found] : 0,
               found < known->boxes.count ? known->boxes.k[found] : 0);
}

/* all_pairs: a row for every box pair; the rows that touch are those of `full`, bit by bit. */
static void check_all_pairs(carom_context *context, any_precision precision, const truth *known,
                            const any_result *full) {
    carom_detect_config config = any_config_full();
    config.filter = known->filter;
    config.all_pairs = true;
    config.hash = false;
    any_result all = any_detect(context, precision, known->bodies, &config);
    note_check(all.status == CAROM_OK && all.pair_count == full->summary.box_pairs, "all_pairs: not all pairs");
    check_box_pairs(known, precision, &all);
    check_groups(known, &all);
    uint64_t touching = 0;
    for (uint64_t n = 0; n < all.pair_count; n++) {
        check_contact(known, precision, &all, n);
        if (isnan(all.field[ANY_T_TOI][n])) {
            continue;
        }
        note_check(touching < full->pair_count && full->i[touching] == all.i[n] && full->k[touching] == all.k[n],
                   "all_pairs has another touching pair");
        for (int f = 0; f < ANY_FIELDS; f++) {
            note_check(full->field[f][touching] == all.field[f][n], "all_pairs: another contact");
        }
        touching++;
    }
    note_check(touching == full->pair_count, "all_pairs: touching pairs are missing");
    any_result_release(&all);
}

static void check_until_pairs(carom_context *context, any_precision precision, const truth *known,
                              const any_result *full) {
    carom_detect_config config = carom_detect_config_default();
    config.filter = known->filter;
    config.until = CAROM_UNTIL_PAIRS;
    config.sort_pairs = true;
    any_result pairs = any_detect(context, precision, known->bodies, &config);
    note_check(pairs.status == CAROM_OK && pairs.pair_count == full->summary.box_pairs, "until pairs: other pairs");
    note_check(pairs.field[0] == NULL && pairs.label == NULL, "until pairs: contacts or labels");
    note_check(pairs.summary.touching_pairs == 0 && pairs.summary.groups == 0, "until pairs: counts of later stages");
    check_box_pairs(known, precision, &pairs);
    any_result_release(&pairs);
}

static void check_count_only(carom_context *context, any_precision precision, const truth *known,
                             const any_result *full) {
    carom_detect_config config = any_config_full();
    config.filter = known->filter;
    config.count_only = true;
    any_result count = any_detect(context, precision, known->bodies, &config);
    note_check(count.status == CAROM_OK && count.i == NULL && count.pair_count == 0, "count_only stores pairs");
    note_check(count.summary.touching_pairs == full->summary.touching_pairs &&
                   count.summary.box_pairs == full->summary.box_pairs &&
                   count.summary.touching_hash == full->summary.touching_hash,
               "count_only counts otherwise");
    check_groups(known, &count);
    any_result_release(&count);
}

static void check_approach(carom_context *context, any_precision precision, const truth *known,
                           const any_result *full) {
    carom_detect_config config = carom_detect_config_default();
    config.filter = known->filter;
    config.until = CAROM_UNTIL_APPROACH;
    config.hash = true;
    any_result unsorted = any_detect(context, precision, known->bodies, &config);
    note_check(unsorted.status == CAROM_OK && unsorted.pair_count == full->pair_count, "until approach: other pairs");
    note_check(unsorted.summary.touching_hash == full->summary.touching_hash, "until approach: other pairs");
    note_check(unsorted.label == NULL && unsorted.summary.groups == 0, "until approach: groups");
    brute_pairs listed = {.count = unsorted.pair_count, .i = unsorted.i, .k = unsorted.k};
    note_check(brute_force_hash(&listed) == full->summary.touching_hash, "unsorted pairs are others");
    any_result_release(&unsorted);
}

/* Beyond the range of floats a bound is infinite. */
static long double finite_or_beyond(long double x) {
    return fabsl(x) < FLT_MAX ? x : copysignl(INFINITY, x);
}

static void check_bounds(carom_context *context, any_precision precision, const truth *known) {
    carom_detect_config config = carom_detect_config_default();
    config.filter = known->filter;
    config.until = CAROM_UNTIL_BOUNDS;
    any_result r = any_detect(context, precision, known->bodies, &config);
    note_check(r.status == CAROM_OK && (r.bodies == 0 || r.box[5] != NULL), "no bounds");
    for (uint64_t n = 0; n < r.bodies; n++) {
        long double lo[3];
        long double hi[3];
        brute_force_box(known->bodies, n, lo, hi);
        for (int a = 0; a < 3; a++) {
            long double slack = BOX_SLACK * fmaxl(fabsl(lo[a]), fabsl(hi[a])) + BOX_SLACK_LEAST +
                                ROUNDINGS * WORK_ROUNDING * (hi[a] - lo[a] + fabsl(lo[a] + hi[a]));
            note_check(r.box[a][n] <= lo[a] && r.box[a + 3][n] >= hi[a], "body %" PRIu64 ": box too small", n);
            note_check(r.box[a][n] >= finite_or_beyond(lo[a] - slack) &&
                           r.box[a + 3][n] <= finite_or_beyond(hi[a] + slack),
                       "body %" PRIu64 ": box too large: %.9g .. %.9g, not %.9Lg .. %.9Lg", n, (double)r.box[a][n],
                       (double)r.box[a + 3][n], lo[a], hi[a]);
        }
    }
    any_result_release(&r);
}

void check_detection(carom_context *context, any_precision precision, const truth *known) {
    carom_detect_config config = any_config_full();
    config.filter = known->filter;
    any_result full = any_detect(context, precision, known->bodies, &config);
    check_full_result(known, precision, &full);
    if (known->bodies->count > 0) {
        check_all_pairs(context, precision, known, &full);
        check_until_pairs(context, precision, known, &full);
        check_count_only(context, precision, known, &full);
        check_approach(context, precision, known, &full);
        check_bounds(context, precision, known);
    }
    any_result_release(&full);
}
