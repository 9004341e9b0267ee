/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Contexts: in comes a config, out goes a context with the instruction set, the number of threads and the memory that
 * its calls share. All of the config is checked here. What a context holds is in kernel/store/context.h. */
#include "carom/context.h"

#include <string.h>

#include "kernel/api/layout.h"
#include "kernel/store/context.h"
#include "kernel/sys/environment.h"
#include "kernel/sys/error.h"
#include "simd/dispatch.h"

/* More than there are. */
enum { ISA_MAX = 8 };

/* Starting a thread's share of ten stages costs as much as searching so many bodies. */
enum { BODIES_PER_THREAD = 2048 };

/* "avx2, sse2, scalar", for messages. */
static void list_names(char *text, size_t size) {
    const char *names[ISA_MAX];
    size_t count = carom_isa_available(names, ISA_MAX);
    text[0] = '\0';
    for (size_t n = 0; n < count && n < ISA_MAX; n++) {
        strncat(text, n == 0 ? "" : ", ", size - strlen(text) - 1);
        strncat(text, names[n], size - strlen(text) - 1);
    }
}

/* Tells a set that this CPU lacks from a word that means nothing. */
static bool is_compiled(const char *name) {
    const char *names[ISA_MAX];
    size_t count = carom_isa_compiled(names, ISA_MAX);
    for (size_t n = 0; n < count && n < ISA_MAX; n++) {
        if (strcmp(names[n], name) == 0) {
            return true;
        }
    }
    return false;
}

/* The config wins over the environment. A name that cannot be had is an error: a silent fallback would make a slow
 * program out of a misspelt word. */
static carom_status choose_simd(const char *wanted, const carom_simd **simd, carom_error *error) {
    const char *source = wanted != NULL ? "config.isa" : "CAROM_ISA";
    const char *name = wanted != NULL ? wanted : carom_environment("CAROM_ISA");
    if (name == NULL || (wanted == NULL && name[0] == '\0')) {
        *simd = carom_simd_best();
        return CAROM_OK;
    }
    *simd = carom_simd_find(name);
    if (*simd != NULL) {
        return CAROM_OK;
    }
    char names[128];
    list_names(names, sizeof names);
    const char *why = is_compiled(name) ? "is not supported by this CPU" : "is not known to this library";
    return carom_error_set(error, CAROM_ERROR_ISA, "%s: instruction set \"%.32s\" %s; there are: %s", source, name, why,
                           names);
}

/* An allocator of which half is missing would mix two heaps. */
static carom_status check_config(const carom_context_config *config, carom_error *error) {
    if (config->threads > CAROM_THREADS_MAX) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "config.threads is %u; at most %d are allowed",
                               config->threads, CAROM_THREADS_MAX);
    }
    if ((config->allocator.allocate == NULL) != (config->allocator.release == NULL)) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "config.allocator needs both functions or neither");
    }
    return CAROM_OK;
}

/* 0: the host's cores decide. An executor knows better how many of its threads run at once. */
static uint32_t threads_of(const carom_context_config *config) {
    const carom_executor *executor = &config->executor;
    return config->threads != 0 || executor->parallel_for == NULL ? config->threads : executor->concurrency;
}

carom_status carom_context_create(const carom_context_config *config, carom_context **context, carom_error *error) {
    if (context == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "context is NULL");
    }
    *context = NULL;
    carom_context_config own = carom_context_config_default();
    const carom_simd *simd = NULL;
    carom_status status = carom_layout_take(&carom_layout_context_config, &own, config, error);
    if (status == CAROM_OK) {
        status = check_config(&own, error);
    }
    if (status == CAROM_OK) {
        status = choose_simd(own.isa, &simd, error);
    }
    if (status != CAROM_OK) {
        return status;
    }
    carom_memory memory;
    carom_memory_init(&memory, &own.allocator, own.memory_limit);
    /* The context is the first thing that its allocator is asked for, and counts towards the limit. */
    carom_context *made = carom_memory_allocate(&memory, sizeof *made);
    if (made == NULL) {
        return carom_error_set(error, CAROM_ERROR_MEMORY, "no memory for a context");
    }
    memset(made, 0, sizeof *made);
    made->memory.allocator = memory.allocator;
    made->memory.limit = memory.limit;
    made->memory.held = memory.held;
    made->simd = simd;
    carom_team_init(&made->team, threads_of(&own), &own.executor);
    made->threads = made->team.workers;
    made->bodies_per_thread = own.bodies_per_thread != 0 ? own.bodies_per_thread : BODIES_PER_THREAD;
    *context = made;
    return CAROM_OK;
}

void carom_context_destroy(carom_context *context) {
    if (context == NULL) {
        return;
    }
    carom_context_release_work(context);
    if (context->step.state != NULL) {
        context->step.release(context);
    }
    carom_memory memory;
    carom_memory_init(&memory, &context->memory.allocator, 0);
    /* The context cannot release itself with memory that lies in it: a copy does. */
    memory.held = context->memory.held;
    carom_memory_release(&memory, context, sizeof *context);
}

uint32_t carom_context_threads(const carom_context *context) {
    return context->threads;
}

const char *carom_context_isa(const carom_context *context) {
    return context->simd->name;
}

uint64_t carom_context_memory(const carom_context *context) {
    return context->memory.held;
}
