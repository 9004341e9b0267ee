/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A new list. In: the bodies of a step, which have been surveyed. Out: order, fat boxes and list. */
#ifndef CAROM_COHERENT_BUILD_TMPL_H
#define CAROM_COHERENT_BUILD_TMPL_H

#include "kernel/coherent/step_tmpl.h"

#define carom_build_list CAROM_REAL(carom_build_list)

/* Order, fat boxes and list from this step's bodies, which have been surveyed. */
carom_status carom_build_list(carom_coherent_step *step);

#endif
