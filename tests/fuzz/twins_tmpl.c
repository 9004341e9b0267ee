/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/fuzz/twins_tmpl.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/periodic/lattice.h"
#include "tests/support/note.h"

#define carom_world_create CAROM_REAL(carom_world_create)
#define carom_world_destroy CAROM_REAL(carom_world_destroy)
#define carom_world_configure CAROM_REAL(carom_world_configure)
#define carom_world_config CAROM_REAL(carom_world_config)
#define carom_world_add CAROM_REAL(carom_world_add)
#define carom_world_remove CAROM_REAL(carom_world_remove)
#define carom_world_set CAROM_REAL(carom_world_set)
#define carom_world_get CAROM_REAL(carom_world_get)
#define carom_world_count CAROM_REAL(carom_world_count)
#define carom_world_step CAROM_REAL(carom_world_step)
#define carom_world_save CAROM_REAL(carom_world_save)
#define carom_world_load CAROM_REAL(carom_world_load)

typedef struct snapshot {
    unsigned char *bytes;
    uint64_t size;
} snapshot;

static snapshot save(const fuzz_twin *world) {
    snapshot s = {NULL, 0};
    (void)carom_world_save(world, NULL, 0, &s.size, NULL);
    s.bytes = malloc(s.size);
    if (s.bytes == NULL || carom_world_save(world, s.bytes, s.size, &s.size, NULL) != CAROM_OK) {
        abort();
    }
    return s;
}

static void check_same_snapshot(const snapshot *a, const snapshot *b, const char *what) {
    note_check(a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0, "%s: the snapshots differ", what);
}

/* Snapshots have all that the next steps depend on. */
static void check_alike(const fuzz_twins *twins, const char *what) {
    const snapshot a = save(twins->world[0]);
    const snapshot b = save(twins->world[1]);
    check_same_snapshot(&a, &b, what);
    free(a.bytes);
    free(b.bytes);
}

/* Both calls came to the same. */
static carom_status agree(const fuzz_twins *twins, const carom_status status[2], const carom_error error[2],
                          const char *what) {
    note_check(status[0] == status[1], "%s: \"%s\" and \"%s\"", what, error[0].message, error[1].message);
    note_check(status[0] != CAROM_ERROR_BODY || error[0].body == error[1].body, "%s: body %" PRIu64 " and %" PRIu64,
               what, error[0].body, error[1].body);
    if (twins->world[0] != NULL) {
        check_alike(twins, what);
    }
    return status[0];
}

static carom_context *context_of(const fuzz_contexts *contexts, int n) {
    return n == 0 ? contexts->reference : contexts->tried;
}

carom_status fuzz_twins_create(fuzz_twins *twins, const fuzz_contexts *contexts, const carom_step_config *config) {
    carom_error error[2] = {{.message = ""}, {.message = ""}};
    carom_status status[2];
    twins->contexts = *contexts;
    for (int n = 0; n < 2; n++) {
        status[n] = carom_world_create(context_of(contexts, n), config, &twins->world[n], &error[n]);
    }
    return agree(twins, status, error, "create");
}

carom_status fuzz_twins_load(fuzz_twins *twins, const fuzz_contexts *contexts, const void *bytes, uint64_t size) {
    carom_error error[2] = {{.message = ""}, {.message = ""}};
    carom_status status[2];
    twins->contexts = *contexts;
    for (int n = 0; n < 2; n++) {
        status[n] = carom_world_load(context_of(contexts, n), bytes, size, &twins->world[n], &error[n]);
        note_check((status[n] == CAROM_OK) == (twins->world[n] != NULL), "loading left a world, or none");
    }
    return agree(twins, status, error, "load");
}

void fuzz_twins_destroy(fuzz_twins *twins) {
    carom_world_destroy(twins->world[1]);
    carom_world_destroy(twins->world[0]);
}

carom_status fuzz_twins_configure(fuzz_twins *twins, const carom_step_config *config) {
    carom_error error[2] = {{.message = ""}, {.message = ""}};
    carom_status status[2];
    for (int n = 0; n < 2; n++) {
        status[n] = carom_world_configure(twins->world[n], config, &error[n]);
    }
    return agree(twins, status, error, "configure");
}

carom_status fuzz_twins_limit(fuzz_twins *twins, uint32_t budget) {
    carom_error error[2] = {{.message = ""}, {.message = ""}};
    carom_status status[2];
    for (int n = 0; n < 2; n++) {
        carom_step_config config = *carom_world_config(twins->world[n]);
        config.budget = config.budget < budget ? config.budget : budget;
        status[n] = carom_world_configure(twins->world[n], &config, &error[n]);
    }
    return agree(twins, status, error, "limit");
}

carom_status fuzz_twins_add(fuzz_twins *twins, const fuzz_world_bodies *bodies) {
    carom_error error[2] = {{.message = ""}, {.message = ""}};
    carom_status status[2];
    for (int n = 0; n < 2; n++) {
        status[n] = carom_world_add(twins->world[n], bodies, NULL, &error[n]);
    }
    return agree(twins, status, error, "add");
}

carom_status fuzz_twins_remove(fuzz_twins *twins, const carom_handle *handle, uint64_t count) {
    carom_error error[2] = {{.message = ""}, {.message = ""}};
    carom_status status[2];
    for (int n = 0; n < 2; n++) {
        status[n] = carom_world_remove(twins->world[n], handle, count, &error[n]);
    }
    return agree(twins, status, error, "remove");
}

carom_status fuzz_twins_set(fuzz_twins *twins, const carom_handle *handle, const fuzz_world_bodies *bodies) {
    carom_error error[2] = {{.message = ""}, {.message = ""}};
    carom_status status[2];
    for (int n = 0; n < 2; n++) {
        status[n] = carom_world_set(twins->world[n], handle, bodies, &error[n]);
    }
    return agree(twins, status, error, "set");
}

/* What a step may come to. */
typedef struct extremes {
    double length; /* the greatest coordinate or radius */
    double speed;  /* the greatest, in units of length a step */
} extremes;

static extremes extremes_of(const fuzz_twin *world, const carom_step_config *config) {
    const uint64_t count = carom_world_count(world);
    const double *gain = config->acceleration;
    extremes e = {0.0, 0.0};
    carom_real *value = calloc(count + 1, 7 * sizeof *value);
    if (value == NULL) {
        abort();
    }
    fuzz_world_bodies b = {.count = count, .radius = value + 6 * count};
    for (int a = 0; a < 3; a++) {
        b.position[a] = value + (uint64_t)a * count;
        b.velocity[a] = value + (uint64_t)(3 + a) * count;
    }
    (void)carom_world_get(world, NULL, &b, NULL);
    for (uint64_t n = 0; n < count; n++) {
        e.length = fmax(e.length, (double)b.radius[n]);
        for (int a = 0; a < 3; a++) {
            e.length = fmax(e.length, fabs((double)b.position[a][n]));
            e.speed = fmax(e.speed, fabs((double)b.velocity[a][n]) + fabs(gain[a]) * config->dt);
        }
    }
    free(value);
    e.speed *= sqrt(3.0) * config->dt;
    return e;
}

bool fuzz_twins_are_moderate(const fuzz_twins *twins) {
    static const double LENGTH_MOST = 1e30;
    static const double EDGES_MOST = 0.5; /* crossed in a step */
    static const double AWAY_MOST = 1e3;  /* edges from the box */
    const carom_step_config *config = carom_world_config(twins->world[0]);
    const extremes e = extremes_of(twins->world[0], config);
    carom_lattice lattice;
    if (!(e.length + e.speed <= LENGTH_MOST) || config->periodic == NULL) {
        return e.length + e.speed <= LENGTH_MOST;
    }
    if (carom_lattice_make(config->periodic, &lattice, NULL) != CAROM_OK) {
        abort();
    }
    bool few = true;
    for (uint32_t b = 0; b < lattice.dimensions; b++) {
        const double *dual = lattice.dual[b];
        const double each = hypot(hypot(dual[0], dual[1]), dual[2]);
        few = few && each * e.speed <= EDGES_MOST && each * e.length <= AWAY_MOST;
    }
    return few;
}

static void check_same_events(const carom_step_report *a, const carom_step_report *b) {
    note_check(a->impacts == b->impacts && a->surface_impacts == b->surface_impacts && a->held == b->held &&
                   a->merged == b->merged && a->event_count == b->event_count,
               "the reports differ: %" PRIu64 " impacts and %" PRIu64, a->impacts, b->impacts);
    note_check(a->event_count == 0 || memcmp(a->event, b->event, a->event_count * sizeof *a->event) == 0,
               "the events differ");
    note_check(a->held == 0 || memcmp(a->held_body, b->held_body, a->held * sizeof *a->held_body) == 0,
               "other bodies are held");
}

static void check_same_contacts(const carom_world_contacts *a, const carom_world_contacts *b) {
    const carom_handle *const of_a[] = {a->begun_i, a->begun_k, a->persisted_i, a->persisted_k, a->ended_i, a->ended_k};
    const carom_handle *const of_b[] = {b->begun_i, b->begun_k, b->persisted_i, b->persisted_k, b->ended_i, b->ended_k};
    const uint64_t count[] = {a->begun, a->persisted, a->ended};
    note_check(a->begun == b->begun && a->persisted == b->persisted && a->ended == b->ended, "the contacts differ");
    for (int c = 0; c < 6; c++) {
        note_check(count[c / 2] == 0 || memcmp(of_a[c], of_b[c], count[c / 2] * sizeof(carom_handle)) == 0,
                   "contacts of other bodies");
    }
}

carom_status fuzz_twins_step(fuzz_twins *twins, bool contacts, carom_step_report *report) {
    carom_error error[2] = {{.message = ""}, {.message = ""}};
    carom_step_report own[2] = {{0}, {0}};
    carom_world_contacts found[2] = {{0}, {0}};
    carom_status status[2];
    const snapshot before = save(twins->world[0]);
    for (int n = 0; n < 2; n++) {
        status[n] = carom_world_step(twins->world[n], &own[n], contacts ? &found[n] : NULL, &error[n]);
    }
    check_same_events(&own[0], &own[1]);
    check_same_contacts(&found[0], &found[1]);
    (void)agree(twins, status, error, "step");
    if (status[0] != CAROM_OK) {
        const snapshot after = save(twins->world[0]);
        check_same_snapshot(&before, &after, "a step that failed");
        note_check(error[0].message[0] != '\0', "an error without a message");
        free(after.bytes);
    }
    free(before.bytes);
    *report = own[0];
    return status[0];
}

void fuzz_twins_restore(fuzz_twins *twins) {
    carom_error error = {.message = ""};
    const snapshot s = save(twins->world[0]);
    carom_world_destroy(twins->world[1]);
    const carom_status status = carom_world_load(twins->contexts.tried, s.bytes, s.size, &twins->world[1], &error);
    note_check(status == CAROM_OK, "restore: %s", error.message);
    check_alike(twins, "restore");
    free(s.bytes);
}
