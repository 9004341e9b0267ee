/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A file held in memory, taken line by line and field by field. Fields are spans of the file, so nothing is copied.
 * Lines end in \n, \r\n or \r; numbers are read the same in every locale. */
#ifndef CAROM_IO_TEXT_H
#define CAROM_IO_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/status.h"

/* Characters [begin, end). */
typedef struct carom_text_span {
    const char *begin;
    const char *end;
} carom_text_span;

typedef struct carom_text {
    const char *path;  /* for messages; belongs to the caller */
    char *data;        /* size bytes and a '\0'; in text every \r that ends a line alone has become \n */
    uint64_t size;     /* bytes of the file, unpacked */
    uint64_t capacity; /* bytes of heap, more than size */
    const char *at;    /* start of the next line */
    uint64_t line;     /* number of the last line taken, from 1 */
} carom_text;

/* Reads a whole file, or with "-" standard input; what gzip has packed is unpacked. A byte order mark at its start is
 * skipped. Errors: FILE, FORMAT, MEMORY. */
carom_status carom_text_open(const char *path, carom_text *text, carom_error *error);
void carom_text_close(carom_text *text);

/* Whether it is a NumPy array, or the snapshot of a world (carom/world.h): the formats that are not text. */
bool carom_text_is_npy(const carom_text *text);
bool carom_text_is_snapshot(const carom_text *text);

/* Whether a snapshot says that its numbers are floats. */
bool carom_text_has_floats(const carom_text *snapshot);

/* Takes the next line, without its end; false at the end of the file. */
bool carom_text_line(carom_text *text, carom_text_span *line);

/* Takes the next line that is neither blank nor a comment, which begins with #. */
bool carom_text_row(carom_text *text, carom_text_span *line);

/* Takes the next field of a line: up to the next blank or tab, skipping those before it. Empty at the end. */
carom_text_span carom_text_field(carom_text_span *line);

/* What a span is, or begins with. Case counts. */
bool carom_text_empty(carom_text_span span);
bool carom_text_blank(carom_text_span span); /* nothing but white space */
bool carom_text_equal(carom_text_span span, const char *word);
bool carom_text_starts(carom_text_span span, const char *word);

/* The span without white space at its ends. */
carom_text_span carom_text_trim(carom_text_span span);

/* Writes at most size - 1 characters and a '\0'. */
void carom_text_copy(carom_text_span span, char *to, uint64_t size);

/* The same for a message: what is not UTF-8, and control characters, become \xNN (printable.h). */
void carom_text_show(carom_text_span span, char *to, uint64_t size);

/* The whole span as a number; false if it is none. Infinity and NaN are numbers here. */
bool carom_text_double(carom_text_span span, double *value);

/* The whole span as a decimal integer with an optional sign; false if it is none or does not fit. */
bool carom_text_integer(carom_text_span span, int64_t *value);

/* FORMAT with "path:line: " before the message; line 0: "path: ". */
__attribute__((format(printf, 4, 5))) carom_status carom_text_fail(const carom_text *text, carom_error *error,
                                                                   uint64_t line, const char *format, ...);

/* A finite number, or FORMAT naming the field and what stands there, at the last line taken. */
carom_status carom_text_value(const carom_text *text, carom_error *error, carom_text_span span, const char *field,
                              double *value);

#endif
