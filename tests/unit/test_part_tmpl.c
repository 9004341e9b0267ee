/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The validator of partitioned parts, in both precisions: a part that is as it must be passes, and with one thing wrong
 * in it is refused for that reason. */
#include <string.h>

#include "kernel/detect/job/part_tmpl.h"
#include "kernel/store/context.h"
#include "tests/support/check.h"

/* Two cells of two codes each, and one for the oversized bodies. The scene has SLOTS bodies. */
enum { CELLS = 2, BITS = 1, CODES = 5, BODIES = 6, SLOTS = 40 };

typedef struct fixture {
    carom_part part;
    carom_record records[BODIES];
    uint32_t start[CODES + 1];
    uint32_t slot[BODIES];
    uint32_t earlier[BODIES];
} fixture;

/* A part of a part: `earlier` bits of two depths. */
static void fill(fixture *f) {
    static const uint32_t start[CODES + 1] = {0, 1, 1, 3, 4, BODIES};
    memset(f, 0, sizeof *f);
    memcpy(f->start, start, sizeof start);
    for (uint32_t n = 0; n < BODIES; n++) {
        f->records[n].body = BODIES - 1 - n;
        f->slot[n] = SLOTS - 1 - n;
        f->earlier[n] = n % 2 == 0 ? 0xFF : 0;
    }
    f->part = (carom_part){.depth = 2,
                           .bodies = {.count = BODIES},
                           .slot = f->slot,
                           .earlier = f->earlier,
                           .plan = {.cell_count = CELLS, .bits = BITS, .wide_code = CODES - 1, .code_count = CODES},
                           .records = f->records,
                           .start = f->start,
                           .oversized = {.first = 4, .count = 2}};
}

static void expect(const fixture *f, const char *reason) {
    const char *found = carom_part_validate(&f->part, SLOTS);
    assert_non_null(found);
    assert_string_equal(found, reason);
}

static void test_sound(void **state) {
    (void)state;
    fixture f;
    fill(&f);
    assert_null(carom_part_validate(&f.part, SLOTS));
    f.part.depth = 0;
    f.part.slot = NULL;
    f.part.earlier = NULL;
    assert_null(carom_part_validate(&f.part, BODIES));
}

static void test_shape(void **state) {
    (void)state;
    fixture f;
    fill(&f);
    f.part.depth = CAROM_PART_DEPTHS;
    expect(&f, "a part is deeper than `earlier` bits allow");
    fill(&f);
    f.part.bodies.count = SLOTS + 1;
    expect(&f, "a part has no bodies, or more than the scene has slots");
    fill(&f);
    f.part.earlier = NULL;
    expect(&f, "only the scene itself has no slots and no `earlier` bits");
    fill(&f);
    f.part.depth = 0;
    expect(&f, "only the scene itself has no slots and no `earlier` bits");
    fill(&f);
    f.part.plan.wide_code--;
    expect(&f, "the code of the oversized bodies does not follow those of the cells");
}

static void test_codes(void **state) {
    (void)state;
    fixture f;
    fill(&f);
    f.start[2] = 0;
    expect(&f, "the codes of a part are not in order");
    fill(&f);
    f.start[CODES] = BODIES + 1;
    expect(&f, "the codes of a part do not cover its records");
    fill(&f);
    f.part.oversized.first = 3;
    expect(&f, "the oversized bodies are not those with their code");
}

static void test_bodies(void **state) {
    (void)state;
    fixture f;
    fill(&f);
    f.records[3].body = BODIES;
    expect(&f, "a record is of no body of the part");
    fill(&f);
    f.slot[5] = SLOTS;
    expect(&f, "a body of a part has no slot in the scene");
    fill(&f);
    f.earlier[1] = 0x100;
    expect(&f, "a body has `earlier` bits of a part that it is not in");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound),
        cmocka_unit_test(test_shape),
        cmocka_unit_test(test_codes),
        cmocka_unit_test(test_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
