/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Other ways to a detection's results than one plain call, as an input asks for them. */
#ifndef CAROM_TESTS_FUZZ_WAYS_H
#define CAROM_TESTS_FUZZ_WAYS_H

#include "tests/fuzz/scene.h"

enum { FUZZ_CONTEXTS_MOST = 16 };

/* Two of every instruction set, with one worker and with several. */
typedef struct fuzz_contexts {
    carom_context *context[FUZZ_CONTEXTS_MOST];
    size_t count;
} fuzz_contexts;

/* One call on every `step`-th context; the first one's result, which all others are. */
any_result fuzz_detect_on(const fuzz_contexts *contexts, const fuzz_scene *scene, const carom_detect_config *config,
                          size_t step);

/* Of good bodies. A sink is given the rows that are stored without it; in a periodic box all contexts find the same,
 * and, where numbers are coarse enough, what brute force finds of every image; step after step results are cold
 * detection's, and events add up. `pick` chooses a context. The bodies are moved on. */
void fuzz_check_ways(const fuzz_contexts *contexts, fuzz_scene *scene, size_t pick);

#endif
