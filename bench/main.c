/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* carom_bench: registers every suite, says what it ran on, runs what --benchmark_filter selects. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/shim.h"
#include "bench/suite.h"

static void add_cpu(void) {
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && value != NULL) {
            value[strcspn(value, "\n")] = '\0';
            carom_bench_context("cpu", value + 2);
            break;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
}

static void add_load(void) {
    double load[3];
    char text[64];
    if (getloadavg(load, 3) == 3) {
        snprintf(text, sizeof text, "%.2f %.2f %.2f", load[0], load[1], load[2]);
        carom_bench_context("load", text);
    }
}

static void add_library(const carom_context *context) {
    char text[16];
    snprintf(text, sizeof text, "%u", carom_context_threads(context));
    carom_bench_context("threads", text);
    carom_bench_context("isa", carom_context_isa(context));
    carom_bench_context("carom", carom_version());
    carom_bench_context("build", carom_build_description());
}

int main(int argc, char **argv) {
    carom_context *context;
    carom_error error;
    if (carom_context_create(NULL, &context, &error) != CAROM_OK) {
        fprintf(stderr, "carom_bench: %s\n", error.message);
        return 2;
    }
    add_cpu();
    add_library(context);
    add_load();
    carom_context_destroy(context);
    carom_bench_register_kernels();
    carom_bench_register_sort();
    carom_bench_register_union_find();
    carom_bench_register_detect();
    carom_bench_register_steps();
    carom_bench_register_shapes();
    carom_bench_register_boxes();
    carom_bench_register_lists();
    carom_bench_register_few();
    carom_bench_register_impacts();
    return carom_bench_run(argc, argv);
}
