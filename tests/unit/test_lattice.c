/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Lattices of short and long edges: a lattice in another unit, a power of two, is the same lattice, bit by bit; edges
 * of very different lengths make one, too; what doubles cannot hold is refused. Guards the scaling of products, which
 * would be zero or infinite without. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kernel/periodic/lattice.h"
#include "kernel/scene/random.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

enum { CASES = 2000 };

/* A multiple of 2^-16 in [-size, size]. */
static double on_grid(carom_random *random, double size) {
    return rint((2 * carom_random_u01(random) - 1) * size * 0x1p16) * 0x1p-16;
}

/* Along any axes, tilted in one case of two; the diagonal is 1 to 2. */
static carom_periodic random_box(carom_random *random, uint64_t number) {
    carom_periodic box = carom_periodic_default();
    for (int a = 0; a < 3; a++) {
        box.along[a] = ((number % 7 + 1) >> a & 1) != 0;
        for (int j = 0; j < 3; j++) {
            box.edge[a][j] = a == j ? 1.5 + on_grid(random, 0.5) : j < a && number % 2 == 0 ? on_grid(random, 6) : 0;
        }
    }
    return box;
}

static carom_periodic scaled_box(const carom_periodic *box, const int exponent[3]) {
    carom_periodic scaled = *box;
    for (int a = 0; a < 3; a++) {
        for (int j = 0; j < 3; j++) {
            scaled.edge[a][j] = ldexp(box->edge[a][j], exponent[a]);
        }
    }
    return scaled;
}

static carom_lattice make(const carom_periodic *box) {
    carom_lattice lattice;
    carom_error error = {.message = ""};
    carom_status status = carom_lattice_make(box, &lattice, &error);
    note_check(status == CAROM_OK, "%s: %s", carom_status_name(status), error.message);
    return lattice;
}

/* Vectors that only complete the basis have length 1 in every unit. */
static void check_same(const carom_lattice *one, const carom_lattice *other, int exponent) {
    note_check(other->shortest == ldexp(one->shortest, exponent), "shortest vector %g, not %g 2^%d", other->shortest,
               one->shortest, exponent);
    for (uint32_t b = 0; b < 3; b++) {
        int unit = b < one->dimensions ? exponent : 0;
        for (int j = 0; j < 3; j++) {
            note_check(other->multiple[b][j] == one->multiple[b][j], "vector %u is made of other multiples", b);
            note_check(other->edge[b][j] == ldexp(one->edge[b][j], unit), "vector %u is another", b);
            note_check(other->dual[b][j] == ldexp(one->dual[b][j], -unit), "dual vector %u is another", b);
        }
    }
}

static void test_any_unit(void **state) {
    (void)state;
    static const int exponents[] = {-1021, -800, -520, -270, -60, 60, 340, 510, 700, 1010};
    for (uint64_t number = 0; number < CASES; number++) {
        carom_random random = carom_random_seeded(note_case_seed(number));
        carom_periodic box = random_box(&random, number);
        note_case(number, "a box in its unit");
        carom_lattice lattice = make(&box);
        for (uint32_t n = 0; n < sizeof exponents / sizeof exponents[0]; n++) {
            int e = exponents[n];
            note_case(number, "a box in a unit of 2^%d", e);
            carom_periodic scaled = scaled_box(&box, (int[3]){e, e, e});
            carom_lattice other = make(&scaled);
            check_same(&lattice, &other, e);
        }
    }
}

/* Orthorhombic, each edge in a unit of its own: the basis is the caller's, in order of length. */
static void test_edges_of_all_lengths(void **state) {
    (void)state;
    for (uint64_t number = 0; number < CASES; number++) {
        carom_random random = carom_random_seeded(note_case_seed(number) + 1);
        carom_periodic box = random_box(&random, 2 * number + 1);
        int exponent[3];
        for (int a = 0; a < 3; a++) {
            exponent[a] = (int)(carom_random_next(&random) % 2040) - 1021;
        }
        note_case(number, "units of 2^%d, 2^%d, 2^%d", exponent[0], exponent[1], exponent[2]);
        box = scaled_box(&box, exponent);
        carom_lattice lattice = make(&box);
        double before = 0;
        for (uint32_t b = 0; b < lattice.dimensions; b++) {
            int a = lattice.multiple[b][0] != 0 ? 0 : lattice.multiple[b][1] != 0 ? 1 : 2;
            note_check(lattice.edge[b][a] == box.edge[a][a] && before <= box.edge[a][a], "vector %u is not edge %d", b,
                       a);
            note_check(fabs(lattice.dual[b][a] * box.edge[a][a] - 1) <= 4 * DBL_EPSILON, "dual vector %u", b);
            before = box.edge[a][a];
        }
        note_check(lattice.shortest == lattice.edge[0][0] + lattice.edge[0][1] + lattice.edge[0][2], "shortest vector");
    }
}

static void expect_refusal(const carom_periodic *box, const char *says) {
    carom_lattice lattice;
    carom_error error = {.message = ""};
    carom_status status = carom_lattice_make(box, &lattice, &error);
    note_check(status == CAROM_ERROR_ARGUMENT && strstr(error.message, says) != NULL, "%s: \"%s\" is not of \"%s\"",
               carom_status_name(status), error.message, says);
}

/* Flat at any scale; no length; lengths that are no doubles, or whose reciprocal is none. */
static void test_refusals(void **state) {
    (void)state;
    note_case(0, "refusals");
    carom_periodic box = carom_periodic_default();
    box.along[0] = true;
    expect_refusal(&box, "no length");
    box.edge[0][0] = 0x1p-1030;
    expect_refusal(&box, "least normal number");
    box.edge[0][0] = DBL_MIN;
    make(&box);
    box.edge[0][0] = box.edge[0][1] = 0x1.8p1023;
    expect_refusal(&box, "length of edge 0");
    box.edge[0][1] = 0;
    make(&box);
    box.along[1] = box.along[2] = true;
    for (int e = -1000; e <= 1000; e += 100) {
        static const double flat[3][3] = {{1, 2, 3}, {-2, 1, 0.5}, {-1, 3, 3.5}};
        note_case(0, "flat in a unit of 2^%d", e);
        memcpy(box.edge, flat, sizeof flat);
        box = scaled_box(&box, (int[3]){e, e, e});
        expect_refusal(&box, "no volume");
        box.along[2] = false;
        make(&box);
        memcpy(box.edge[1], (double[3]){ldexp(3, e), ldexp(6, e), ldexp(9, e)}, sizeof box.edge[1]);
        expect_refusal(&box, "no area");
        box.along[2] = true;
    }
    /* Two edges that are long enough, but whose multiples come within 2^-1023 of one another. */
    memset(box.edge, 0, sizeof box.edge);
    box.along[2] = false;
    box.edge[0][0] = 0x1p-1021;
    box.edge[1][0] = 0x1.8p-1021;
    box.edge[1][1] = 0x1p-1024;
    expect_refusal(&box, "least normal number");
}

int main(void) {
    note_start("tests/unit/test_lattice");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_any_unit), cmocka_unit_test(test_edges_of_all_lengths),
                                       cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests_name("lattice", tests, NULL, NULL);
}
