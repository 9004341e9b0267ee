/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What `carom detect --frames` reports: medians over the frames, what coherent detection kept, the last frame, and with
 * --hash every frame. */
#ifndef CAROM_CLI_FRAMES_REPORT_H
#define CAROM_CLI_FRAMES_REPORT_H

#include "carom/coherent.h"
#include "kernel/cli/measure.h"
#include "kernel/cli/report.h"
#include "kernel/cli/subject.h"

/* What is kept of a frame. */
typedef struct carom_frames_record {
    carom_call_times times; /* of the call */
    bool hashed;            /* it computed a hash */
    uint64_t hash;          /* 0 unless `hashed` */
    bool rebuilt;           /* the list of pairs was made anew */
    bool cold;              /* there was no list, though --coherent was given */
} carom_frames_record;

/* Counts over all frames, and what the last one found. */
typedef struct carom_frames_measured {
    carom_frames_record *records; /* one a frame */
    double *times;                /* room for two numbers a frame: for the statistics */
    uint64_t begun;               /* pairs that began to touch, in the frames compared with the one before */
    uint64_t ended;               /* pairs that ceased to touch, in the same frames */
    uint64_t cold;                /* frames without a list */
    uint64_t escapes;             /* bodies that left their fat boxes */
    carom_detect_summary last;
    carom_neighbour_shape neighbours; /* of the last frame; all 0 unless asked for */
    carom_coherent_report kept;       /* after the last frame */
} carom_frames_measured;

/* Prints the report as a table, or as JSON with --json. RESOURCES if that fails. */
carom_exit carom_frames_report_print(const carom_detect_options *options, const carom_subject *subject,
                                     const carom_context *context, const carom_frames_measured *measured);

#endif
