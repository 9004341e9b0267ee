/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/api/take_rules.h"

#include "kernel/api/layout.h"

carom_status carom_take_rules(carom_rules *rules, carom_memory *memory, carom_rules_owner owner,
                              const carom_step_config *config, carom_error *error) {
    carom_step_config *own = &rules->config;
    *own = carom_step_config_default();
    carom_status status = carom_layout_take(&carom_layout_step_config, own, config, error);
    if (status == CAROM_OK && own->filter != NULL) {
        rules->filter = carom_filter_default();
        status = carom_layout_take(&carom_layout_filter, &rules->filter, own->filter, error);
        own->filter = &rules->filter;
    }
    if (status == CAROM_OK && own->periodic != NULL) {
        rules->periodic = carom_periodic_default();
        status = carom_layout_take(&carom_layout_periodic, &rules->periodic, own->periodic, error);
        own->periodic = &rules->periodic;
    }
    return status == CAROM_OK ? carom_rules_make(rules, memory, owner, error) : status;
}
