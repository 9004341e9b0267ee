/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What the tests build with other build systems: spheres of diameter 1 on a cubic lattice of spacing 1 that drifts. All
 * neighbours just touch, so n^3 bodies have 3 n^2 (n - 1) pairs and are one group. Usage: lattice [N] */
#include <carom/carom.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static float *lattice(unsigned n, unsigned stride, float drift) {
    const size_t count = (size_t)n * n * n;
    float *x = malloc(count * sizeof *x);
    for (size_t b = 0; x != NULL && b < count; b++) {
        x[b] = (float)(b / stride % n) + drift;
    }
    return x;
}

static int detect(carom_context *context, const carom_bodies_f32 *bodies) {
    carom_detect_config config = carom_detect_config_default();
    config.hash = true;
    carom_detection_f32 found = {0};
    carom_error error;
    if (carom_detect_f32(context, bodies, &config, NULL, &found, &error) != CAROM_OK) {
        fprintf(stderr, "%s\n", error.message);
        return EXIT_FAILURE;
    }
    printf("carom %s: %" PRIu64 " bodies, %" PRIu64 " pairs, %" PRIu64 " groups, result %016" PRIx64 "\n",
           carom_version(), bodies->count, found.pair_count, found.summary.groups, found.summary.result_hash);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv) {
    const unsigned n = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 48;
    float *place[7];
    for (unsigned a = 0, stride = 1; a < 3; a++, stride *= n) {
        place[a] = lattice(n, stride, 0);
        place[3 + a] = lattice(n, stride, 0.25f * (float)(a + 1));
    }
    place[6] = lattice(n, n * n * n, 0.5f);
    const carom_bodies_f32 bodies = {.count = (uint64_t)n * n * n,
                                     .prev = {place[0], place[1], place[2]},
                                     .curr = {place[3], place[4], place[5]},
                                     .radius = place[6]};
    carom_context_config config = carom_context_config_default();
    config.threads = 2;
    carom_context *context;
    carom_error error;
    int status = EXIT_FAILURE;
    if (carom_context_create(&config, &context, &error) == CAROM_OK) {
        status = detect(context, &bodies);
        carom_context_destroy(context);
    }
    for (int a = 0; a < 7; a++) {
        free(place[a]);
    }
    return status;
}
