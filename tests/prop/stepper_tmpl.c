/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/prop/stepper_tmpl.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/note.h"

enum { ISAS_MOST = 8 };

carom_context *stepper_contexts[STEPPER_CONTEXTS_MOST];
uint64_t stepper_context_count;

carom_context *stepper_context(uint32_t threads, const char *isa, const fault_allocator *faults) {
    carom_context_config config = carom_context_config_default();
    carom_context *context;
    config.threads = threads;
    config.bodies_per_thread = 1; /* all of them work, however few the bodies */
    config.isa = isa;
    if (faults != NULL) {
        config.allocator = fault_allocator_get((fault_allocator *)(uintptr_t)faults);
    }
    assert_int_equal(carom_context_create(&config, &context, NULL), CAROM_OK);
    return context;
}

int stepper_contexts_make(void **state) {
    (void)state;
    static const uint32_t threads[] = {1, 3, 7};
    const char *isas[ISAS_MOST];
    size_t count = carom_isa_available(isas, ISAS_MOST);
    for (size_t n = 0; n < count; n++) {
        for (size_t t = 0; t < 3; t++) {
            stepper_contexts[stepper_context_count++] = stepper_context(threads[t], isas[n], NULL);
        }
    }
    return 0;
}

int stepper_contexts_destroy(void **state) {
    (void)state;
    while (stepper_context_count > 0) {
        carom_context_destroy(stepper_contexts[--stepper_context_count]);
    }
    return 0;
}

static int compare_keys(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static pair_set pair_set_of(uint64_t count, const uint32_t *i, const uint32_t *k) {
    pair_set set = {count, calloc(count + 1, sizeof(uint64_t))};
    for (uint64_t n = 0; n < count; n++) {
        assert_true(i[n] < k[n]);
        set.key[n] = (uint64_t)i[n] << 32 | k[n];
    }
    qsort(set.key, count, sizeof *set.key, compare_keys);
    set.count = 0;
    for (uint64_t n = 0; n < count; n++) { /* in a periodic box two bodies may touch by several images */
        if (n == 0 || set.key[n] != set.key[set.count - 1]) {
            set.key[set.count++] = set.key[n];
        }
    }
    return set;
}

/* What `a` has and `b` has not. */
static pair_set difference(const pair_set *a, const pair_set *b) {
    pair_set only = {0, calloc(a->count + 1, sizeof(uint64_t))};
    for (uint64_t n = 0; n < a->count; n++) {
        if (b->count == 0 || bsearch(&a->key[n], b->key, b->count, sizeof(uint64_t), compare_keys) == NULL) {
            only.key[only.count++] = a->key[n];
        }
    }
    return only;
}

static void check_list(const char *what, const pair_set *expected, uint64_t count, const uint32_t *i,
                       const uint32_t *k) {
    note_check(count == expected->count, "%" PRIu64 " pairs %s, not %" PRIu64, count, what, expected->count);
    pair_set listed = pair_set_of(count, i, k);
    note_check(memcmp(listed.key, expected->key, count * sizeof(uint64_t)) == 0, "other pairs %s", what);
    free(listed.key);
}

void stepper_check_events(stepper *s, const detection *cold, const carom_coherent_report *report) {
    pair_set now = pair_set_of(cold->pair_count, cold->contacts.i, cold->contacts.k);
    pair_set begun = difference(&now, &s->before);
    pair_set ended = difference(&s->before, &now);
    check_list("begun", &begun, report->begun, report->begun_i, report->begun_k);
    check_list("ended", &ended, report->ended, report->ended_i, report->ended_k);
    note_check(report->persisted == now.count - begun.count, "%" PRIu64 " pairs persist", report->persisted);
    free(begun.key);
    free(ended.key);
    free(s->before.key);
    s->before = now;
}

static void check_array(const char *what, const void *a, const void *b, uint64_t bytes) {
    note_check(bytes == 0 || (a == NULL) == (b == NULL), "%s: only one has it", what);
    note_check(a == NULL || bytes == 0 || memcmp(a, b, bytes) == 0, "%s differ", what);
}

static const char *const FIELD_NAMES[ANY_FIELDS] = {"t_ca",     "distance", "t_toi",   "normal x", "normal y",
                                                    "normal z", "point x",  "point y", "point z"};

void stepper_check_same(const detection *got, const detection *cold, uint64_t bodies) {
    const carom_detect_summary *a = &got->summary;
    const carom_detect_summary *b = &cold->summary;
    note_check(a->box_pairs == b->box_pairs, "%" PRIu64 " box pairs, not %" PRIu64, a->box_pairs, b->box_pairs);
    note_check(a->touching_pairs == b->touching_pairs, "%" PRIu64 " touching pairs, not %" PRIu64, a->touching_pairs,
               b->touching_pairs);
    note_check(a->groups == b->groups && a->largest_group == b->largest_group,
               "%" PRIu64 " groups, largest %" PRIu64 ", not %" PRIu64 ", %" PRIu64, a->groups, a->largest_group,
               b->groups, b->largest_group);
    note_check(got->pair_count == cold->pair_count, "other number of rows");
    const any_rows x = CAROM_REAL(any_rows)(&got->contacts);
    const any_rows y = CAROM_REAL(any_rows)(&cold->contacts);
    uint64_t rows = got->pair_count;
    check_array("i", x.i, y.i, rows * sizeof(uint32_t));
    check_array("k", x.k, y.k, rows * sizeof(uint32_t));
    for (int f = 0; f < ANY_FIELDS; f++) {
        check_array(FIELD_NAMES[f], x.field[f], y.field[f], rows * sizeof(carom_real));
    }
    check_array("labels", got->groups.label, cold->groups.label, bodies * sizeof(uint32_t));
    note_check(got->groups.count == cold->groups.count, "other number of groups");
    check_array("offsets", got->groups.offset, cold->groups.offset, (cold->groups.count + 1) * sizeof(uint64_t));
    if (cold->groups.member != NULL) {
        check_array("members", got->groups.member, cold->groups.member,
                    cold->groups.offset[cold->groups.count] * sizeof(uint32_t));
    }
    if (cold->neighbours.offset != NULL) {
        uint64_t entries = cold->neighbours.offset[bodies];
        check_array("neighbour rows", got->neighbours.offset, cold->neighbours.offset, (bodies + 1) * sizeof(uint64_t));
        check_array("neighbours", got->neighbours.body, cold->neighbours.body, entries * sizeof(uint32_t));
        check_array("neighbours' pairs", got->neighbours.pair, cold->neighbours.pair, entries * sizeof(uint64_t));
    }
    note_check(a->touching_hash == b->touching_hash, "other touching hash");
    note_check(a->result_hash == b->result_hash, "other result hash");
}

carom_detect_config stepper_config(void) {
    carom_detect_config config = carom_detect_config_default();
    config.hash = true;
    config.sort_pairs = true;
    config.group_members = true;
    return config;
}

stepper stepper_start(carom_context *context, carom_context *cold, uint32_t steps_ahead) {
    stepper s = {.context = context, .cold = cold, .before = {0, calloc(1, sizeof(uint64_t))}};
    carom_coherent_config config = carom_coherent_config_default();
    config.events = true;
    config.steps_ahead = steps_ahead;
    assert_int_equal(CREATE(context, &config, &s.coherent, NULL), CAROM_OK);
    return s;
}

void stepper_stop(stepper *s) {
    DESTROY(s->coherent);
    free(s->before.key);
}

carom_coherent_report stepper_check_step(stepper *s, const bodies_view *bodies) {
    carom_detect_config config = stepper_config();
    carom_coherent_report report = {0};
    carom_error error = {.status = CAROM_OK};
    detection got = {0};
    detection cold = {0};
    config.filter = s->filter;
    config.periodic = s->periodic;
    config.approaching = s->approaching;
    carom_status status = STEP(s->coherent, bodies, &config, NULL, &got, &report, &error);
    note_check(status == CAROM_OK, "%s", error.message);
    assert_int_equal(DETECT(s->cold, bodies, &config, NULL, &cold, NULL), CAROM_OK);
    stepper_check_same(&got, &cold, bodies->count);
    stepper_check_events(s, &cold, &report);
    return report;
}

void stepper_forget(stepper *s, const detection *cold) {
    free(s->before.key);
    s->before =
        cold != NULL ? pair_set_of(cold->pair_count, cold->contacts.i, cold->contacts.k) : pair_set_of(0, NULL, NULL);
}

void stepper_check_lesser_step(stepper *s, const bodies_view *bodies, uint64_t which) {
    carom_detect_config config = stepper_config();
    carom_coherent_report report = {0};
    detection got = {0};
    detection cold = {0};
    config.group_members = false;
    config.until = which % 3 == 0 ? CAROM_UNTIL_PAIRS : which % 3 == 1 ? CAROM_UNTIL_APPROACH : CAROM_UNTIL_GROUPS;
    config.all_pairs = which / 3 % 2 == 1;
    config.count_only = which / 6 % 2 == 1;
    config.filter = s->filter;
    config.periodic = s->periodic;
    assert_int_equal(STEP(s->coherent, bodies, &config, NULL, &got, &report, NULL), CAROM_OK);
    assert_int_equal(DETECT(s->cold, bodies, &config, NULL, &cold, NULL), CAROM_OK);
    stepper_check_same(&got, &cold, bodies->count);
    bool compared = config.until >= CAROM_UNTIL_APPROACH;
    config = stepper_config();
    config.filter = s->filter;
    config.periodic = s->periodic;
    assert_int_equal(DETECT(s->cold, bodies, &config, NULL, &cold, NULL), CAROM_OK);
    stepper_forget(s, compared ? &cold : NULL);
}

static double *widened(const carom_real *from, uint64_t count) {
    double *copy = from != NULL ? calloc(count + 1, sizeof *copy) : NULL;
    for (uint64_t n = 0; n < count && copy != NULL; n++) {
        copy[n] = (double)from[n];
    }
    return copy;
}

static void *copy_of(const uint32_t *from, uint64_t count) {
    uint32_t *copy = calloc(count + 1, sizeof *copy);
    assert_non_null(copy);
    if (count > 0) {
        memcpy(copy, from, count * sizeof *copy);
    }
    return copy;
}

any_result stepper_rows(const detection *d, uint64_t bodies) {
    const any_rows rows = CAROM_REAL(any_rows)(&d->contacts);
    any_result r = {.bodies = bodies,
                    .pair_count = d->pair_count,
                    .i = copy_of(rows.i, d->pair_count),
                    .k = copy_of(rows.k, d->pair_count)};
    for (int f = 0; f < ANY_FIELDS; f++) {
        r.field[f] = widened(rows.field[f], d->pair_count);
    }
    r.label = d->groups.label != NULL ? copy_of(d->groups.label, bodies) : NULL;
    return r;
}
