/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A host loads the library, calls it on two threads and unloads it, fifty times: threads that are still there must not
 * find their code gone. So does one whose plugin has the library in it. Usage: test_unload LIBRARY. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <carom/carom.h>

enum { BODIES = 20000, ROUNDS = 50 };

static float field[BODIES];

/* POSIX has functions behind void pointers. */
#define LOOK_UP(library, name) (*(void **)&name = dlsym(library, "carom_" #name))

static int call_once(void *library) {
    carom_status (*context_create)(const carom_context_config *, carom_context **, carom_error *);
    void (*context_destroy)(carom_context *);
    carom_status (*detect_f32)(carom_context *, const carom_bodies_f32 *, const carom_detect_config *,
                               const carom_detect_output_f32 *, carom_detection_f32 *, carom_error *);
    if (LOOK_UP(library, context_create) == NULL || LOOK_UP(library, context_destroy) == NULL ||
        LOOK_UP(library, detect_f32) == NULL) {
        return 1;
    }
    for (int n = 0; n < BODIES; n++) {
        field[n] = (float)n;
    }
    carom_bodies_f32 bodies = {.count = BODIES, .radius = field};
    for (int a = 0; a < 3; a++) {
        bodies.prev[a] = field;
        bodies.curr[a] = field;
    }
    carom_context_config config = carom_context_config_default();
    config.threads = 2;
    carom_detect_config counted = carom_detect_config_default();
    counted.until = CAROM_UNTIL_BOUNDS;
    carom_context *context = NULL;
    carom_detection_f32 found = {0};
    int failed = context_create(&config, &context, NULL) != CAROM_OK ||
                 detect_f32(context, &bodies, &counted, NULL, &found, NULL) != CAROM_OK;
    context_destroy(context);
    return failed;
}

int main(int argc, char **argv) {
    const struct timespec while_threads_look = {.tv_nsec = 5 * 1000 * 1000};
    for (int round = 0; round < ROUNDS; round++) {
        void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
        if (library == NULL || call_once(library) != 0) {
            fprintf(stderr, "%s\n", library == NULL ? dlerror() : "a call failed");
            return EXIT_FAILURE;
        }
        dlclose(library);
        nanosleep(&while_threads_look, NULL);
    }
    return EXIT_SUCCESS;
}
