/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Faults on purpose, one a run, so that whoever trusts a sanitizer can see it at work first. Not a test: every run but
 * "none" and "joined" must be ended by the sanitizer that looks for its fault.
 *
 *     seeded_fault none|joined|race|overrun|cast|shift|uninitialised|leak */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORKERS = 4 };

/* Volatile, so that no compiler sees through what follows. */
static volatile int one = 1;
static int shared[2 * WORKERS];

/* Written in one region, read in the next by other threads: the end of a region joins them, and a sanitizer that does
 * not know OpenMP would report a race. */
static int joined(void) {
    int sum = 0;
    for (int round = 0; round < 100; round++) {
#ifdef _OPENMP
#pragma omp parallel for num_threads(WORKERS) schedule(static, 1)
#endif
        for (int worker = 0; worker < WORKERS; worker++) {
            shared[worker] = shared[(worker + 1) % WORKERS + WORKERS] + one;
        }
#ifdef _OPENMP
#pragma omp parallel for num_threads(WORKERS) schedule(static, 1)
#endif
        for (int worker = 0; worker < WORKERS; worker++) {
            shared[worker + WORKERS] = shared[(worker + 1) % WORKERS];
        }
        sum += shared[0];
    }
    return sum;
}

static int race(void) {
#ifdef _OPENMP
#pragma omp parallel for num_threads(WORKERS) schedule(static, 1)
#endif
    for (int worker = 0; worker < WORKERS; worker++) {
        for (int n = 0; n < 1000; n++) {
            shared[0] += one;
        }
    }
    return shared[0];
}

static int overrun(void) {
    char *volatile block = malloc(64);
    int read = block != NULL ? block[63 + one] : 0;
    free(block);
    return read;
}

static int cast(void) {
    double large = 1e30 * one;
    return (int)large;
}

static int shift(void) {
    return one << (31 + one);
}

static int uninitialised(void) {
    int *volatile block = malloc(64 * sizeof *block);
    if (block != NULL && block[7 * one] == 3) {
        puts("three"); /* a branch, as a value alone is not reported */
    }
    free(block);
    return 0;
}

static int leak(void) {
    int *volatile lost = malloc(64);
    lost = NULL;
    return lost != NULL;
}

int main(int count, char **word) {
    static const struct {
        const char *name;
        int (*run)(void);
    } faults[] = {{"joined", joined},
                  {"race", race},
                  {"overrun", overrun},
                  {"cast", cast},
                  {"shift", shift},
                  {"leak", leak},
                  {"uninitialised", uninitialised}};
    int answer = 0;
    for (size_t n = 0; count > 1 && n < sizeof faults / sizeof faults[0]; n++) {
        if (strcmp(word[1], faults[n].name) == 0) {
            answer = faults[n].run();
        }
    }
    printf("%d\n", answer);
    return 0;
}
