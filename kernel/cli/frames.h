/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* `carom detect --frames`: a standard scene or shapes from a file in motion, detected step after step: each step cold,
 * or with what coherent detection keeps from the one before. */
#ifndef CAROM_CLI_FRAMES_H
#define CAROM_CLI_FRAMES_H

#include "kernel/cli/subject.h"

/* Moves the subject's bodies on and detects in each frame; with --hash, holds every coherent frame against cold
 * detection. Reports, and says in *last what the last frame has. CHECK if a frame differs. */
carom_exit carom_frames_command(const carom_detect_options *options, carom_subject *subject, carom_context *context,
                                carom_detect_summary *last);

#endif
