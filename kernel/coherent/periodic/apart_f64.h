/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Pairs of moved bodies. In: MOVED, the list, and the records of the step. Out: APART, with records and images as cold
 * detection would make them; and records in place of the moved bodies that overlap nothing. */
#ifndef CAROM_COHERENT_PERIODIC_APART_F64_H
#define CAROM_COHERENT_PERIODIC_APART_F64_H

#include "kernel/coherent/step_tmpl.h"

/* Hooks of a step. */
carom_status carom_periodic_set_apart(carom_coherent_step *step);
void carom_periodic_show(carom_coherent_step *step);

#endif
