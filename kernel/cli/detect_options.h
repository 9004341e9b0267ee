/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What `carom detect` was asked to do. */
#ifndef CAROM_CLI_DETECT_OPTIONS_H
#define CAROM_CLI_DETECT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/detect.h"
#include "kernel/cli/options.h"
#include "kernel/cli/scene_options.h"

typedef struct carom_detect_options {
    carom_scene_options scene;
    const char *file; /* NULL: a scene */
    double radius;    /* NaN: the file's */
    double dt;
    const char *select;
    bool reads; /* --radius, --dt or --select was given */
    uint32_t threads;
    const char *isa;
    bool f64;
    carom_until until;
    carom_method method;
    bool count_only;
    carom_neighbour_list neighbours;
    uint32_t repeat;
    bool json;
    bool coherent;       /* detect step after step */
    uint32_t frames;     /* 0: not given */
    double displacement; /* NaN: not given */
    bool hash;           /* hold every frame against cold detection */
    const char *pairs;   /* file to write, or NULL */
    const char *groups;
    const char *periodic; /* axes as given, of "xyz"; NULL: open space */
    bool along[3];
    bool expects; /* compare touching_hash with `expected` */
    uint64_t expected;
} carom_detect_options;

extern const carom_command carom_detect_options_command;

/* Parses and checks that the options go together. Complains and returns USAGE if not. */
carom_exit carom_detect_options_parse(int argc, char **argv, carom_detect_options *options, bool *help);

/* The list asked for: "none", "half" or "full". */
const char *carom_detect_options_neighbours(const carom_detect_options *options);

#endif
