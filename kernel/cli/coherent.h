/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* `carom detect --coherent`: a standard scene in motion, detected step after step. */
#ifndef CAROM_CLI_COHERENT_H
#define CAROM_CLI_COHERENT_H

#include "kernel/cli/subject.h"

/* Moves the subject's scene on and detects in each frame; with --hash holds every frame against cold detection. Reports
 * on stdout. CHECK if a frame differs from cold detection. */
carom_exit carom_coherent_command(const carom_detect_options *options, carom_subject *subject, carom_context *context);

#endif
