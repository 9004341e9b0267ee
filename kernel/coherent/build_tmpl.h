/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A rebuild. In: the bodies of a step, which have been surveyed, and their centre. Out: order, fat boxes and list. The
 * pairs come from cold detection, until pairs, of the extended bodies; the order in which it partitions them among
 * cells becomes the order of slots. */
#ifndef CAROM_COHERENT_BUILD_TMPL_H
#define CAROM_COHERENT_BUILD_TMPL_H

#include "kernel/coherent/step_tmpl.h"

#define carom_build_list CAROM_REAL(carom_build_list)

/* Rebuilds the list. Uses the context's workspace, so workers must be started again afterwards. Errors: MEMORY, and
 * ARGUMENT if the pairs are too many for 32 bits. On failure state->built is false. */
carom_status carom_build_list(carom_coherent_step *step);

#endif
