/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Reading a file of any format: in comes a path, out goes a frame with the bodies at both ends of the step. */
#ifndef CAROM_IO_READ_H
#define CAROM_IO_READ_H

#include "kernel/io/frame.h"
#include "kernel/io/text.h"

/* Reads a file, or with "-" standard input, telling its format from its content unless the options name it. The file
 * is read once, from front to back; what gzip has packed is unpacked.
 * Errors: FILE, FORMAT (message starts with "path:line: "), ARGUMENT (no radius anywhere; select on a format
 * without names; select matches nothing), MEMORY. On error *frame is zero. */
carom_status carom_frame_read(const char *path, const carom_read_options *options, carom_frame *frame,
                              carom_error *error);

/* The same for a file that is open and of which nothing is taken. It stays open. */
carom_status carom_frame_read_text(const carom_text *text, const carom_read_options *options, carom_frame *frame,
                                   carom_error *error);

#endif
