/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What the hooks of a step in a periodic box share. */
#ifndef CAROM_COHERENT_PERIODIC_STEP_F64_H
#define CAROM_COHERENT_PERIODIC_STEP_F64_H

#include "kernel/coherent/step_tmpl.h"
#include "kernel/periodic/renew.h"

typedef struct carom_periodic_step {
    const struct carom_periodic_call *call; /* run_f64.h */
    carom_renewal renewal;
    uint64_t *escaped; /* bodies that each worker found outside their fat boxes */
} carom_periodic_step;

static inline carom_periodic_step *carom_periodic_of(const carom_coherent_step *step) {
    return step->periodic;
}

#endif
