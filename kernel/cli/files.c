/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/files.h"

#include <unistd.h>

#include "kernel/check/assert.h"
#include "kernel/io/place.h"

/* More than a command has. */
enum { OUTPUTS_MAX = 4 };

/* Two of standard output are the same even where it is a terminal. */
static bool clash(const carom_file_option *a, const carom_place *place_a, const carom_file_option *b,
                  const carom_place *place_b) {
    return carom_place_same(place_a, place_b) || (carom_place_is_stdout(a->path) && carom_place_is_stdout(b->path));
}

carom_exit carom_files_check(const carom_command *command, const char *input, const carom_file_option *outputs,
                             size_t count) {
    CAROM_ASSERT(count <= OUTPUTS_MAX);
    carom_place places[OUTPUTS_MAX];
    carom_place read = {.exists = false};
    if (input != NULL) {
        read = carom_place_of(input, STDIN_FILENO);
    }
    for (size_t n = 0; n < count; ++n) {
        if (outputs[n].path == NULL) {
            continue;
        }
        places[n] = carom_place_of(outputs[n].path, STDOUT_FILENO);
        /* A terminal, a pipe or a socket may well be both. */
        if (read.regular && carom_place_same(&read, &places[n])) {
            return carom_options_refuse(command, "%s: '%s' is the file to be read", outputs[n].option, outputs[n].path);
        }
        for (size_t m = 0; m < n; ++m) {
            if (outputs[m].path != NULL && clash(&outputs[m], &places[m], &outputs[n], &places[n])) {
                return carom_options_refuse(command, "%s and %s would write one file: '%s'", outputs[m].option,
                                            outputs[n].option, outputs[n].path);
            }
        }
    }
    return CAROM_EXIT_OK;
}

bool carom_files_use_stdout(const carom_file_option *outputs, size_t count) {
    for (size_t n = 0; n < count; ++n) {
        if (outputs[n].path != NULL && carom_place_is_stdout(outputs[n].path)) {
            return true;
        }
    }
    return false;
}
