/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Sizes and offsets of the structs that ctypes_host.py writes out again, as JSON. */
#include <carom/carom.h>
#include <stddef.h>
#include <stdio.h>

#define OFFSET(field) printf("\"%s\": %zu, ", #field, offsetof(carom_detection_f32, field))
#define CONFIG_OFFSET(name, field) printf("\"config.%s\": %zu, ", name, offsetof(carom_detect_config, field))

int main(void) {
    printf("{\"bodies\": %zu, \"error\": %zu, ", sizeof(carom_bodies_f32), sizeof(carom_error));
    OFFSET(summary.touching_pairs);
    OFFSET(summary.groups);
    OFFSET(pair_count);
    OFFSET(contacts.i);
    OFFSET(contacts.k);
    OFFSET(groups.label);
    printf("\"config\": %zu, \"progress\": %zu, ", sizeof(carom_detect_config), sizeof(carom_progress));
    CONFIG_OFFSET("until", until);
    CONFIG_OFFSET("flags", count_only);
    CONFIG_OFFSET("cancel", cancel);
    CONFIG_OFFSET("progress", progress);
    CONFIG_OFFSET("approaching", approaching);
    printf("\"progress.fraction\": %zu, ", offsetof(carom_progress, fraction));
    printf("\"query_config\": %zu, \"answer\": %zu, ", sizeof(carom_query_config), sizeof(carom_query_answer_f32));
    printf("\"answer.contacts\": %zu, ", offsetof(carom_query_answer_f32, contacts));
    printf("\"detection\": %zu}\n", sizeof(carom_detection_f32));
    return 0;
}
