/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Crystals from one primitive cell, whose coordination numbers are in every textbook: a cutoff of any size must find
 * whole shells of neighbours, at their exact distance too where that is a number. And neighbour lists as a molecular
 * dynamics program reads them: each image within the cutoff once, its vector from the shift and from the normal. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/isa_contexts.h"
#include "tests/support/note.h"
#include "tests/support/periodic_truth.h"
#include "tests/support/random_scene.h"

enum { ATOMS_MOST = 2, SHELLS = 3 };

typedef struct crystal {
    const char *name;
    double edge[3][3];
    uint64_t atoms;
    double at[ATOMS_MOST][3];    /* in edges */
    double square[SHELLS + 1];   /* of the distance of each shell and of the next, in lattice constants */
    uint32_t neighbours[SHELLS]; /* in each shell */
    bool exact;                  /* squares are exact, as all positions are */
} crystal;

/* sqrt(8/3) and sqrt(3)/2. */
#define HCP_C 1.6329931618554521
#define HCP_B 0.86602540378443865

/* Kittel, Introduction to Solid State Physics, chapter 1. */
static const crystal crystals[] = {
    {"sc", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 1, {{0}}, {1, 2, 3, 4}, {6, 12, 8}, true},
    {"fcc", {{0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0}}, 1, {{0}}, {0.5, 1, 1.5, 2}, {12, 6, 24}, true},
    {"bcc", {{-0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0.5, 0.5, -0.5}}, 1, {{0}}, {0.75, 1, 2, 2.75}, {8, 6, 12}, true},
    {"diamond",
     {{0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0}},
     2,
     {{0}, {0.25, 0.25, 0.25}},
     {0.1875, 0.5, 0.6875, 1},
     {4, 12, 12},
     true},
    {"hcp",
     {{1, 0, 0}, {0.5, HCP_B, 0}, {0, 0, HCP_C}},
     2,
     {{0}, {1.0 / 3, 1.0 / 3, 0.5}},
     {1, 2, 8.0 / 3, 3},
     {12, 6, 2},
     false},
};
enum { CRYSTALS = sizeof crystals / sizeof crystals[0] };

static int make_contexts(void **state) {
    static const uint32_t threads[] = {1, 3};
    (void)state;
    return isa_contexts_make(threads, sizeof threads / sizeof threads[0]);
}

typedef struct made_crystal {
    carom_periodic box;
    random_scene scene;
} made_crystal;

/* Lattice constant `size`, the first atom at `origin` on all axes. */
static made_crystal make_crystal(const crystal *c, double size, double origin, double cutoff) {
    made_crystal m = {carom_periodic_default(), random_scene_blank(c->atoms)};
    m.box.self_images = true;
    for (int a = 0; a < 3; a++) {
        m.box.along[a] = true;
        for (int j = 0; j < 3; j++) {
            m.box.edge[a][j] = c->edge[a][j] * size;
        }
    }
    for (uint64_t n = 0; n < c->atoms; n++) {
        for (int j = 0; j < 3; j++) {
            double at = origin;
            for (int a = 0; a < 3; a++) {
                at += c->at[n][a] * m.box.edge[a][j];
            }
            m.scene.field[j][n] = m.scene.field[j + 3][n] = at;
        }
        m.scene.field[6][n] = cutoff / 2;
    }
    return m;
}

static any_result find(const made_crystal *m, any_precision precision, carom_context *context) {
    carom_detect_config config = any_config_full();
    config.periodic = &m->box;
    config.neighbours = CAROM_NEIGHBOURS_FULL;
    any_result r = any_detect(context, precision, &m->scene.bodies, &config);
    note_check(r.status == CAROM_OK, "%s", r.error.message);
    return r;
}

/* Every atom has so many neighbours; the rows are half of that, and no row joins an atom to itself. */
static void check_count(const crystal *c, const made_crystal *m, uint32_t wanted, uint64_t number) {
    for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
        any_result r = find(m, p, isa_contexts[number % isa_context_count]);
        for (uint64_t b = 0; b < c->atoms; b++) {
            const uint64_t length = r.neighbour_offset[b + 1] - r.neighbour_offset[b];
            note_check(length == wanted, "%s, %s: atom %" PRIu64 " has %" PRIu64 " neighbours, not %u", c->name,
                       any_precision_name(p), b, length, wanted);
        }
        note_check(2 * r.pair_count == wanted * c->atoms, "%" PRIu64 " rows", r.pair_count);
        note_check(r.summary.groups == (c->atoms > 1 && wanted > 0), "%" PRIu64 " groups", r.summary.groups);
        any_result_release(&r);
    }
}

/* A cutoff just short of each shell, at it, and just beyond. */
static void check_shells(const crystal *c, double size, double origin, uint64_t number) {
    uint32_t before = 0;
    for (int s = 0; s < SHELLS; s++) {
        const double distance = sqrt(c->square[s]) * size;
        const uint32_t after = before + c->neighbours[s];
        const double root = sqrt(c->square[s]) * 8;
        const bool at_it = c->exact && root == rint(root);
        for (int side = -1; side <= 1; side++) {
            const double cutoff = distance * (1 + side * 0x1p-18);
            made_crystal m = make_crystal(c, size, origin, cutoff);
            note_case(number, "%s of size %g at %g, shell %d, side %d", c->name, size, origin, s, side);
            if (side != 0 || at_it) {
                check_count(c, &m, side < 0 ? before : after, number + (uint64_t)s);
            }
            random_scene_release(&m.scene);
        }
        before = after;
    }
}

/* Origins by which positions stay exact, some of them many cells away. */
static void test_shells(void **state) {
    (void)state;
    static const double origins[] = {0, 0.25, -8, 1024};
    uint64_t number = 0;
    for (uint64_t c = 0; c < CRYSTALS; c++) {
        for (int exponent = -20; exponent <= 20; exponent += 4) {
            const double size = ldexp(1, exponent);
            check_shells(&crystals[c], size, crystals[c].exact ? origins[number % 4] * size : 0, number);
            number++;
        }
    }
}

/* Lattice points no farther than the cutoff, the point itself left out. */
static uint64_t count_points(const crystal *c, double size, const double offset[3], double cutoff) {
    enum { RANGE = 20 };
    uint64_t count = 0;
    for (int x = -RANGE; x <= RANGE; x++) {
        for (int y = -RANGE; y <= RANGE; y++) {
            for (int z = -RANGE; z <= RANGE; z++) {
                double square = 0;
                for (int j = 0; j < 3; j++) {
                    const double d = size * (x * c->edge[0][j] + y * c->edge[1][j] + z * c->edge[2][j] + offset[j]);
                    square += d * d;
                }
                count += square > 0 && square <= cutoff * cutoff;
            }
        }
    }
    return count;
}

/* Cutoffs up to five edges of the primitive cell: thousands of images of each atom. */
static void test_far_shells(void **state) {
    (void)state;
    for (uint64_t n = 0; n < CRYSTALS; n++) {
        const crystal *c = &crystals[n];
        if (!c->exact) {
            continue;
        }
        for (double cutoff = 1.625; cutoff <= 5; cutoff += 0.5625) {
            double offset[3] = {0, 0, 0};
            uint64_t wanted = count_points(c, 1, offset, cutoff);
            for (int j = 0; j < 3 && c->atoms > 1; j++) {
                offset[j] = c->at[1][0] * (c->edge[0][j] + c->edge[1][j] + c->edge[2][j]);
            }
            wanted += c->atoms > 1 ? count_points(c, 1, offset, cutoff) : 0;
            made_crystal m = make_crystal(c, 1, 0.5, cutoff);
            note_case(n, "%s, cutoff %g", c->name, cutoff);
            check_count(c, &m, (uint32_t)wanted, n);
            random_scene_release(&m.scene);
        }
    }
}

/* From atom b to the neighbour of one entry, by the rule in detect.h: by shift, or by normal and distance. `second`:
 * the entry before is of the same row. */
static void vector_of(const made_crystal *m, const any_result *r, uint32_t b, uint64_t entry, bool second,
                      bool by_shift, double vector[3]) {
    const uint64_t p = r->neighbour_pair[entry];
    const bool forward = r->i[p] == b && !second;
    for (int j = 0; j < 3; j++) {
        double x = -r->field[ANY_DISTANCE][p] * r->field[ANY_NORMAL + j][p];
        if (by_shift) {
            x = m->scene.field[j][r->k[p]] - m->scene.field[j][r->i[p]];
            for (int a = 0; a < 3; a++) {
                x += r->shift[a][p] * m->box.edge[a][j];
            }
        }
        vector[j] = forward ? x : -x;
    }
}

static void check_entry(const made_crystal *m, const any_result *r, uint32_t b, uint64_t entry, double cutoff,
                        double sum[3]) {
    double vector[2][3];
    const bool second = entry > r->neighbour_offset[b] && r->neighbour_pair[entry] == r->neighbour_pair[entry - 1];
    const uint64_t p = r->neighbour_pair[entry];
    note_check(r->neighbour_body[entry] == (r->i[p] == b ? r->k[p] : r->i[p]), "an entry names another body");
    note_check(!second || r->i[p] == r->k[p], "a pair of two atoms is twice in one list");
    vector_of(m, r, b, entry, second, true, vector[0]);
    vector_of(m, r, b, entry, second, false, vector[1]);
    double square = 0;
    for (int j = 0; j < 3; j++) {
        const double error = fabs(vector[0][j] - vector[1][j]);
        note_check(error <= 1e-5 * cutoff, "atom %u: shift and normal differ by %g", b, error);
        square += vector[0][j] * vector[0][j];
        sum[j] += vector[0][j];
    }
    note_check(sqrt(square) <= cutoff * (1 + 1e-6), "atom %u: a neighbour at %g", b, sqrt(square));
}

/* Around every atom of these crystals neighbours are balanced: vectors of a whole list add up to nothing. */
static void test_lists(void **state) {
    (void)state;
    for (uint64_t n = 0; n < CRYSTALS; n++) {
        const crystal *c = &crystals[n];
        const double cutoff = sqrt(0.5 * (c->square[SHELLS - 1] + c->square[SHELLS])) * 3;
        made_crystal m = make_crystal(c, 3, 40, cutoff);
        for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
            note_case(n, "lists of %s, %s", c->name, any_precision_name(p));
            any_result r = find(&m, p, isa_contexts[n % isa_context_count]);
            for (uint32_t b = 0; b < c->atoms; b++) {
                double sum[3] = {0, 0, 0};
                for (uint64_t e = r.neighbour_offset[b]; e < r.neighbour_offset[b + 1]; e++) {
                    check_entry(&m, &r, b, e, cutoff, sum);
                }
                note_check(fabs(sum[0]) + fabs(sum[1]) + fabs(sum[2]) < 1e-4, "%s: neighbours of atom %u on one side",
                           c->name, b);
            }
            any_result_release(&r);
        }
        random_scene_release(&m.scene);
    }
}

/* Every method, thread count and instruction set: the same rows, and half lists half as long. */
static void test_methods(void **state) {
    (void)state;
    made_crystal m = make_crystal(&crystals[3], 1, 0.125, 2.75);
    carom_detect_config config = any_config_full();
    config.periodic = &m.box;
    config.neighbours = CAROM_NEIGHBOURS_HALF;
    for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
        any_result first = any_detect(isa_contexts[0], p, &m.scene.bodies, &config);
        note_check(first.pair_count > 600 && first.neighbour_offset[2] == first.pair_count, "half lists");
        for (uint64_t n = 0; n < isa_context_count * 5; n++) {
            config.method = (carom_method)(n % 5);
            note_case(n, "method %d, %s", (int)config.method, carom_context_isa(isa_contexts[n / 5]));
            any_result r = any_detect(isa_contexts[n / 5], p, &m.scene.bodies, &config);
            note_check(any_result_same(&first, &r), "other results");
            any_result_release(&r);
        }
        config.method = CAROM_METHOD_AUTO;
        any_result_release(&first);
    }
    random_scene_release(&m.scene);
}

int main(void) {
    note_start("tests/prop/test_crystals");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shells), cmocka_unit_test(test_far_shells),
                                       cmocka_unit_test(test_lists), cmocka_unit_test(test_methods)};
    return cmocka_run_group_tests_name("crystals", tests, make_contexts, isa_contexts_destroy);
}
