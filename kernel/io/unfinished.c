/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/io/unfinished.h"

#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "kernel/check/assert.h"

/* Files at once; the command writes one after the other. */
enum { FILES_MAX = 8 };

/* A handler reads a name only while it is whole. */
typedef enum state { FREE, TAKEN, WHOLE } state;

static _Atomic(state) states[FILES_MAX];
static char names[FILES_MAX][PATH_MAX];

/* Bytes that stay; 0: the file is removed. */
static _Atomic(int64_t) kept[FILES_MAX];

_Static_assert(ATOMIC_INT_LOCK_FREE == 2 && ATOMIC_LLONG_LOCK_FREE == 2, "a signal handler reads the states");

int carom_unfinished_begin(const char *path, int64_t bytes) {
    for (int n = 0; n < FILES_MAX && strlen(path) < PATH_MAX; n++) {
        state expected = FREE;
        if (atomic_compare_exchange_strong(&states[n], &expected, TAKEN)) {
            strcpy(names[n], path);
            atomic_store(&kept[n], bytes);
            atomic_store(&states[n], WHOLE);
            return n;
        }
    }
    return -1;
}

void carom_unfinished_keep(int ticket, int64_t bytes) {
    CAROM_ASSERT(ticket >= 0 && ticket < FILES_MAX && states[ticket] == WHOLE && bytes > 0);
    atomic_store(&kept[ticket], bytes);
}

void carom_unfinished_end(int ticket) {
    CAROM_ASSERT(ticket >= 0 && ticket < FILES_MAX && states[ticket] == WHOLE);
    atomic_store(&states[ticket], FREE);
}

/* The signal is blocked until this returns; raised again, it then does what it does by default. */
static void remove_all(int number) {
    for (int n = 0; n < FILES_MAX; n++) {
        if (atomic_load(&states[n]) != WHOLE) {
            continue;
        }
        const int64_t bytes = atomic_load(&kept[n]);
        if ((bytes > 0 ? truncate(names[n], bytes) : unlink(names[n])) != 0) {
            continue; /* nothing else can be done here */
        }
    }
    raise(number);
}

/* The signal that carom_unfinished_defer waits for, once it came. */
static atomic_int interrupted;

/* A step may take long: a user who sees nothing happen would interrupt it again. */
static void note_interrupt(int number) {
    static const char notice[] = "\ncarom: the run ends after this step; a second signal ends it at once\n";
    if (atomic_exchange(&interrupted, number) != 0) {
        (void)signal(number, SIG_DFL);
        remove_all(number);
    } else if (write(STDERR_FILENO, notice, sizeof notice - 1) < 0) {
        return; /* nobody listens */
    }
}

/* Whether a signal would end the program. */
static bool is_heeded(int number) {
    struct sigaction before;
    return sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN;
}

void carom_unfinished_defer(void) {
    struct sigaction action = {.sa_handler = note_interrupt, .sa_flags = SA_RESTART};
    sigfillset(&action.sa_mask);
    if (is_heeded(SIGINT)) {
        (void)sigaction(SIGINT, &action, NULL);
    }
    if (is_heeded(SIGTERM)) {
        (void)sigaction(SIGTERM, &action, NULL);
    }
}

int carom_unfinished_interrupted(void) {
    return atomic_load(&interrupted);
}

void carom_unfinished_watch(void) {
    static const int ends[] = {SIGHUP, SIGINT, SIGPIPE, SIGTERM};
    struct sigaction action = {.sa_handler = remove_all, .sa_flags = (int)SA_RESETHAND};
    sigfillset(&action.sa_mask);
    for (size_t n = 0; n < sizeof ends / sizeof *ends; n++) {
        if (is_heeded(ends[n])) {
            (void)sigaction(ends[n], &action, NULL);
        }
    }
    (void)signal(SIGXFSZ, SIG_IGN);
}
