/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/cases_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kernel/cli/report_print.h"
#include "kernel/io/printable.h"

/* Digits that read back to the same double, or float. */
enum { DIGITS_F64 = 17, DIGITS_F32 = 9 };

void carom_cases_report_id(const carom_case *c, carom_report *row) {
    carom_report_add(row, "id", "id", c->name != NULL ? carom_value_text(c->name) : carom_value_whole(c->number));
}

static void print_name(const carom_field *field) {
    if (field->value.kind == CAROM_VALUE_VECTOR) {
        printf("%s_x %s_y %s_z", field->key, field->key, field->key);
    } else {
        fputs(field->key, stdout);
    }
}

/* Blanks separate the columns, so that other programs can read them: a text is an id or a state. */
static void print_value(const carom_value *value, int digits) {
    char printable[CAROM_CASE_ID_SIZE];
    switch (value->kind) {
    case CAROM_VALUE_TEXT:
        carom_printable_copy(value->text, value->text + strlen(value->text), printable, sizeof printable);
        fputs(printable, stdout);
        break;
    case CAROM_VALUE_WHOLE:
        printf("%" PRIu64, value->whole);
        break;
    case CAROM_VALUE_FLAG:
        fputs(value->flag ? "yes" : "no", stdout);
        break;
    case CAROM_VALUE_REAL:
        printf("%.*g", digits, value->real);
        break;
    case CAROM_VALUE_VECTOR:
        printf("%.*g %.*g %.*g", digits, value->vector[0], digits, value->vector[1], digits, value->vector[2]);
        break;
    default:
        fputs("-", stdout);
    }
}

static void print_line(const carom_cases_printed *printed, uint64_t n, bool names) {
    carom_report row = {.section = CAROM_SECTION_ROW};
    printed->describe(printed, n, &row);
    for (size_t f = 0; f < row.count; ++f) {
        fputs(f > 0 ? " " : "", stdout);
        if (names) {
            print_name(&row.fields[f]);
        } else {
            print_value(&row.fields[f].value, printed->options->asked.f64 ? DIGITS_F64 : DIGITS_F32);
        }
    }
    fputc('\n', stdout);
}

static carom_exit print_table(const carom_cases_printed *printed) {
    if (printed->cases->count > 0) {
        print_line(printed, 0, true);
    }
    for (uint64_t n = 0; n < printed->cases->count; ++n) {
        print_line(printed, n, false);
    }
    return CAROM_EXIT_OK;
}

carom_exit carom_cases_report_print(const carom_cases_printed *printed) {
    if (!printed->options->json) {
        return print_table(printed);
    }
    carom_report report = {.section = CAROM_SECTION_RUN, .digits = DIGITS_F64};
    carom_invocation_report(printed->options->invocation, 0, &report);
    carom_report_add(&report, "computed", NULL, carom_value_text(printed->computed));
    carom_report_add(&report, "path", NULL, carom_value_text(printed->cases->path));
    carom_report_add(&report, "precision", NULL, carom_value_text(printed->options->asked.f64 ? "f64" : "f32"));
    carom_report_add(&report, "margin", NULL, carom_value_real(printed->options->asked.margin));
    carom_report_add(&report, "count", NULL, carom_value_whole(printed->cases->count));
    report.rows =
        (carom_rows){.key = "cases", .describe = printed->describe, .source = printed, .count = printed->cases->count};
    return carom_report_print(&report, true, stdout);
}
