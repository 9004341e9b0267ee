/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The checks of a lattice, and of the bodies and images of a periodic box: sound ones pass, and each kind of damage
 * gets its own sentence. */
#include <math.h>

#include "kernel/periodic/images.h"
#include "kernel/periodic/load.h"
#include "kernel/periodic/validate_images.h"
#include "kernel/periodic/validate_lattice.h"
#include "kernel/scene/random.h"
#include "tests/support/check.h"

enum { BODIES = 200 };

static void check_says(const char *reason, const char *expected) {
    assert_non_null(reason);
    assert_string_equal(reason, expected);
}

/* A tilted box, one face open if so asked. */
static carom_lattice make_lattice(bool open) {
    carom_periodic box = carom_periodic_default();
    carom_lattice lattice;
    for (int a = 0; a < 3; a++) {
        box.along[a] = !(open && a == 1);
        box.edge[a][a] = 4.0 + a;
    }
    box.edge[2][0] = 21.5;
    assert_int_equal(carom_lattice_make(&box, &lattice, NULL), CAROM_OK);
    assert_null(carom_lattice_validate(&lattice));
    return lattice;
}

static void damage_lattice(carom_lattice *lattice, double *value, double damaged, const char *expected) {
    const double whole = *value;
    *value = damaged;
    check_says(carom_lattice_validate(lattice), expected);
    *value = whole;
    assert_null(carom_lattice_validate(lattice));
}

static void test_lattice(void **state) {
    (void)state;
    for (int open = 0; open < 2; open++) {
        carom_lattice l = make_lattice(open != 0);
        damage_lattice(&l, &l.edge[0][0], l.edge[0][0] * (1 + 1e-6),
                       "an edge of the basis is not the sum of its multiples of the caller's edges");
        damage_lattice(&l, &l.multiple[1][0], l.multiple[1][0] + 1,
                       "an edge of the basis is not the sum of its multiples of the caller's edges");
        damage_lattice(&l, &l.multiple[1][0], 0.5, "a multiple of the caller's edges is not a whole number");
        damage_lattice(&l, &l.dual[1][0], l.dual[1][0] + 1e-6, "the dual times the basis is not the identity");
        damage_lattice(&l, &l.dual[2][1], NAN, "the dual of the basis is not finite");
        damage_lattice(&l, &l.caller[0][1], INFINITY, "an edge is not finite");
        damage_lattice(&l, &l.shortest, 0, "the shortest lattice vector has no normal length");
        l.dimensions = 4;
        check_says(carom_lattice_validate(&l), "a lattice has one to three dimensions");
    }
}

static void test_edge_order(void **state) {
    (void)state;
    carom_lattice l = make_lattice(false);
    for (int j = 0; j < 3; j++) {
        const double edge = l.edge[0][j];
        const double multiple = l.multiple[0][j];
        l.edge[0][j] = l.edge[2][j];
        l.edge[2][j] = edge;
        l.multiple[0][j] = l.multiple[2][j];
        l.multiple[2][j] = multiple;
    }
    check_says(carom_lattice_validate(&l), "the edges of the basis are not in order of length");
}

typedef struct fixture {
    carom_context *context;
    double field[7][BODIES];
    carom_images images;
    carom_image *image; /* the same as images.image, to be written */
    double *prev_x;     /* likewise images.bodies.prev[0] */
} fixture;

static int make_images(void **state) {
    static fixture f;
    carom_random random = carom_random_seeded(1);
    for (int n = 0; n < BODIES; n++) {
        for (int a = 0; a < 3; a++) {
            f.field[a][n] = 40 * carom_random_u01(&random) - 20;
            f.field[a + 3][n] = f.field[a][n] + carom_random_u01(&random);
        }
        f.field[6][n] = 0.3;
    }
    const carom_bodies_f64 bodies = {.count = BODIES,
                                     .prev = {f.field[0], f.field[1], f.field[2]},
                                     .curr = {f.field[3], f.field[4], f.field[5]},
                                     .radius = f.field[6]};
    const carom_image_source source = {.bodies = &bodies, .count = BODIES, .load = carom_load_bodies_f64, .load_one = carom_load_body_f64};
    uint64_t required = 0;
    assert_int_equal(carom_context_create(NULL, &f.context, NULL), CAROM_OK);
    f.images.lattice = make_lattice(false);
    assert_int_equal(carom_images_make(f.context, &source, &f.images, &required, NULL), CAROM_OK);
    f.image = carom_context_work(f.context, CAROM_WORK_IMAGE);
    f.prev_x = carom_context_work(f.context, CAROM_WORK_IMAGE_FIELDS);
    *state = &f;
    return 0;
}

static int destroy_images(void **state) {
    carom_context_destroy(((fixture *)*state)->context);
    return 0;
}

static void test_sound(void **state) {
    const fixture *f = *state;
    assert_true(f->images.count > 10);
    assert_null(carom_images_validate(&f->images));
}

static void test_owners(void **state) {
    fixture *f = *state;
    const carom_image whole = f->image[5];
    f->image[5].owner = BODIES;
    check_says(carom_images_validate(&f->images), "an image has an owner that does not exist");
    f->image[5].owner = whole.owner + 1;
    check_says(carom_images_validate(&f->images), "an image is not its owner displaced by its shift");
    assert_true(f->image[4].owner > 0);
    f->image[5].owner = 0;
    check_says(carom_images_validate(&f->images), "images are not in order of their owners");
    f->image[5] = whole;
}

static void test_shifts(void **state) {
    fixture *f = *state;
    const carom_image whole = f->image[5];
    f->image[5].shift[1] = f->images.most[1] + 1;
    check_says(carom_images_validate(&f->images), "an image is shifted by more than the greatest shift");
    f->image[5] = (carom_image){whole.owner, {0, 0, 0}};
    check_says(carom_images_validate(&f->images), "an image is not shifted");
    f->image[5] = whole;
}

static void test_values(void **state) {
    fixture *f = *state;
    double *prev = f->prev_x;
    const uint32_t owner = f->image[5].owner;
    const double whole = prev[owner];
    prev[owner] += 1e-9;
    check_says(carom_images_validate(&f->images), "an image is not its owner displaced by its shift");
    prev[owner] = NAN;
    check_says(carom_images_validate(&f->images), "a value of a body or an image is not a number");
    prev[owner] = whole;
    f->images.bodies.count++;
    check_says(carom_images_validate(&f->images), "the bodies are not the owned ones and the images");
    f->images.bodies.count--;
    int32_t(*wrap)[3] = carom_context_work(f->context, CAROM_WORK_IMAGE_WRAP);
    const int32_t own = wrap[9][2];
    wrap[9][2] = -1000000001;
    check_says(carom_images_validate(&f->images), "a body was too many cells from the origin");
    wrap[9][2] = own;
    assert_null(carom_images_validate(&f->images));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lattice), cmocka_unit_test(test_edge_order),
                                       cmocka_unit_test(test_sound),   cmocka_unit_test(test_owners),
                                       cmocka_unit_test(test_shifts),  cmocka_unit_test(test_values)};
    return cmocka_run_group_tests_name("validate_periodic", tests, make_images, destroy_images);
}
