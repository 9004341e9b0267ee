/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What a random test is at, so that a failure says which scene it was and how to run it again. */
#ifndef CAROM_TESTS_NOTE_H
#define CAROM_TESTS_NOTE_H

#include <stdbool.h>
#include <stdint.h>

/* CAROM_TEST_SEED from the environment, else 1. Printed by note_start. */
uint64_t note_seed(void);

/* CAROM_TEST_CASE: only this case is to run; UINT64_MAX: all. */
uint64_t note_only_case(void);

/* CAROM_TEST_LONG is set, and it is no short run: run what takes minutes, too. */
bool note_long(void);

/* CAROM_TEST_SHORT is set: a sanitizer or an emulator makes everything slow, run less of each kind. */
bool note_short(void);

/* How many of `cases` alike to run: all, or a tenth in a short run. */
uint64_t note_cases(uint64_t cases);

/* Of many places where something may go wrong each is tried in a long run, each fifth in others: how far it is to the
 * next. */
uint64_t note_stride(void);

/* Says which program runs and with which seed. */
void note_start(const char *program);

/* The case the next checks belong to. */
void note_case(uint64_t number, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Fails the running test with the note, the message and the command that repeats it. */
void note_check(bool holds, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Runs `run` for as many of `cases` as note_cases says, or for the only one that is to run. */
void note_each_case(uint64_t cases, void (*run)(uint64_t number));

/* A reproducible start for the random numbers of one case. */
uint64_t note_case_seed(uint64_t number);

#endif
