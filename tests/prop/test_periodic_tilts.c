/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Boxes tilted by millions of widths and more have the contacts of the plain box that spans the same lattice: the same
 * bodies, the same rows, and shifts that are the same displacements in other edges. All numbers lie on a grid on which
 * positions plus whole edges are exact. Guards the exact sums of edges where a rounded sum would lose the grid. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "tests/support/any_detect.h"
#include "tests/support/check.h"
#include "tests/support/isa_contexts.h"
#include "tests/support/note.h"
#include "tests/support/random_scene.h"

enum { CASES = 300, BODIES = 60, KINDS = 3 };

/* Points lie up to a hundred from the origin, and the float ones are rounded. */
static const double POINT_SLACK = 0x1p-16;

static int make_contexts(void **state) {
    static const uint32_t threads[] = {1, 2};
    (void)state;
    return isa_contexts_make(threads, sizeof threads / sizeof threads[0]);
}

static uint32_t below(carom_random *random, uint32_t count) {
    return (uint32_t)(carom_random_next(random) % count);
}

/* A multiple of 2^-5 in [lo, hi]. */
static double on_grid(carom_random *random, double lo, double hi) {
    return rint((lo + carom_random_u01(random) * (hi - lo)) * 32) / 32;
}

/* Two boxes of one lattice: tilted = multipliers plain. A shift of the plain box times `inverse` is one of the tilted.
 */
typedef struct boxes {
    carom_periodic plain;
    carom_periodic tilted;
    double inverse[3][3];
    double lo[3]; /* where bodies start */
    double hi[3];
} boxes;

/* Edges along the axes; bodies stay away from the faces. */
static boxes upright_boxes(carom_random *random) {
    boxes b = {.plain = carom_periodic_default()};
    for (int a = 0; a < 3; a++) {
        b.plain.along[a] = true;
        b.plain.edge[a][a] = on_grid(random, 8, 12);
        b.inverse[a][a] = 1;
        b.lo[a] = 2;
        b.hi[a] = b.plain.edge[a][a] - 2;
    }
    b.tilted = b.plain;
    return b;
}

/* Adds `times` edge `from` to edge `to`. */
static void tilt(boxes *b, int to, int from, double times) {
    for (int j = 0; j < 3; j++) {
        b->tilted.edge[to][j] += times * b->tilted.edge[from][j];
        b->inverse[j][from] -= times * b->inverse[j][to];
    }
}

/* Tilted so far that no contact across the tilted faces has shifts of 32 bits: bodies only cross the others. */
static boxes far_boxes(carom_random *random) {
    boxes b = upright_boxes(random);
    const int exponent = 28 + (int)below(random, 13);
    tilt(&b, 1, 0, ldexp(1 + (double)below(random, 64) / 64, exponent));
    tilt(&b, 2, 0, ldexp(1 + (double)below(random, 64) / 64, exponent) - 1);
    b.lo[0] = -40;
    b.hi[0] = 40;
    return b;
}

/* By some millions of widths: bodies cross every face. */
static boxes wide_boxes(carom_random *random) {
    boxes b = upright_boxes(random);
    tilt(&b, 1, 0, (double)(1000000 + below(random, 8000000)));
    tilt(&b, 2, 0, (double)(1000000 + below(random, 8000000)));
    for (int a = 0; a < 3; a++) {
        b.lo[a] = a == 0 ? -40 : 0;
        b.hi[a] = a == 0 ? 40 : b.plain.edge[a][a];
    }
    return b;
}

/* One edge so long, and part of the others, that products with it are rounded; multiples are small. Bodies cross the
 * faces of the short edges, many times. */
static boxes long_boxes(carom_random *random) {
    boxes b = upright_boxes(random);
    b.plain.edge[0][0] = 0x1p42 + on_grid(random, 0, 0x1p40);
    b.plain.edge[1][0] = on_grid(random, -4, 4);
    b.tilted = b.plain;
    tilt(&b, 1, 0, 3);
    tilt(&b, 0, 1, (double)(1 + below(random, 3)));
    tilt(&b, 2, 0, (double)(1 + below(random, 3)));
    for (int a = 0; a < 3; a++) {
        b.lo[a] = a == 0 ? 100 : -40;
        b.hi[a] = a == 0 ? 116 : 40;
    }
    return b;
}

static random_scene scene_of(carom_random *random, const boxes *b) {
    random_scene scene = random_scene_blank(BODIES);
    for (uint64_t n = 0; n < BODIES; n++) {
        for (int j = 0; j < 3; j++) {
            scene.field[j][n] = on_grid(random, b->lo[j], b->hi[j]);
            scene.field[j + 3][n] = scene.field[j][n] + on_grid(random, -0.75, 0.75);
        }
        scene.field[6][n] = on_grid(random, 0.25, 1);
    }
    return scene;
}

static any_result detect(carom_context *context, any_precision precision, const random_scene *scene,
                         const carom_periodic *box) {
    carom_detect_config config = any_config_full();
    config.periodic = box;
    any_result r = any_detect(context, precision, &scene->bodies, &config);
    note_check(r.status == CAROM_OK, "%s: %s", carom_status_name(r.status), r.error.message);
    return r;
}

/* The row of the tilted box that row n of the plain one is; shifts differ in order, so it is looked for. */
static uint64_t find_row(const boxes *b, const any_result *plain, uint64_t n, const any_result *tilted) {
    double shift[3];
    for (int a = 0; a < 3; a++) {
        shift[a] = 0;
        for (int c = 0; c < 3; c++) {
            shift[a] += plain->shift[c][n] * b->inverse[c][a];
        }
    }
    uint64_t m = 0;
    while (m < tilted->pair_count &&
           (tilted->i[m] != plain->i[n] || tilted->k[m] != plain->k[n] || tilted->shift[0][m] != shift[0] ||
            tilted->shift[1][m] != shift[1] || tilted->shift[2][m] != shift[2])) {
        m++;
    }
    note_check(m < tilted->pair_count, "(%u, %u) with (%.17g, %.17g, %.17g) is missing", plain->i[n], plain->k[n],
               shift[0], shift[1], shift[2]);
    return m;
}

static void check_same(const boxes *b, const any_result *plain, const any_result *tilted) {
    note_check(plain->pair_count == tilted->pair_count, "%" PRIu64 " rows, not %" PRIu64, tilted->pair_count,
               plain->pair_count);
    note_check(plain->summary.touching_hash == tilted->summary.touching_hash, "another touching_hash");
    note_check(memcmp(plain->label, tilted->label, BODIES * sizeof *plain->label) == 0, "other groups");
    for (uint64_t n = 0; n < plain->pair_count; n++) {
        const uint64_t m = find_row(b, plain, n, tilted);
        for (int f = 0; f < ANY_FIELDS; f++) {
            const double x = plain->field[f][n];
            const double y = tilted->field[f][m];
            note_check(f < ANY_POINT ? x == y : fabs(x - y) <= POINT_SLACK, "row %" PRIu64 ": field %d is %a, not %a",
                       n, f, y, x);
        }
    }
}

static uint64_t run_case(uint64_t number) {
    static boxes (*const make[KINDS])(carom_random *) = {far_boxes, wide_boxes, long_boxes};
    static const char *const name[KINDS] = {"tilted far", "tilted by millions", "long"};
    carom_random random = carom_random_seeded(note_case_seed(number));
    const boxes b = make[number % KINDS](&random);
    random_scene scene = scene_of(&random, &b);
    uint64_t rows = 0;
    for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
        note_case(number, "%s, %s", name[number % KINDS], any_precision_name(p));
        any_result plain = detect(isa_contexts[number % isa_context_count], p, &scene, &b.plain);
        any_result tilted = detect(isa_contexts[number % isa_context_count], p, &scene, &b.tilted);
        check_same(&b, &plain, &tilted);
        rows += plain.pair_count;
        any_result_release(&plain);
        any_result_release(&tilted);
    }
    random_scene_release(&scene);
    return rows;
}

static void test_same_contacts(void **state) {
    (void)state;
    uint64_t rows = 0;
    for (uint64_t number = 0; number < note_cases(CASES); number++) {
        if (note_only_case() == UINT64_MAX || note_only_case() == number) {
            rows += run_case(number);
        }
    }
    note_check(note_only_case() != UINT64_MAX || rows > 10 * note_cases(CASES), "only %" PRIu64 " rows", rows);
}

/* Shifts have 32 bits: a body that reaches across a face tilted by more than they hold is refused. */
static void test_shifts_too_large(void **state) {
    (void)state;
    carom_random random = carom_random_seeded(note_case_seed(0));
    boxes b = far_boxes(&random);
    random_scene scene = scene_of(&random, &b);
    for (uint64_t n = 0; n < 2; n++) {
        scene.field[1][n] = scene.field[4][n] = n == 0 ? 0.25 : b.plain.edge[1][1] - 0.25;
    }
    for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
        carom_detect_config config = any_config_full();
        config.periodic = &b.tilted;
        note_case(0, "bodies at tilted faces, %s", any_precision_name(p));
        any_result r = any_detect(isa_contexts[0], p, &scene.bodies, &config);
        note_check(r.status == CAROM_ERROR_BODY, "%s: %s", carom_status_name(r.status), r.error.message);
        any_result_release(&r);
    }
    random_scene_release(&scene);
}

int main(void) {
    note_start("tests/prop/test_periodic_tilts");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_contacts), cmocka_unit_test(test_shifts_too_large)};
    return cmocka_run_group_tests_name("periodic_tilts", tests, make_contexts, isa_contexts_destroy);
}
