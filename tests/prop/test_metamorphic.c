/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What must not depend on how a scene is put: the pairs, and their times, of the same scene with its bodies renumbered,
 * its axes exchanged or mirrored, moved or scaled by powers of two, run backwards, cut into two halves of the step, and
 * with bodies far away added. Nothing here knows the right answer, so nothing can be wrong about it twice.
 *
 * Scenes lie on a grid coarse enough that all of this is exact in the type, halves of steps too. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/any_detect.h"
#include "tests/support/brute_force.h"
#include "tests/support/check.h"
#include "tests/support/note.h"
#include "tests/support/random_scene.h"

/* Where rounding may differ (exchanged axes, the later half of a step): difference of times, times |v| over |p| + R. */
static const double TIME_TOLERANCE = 1e-6;

/* The scene's extent in steps of the grid, as a power of two. Room for moving it, and half a step below. */
enum { GRID_BITS = 20, ROUNDS = 2, LONG_ROUNDS = 40 };

typedef enum change {
    CHANGE_NUMBERS,
    CHANGE_AXES,
    CHANGE_MIRROR,
    CHANGE_BACKWARDS,
    CHANGE_PLACE,
    CHANGE_SCALE,
    CHANGE_SCALE_FAR, /* to the ends of the type's range */
    CHANGE_COMPANY,
    CHANGES
} change;

static const char *const CHANGE_NAMES[CHANGES] = {
    "renumbered", "axes exchanged", "mirrored", "backwards", "moved", "scaled", "scaled far", "bodies added far away",
};

typedef struct shape {
    random_scene_kind kind;
    uint64_t count;
} shape;

static const shape SHAPES[] = {
    {RANDOM_UNIFORM_DENSE, 2000}, {RANDOM_UNIFORM_SPARSE, 3000},
    {RANDOM_RADII, 1500},         {RANDOM_FAST, 400},
    {RANDOM_PLANE, 1500},         {RANDOM_LINE, 1000},
    {RANDOM_POINT, 300},          {RANDOM_LATTICE, 1500},
    {RANDOM_GRAZING, 500},        {RANDOM_POINTS, 600},
    {RANDOM_COPIES, 800},         {RANDOM_NEGATIVE, 2000},
    {RANDOM_HUGE, 700},           {RANDOM_TINY, 700},
    {RANDOM_REST, 1500},          {RANDOM_GIANT, 900},
    {RANDOM_TOGETHER, 900},       {RANDOM_DIAGONAL, 1200},
    {RANDOM_SLAB, 2500},          {RANDOM_CLUSTERED, 2000},
    {RANDOM_COLUMN, 5000},
};
enum { SHAPE_COUNT = sizeof SHAPES / sizeof SHAPES[0] };

typedef struct contact {
    uint32_t i;
    uint32_t k;
    double t_ca;
    double t_toi;
} contact;

/* Contacts in order of (i, k). */
typedef struct contacts {
    uint64_t count;
    contact *at;
} contacts;

/* A scene on its grid. */
typedef struct subject {
    any_precision precision;
    random_scene scene;
    int extent; /* every coordinate and radius lies below 2^extent */
    int grid;   /* and is a multiple of 2^grid, positions of twice that */
} subject;

static carom_context *context;
static uint64_t contacts_compared;

static int by_bodies(const void *a, const void *b) {
    const contact *x = a;
    const contact *y = b;
    return x->i != y->i ? (x->i < y->i ? -1 : 1) : x->k != y->k ? (x->k < y->k ? -1 : 1) : 0;
}

/* What detection finds, with bodies renamed by `order` (NULL: as they are). */
static contacts detect(any_precision precision, const random_scene *scene, const uint32_t *order) {
    carom_detect_config config = carom_detect_config_default();
    config.until = CAROM_UNTIL_APPROACH;
    any_result r = any_detect(context, precision, &scene->bodies, &config);
    note_check(r.status == CAROM_OK, "%s", r.error.message);
    contacts found = {.count = r.pair_count, .at = calloc(r.pair_count + 1, sizeof *found.at)};
    for (uint64_t n = 0; n < r.pair_count; n++) {
        uint32_t i = order == NULL ? r.i[n] : order[r.i[n]];
        uint32_t k = order == NULL ? r.k[n] : order[r.k[n]];
        found.at[n] = (contact){i < k ? i : k, i < k ? k : i, r.field[ANY_T_CA][n], r.field[ANY_T_TOI][n]};
    }
    qsort(found.at, found.count, sizeof *found.at, by_bodies);
    any_result_release(&r);
    return found;
}

static void release(contacts *c) {
    free(c->at);
    *c = (contacts){0};
}

static random_scene copy_of(const random_scene *scene, uint64_t room) {
    random_scene copy = random_scene_blank(scene->bodies.count + room);
    for (int f = 0; f < 7; f++) {
        memcpy(copy.field[f], scene->field[f], scene->bodies.count * sizeof(double));
    }
    return copy;
}

static double on_grid(double x, int grid) {
    return ldexp(nearbyint(ldexp(x, -grid)), grid);
}

static subject subject_of(shape s, any_precision precision, carom_random *random) {
    subject made = {.precision = precision, .scene = random_scene_make(s.kind, s.count, true, random)};
    double most = 0;
    for (int f = 0; f < 7; f++) {
        for (uint64_t n = 0; n < s.count; n++) {
            most = fmax(most, fabs(made.scene.field[f][n]));
        }
    }
    frexp(most, &made.extent);
    made.extent++; /* rounding may reach the next power */
    made.grid = made.extent - GRID_BITS;
    for (int f = 0; f < 7; f++) {
        for (uint64_t n = 0; n < s.count; n++) {
            made.scene.field[f][n] = on_grid(made.scene.field[f][n], made.grid + (f < 6));
        }
    }
    return made;
}

static void check_close(const subject *s, const contact *found, double t, double expected) {
    brute_contact c = brute_force_contact(&s->scene.bodies, found->i, found->k);
    double error = fabs(t - expected) * (double)c.length_v;
    note_check(error <= TIME_TOLERANCE * (double)(c.length_p + c.sum_radius), "%u and %u touch at %.9g, not %.9g",
               found->i, found->k, t, expected);
}

static void check_pairs(const contacts *plain, const contacts *other) {
    for (uint64_t n = 0; n < plain->count && n < other->count; n++) {
        const contact *x = &plain->at[n];
        const contact *y = &other->at[n];
        int order = by_bodies(x, y);
        note_check(order == 0, "%u and %u touch %s", order < 0 ? x->i : y->i, order < 0 ? x->k : y->k,
                   order < 0 ? "no longer" : "only now");
    }
    note_check(plain->count == other->count, "%" PRIu64 " pairs, then %" PRIu64, plain->count, other->count);
}

static void check_times(const subject *s, change by, const contacts *plain, const contacts *other) {
    for (uint64_t n = 0; n < plain->count && by != CHANGE_BACKWARDS; n++) {
        const contact *x = &plain->at[n];
        const contact *y = &other->at[n];
        /* Doubles beyond the range of squares have their times from exact arithmetic, others are a little early. */
        if (by == CHANGE_AXES || (by == CHANGE_SCALE_FAR && s->precision == ANY_F64)) {
            check_close(s, x, y->t_toi, x->t_toi);
            continue;
        }
        note_check(x->t_toi == y->t_toi && x->t_ca == y->t_ca, "%u and %u touch at %a, then at %a", x->i, x->k,
                   x->t_toi, y->t_toi);
    }
}

static void exchange_axes(random_scene *scene, carom_random *random) {
    uint32_t *order = random_order(3, random);
    random_scene from = *scene;
    for (int a = 0; a < 3; a++) {
        scene->field[a] = from.field[order[a]];
        scene->field[a + 3] = from.field[order[a] + 3];
    }
    random_scene turned = copy_of(scene, 0);
    free(order);
    random_scene_release(&from);
    *scene = turned;
}

static void mirror(random_scene *scene, carom_random *random) {
    int axis = (int)(carom_random_next(random) % 3);
    for (uint64_t n = 0; n < scene->bodies.count; n++) {
        scene->field[axis][n] = -scene->field[axis][n];
        scene->field[axis + 3][n] = -scene->field[axis + 3][n];
    }
}

static void run_backwards(random_scene *scene) {
    for (uint64_t n = 0; n < 3 * scene->bodies.count; n++) {
        double prev = scene->field[0][n];
        scene->field[0][n] = scene->field[3][n];
        scene->field[3][n] = prev;
    }
}

/* By whole steps of the grid, no farther than the scene is wide. */
static void move(random_scene *scene, const subject *s, carom_random *random) {
    for (int a = 0; a < 3; a++) {
        double by = on_grid(ldexp(2 * carom_random_u01(random) - 1, s->extent), s->grid + 1);
        for (uint64_t n = 0; n < scene->bodies.count; n++) {
            scene->field[a][n] += by;
            scene->field[a + 3][n] += by;
        }
    }
}

/* As far up or down as the type allows, or part of the way. */
static int draw_exponent(const subject *s, bool far, carom_random *random) {
    int most = (s->precision == ANY_F32 ? 127 : 1023) - s->extent;
    int least = (s->precision == ANY_F32 ? -149 : -1074) - s->grid;
    int limit = far ? 4000 : s->precision == ANY_F32 ? 20 : 60;
    most = most < limit ? most : limit;
    least = least > -limit ? least : -limit;
    return carom_random_next(random) % 2 == 0 ? most : least;
}

static void scale(random_scene *scene, int exponent) {
    for (uint64_t n = 0; n < 7 * scene->bodies.count; n++) {
        scene->field[0][n] = ldexp(scene->field[0][n], exponent);
    }
}

/* Copies of bodies, eight times as far away as the scene is wide, or four the other way, and half as large. */
static random_scene with_company(const subject *s, carom_random *random) {
    uint64_t count = s->scene.bodies.count;
    uint64_t more = 1 + count / 4;
    random_scene scene = copy_of(&s->scene, more);
    for (uint64_t n = count; n < count + more; n++) {
        uint64_t from = carom_random_next(random) % count;
        int axis = (int)(carom_random_next(random) % 3);
        double by = ldexp(carom_random_next(random) % 2 == 0 ? 8 : -4, s->extent);
        for (int f = 0; f < 6; f++) {
            scene.field[f][n] = on_grid(s->scene.field[f][from], s->grid + 3) + (f % 3 == axis ? by : 0);
        }
        scene.field[6][n] = on_grid(s->scene.field[6][from] / 2, s->grid);
    }
    return scene;
}

/* Pairs of the first `count` bodies; the others may only touch each other. */
static void leave_company(contacts *found, uint64_t count) {
    uint64_t kept = 0;
    for (uint64_t n = 0; n < found->count; n++) {
        const contact *c = &found->at[n];
        note_check((c->i < count) == (c->k < count), "%u touches %u, which is far away", c->i, c->k);
        if (c->i < count) {
            found->at[kept++] = *c;
        }
    }
    found->count = kept;
}

static random_scene changed(const subject *s, change by, const uint32_t *order, carom_random *random) {
    if (by == CHANGE_NUMBERS) {
        return random_scene_permuted(&s->scene, order);
    }
    if (by == CHANGE_COMPANY) {
        return with_company(s, random);
    }
    random_scene scene = copy_of(&s->scene, 0);
    if (by == CHANGE_AXES) {
        exchange_axes(&scene, random);
    } else if (by == CHANGE_MIRROR) {
        mirror(&scene, random);
    } else if (by == CHANGE_BACKWARDS) {
        run_backwards(&scene);
    } else if (by == CHANGE_PLACE) {
        move(&scene, s, random);
    } else {
        scale(&scene, draw_exponent(s, by == CHANGE_SCALE_FAR, random));
    }
    return scene;
}

static void check_change(const subject *s, change by, const contacts *plain, carom_random *random) {
    uint64_t count = s->scene.bodies.count;
    uint32_t *order = random_order(count, random);
    random_scene scene = changed(s, by, order, random);
    contacts other = detect(s->precision, &scene, by == CHANGE_NUMBERS ? order : NULL);
    if (by == CHANGE_COMPANY) {
        leave_company(&other, count);
    }
    check_pairs(plain, &other);
    check_times(s, by, plain, &other);
    contacts_compared += plain->count;
    release(&other);
    random_scene_release(&scene);
    free(order);
}

static random_scene half_of(const subject *s, bool second) {
    random_scene half = copy_of(&s->scene, 0);
    for (int a = 0; a < 3; a++) {
        for (uint64_t n = 0; n < s->scene.bodies.count; n++) {
            half.field[second ? a : a + 3][n] = (s->scene.field[a][n] + s->scene.field[a + 3][n]) / 2;
        }
    }
    return half;
}

static const contact *find(const contacts *in, const contact *what) {
    return bsearch(what, in->at, in->count, sizeof *what, by_bodies);
}

/* A pair touches in the step iff it does in one of its halves, and at the time that the first of them says. */
static void check_halves(const subject *s, const contacts *plain) {
    contacts half[2];
    for (int n = 0; n < 2; n++) {
        random_scene scene = half_of(s, n == 1);
        half[n] = detect(s->precision, &scene, NULL);
        random_scene_release(&scene);
        for (uint64_t c = 0; c < half[n].count; c++) {
            const contact *found = &half[n].at[c];
            note_check(find(plain, found) != NULL, "%u and %u touch in half %d only", found->i, found->k, n);
        }
    }
    for (uint64_t n = 0; n < plain->count; n++) {
        const contact *whole = &plain->at[n];
        const contact *first = find(&half[0], whole);
        const contact *second = find(&half[1], whole);
        note_check(first != NULL || second != NULL, "%u and %u touch in neither half", whole->i, whole->k);
        if (first != NULL) {
            check_close(s, whole, whole->t_toi, first->t_toi / 2);
        } else {
            check_close(s, whole, whole->t_toi, 0.5 + second->t_toi / 2);
        }
    }
    release(&half[0]);
    release(&half[1]);
}

static void run_case(uint64_t number, any_precision precision) {
    shape s = SHAPES[number % SHAPE_COUNT];
    const char *kind = random_scene_name(s.kind);
    const char *type = any_precision_name(precision);
    carom_random random = carom_random_seeded(note_case_seed(number));
    subject made = subject_of(s, precision, &random);
    note_case(number, "%s, %" PRIu64 " bodies, %s", kind, s.count, type);
    contacts plain = detect(precision, &made.scene, NULL);
    note_check(plain.count > 0, "no pairs: the test is empty");
    for (change by = CHANGE_NUMBERS; by < CHANGES; by++) {
        note_case(number, "%s, %" PRIu64 " bodies, %s, %s", kind, s.count, type, CHANGE_NAMES[by]);
        check_change(&made, by, &plain, &random);
    }
    note_case(number, "%s, %" PRIu64 " bodies, %s, halves", kind, s.count, type);
    check_halves(&made, &plain);
    release(&plain);
    random_scene_release(&made.scene);
}

static void test_changes(void **state) {
    any_precision precision = (any_precision)(uintptr_t)*state;
    uint64_t rounds = note_long() ? LONG_ROUNDS : ROUNDS;
    context = any_context(1, NULL);
    for (uint64_t number = 0; number < rounds * SHAPE_COUNT; number++) {
        if (note_only_case() == UINT64_MAX || note_only_case() == number) {
            run_case(number, precision);
        }
    }
    carom_context_destroy(context);
    printf("# %" PRIu64 " contacts compared with those of changed scenes\n", contacts_compared);
}

int main(void) {
    note_start("tests/prop/test_metamorphic");
    const struct CMUnitTest tests[] = {
        {.name = "f32", .test_func = test_changes, .initial_state = (void *)(uintptr_t)ANY_F32},
        {.name = "f64", .test_func = test_changes, .initial_state = (void *)(uintptr_t)ANY_F64},
    };
    return cmocka_run_group_tests_name("metamorphic", tests, NULL, NULL);
}
