/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Moves bodies into the order of their codes: the partition's most-significant-digit radix pass. Large scenes go
 * through one cache line a bucket that is written past the cache when it is full, which saves reading the lines
 * about to be overwritten and keeps the write streams out of the way (software write combining, after
 * Wassenberg and Sanders, Engineering a multi-core radix sort, 2011). */
#include <stddef.h>

#include "simd/declare.h"
#include "simd/real.h"

typedef CAROM_REAL(carom_record) record;
typedef CAROM_REAL(carom_bodies) bodies_view;

enum { RECORDS_PER_LINE = 64 / sizeof(record) };

static inline record make_record(const bodies_view *bodies, uint64_t n) {
    return (record){.prev = {bodies->prev[0][n], bodies->prev[1][n], bodies->prev[2][n]},
                    .radius = bodies->radius[n],
                    .curr = {bodies->curr[0][n], bodies->curr[1][n], bodies->curr[2][n]},
                    .body = (uint32_t)n};
}

static void scatter_direct(const bodies_view *bodies, uint64_t begin, uint64_t end, const uint32_t *code,
                           carom_scatter_cursor *cursor, record *records) {
    for (uint64_t n = begin; n < end; n++) {
        records[cursor[code[n]].next++] = make_record(bodies, n);
    }
}

/* Writes what a bucket's line still holds: records from the line's first that is this worker's up to next. */
static inline void flush_line(const record *line, carom_scatter_cursor cursor, record *records) {
    uint32_t first = cursor.next - cursor.next % RECORDS_PER_LINE;
    for (uint32_t n = first > cursor.start ? first : cursor.start; n < cursor.next; n++) {
        records[n] = line[n % RECORDS_PER_LINE];
    }
}

static inline void put_record(record *line, carom_scatter_cursor *cursor, const record *body, record *records) {
    uint32_t at = cursor->next++;
    line[at % RECORDS_PER_LINE] = *body;
    if ((at + 1) % RECORDS_PER_LINE == 0) {
        if (at + 1 >= cursor->start + RECORDS_PER_LINE) {
            carom_stream_line(records + (at + 1 - RECORDS_PER_LINE), line);
        } else {
            for (uint32_t n = cursor->start; n <= at; n++) {
                records[n] = line[n % RECORDS_PER_LINE];
            }
        }
    }
}

void CAROM_KERNEL(scatter)(const bodies_view *bodies, uint64_t begin, uint64_t end, const uint32_t *code,
                           uint32_t code_count, carom_scatter_cursor *cursor, void *stage, record *records) {
    if (stage == NULL) {
        scatter_direct(bodies, begin, end, code, cursor, records);
        return;
    }
    record *lines = stage;
    for (uint64_t n = begin; n < end; n++) {
        record body = make_record(bodies, n);
        put_record(lines + (size_t)code[n] * RECORDS_PER_LINE, &cursor[code[n]], &body, records);
    }
    for (uint32_t c = 0; c < code_count; c++) {
        flush_line(lines + (size_t)c * RECORDS_PER_LINE, cursor[c], records);
    }
    carom_stream_fence();
}
