/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Boxes of 16 bits a side inside fat boxes. Guards that they are inside, as their sides are read, wherever the fat
 * boxes are and however the numbers are rounded, and that ordinary fat boxes have one that is hardly smaller. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "kernel/coherent/inner.h"
#include "kernel/scene/random.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

enum { BODIES = 3000, CASES = 60, ARRAYS = 6 };

typedef enum fat_box_kind {
    FAT_BOXES_ORDINARY,
    FAT_BOXES_FAR,    /* from the origin, as measured by all of them together */
    FAT_BOXES_POINTS, /* with nothing between their sides */
    FAT_BOXES_STEPS,  /* sides where numbers are */
    FAT_BOXES_TINY,   /* all of them together a few thousand of the least floats */
    FAT_BOXES_HUGE,   /* nearly as large as floats are */
    FAT_BOX_KINDS
} fat_box_kind;

static const char *const names[FAT_BOX_KINDS] = {"ordinary", "far", "points", "steps", "tiny", "huge"};

typedef struct fixture {
    carom_coherent state;
    carom_coherent_index index;
    float *lo[3];
    float *hi[3];
} fixture;

static void *array_of(uint64_t bytes) {
    void *data = calloc(1, bytes);
    assert_non_null(data);
    return data;
}

static void draw_fat_box(fat_box_kind kind, carom_random *random, float *lo, float *hi) {
    const float x = (float)carom_random_u01(random);
    const float width = (float)carom_random_u01(random);
    switch (kind) {
    case FAT_BOXES_FAR:
        *lo = 1e6F + 100 * x;
        *hi = *lo + width;
        break;
    case FAT_BOXES_POINTS:
        *lo = 100 * x;
        *hi = *lo;
        break;
    case FAT_BOXES_STEPS:
        *lo = floorf(x * 65535);
        *hi = fminf(*lo + floorf(20 * width), 65535);
        break;
    case FAT_BOXES_TINY:
        *lo = floorf(40000 * x) * 0x1p-149F;
        *hi = *lo + floorf(400 * width) * 0x1p-149F;
        break;
    case FAT_BOXES_HUGE:
        *lo = (x - 0.5F) * 0x1p126F;
        *hi = *lo + width * 0x1p120F;
        break;
    default:
        *lo = 100 * x - 50;
        *hi = *lo + width;
    }
}

static void make_fixture(fixture *f, fat_box_kind kind, carom_random *random) {
    *f = (fixture){.state = {.count = BODIES, .lookahead = {.margin = (double)FLT_MAX}}};
    f->state.buffer[CAROM_COHERENT_FAT_BOXES].data =
        array_of(ARRAYS * (BODIES + CAROM_SIMD_PAD + 9 * CAROM_CACHE_LINE) * sizeof(float));
    f->state.buffer[CAROM_COHERENT_INNER].data = array_of(carom_coherent_inner_bytes(BODIES));
    f->state.buffer[CAROM_COHERENT_INDEX].data = array_of(carom_coherent_index_bytes(BODIES));
    f->index = carom_coherent_index_view(f->state.buffer[CAROM_COHERENT_INDEX].data, BODIES);
    carom_coherent_fat_boxes(&f->state, f->lo, f->hi);
    for (uint64_t n = 0; n < BODIES; n++) {
        for (int a = 0; a < 3; a++) {
            draw_fat_box(kind, random, &f->lo[a][n], &f->hi[a][n]);
        }
        carom_coherent_index_put(&f->index, n,
                                 &(carom_slot_box){.lo = {f->lo[0][n], f->lo[1][n], f->lo[2][n]},
                                                   .hi = {f->hi[0][n], f->hi[1][n], f->hi[2][n]}});
    }
    carom_coherent_index_build(&(carom_team){.workers = 1}, &f->index);
    carom_coherent_inner_start(&f->state, &f->index);
    carom_coherent_inner_fill(&f->state, 0, BODIES);
}

static void release_fixture(fixture *f) {
    free(f->state.buffer[CAROM_COHERENT_FAT_BOXES].data);
    free(f->state.buffer[CAROM_COHERENT_INNER].data);
    free(f->state.buffer[CAROM_COHERENT_INDEX].data);
}

/* Whether the body has an inner box along the axis; how much of its fat box is outside that is added to *lost, in
 * steps.
 */
static bool check_side(const fixture *f, uint64_t n, int a, double *lost) {
    const carom_inner_boxes *inner = &f->state.inner;
    const float step = inner->step[a];
    const float lo = inner->origin[a] + (float)inner->lo[a][n] * step;
    const float hi = inner->origin[a] + (float)inner->hi[a][n] * step;
    if (!(lo < hi)) {
        return false;
    }
    note_check(lo >= f->lo[a][n] && hi <= f->hi[a][n], "body %" PRIu64 ": %a .. %a is not inside %a .. %a", n,
               (double)lo, (double)hi, (double)f->lo[a][n], (double)f->hi[a][n]);
    *lost += ((double)lo - (double)f->lo[a][n] + (double)f->hi[a][n] - (double)hi) / (double)step;
    return true;
}

static uint64_t check_all(const fixture *f, double *lost) {
    uint64_t boxes = 0;
    *lost = 0;
    for (uint64_t n = 0; n < BODIES; n++) {
        for (int a = 0; a < 3; a++) {
            boxes += check_side(f, n, a, lost);
        }
    }
    return boxes;
}

static void test_sides(void **state) {
    (void)state;
    for (uint64_t number = 0; number < note_cases(CASES); number++) {
        const fat_box_kind kind = (fat_box_kind)(number % FAT_BOX_KINDS);
        carom_random random = carom_random_seeded(note_case_seed(number));
        fixture f;
        note_case(number, "%s", names[kind]);
        make_fixture(&f, kind, &random);
        note_check(f.state.has_inner, "there are none");
        double lost;
        const uint64_t boxes = check_all(&f, &lost);
        if (kind == FAT_BOXES_ORDINARY) {
            note_check(boxes > 3 * BODIES / 100 * 98, "only %" PRIu64 " sides of %d", boxes, 3 * BODIES);
            note_check(lost < 1.1 * (double)boxes, "%g steps lost a side", lost / (double)boxes / 2);
        }
        release_fixture(&f);
    }
}

/* Fat boxes grow after the steps have been chosen. */
static void test_grown(void **state) {
    (void)state;
    carom_random random = carom_random_seeded(note_case_seed(0));
    fixture f;
    note_case(0, "grown");
    make_fixture(&f, FAT_BOXES_ORDINARY, &random);
    for (uint64_t n = 0; n < BODIES; n++) {
        const int a = (int)(n % 3);
        f.lo[a][n] = n % 4 == 0 ? -INFINITY : f.lo[a][n] - 1e3F * (float)carom_random_u01(&random);
        f.hi[a][n] = n % 5 == 0 ? INFINITY : f.hi[a][n] + 1e3F * (float)carom_random_u01(&random);
        carom_coherent_inner_fill(&f.state, n, n + 1);
    }
    double lost;
    assert_true(check_all(&f, &lost) > BODIES);
    release_fixture(&f);
}

/* Steps that leave nothing of the margin, or are no numbers. */
static void test_none(void **state) {
    (void)state;
    carom_random random = carom_random_seeded(note_case_seed(0));
    fixture f;
    note_case(0, "none");
    make_fixture(&f, FAT_BOXES_ORDINARY, &random);
    f.state.lookahead.margin = (double)f.state.inner.step[0];
    carom_coherent_inner_start(&f.state, &f.index);
    assert_false(f.state.has_inner);
    f.state.lookahead.margin = INFINITY;
    const carom_box_blocks *top = &f.index.tree.level[f.index.tree.levels - 1];
    *carom_box_blocks_side(top, 0, 0) = -FLT_MAX;
    *carom_box_blocks_side(top, 0, 3) = FLT_MAX;
    carom_coherent_inner_start(&f.state, &f.index);
    assert_false(f.state.has_inner);
    release_fixture(&f);
}

int main(int argc, char **argv) {
    (void)argc;
    note_start(argv[0]);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sides), cmocka_unit_test(test_grown),
                                       cmocka_unit_test(test_none)};
    return cmocka_run_group_tests_name("inner_boxes", tests, NULL, NULL);
}
