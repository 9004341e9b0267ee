/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Sizes and offsets of the structs that ctypes_host.py writes out again, as JSON. */
#include <carom/carom.h>
#include <stddef.h>
#include <stdio.h>

#define OFFSET(field) printf("\"%s\": %zu, ", #field, offsetof(carom_detection_f32, field))

int main(void) {
    printf("{\"bodies\": %zu, \"error\": %zu, ", sizeof(carom_bodies_f32), sizeof(carom_error));
    OFFSET(summary.touching_pairs);
    OFFSET(summary.groups);
    OFFSET(pair_count);
    OFFSET(contacts.i);
    OFFSET(contacts.k);
    OFFSET(groups.label);
    printf("\"detection\": %zu}\n", sizeof(carom_detection_f32));
    return 0;
}
