/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/io/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/io/gunzip.h"
#include "kernel/io/heap.h"
#include "kernel/io/load.h"
#include "kernel/io/number.h"
#include "kernel/io/printable.h"
#include "kernel/sys/error.h"

/* U+FEFF in UTF-8, which spreadsheets put before a CSV. */
#define BYTE_ORDER_MARK "\xEF\xBB\xBF"

/* With which a snapshot begins, and where it says how many bits its numbers have. */
#define SNAPSHOT_MAGIC "CAROMWLD"
enum { SNAPSHOT_BITS = 12 };

/* A \r that no \n follows ends a line, as on old Macintoshes and in some spreadsheets' files; several before a \n are
 * one end. */
static void mend_line_ends(char *data, uint64_t size) {
    char *end = data + size;
    char *at = memchr(data, '\r', size);
    while (at != NULL) {
        char *after = at;
        while (after < end && *after == '\r') {
            after++;
        }
        if (after == end || *after != '\n') {
            memset(at, '\n', (size_t)(after - at));
        }
        at = memchr(after, '\r', (size_t)(end - after));
    }
}

carom_status carom_text_open(const char *path, carom_text *text, carom_error *error) {
    carom_loaded loaded;
    *text = (carom_text){.path = carom_load_name(path)};
    carom_status status = carom_load_file(path, &loaded, error);
    if (status == CAROM_OK && carom_gunzip_is_packed(&loaded)) {
        status = carom_gunzip(text->path, &loaded, error);
    }
    if (status != CAROM_OK) {
        carom_load_release(&loaded);
        return status;
    }
    loaded.data[loaded.size] = '\0';
    text->data = loaded.data;
    text->size = loaded.size;
    text->capacity = loaded.capacity;
    text->at = text->data;
    text->at += text->size >= 3 && memcmp(text->data, BYTE_ORDER_MARK, 3) == 0 ? 3 : 0;
    if (!carom_text_is_npy(text) && !carom_text_is_snapshot(text)) {
        mend_line_ends(text->data, text->size);
    }
    return CAROM_OK;
}

void carom_text_close(carom_text *text) {
    carom_heap_release(text->data, text->capacity);
    text->data = NULL;
}

bool carom_text_is_npy(const carom_text *text) {
    return text->size >= 6 && memcmp(text->data, "\x93NUMPY", 6) == 0;
}

bool carom_text_is_snapshot(const carom_text *text) {
    return text->size >= strlen(SNAPSHOT_MAGIC) && memcmp(text->data, SNAPSHOT_MAGIC, strlen(SNAPSHOT_MAGIC)) == 0;
}

bool carom_text_has_floats(const carom_text *snapshot) {
    return snapshot->size > SNAPSHOT_BITS && snapshot->data[SNAPSHOT_BITS] == 32;
}

bool carom_text_line(carom_text *text, carom_text_span *line) {
    CAROM_ASSERT(text->data <= text->at && text->at <= text->data + text->size);
    const char *end = text->data + text->size;
    if (text->at >= end) {
        return false;
    }
    /* The last line need not end in \n. */
    const char *stop = memchr(text->at, '\n', (size_t)(end - text->at));
    line->begin = text->at;
    line->end = stop != NULL ? stop : end;
    text->at = stop != NULL ? stop + 1 : end;
    text->line++;
    if (line->end > line->begin && line->end[-1] == '\r') {
        line->end--;
    }
    return true;
}

/* Not isspace: it depends on the locale. */
static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

carom_text_span carom_text_field(carom_text_span *line) {
    CAROM_ASSERT(line->begin <= line->end);
    while (line->begin < line->end && is_blank(*line->begin)) {
        line->begin++;
    }
    carom_text_span field = {line->begin, line->begin};
    while (field.end < line->end && !is_blank(*field.end)) {
        field.end++;
    }
    line->begin = field.end;
    return field;
}

bool carom_text_empty(carom_text_span span) {
    return span.begin == span.end;
}

bool carom_text_blank(carom_text_span span) {
    return carom_text_empty(carom_text_trim(span));
}

bool carom_text_starts(carom_text_span span, const char *word) {
    CAROM_ASSERT(span.begin <= span.end);
    size_t length = strlen(word);
    return (size_t)(span.end - span.begin) >= length && memcmp(span.begin, word, length) == 0;
}

bool carom_text_equal(carom_text_span span, const char *word) {
    return (size_t)(span.end - span.begin) == strlen(word) && carom_text_starts(span, word);
}

carom_text_span carom_text_trim(carom_text_span span) {
    CAROM_ASSERT(span.begin <= span.end);
    while (span.begin < span.end && is_blank(*span.begin)) {
        span.begin++;
    }
    while (span.end > span.begin && is_blank(span.end[-1])) {
        span.end--;
    }
    return span;
}

bool carom_text_row(carom_text *text, carom_text_span *line) {
    while (carom_text_line(text, line)) {
        /* A comment may be indented. */
        carom_text_span trimmed = carom_text_trim(*line);
        if (!carom_text_empty(trimmed) && *trimmed.begin != '#') {
            return true;
        }
    }
    return false;
}

void carom_text_copy(carom_text_span span, char *to, uint64_t size) {
    CAROM_ASSERT(span.begin <= span.end && size > 0);
    uint64_t length = (uint64_t)(span.end - span.begin);
    length = length < size ? length : size - 1;
    memcpy(to, span.begin, length);
    to[length] = '\0';
}

void carom_text_show(carom_text_span span, char *to, uint64_t size) {
    carom_printable_copy(span.begin, span.end, to, (size_t)size);
}

bool carom_text_double(carom_text_span span, double *value) {
    return carom_number_parse(span.begin, span.end, value);
}

bool carom_text_integer(carom_text_span span, int64_t *value) {
    bool negative = !carom_text_empty(span) && *span.begin == '-';
    const char *at = span.begin + (negative || (!carom_text_empty(span) && *span.begin == '+'));
    int64_t sum = 0;
    if (at == span.end) {
        return false;
    }
    for (; at < span.end; at++) {
        if (*at < '0' || *at > '9') {
            return false;
        }
        int digit = *at - '0';
        /* Too large. The least int64_t counts as too large as well. */
        if (sum > (INT64_MAX - digit) / 10) {
            return false;
        }
        sum = sum * 10 + digit;
    }
    *value = negative ? -sum : sum;
    return true;
}

carom_status carom_text_fail(const carom_text *text, carom_error *error, uint64_t line, const char *format, ...) {
    char message[CAROM_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (line == 0) {
        return carom_error_set(error, CAROM_ERROR_FORMAT, "%s: %s", text->path, message);
    }
    return carom_error_set(error, CAROM_ERROR_FORMAT, "%s:%" PRIu64 ": %s", text->path, line, message);
}

carom_status carom_text_value(const carom_text *text, carom_error *error, carom_text_span span, const char *field,
                              double *value) {
    /* Enough of a bad field to find it; a message is one short line. */
    char shown[32];
    span = carom_text_trim(span);
    carom_text_show(span, shown, sizeof shown);
    if (carom_text_empty(span)) {
        return carom_text_fail(text, error, text->line, "%s is missing", field);
    }
    if (!carom_text_double(span, value)) {
        return carom_text_fail(text, error, text->line, "%s is not a number: \"%s\"", field, shown);
    }
    if (!isfinite(*value)) {
        return carom_text_fail(text, error, text->line, "%s is not a finite number: \"%s\"", field, shown);
    }
    return CAROM_OK;
}
