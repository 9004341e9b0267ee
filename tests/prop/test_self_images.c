/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Periodic boxes with self images: cutoffs of 0.1 to 5 box widths in small boxes of every shape, held against every
 * image of every pair, at rest and in motion; what filters make of a body and its own image; lists that a molecular
 * dynamics program reads; and what is refused. Guards that each body and image within reach is found, exactly once. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/brute_force.h"
#include "tests/support/check.h"
#include "tests/support/isa_contexts.h"
#include "tests/support/note.h"
#include "tests/support/periodic_case.h"

enum { CASES = 420, FILTER_CASES = 100, BODIES_MOST = 24 };

static int make_contexts(void **state) {
    static const uint32_t threads[] = {1, 3};
    (void)state;
    return isa_contexts_make(threads, sizeof threads / sizeof threads[0]);
}

/* Few bodies where each has many images: a row for every pair and image is looked at. */
static uint64_t choose_count(carom_random *random, double cutoff, double motion) {
    const double reach = cutoff + motion;
    const double most = BODIES_MOST / (1 + reach * reach);
    return 1 + periodic_case_below(random, most > 1 ? (uint32_t)most : 1);
}

/* Cutoffs of 0.1 to 5 widths of the box, which may be larger than the bodies reach or smaller. */
static periodic_case choose_case(carom_random *random, uint64_t number) {
    periodic_case r = {.box = carom_periodic_default()};
    const uint32_t along = 1 + (uint32_t)(number % 7);
    const double size = (double[]){0.5, 1, 4, 8}[periodic_case_below(random, 4)];
    const double cutoff = 0.1 + 4.9 * carom_random_u01(random) * carom_random_u01(random);
    const double motion = (double[]){0, 0, 0.25, 1}[periodic_case_below(random, 4)];
    periodic_case_edges(random, (uint32_t)(number / 7 % PERIODIC_TILTS), size, r.box.edge);
    for (int a = 0; a < 3; a++) {
        r.box.along[a] = (along >> a & 1) != 0;
    }
    r.box.self_images = true;
    r.radius = 0.5 * cutoff * periodic_shortest(&r.box);
    r.motion = motion * size;
    r.away = (int32_t[]){0, 1, 20}[periodic_case_below(random, 3)];
    r.count = choose_count(random, cutoff, motion);
    return r;
}

typedef struct made_case {
    periodic_case r;
    random_scene scene;
    int32_t (*wrap)[3];
    periodic_truth known;
} made_case;

/* Half of the cases have bodies of one size, as atoms with a cutoff. */
static void make_case(made_case *m, uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    m->r = choose_case(&random, number);
    m->scene = random_scene_blank(m->r.count);
    m->wrap = calloc(m->r.count, sizeof *m->wrap);
    periodic_case_place(&random, &m->r, &m->scene, m->wrap);
    for (uint64_t n = 0; n < m->r.count && number % 2 == 0; n++) {
        m->scene.field[6][n] = floor(m->r.radius * 32) / 32;
    }
    m->known = periodic_truth_of(&m->scene.bodies, (const int32_t(*)[3])m->wrap, &m->r.box);
}

static void release_case(made_case *m) {
    periodic_truth_release(&m->known);
    random_scene_release(&m->scene);
    free(m->wrap);
}

static uint64_t self_pairs(const periodic_truth *known) {
    uint64_t pairs = 0;
    for (uint64_t n = 0; n < known->count; n++) {
        pairs += known->row[n].i == known->row[n].k && known->row[n].touches;
    }
    return pairs;
}

/* Pairs of bodies with their own images that the cases had. */
static uint64_t run_case(uint64_t number) {
    made_case m;
    make_case(&m, number);
    const uint64_t chosen = number % isa_context_count;
    const uint64_t other = (number / 7 + 1) % isa_context_count;
    for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
        note_case(number, "%" PRIu64 " bodies, %d%d%d periodic, radius %g, motion %g, %" PRIu64 " rows, %s, %s",
                  m.r.count, m.r.box.along[0], m.r.box.along[1], m.r.box.along[2], m.r.radius, m.r.motion,
                  m.known.count, any_precision_name(p), carom_context_isa(isa_contexts[chosen]));
        periodic_case_check(&m.known, p, isa_contexts[chosen], isa_contexts[other]);
        if (number % 4 == 0) {
            periodic_case_check_sink(&m.scene.bodies, &m.r.box, p, isa_contexts[chosen], isa_contexts[other]);
        }
    }
    const uint64_t selves = self_pairs(&m.known);
    release_case(&m);
    return selves;
}

static void test_small_boxes(void **state) {
    (void)state;
    uint64_t selves = 0;
    for (uint64_t number = 0; number < note_cases(CASES); number++) {
        if (note_only_case() == UINT64_MAX || note_only_case() == number) {
            selves += run_case(number);
        }
    }
    note_check(note_only_case() != UINT64_MAX || selves > note_cases(CASES), "only %" PRIu64 " self images", selves);
}

/* Values of a filter; the lists name the body itself, or another one, or nothing. */
typedef struct filter_data {
    carom_filter filter;
    uint32_t word[3][BODIES_MOST + 1];
    uint8_t fixed[BODIES_MOST + 1];
    uint64_t offset[BODIES_MOST + 2];
    uint32_t excluded[BODIES_MOST + 1];
} filter_data;

static bool accepts(void *user, uint32_t i, uint32_t k) {
    (void)user;
    return i <= k && (i * 5 + k) % 4 != 2;
}

/* One part of the filter, or the first three. */
enum { EXCLUSIONS = 3 };

static void fill_filter(filter_data *f, uint64_t count, uint64_t number, carom_random *random) {
    const uint32_t part = (uint32_t)(number % 6);
    f->filter = carom_filter_default();
    f->offset[0] = 0;
    for (uint64_t n = 0; n < count; n++) {
        f->word[0][n] = 1U << periodic_case_below(random, 2);
        f->word[1][n] = 1 + periodic_case_below(random, 3);
        f->word[2][n] = periodic_case_below(random, 3);
        f->fixed[n] = periodic_case_below(random, 2) != 0;
        f->excluded[f->offset[n]] = (uint32_t)(periodic_case_below(random, 2) != 0 ? n : (n + 1) % count);
        f->offset[n + 1] = f->offset[n] + periodic_case_below(random, 2);
    }
    f->filter.category = part == 0 || part == 5 ? f->word[0] : NULL;
    f->filter.mask = part == 0 || part == 5 ? f->word[1] : NULL;
    f->filter.group = part == 1 || part == 5 ? f->word[2] : NULL;
    f->filter.fixed = part == 2 || part == 5 ? f->fixed : NULL;
    f->filter.exclusion_offset = part == EXCLUSIONS ? f->offset : NULL;
    f->filter.excluded = part == EXCLUSIONS ? f->excluded : NULL;
    f->filter.accepts = part == 4 ? accepts : NULL;
}

/* The filtered call's rows are those of the unfiltered one that pass: i and k both are the body of a self image. Counts
 * the self images that are dropped, and those that a list would exclude if they were of another body. */
static void check_filtered(const any_result *all, const any_result *some, const carom_filter *filter, uint64_t *dropped,
                           uint64_t *named) {
    uint64_t kept = 0;
    for (uint64_t n = 0; n < all->pair_count; n++) {
        const uint32_t i = all->i[n];
        const bool self = i == all->k[n];
        *named += self && filter->exclusion_offset != NULL &&
                  filter->exclusion_offset[i] < filter->exclusion_offset[i + 1] &&
                  filter->excluded[filter->exclusion_offset[i]] == i;
        if (!brute_force_passes(filter, i, all->k[n])) {
            *dropped += self;
            continue;
        }
        bool same = kept < some->pair_count && all->i[n] == some->i[kept] && all->k[n] == some->k[kept];
        for (int a = 0; a < 3 && same; a++) {
            same = all->shift[a][n] == some->shift[a][kept];
        }
        note_check(same, "row %" PRIu64 " is missing", n);
        kept++;
    }
    note_check(kept == some->pair_count, "%" PRIu64 " rows, not %" PRIu64, some->pair_count, kept);
}

static void test_filters(void **state) {
    (void)state;
    uint64_t dropped[6] = {0};
    uint64_t named = 0;
    for (uint64_t number = 0; number < FILTER_CASES; number++) {
        made_case m;
        filter_data f;
        carom_random random = carom_random_seeded(note_case_seed(number) + 1);
        make_case(&m, 2 * number); /* bodies of one size */
        fill_filter(&f, m.r.count, number, &random);
        carom_context *context = isa_contexts[number % isa_context_count];
        for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
            note_case(number, "a filter, %" PRIu64 " bodies, %s", m.r.count, any_precision_name(p));
            carom_detect_config config = any_config_full();
            config.periodic = &m.r.box;
            any_result all = any_detect(context, p, &m.scene.bodies, &config);
            config.filter = &f.filter;
            any_result some = any_detect(context, p, &m.scene.bodies, &config);
            note_check(some.status == CAROM_OK, "%s", some.error.message);
            check_filtered(&all, &some, &f.filter, &dropped[number % 6], &named);
            any_result_release(&all);
            any_result_release(&some);
        }
        release_case(&m);
    }
    for (int part = 0; part < 6; part++) {
        note_check((dropped[part] > 0) == (part != EXCLUSIONS), "part %d drops %" PRIu64 " self images", part,
                   dropped[part]);
    }
    note_check(named > 0, "no list names its own body");
}

/* Their touching pairs are the same to the last bit. */
static bool same_rows(const any_result *a, const any_result *b) {
    bool same = a->pair_count == b->pair_count && a->summary.touching_hash == b->summary.touching_hash;
    for (uint64_t n = 0; n < a->pair_count && same; n++) {
        same = a->i[n] == b->i[n] && a->k[n] == b->k[n];
        for (int s = 0; s < 3; s++) {
            same = same && a->shift[s][n] == b->shift[s][n];
        }
        for (int f = 0; f < ANY_FIELDS; f++) {
            same = same && memcmp(&a->field[f][n], &b->field[f][n], sizeof(double)) == 0;
        }
    }
    return same;
}

/* Bodies that cannot touch their own images have the same rows without the flag; others are refused. */
static void test_without_the_flag(void **state) {
    (void)state;
    uint64_t compared = 0;
    for (uint64_t number = 0; number < FILTER_CASES; number++) {
        made_case m;
        make_case(&m, number);
        note_case(number, "without self images");
        carom_periodic plain = m.r.box;
        plain.self_images = false;
        carom_context *context = isa_contexts[number % isa_context_count];
        any_result with = periodic_case_detect(context, ANY_F64, &m.scene.bodies, &m.r.box, 0);
        any_result without = periodic_case_detect(context, ANY_F64, &m.scene.bodies, &plain, 0);
        note_check(with.status == CAROM_OK, "%s", with.error.message);
        if (without.status == CAROM_OK) {
            note_check(self_pairs(&m.known) == 0 && same_rows(&with, &without), "small bodies: other results");
            compared++;
        } else {
            note_check(without.status == CAROM_ERROR_BODY && strstr(without.error.message, "self_images") != NULL, "%s",
                       without.error.message);
        }
        any_result_release(&with);
        any_result_release(&without);
        release_case(&m);
    }
    note_check(compared > 5 && compared < FILTER_CASES - 20, "%" PRIu64 " cases compared", compared);
}

/* Too many images are a status that names the body and its radius, for any radius there is. */
static void test_too_many_images(void **state) {
    (void)state;
    static const double radii[] = {2000, 1e9, 1e100, 1e300, 1.7e308};
    random_scene scene = random_scene_blank(3);
    carom_periodic box = carom_periodic_default();
    box.self_images = true;
    for (int a = 0; a < 3; a++) {
        box.along[a] = true;
        box.edge[a][a] = 1;
    }
    for (uint64_t n = 0; n < sizeof radii / sizeof radii[0]; n++) {
        for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
            if (p == ANY_F32 && radii[n] > 1e38) {
                continue;
            }
            scene.field[6][1] = radii[n];
            note_case(n, "radius %g", radii[n]);
            any_result r = periodic_case_detect(isa_contexts[0], p, &scene.bodies, &box, 0);
            note_check(r.status == CAROM_ERROR_BODY && strcmp(r.error.field, "radius") == 0, "%s: %s",
                       carom_status_name(r.status), r.error.message);
            note_check(r.error.body == 1, "body %" PRIu64, r.error.body);
            any_result_release(&r);
        }
    }
    random_scene_release(&scene);
}

int main(void) {
    note_start("tests/prop/test_self_images");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_small_boxes), cmocka_unit_test(test_filters),
                                       cmocka_unit_test(test_without_the_flag), cmocka_unit_test(test_too_many_images)};
    return cmocka_run_group_tests_name("self_images", tests, make_contexts, isa_contexts_destroy);
}
