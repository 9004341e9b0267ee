/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Results are the same bits everywhere: the hashes of some scenes, calls and precisions, on every instruction set and
 * several numbers of threads, in a floating-point environment of the host's, against those stored in
 * tests/golden/result_hashes.csv. Needs nothing but the library, so that it can be built and emulated for any machine:
 *
 *     result_hashes FILE [--threads 1,2,3] [--environment default|flush|up] [--most BODIES] [--best ISA] [--print]
 *
 * --most: scenes of more bodies are left out. --best: the instruction set that must be chosen here. --print: writes the
 * file's lines anew. Exit code 1: a hash differs, a call failed, or the environment was not left as it was. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/matrix/float_environment.h"
#include "tests/matrix/frames.h"

enum { ISAS_MOST = 8, THREADS_MOST = 16, LINE_MOST = 160, SHOWN_MOST = 12 };

static const char *const CALL_NAMES[CALL_KINDS] = {"open", "periodic", "coherent"};

/* One line of the file. */
typedef struct row {
    char letter;
    uint64_t bodies;
    int exponent;
    call_kind call;
    int bits;
    hashes hash;
} row;

typedef struct options {
    const char *path;
    uint32_t threads[THREADS_MOST];
    uint32_t thread_counts;
    float_environment environment;
    uint64_t most;
    const char *best;
    bool print;
} options;

static uint64_t results;
static uint64_t differences;
static uint64_t disturbances;

static int usage(void) {
    fprintf(stderr,
            "result_hashes FILE [--threads 1,2,3] [--environment default|flush|up] [--most BODIES] [--best ISA] "
            "[--print]\n");
    return 2;
}

static int index_of(const char *name, const char *const *names, int count) {
    for (int n = 0; n < count; n++) {
        if (strcmp(names[n], name) == 0) {
            return n;
        }
    }
    return -1;
}

static bool parse_threads(char *list, options *o) {
    o->thread_counts = 0;
    for (char *word = strtok(list, ","); word != NULL && o->thread_counts < THREADS_MOST; word = strtok(NULL, ",")) {
        o->threads[o->thread_counts++] = (uint32_t)strtoul(word, NULL, 10);
    }
    return o->thread_counts > 0;
}

static bool set_environment(const char *name, options *o) {
    int environment = index_of(name, float_environment_names, FLOAT_ENVIRONMENTS);
    o->environment = environment < 0 ? FLOAT_USUAL : (float_environment)environment;
    return environment >= 0;
}

static bool set_option(const char *name, char *value, options *o) {
    if (strcmp(name, "--threads") == 0) {
        return parse_threads(value, o);
    }
    if (strcmp(name, "--environment") == 0) {
        return set_environment(value, o);
    }
    if (strcmp(name, "--most") == 0) {
        o->most = strtoull(value, NULL, 10);
        return true;
    }
    o->best = value;
    return strcmp(name, "--best") == 0;
}

static bool parse_options(int count, char **word, options *o) {
    for (int n = 1; n < count; n++) {
        if (strcmp(word[n], "--print") == 0) {
            o->print = true;
        } else if (word[n][0] != '-') {
            o->path = word[n];
        } else if (n + 1 == count || !set_option(word[n], word[n + 1], o)) {
            return false;
        } else {
            n++;
        }
    }
    return o->path != NULL;
}

/* A comment or the head. */
static bool is_prose(const char *line) {
    return line[0] == '#' || strncmp(line, "scene,", 6) == 0;
}

static bool parse_row(const char *line, row *r) {
    char call[16];
    if (sscanf(line, "%c,%" SCNu64 ",%d,%15[a-z],f%d,%" SCNx64 ",%" SCNx64, &r->letter, &r->bodies, &r->exponent, call,
               &r->bits, &r->hash.touching, &r->hash.result) != 7) {
        return false;
    }
    int kind = index_of(call, CALL_NAMES, CALL_KINDS);
    r->call = (call_kind)kind;
    return kind >= 0;
}

static carom_context *make_context(const char *isa, uint32_t threads) {
    carom_context_config config = carom_context_config_default();
    config.isa = isa;
    config.threads = threads;
    config.bodies_per_thread = 1;
    carom_context *context;
    carom_error error;
    if (carom_context_create(&config, &context, &error) != CAROM_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    return context;
}

/* Within the environment is nothing but the call. */
static bool detect(const row *r, const frames *f, carom_context *context, float_environment environment,
                   hashes *found) {
    float_environment_enter(environment);
    bool fine = r->bits == 32 ? frames_hash_f32(f, context, found) : frames_hash_f64(f, context, found);
    if (!float_environment_leave(environment)) {
        disturbances++;
    }
    results++;
    return fine;
}

static void compare(const row *r, const frames *f, const char *isa, uint32_t threads, const options *o) {
    carom_context *context = make_context(isa, threads);
    hashes found;
    bool fine = detect(r, f, context, o->environment, &found);
    carom_context_destroy(context);
    if (fine && found.touching == r->hash.touching && found.result == r->hash.result) {
        return;
    }
    if (differences++ < SHOWN_MOST) {
        printf("%s: %c %" PRIu64 " 2^%d %s f%d, %s, %u threads, %s: %s %016" PRIx64 " %016" PRIx64 ", not %016" PRIx64
               " %016" PRIx64 "\n",
               o->path, r->letter, r->bodies, r->exponent, CALL_NAMES[r->call], r->bits, isa, threads,
               float_environment_names[o->environment], fine ? "hashes" : "the call failed,", found.touching,
               found.result, r->hash.touching, r->hash.result);
    }
}

/* As one thread of scalar code has it. */
static void print_row(const row *r, const frames *f) {
    carom_context *context = make_context("scalar", 1);
    hashes found;
    if (!detect(r, f, context, FLOAT_USUAL, &found)) {
        exit(1);
    }
    carom_context_destroy(context);
    printf("%c,%" PRIu64 ",%d,%s,f%d,%016" PRIx64 ",%016" PRIx64 "\n", r->letter, r->bodies, r->exponent,
           CALL_NAMES[r->call], r->bits, found.touching, found.result);
}

static void run_row(const row *r, const options *o) {
    const char *isas[ISAS_MOST];
    size_t count = carom_isa_available(isas, ISAS_MOST);
    frames f = frames_make(r->call, r->letter, r->bodies, r->exponent);
    for (size_t n = 0; n < (o->print ? 0 : count); n++) {
        for (uint32_t t = 0; t < o->thread_counts; t++) {
            compare(r, &f, isas[n], o->threads[t], o);
        }
    }
    if (o->print) {
        print_row(r, &f);
    }
    frames_release(&f);
}

/* Threads that OpenMP keeps have the environment of the moment they were made in: that is to be the usual one, so that
 * they and the caller differ. */
static void start_threads(void) {
    frames f = frames_make(CALL_OPEN, 'u', 4000, 0);
    carom_context *context = make_context(NULL, THREADS_MOST);
    hashes ignored;
    if (!frames_hash_f32(&f, context, &ignored)) {
        exit(1);
    }
    carom_context_destroy(context);
    frames_release(&f);
}

static bool best_is_right(const options *o) {
    carom_context *context = make_context(NULL, 1);
    bool right = o->best == NULL || strcmp(carom_context_isa(context), o->best) == 0;
    if (!right) {
        printf("%s was chosen, not %s\n", carom_context_isa(context), o->best);
    }
    carom_context_destroy(context);
    return right;
}

static void print_closing(const options *o) {
    const char *isas[ISAS_MOST];
    size_t count = carom_isa_available(isas, ISAS_MOST);
    printf("%" PRIu64 " results, %" PRIu64 " differ, environment %s disturbed %" PRIu64 " times, threads", results,
           differences, float_environment_names[o->environment], disturbances);
    for (uint32_t t = 0; t < o->thread_counts; t++) {
        printf(" %u", o->threads[t]);
    }
    printf(", on");
    for (size_t n = 0; n < count; n++) {
        printf(" %s", isas[n]);
    }
    printf("\n");
}

int main(int count, char **word) {
    options o = {.threads = {1, 2, 3, 8}, .thread_counts = 4, .environment = FLOAT_USUAL, .most = UINT64_MAX};
    if (!parse_options(count, word, &o)) {
        return usage();
    }
    FILE *file = fopen(o.path, "r");
    if (file == NULL) {
        perror(o.path);
        return 2;
    }
    start_threads();
    char line[LINE_MOST];
    while (fgets(line, sizeof line, file) != NULL) {
        row r;
        if (is_prose(line)) {
            fputs(o.print ? line : "", stdout);
        } else if (!parse_row(line, &r)) {
            fprintf(stderr, "%s: no row: %s", o.path, line);
            return 2;
        } else if (r.bodies <= o.most) {
            run_row(&r, &o);
        }
    }
    fclose(file);
    if (o.print) {
        return 0;
    }
    print_closing(&o);
    return best_is_right(&o) && results > 0 && differences == 0 && disturbances == 0 ? 0 : 1;
}
