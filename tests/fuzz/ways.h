/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Other ways to a detection's results than one plain call, as an input asks for them. */
#ifndef CAROM_TESTS_FUZZ_WAYS_H
#define CAROM_TESTS_FUZZ_WAYS_H

#include "tests/fuzz/contexts.h"
#include "tests/fuzz/scene.h"

/* One call on both; the reference's result, which the other's is. */
any_result fuzz_detect_on(const fuzz_contexts *contexts, const fuzz_scene *scene, const carom_detect_config *config);

/* The scene's way; its bodies are good. A sink is given the rows that are stored without it; in a periodic box both
 * contexts find the same, and, where numbers are coarse enough, what brute force finds of every image; step after step
 * results are the reference's cold detection's, and events add up. The bodies are moved on. */
void fuzz_check_way(const fuzz_contexts *contexts, fuzz_scene *scene);

#endif
