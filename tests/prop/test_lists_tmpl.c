/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Neighbour lists against those of a detection, which other tests hold against brute force: random scenes of every kind
 * at rest and in motion, radii and cutoffs, full and half lists, filters, every instruction set and number of threads.
 * Filters are held against brute force, too. Guards that both ways to make lists give the same, that all is refused
 * that should be, and that warm calls ask for no memory. Compiled once for each precision. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/lists.h"
#include "simd/precision.h"
#include "tests/support/any_detect.h"
#include "tests/support/brute_force.h"
#include "tests/support/check.h"
#include "tests/support/fault_allocator.h"
#include "tests/support/isa_contexts.h"
#include "tests/support/note.h"
#include "tests/support/random_filter.h"
#include "tests/support/random_scene.h"

enum {
    CASES = 700,
    BOX_CASES = 1500,
    BODIES_MOST = 400,
    LARGE = 10000,
    LARGE_CASES = 8,
    REQUESTS_MOST = 60,
    NARROW_CASES = 32,
    NARROW_BODIES = 1000
};

typedef CAROM_REAL(carom_detection) detection;
#define DETECT CAROM_REAL(carom_detect)
#define LISTS CAROM_REAL(carom_lists)

static const any_precision PRECISION = CAROM_REAL_BITS == 32 ? ANY_F32 : ANY_F64;

static uint64_t all_entries;
static uint64_t all_by_cells;
static uint64_t in_boxes_by_cells[2][2][2]; /* at rest, in motion; in open space, in a periodic box; with a filter */
static uint64_t parts_by_cells[RANDOM_FILTER_PARTS];

static int make_contexts(void **state) {
    static const uint32_t threads[] = {1, 2, 5};
    (void)state;
    return isa_contexts_make(threads, sizeof threads / sizeof threads[0]);
}

static carom_bodies bodies_of(const any_bodies *all) {
#if CAROM_REAL_BITS == 32
    return all->f32;
#else
    return all->f64;
#endif
}

/* The shift of a row of a detection as entry e of body b's list has it. Of a body and its own image the first entry is
 * the one and the second the other. */
static void shift_of(const detection *found, uint64_t b, uint64_t e, int32_t shift[3]) {
    const uint64_t *pair = found->neighbours.pair;
    const bool second = e > found->neighbours.offset[b] && pair[e - 1] == pair[e];
    const int32_t sign = found->contacts.i[pair[e]] == b && !second ? 1 : -1;
    for (int a = 0; a < 3; a++) {
        shift[a] = sign * found->contacts.shift[a][pair[e]];
    }
}

/* How many entries of b's list name the neighbour of entry e with this shift; in a detection or in lists. */
static uint32_t count_alike(const carom_lists *lists, const detection *found, uint64_t b, uint64_t e,
                            const int32_t shift[3]) {
    uint32_t alike = 0;
    for (uint64_t n = lists->offset[b]; n < lists->offset[b + 1]; n++) {
        int32_t other[3];
        if (found != NULL) {
            shift_of(found, b, n, other);
        }
        for (int a = 0; a < 3 && found == NULL; a++) {
            other[a] = lists->shift[a][n];
        }
        alike += lists->body[n] == lists->body[e] && memcmp(shift, other, sizeof other) == 0;
    }
    return alike;
}

/* Entries of one neighbour are in no particular order. */
static void check_shifts(const carom_lists *lists, const detection *found, uint64_t bodies) {
    for (uint64_t b = 0; b < bodies; b++) {
        for (uint64_t e = lists->offset[b]; e < lists->offset[b + 1]; e++) {
            int32_t shift[3];
            shift_of(found, b, e, shift);
            note_check(count_alike(lists, NULL, b, e, shift) == count_alike(lists, found, b, e, shift),
                       "body %" PRIu64 ", shifts of %" PRIu32, b, lists->body[e]);
        }
    }
}

typedef struct pair_row {
    uint32_t i;
    uint32_t k;
    int32_t shift[3];
} pair_row;

static int compare_rows(const void *a, const void *b) {
    const pair_row *left = a;
    const pair_row *right = b;
    if (left->i != right->i || left->k != right->k) {
        return left->i < right->i || (left->i == right->i && left->k < right->k) ? -1 : 1;
    }
    return memcmp(left->shift, right->shift, sizeof left->shift);
}

static pair_row *sorted_rows(const uint32_t *i, const uint32_t *k, const int32_t *const shift[3], uint64_t count) {
    pair_row *row = calloc(count + 1, sizeof *row);
    for (uint64_t n = 0; n < count; n++) {
        row[n].i = i[n];
        row[n].k = k[n];
        for (int a = 0; a < 3 && shift[0] != NULL; a++) {
            row[n].shift[a] = shift[a][n];
        }
    }
    qsort(row, count, sizeof *row, compare_rows);
    return row;
}

/* A line that ends, and says first who made the lists. */
static void check_reason(const carom_lists *lists) {
    const char *by = lists->by_cells ? "cells: " : "detection: ";
    note_check(memchr(lists->reason, '\0', sizeof lists->reason) != NULL && strchr(lists->reason, '\n') == NULL,
               "reason is no line");
    note_check(strncmp(lists->reason, by, strlen(by)) == 0, "by cells %d: %s", lists->by_cells, lists->reason);
}

static uint64_t all_pairs;
static uint64_t all_pairs_by_cells;

/* Pairs must be the rows of the detection, and in the same order for another context. */
static void check_pairs(carom_context *context, carom_context *other, const carom_bodies *bodies,
                        const carom_list_config *config, const detection *found) {
    carom_list_config pairs = *config;
    carom_lists lists = {0};
    carom_error error;
    pairs.pairs = true;
    const carom_status status = LISTS(context, bodies, &pairs, &lists, &error);
    note_check(status == CAROM_OK && lists.count == found->pair_count,
               "%s: %" PRIu64 " pairs, not %" PRIu64 ", by cells %d", error.message, lists.count, found->pair_count,
               lists.by_cells);
    note_check(lists.offset == NULL && lists.body == NULL, "pairs with lists");
    check_reason(&lists);
    note_check((lists.i == NULL) == (pairs.count_only || lists.count == 0), "pairs are there or not");
    all_pairs += lists.count;
    all_pairs_by_cells += lists.by_cells;
    if (lists.i == NULL) {
        return;
    }
    const int32_t *const shift[3] = {found->contacts.shift[0], found->contacts.shift[1], found->contacts.shift[2]};
    pair_row *wanted = sorted_rows(found->contacts.i, found->contacts.k, shift, lists.count);
    pair_row *got = sorted_rows(lists.i, lists.k, lists.shift, lists.count);
    note_check(memcmp(wanted, got, lists.count * sizeof *got) == 0, "other pairs, by cells %d", lists.by_cells);
    free(wanted);
    free(got);
    carom_context *const third = context == other ? isa_contexts[0] : other;
    carom_lists again = {0};
    uint32_t *copy = malloc((2 * lists.count + 1) * sizeof *copy);
    memcpy(copy, lists.i, lists.count * sizeof *copy);
    memcpy(copy + lists.count, lists.k, lists.count * sizeof *copy);
    note_check(LISTS(third, bodies, &pairs, &again, &error) == CAROM_OK && again.count == lists.count, "once more: %s",
               error.message);
    note_check(!again.by_cells || (memcmp(copy, again.i, again.count * sizeof *copy) == 0 &&
                                   memcmp(copy + again.count, again.k, again.count * sizeof *copy) == 0),
               "another order");
    free(copy);
}

/* Of the rows of a detection without the filter, those that pass by the rule as it is stated must be `found`. */
static void check_filtered(carom_context *context, const carom_bodies *bodies, const carom_detect_config *filtered,
                           const detection *found) {
    const int32_t *const shift[3] = {found->contacts.shift[0], found->contacts.shift[1], found->contacts.shift[2]};
    pair_row *got = sorted_rows(found->contacts.i, found->contacts.k, shift, found->pair_count);
    const uint64_t count = found->pair_count;
    carom_detect_config config = *filtered;
    detection all = {.size = sizeof all};
    config.filter = NULL;
    note_check(DETECT(context, bodies, &config, NULL, &all, NULL) == CAROM_OK, "a detection without the filter fails");
    const int32_t *const shifts[3] = {all.contacts.shift[0], all.contacts.shift[1], all.contacts.shift[2]};
    pair_row *wanted = sorted_rows(all.contacts.i, all.contacts.k, shifts, all.pair_count);
    uint64_t passing = 0;
    for (uint64_t n = 0; n < all.pair_count; n++) {
        if (brute_force_passes(filtered->filter, wanted[n].i, wanted[n].k)) {
            wanted[passing++] = wanted[n];
        }
    }
    note_check(passing == count, "%" PRIu64 " pairs pass, not %" PRIu64, passing, count);
    note_check(memcmp(wanted, got, count * sizeof *got) == 0, "other pairs pass");
    free(wanted);
    free(got);
}

/* What the lists must be. The detection has a context of its own, whose arrays stay. */
static void check_lists(carom_context *context, carom_context *other, const carom_bodies *bodies,
                        const carom_list_config *config) {
    carom_detect_config whole = carom_detect_config_default();
    carom_bodies cut = *bodies;
    carom_lists lists = {0};
    detection found = {.size = sizeof found};
    carom_error error;
    whole.until = CAROM_UNTIL_APPROACH;
    whole.neighbours = config->neighbours;
    whole.filter = config->filter;
    whole.periodic = config->periodic;
    if (config->cutoff > 0.0) {
        cut.radius = NULL;
        cut.common_radius = (carom_real)0.5 * (carom_real)config->cutoff;
    }
    const carom_status status = LISTS(context, bodies, config, &lists, &error);
    carom_error same;
    const carom_status detected = DETECT(other, &cut, &whole, NULL, &found, &same);
    note_check(status == detected, "lists: %s; detection: %s", error.message, same.message);
    if (status != CAROM_OK) {
        note_check(config->periodic != NULL && strcmp(error.message, same.message) == 0 && lists.offset == NULL,
                   "lists: %s; detection: %s", error.message, same.message);
        note_check(lists.reason[0] == '\0', "a reason for no lists: %s", lists.reason);
        return;
    }
    check_reason(&lists);
    all_by_cells += lists.by_cells;
    all_entries += lists.count;
    if (bodies->count == 0) {
        note_check(lists.count == 0 && lists.offset == NULL && lists.body == NULL, "lists without bodies");
        return;
    }
    const carom_neighbours *n = &found.neighbours;
    note_check(lists.count == n->offset[bodies->count] &&
                   memcmp(lists.offset, n->offset, (bodies->count + 1) * sizeof *n->offset) == 0,
               "%" PRIu64 " entries, not %" PRIu64 ", by cells %d", lists.count, n->offset[bodies->count],
               lists.by_cells);
    note_check((lists.body == NULL) == (config->count_only || lists.count == 0), "bodies are there or not");
    note_check(lists.body == NULL || memcmp(lists.body, n->body, lists.count * sizeof *n->body) == 0,
               "other neighbours, by cells %d", lists.by_cells);
    if (lists.shift[0] != NULL) {
        check_shifts(&lists, &found, bodies->count);
    }
    whole.neighbours = CAROM_NEIGHBOURS_NONE;
    note_check(DETECT(other, &cut, &whole, NULL, &found, &error) == CAROM_OK, "a detection fails: %s", error.message);
    check_pairs(context, context, bodies, config, &found);
    if (config->filter != NULL) {
        check_filtered(other, &cut, &whole, &found);
    }
}

static carom_list_config draw_config(const random_scene *scene, carom_random *random) {
    carom_list_config config = carom_list_config_default();
    const uint64_t drawn = carom_random_next(random);
    config.neighbours = drawn % 2 == 0 ? CAROM_NEIGHBOURS_HALF : CAROM_NEIGHBOURS_FULL;
    config.count_only = drawn / 2 % 8 == 0;
    if (drawn / 16 % 3 == 0 && scene->bodies.count > 1) {
        const uint64_t i = drawn / 64 % scene->bodies.count;
        const double by = fabs(scene->field[0][i] - scene->field[0][0]);
        config.cutoff = by > 0.0 && by < 1e30 ? by : 1.0; /* often the distance of two bodies exactly */
    }
    return config;
}

static void run_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const random_scene_kind kind = (random_scene_kind)(number % RANDOM_KINDS);
    const uint64_t count = carom_random_next(&random) % BODIES_MOST;
    random_scene scene = random_scene_make(kind, count, CAROM_REAL_BITS == 32, &random);
    any_bodies all = any_bodies_make(PRECISION, &scene.bodies);
    carom_bodies bodies = bodies_of(&all);
    carom_list_config config = draw_config(&scene, &random);
    const bool moves = number % 5 == 4;
    random_filter f = random_filter_make(random_filter_parts(number, &random), count, &random);
    config.filter = number % 3 == 1 ? &f.filter : NULL;
    carom_context *context = isa_contexts[number % isa_context_count];
    carom_context *other = isa_contexts[(number + 1) % isa_context_count];
    for (int a = 0; a < 3 && !moves; a++) {
        bodies.curr[a] = NULL;
    }
    note_case(number, "%s, %" PRIu64 " bodies, cutoff %g, %s, %u threads", random_scene_name(kind), count,
              config.cutoff, carom_context_isa(context), carom_context_threads(context));
    check_lists(context, other, &bodies, &config);
    random_filter_release(&f);
    any_bodies_release(&all);
    random_scene_release(&scene);
}

static void test_random_scenes(void **state) {
    (void)state;
    all_entries = 0;
    all_by_cells = 0;
    note_each_case(CASES, run_case);
    note_check(note_only_case() != UINT64_MAX || note_short() || (all_entries > 100000 && all_by_cells > CASES / 6),
               "%" PRIu64 " entries, %" PRIu64 " by cells: the test is empty", all_entries, all_by_cells);
}

/* Random bodies at rest in a cube, `near` neighbours each; radii differ by up to `spread`. */
static random_scene make_cube(uint64_t count, double near, double spread, carom_random *random) {
    random_scene scene = random_scene_blank(count);
    const double side = cbrt((double)count);
    const double radius = 0.5 * cbrt(near * 0.238732);
    for (uint64_t n = 0; n < count; n++) {
        for (int a = 0; a < 3; a++) {
            scene.field[a][n] = (float)(side * (carom_random_u01(random) - 0.5));
            scene.field[a + 3][n] = scene.field[a][n];
        }
        scene.field[6][n] = (float)(radius * (1.0 + spread * (2.0 * carom_random_u01(random) - 1.0)));
    }
    return scene;
}

/* Some bodies are points: floats cannot tell that one does not touch itself. */
static void make_points(random_scene *scene) {
    for (uint64_t n = 7; n < scene->bodies.count; n += 32) {
        scene->field[6][n] = 0.0F;
    }
}

/* Bodies move by up to `share` of the mean radius along each axis. */
static void set_in_motion(random_scene *scene, double share, carom_random *random) {
    for (uint64_t n = 0; n < scene->bodies.count; n++) {
        for (int a = 0; a < 3; a++) {
            const double by = share * scene->field[6][0] * (2.0 * carom_random_u01(random) - 1.0);
            scene->field[a + 3][n] = (float)(scene->field[a][n] + by);
        }
    }
}

/* Many neighbours, and rows longer than the network takes. */
static void run_large(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    static const double near[] = {30.0, 0.5, 110.0, 400.0};
    const uint64_t count = number % 4 == 3 ? 2000 : LARGE;
    random_scene scene = make_cube(count, near[number % 4], number < 4 ? 0.0 : 0.5, &random);
    scene.field[6][count - 1] *= number < 4 ? 1.0F : 1.5F; /* the greatest radius is the last */
    if (number >= 4) {
        make_points(&scene);
    }
    any_bodies all = any_bodies_make(PRECISION, &scene.bodies);
    carom_bodies bodies = bodies_of(&all);
    carom_list_config config = carom_list_config_default();
    random_filter f = random_filter_make(RANDOM_FILTER_ALL & ~RANDOM_FILTER_EXCLUDED, count, &random);
    note_case(number, "large, %g neighbours", near[number % 4]);
    for (int a = 0; a < 3; a++) {
        bodies.curr[a] = NULL;
    }
    all_by_cells = 0;
    for (uint64_t c = 0; c < isa_context_count; c++) {
        config.neighbours = c % 2 == 0 ? CAROM_NEIGHBOURS_FULL : CAROM_NEIGHBOURS_HALF;
        config.filter = c % 4 == 3 ? &f.filter : NULL;
        check_lists(isa_contexts[c], isa_contexts[c == 0 ? 1 : 0], &bodies, &config);
    }
    random_filter_release(&f);
    note_check(all_by_cells == (near[number % 4] > 1.0 ? isa_context_count : 0), "%" PRIu64 " by cells", all_by_cells);
    any_bodies_release(&all);
    random_scene_release(&scene);
}

static void test_large_scenes(void **state) {
    (void)state;
    note_each_case(LARGE_CASES, run_large);
}

/* A lattice whose neighbours touch exactly, the nearest ones or those two edges apart, where cells pay; some move by a
 * quarter of an edge. So decisions are close. */
static void set_on_lattice(random_scene *scene, carom_random *random) {
    const uint64_t side = (uint64_t)cbrt((double)scene->bodies.count) + 1;
    const double radius = carom_random_next(random) % 2 == 0 ? 0.5 : 1.0;
    for (uint64_t n = 0; n < scene->bodies.count; n++) {
        const uint64_t at[3] = {n % side, n / side % side, n / side / side};
        for (int a = 0; a < 3; a++) {
            const double way = carom_random_next(random) % 4 == 0 ? 0.25 : 0.0;
            scene->field[a][n] = (float)at[a];
            scene->field[a + 3][n] = (float)((double)at[a] + way);
        }
        scene->field[6][n] = (float)(carom_random_next(random) % 8 == 0 ? 0.5 * radius : radius);
    }
}

/* A box around a cube of bodies, or one a bit narrower, tilted or not, open along some axes or none. */
static carom_periodic draw_box(double side, carom_random *random) {
    carom_periodic box = carom_periodic_default();
    const uint64_t drawn = carom_random_next(random);
    for (int a = 0; a < 3; a++) {
        box.along[a] = drawn % 8 == 0 || (drawn >> a & 1) != 0;
        box.edge[a][a] = drawn / 8 % 4 == 0 ? side * (0.4 + carom_random_u01(random)) : side;
        for (int b = 0; b < a && drawn / 32 % 2 == 0; b++) {
            box.edge[a][b] = side * (2.0 * carom_random_u01(random) - 1.0) * (drawn / 64 % 4 == 0 ? 3.0 : 0.5);
        }
    }
    box.along[0] = box.along[0] || !(box.along[1] || box.along[2]);
    box.self_images = drawn / 256 % 3 == 0;
    return box;
}

/* Some bodies start many boxes away. */
static void scatter(random_scene *scene, const carom_periodic *box, carom_random *random) {
    for (uint64_t n = 0; n < scene->bodies.count; n++) {
        const double number = (double)(carom_random_next(random) % 7) - 3.0;
        const uint64_t edge = carom_random_next(random) % 3;
        for (int a = 0; a < 3 && box->along[edge]; a++) {
            scene->field[a][n] = (float)(scene->field[a][n] + number * box->edge[edge][a]);
            scene->field[a + 3][n] = (float)(scene->field[a + 3][n] + number * box->edge[edge][a]);
        }
    }
}

static void count_by_cells(bool moves, const carom_list_config *config, int parts) {
    in_boxes_by_cells[moves][config->periodic != NULL][config->filter != NULL] += all_by_cells;
    for (int p = 0; p < RANDOM_FILTER_PARTS && config->filter != NULL; p++) {
        parts_by_cells[p] += (parts >> p & 1) != 0 ? all_by_cells : 0;
    }
}

/* Bodies in motion, in periodic boxes, and both, with filters. */
static void run_in_box(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const uint64_t count = 20 + carom_random_next(&random) % (number % 8 == 0 ? 3000 : 300);
    const double near = 10.0 + 60.0 * carom_random_u01(&random);
    const uint64_t before = random_filter_wrong_questions();
    const uint64_t drawn = carom_random_next(&random);
    random_scene scene = make_cube(count, near, drawn % 2 == 0 ? 0.0 : 0.5, &random);
    double side = cbrt((double)count);
    if (drawn / 65536 % 4 == 0) {
        make_points(&scene);
    }
    if (drawn / 2 % 3 != 0) {
        set_in_motion(&scene, drawn / 2 % 3 == 1 ? 0.1 : 1.0, &random);
    }
    if (drawn / 8 % 4 == 0) {
        set_on_lattice(&scene, &random);
        side = (double)((uint64_t)side + 1);
    }
    const carom_periodic box = draw_box(side, &random);
    carom_list_config config = carom_list_config_default();
    config.neighbours = drawn / 32 % 2 == 0 ? CAROM_NEIGHBOURS_HALF : CAROM_NEIGHBOURS_FULL;
    config.periodic = drawn / 64 % 2 != 0 ? &box : NULL;
    config.count_only = drawn / 256 % 8 == 0;
    config.cutoff = drawn / 2048 % 4 == 0 ? 1.0 : 0.0;
    const int parts = random_filter_parts(number, &random);
    random_filter f = random_filter_make(parts, count, &random);
    config.filter = drawn / 32768 % 2 != 0 ? &f.filter : NULL;
    if (drawn / 8192 % 3 == 0) {
        scatter(&scene, &box, &random);
    }
    any_bodies all = any_bodies_make(PRECISION, &scene.bodies);
    carom_bodies bodies = bodies_of(&all);
    const bool moves = drawn / 2 % 3 != 0;
    for (int a = 0; a < 3 && !moves; a++) {
        bodies.curr[a] = NULL;
    }
    note_case(number, "%" PRIu64 " bodies, %s box, %s, filter parts %d", count, config.periodic != NULL ? "a" : "no",
              moves ? "in motion" : "at rest", config.filter != NULL ? parts : 0);
    all_by_cells = 0;
    check_lists(isa_contexts[number % isa_context_count], isa_contexts[(number + 1) % isa_context_count], &bodies,
                &config);
    note_check(box.self_images || random_filter_wrong_questions() == before, "the function was asked about i >= k");
    count_by_cells(moves, &config, parts);
    random_filter_release(&f);
    any_bodies_release(&all);
    random_scene_release(&scene);
}

/* A box so narrow along an axis that bodies meet their own images across it. All are in a part of it, so that none is
 * two edges from another's neighbourhood: cells take them. */
static void run_in_narrow_box(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    random_scene scene = make_cube(NARROW_BODIES, 30.0, number % 5 == 0 ? 0.2 : 0.0, &random);
    carom_periodic box = carom_periodic_default();
    carom_list_config config = carom_list_config_default();
    random_filter f = random_filter_make(random_filter_parts(number, &random), NARROW_BODIES, &random);
    const int axis = (int)(number % 3);
    const bool moves = number / 8 % 2 != 0;
    box.along[axis] = true;
    box.edge[axis][axis] = 2.0 * scene.field[6][0] * (0.65 + 0.3 * carom_random_u01(&random));
    box.edge[(axis + 1) % 3][(axis + 1) % 3] = box.edge[(axis + 2) % 3][(axis + 2) % 3] = 1.0;
    box.self_images = true;
    for (uint64_t n = 0; n < NARROW_BODIES; n++) {
        scene.field[axis][n] = (float)(box.edge[axis][axis] * (0.4 + 0.1 * carom_random_u01(&random)));
        scene.field[axis + 3][n] = scene.field[axis][n];
    }
    if (moves) {
        set_in_motion(&scene, 0.1, &random);
    }
    config.periodic = &box;
    config.neighbours = number / 2 % 2 == 0 ? CAROM_NEIGHBOURS_HALF : CAROM_NEIGHBOURS_FULL;
    config.filter = number / 4 % 2 != 0 ? &f.filter : NULL;
    any_bodies all = any_bodies_make(PRECISION, &scene.bodies);
    carom_bodies bodies = bodies_of(&all);
    for (int a = 0; a < 3 && !moves; a++) {
        bodies.curr[a] = NULL;
    }
    note_case(number, "a box narrower than bodies, %s", moves ? "in motion" : "at rest");
    check_lists(isa_contexts[number % isa_context_count], isa_contexts[(number + 1) % isa_context_count], &bodies,
                &config);
    random_filter_release(&f);
    any_bodies_release(&all);
    random_scene_release(&scene);
}

static void test_in_narrow_boxes(void **state) {
    (void)state;
    all_by_cells = 0;
    note_each_case(NARROW_CASES, run_in_narrow_box);
    note_check(note_only_case() != UINT64_MAX || note_short() || all_by_cells > NARROW_CASES / 2,
               "%" PRIu64 " by cells", all_by_cells);
}

static void test_in_boxes(void **state) {
    (void)state;
    memset(in_boxes_by_cells, 0, sizeof in_boxes_by_cells);
    memset(parts_by_cells, 0, sizeof parts_by_cells);
    all_pairs = 0;
    all_pairs_by_cells = 0;
    note_each_case(BOX_CASES, run_in_box);
    note_check(note_only_case() != UINT64_MAX || note_short() ||
                   (all_pairs > 100000 && all_pairs_by_cells > BOX_CASES / 20),
               "%" PRIu64 " pairs, %" PRIu64 " by cells: the test is empty", all_pairs, all_pairs_by_cells);
    for (int kind = 0; kind < 8 + RANDOM_FILTER_PARTS; kind++) {
        const uint64_t by_cells =
            kind < 8 ? in_boxes_by_cells[kind / 4][kind / 2 % 2][kind % 2] : parts_by_cells[kind - 8];
        note_check(note_only_case() != UINT64_MAX || note_short() || by_cells > BOX_CASES / 300,
                   "%" PRIu64 " by cells of kind %d: the test is empty", by_cells, kind);
    }
}

/* What cells do not take goes through a detection: sparse scenes, in open space and in a periodic box, with a filter.
 */
static void run_detected(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    random_scene scene = make_cube(500, 1.0, 0.3, &random);
    any_bodies all = any_bodies_make(PRECISION, &scene.bodies);
    carom_bodies bodies = bodies_of(&all);
    carom_list_config config = carom_list_config_default();
    uint32_t group[500];
    carom_filter filter = carom_filter_default();
    carom_periodic box = carom_periodic_default();
    for (uint32_t n = 0; n < 500; n++) {
        group[n] = n / 10 % 4;
    }
    filter.group = group;
    for (int a = 0; a < 3; a++) {
        box.along[a] = true;
        box.edge[a][a] = 8.0;
    }
    config.neighbours = number % 2 == 0 ? CAROM_NEIGHBOURS_FULL : CAROM_NEIGHBOURS_HALF;
    config.filter = &filter;
    config.periodic = number % 3 != 1 ? &box : NULL;
    note_case(number, "by detection");
    carom_lists lists = {0};
    carom_error error;
    const carom_status status = LISTS(isa_contexts[0], &bodies, &config, &lists, &error);
    note_check(status == CAROM_OK && !lists.by_cells && lists.count > 50, "%s", error.message);
    note_check((lists.shift[0] != NULL) == (config.periodic != NULL), "shifts are there or not");
    check_lists(isa_contexts[number % isa_context_count], isa_contexts[(number + 1) % isa_context_count], &bodies,
                &config);
    any_bodies_release(&all);
    random_scene_release(&scene);
}

static void test_detected(void **state) {
    (void)state;
    note_each_case(12, run_detected);
}

/* A list that is wrong is refused in the same words, whoever makes the lists. */
static void test_bad_exclusions(void **state) {
    (void)state;
    carom_random random = carom_random_seeded(note_case_seed(0));
    random_scene scene = make_cube(3000, 60.0, 0.2, &random);
    any_bodies all = any_bodies_make(PRECISION, &scene.bodies);
    const carom_bodies bodies = bodies_of(&all);
    random_filter f = random_filter_make(RANDOM_FILTER_EXCLUDED, 3000, &random);
    carom_list_config config = carom_list_config_default();
    carom_lists lists = {0};
    carom_error error;
    config.filter = &f.filter;
    for (uint64_t c = 0; c < isa_context_count; c++) {
        const uint64_t first = f.offset[1000];
        f.excluded[first] = 3000;
        f.offset[1001] += f.offset[1001] == first;
        note_check(LISTS(isa_contexts[c], &bodies, &config, &lists, &error) == CAROM_ERROR_BODY && error.body == 1000,
                   "a member that is no body: %s", error.message);
        f.excluded[first] = 2999;
        f.offset[1000] += UINT64_C(1) << 60;
        note_check(LISTS(isa_contexts[c], &bodies, &config, &lists, &error) == CAROM_ERROR_BODY && error.body == 1000,
                   "a list that ends before it begins: %s", error.message);
        f.offset[1000] = first;
        note_check(LISTS(isa_contexts[c], &bodies, &config, &lists, &error) == CAROM_OK && lists.by_cells, "then: %s",
                   error.message);
    }
    for (uint64_t b = 0; b <= 3000; b++) {
        f.offset[b] = 5;
    }
    f.filter.excluded = NULL; /* no list has an entry */
    check_lists(isa_contexts[0], isa_contexts[1], &bodies, &config);
    random_filter_release(&f);
    any_bodies_release(&all);
    random_scene_release(&scene);
}

static carom_context *make_context(fault_allocator *allocator, uint64_t limit) {
    carom_context_config config = carom_context_config_default();
    config.threads = 2;
    config.bodies_per_thread = 1;
    config.memory_limit = limit;
    config.allocator = fault_allocator_get(allocator);
    carom_context *context = NULL;
    (void)carom_context_create(&config, &context, NULL);
    return context;
}

/* Each request for memory refused in turn: MEMORY, and the same call works then. Warm calls ask for nothing. */
static void check_requests(const carom_bodies *bodies, const carom_list_config *config, uint64_t least) {
    uint64_t n = 1;
    for (bool reached = true; reached && n < REQUESTS_MOST; n++) {
        fault_allocator allocator;
        fault_allocator_init(&allocator);
        fault_allocator_fail(&allocator, n, false);
        carom_context *context = make_context(&allocator, 0);
        carom_lists lists = {0};
        carom_error error;
        if (context != NULL) {
            const carom_status status = LISTS(context, bodies, config, &lists, &error);
            reached = allocator.requests >= n;
            note_check(reached ? status == CAROM_ERROR_MEMORY && lists.required_bytes > 0 && lists.offset == NULL
                               : status == CAROM_OK,
                       "request %" PRIu64 ": %s", n, carom_status_name(status));
            note_check(!reached || (lists.i == NULL && lists.shift[0] == NULL), "results of a call that failed");
            fault_allocator_fail(&allocator, 0, false);
            note_check(LISTS(context, bodies, config, &lists, &error) == CAROM_OK && lists.by_cells, "then: %s",
                       error.message);
            const uint64_t requests = allocator.requests;
            note_check(LISTS(context, bodies, config, &lists, &error) == CAROM_OK && allocator.requests == requests,
                       "a warm call asks for memory");
            carom_context_destroy(context);
        }
        note_check(allocator.live_blocks == 0 && allocator.damages == 0, "leak or damage");
    }
    note_check(n > least && n < REQUESTS_MOST, "%" PRIu64 " requests", n);
}

static void test_memory(void **state) {
    (void)state;
    carom_random random = carom_random_seeded(note_case_seed(0));
    random_scene scene = make_cube(3000, 60.0, 0.2, &random);
    set_in_motion(&scene, 0.1, &random);
    any_bodies all = any_bodies_make(PRECISION, &scene.bodies);
    carom_periodic box = carom_periodic_default();
    for (int a = 0; a < 3; a++) {
        box.along[a] = true;
        box.edge[a][a] = cbrt(3000.0);
    }
    random_filter f = random_filter_make(RANDOM_FILTER_ALL, 3000, &random);
    for (int kind = 0; kind < 16; kind++) {
        if (kind % 8 == 7) {
            continue; /* pairs of moving bodies in a periodic box: a detection makes them sooner */
        }
        carom_bodies bodies = bodies_of(&all);
        carom_list_config config = carom_list_config_default();
        for (int a = 0; a < 3 && kind % 2 == 0; a++) {
            bodies.curr[a] = NULL;
        }
        config.periodic = kind / 2 % 2 == 0 ? NULL : &box;
        config.pairs = kind / 4 % 2 != 0;
        config.filter = kind >= 8 ? &f.filter : NULL;
        note_case((uint64_t)kind, "memory");
        check_requests(&bodies, &config, config.periodic != NULL ? 16 : 10);
    }
    random_filter_release(&f);
    any_bodies_release(&all);
    random_scene_release(&scene);
}

/* A body and its own images: of s and -s half a list and pairs have the one whose first number that is not 0 is
 * positive, as a detection does. */
static void test_own_images(void **state) {
    static const carom_real x[3] = {0, 0, 0};
    (void)state;
    carom_periodic box = carom_periodic_default();
    carom_list_config config = carom_list_config_default();
    const carom_bodies bodies = {
        .size = sizeof bodies, .count = 1, .prev = {&x[0], &x[1], &x[2]}, .common_radius = (carom_real)1.5};
    box.self_images = true;
    config.neighbours = CAROM_NEIGHBOURS_HALF;
    config.periodic = &box;
    uint64_t by_cells = 0;
    for (int axes = 1; axes < 8; axes++) {
        for (int a = 0; a < 3; a++) {
            box.along[a] = (axes >> a & 1) != 0;
            box.edge[a][a] = 2.0;
        }
        carom_lists lists = {0};
        carom_error error;
        assert_int_equal(LISTS(isa_contexts[0], &bodies, &config, &lists, &error), CAROM_OK);
        by_cells += lists.by_cells;
        for (uint64_t n = 0; n < lists.count; n++) {
            const int32_t s[3] = {lists.shift[0][n], lists.shift[1][n], lists.shift[2][n]};
            note_check((s[0] != 0   ? s[0]
                        : s[1] != 0 ? s[1]
                                    : s[2]) > 0,
                       "axes %d: shift %d, %d, %d", axes, s[0], s[1], s[2]);
        }
    }
    note_check(by_cells > 0, "none by cells: the test is empty");
}

/* Bodies just before faces of a box, beside them, and so many edges away that rounding moves some of them across. */
static void test_far_faces(void **state) {
    enum { COUNT = 2000 };
    static carom_real x[3][COUNT];
    (void)state;
    carom_random random = carom_random_seeded(note_case_seed(0));
    carom_periodic box = carom_periodic_default();
    for (int a = 0; a < 3; a++) {
        box.along[a] = true;
        box.edge[a][a] = 12.3 + 0.1 * a;
    }
    const carom_bodies bodies = {
        .size = sizeof bodies, .count = COUNT, .prev = {x[0], x[1], x[2]}, .common_radius = (carom_real)0.9};
    all_by_cells = 0;
    for (uint64_t edges = 1; edges < UINT64_C(1) << 28; edges <<= 9) {
        for (int n = 0; n < 3 * COUNT; n++) {
            const double edge = box.edge[n % 3][n % 3];
            const bool at_face = carom_random_next(&random) % 8 == 0;
            const uint64_t away = carom_random_next(&random) % 2 == 0 ? 1 : edges + carom_random_next(&random) % edges;
            const carom_real face = (carom_real)((double)away * edge);
            const double before =
                sizeof face == sizeof(float) ? (double)nextafterf((float)face, 0.0F) : nextafter((double)face, 0.0);
            x[n % 3][n / 3] = (carom_real)(at_face ? before : edge * carom_random_u01(&random));
        }
        note_case(0, "faces up to %" PRIu64 " edges away", 2 * edges);
        for (int full = 0; full < 2; full++) {
            carom_list_config config = carom_list_config_default();
            config.periodic = &box;
            config.neighbours = full != 0 ? CAROM_NEIGHBOURS_FULL : CAROM_NEIGHBOURS_HALF;
            check_lists(isa_contexts[0], isa_contexts[1], &bodies, &config);
        }
    }
    note_check(all_by_cells > 0, "none by cells: the test is empty");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_scenes),   cmocka_unit_test(test_large_scenes), cmocka_unit_test(test_in_boxes),
        cmocka_unit_test(test_in_narrow_boxes), cmocka_unit_test(test_detected),     cmocka_unit_test(test_memory),
        cmocka_unit_test(test_bad_exclusions),  cmocka_unit_test(test_far_faces),    cmocka_unit_test(test_own_images),
    };
    note_start("test_lists");
    return cmocka_run_group_tests(tests, make_contexts, isa_contexts_destroy);
}
