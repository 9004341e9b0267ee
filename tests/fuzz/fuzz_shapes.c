/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bytes as a scene with shapes in JSON. Guards that its reader neither crashes nor leaks nor hangs, that what it
 * accepts are shapes and bodies that the library takes, also when they move on, and that what it refuses it refuses
 * with a message that names the file. The command's own way to say things is replaced: messages are kept here. */
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/detect.h"
#include "kernel/cli/shaped_motion.h"
#include "kernel/cli/shaped_read.h"
#include "kernel/cli/shaped_view.h"
#include "tests/fuzz/target.h"

/* Detection takes milliseconds a pair in the worst case. */
enum { DETECTED_BODIES_MOST = 4, SAID_SIZE = 8192, STEPS = 3 };

static const char NAME[] = "scene.json";

static char said[SAID_SIZE];
static carom_context *context;

static void expect(bool holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "%s: \"%s\"\n", what, said);
        abort();
    }
}

void carom_say(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(said, sizeof said, format, arguments);
    va_end(arguments);
}

carom_exit carom_say_exit_of(carom_status status) {
    return status == CAROM_OK ? CAROM_EXIT_OK : status == CAROM_ERROR_MEMORY ? CAROM_EXIT_RESOURCES : CAROM_EXIT_INPUT;
}

carom_exit carom_say_error(carom_status status, const carom_error *error) {
    carom_say("%s", error->message);
    return carom_say_exit_of(status);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    carom_context_config config = carom_context_config_default();
    config.threads = 1;
    expect(carom_context_create(&config, &context, NULL) == CAROM_OK, "no context");
    return 0;
}

static void check_table(const carom_shaped *shaped) {
    expect(carom_shapes_count(shaped->table) == shaped->entries.count, "a table of another length");
    for (uint64_t n = 0; n < shaped->entries.count; n++) {
        carom_shape_facts facts;
        expect(carom_shapes_facts(shaped->table, n, &facts, NULL) == CAROM_OK, "an entry without facts");
        expect(facts.kind == shaped->entries.shape[n].kind && facts.reach >= 0, "an entry of another kind");
    }
}

static void check_bodies(const carom_shaped *shaped) {
    expect(!(shaped->turns && shaped->spins), "two ways to turn");
    expect(shaped->moves || !(shaped->turns || shaped->spins), "a rotation at rest");
    for (uint64_t body = 0; body < shaped->count; body++) {
        expect(shaped->shape[body] < shaped->entries.count, "a shape that there is none of");
        for (int array = 0; array < CAROM_SHAPED_ARRAYS; array++) {
            expect(isfinite(shaped->array[array][body]), carom_shaped_name(array));
        }
    }
}

/* The message begins with the file's name. */
static void check_refusal(carom_exit outcome) {
    expect(outcome == CAROM_EXIT_INPUT, "an unfitting exit code");
    expect(strncmp(said, NAME, sizeof NAME - 1) == 0 && said[sizeof NAME - 1] == ':', "a message without path");
}

/* The library takes the bodies, or names one: of an endless shape, or with a number that has overflowed. */
static bool is_detected(const carom_shaped *shaped) {
    const carom_bodies_f64 bodies = carom_shaped_view_f64(shaped);
    carom_detection_f64 found = {.size = sizeof found};
    carom_error error = {.message = ""};
    const carom_status status = carom_detect_f64(context, &bodies, NULL, NULL, &found, &error);
    expect(status == CAROM_OK || (status == CAROM_ERROR_BODY && error.body < shaped->count), error.message);
    return status == CAROM_OK;
}

/* From step to step no rotation loses its length. */
static void move(carom_shaped *shaped) {
    carom_shaped_motion motion;
    bool detected = is_detected(shaped);
    expect(carom_shaped_motion_start(-1.5, shaped, &motion) == CAROM_EXIT_OK, "no memory for a motion");
    for (int step = 0; step < STEPS && detected; step++) {
        detected = is_detected(shaped);
        carom_shaped_motion_step(&motion, shaped);
        for (uint64_t body = 0; body < shaped->count && detected; body++) {
            double square = 0;
            for (int d = 0; d < 4; d++) {
                const double q = shaped->array[CAROM_SHAPED_PREV_TURN + d][body];
                square += q * q;
            }
            expect(square > 0.2499 && square < 4.0001, "a rotation has lost its length");
        }
    }
    carom_shaped_motion_end(&motion);
}

/* What the reader took the library takes. */
static void detect(carom_shaped *shaped) {
    carom_memory memory;
    carom_buffer converted = {.data = NULL};
    carom_bodies_f32 narrow;
    carom_memory_init(&memory, NULL, 0);
    if (carom_shaped_view_f32(shaped, &memory, &converted, &narrow) != CAROM_EXIT_OK) {
        expect(strstr(said, "too large for a float") != NULL, "floats are refused");
    } else {
        expect(narrow.count == shaped->count && narrow.shapes == shaped->table, "another scene in floats");
    }
    carom_buffer_release(&memory, &converted);
    if (shaped->count <= DETECTED_BODIES_MOST) {
        move(shaped);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *copy = malloc(size + 1);
    expect(copy != NULL, "no memory");
    if (size > 0) {
        memcpy(copy, data, size);
    }
    copy[size] = '\0';
    const carom_text text = {.path = NAME, .data = copy, .size = size, .at = copy};
    carom_shaped shaped;
    said[0] = '\0';
    const carom_exit outcome = carom_shaped_read(NAME, &text, &shaped);
    if (outcome == CAROM_EXIT_OK) {
        expect(said[0] == '\0', "a message without need");
        check_table(&shaped);
        check_bodies(&shaped);
        detect(&shaped);
    } else {
        check_refusal(outcome);
    }
    carom_shaped_release(&shaped);
    free(copy);
    return 0;
}
