/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A scene cut into regions by the recipe of carom/filter.h, one call for each region, all in one process. Guards that
 * part bits let every touching pair be found in exactly one region: counts, hashes, contact rows to the bit and groups
 * add up to those of one call for the whole scene. Many borders are laid exactly through corners of boxes. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/scene/random.h"
#include "kernel/scene/scene.h"
#include "kernel/sys/mix.h"
#include "tests/support/any_detect.h"
#include "tests/support/check.h"
#include "tests/support/isa_contexts.h"
#include "tests/support/note.h"
#include "tests/support/random_scene.h"

enum { REGIONS_MOST = 64, BODIES = 12000, BODIES_SHORT = 1500, SMALL_CASES = 200, SMALL_BODIES = 120 };
enum { FIELDS = 7, NESTED = 90000 };

static const uint32_t THREADS[] = {1, 3};
enum { THREAD_COUNTS = sizeof THREADS / sizeof THREADS[0] };

static int make_contexts(void **state) {
    (void)state;
    return isa_contexts_make(THREADS, THREAD_COUNTS);
}

/* From and with lo, up to but without hi. Infinite where there is no border. */
typedef struct region {
    float lo[3];
    float hi[3];
} region;

typedef struct regions {
    uint32_t count;
    region at[REGIONS_MOST];
} regions;

/* A contact row with the bodies' numbers in the whole scene. */
typedef struct row {
    uint32_t i;
    uint32_t k;
    double field[ANY_FIELDS];
} row;

/* What the regions found together. */
typedef struct sums {
    uint64_t box_pairs;
    uint64_t touching_pairs;
    uint64_t touching_hash;
    uint64_t neighbours;
    uint64_t rows;
    row *row;
    uint32_t *parent; /* union-find over the bodies of the scene */
} sums;

static void *allocate(uint64_t count, uint64_t size) {
    void *memory = calloc(count + 1, size);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

/* A coordinate to cut at: mostly a corner of some body's box, else the middle between two of them. */
static float choose_border(const any_result *boxes, int axis, carom_random *random) {
    const uint64_t n = carom_random_next(random) % boxes->bodies;
    const uint64_t m = carom_random_next(random) % boxes->bodies;
    switch (carom_random_next(random) % 3) {
    case 0:
        return boxes->box[axis][n];
    case 1:
        return boxes->box[axis + 3][n];
    default:
        return 0.5F * boxes->box[axis][n] + 0.5F * boxes->box[axis + 3][m];
    }
}

/* Cuts a random region in two, if the border lies in it. */
static void cut_region(regions *all, const any_result *boxes, carom_random *random) {
    region *low = &all->at[carom_random_next(random) % all->count];
    const int axis = (int)(carom_random_next(random) % 3);
    const float border = choose_border(boxes, axis, random);
    if (border > low->lo[axis] && border < low->hi[axis]) {
        region *high = &all->at[all->count++];
        *high = *low;
        high->lo[axis] = border;
        low->hi[axis] = border;
    }
}

/* At most `wanted` of them: a scene of bodies at one place cannot be cut often. */
static void cut_space(regions *all, uint32_t wanted, const any_result *boxes, carom_random *random) {
    all->count = 1;
    all->at[0] = (region){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    for (uint32_t tries = 0; all->count < wanted && tries < 20 * wanted; tries++) {
        cut_region(all, boxes, random);
    }
}

static bool reaches_into(const any_result *boxes, uint64_t n, const region *r) {
    bool reaches = true;
    for (int a = 0; a < 3; a++) {
        reaches = reaches && boxes->box[a + 3][n] >= r->lo[a] && boxes->box[a][n] < r->hi[a];
    }
    return reaches;
}

static uint8_t part_of(const any_result *boxes, uint64_t n, const region *r) {
    uint8_t part = 0;
    for (int a = 0; a < 3; a++) {
        part |= (uint8_t)((boxes->box[a][n] < r->lo[a]) << a);
    }
    return part;
}

/* The copies in one region. */
typedef struct share {
    uint64_t count;
    uint32_t *body; /* number in the scene, ascending */
    uint8_t *part;
    double *field[FIELDS];
    carom_bodies_f64 bodies;
} share;

static share share_make(const carom_bodies_f64 *scene, const any_result *boxes, const region *r) {
    share s = {.body = allocate(scene->count, sizeof *s.body), .part = allocate(scene->count, 1)};
    for (uint64_t n = 0; n < scene->count; n++) {
        if (reaches_into(boxes, n, r)) {
            s.part[s.count] = part_of(boxes, n, r);
            s.body[s.count++] = (uint32_t)n;
        }
    }
    s.bodies.count = s.count;
    for (int f = 0; f < FIELDS; f++) {
        const double *from = f < 3 ? scene->prev[f] : f < 6 ? scene->curr[f - 3] : scene->radius;
        s.field[f] = allocate(s.count, sizeof(double));
        for (uint64_t n = 0; n < s.count; n++) {
            s.field[f][n] = from[s.body[n]];
        }
    }
    for (int a = 0; a < 3; a++) {
        s.bodies.prev[a] = s.field[a];
        s.bodies.curr[a] = s.field[a + 3];
    }
    s.bodies.radius = s.field[6];
    return s;
}

static void share_release(share *s) {
    for (int f = 0; f < FIELDS; f++) {
        free(s->field[f]);
    }
    free(s->body);
    free(s->part);
}

static uint32_t root_of(uint32_t *parent, uint32_t body) {
    while (parent[body] != body) {
        parent[body] = parent[parent[body]];
        body = parent[body];
    }
    return body;
}

/* The lower body becomes the root, which makes it the label. */
static void unite(uint32_t *parent, uint32_t a, uint32_t b) {
    a = root_of(parent, a);
    b = root_of(parent, b);
    parent[a > b ? a : b] = a > b ? b : a;
}

static uint64_t hash_of(uint64_t i, uint64_t k) {
    return carom_mix64((i << 32 | k) + UINT64_C(0x9E3779B97F4A7C15));
}

static void add_rows(sums *all, const share *s, const any_result *found) {
    uint64_t own_hash = 0;
    all->row = realloc(all->row, (all->rows + found->pair_count + 1) * sizeof *all->row);
    if (all->row == NULL) {
        abort();
    }
    for (uint64_t n = 0; n < found->pair_count; n++) {
        row *r = &all->row[all->rows++];
        *r = (row){.i = s->body[found->i[n]], .k = s->body[found->k[n]]};
        for (int f = 0; f < ANY_FIELDS; f++) {
            r->field[f] = found->field[f][n];
        }
        all->touching_hash += hash_of(r->i, r->k);
        own_hash += hash_of(found->i[n], found->k[n]);
    }
    note_check(own_hash == found->summary.touching_hash, "a region's hash is not that of its rows");
}

/* One call for one region. */
static void add_region(sums *all, carom_context *context, any_precision precision, const carom_bodies_f64 *scene,
                       const any_result *boxes, const region *r) {
    share s = share_make(scene, boxes, r);
    carom_filter filter = carom_filter_default();
    carom_detect_config config = any_config_full();
    filter.part = s.part;
    config.filter = &filter;
    config.neighbours = CAROM_NEIGHBOURS_FULL;
    any_result found = any_detect(context, precision, &s.bodies, &config);
    note_check(found.status == CAROM_OK, "%s", found.error.message);
    all->box_pairs += found.summary.box_pairs;
    all->touching_pairs += found.summary.touching_pairs;
    all->neighbours += s.count > 0 ? found.neighbour_offset[s.count] : 0;
    add_rows(all, &s, &found);
    for (uint64_t n = 0; n < s.count; n++) {
        unite(all->parent, s.body[n], s.body[found.label[n]]);
    }
    any_result_release(&found);
    share_release(&s);
}

static int by_bodies(const void *a, const void *b) {
    const row *x = a;
    const row *y = b;
    return x->i != y->i ? (x->i < y->i ? -1 : 1) : x->k != y->k ? (x->k < y->k ? -1 : 1) : 0;
}

static void check_rows(const sums *all, const any_result *whole) {
    qsort(all->row, all->rows, sizeof *all->row, by_bodies);
    for (uint64_t n = 0; n < all->rows; n++) {
        const row *r = &all->row[n];
        note_check(r->i == whole->i[n] && r->k == whole->k[n], "the regions have (%u, %u), the scene (%u, %u)", r->i,
                   r->k, whole->i[n], whole->k[n]);
        for (int f = 0; f < ANY_FIELDS; f++) {
            note_check(memcmp(&r->field[f], &whole->field[f][n], sizeof(double)) == 0,
                       "(%u, %u): field %d is %a, not %a", r->i, r->k, f, r->field[f], whole->field[f][n]);
        }
    }
}

/* In double, boxes are rounded relative to the centre of the call's own bodies: there only touching pairs add up. */
static void check_sums(const sums *all, any_precision precision, const any_result *whole) {
    note_check(all->touching_pairs == whole->summary.touching_pairs, "%" PRIu64 " touching pairs, not %" PRIu64,
               all->touching_pairs, whole->summary.touching_pairs);
    note_check(precision != ANY_F32 || all->box_pairs == whole->summary.box_pairs,
               "%" PRIu64 " box pairs, not %" PRIu64, all->box_pairs, whole->summary.box_pairs);
    note_check(all->rows == whole->pair_count && all->neighbours == 2 * whole->pair_count, "%" PRIu64 " rows",
               all->rows);
    note_check(all->touching_hash == whole->summary.touching_hash, "another touching_hash");
    check_rows(all, whole);
    for (uint32_t n = 0; n < whole->bodies; n++) {
        note_check(root_of(all->parent, n) == whole->label[n], "body %u has label %u, not %u", n,
                   root_of(all->parent, n), whole->label[n]);
    }
}

/* The whole scene, then its regions. Returns how many there were. */
static uint32_t check_regions(carom_context *context, any_precision precision, const carom_bodies_f64 *scene,
                              uint32_t wanted, carom_random *random) {
    regions space;
    carom_detect_config config = any_config_full();
    any_result whole = any_detect(context, precision, scene, &config);
    config.until = CAROM_UNTIL_BOUNDS;
    any_result boxes = any_detect(context, precision, scene, &config);
    note_check(whole.status == CAROM_OK && boxes.status == CAROM_OK, "%s%s", whole.error.message, boxes.error.message);
    cut_space(&space, wanted, &boxes, random);
    sums all = {.parent = allocate(scene->count, sizeof *all.parent)};
    for (uint32_t n = 0; n < scene->count; n++) {
        all.parent[n] = n;
    }
    for (uint32_t n = 0; n < space.count; n++) {
        add_region(&all, context, precision, scene, &boxes, &space.at[n]);
    }
    check_sums(&all, precision, &whole);
    free(all.parent);
    free(all.row);
    any_result_release(&boxes);
    any_result_release(&whole);
    return space.count;
}

/* The standard scene in double. For f64 no coordinate is left a float: noise of 2^-30 is added. */
static carom_bodies_f64 scene_in_double(char letter, any_precision precision, carom_random *random, double *field) {
    carom_scene_f32 scene;
    const uint64_t count = note_short() ? BODIES_SHORT : BODIES;
    assert_int_equal(carom_scene_make(letter, count, carom_random_next(random), &scene), CAROM_OK);
    const carom_bodies_f32 from = carom_scene_bodies(&scene);
    carom_bodies_f64 bodies = {.count = count, .radius = field + 6 * count};
    for (uint64_t f = 0; f < FIELDS; f++) {
        const float *values = f < 3 ? from.prev[f] : f < 6 ? from.curr[f - 3] : from.radius;
        for (uint64_t n = 0; n < count; n++) {
            const double noise = (double)(carom_random_next(random) % 1000) * 0x1p-40;
            field[f * count + n] = (double)values[n] + (precision == ANY_F64 ? noise : 0.0);
        }
    }
    for (uint64_t a = 0; a < 3; a++) {
        bodies.prev[a] = field + a * count;
        bodies.curr[a] = field + (a + 3) * count;
    }
    carom_scene_release(&scene);
    return bodies;
}

/* Every instruction set for one scene, the best for the others; one thread and several. */
static void test_standard_scenes(void **state) {
    (void)state;
    double *field = allocate(FIELDS * (uint64_t)BODIES, sizeof *field);
    uint64_t number = 0;
    for (const char *letter = carom_scene_letters(); *letter != '\0'; letter++) {
        const uint64_t contexts = *letter == 'u' ? isa_context_count : THREAD_COUNTS;
        for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
            for (uint64_t c = 0; c < contexts; c++, number++) {
                carom_random random = carom_random_seeded(note_case_seed(number));
                const uint32_t wanted = 2 + (uint32_t)(carom_random_next(&random) % (REGIONS_MOST - 1));
                note_case(number, "scene %c, %s, %s, %u threads, %u regions", *letter, any_precision_name(p),
                          carom_context_isa(isa_contexts[c]), carom_context_threads(isa_contexts[c]), wanted);
                const carom_bodies_f64 bodies = scene_in_double(*letter, p, &random, field);
                const uint32_t made = check_regions(isa_contexts[c], p, &bodies, wanted, &random);
                note_check(made == wanted, "only %u regions", made);
            }
        }
    }
    free(field);
}

/* Few bodies of every kind, many as large as regions, at the ends of the range of floats or all at one place. */
static void test_small_scenes(void **state) {
    (void)state;
    for (uint64_t number = 0; number < note_cases(SMALL_CASES); number++) {
        if (note_only_case() != UINT64_MAX && note_only_case() != number) {
            continue;
        }
        carom_random random = carom_random_seeded(note_case_seed(number));
        const random_scene_kind kind = (random_scene_kind)(number % RANDOM_KINDS);
        const uint64_t count = 1 + carom_random_next(&random) % SMALL_BODIES;
        const bool for_f32 = carom_random_next(&random) % 2 == 0;
        const uint32_t wanted = 2 + (uint32_t)(carom_random_next(&random) % (REGIONS_MOST - 1));
        random_scene scene = random_scene_make(kind, count, for_f32, &random);
        for (any_precision p = for_f32 ? ANY_F32 : ANY_F64; p < ANY_PRECISIONS; p++) {
            carom_context *context = isa_contexts[(number + p) % isa_context_count];
            note_case(number, "%s, %" PRIu64 " bodies, %s, %s, %u threads, %u regions", random_scene_name(kind), count,
                      any_precision_name(p), carom_context_isa(context), carom_context_threads(context), wanted);
            check_regions(context, p, &scene.bodies, wanted, &random);
        }
        random_scene_release(&scene);
    }
}

/* Bodies ever denser towards one place: cells so crowded that they are searched as scenes of their own, and cells of
 * these. */
static void test_nested_scene(void **state) {
    (void)state;
    carom_random random = carom_random_seeded(note_case_seed(0));
    random_scene scene = random_scene_blank(NESTED);
    for (uint64_t n = 0; n < NESTED; n++) {
        const double size = exp2(-0.25 * (double)(carom_random_next(&random) % 120));
        for (int a = 0; a < 3; a++) {
            scene.field[a][n] = (carom_random_u01(&random) - 0.5) * size;
            scene.field[a + 3][n] = scene.field[a][n] + (carom_random_u01(&random) - 0.5) * size * 0.02;
        }
        scene.field[6][n] = size * 0.01;
    }
    for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
        note_case((uint64_t)p, "a nested scene, %s", any_precision_name(p));
        check_regions(isa_contexts[0], p, &scene.bodies, 4, &random);
    }
    random_scene_release(&scene);
}

int main(void) {
    note_start("tests/prop/test_regions");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_standard_scenes),
        cmocka_unit_test(test_small_scenes),
        cmocka_unit_test(test_nested_scene),
    };
    return cmocka_run_group_tests_name("regions", tests, make_contexts, isa_contexts_destroy);
}
