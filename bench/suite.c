/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "bench/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const uint64_t carom_bench_sizes[CAROM_BENCH_SIZES] = {1000, 10000, 100000, 1000000};

size_t carom_bench_threads(uint32_t threads[16]) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t count = 0;
    for (long t = 1; t < cores && count < 15; t *= 2) {
        threads[count++] = (uint32_t)t;
    }
    threads[count++] = cores > 0 ? (uint32_t)cores : 1;
    return count;
}

void *carom_bench_allocate(size_t bytes) {
    void *block = malloc(bytes);
    if (block == NULL) {
        fputs("carom_bench: no memory\n", stderr);
        exit(4);
    }
    return block;
}

const carom_scene_f32 *carom_bench_scene(char letter, uint64_t count) {
    static carom_scene_f32 scene;
    static char made;
    if (made != letter || scene.count != count) {
        carom_scene_release(&scene);
        if (carom_scene_make(letter, count, 1, &scene) != CAROM_OK) {
            fputs("carom_bench: no memory for a scene\n", stderr);
            exit(4);
        }
        made = letter;
    }
    return &scene;
}

static const double *widen(const float *from, uint64_t count, double *to) {
    for (uint64_t n = 0; n < count; n++) {
        to[n] = (double)from[n];
    }
    return to;
}

carom_bodies_f64 carom_bench_bodies_f64(char letter, uint64_t count) {
    static double *block;
    static carom_bodies_f64 bodies;
    static char made;
    if (made == letter && bodies.count == count) {
        return bodies;
    }
    const carom_scene_f32 *scene = carom_bench_scene(letter, count);
    free(block);
    block = carom_bench_allocate(7 * count * sizeof *block);
    for (uint64_t a = 0; a < 3; a++) {
        bodies.prev[a] = widen(scene->prev[a], count, block + a * count);
        bodies.curr[a] = widen(scene->curr[a], count, block + (a + 3) * count);
    }
    bodies.radius = widen(scene->radius, count, block + 6 * count);
    bodies.count = count;
    made = letter;
    return bodies;
}
