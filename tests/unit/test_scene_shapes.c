/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Shapes of the standard scenes: the same bits everywhere, as kernel/scene/README.md defines them; shapes that the
 * library takes and that lie within the spheres of their bodies; rotations and spins in their ranges. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/scene/shapes.h"

enum { BODIES = 3000 };

/* Rounding of quaternions to float, and of a hull's vertices to multiples of their scale. */
static const double SLACK = 1e-6;

/* A scene and its shapes. */
typedef struct both {
    carom_scene_f32 scene;
    carom_scene_shapes shapes;
} both;

static both make(carom_scene_kind kind, char letter, uint64_t count, uint64_t seed) {
    both made;
    assert_int_equal(carom_scene_make(letter, count, seed, &made.scene), CAROM_OK);
    assert_int_equal(carom_scene_shapes_make(kind, letter, seed, &made.scene, &made.shapes), CAROM_OK);
    assert_int_equal(made.shapes.count, count);
    return made;
}

static void release(both *made) {
    carom_scene_shapes_release(&made->shapes);
    carom_scene_release(&made->scene);
}

static uint64_t mix(uint64_t hash, const void *bytes, size_t size) {
    uint64_t word = 0;
    memcpy(&word, bytes, size);
    return (hash ^ word) * UINT64_C(0x100000001B3);
}

static uint64_t mix_reals(uint64_t hash, const double *reals, uint64_t count) {
    for (uint64_t n = 0; n < count; ++n) {
        hash = mix(hash, &reals[n], sizeof *reals);
    }
    return hash;
}

/* FNV-1a over words. */
static uint64_t hash_shape(uint64_t hash, const carom_shape *shape) {
    const uint64_t kind = shape->kind;
    hash = mix(hash, &kind, sizeof kind);
    hash = mix_reals(hash, &shape->radius, 1);
    hash = mix_reals(hash, shape->extent, 3);
    for (uint64_t n = 0; n < shape->point_count; ++n) {
        hash = mix_reals(hash, shape->point[n], 3);
    }
    for (uint64_t n = 0; n < shape->child_count; ++n) {
        hash = mix(hash, &shape->child[n].shape, sizeof(uint32_t));
        hash = mix_reals(hash, shape->child[n].at, 3);
        hash = mix_reals(hash, shape->child[n].turn, 4);
    }
    return hash;
}

static uint64_t hash_words(const carom_scene_shapes *shapes) {
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (uint64_t n = 0; n < shapes->shape_count; ++n) {
        hash = hash_shape(hash, &shapes->shape[n]);
    }
    for (uint64_t body = 0; body < shapes->count; ++body) {
        hash = mix(hash, &shapes->of[body], sizeof(uint32_t));
        for (int d = 0; d < 7; ++d) {
            hash = mix(hash, d < 4 ? &shapes->turn[d][body] : &shapes->spin[d - 4][body], sizeof(float));
        }
    }
    return hash;
}

static void words_are_those_of_the_definition(void **state) {
    static const struct {
        carom_scene_kind kind;
        char letter;
        uint64_t hash;
    } known[] = {
        {CAROM_SCENE_BOXES, 'u', UINT64_C(0xAF585CF46C77D169)},
        {CAROM_SCENE_CAPSULES, 'd', UINT64_C(0x7FFE95DF2EEF2974)},
        {CAROM_SCENE_HULLS, 'c', UINT64_C(0x596F47AF65BEB0C0)},
        {CAROM_SCENE_MIXED, 'u', UINT64_C(0x37C5530E4EFDFCAF)},
        {CAROM_SCENE_MIXED, 'p', UINT64_C(0x4CE317BBC23D45FC)},
    };
    (void)state;
    for (size_t n = 0; n < sizeof known / sizeof *known; ++n) {
        both made = make(known[n].kind, known[n].letter, BODIES, 1);
        const uint64_t hash = hash_words(&made.shapes);
        release(&made);
        if (hash != known[n].hash) {
            fail_msg("%s in scene %c at N = %d, seed 1: hash 0x%016llX instead of 0x%016llX",
                     carom_scene_kind_name(known[n].kind), known[n].letter, BODIES, (unsigned long long)hash,
                     (unsigned long long)known[n].hash);
        }
    }
}

static void seed_letter_and_number_change_all(void **state) {
    static const struct {
        char letter;
        uint64_t count;
        uint64_t seed;
    } other[] = {{'u', 100, 2}, {'d', 100, 1}, {'u', 101, 1}};
    (void)state;
    for (int kind = 1; kind < CAROM_SCENE_KINDS; ++kind) {
        both first = make((carom_scene_kind)kind, 'u', 100, 1);
        both again = make((carom_scene_kind)kind, 'u', 100, 1);
        assert_true(hash_words(&first.shapes) == hash_words(&again.shapes));
        release(&again);
        for (size_t n = 0; n < sizeof other / sizeof *other; ++n) {
            both second = make((carom_scene_kind)kind, other[n].letter, other[n].count, other[n].seed);
            assert_true(first.shapes.turn[0][0] != second.shapes.turn[0][0]);
            assert_true(first.shapes.spin[0][0] != second.shapes.spin[0][0]);
            release(&second);
        }
        release(&first);
    }
}

static double length_of(float *const *array, int count, uint64_t body) {
    double square = 0;
    for (int d = 0; d < count; ++d) {
        square += (double)array[d][body] * (double)array[d][body];
    }
    return sqrt(square);
}

/* Sums over all bodies of one scene. */
typedef struct sums {
    double reach; /* of a body's shape in units of its radius; the greatest */
    double least; /* the least */
    double spin;  /* the longest */
} sums;

static void check_body(const both *made, const carom_shapes *table, uint64_t body, sums *s) {
    carom_shape_facts facts;
    const uint32_t of = made->shapes.of[body];
    assert_true(of < made->shapes.shape_count);
    assert_int_equal(carom_shapes_facts(table, of, &facts, NULL), CAROM_OK);
    const double reach = facts.reach / (double)made->scene.radius[body];
    s->reach = fmax(s->reach, reach);
    s->least = fmin(s->least, reach);
    assert_int_equal(facts.dimensions, 3);
    assert_true(fabs(length_of(made->shapes.turn, 4, body) - 1) < SLACK);
    s->spin = fmax(s->spin, length_of(made->shapes.spin, 3, body));
}

static void shapes_lie_within_their_spheres(void **state) {
    (void)state;
    for (int kind = 1; kind < CAROM_SCENE_KINDS; ++kind) {
        for (const char *letter = carom_scene_letters(); *letter != '\0'; ++letter) {
            both made = make((carom_scene_kind)kind, *letter, BODIES, 5);
            carom_shapes *table;
            carom_error error = {.message = ""};
            sums s = {.least = 1};
            if (carom_shapes_create(made.shapes.shape, made.shapes.shape_count, NULL, &table, &error) != CAROM_OK) {
                fail_msg("%s in scene %c: %s", carom_scene_kind_name((carom_scene_kind)kind), *letter, error.message);
            }
            for (uint64_t body = 0; body < BODIES; ++body) {
                check_body(&made, table, body, &s);
            }
            assert_true(s.reach <= 1 + SLACK && s.reach > 0.99);
            /* Half a sphere's radius, and a class below. */
            assert_true(s.least > 0.4);
            assert_true(s.spin <= 0.5 + SLACK && s.spin > 0.49);
            carom_shapes_destroy(table);
            release(&made);
        }
    }
}

static void mixed_scenes_have_every_finite_kind(void **state) {
    (void)state;
    both made = make(CAROM_SCENE_MIXED, 'u', BODIES, 1);
    uint64_t count[CAROM_SHAPE_COMPOUND + 1] = {0};
    for (uint64_t body = 0; body < BODIES; ++body) {
        count[made.shapes.shape[made.shapes.of[body]].kind]++;
    }
    for (int kind = 0; kind <= CAROM_SHAPE_COMPOUND; ++kind) {
        const bool endless = kind == CAROM_SHAPE_HALF_SPACE || kind == CAROM_SHAPE_LINE;
        assert_true(endless ? count[kind] == 0 : count[kind] > BODIES / 10 && count[kind] < BODIES / 6);
    }
    release(&made);
}

static void wrong_arguments_are_refused(void **state) {
    static const carom_scene_shapes zero;
    carom_scene_f32 scene;
    carom_scene_shapes shapes;
    (void)state;
    assert_int_equal(carom_scene_make('u', 10, 1, &scene), CAROM_OK);
    assert_int_equal(carom_scene_shapes_make(CAROM_SCENE_BOXES, 'u', 1, &scene, NULL), CAROM_ERROR_ARGUMENT);
    memset(&shapes, 0xFF, sizeof shapes);
    assert_int_equal(carom_scene_shapes_make(CAROM_SCENE_BOXES, 'u', 1, NULL, &shapes), CAROM_ERROR_ARGUMENT);
    assert_memory_equal(&shapes, &zero, sizeof zero);
    assert_int_equal(carom_scene_shapes_make(CAROM_SCENE_SPHERES, 'u', 1, &scene, &shapes), CAROM_ERROR_ARGUMENT);
    assert_int_equal(carom_scene_shapes_make(CAROM_SCENE_KINDS, 'u', 1, &scene, &shapes), CAROM_ERROR_ARGUMENT);
    assert_memory_equal(&shapes, &zero, sizeof zero);
    carom_scene_shapes_release(&shapes);
    carom_scene_shapes_release(NULL);
    carom_scene_release(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_those_of_the_definition), cmocka_unit_test(seed_letter_and_number_change_all),
        cmocka_unit_test(shapes_lie_within_their_spheres),   cmocka_unit_test(mixed_scenes_have_every_finite_kind),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
