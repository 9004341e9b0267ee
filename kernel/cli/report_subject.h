/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What a report says of the bodies that a command worked on: a scene, or a file. JSON has both; of one that there is
 * not it says null. */
#ifndef CAROM_CLI_REPORT_SUBJECT_H
#define CAROM_CLI_REPORT_SUBJECT_H

#include "kernel/cli/report.h"
#include "kernel/cli/scene_options.h"

/* In JSON the scene as it was made, with its shapes if it has some; the table has it on one line, with `more`, "" or ",
 * ...", at its end. */
void carom_report_subject_scene(carom_report *report, const carom_scene_options *scene, const char *more);

/* bodies: the file's own number, of which --select may leave fewer. */
void carom_report_subject_file(carom_report *report, const char *path, const char *format, uint64_t bodies);

#endif
