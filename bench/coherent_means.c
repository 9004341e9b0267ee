/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What steps of coherent detection cost on the mean, rebuilds and cold steps included, beside cold detection of the
 * same bodies, call by call in turns. In: the standard scenes at several displacements, and a gas of bodies that bounce
 * off one another. Out: a table, in nanoseconds a body of processor time of one thread.
 *
 *     carom_coherent_means [--scenes LETTERS] [--bodies N,...] [--radii D,...] [--steps N] [--threads N] [--box SHAPE]
 *                          [--paths PATHS]
 *
 * --scenes: letters of the standard scenes, and g for the gas. --radii: mean displacement of a step, in radii.
 * --box: the scene's box repeats in space: `right` or `tilted`. Then bodies fly on through its faces, and are moved
 * back into it. --paths: `whole` (bodies sweep to where they are in the next step) or `none` (they are at rest in every
 * step, as in a neighbour list, and have moved by the next one). */
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
    const char *box; /* NULL: open space */
    bool rests;      /* bodies are at rest within a step */
} options;

/* A scene that moves by itself; a gas is one whose bodies bounce as well. */
typedef struct film {
    carom_scene_f32 scene;
    carom_scene_motion motion;
    bool bounces;
    bool repeats;
    carom_periodic box; /* if it repeats */
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

/* The edges of a tilted box, in widths of the scene's box. */
static const double TILTED[3][3] = {{1.0, 0.0, 0.0}, {0.3, 1.0, 0.0}, {-0.2, 0.25, 1.0}};

/* Moves body n by whole edges of the box so that it starts in the cell that they span, as molecular dynamics does. Edge
 * a has no component along the axes after a. */
static void wrap(film *f, uint64_t n) {
    for (int a = 2; a >= 0; a--) {
        double share[3] = {0.0, 0.0, 0.0};
        for (int b = 2; b >= a; b--) {
            share[b] = (double)f->scene.prev[b][n];
            for (int c = 2; c > b; c--) {
                share[b] -= share[c] * f->box.edge[c][b];
            }
            share[b] /= f->box.edge[b][b];
        }
        const double along = floor(share[a]);
        for (int j = 0; j <= a && along != 0.0; j++) {
            f->scene.prev[j][n] -= (float)(along * f->box.edge[a][j]);
            f->scene.curr[j][n] -= (float)(along * f->box.edge[a][j]);
        }
    }
}

static void make_box(film *f, bool tilted) {
    f->box = carom_periodic_default();
    for (int a = 0; a < 3; a++) {
        f->box.along[a] = true;
        for (int j = 0; j < 3; j++) {
            f->box.edge[a][j] = (tilted ? TILTED[a][j] : a == j ? 1.0 : 0.0) * (double)f->scene.box[a];
        }
    }
    for (uint64_t n = 0; n < f->scene.count; n++) {
        wrap(f, n);
    }
}

static bool start(film *f, const options *o, char letter, uint64_t bodies, double radii) {
    *f = (film){.bounces = letter == 'g', .repeats = o->box != NULL};
    letter = f->bounces ? 'u' : letter;
    if (carom_scene_make(letter, bodies, 1, &f->scene) != CAROM_OK ||
        carom_scene_motion_start(letter, radii / SCENE_RADII, &f->scene, &f->motion) != CAROM_OK) {
        return false;
    }
    if (f->repeats) {
        make_box(f, strcmp(o->box, "tilted") == 0);
    }
    return true;
}

static void go_on(film *f) {
    if (!f->repeats) {
        carom_scene_motion_step(&f->motion, &f->scene);
        return;
    }
    for (uint64_t n = 0; n < f->scene.count; n++) {
        for (int a = 0; a < 3; a++) {
            f->scene.prev[a][n] = f->scene.curr[a][n];
            f->scene.curr[a][n] += f->motion.displacement[a][n];
        }
        wrap(f, n);
    }
}

static bool run(const options *o, film *f, carom_context *context[2], totals *t) {
    carom_coherent_f32 *coherent;
    carom_detect_config config = carom_detect_config_default();
    config.periodic = f->repeats ? &f->box : NULL;
    bool fine = carom_coherent_create_f32(context[0], NULL, &coherent, NULL) == CAROM_OK;
    for (uint32_t step = 0; step < o->steps && fine; step++) {
        carom_bodies_f32 bodies = carom_scene_bodies(&f->scene);
        for (int a = 0; a < 3 && o->rests; a++) {
            bodies.curr[a] = NULL;
        }
        carom_detection_f32 found = {0};
        carom_detection_f32 cold = {0};
        carom_coherent_report told = {0};
        const double begin = processor_seconds();
        fine = carom_coherent_detect_f32(coherent, &bodies, &config, NULL, &found, &told, NULL) == CAROM_OK;
        const double middle = processor_seconds();
        fine = fine && carom_detect_f32(context[1], &bodies, &config, NULL, &cold, NULL) == CAROM_OK;
        t->cold += processor_seconds() - middle;
        t->coherent += middle - begin;
        t->rebuilds += told.rebuilt;
        t->cold_steps += told.cold;
        t->differences += found.summary.touching_pairs != cold.summary.touching_pairs;
        if (f->bounces) {
            bounce(f, &cold);
        }
        go_on(f);
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
    const bool fine = start(&f, o, letter, bodies, radii) &&
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
        } else if (strcmp(argv[n], "--box") == 0) {
            o->box = argv[n + 1];
        } else if (strcmp(argv[n], "--paths") == 0) {
            o->rests = strcmp(argv[n + 1], "none") == 0;
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
                        "[--threads N] [--box right|tilted] [--paths whole|none]\n");
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
