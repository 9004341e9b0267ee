/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/run_rules.h"

#include <math.h>

carom_run_rules carom_run_rules_none(void) {
    const double none = (double)NAN;
    return (carom_run_rules){.dt = none,
                             .gravity = {none, none, none},
                             .restitution = none,
                             .rest_speed = none,
                             .contact_time = none,
                             .response = -1};
}

static double first_number(double first, double second) {
    return isnan(first) ? second : first;
}

carom_run_rules carom_run_rules_join(const carom_run_rules *first, const carom_run_rules *second) {
    carom_run_rules both = {
        .steps = first->steps != 0 ? first->steps : second->steps,
        .dt = first_number(first->dt, second->dt),
        .restitution = first_number(first->restitution, second->restitution),
        .rest_speed = first_number(first->rest_speed, second->rest_speed),
        .contact_time = first_number(first->contact_time, second->contact_time),
        .budget = first->budget != 0 ? first->budget : second->budget,
        .response = first->response >= 0 ? first->response : second->response,
    };
    for (int axis = 0; axis < 3; ++axis) {
        both.gravity[axis] = first_number(first->gravity[axis], second->gravity[axis]);
    }
    return both;
}

bool carom_run_rules_any(const carom_run_rules *rules) {
    return !isnan(rules->dt) || !isnan(rules->gravity[0]) || !isnan(rules->restitution) || !isnan(rules->rest_speed) ||
           !isnan(rules->contact_time) || rules->budget != 0 || rules->response >= 0;
}

void carom_run_rules_apply(const carom_run_rules *rules, carom_step_config *config) {
    config->dt = first_number(rules->dt, config->dt);
    config->restitution = first_number(rules->restitution, config->restitution);
    config->rest_speed = first_number(rules->rest_speed, config->rest_speed);
    config->contact_time = first_number(rules->contact_time, config->contact_time);
    config->budget = rules->budget != 0 ? rules->budget : config->budget;
    config->response = rules->response >= 0 ? (carom_response)rules->response : config->response;
    for (int axis = 0; axis < 3; ++axis) {
        config->acceleration[axis] = first_number(rules->gravity[axis], config->acceleration[axis]);
    }
}

const char *carom_run_rules_response(carom_response response) {
    static const char *const names[] = {
        [CAROM_RESPONSE_BOUNCE] = "bounce", [CAROM_RESPONSE_REPORT] = "report", [CAROM_RESPONSE_MERGE] = "merge"};
    return names[response];
}
