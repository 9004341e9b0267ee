/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Preloaded into a program: the heap refuses a request. CAROM_TEST_REFUSE=N refuses the N-th request since main began,
 * CAROM_TEST_REFUSE=N+ that and all after it; CAROM_TEST_REQUESTS=FILE writes to FILE how many there were. Requests
 * from before main, of loaders and constructors, do not count, nor do those of OpenMP's runtimes and for threads: GNU's
 * runtime ends the program without them, LLVM's hangs. For glibc, whose own names of the heap's functions are what is
 * called here. */
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *block, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

typedef int main_function(int argc, char **argv, char **environment);
typedef int start_function(main_function *program, int argc, char **argv, void (*init)(void), void (*fini)(void),
                           void (*loader_fini)(void), void *stack_end);
start_function __libc_start_main;

static _Atomic uint64_t requests;
static _Atomic bool counts;
static uint64_t refuse_at; /* 0: none */
static bool from_then_on;
static main_function *program_main;

/* Whether the code at `caller` is of a library whose requests are not refused. */
static bool is_spared(const void *caller) {
    static const char *const names[] = {"/libgomp", "/libomp", "/ld-"};
    Dl_info info;
    bool spared = false;
    for (size_t n = 0; n < sizeof names / sizeof names[0] && dladdr(caller, &info) != 0; n++) {
        spared = spared || strstr(info.dli_fname, names[n]) != NULL;
    }
    return spared;
}

static bool refused(const void *caller) {
    if (!counts || is_spared(caller)) {
        return false;
    }
    uint64_t request = atomic_fetch_add(&requests, 1) + 1;
    bool refuse = refuse_at != 0 && (request == refuse_at || (from_then_on && request > refuse_at));
    if (refuse) {
        errno = ENOMEM;
    }
    return refuse;
}

void *malloc(size_t bytes) {
    return refused(__builtin_return_address(0)) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes) {
    return refused(__builtin_return_address(0)) ? NULL : __libc_calloc(count, bytes);
}

/* To make a block smaller may fail as well. */
void *realloc(void *block, size_t bytes) {
    return refused(__builtin_return_address(0)) ? NULL : __libc_realloc(block, bytes);
}

void *memalign(size_t alignment, size_t bytes) {
    return refused(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes) {
    return refused(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, bytes);
}

int posix_memalign(void **block, size_t alignment, size_t bytes) {
    void *made = refused(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, bytes);
    *block = made != NULL ? made : *block;
    return made != NULL ? 0 : ENOMEM;
}

static void report(void) {
    counts = false;
    const char *path = getenv("CAROM_TEST_REQUESTS");
    FILE *file = path != NULL ? fopen(path, "w") : NULL;
    if (file != NULL) {
        fprintf(file, "%llu\n", (unsigned long long)requests);
        fclose(file);
    }
}

static int counted_main(int argc, char **argv, char **environment) {
    const char *refuse = getenv("CAROM_TEST_REFUSE");
    if (refuse != NULL) {
        char *end;
        refuse_at = strtoull(refuse, &end, 10);
        from_then_on = *end == '+';
    }
    atexit(report);
    counts = true;
    return program_main(argc, argv, environment);
}

int __libc_start_main(main_function *program, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*loader_fini)(void), void *stack_end) {
    start_function *start;
    void *found = dlsym(RTLD_NEXT, "__libc_start_main");
    memcpy(&start, &found, sizeof start);
    program_main = program;
    return start(counted_main, argc, argv, init, fini, loader_fini, stack_end);
}
