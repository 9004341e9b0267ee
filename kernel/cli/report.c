/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Values are small and copied. What they point to stays with the caller. */
#include "kernel/cli/report.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "kernel/check/assert.h"

carom_value carom_value_text(const char *text) {
    return carom_value_if(text != NULL, (carom_value){.kind = CAROM_VALUE_TEXT, .text = text});
}

carom_value carom_value_whole(uint64_t whole) {
    return (carom_value){.kind = CAROM_VALUE_WHOLE, .whole = whole};
}

carom_value carom_value_bytes(uint64_t bytes) {
    return (carom_value){.kind = CAROM_VALUE_BYTES, .whole = bytes};
}

carom_value carom_value_hash(uint64_t hash) {
    return (carom_value){.kind = CAROM_VALUE_HASH, .whole = hash};
}

carom_value carom_value_real(double real) {
    return (carom_value){.kind = CAROM_VALUE_REAL, .real = real};
}

carom_value carom_value_finite(double real) {
    return carom_value_if(isfinite(real), carom_value_real(real));
}

carom_value carom_value_vector(const double vector[3]) {
    const bool finite = isfinite(vector[0]) && isfinite(vector[1]) && isfinite(vector[2]);
    return carom_value_if(finite,
                          (carom_value){.kind = CAROM_VALUE_VECTOR, .vector = {vector[0], vector[1], vector[2]}});
}

carom_value carom_value_flag(bool flag) {
    return (carom_value){.kind = CAROM_VALUE_FLAG, .flag = flag};
}

carom_value carom_value_list(const char *const *names, size_t count) {
    return (carom_value){.kind = CAROM_VALUE_LIST, .list = {.names = names, .count = count}};
}

carom_value carom_value_map(const char *const *names, const char *const *meanings, size_t count) {
    return (carom_value){.kind = CAROM_VALUE_MAP, .list = {.names = names, .meanings = meanings, .count = count}};
}

carom_value carom_value_if(bool known, carom_value value) {
    return known ? value : (carom_value){.kind = CAROM_VALUE_NONE};
}

carom_field *carom_report_add(carom_report *report, const char *key, const char *label, carom_value value) {
    CAROM_ASSERT(report->count < CAROM_REPORT_FIELDS_MAX);
    /* The array is sized for the longest report, see CAROM_REPORT_FIELDS_MAX. */
    carom_field *field = &report->fields[report->count++];
    *field =
        (carom_field){.key = key, .label = label, .group = report->group, .section = report->section, .value = value};
    return field;
}

void carom_report_remark(carom_field *field, const char *format, ...) {
    CAROM_ASSERT(field != NULL);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(field->remark, sizeof field->remark, format, arguments);
    va_end(arguments);
}
