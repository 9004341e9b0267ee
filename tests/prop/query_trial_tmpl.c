/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/prop/query_trial_tmpl.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/isa_contexts.h"
#include "tests/support/note.h"

static carom_bodies bodies_of(const any_bodies *all) {
#if CAROM_REAL_BITS == 32
    return all->f32;
#else
    return all->f64;
#endif
}

carom_bodies query_trial_part(const any_bodies *all, uint64_t first, uint64_t count) {
    carom_bodies part = bodies_of(all);
    part.count = count;
    for (int a = 0; a < 3; a++) {
        part.prev[a] += first;
        part.curr[a] += first;
    }
    part.radius += first;
    return part;
}

/* The parts of a filter for all bodies. */
typedef struct filters {
    carom_filter all;
    carom_filter bodies;
    carom_filter probes;
    uint32_t *words; /* category, mask, group */
    uint8_t *bytes;  /* fixed, part */
    uint64_t *offset;
    uint32_t *excluded;
    uint64_t salt;
} filters;

static void *allocate(uint64_t count, uint64_t size) {
    void *memory = calloc(count + 1, size);
    assert_non_null(memory);
    return memory;
}

typedef struct asked {
    uint64_t salt;
    uint32_t first; /* the first probe, if probes are numbered from 0; else 0 */
} asked;

/* Three of four pairs, as if by chance. */
static bool accepts(void *user, uint32_t i, uint32_t k) {
    const asked *a = user;
    carom_random random = carom_random_seeded((((uint64_t)i << 32) | (k + a->first)) ^ a->salt);
    return carom_random_next(&random) % 4 != 0;
}

/* Lists of the probes, which name bodies, after empty lists of the bodies. */
static void exclude(filters *f, uint64_t bodies, uint64_t probes, carom_random *random) {
    f->offset = allocate(bodies + probes + 1, sizeof *f->offset);
    f->excluded = allocate(probes * 8, sizeof *f->excluded);
    uint64_t at = 0;
    for (uint64_t q = 0; q < probes; q++) {
        f->offset[bodies + q] = at;
        for (uint64_t n = carom_random_next(random) % 8; n > 0 && bodies > 0; n--) {
            f->excluded[at++] = (uint32_t)(carom_random_next(random) % bodies);
        }
    }
    f->offset[bodies + probes] = at;
}

static filters filters_make(uint64_t bodies, uint64_t probes, carom_random *random, asked of[2]) {
    const uint64_t count = bodies + probes;
    const uint64_t parts = carom_random_next(random);
    filters f = {.all = carom_filter_default(), .salt = carom_random_next(random)};
    f.words = allocate(3 * count, sizeof *f.words);
    f.bytes = allocate(2 * count, 1);
    for (uint64_t n = 0; n < count; n++) {
        f.words[n] = (uint32_t)carom_random_next(random) & 3U;
        f.words[count + n] = (uint32_t)carom_random_next(random) | 4U;
        f.words[2 * count + n] = (uint32_t)(carom_random_next(random) % 5);
        f.bytes[n] = (uint8_t)(carom_random_next(random) % 2);
        f.bytes[count + n] = (uint8_t)(carom_random_next(random) & carom_random_next(random) & 7U);
    }
    exclude(&f, bodies, probes, random);
    of[0] = (asked){f.salt, 0};
    of[1] = (asked){f.salt, (uint32_t)bodies};
    f.all.category = (parts & 1) != 0 ? f.words : NULL;
    f.all.mask = (parts & 2) != 0 ? f.words + count : NULL;
    f.all.group = (parts & 4) != 0 ? f.words + 2 * count : NULL;
    f.all.fixed = (parts & 8) != 0 ? f.bytes : NULL;
    f.all.part = (parts & 16) != 0 ? f.bytes + count : NULL;
    f.all.exclusion_offset = (parts & 32) != 0 ? f.offset : NULL;
    f.all.excluded = (parts & 32) != 0 ? f.excluded : NULL;
    f.all.accepts = (parts & 64) != 0 ? accepts : NULL;
    f.all.user = &of[0];
    f.bodies = f.all;
    f.bodies.accepts = NULL;
    f.bodies.exclusion_offset = NULL;
    f.probes = f.all;
    f.probes.user = &of[1];
    f.probes.category = f.all.category != NULL ? f.all.category + bodies : NULL;
    f.probes.mask = f.all.mask != NULL ? f.all.mask + bodies : NULL;
    f.probes.group = f.all.group != NULL ? f.all.group + bodies : NULL;
    f.probes.fixed = f.all.fixed != NULL ? f.all.fixed + bodies : NULL;
    f.probes.part = f.all.part != NULL ? f.all.part + bodies : NULL;
    f.probes.exclusion_offset = f.all.exclusion_offset != NULL ? f.all.exclusion_offset + bodies : NULL;
    return f;
}

static void filters_release(filters *f) {
    free(f->words);
    free(f->bytes);
    free(f->offset);
    free(f->excluded);
}

/* What a query is asked. */
typedef struct question {
    carom_query_config config;
    const carom_filter *filter; /* of all */
} question;

typedef struct row {
    uint64_t key; /* probe, body */
    int32_t shift[3];
    uint64_t at;
} row;

static int by_key(const void *left, const void *right) {
    const row *a = left;
    const row *b = right;
    int order = (a->key > b->key) - (a->key < b->key);
    for (int n = 0; n < 3 && order == 0; n++) {
        order = (a->shift[n] > b->shift[n]) - (a->shift[n] < b->shift[n]);
    }
    return order;
}

/* Rows of a detection of all that belong to a body and a probe, in the order of an answer. */
static row *rows_of(const query_trial *t, const any_rows *found, uint64_t count, uint64_t *rows) {
    row *wanted = allocate(count, sizeof *wanted);
    *rows = 0;
    for (uint64_t n = 0; n < count; n++) {
        if (found->i[n] < t->bodies && found->k[n] >= t->bodies) {
            row *next = &wanted[(*rows)++];
            *next = (row){.key = (found->k[n] - t->bodies) << 32 | found->i[n], .at = n};
            for (int a = 0; a < 3 && t->box != NULL; a++) {
                next->shift[a] = found->shift[a][n];
            }
        }
    }
    qsort(wanted, *rows, sizeof *wanted, by_key);
    return wanted;
}

static void check_row(const query_trial *t, const question *asked_for, const any_rows *own, uint64_t n,
                      const any_rows *found, const row *wanted) {
    note_check(own->i[n] == (uint32_t)wanted->key && own->k[n] == wanted->key >> 32,
               "row %" PRIu64 " is (%u, %u), not (%u, %u)", n, own->i[n], own->k[n], (uint32_t)wanted->key,
               (uint32_t)(wanted->key >> 32));
    for (int f = 0; f < ANY_FIELDS && asked_for->config.until == CAROM_UNTIL_APPROACH; f++) {
        note_check(memcmp((const carom_real *)own->field[f] + n, (const carom_real *)found->field[f] + wanted->at,
                          sizeof(carom_real)) == 0,
                   "field %d of row %" PRIu64 " differs: %.17g, not %.17g", f, n,
                   (double)((const carom_real *)own->field[f])[n],
                   (double)((const carom_real *)found->field[f])[wanted->at]);
    }
    for (int a = 0; a < 3; a++) {
        note_check((own->shift[a] != NULL) == (t->box != NULL), "shifts are there or not");
        note_check(t->box == NULL || own->shift[a][n] == wanted->shift[a], "shift %d of row %" PRIu64, a, n);
    }
}

static void check_rows(const query_trial *t, const question *asked_for, const answer *got, const any_rows *found,
                       const row *wanted, uint64_t rows) {
    const any_rows own = CAROM_REAL(any_rows)(&got->contacts);
    note_check(got->pair_count == rows, "%" PRIu64 " rows, not %" PRIu64, got->pair_count, rows);
    note_check(got->offset[0] == 0 && got->offset[t->probes] == rows, "offsets");
    for (uint64_t n = 0; n < rows; n++) {
        const uint64_t probe = wanted[n].key >> 32;
        note_check(got->offset[probe] <= n && n < got->offset[probe + 1], "row %" PRIu64 " is in another list", n);
        check_row(t, asked_for, &own, n, found, &wanted[n]);
    }
}

/* Where boxes are rounded about a centre, those of a detection of all are rounded about another one: more of them may
 * overlap, or fewer. */
static bool comparable(const query_trial *t, const question *asked_for) {
    return (CAROM_REAL_BITS == 32 && t->box == NULL) || asked_for->config.until == CAROM_UNTIL_APPROACH;
}

/* What is queried. */
static carom_status detect_bodies(query_trial *t) {
    const carom_bodies bodies = query_trial_part(&t->all, 0, t->bodies);
    carom_detect_config config = carom_detect_config_default();
    detection found = {0};
    config.method = t->method;
    config.periodic = t->box;
    config.until = t->bodies % 2 == 0 ? CAROM_UNTIL_PAIRS : CAROM_UNTIL_GROUPS;
    config.count_only = t->probes % 2 == 0;
    if (t->coherent == NULL) {
        return DETECT(t->context, &bodies, &config, NULL, &found, NULL);
    }
    memset(&t->report, 0, sizeof t->report);
    config.until = CAROM_UNTIL_GROUPS;
    return STEP(t->coherent, &bodies, &config, NULL, &found, &t->report, NULL);
}

static carom_status detect_all(const query_trial *t, const question *asked_for, detection *found) {
    const carom_bodies all = query_trial_part(&t->all, 0, t->bodies + t->probes);
    carom_detect_config config = carom_detect_config_default();
    config.periodic = t->box;
    config.until = asked_for->config.until;
    config.approaching = asked_for->config.approaching;
    config.filter = asked_for->filter;
    return DETECT(t->other, &all, &config, NULL, found, NULL);
}

static void check_answer(query_trial *t, const question *asked_for, const answer *got, const detection *found) {
    const any_rows rows = CAROM_REAL(any_rows)(&found->contacts);
    uint64_t count = 0;
    row *wanted = rows_of(t, &rows, found->pair_count, &count);
    if (t->probes == 0) {
        note_check(got->pair_count == 0 && got->offset == NULL, "rows without probes");
    } else if (comparable(t, asked_for)) {
        check_rows(t, asked_for, got, &rows, wanted, count);
    }
    note_check(asked_for->config.until == CAROM_UNTIL_APPROACH ? got->box_pairs >= got->pair_count
                                                               : got->box_pairs == got->pair_count,
               "%" PRIu64 " box pairs, %" PRIu64 " rows", got->box_pairs, got->pair_count);
    t->rows = got->pair_count;
    free(wanted);
}

/* Pairs alone must be all that touch, and more. */
static void check_pairs(const query_trial *t, const question *asked_for, const carom_bodies *probes) {
    carom_query_config config = asked_for->config;
    answer pairs = {0};
    uint64_t box_pairs = 0;
    for (int pass = 0; pass < 2; pass++) {
        config.until = pass == 0 ? CAROM_UNTIL_APPROACH : CAROM_UNTIL_PAIRS;
        assert_int_equal(QUERY(t->context, probes, &config, &pairs, NULL), CAROM_OK);
        note_check(pass == 0 || pairs.pair_count == box_pairs, "%" PRIu64 " pairs, not %" PRIu64, pairs.pair_count,
                   box_pairs);
        box_pairs = pairs.box_pairs;
    }
}

static bool check_query(query_trial *t, const question *asked_for) {
    const carom_bodies probes = query_trial_part(&t->all, t->bodies, t->probes);
    detection found = {0};
    answer got = {0};
    carom_error error = {.status = CAROM_OK};
    const carom_status wanted = detect_all(t, asked_for, &found);
    const carom_status first = detect_bodies(t);
    if (wanted != CAROM_OK) {
        note_check(wanted == CAROM_ERROR_BODY, "status %d", (int)wanted);
        note_check(first != CAROM_OK || QUERY(t->context, &probes, &asked_for->config, &got, NULL) == wanted,
                   "a probe that no detection takes");
        return false;
    }
    note_check(first == CAROM_OK, "status %d", (int)first);
    for (int again = 0; again < 2; again++) {
        note_check(QUERY(t->context, &probes, &asked_for->config, &got, &error) == CAROM_OK, "%s", error.message);
    }
    check_answer(t, asked_for, &got, &found);
    check_pairs(t, asked_for, &probes);
    return true;
}

void query_trial_choose_contexts(query_trial *t, carom_random *random) {
    t->context = isa_contexts[carom_random_next(random) % isa_context_count];
    do {
        t->other = isa_contexts[carom_random_next(random) % isa_context_count];
    } while (t->other == t->context);
}

bool query_trial_run(query_trial *t, carom_random *random, bool filtered) {
    asked of[2];
    filters f = filters_make(t->bodies, t->probes, random, of);
    question asked_for = {.config = carom_query_config_default()};
    asked_for.config.until = carom_random_next(random) % 4 == 0 ? CAROM_UNTIL_PAIRS : CAROM_UNTIL_APPROACH;
    asked_for.config.approaching = carom_random_next(random) % 4 == 0;
    if (filtered) {
        asked_for.filter = &f.all;
        asked_for.config.filter = &f.bodies;
        asked_for.config.probe_filter = &f.probes;
    }
    const bool done = check_query(t, &asked_for);
    filters_release(&f);
    return done;
}
