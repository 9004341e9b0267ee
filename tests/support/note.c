/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/support/note.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/check.h"

static const char *running = "test";
static uint64_t case_number;
static char case_text[256] = "";

static uint64_t number_from(const char *name, uint64_t otherwise) {
    const char *text = getenv(name);
    return text != NULL && text[0] != '\0' ? strtoull(text, NULL, 10) : otherwise;
}

uint64_t note_seed(void) {
    return number_from("CAROM_TEST_SEED", 1);
}

uint64_t note_only_case(void) {
    return number_from("CAROM_TEST_CASE", UINT64_MAX);
}

bool note_long(void) {
    return number_from("CAROM_TEST_LONG", 0) != 0 && !note_short();
}

bool note_short(void) {
    return number_from("CAROM_TEST_SHORT", 0) != 0;
}

uint64_t note_cases(uint64_t cases) {
    return note_short() ? (cases + 9) / 10 : cases;
}

uint64_t note_stride(void) {
    return note_long() ? 1 : 5;
}

void note_start(const char *program) {
    running = program;
    printf("# %s: CAROM_TEST_SEED=%" PRIu64 "\n", program, note_seed());
}

void note_case(uint64_t number, const char *format, ...) {
    case_number = number;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(case_text, sizeof case_text, format, arguments);
    va_end(arguments);
}

void note_check(bool holds, const char *format, ...) {
    if (holds) {
        return;
    }
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    fail_msg("case %" PRIu64 " (%s): %s\n# repeat: CAROM_TEST_SEED=%" PRIu64 " CAROM_TEST_CASE=%" PRIu64 " %s",
             case_number, case_text, message, note_seed(), case_number, running);
}

uint64_t note_case_seed(uint64_t number) {
    return note_seed() * UINT64_C(0x9E3779B97F4A7C15) ^ (number + 1) * UINT64_C(0xD1B54A32D192ED03);
}

void note_each_case(uint64_t cases, void (*run)(uint64_t number)) {
    for (uint64_t number = 0; number < note_cases(cases); number++) {
        if (note_only_case() == UINT64_MAX || note_only_case() == number) {
            run(number);
        }
    }
}
