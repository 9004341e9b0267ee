/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What a command reports on stdout, described once: names, values and units. One printer writes the description as a
 * table for a person (report_table.h), another as one JSON object for a program (report_json.h), so that the two cannot
 * disagree. */
#ifndef CAROM_CLI_REPORT_H
#define CAROM_CLI_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/detect.h"
#include "kernel/cli/say.h"

/* More fields than any report has, bytes of a remark with its '\0', and total, mean and median. */
enum { CAROM_REPORT_FIELDS_MAX = 64, CAROM_REPORT_REMARK_SIZE = 128, CAROM_REPORT_SUMS_MAX = 3 };

/* What a value is, and so how it is written. */
typedef enum carom_value_kind {
    CAROM_VALUE_NONE, /* null in JSON; the table leaves the line out */
    CAROM_VALUE_TEXT,
    CAROM_VALUE_WHOLE,
    CAROM_VALUE_BYTES, /* the table prints MiB */
    CAROM_VALUE_HASH,  /* 16 hexadecimal digits; text in JSON, for most readers keep numbers in doubles of 53 bits */
    CAROM_VALUE_REAL,
    CAROM_VALUE_FLAG,
    CAROM_VALUE_LIST,   /* of names */
    CAROM_VALUE_MAP,    /* names and what each means: an object in JSON, "name (meaning)" in the table */
    CAROM_VALUE_VECTOR, /* three reals; a list in JSON */
} carom_value_kind;

/* Texts and lists belong to the caller and live until the report is printed. */
typedef struct carom_value {
    carom_value_kind kind;
    union {
        const char *text;
        uint64_t whole;
        double real;
        bool flag;
        double vector[3];
        struct {
            const char *const *names;
            const char *const *meanings;
            size_t count;
        } list;
    };
} carom_value;

/* The table's sections, in their order, with an empty line between two of them. JSON keeps the order of the fields. */
typedef enum carom_section {
    CAROM_SECTION_ABOUT,   /* the program itself */
    CAROM_SECTION_RUN,     /* what ran */
    CAROM_SECTION_TIMES,   /* carom_report.times */
    CAROM_SECTION_FIGURES, /* numbers in a column */
    CAROM_SECTION_LAST,    /* one line: the last frame */
    CAROM_SECTION_ROW,     /* a line of carom_report.rows */
    CAROM_SECTION_COUNT,
} carom_section;

/* One thing to report. */
typedef struct carom_field {
    const char *key;       /* in JSON; NULL: in the table only */
    const char *label;     /* in the table; NULL: in JSON only */
    const char *group;     /* JSON object that holds it; NULL: the outermost. Fields of a group follow one another. */
    carom_section section; /* where the table has it */
    carom_value value;
    char remark[CAROM_REPORT_REMARK_SIZE]; /* behind the value, in the table */
} carom_field;

/* A row of the table of times, or a member of "seconds" in JSON. */
typedef struct carom_time {
    const char *name; /* of the phase, or of the sum */
    bool ran;         /* else null in JSON, and not in the table */
    bool data;        /* in JSON only */
    double seconds;
    double bytes; /* moved; 0: not known */
} carom_time;

/* The phases and the rest add up to the total. JSON lists the sums first, the table last. */
typedef struct carom_times {
    carom_time sums[CAROM_REPORT_SUMS_MAX]; /* the first is the total */
    carom_time phases[CAROM_PHASE_MAX];     /* in the order of carom_phase, or of carom_step_phase */
    carom_time rest;                        /* what no phase has */
    size_t sum_count;                       /* 0: nothing was timed */
    size_t phase_count;
    uint64_t bodies;      /* for ns/body */
    const char *per_step; /* JSON object within "seconds" that holds all sums but the first; NULL: "seconds" itself */
    bool counts_bytes;    /* JSON has "bytes" too */
    bool shares;          /* the table has each row's share of the total */
    bool traffic;         /* the table has GB/s besides */
} carom_times;

typedef struct carom_report carom_report;

/* A list in JSON: many records alike, each described by `describe` as a report of its own. */
typedef struct carom_rows {
    const char *key;                                                          /* of the list; NULL: "each" */
    void (*describe)(const void *source, uint64_t number, carom_report *row); /* NULL: no list */
    const void *source;                                                       /* first argument of describe */
    uint64_t count;                                                           /* records */
    const char *label; /* begins each line of the table, before the number of the record; NULL: not in the table */
    char remark[CAROM_REPORT_REMARK_SIZE]; /* the table's last line */
} carom_rows;

/* A report while it is put together: fields in the order they are added. */
struct carom_report {
    carom_section section; /* of the fields added next */
    const char *group;     /* the same */
    size_t count;          /* of fields */
    carom_field fields[CAROM_REPORT_FIELDS_MAX];
    carom_times times;
    carom_rows rows;
    size_t digits; /* of reals in JSON; 0: enough for a time */
};

/* Values of each kind. */
carom_value carom_value_text(const char *text); /* NULL: none */
carom_value carom_value_whole(uint64_t whole);
carom_value carom_value_bytes(uint64_t bytes);
carom_value carom_value_hash(uint64_t hash);
carom_value carom_value_real(double real);
carom_value carom_value_flag(bool flag);
carom_value carom_value_finite(double real);            /* none if it is not finite: JSON has no such number */
carom_value carom_value_vector(const double vector[3]); /* none if one is not finite */
carom_value carom_value_list(const char *const *names, size_t count);
carom_value carom_value_map(const char *const *names, const char *const *meanings, size_t count);

/* `value` if it is known, else none. */
carom_value carom_value_if(bool known, carom_value value);

/* Adds a field in the report's section and group. Keys are words with underscores, labels plain words. */
carom_field *carom_report_add(carom_report *report, const char *key, const char *label, carom_value value);

/* Sets what the table says behind the field's value. */
void carom_report_remark(carom_field *field, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
