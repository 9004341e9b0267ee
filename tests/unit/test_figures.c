/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* carom/plane.h. Decisions against integers: coordinates are whole numbers times a power of two, and whole numbers plus
 * one unit of the last place. Distances against the definition, by search in long double: points of lines and segments
 * that are nearer, directions of the plane that hold figures farther apart. Half the input is on a lattice, so that it
 * touches, coincides or is flat. */
#include "carom/plane.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/scene/random.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

enum { CASES = 20000, FIGURES = 5000, DIRECTIONS = 360 };

/* What results may be off by, relative to the coordinates. */
static const double ROUNDING = 0x1p-44;

/* A small whole number. */
static int64_t whole(carom_random *random, int64_t most) {
    return (int64_t)(carom_random_next(random) % (uint64_t)(2 * most + 1)) - most;
}

static double uniform(carom_random *random) {
    return 2.0 * carom_random_u01(random) - 1.0;
}

static double draw(carom_random *random, bool lattice) {
    return lattice ? 0.5 * (double)whole(random, 4) : 2.0 * uniform(random);
}

static void draw_point(carom_random *random, bool lattice, double scale, double *point, int axes) {
    for (int d = 0; d < axes; d++) {
        point[d] = scale * draw(random, lattice);
    }
}

static double draw_scale(carom_random *random) {
    static const double scales[] = {1.0, 1.0, 0x1p-20, 0x1p20, 0x1p-160, 0x1p160};
    return scales[carom_random_next(random) % 6];
}

static void boxes_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const double scale = draw_scale(&random);
    double c[2][3];
    double h[2][3];
    bool meet = true;
    const int64_t most = number % 2 == 0 ? 8 : INT64_C(1) << 50;
    for (int d = 0; d < 3; d++) {
        const int64_t c_i = whole(&random, most);
        const int64_t h_i = whole(&random, most / 4) + most / 4;
        const int64_t h_k = whole(&random, most / 4) + most / 4;
        const int64_t touching = c_i + h_i + h_k;
        const int64_t c_k = carom_random_next(&random) % 2 == 0 ? touching + whole(&random, 1) : whole(&random, most);
        meet = meet && llabs(c_i - c_k) <= h_i + h_k;
        c[0][d] = scale * (double)c_i;
        c[1][d] = scale * (double)c_k;
        h[0][d] = scale * (double)h_i;
        h[1][d] = scale * (double)h_k;
    }
    note_case(number, "boxes");
    note_check(carom_plane_boxes_f64(c[0], h[0], c[1], h[1]) == meet, "they %s", meet ? "meet" : "do not meet");
    note_check(carom_plane_boxes_f64(c[1], h[1], c[0], h[0]) == meet, "in the other order");
}

/* Coordinates far apart in size: only exact sums see the least one. */
static void test_boxes_hidden(void **state) {
    (void)state;
    const double half[3] = {1e20, 1.0, 1.0};
    const double none[3] = {1e-20, 1.0, 1.0};
    const double zero[3] = {0.0, 0.0, 0.0};
    const double at[3] = {1e20, 0.0, 0.0};
    const double thin[3] = {0.0, 1.0, 1.0};
    const double off[3] = {-1e-20, 0.0, 0.0};
    assert_true(carom_plane_boxes_f64(at, half, zero, thin));
    assert_false(carom_plane_boxes_f64(at, half, off, thin));
    assert_true(carom_plane_boxes_f64(at, half, off, none));
    const float f[4][3] = {{1e20F, 0.0F, 0.0F}, {1e20F, 1.0F, 1.0F}, {-1e-20F, 0.0F, 0.0F}, {0.0F, 1.0F, 1.0F}};
    assert_false(carom_plane_boxes_f32(f[0], f[1], f[2], f[3]));
}

static void test_boxes(void **state) {
    (void)state;
    note_each_case(CASES, boxes_case);
}

static int sign(int64_t x) {
    return (x > 0) - (x < 0);
}

/* Planes through whole points, and ends on them or beside them by the least there is. */
static void segment_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const double scale = draw_scale(&random);
    const int64_t most = number % 2 == 0 ? 3 : INT64_C(1) << 29;
    int64_t side[2] = {0, 0};
    int64_t p[2][3];
    int64_t whole_n[3];
    double n[3];
    double end[2][3];
    double at[4] = {-1.0, 0.0, 0.0, 0.0};
    for (int d = 0; d < 3; d++) {
        whole_n[d] = whole(&random, most);
        n[d] = (double)whole_n[d];
    }
    const int64_t *through = p[carom_random_next(&random) % 2];
    for (int d = 0; d < 3; d++) {
        p[0][d] = whole(&random, most);
        p[1][d] = whole(&random, most);
        end[0][d] = scale * (double)p[0][d];
        end[1][d] = scale * (double)p[1][d];
    }
    int64_t offset = carom_random_next(&random) % 3 > 0 ? whole(&random, 1) : whole(&random, most);
    for (int d = 0; d < 3 && number % 4 < 2; d++) {
        offset += whole_n[d] * through[d];
    }
    offset = llabs(offset) > (INT64_C(1) << 52) ? 0 : offset;
    for (int b = 0; b < 2; b++) {
        side[b] = sign(whole_n[0] * p[b][0] + whole_n[1] * p[b][1] + whole_n[2] * p[b][2] - offset);
    }
    const bool meets = side[0] * side[1] <= 0;
    note_case(number, "segment and plane");
    note_check(carom_plane_segment_f64(n, scale * (double)offset, end[0], end[1], at) == meets, "they %s",
               meets ? "meet" : "do not meet");
    note_check(meets == (at[0] >= 0.0) && at[0] <= 1.0, "t = %g", at[0]);
    if (meets) {
        const double off = fabs(carom_plane_point_f64(n, scale * (double)offset, at + 1));
        note_check(off <= ROUNDING * scale * 8.0 * (double)most, "the crossing is off the plane by %g", off);
    }
}

static void test_segment(void **state) {
    (void)state;
    note_each_case(CASES, segment_case);
}

static void test_point(void **state) {
    (void)state;
    const double n[3] = {0.0, 3.0, 4.0};
    const double none[3] = {0.0, 0.0, 0.0};
    const double point[3] = {7.0, 5.0, 10.0};
    const float f[2][3] = {{0.0F, 3.0F, 4.0F}, {7.0F, 5.0F, 10.0F}};
    assert_true(fabs(carom_plane_point_f64(n, 5.0, point) - 10.0) <= 0x1p-48);
    assert_true(fabs(carom_plane_point_f64(none, 5.0, point)) <= 0.0);
    assert_true(fabsf(carom_plane_point_f32(f[0], 5.0F, f[1]) - 10.0F) <= 0x1p-20F);
}

static long double distance_between(const double a[3], const double b[3]) {
    long double square = 0.0L;
    for (int d = 0; d < 3; d++) {
        const long double way = (long double)a[d] - b[d];
        square += way * way;
    }
    return sqrtl(square);
}

/* The least distance of |a + s u - (b + t v)| over s and t of [lo, hi], by alternating least squares and random starts:
 * every value is that of two points, so an upper bound. */
static long double search_nearest(carom_random *random, const double a[3], const double u[3], const double b[3],
                                  const double v[3]) {
    long double least = HUGE_VALL;
    long double step = 1.0L;
    long double best[2] = {0.5L, 0.5L};
    for (int round = 0; round < 400; round++) {
        long double s[2];
        long double square = 0.0L;
        for (int b2 = 0; b2 < 2; b2++) {
            s[b2] = fmaxl(0.0L, fminl(1.0L, best[b2] + step * uniform(random)));
            s[b2] = carom_random_next(random) % 8 == 0 ? (long double)(carom_random_next(random) % 2) : s[b2];
        }
        for (int d = 0; d < 3; d++) {
            const long double way = a[d] + s[0] * u[d] - (b[d] + s[1] * v[d]);
            square += way * way;
        }
        if (sqrtl(square) < least) {
            least = sqrtl(square);
            memcpy(best, s, sizeof best);
        } else {
            step = step > 1e-9L ? step * 0.96L : step;
        }
    }
    return least;
}

static void segments_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const double scale = draw_scale(&random);
    double end[2][2][3];
    double way[2][3];
    double nearest[2][3];
    for (int b = 0; b < 4; b++) {
        draw_point(&random, number % 2 == 0, scale, end[b / 2][b % 2], 3);
    }
    for (int b = 0; b < 2; b++) {
        for (int d = 0; d < 3; d++) {
            if (number % 5 == 0) { /* parallel, or nearly so */
                const double tilt = number % 10 == 0 ? 0.0 : 1e-9 * scale * uniform(&random);
                end[1][1][d] = end[1][0][d] + 0.5 * (end[0][1][d] - end[0][0][d]) + tilt;
            }
            way[b][d] = end[b][1][d] - end[b][0][d];
        }
    }
    const double distance = carom_plane_segments_f64((const double(*)[3])end[0], (const double(*)[3])end[1], nearest);
    const double back = carom_plane_segments_f64((const double(*)[3])end[1], (const double(*)[3])end[0], NULL);
    const long double found = search_nearest(&random, end[0][0], way[0], end[1][0], way[1]);
    note_case(number, "two segments");
    note_check(distance <= found + ROUNDING * scale, "distance %.17g, but there is %.17Lg", distance, found);
    note_check(fabsl(distance_between(nearest[0], nearest[1]) - distance) <= ROUNDING * scale,
               "points are %.17Lg apart", distance_between(nearest[0], nearest[1]));
    note_check(fabs(back - distance) <= ROUNDING * scale, "%.17g in the other order, %.17g in this", back, distance);
    for (int b = 0; b < 2; b++) {
        const long double past = distance_between(end[b][0], nearest[b]) + distance_between(nearest[b], end[b][1]) -
                                 distance_between(end[b][0], end[b][1]);
        note_check(past <= ROUNDING * scale, "point %d is not on its segment: %Lg", b, past);
    }
}

static void test_segments(void **state) {
    (void)state;
    note_each_case(CASES / 16, segments_case);
}

static void line_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const double scale = draw_scale(&random);
    double from[3];
    double l[3];
    double centre[3];
    double nearest[3];
    draw_point(&random, number % 2 == 0, scale, from, 3);
    draw_point(&random, number % 2 == 0, 1.0, l, 3);
    draw_point(&random, number % 2 == 0, scale, centre, 3);
    const double s = carom_plane_line_sphere_f64(from, l, centre, 0.25 * scale, nearest);
    long double along = 0.0L;
    for (int d = 0; d < 3; d++) {
        along += ((long double)centre[d] - nearest[d]) * l[d];
    }
    note_case(number, "line and sphere");
    note_check(fabsl(along) <= ROUNDING * scale * 8.0, "the way to the line is not at right angles: %Lg", along);
    note_check(fabsl(distance_between(centre, nearest) - 0.25 * scale - s) <= ROUNDING * scale, "s = %.17g", s);
}

static void test_line(void **state) {
    (void)state;
    note_each_case(CASES, line_case);
}

/* The greatest n.x over a figure, by its definition. */
static long double reach_along(const carom_figure_f64 *figure, const long double n[2]) {
    const long double length = hypotl(figure->turn[0], figure->turn[1]);
    const long double c = length > 0.0L ? figure->turn[0] / length : 1.0L;
    const long double s = length > 0.0L ? figure->turn[1] / length : 0.0L;
    const long double local[2] = {n[0] * c + n[1] * s, n[1] * c - n[0] * s};
    const long double at = n[0] * figure->at[0] + n[1] * figure->at[1];
    long double most = -HUGE_VALL;
    if (figure->kind == CAROM_FIGURE_CIRCLE) {
        return at + figure->radius * hypotl(n[0], n[1]);
    }
    if (figure->kind == CAROM_FIGURE_BOX) {
        return at + figure->extent[0] * fabsl(local[0]) + figure->extent[1] * fabsl(local[1]);
    }
    for (uint32_t n_corner = 0; n_corner < figure->corner_count; n_corner++) {
        most = fmaxl(most, local[0] * figure->corner[n_corner][0] + local[1] * figure->corner[n_corner][1]);
    }
    return at + most;
}

static long double height_at(const carom_figure_f64 figure[2], long double angle) {
    const long double n[2] = {cosl(angle), sinl(angle)};
    const long double back[2] = {-n[0], -n[1]};
    return -reach_along(&figure[0], back) - reach_along(&figure[1], n);
}

/* The greatest height near an angle, by steps that halve. */
static long double climb(const carom_figure_f64 figure[2], long double angle, long double step) {
    long double best = height_at(figure, angle);
    for (long double width = step; width > 1e-19L; width *= 0.5L) {
        const long double left = height_at(figure, angle - width);
        const long double right = height_at(figure, angle + width);
        angle += left > best && left >= right ? -width : right > best ? width : 0.0L;
        best = fmaxl(best, fmaxl(left, right));
    }
    return best;
}

/* The greatest height over all directions: a scan, then a climb from each that is not below its neighbours. */
static long double greatest_height(const carom_figure_f64 figure[2]) {
    const long double step = 2.0L * acosl(-1.0L) / DIRECTIONS;
    long double scan[DIRECTIONS];
    long double most = -HUGE_VALL;
    for (int n = 0; n < DIRECTIONS; n++) {
        scan[n] = height_at(figure, n * step);
    }
    for (int n = 0; n < DIRECTIONS; n++) {
        if (scan[n] >= scan[(n + 1) % DIRECTIONS] && scan[n] >= scan[(n + DIRECTIONS - 1) % DIRECTIONS]) {
            most = fmaxl(most, climb(figure, n * step, step));
        }
    }
    return most;
}

/* Corners of a convex polygon: of a circle at rising angles, or of a lattice rectangle; or one or two points. */
static uint32_t draw_corners(carom_random *random, bool lattice, double scale, double corner[8][2]) {
    const uint32_t kind = (uint32_t)(carom_random_next(random) % 4);
    if (kind < 2) {
        draw_point(random, lattice, scale, corner[0], 2);
        draw_point(random, lattice, scale, corner[1], 2);
        return 1 + kind;
    }
    const uint32_t count = lattice ? 4 : 3 + (uint32_t)(carom_random_next(random) % 6);
    for (uint32_t n = 0; n < count; n++) {
        const double angle = (n + (lattice ? 0.0 : 0.9 * carom_random_u01(random))) * (2.0 * acos(-1.0) / count);
        corner[n][0] = lattice ? scale * (n == 0 || n == 3 ? -0.5 : 0.5) : scale * cos(angle);
        corner[n][1] = lattice ? scale * (n < 2 ? -0.5 : 1.0) : scale * sin(angle);
    }
    return count;
}

static void draw_figure(carom_random *random, bool lattice, double scale, double corner[8][2],
                        carom_figure_f64 *figure) {
    static const double turns[][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, 0}, {1, 1}, {3, 4}, {1, 1e-9}, {0, -1e-40}};
    memset(figure, 0, sizeof *figure);
    figure->kind = (carom_figure_kind)(carom_random_next(random) % 3);
    draw_point(random, lattice, scale, figure->at, 2);
    draw_point(random, false, 1.0, figure->turn, 2);
    if (lattice) {
        memcpy(figure->turn, turns[carom_random_next(random) % 8], sizeof figure->turn);
    }
    figure->radius = fabs(scale * draw(random, lattice));
    figure->extent[0] = fabs(scale * draw(random, lattice));
    figure->extent[1] = fabs(scale * draw(random, lattice));
    figure->corner_count = draw_corners(random, lattice, scale, corner);
    figure->corner = (const double(*)[2])corner;
}

static void check_contact(const carom_figure_f64 figure[2], const carom_figure_contact_f64 *contact, double scale) {
    const double slack = ROUNDING * scale;
    const long double s = greatest_height(figure);
    const long double n[2] = {contact->normal[0], contact->normal[1]};
    const long double back[2] = {-n[0], -n[1]};
    const long double proved = -reach_along(&figure[0], back) - reach_along(&figure[1], n);
    note_check(s <= contact->distance + slack, "distance %.17g, but there is %.17Lg", contact->distance, s);
    note_check(fabsl(proved - contact->distance) <= slack, "the normal proves %.17Lg, not %.17g", proved,
               contact->distance);
    note_check(contact->point_count >= 1 && contact->point_count <= 2, "%u points", contact->point_count);
    double least = HUGE_VAL;
    for (uint32_t p = 0; p < contact->point_count; p++) {
        least = fmin(least, contact->gap[p]);
        for (int b = 0; b < 2; b++) { /* moved by half the gap, the point lies in the figure */
            const double half = (b == 0 ? 0.5 : -0.5) * contact->gap[p];
            carom_figure_f64 pair[2] = {{.kind = CAROM_FIGURE_CIRCLE}, figure[b]};
            pair[0].at[0] = contact->point[p][0] + half * contact->normal[0];
            pair[0].at[1] = contact->point[p][1] + half * contact->normal[1];
            note_check(greatest_height(pair) <= slack, "point %u is outside figure %d by %Lg", p, b,
                       greatest_height(pair));
        }
    }
    note_check(fabs(least - contact->distance) <= slack, "least gap %.17g, distance %.17g", least, contact->distance);
}

static void figures_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const double scale = draw_scale(&random);
    const bool lattice = number % 2 == 0;
    double corner[2][8][2];
    carom_figure_f64 figure[2];
    carom_figure_contact_f64 contact;
    carom_figure_contact_f64 back;
    draw_figure(&random, lattice, scale, corner[0], &figure[0]);
    draw_figure(&random, lattice, scale, corner[1], &figure[1]);
    note_case(number, "figures of kinds %d and %d", (int)figure[0].kind, (int)figure[1].kind);
    note_check(carom_plane_figures_f64(&figure[0], &figure[1], &contact), "refused");
    note_check(carom_plane_figures_f64(&figure[1], &figure[0], &back), "refused");
    note_check(fabs(contact.distance - back.distance) <= ROUNDING * scale, "%.17g in the other order, not %.17g",
               back.distance, contact.distance);
    check_contact(figure, &contact, scale);
}

static void test_figures(void **state) {
    (void)state;
    note_each_case(note_long() ? 20 * FIGURES : FIGURES / 8, figures_case);
}

/* What a reader would compute by hand. */
static void test_known(void **state) {
    (void)state;
    const carom_figure_f64 floor = {.kind = CAROM_FIGURE_BOX, .extent = {4.0, 1.0}, .turn = {1.0, 0.0}};
    const carom_figure_f64 crate = {.kind = CAROM_FIGURE_BOX, .extent = {1.0, 1.0}, .at = {0.5, 1.75}};
    const carom_figure_f64 none = {.kind = CAROM_FIGURE_POLYGON};
    carom_figure_contact_f64 contact;
    assert_true(carom_plane_figures_f64(&crate, &floor, &contact));
    assert_true(fabs(contact.distance + 0.25) <= 0x1p-48 && contact.point_count == 2);
    assert_true(contact.normal[1] > 0.999 && fabs(contact.normal[0]) <= 0.0);
    assert_true(fabs(fabs(contact.point[0][0] - contact.point[1][0]) - 2.0) <= 0x1p-48);
    assert_true(fabs(contact.point[0][1] - 0.875) <= 0x1p-48);
    assert_false(carom_plane_figures_f64(&none, &floor, &contact));
    const float corner[3][2] = {{0.0F, 0.0F}, {1.0F, 0.0F}, {0.0F, 1.0F}};
    const carom_figure_f32 triangle = {.kind = CAROM_FIGURE_POLYGON, .corner_count = 3, .corner = corner};
    const carom_figure_f32 circle = {.kind = CAROM_FIGURE_CIRCLE, .radius = 1.0F, .at = {-2.0F, 0.5F}};
    carom_figure_contact_f32 narrow;
    assert_true(carom_plane_figures_f32(&circle, &triangle, &narrow));
    assert_true(fabsf(narrow.distance - 1.0F) <= 0x1p-20F && narrow.normal[0] < -0.999F && narrow.point_count == 1);
    assert_true(fabsf(narrow.point[0][0] + 0.5F) <= 0x1p-20F && fabsf(narrow.point[0][1] - 0.5F) <= 0x1p-20F);
}

int main(void) {
    note_start("tests/unit/test_figures");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes),   cmocka_unit_test(test_boxes_hidden), cmocka_unit_test(test_segment),
        cmocka_unit_test(test_point),   cmocka_unit_test(test_segments),     cmocka_unit_test(test_line),
        cmocka_unit_test(test_figures), cmocka_unit_test(test_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
