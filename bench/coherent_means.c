/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What steps of coherent detection cost on the mean, rebuilds and cold steps included, beside cold detection of the
 * same bodies, call by call in turns. In: the standard scenes at several displacements, and a gas of bodies that bounce
 * off one another. Out: a table, in nanoseconds a body of processor time of one thread.
 *
 *     carom_coherent_means [--scenes LETTERS] [--bodies N,...] [--radii D,...] [--steps N] [--threads N]
 *
 * --scenes: letters of the standard scenes, and g for the gas. --radii: mean displacement of a step, in radii. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "carom/carom.h"
#include "kernel/scene/scene.h"

enum { MANY = 16 };

/* Mean displacement of a body of a standard scene, in radii. */
static const double SCENE_RADII = 0.5;

typedef struct options {
    const char *scenes;
    uint64_t bodies[MANY];
    double radii[MANY];
    uint32_t body_counts;
    uint32_t radius_counts;
    uint32_t steps;
    uint32_t threads;
} options;

/* A scene that moves by itself; a gas is one whose bodies bounce as well. */
typedef struct film {
    carom_scene_f32 scene;
    carom_scene_motion motion;
    bool bounces;
} film;

typedef struct totals {
    double cold;     /* seconds of all cold calls */
    double coherent; /* of all steps */
    uint64_t rebuilds;
    uint64_t cold_steps;
    uint64_t differences;
} totals;

static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Bodies of equal mass: those that approach exchange their velocities along the normal. */
static void bounce(film *f, const carom_detection_f32 *found) {
    for (uint64_t n = 0; n < found->pair_count; n++) {
        const uint32_t i = found->contacts.i[n];
        const uint32_t k = found->contacts.k[n];
        float closing = 0;
        for (int a = 0; a < 3; a++) {
            closing += (f->motion.displacement[a][i] - f->motion.displacement[a][k]) * found->contacts.normal[a][n];
        }
        for (int a = 0; a < 3 && closing < 0; a++) {
            f->motion.displacement[a][i] -= closing * found->contacts.normal[a][n];
            f->motion.displacement[a][k] += closing * found->contacts.normal[a][n];
        }
    }
}

static bool start(film *f, char letter, uint64_t bodies, double radii) {
    *f = (film){.bounces = letter == 'g'};
    letter = f->bounces ? 'u' : letter;
    return carom_scene_make(letter, bodies, 1, &f->scene) == CAROM_OK &&
           carom_scene_motion_start(letter, radii / SCENE_RADII, &f->scene, &f->motion) == CAROM_OK;
}

static bool run(const options *o, film *f, carom_context *context[2], totals *t) {
    carom_coherent_f32 *coherent;
    bool fine = carom_coherent_create_f32(context[0], NULL, &coherent, NULL) == CAROM_OK;
    for (uint32_t step = 0; step < o->steps && fine; step++) {
        const carom_bodies_f32 bodies = carom_scene_bodies(&f->scene);
        carom_detection_f32 found = {0};
        carom_detection_f32 cold = {0};
        carom_coherent_report told = {0};
        const double begin = processor_seconds();
        fine = carom_coherent_detect_f32(coherent, &bodies, NULL, NULL, &found, &told, NULL) == CAROM_OK;
        const double middle = processor_seconds();
        fine = fine && carom_detect_f32(context[1], &bodies, NULL, NULL, &cold, NULL) == CAROM_OK;
        t->cold += processor_seconds() - middle;
        t->coherent += middle - begin;
        t->rebuilds += told.rebuilt;
        t->cold_steps += told.cold;
        t->differences += found.summary.touching_pairs != cold.summary.touching_pairs;
        if (f->bounces) {
            bounce(f, &cold);
        }
        carom_scene_motion_step(&f->motion, &f->scene);
    }
    carom_coherent_destroy_f32(coherent);
    return fine && t->differences == 0;
}

static bool measure(const options *o, char letter, uint64_t bodies, double radii) {
    carom_context_config config = carom_context_config_default();
    carom_context *context[2] = {NULL, NULL};
    film f;
    totals t = {.cold = 0};
    config.threads = o->threads;
    const bool fine = start(&f, letter, bodies, radii) &&
                      carom_context_create(&config, &context[0], NULL) == CAROM_OK &&
                      carom_context_create(&config, &context[1], NULL) == CAROM_OK && run(o, &f, context, &t);
    carom_context_destroy(context[0]);
    carom_context_destroy(context[1]);
    carom_scene_motion_end(&f.motion);
    carom_scene_release(&f.scene);
    const double share = 1e9 / ((double)o->steps * (double)bodies);
    printf("| %c | %" PRIu64 " | %g | %.1f | %.1f | %.2f | %" PRIu64 " | %" PRIu64 " |\n", letter, bodies, radii,
           t.cold * share, t.coherent * share, t.coherent / t.cold, t.rebuilds, t.cold_steps);
    fflush(stdout);
    return fine;
}

static uint32_t numbers(char *list, double *out) {
    uint32_t count = 0;
    for (char *word = strtok(list, ","); word != NULL && count < MANY; word = strtok(NULL, ",")) {
        out[count++] = strtod(word, NULL);
    }
    return count;
}

static bool parse(int argc, char **argv, options *o) {
    for (int n = 1; n + 1 < argc; n += 2) {
        double list[MANY];
        if (strcmp(argv[n], "--scenes") == 0) {
            o->scenes = argv[n + 1];
        } else if (strcmp(argv[n], "--bodies") == 0) {
            o->body_counts = numbers(argv[n + 1], list);
            for (uint32_t m = 0; m < o->body_counts; m++) {
                o->bodies[m] = (uint64_t)list[m];
            }
        } else if (strcmp(argv[n], "--radii") == 0) {
            o->radius_counts = numbers(argv[n + 1], o->radii);
        } else if (strcmp(argv[n], "--steps") == 0) {
            o->steps = (uint32_t)strtoul(argv[n + 1], NULL, 10);
        } else if (strcmp(argv[n], "--threads") == 0) {
            o->threads = (uint32_t)strtoul(argv[n + 1], NULL, 10);
        } else {
            return false;
        }
    }
    return argc % 2 == 1 && o->steps > 0;
}

int main(int argc, char **argv) {
    options o = {.scenes = "udpclag",
                 .bodies = {20000, 100000},
                 .radii = {0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 2},
                 .body_counts = 2,
                 .radius_counts = 8,
                 .steps = 150,
                 .threads = 1};
    bool fine = parse(argc, argv, &o);
    if (!fine) {
        fprintf(stderr, "carom_coherent_means [--scenes LETTERS] [--bodies N,...] [--radii D,...] [--steps N] "
                        "[--threads N]\n");
        return 2;
    }
    printf("| scene | bodies | radii a step | cold | coherent | ratio | rebuilds | cold steps |\n"
           "|---|---|---|---|---|---|---|---|\n");
    for (const char *letter = o.scenes; *letter != '\0'; letter++) {
        for (uint32_t b = 0; b < o.body_counts; b++) {
            for (uint32_t r = 0; r < o.radius_counts; r++) {
                fine = measure(&o, *letter, o.bodies[b], o.radii[r]) && fine;
            }
        }
    }
    return fine ? 0 : 1;
}
