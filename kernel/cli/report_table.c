/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The sections differ in how wide labels and values are, and two of them in more: times are a table of their own,
 * and the last frame is one line. */
#include "kernel/cli/report_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/io/printable.h"

/* How a section's lines look. */
typedef struct layout {
    int label_width; /* columns; 0: as wide as the text */
    int value_width; /* the same */
    const char *gap; /* between value and remark */
} layout;

static const layout layouts[CAROM_SECTION_COUNT] = {
    [CAROM_SECTION_ABOUT] = {15, 0, " "}, [CAROM_SECTION_RUN] = {11, 0, " "}, [CAROM_SECTION_FIGURES] = {15, 12, "   "},
    [CAROM_SECTION_LAST] = {0, 0, " "},   [CAROM_SECTION_ROW] = {0, 0, ", "},
};

/* Names of files may hold anything. */
static void print_text(FILE *to, const char *text, int width) {
    char printable[4096];
    carom_printable_copy(text, text + strlen(text), printable, sizeof printable);
    fprintf(to, " %*s", width, printable);
}

static void print_list(FILE *to, const carom_value *value) {
    for (size_t n = 0; n < value->list.count; ++n) {
        fprintf(to, " %s", value->list.names[n]);
        if (value->list.meanings != NULL) {
            fprintf(to, " (%s)", value->list.meanings[n]);
        }
    }
}

static void print_value(FILE *to, const carom_value *value, int width) {
    const double mebibyte = 1 << 20;
    switch (value->kind) {
    case CAROM_VALUE_NONE:
        break;
    case CAROM_VALUE_TEXT:
        print_text(to, value->text, width);
        break;
    case CAROM_VALUE_WHOLE:
        fprintf(to, " %*" PRIu64, width, value->whole);
        break;
    case CAROM_VALUE_BYTES:
        fprintf(to, " %*.1f MiB", width, (double)value->whole / mebibyte);
        break;
    case CAROM_VALUE_HASH:
        fprintf(to, " %016" PRIx64, value->whole);
        break;
    case CAROM_VALUE_REAL:
        fprintf(to, " %*g", width, value->real);
        break;
    case CAROM_VALUE_FLAG:
        fprintf(to, " %*s", width, value->flag ? "yes" : "no");
        break;
    case CAROM_VALUE_LIST:
    case CAROM_VALUE_MAP:
        print_list(to, value);
        break;
    case CAROM_VALUE_VECTOR:
        fprintf(to, " %.10g %.10g %.10g", value->vector[0], value->vector[1], value->vector[2]);
    }
}

/* Label, value, remark, as wide as the section says. */
static void print_field(FILE *to, const carom_field *field) {
    const layout *look = &layouts[field->section];
    fprintf(to, "%-*s", look->label_width, field->label);
    print_value(to, &field->value, look->value_width);
    if (field->remark[0] != '\0') {
        fprintf(to, "%s%s", look->gap, field->remark);
    }
}

/* From `n` on, the next field that the table shows in this section; NULL: no more. */
static const carom_field *next_field(const carom_report *report, carom_section section, size_t *n) {
    while (*n < report->count) {
        const carom_field *field = &report->fields[(*n)++];
        if (field->section == section && field->label != NULL && field->value.kind != CAROM_VALUE_NONE) {
            return field;
        }
    }
    return NULL;
}

static void print_lines(FILE *to, const carom_report *report, carom_section section) {
    const carom_field *field;
    for (size_t n = 0; (field = next_field(report, section, &n)) != NULL;) {
        print_field(to, field);
        fputc('\n', to);
    }
}

/* All fields on one line, with commas. */
static void print_last(FILE *to, const carom_report *report) {
    const carom_field *field;
    const char *before = "last frame: ";
    for (size_t n = 0; (field = next_field(report, CAROM_SECTION_LAST, &n)) != NULL;) {
        fputs(before, to);
        print_field(to, field);
        before = ", ";
    }
    fputc('\n', to);
}

/* 0 for an empty scene, not a NaN. */
static double ratio(double a, double b) {
    return b > 0 ? a / b : 0;
}

/* ms, ns/body and, where asked for, the share of the total and the memory traffic. */
static void print_time(FILE *to, const carom_times *times, const carom_time *row) {
    fprintf(to, "%-10s %12.3f %12.2f", row->name, row->seconds * 1e3, ratio(row->seconds * 1e9, (double)times->bodies));
    if (times->shares) {
        fprintf(to, " %8.1f%%", 100 * ratio(row->seconds, times->sums[0].seconds));
    }
    /* A dash where the bytes are not known. */
    if (times->traffic && row->bytes > 0 && row->seconds > 0) {
        fprintf(to, " %8.2f", row->bytes / row->seconds * 1e-9);
    } else if (times->traffic) {
        fprintf(to, " %8s", "-");
    }
    fputc('\n', to);
}

/* Phases in their order and the rest, then the sums. */
static void print_times(FILE *to, const carom_times *times) {
    fprintf(to, "%-10s %12s %12s", "phase", "ms", "ns/body");
    if (times->shares) {
        fprintf(to, " %9s", "share");
    }
    if (times->traffic) {
        fprintf(to, " %8s", "GB/s");
    }
    fputc('\n', to);
    for (size_t phase = 0; phase < times->phase_count; ++phase) {
        if (times->phases[phase].ran) {
            print_time(to, times, &times->phases[phase]);
        }
    }
    if (times->rest.ran) {
        print_time(to, times, &times->rest);
    }
    for (size_t n = 0; n < times->sum_count; ++n) {
        if (!times->sums[n].data) {
            print_time(to, times, &times->sums[n]);
        }
    }
}

/* Whether there is anything to print: an empty section leaves no empty line. */
static bool has_section(const carom_report *report, carom_section section) {
    size_t n = 0;
    return section == CAROM_SECTION_TIMES ? report->times.sum_count > 0 : next_field(report, section, &n) != NULL;
}

static void print_section(FILE *to, const carom_report *report, carom_section section) {
    switch (section) {
    case CAROM_SECTION_TIMES:
        print_times(to, &report->times);
        break;
    case CAROM_SECTION_LAST:
        print_last(to, report);
        break;
    default:
        print_lines(to, report, section);
    }
}

static void print_rows(FILE *to, const carom_rows *rows) {
    CAROM_ASSERT(rows->describe != NULL);
    for (uint64_t n = 0; n < rows->count; ++n) {
        carom_report row = {.section = CAROM_SECTION_ROW};
        rows->describe(rows->source, n, &row);
        fprintf(to, "%s %-6" PRIu64 " ", rows->label, n);
        print_lines(to, &row, CAROM_SECTION_ROW);
    }
    /* A sentence about all of them. */
    if (rows->remark[0] != '\0') {
        fprintf(to, "%s\n", rows->remark);
    }
}

void carom_report_table(const carom_report *report, FILE *to) {
    const char *before = "";
    for (int section = 0; section < CAROM_SECTION_ROW; ++section) {
        if (has_section(report, (carom_section)section)) {
            fputs(before, to);
            print_section(to, report, (carom_section)section);
            before = "\n";
        }
    }
    if (report->rows.label != NULL) {
        print_rows(to, &report->rows);
    }
}
