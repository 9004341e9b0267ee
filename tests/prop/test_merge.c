/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Merging of random bodies, in open space and in periodic boxes: the groups are those that detection finds, the first
 * of each keeps its handle, its place is the centre of its members where they touch, and mass, momentum and volume are
 * what they were. Guards the union of groups, its offsets and its sums; and that who touches is what one detection of
 * whole paths says, where bodies fly together or apart, for which a step looks at them in another way. */
#include <math.h>
#include <string.h>

#include <carom/carom.h>

#include "kernel/scene/random.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

enum { CASES = 400, MOST = 600, GAS_MOST = 200, ROW_MOST = 36, CROWDS = 6, CROWD_LEAST = 400 };

static carom_context *context;
static double x[3][MOST];
static double v[3][MOST];
static double radius[MOST];
static double mass[MOST];
static uint64_t user[MOST];
static carom_handle handle[MOST];
static double fastest;         /* the most that a velocity may be */
static uint32_t searches_most; /* of a step */

static void make_bodies(carom_random *random, uint32_t count, double size) {
    for (uint32_t n = 0; n < count; n++) {
        for (int a = 0; a < 3; a++) {
            x[a][n] = size * carom_random_u01(random);
            v[a][n] = carom_random_u01(random) - 0.5;
        }
        fastest = 1.0;
        radius[n] = 0.3 * carom_random_u01(random);
        mass[n] = 0.5 + carom_random_u01(random);
        user[n] = n;
    }
}

static carom_world_bodies_f64 view(uint64_t count) {
    return (carom_world_bodies_f64){.count = count,
                                    .position = {x[0], x[1], x[2]},
                                    .velocity = {v[0], v[1], v[2]},
                                    .radius = radius,
                                    .mass = mass,
                                    .user = user};
}

/* Pairs that touch, as detection finds them. */
typedef struct touch {
    double t;
    uint32_t i;
    uint32_t k;
    double point[3];
    bool met; /* by an event */
} touch;

static touch touches[64 * MOST];
static uint64_t touch_count;

static void keep_touches(const carom_detection_f64 *found) {
    touch_count = 0;
    for (uint64_t n = 0; n < found->pair_count && touch_count < sizeof touches / sizeof *touches; n++) {
        const carom_contacts_f64 *contacts = &found->contacts;
        touch *kept = &touches[touch_count];
        *kept = (touch){.t = contacts->t_toi[n],
                        .i = contacts->i[n],
                        .k = contacts->k[n],
                        .point = {contacts->point[0][n], contacts->point[1][n], contacts->point[2][n]}};
        touch_count += kept->t < 1.0 ? 1 : 0;
    }
}

/* The first body of each one's group. */
static void find_groups(uint32_t count, const carom_periodic *box, uint32_t *label) {
    static double end[3][MOST];
    carom_bodies_f64 bodies = {.count = count, .radius = radius};
    for (int a = 0; a < 3; a++) {
        for (uint32_t n = 0; n < count; n++) {
            end[a][n] = x[a][n] + v[a][n];
        }
        bodies.prev[a] = x[a];
        bodies.curr[a] = end[a];
    }
    carom_detect_config config = carom_detect_config_default();
    carom_detection_f64 found = {0};
    carom_error error = {.message = ""};
    config.periodic = box;
    note_check(carom_detect_f64(context, &bodies, &config, NULL, &found, &error) == CAROM_OK, "%s", error.message);
    memcpy(label, found.groups.label, count * sizeof *label);
    keep_touches(&found);
}

static double volume_of(uint64_t count) {
    double volume = 0.0;
    for (uint64_t n = 0; n < count; n++) {
        volume += radius[n] * radius[n] * radius[n];
    }
    return volume;
}

static bool is_close(double a, double b, double scale) {
    return fabs(a - b) <= 1e-13 * scale;
}

static void check_sums(const carom_world_totals *before, const carom_world_totals *after, bool open, uint32_t count) {
    note_check(is_close(before->mass, after->mass, before->mass), "mass %a, not %a", after->mass, before->mass);
    for (int a = 0; a < 3; a++) {
        note_check(is_close(before->momentum[a], after->momentum[a], before->mass * fastest), "momentum %a, not %a",
                   after->momentum[a], before->momentum[a]);
        const double moved = before->centre[a] + before->momentum[a] / before->mass;
        note_check(!open || is_close(moved, after->centre[a], 10.0 * count * fastest), "centre %a, not %a",
                   after->centre[a], moved);
    }
    note_check(after->energy <= before->energy * (1.0 + 1e-13), "energy grows");
}

/* Takes whole edges from a place: it is in the box then, or nearest to its corner. Edge e has no coordinate after e. */
static void wrap(const carom_periodic *box, double (*whole)(double), double place[3]) {
    double rest[3] = {place[0], place[1], place[2]};
    for (int e = 2; e >= 0; e--) {
        const double edges = rest[e] / box->edge[e][e];
        for (int a = 0; a < 3; a++) {
            rest[a] -= edges * box->edge[e][a];
            place[a] -= whole(edges) * box->edge[e][a];
        }
    }
}

/* What a group has to become: the sums of bodies where they touch. */
typedef struct expected {
    double mass;
    double x[3];
    double v[3];
} expected;

static expected wanted[MOST]; /* of each group that detection has found, in order */

static uint32_t place_of(carom_handle one, uint32_t count) {
    uint32_t n = 0;
    while (n < count && handle[n] != one) {
        n++;
    }
    note_check(n < count, "an event of no body");
    return n;
}

/* How many edges each body is from the others of its group: touches unite groups in their order, all of a group at
 * once. */
static void find_offsets(const carom_step_report *report, uint32_t count, int64_t offset[MOST][3]) {
    uint32_t group[MOST];
    memset(offset, 0, count * sizeof *offset);
    for (uint32_t n = 0; n < count; n++) {
        group[n] = n;
    }
    for (uint64_t e = 0; e < report->event_count; e++) {
        const carom_event *event = &report->event[e];
        const uint32_t i = place_of(event->i, count);
        const uint32_t k = place_of(event->k, count);
        const uint32_t other = group[k];
        int64_t step[3];
        for (int a = 0; a < 3; a++) {
            step[a] = offset[i][a] + event->shift[a] - offset[k][a];
        }
        for (uint32_t n = 0; n < count && group[i] != other; n++) {
            if (group[n] == other) {
                offset[n][0] += step[0];
                offset[n][1] += step[1];
                offset[n][2] += step[2];
            }
        }
        for (uint32_t n = 0; n < count; n++) {
            group[n] = group[n] == other ? group[i] : group[n];
        }
    }
}

/* Which images touch depends on where in the box a world has put the bodies: of several, the one nearest in time. */
static touch *find_touch(uint32_t i, uint32_t k, double t) {
    touch *nearest = NULL;
    for (uint64_t n = 0; n < touch_count; n++) {
        const bool same = touches[n].i == i && touches[n].k == k && !touches[n].met;
        nearest = same && (nearest == NULL || fabs(touches[n].t - t) < fabs(nearest->t - t)) ? &touches[n] : nearest;
    }
    return nearest;
}

/* In open space, where nobody is moved by edges. */
static void check_point(const carom_event *event, const touch *met) {
    double apart = 0.0;
    for (int a = 0; a < 3; a++) {
        apart = fmax(apart, fabs(event->point[a] - met->point[a]));
    }
    note_check(apart <= 1e-6 * fastest, "%u and %u touch %g from where they should", met->i, met->k, apart);
}

/* In the order (t, i, k), but for images. */
static bool comes_before(const carom_event *a, const carom_event *b, uint32_t count) {
    const uint32_t i[2] = {place_of(a->i, count), place_of(b->i, count)};
    const uint32_t k[2] = {place_of(a->k, count), place_of(b->k, count)};
    return a->t < b->t || (a->t == b->t && (i[0] < i[1] || (i[0] == i[1] && k[0] <= k[1])));
}

/* Each pair that touches is one event, when it touches. */
static void check_events(const carom_step_report *report, bool open, uint32_t count) {
    note_check(report->event_count == touch_count, "%llu events, not %llu", (unsigned long long)report->event_count,
               (unsigned long long)touch_count);
    for (uint64_t n = 0; n < report->event_count; n++) {
        const carom_event *event = &report->event[n];
        const uint32_t i = place_of(event->i, count);
        const uint32_t k = place_of(event->k, count);
        touch *met = find_touch(i, k, event->t);
        note_check(met != NULL, "%u and %u do not touch, or touch once more", i, k);
        if (met != NULL) {
            met->met = true;
            note_check(fabs(met->t - event->t) <= 1e-6, "%u and %u touch at %a, not %a", i, k, event->t, met->t);
        }
        note_check(n == 0 || comes_before(&event[-1], event, count), "events are in no order");
        if (open && met != NULL) {
            check_point(event, met);
        }
    }
}

/* Before the bodies are read back. Without a box all is where it is. */
static uint32_t sum_groups(const carom_periodic *box, const uint32_t *label, uint32_t count, int64_t (*offset)[3]) {
    uint32_t number[MOST];
    uint32_t groups = 0;
    for (uint32_t n = 0; n < count; n++) {
        double place[3] = {x[0][n], x[1][n], x[2][n]};
        if (label[n] == n) {
            number[n] = groups++;
            memset(&wanted[number[n]], 0, sizeof *wanted);
        }
        if (box != NULL) {
            wrap(box, floor, place);
        }
        for (int e = 0; e < 3 && box != NULL; e++) {
            for (int a = 0; a < 3; a++) {
                place[a] += (double)offset[n][e] * box->edge[e][a];
            }
        }
        expected *group = &wanted[number[label[n]]];
        group->mass += mass[n];
        for (int a = 0; a < 3; a++) {
            group->x[a] += mass[n] * (place[a] + v[a][n]);
            group->v[a] += mass[n] * v[a][n];
        }
    }
    return groups;
}

/* The bodies that are left are the groups, in the box, to within whole edges. */
static void check_groups(const carom_periodic *box, uint32_t groups) {
    for (uint32_t n = 0; n < groups; n++) {
        const expected *group = &wanted[n];
        double off[3];
        note_check(is_close(mass[n], group->mass, group->mass), "group %u: mass %a, not %a", n, mass[n], group->mass);
        for (int a = 0; a < 3; a++) {
            off[a] = x[a][n] - group->x[a] / group->mass;
            note_check(is_close(v[a][n], group->v[a] / group->mass, fastest), "group %u: velocity %a, not %a", n,
                       v[a][n], group->v[a] / group->mass);
        }
        if (box != NULL) {
            wrap(box, round, off);
        }
        const double size = 100.0 * fastest;
        note_check(is_close(off[0], 0.0, size) && is_close(off[1], 0.0, size) && is_close(off[2], 0.0, size),
                   "group %u is (%g, %g, %g) from its place", n, off[0], off[1], off[2]);
    }
}

/* Merges the bodies; after it the arrays have those that are left. Returns how many. */
static uint32_t check_step(const carom_periodic *box, uint32_t count) {
    static int64_t offset[MOST][3];
    carom_step_config config = carom_step_config_default();
    carom_world_f64 *world = NULL;
    carom_error error = {.message = ""};
    carom_world_totals before = {0};
    carom_world_totals after = {0};
    carom_step_report report = {0};
    uint32_t label[MOST];
    config.response = CAROM_RESPONSE_MERGE;
    config.periodic = box;
    config.events = true;
    find_groups(count, box, label);
    const carom_world_bodies_f64 all = view(count);
    note_check(carom_world_create_f64(context, &config, &world, &error) == CAROM_OK, "%s", error.message);
    note_check(carom_world_add_f64(world, &all, handle, &error) == CAROM_OK, "%s", error.message);
    (void)carom_world_total_f64(world, &before, NULL);
    const double volume = volume_of(count);
    note_check(carom_world_step_f64(world, &report, NULL, &error) == CAROM_OK, "%s", error.message);
    (void)carom_world_total_f64(world, &after, NULL);
    searches_most = report.windows > searches_most ? report.windows : searches_most;
    check_events(&report, box == NULL, count);
    find_offsets(&report, count, offset);
    const uint32_t groups = sum_groups(box, label, count, offset);
    note_check(groups == after.bodies && report.merged == count - groups, "%g bodies, not %u", (double)after.bodies,
               groups);
    for (uint32_t n = 0, at = 0; n < count; n++) {
        note_check(label[n] != n || carom_world_handles_f64(world)[at++] == handle[n],
                   "body %u is not the first of a group", n);
    }
    check_sums(&before, &after, box == NULL, count);
    const carom_world_bodies_f64 left = view(groups);
    note_check(carom_world_get_f64(world, NULL, &left, &error) == CAROM_OK, "%s", error.message);
    note_check(is_close(volume_of(groups), volume, volume), "volume %a, not %a", volume_of(groups), volume);
    check_groups(box, groups);
    carom_world_destroy_f64(world);
    return groups;
}

static carom_periodic make_box(double size) {
    static const double tilts[3][3] = {{1.0, 0.0, 0.0}, {-0.2, 1.0, 0.0}, {0.3, 0.1, 1.0}};
    carom_periodic box = carom_periodic_default();
    for (int e = 0; e < 3; e++) {
        box.along[e] = true;
        for (int a = 0; a < 3; a++) {
            box.edge[e][a] = size * tilts[e][a];
        }
    }
    return box;
}

static void check_gas(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const uint32_t count = 1 + (uint32_t)(carom_random_next(&random) % GAS_MOST);
    const double size = 1.5 + cbrt(count) * (0.2 + 0.6 * carom_random_u01(&random));
    const bool open = number % 2 == 0;
    const carom_periodic box = make_box(size);
    note_case(number, "%u bodies in %g, %s", count, size, open ? "open" : "periodic");
    make_bodies(&random, count, size);
    (void)check_step(open ? NULL : &box, count);
}

/* Bodies that fly together, or apart from one place, or in two flocks through each other. */
static void check_flight(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const uint32_t count = 1 + (uint32_t)(carom_random_next(&random) % MOST);
    const double size = 1.0 + cbrt(count) * (0.5 + carom_random_u01(&random));
    const double speed = pow(2.0, 12.0 * carom_random_u01(&random));
    const bool open = number % 4 != 3;
    const carom_periodic box = make_box(size + 4.0);
    note_case(number, "%u bodies in %g, speed %g, kind %d", count, size, speed, (int)(number % 4));
    make_bodies(&random, count, size);
    fastest += speed;
    for (uint32_t n = 0; n < count; n++) {
        for (int a = 0; a < 3; a++) {
            const double along = number % 4 == 1   ? (x[a][n] - 0.5 * size) / size
                                 : number % 4 == 2 ? (n % 2 == 0 ? 0.5 : -0.5)
                                                   : 1.0 - 0.3 * a;
            v[a][n] = v[a][n] / (n % 3 + 1) + (open ? speed : fmin(speed, 4.0)) * along;
        }
    }
    (void)check_step(open ? NULL : &box, count);
}

static void swap_places(uint32_t n, uint32_t other) {
    for (int a = 0; a < 3; a++) {
        const double kept = x[a][n];
        x[a][n] = x[a][other];
        x[a][other] = kept;
    }
}

/* A row of bodies, each of which touches the next, reaches along the first edge up to three times around the box and
 * does not meet itself. The bodies are in any order, so that parts of the row unite in any order. The centre is known
 * without asking which images touch. */
static void check_row(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const uint32_t count = 2 + (uint32_t)(carom_random_next(&random) % (ROW_MOST - 1));
    const carom_periodic box = make_box(1.0);
    double off[3];
    note_case(number, "a row of %u bodies", count);
    make_bodies(&random, count, 1.0);
    const double first[3] = {x[0][0], x[1][0], x[2][0]};
    for (uint32_t n = 0; n < count; n++) {
        const double step[3] = {0.08 * n, 0.012 * n, 0.009 * n};
        for (int a = 0; a < 3; a++) {
            x[a][n] = first[a] + step[a];
            v[a][n] = 0.0;
        }
        radius[n] = 0.05;
        mass[n] = 1.0;
    }
    for (int a = 0; a < 3; a++) {
        off[a] = -(x[a][0] + x[a][count - 1]) / 2.0;
    }
    for (uint32_t n = count; n > 1; n--) {
        swap_places(n - 1, (uint32_t)(carom_random_next(&random) % n));
    }
    note_check(check_step(&box, count) == 1, "the row is not one body");
    for (int a = 0; a < 3; a++) {
        off[a] += x[a][0];
    }
    wrap(&box, round, off);
    note_check(is_close(off[0], 0.0, 10.0) && is_close(off[1], 0.0, 10.0) && is_close(off[2], 0.0, 10.0),
               "the centre is (%g, %g, %g) from its place", off[0], off[1], off[2]);
}

/* Bodies that overlap: very many touches at one time. */
static void check_crowd(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const uint32_t count = CROWD_LEAST + (uint32_t)(carom_random_next(&random) % (MOST - CROWD_LEAST));
    note_case(number, "a crowd of %u bodies", count);
    make_bodies(&random, count, 6.0);
    for (uint32_t n = 0; n < count; n++) {
        radius[n] *= 2.5;
    }
    (void)check_step(NULL, count);
}

static void test_merging(void **state) {
    (void)state;
    note_each_case(CASES, check_gas);
}

static void test_crowds(void **state) {
    (void)state;
    note_each_case(CROWDS, check_crowd);
}

static void test_flights(void **state) {
    (void)state;
    searches_most = 0;
    note_each_case(CASES, check_flight);
    note_check(note_only_case() != UINT64_MAX || note_short() || searches_most > 1, "no step had several searches");
}

static void test_rows(void **state) {
    (void)state;
    note_each_case(CASES, check_row);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_merging), cmocka_unit_test(test_crowds),
                                       cmocka_unit_test(test_flights), cmocka_unit_test(test_rows)};
    note_start("test_merge");
    if (carom_context_create(NULL, &context, NULL) != CAROM_OK) {
        return 1;
    }
    const int failed = cmocka_run_group_tests_name("merging", tests, NULL, NULL);
    carom_context_destroy(context);
    return failed;
}
