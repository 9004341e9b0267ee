/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Lattices tilted as far as doubles go. A cell of small whole numbers is skewed: multiples of edges, up to 2^50, are
 * added to other edges, so that the lattice stays what it is. The reduced basis must be one of that lattice, which
 * whole numbers of 128 bits decide, and as short as the basis of the cell. Edges are refused as flat exactly if they
 * are. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kernel/periodic/lattice.h"
#include "kernel/scene/random.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

__extension__ typedef __int128 whole;
__extension__ typedef unsigned __int128 bits128;

enum { CASES = 5000, OPERATIONS = 6 };

/* Entries of skewed cells are exact doubles; multiples leave room for those that shorten the cell itself. */
static const whole ENTRY_MOST = (whole)1 << 53;
static const whole MULTIPLE_MOST = (whole)1 << 50;
/* Three edges next to a plane: with edges up to 2^43 and a volume no less than this all multiples are below 2^53. */
static const whole VOLUME_LEAST = (whole)1 << 24;

/* A skewed cell: edge = multipliers cell, and cell = inverse edge. */
typedef struct skewed {
    bool along[3];
    whole edge[3][3];
    whole inverse[3][3];
} skewed;

static uint32_t below(carom_random *random, uint32_t count) {
    return (uint32_t)(carom_random_next(random) % count);
}

static whole size_of(whole x) {
    return x < 0 ? -x : x;
}

/* Up to 2^bits in size. */
static whole random_whole(carom_random *random, uint32_t bits) {
    const whole size = (whole)(carom_random_next(random) >> (63 - bits));
    return below(random, 2) == 0 ? size : -size;
}

static skewed random_cell(carom_random *random, const bool along[3]) {
    skewed s;
    memcpy(s.along, along, sizeof s.along);
    for (int a = 0; a < 3; a++) {
        for (int j = 0; j < 3; j++) {
            s.edge[a][j] = a == j ? 5 + (whole)below(random, 36) : j < a ? (whole)below(random, 41) - 20 : 0;
            s.inverse[a][j] = a == j;
        }
    }
    return s;
}

/* Adds `times` edge b to edge a; nothing is changed if numbers become too large. */
static void skew(skewed *s, int a, int b, whole times) {
    skewed next = *s;
    bool fits = true;
    for (int j = 0; j < 3; j++) {
        next.edge[a][j] += times * s->edge[b][j];
        next.inverse[j][b] -= times * s->inverse[j][a];
        fits = fits && size_of(next.edge[a][j]) <= ENTRY_MOST && size_of(next.inverse[j][b]) <= MULTIPLE_MOST;
    }
    *s = fits ? next : *s;
}

static void skew_at_random(carom_random *random, skewed *s) {
    for (int n = 0; n < OPERATIONS; n++) {
        const int a = (int)below(random, 3);
        const int b = (a + 1 + (int)below(random, 2)) % 3;
        const whole times = random_whole(random, below(random, 51));
        if (s->along[a] && s->along[b]) {
            skew(s, a, b, times);
        }
    }
}

static carom_periodic box_of(const skewed *s, int exponent) {
    carom_periodic box = carom_periodic_default();
    for (int a = 0; a < 3; a++) {
        box.along[a] = s->along[a];
        for (int j = 0; j < 3; j++) {
            box.edge[a][j] = ldexp((double)s->edge[a][j], exponent);
        }
    }
    return box;
}

static carom_lattice make(const carom_periodic *box) {
    carom_lattice lattice;
    carom_error error = {.message = ""};
    carom_status status = carom_lattice_make(box, &lattice, &error);
    note_check(status == CAROM_OK, "%s: %s", carom_status_name(status), error.message);
    return lattice;
}

static void expect_refusal(const carom_periodic *box, const char *says) {
    carom_lattice lattice;
    carom_error error = {.message = ""};
    carom_status status = carom_lattice_make(box, &lattice, &error);
    note_check(status == CAROM_ERROR_ARGUMENT && strstr(error.message, says) != NULL, "%s: \"%s\" is not of \"%s\"",
               carom_status_name(status), error.message, says);
}

/* Modulo 2^128, which is enough to tell whether it is 1, -1 or neither. */
static bits128 determinant(bits128 m[3][3]) {
    bits128 sum = 0;
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3;
        int c = (a + 2) % 3;
        sum += m[0][a] * (m[1][b] * m[2][c] - m[1][c] * m[2][b]);
    }
    return sum;
}

/* The multiples have determinant 1 or -1: the basis spans the caller's lattice, no less and no other. */
static void check_multiples(const skewed *s, const carom_lattice *lattice) {
    bits128 m[3][3];
    uint32_t row = lattice->dimensions;
    for (uint32_t b = 0; b < lattice->dimensions; b++) {
        for (int a = 0; a < 3; a++) {
            m[b][a] = (bits128)(whole)lattice->multiple[b][a];
        }
    }
    for (int a = 0; a < 3; a++) {
        for (int j = 0; j < 3 && !s->along[a]; j++) {
            m[row][j] = j == a;
        }
        row += !s->along[a];
    }
    const bits128 d = determinant(m);
    note_check(d == 1 || d == (bits128)-1, "the multiples do not span the lattice");
}

/* The basis is the sum of its multiples, without rounding. */
static void check_edges(const skewed *s, const carom_lattice *lattice, int exponent) {
    for (uint32_t b = 0; b < lattice->dimensions; b++) {
        for (int j = 0; j < 3; j++) {
            whole sum = 0;
            for (int a = 0; a < 3; a++) {
                sum += s->along[a] ? (whole)lattice->multiple[b][a] * s->edge[a][j] : 0;
            }
            note_check((whole)ldexp(lattice->edge[b][j], -exponent) == sum, "vector %u is not the sum of its multiples",
                       b);
        }
    }
}

static void check_dual(const carom_lattice *lattice) {
    for (uint32_t b = 0; b < lattice->dimensions; b++) {
        for (uint32_t c = 0; c < lattice->dimensions; c++) {
            double product = 0;
            for (int j = 0; j < 3; j++) {
                product += lattice->dual[b][j] * lattice->edge[c][j];
            }
            note_check(fabs(product - (b == c)) <= 0x1p-44, "dual vector %u times vector %u is %g", b, c, product);
        }
    }
}

static double square_of(const double x[3], int exponent) {
    double sum = 0;
    for (int j = 0; j < 3; j++) {
        sum += ldexp(x[j], -exponent) * ldexp(x[j], -exponent);
    }
    return sum;
}

/* The lengths of a reduced basis are the same for any basis of the lattice. */
static void check_lengths(const carom_lattice *lattice, const carom_lattice *cell, int exponent) {
    note_check(ldexp(lattice->shortest, -exponent) == cell->shortest, "shortest vector %g, not %g", lattice->shortest,
               cell->shortest);
    for (uint32_t b = 0; b < lattice->dimensions; b++) {
        const double squares[2] = {square_of(lattice->edge[b], exponent), square_of(cell->edge[b], 0)};
        note_check(squares[0] == squares[1], "the square of vector %u is %g, not %g", b, squares[0], squares[1]);
    }
}

static bool wanted(uint64_t number) {
    return note_only_case() == UINT64_MAX || note_only_case() == number;
}

static void test_skewed_cells(void **state) {
    (void)state;
    uint64_t cancelled = 0;
    for (uint64_t number = 0; number < note_cases(CASES); number++) {
        carom_random random = carom_random_seeded(note_case_seed(number));
        const bool along[3] = {number % 4 != 1, number % 4 != 2, number % 4 != 3};
        const int exponent = number % 3 == 0 ? 0 : (int)below(&random, 1800) - 900;
        skewed s = random_cell(&random, along);
        carom_periodic cell_box = box_of(&s, 0);
        skew_at_random(&random, &s);
        note_case(number, "a skewed cell in a unit of 2^%d", exponent);
        if (!wanted(number)) {
            continue;
        }
        carom_periodic box = box_of(&s, exponent);
        carom_lattice lattice = make(&box);
        carom_lattice cell = make(&cell_box);
        cancelled += lattice.cancels;
        check_multiples(&s, &lattice);
        check_edges(&s, &lattice, exponent);
        check_dual(&lattice);
        check_lengths(&lattice, &cell, exponent);
    }
    note_check(note_only_case() != UINT64_MAX || cancelled > note_cases(CASES) / 2, "only %" PRIu64 " tilted far",
               cancelled);
}

/* Edges of whole numbers that depend on one another, and the same with one number one more. */
static void test_flat_and_nearly_flat(void **state) {
    (void)state;
    for (uint64_t number = 0; number < note_cases(CASES); number++) {
        carom_random random = carom_random_seeded(note_case_seed(number) + 1);
        skewed s = {.along = {true, true, true}};
        bits128 m[3][3];
        note_case(number, "three edges in a plane");
        for (int j = 0; j < 3; j++) {
            s.edge[0][j] = random_whole(&random, 16);
            s.edge[1][j] = random_whole(&random, 16);
        }
        const whole times[2] = {random_whole(&random, 26), random_whole(&random, 26)};
        for (int j = 0; j < 3; j++) {
            s.edge[2][j] = times[0] * s.edge[0][j] + times[1] * s.edge[1][j];
        }
        carom_periodic box = box_of(&s, 0);
        if (wanted(number)) {
            expect_refusal(&box, "no volume");
        }
        s.edge[2][below(&random, 3)]++;
        for (int a = 0; a < 9; a++) {
            m[a / 3][a % 3] = (bits128)s.edge[a / 3][a % 3];
        }
        note_case(number, "three edges next to a plane");
        if (wanted(number) && size_of((whole)determinant(m)) >= VOLUME_LEAST) {
            box = box_of(&s, 0);
            carom_lattice lattice = make(&box);
            check_multiples(&s, &lattice);
            check_edges(&s, &lattice, 0);
        }
    }
}

/* The reduced basis of (width, 0, 0), (tilt, height, 0) is rectangular. */
static void expect_rectangle(double width, double tilt, double height) {
    carom_periodic box = carom_periodic_default();
    box.along[0] = box.along[1] = true;
    box.edge[0][0] = width;
    box.edge[1][0] = tilt;
    box.edge[1][1] = height;
    carom_lattice lattice = make(&box);
    note_check(lattice.edge[0][0] == width && lattice.edge[0][1] == 0 && lattice.edge[1][0] == 0 &&
                   fabs(lattice.edge[1][1]) == height,
               "another basis");
}

/* Beyond 2^53 a tilt is good as long as doubles hold its multiple. */
static void test_the_longest_tilts(void **state) {
    (void)state;
    for (int e = 1; e < 1023; e++) {
        note_case((uint64_t)e, "a tilt of 2^%d", e);
        expect_rectangle(1, ldexp(1, e), 1.5);
        expect_rectangle(0.75, -ldexp(0.75, e), 1.5);
    }
    note_case(0, "tilts whose multiples are beyond doubles");
    expect_rectangle(3, 0x1p53 * 3, 8);
    carom_periodic box = carom_periodic_default();
    box.along[0] = box.along[1] = true;
    box.edge[0][0] = 0.75;
    box.edge[1][0] = 0x1p70;
    box.edge[1][1] = 1;
    expect_refusal(&box, "do not hold the multiples");
    /* Doubles hold a multiple by which the edges are nearly at right angles, but not the one of the shortest edge. */
    box.edge[1][0] = 0x1p60;
    box.edge[1][1] = 100;
    expect_refusal(&box, "do not hold the multiples");
    box.edge[0][0] = 0x1p-1000;
    box.edge[1][0] = 0x1p1000;
    expect_refusal(&box, "do not hold the multiples");
}

/* Flat in decimal numbers, but not in the doubles next to them: another lattice, whose shortest vector is tiny. */
static void test_flat_but_for_rounding(void **state) {
    (void)state;
    carom_periodic box = carom_periodic_default();
    box.along[0] = box.along[1] = true;
    memcpy(box.edge[0], (double[3]){0.1, 0.2, 0.7}, sizeof box.edge[0]);
    memcpy(box.edge[1], (double[3]){0.3, 0.6, 2.1}, sizeof box.edge[1]);
    note_case(0, "(0.1, 0.2, 0.7) and three times that");
    carom_lattice lattice = make(&box);
    note_check(lattice.shortest > 0 && lattice.shortest < 0x1p-50, "shortest vector %g", lattice.shortest);
}

/* Guards the rounding of exact sums: to the nearest double, halves to even. */
static void test_sums_are_rounded_once(void **state) {
    (void)state;
    carom_lattice lattice = {.dimensions = 3, .cancels = true};
    double sum[3];
    note_case(0, "sums");
    memcpy(lattice.caller, (double[3][3]){{1, 0x1p-53, -0x1p-53}, {0x1p-53, 0x1p-105, 0x1p-1074}, {0, 1, -1}},
           sizeof lattice.caller);
    carom_lattice_displacement(&lattice, (double[3]){1, 1, 0}, sum);
    note_check(sum[0] == 1 && sum[1] == 0x1p-53 + 0x1p-105 && sum[2] == -0x1p-53, "halves %a %a %a", sum[0], sum[1],
               sum[2]);
    carom_lattice_displacement(&lattice, (double[3]){1, 1, 1}, sum);
    note_check(sum[1] == 1 + 0x1p-52 && sum[2] == -1, "more and less than halves %a %a", sum[1], sum[2]);
    carom_lattice_displacement(&lattice, (double[3]){0x1p53 - 1, 3, -1}, sum);
    note_check(sum[0] == 0x1p53 - 1, "products %a", sum[0]);
    carom_lattice_displacement(&lattice, (double[3]){0, 5, 0}, sum);
    note_check(sum[2] == 5 * 0x1p-1074, "below the normal numbers %a", sum[2]);
}

int main(void) {
    note_start("tests/unit/test_lattice_tilts");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_skewed_cells),          cmocka_unit_test(test_flat_and_nearly_flat),
        cmocka_unit_test(test_the_longest_tilts),     cmocka_unit_test(test_flat_but_for_rounding),
        cmocka_unit_test(test_sums_are_rounded_once),
    };
    return cmocka_run_group_tests_name("lattice-tilts", tests, NULL, NULL);
}
