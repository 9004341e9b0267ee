/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What `carom detect` was asked to do, cut by subject. In come the words of the command line, out go options that go
 * together, so that nothing below has to check them. */
#ifndef CAROM_CLI_DETECT_OPTIONS_H
#define CAROM_CLI_DETECT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "carom/detect.h"
#include "kernel/cli/files.h"
#include "kernel/cli/invocation.h"
#include "kernel/cli/options.h"
#include "kernel/cli/scene_options.h"
#include "kernel/io/format.h"

/* The bodies: a scene or a file. */
typedef struct carom_source_options {
    carom_scene_options scene; /* letter '\0': a file */
    const char *file;          /* "-": standard input; NULL: a scene */
    uint64_t worlds;           /* scenes of seeds that follow one another, or equal parts of the file; 0: one */
    carom_format format;       /* of the file; UNKNOWN: told from its content */
    double radius;             /* of every body of the file, >= 0; NaN: the file's */
    double dt;                 /* length of the step for the file's velocities, finite */
    const char *select;        /* glob for the names of the file's bodies; NULL: all */
    bool reads;                /* --radius, --dt, --select or --format was given */
    bool precise;              /* --precision was given */
    bool f64;                  /* bodies and results in double; by default if they come from a file */
    const char *periodic;      /* axes as given, of "xyz"; NULL: open space */
    bool along[3];             /* the same axes, one by one */
    bool self_images;          /* bodies also meet their own images; needs periodic */
    const char *moves;         /* "frames" or "coherent": bodies move on, so a file needs shapes; NULL: they do not */
    bool margin;               /* --margin was given: bodies need shapes */
} carom_source_options;

/* How each call of the library runs. */
typedef struct carom_call_options {
    uint32_t threads; /* 0: as many as the host allows */
    const char *isa;  /* NULL: the library's choice */
    carom_until until;
    carom_method method;
    bool count_only;  /* store no pairs */
    bool approaching; /* only pairs that approach count as touching */
    carom_neighbour_list neighbours;
    double margin;   /* shapes within it touch, >= 0; 0 for spheres */
    uint32_t repeat; /* timed calls, >= 1 */
} carom_call_options;

/* Bodies that are detected step after step: a scene, or shapes from a file. */
typedef struct carom_motion_options {
    bool coherent;       /* with what is kept from step to step; false: each step cold */
    uint32_t frames;     /* number of steps; 0: the bodies do not move on */
    double displacement; /* factor of displacements and spins, finite; NaN: not given */
    bool hash;           /* hold every frame against cold detection */
} carom_motion_options;

/* What comes out, apart from the report. */
typedef struct carom_output_options {
    bool json;             /* the report as JSON, not as a table */
    const char *pairs;     /* file to write, "-" for standard output, or NULL */
    const char *all_pairs; /* the same */
    const char *groups;    /* the same */
    carom_format lists;    /* of these files; UNKNOWN: by their suffixes */
    bool to_stdout;        /* one of them is standard output: the report goes to stderr */
    bool expects;          /* compare touching_hash with `expected` */
    uint64_t expected;
} carom_output_options;

typedef struct carom_detect_options {
    const carom_invocation *invocation; /* for the report */
    carom_source_options source;
    carom_call_options call;
    carom_motion_options motion;
    carom_output_options output;
} carom_detect_options;

/* Name, help and table of options of `carom detect`. */
extern const carom_command carom_detect_options_command;

/* Parses and checks that the options go together. Complains and returns USAGE if not. */
carom_exit carom_detect_options_parse(const carom_invocation *invocation, int argc, char **argv,
                                      carom_detect_options *options, bool *help);

/* The method asked for: "auto", "sweep", ... */
const char *carom_detect_options_method(const carom_detect_options *options);

/* Where the report goes. */
FILE *carom_detect_options_stream(const carom_detect_options *options);

/* The list asked for: "none", "half" or "full". */
const char *carom_detect_options_neighbours(const carom_detect_options *options);

#endif
