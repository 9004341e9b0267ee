/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The rules of a run, each of which the command line may give, a scene's file may give, or neither. */
#ifndef CAROM_CLI_RUN_RULES_H
#define CAROM_CLI_RUN_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/step.h"

/* Steps of a run at most. */
#define CAROM_RUN_STEPS_MAX UINT64_C(1000000000)

/* What is not given: 0 in whole numbers, NaN in others, -1 as response. */
typedef struct carom_run_rules {
    uint64_t steps;      /* 1 to CAROM_RUN_STEPS_MAX */
    double dt;           /* length of a step, finite and > 0 */
    double gravity[3];   /* acceleration of all bodies, finite */
    double restitution;  /* of bodies without their own, 0 to 1 */
    double rest_speed;   /* as in carom_step_config, >= 0 */
    double contact_time; /* the same */
    uint32_t budget;     /* the same, 1 to CAROM_BUDGET_MAX */
    int response;        /* a carom_response */
} carom_run_rules;

/* Nothing is given. */
carom_run_rules carom_run_rules_none(void);

/* What `first` gives, and else what `second` gives. */
carom_run_rules carom_run_rules_join(const carom_run_rules *first, const carom_run_rules *second);

/* Whether it gives any rule of a step; the number of steps is none. */
bool carom_run_rules_any(const carom_run_rules *rules);

/* Sets in *config what the rules give. */
void carom_run_rules_apply(const carom_run_rules *rules, carom_step_config *config);

/* "bounce", "report" or "merge", a constant string. */
const char *carom_run_rules_response(carom_response response);

#endif
