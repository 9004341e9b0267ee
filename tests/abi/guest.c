/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A program that hands every public struct to the library, each in memory of exactly its size, and prints what comes
 * back. It is compiled against today's headers and, with LATER, against those of a later version, whose structs end
 * with 64 bytes more. Either must run with either library and print the same. With the argument "unknown" the later
 * program asks for what today's library lacks, which must be refused by name. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/abi/guest.h"

enum { BODIES = 600, ROWS = 20000, STEPS = 4, EDGE = 24 };

/* Everything that goes to a call. */
typedef struct guest {
    carom_context_config *context_config;
    carom_detect_config *config;
    carom_filter *filter;
    carom_periodic *box;
    carom_coherent_config *coherent_config;
    carom_bodies_f32 *bodies_f32;
    carom_bodies_f64 *bodies_f64;
    carom_detect_output_f32 *output_f32;
    carom_detect_output_f64 *output_f64;
    carom_detection_f32 *found_f32;
    carom_detection_f64 *found_f64;
    carom_coherent_report *report;
    carom_context *context;
    float floats[7][BODIES];
    double doubles[7][BODIES];
    uint32_t category[BODIES];
    uint32_t rows[2][ROWS];
    uint64_t delivered;
} guest;

static void in_turn(void *user, uint32_t count, carom_executor_task *task, void *task_data) {
    (void)user;
    for (uint32_t n = 0; n < count; n++) {
        task(task_data, n);
    }
}

static bool count_rows(void *user, const carom_block_f64 *block) {
    *(uint64_t *)user += block->count;
    return block->size >= sizeof *block - 64 && block->contacts.point[2] != NULL;
}

/* Positions in a box, and short paths. */
static void place(guest *g) {
    uint64_t state = 17;
    for (int f = 0; f < 7; f++) {
        for (int n = 0; n < BODIES; n++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            const double u = (double)(state >> 40) * 0x1p-24;
            g->doubles[f][n] = f < 3 ? EDGE * u : f < 6 ? g->doubles[f - 3][n] + u - 0.5 : 0.5 + u / 4;
            g->floats[f][n] = (float)g->doubles[f][n];
        }
    }
    for (uint32_t n = 0; n < BODIES; n++) {
        g->category[n] = 1U << n % 3;
    }
}

/* Bodies, outputs, detections and reports say their size, or leave it 0. */
static void make(guest *g, bool sized) {
    FROM(g->context_config, carom_context_config_default());
    FROM(g->config, carom_detect_config_default());
    FROM(g->filter, carom_filter_default());
    FROM(g->box, carom_periodic_default());
    FROM(g->coherent_config, carom_coherent_config_default());
    FRESH(g->bodies_f32)->size = sized ? sizeof *g->bodies_f32 : 0;
    FRESH(g->bodies_f64)->size = sized ? sizeof *g->bodies_f64 : 0;
    FRESH(g->output_f32)->size = sized ? sizeof *g->output_f32 : 0;
    FRESH(g->output_f64)->size = sized ? sizeof *g->output_f64 : 0;
    FRESH(g->found_f32)->size = sized ? sizeof *g->found_f32 : 0;
    FRESH(g->found_f64)->size = sized ? sizeof *g->found_f64 : 0;
    FRESH(g->report)->size = sized ? sizeof *g->report : 0;
}

static void fill(guest *g) {
    g->context_config->executor.parallel_for = in_turn;
    g->context_config->executor.concurrency = 2;
    g->context_config->bodies_per_thread = 1;
    g->config->hash = g->config->group_members = true;
    g->filter->category = g->filter->mask = g->category;
    g->coherent_config->events = true;
    g->bodies_f32->count = g->bodies_f64->count = BODIES;
    for (int a = 0; a < 3; a++) {
        g->box->along[a] = true;
        g->box->edge[a][a] = EDGE;
        g->bodies_f32->prev[a] = g->floats[a];
        g->bodies_f32->curr[a] = g->floats[a + 3];
        g->bodies_f64->prev[a] = g->doubles[a];
        g->bodies_f64->curr[a] = g->doubles[a + 3];
    }
    g->bodies_f32->radius = g->floats[6];
    g->bodies_f64->radius = g->doubles[6];
    g->output_f32->pair_capacity = ROWS;
    g->output_f32->contacts.i = g->rows[0];
    g->output_f32->contacts.k = g->rows[1];
    g->output_f64->sink = count_rows;
    g->output_f64->sink_user = &g->delivered;
}

static void release(guest *g) {
    void *all[] = {g->context_config, g->config,     g->filter,     g->box,       g->coherent_config, g->bodies_f32,
                   g->bodies_f64,     g->output_f32, g->output_f64, g->found_f32, g->found_f64,       g->report};
    carom_context_destroy(g->context);
    for (size_t n = 0; n < sizeof all / sizeof all[0]; n++) {
        free(all[n]);
    }
    g->context = NULL;
}

static void print(const char *what, carom_status status, const carom_detect_summary *summary) {
    printf("%s: %s, %" PRIu64 " of %" PRIu64 " touch, %" PRIu64 " groups, %016" PRIx64 "\n", what,
           carom_status_name(status), summary->touching_pairs, summary->box_pairs, summary->groups,
           summary->result_hash);
}

static void detect(guest *g) {
    carom_status status = carom_detect_f32(g->context, g->bodies_f32, g->config, g->output_f32, g->found_f32, NULL);
    print("plain", status, &g->found_f32->summary);
    printf("first %u %u\n", g->rows[0][0], g->rows[1][0]);
    g->config->filter = g->filter;
    g->config->neighbours = CAROM_NEIGHBOURS_FULL;
    status = carom_detect_f32(g->context, g->bodies_f32, g->config, NULL, g->found_f32, NULL);
    print("filtered", status, &g->found_f32->summary);
    printf("%" PRIu64 " neighbours\n", g->found_f32->neighbours.offset[BODIES]);
    g->config->neighbours = CAROM_NEIGHBOURS_NONE;
    g->config->periodic = g->box;
    status = carom_detect_f64(g->context, g->bodies_f64, g->config, g->output_f64, g->found_f64, NULL);
    print("periodic", status, &g->found_f64->summary);
    printf("%" PRIu64 " rows delivered, %s\n", g->delivered,
           carom_detect_memory_f64(g->context, BODIES, 100, g->config) > 0 ? "bounded" : "no bound");
    g->config->periodic = NULL;
}

static void step(guest *g) {
    carom_coherent_f32 *coherent = NULL;
    carom_status status = carom_coherent_create_f32(g->context, g->coherent_config, &coherent, NULL);
    for (int n = 0; n < STEPS && status == CAROM_OK; n++) {
        status = carom_coherent_detect_f32(coherent, g->bodies_f32, g->config, NULL, g->found_f32, g->report, NULL);
        print("step", status, &g->found_f32->summary);
        printf("%" PRIu64 " begun, %" PRIu64 " persisted, %" PRIu64 " ended, listed: %d\n", g->report->begun,
               g->report->persisted, g->report->ended, g->report->begun_i != NULL);
        for (int body = n; body < BODIES; body += 7) {
            g->floats[3][body] += 0.25F;
        }
    }
    carom_coherent_destroy_f32(coherent);
}

#ifdef LATER
/* What the library does not know it leaves alone. */
static void check_later(guest *g) {
    memset(g->found_f32->later, 0x5A, sizeof g->found_f32->later);
    (void)carom_detect_f32(g->context, g->bodies_f32, NULL, NULL, g->found_f32, NULL);
    for (size_t n = 0; n < sizeof g->found_f32->later; n++) {
        if (g->found_f32->later[n] != 0x5A) {
            printf("written beyond what the library knows\n");
        }
    }
}

static int expect_unknown(guest *g, size_t n) {
    carom_context *context = NULL;
    carom_coherent_f32 *coherent = NULL;
    g->config->filter = g->filter;
    EXPECT_UNKNOWN(g->context_config, "carom_context_config",
                   carom_context_create(g->context_config, &context, &error));
    EXPECT_UNKNOWN(g->coherent_config, "carom_coherent_config",
                   carom_coherent_create_f32(g->context, g->coherent_config, &coherent, &error));
#define F32 carom_detect_f32(g->context, g->bodies_f32, g->config, g->output_f32, g->found_f32, &error)
#define F64 carom_detect_f64(g->context, g->bodies_f64, g->config, g->output_f64, g->found_f64, &error)
    EXPECT_UNKNOWN(g->bodies_f32, "carom_bodies_f32", F32);
    EXPECT_UNKNOWN(g->bodies_f64, "carom_bodies_f64", F64);
    EXPECT_UNKNOWN(g->config, "carom_detect_config", F32);
    EXPECT_UNKNOWN(g->filter, "carom_filter", F32);
    EXPECT_UNKNOWN(g->output_f32, "carom_detect_output_f32", F32);
    EXPECT_UNKNOWN(g->output_f64, "carom_detect_output_f64", F64);
    g->config->periodic = g->box;
    EXPECT_UNKNOWN(g->box, "carom_periodic", F64);
    g->config->periodic = NULL;
    return guest_step_expect_unknown(g->context, n);
}

static int refuse_unknown(guest *g) {
    for (size_t n = 0; n < sizeof g->box->later; n += 21) {
        if (expect_unknown(g, n) != EXIT_SUCCESS) {
            return EXIT_FAILURE;
        }
    }
    printf("all refused\n");
    return EXIT_SUCCESS;
}
#endif

static int run(guest *g, bool sized, bool unknown) {
    int failed = EXIT_SUCCESS;
    place(g);
    make(g, sized);
    fill(g);
    carom_status status = carom_context_create(g->context_config, &g->context, NULL);
    printf("context: %s, %u workers\n", carom_status_name(status), carom_context_threads(g->context));
    (void)unknown;
#ifdef LATER
    if (unknown) {
        failed = refuse_unknown(g);
        release(g);
        return failed;
    }
    check_later(g);
#endif
    g->delivered = 0;
    detect(g);
    step(g);
    guest_step(g->context, sized);
    release(g);
    return failed;
}

int main(int argc, char **argv) {
    static guest g;
    const bool unknown = argc == 2 && strcmp(argv[1], "unknown") == 0;
    return run(&g, true, unknown) != EXIT_SUCCESS || run(&g, unknown, unknown) != EXIT_SUCCESS;
}
