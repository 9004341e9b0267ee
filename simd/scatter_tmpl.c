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

/* Records of CAROM_LANES consecutive bodies, turned from columns to rows a vector at a time. */
static inline void make_records(const bodies_view *bodies, uint64_t n, record rows[CAROM_LANES]) {
#if CAROM_REAL_BITS == 32
    vi numbers = vi_add(vi_set1((int32_t)(uint32_t)n), vi_load(carom_lane_numbers));
    const vf field[8] = {vf_load(bodies->prev[0] + n), vf_load(bodies->prev[1] + n), vf_load(bodies->prev[2] + n),
                         vf_load(bodies->radius + n),  vf_load(bodies->curr[0] + n), vf_load(bodies->curr[1] + n),
                         vf_load(bodies->curr[2] + n), vf_from_bits(numbers)};
    vf_store_rows((float *)(void *)rows, field);
#else
    for (uint64_t l = 0; l < CAROM_LANES; l++) {
        rows[l] = make_record(bodies, n + l);
    }
#endif
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

static void flush_lines(const record *lines, uint32_t code_count, const carom_scatter_cursor *cursor, record *records) {
    for (uint32_t c = 0; c < code_count; c++) {
        flush_line(lines + (size_t)c * RECORDS_PER_LINE, cursor[c], records);
    }
    carom_stream_fence();
}

/* One body to where it belongs: its bucket's line, or with no lines its place. */
static inline void put(record *lines, uint32_t code, carom_scatter_cursor *cursor, const record *body,
                       record *records) {
    if (lines == NULL) {
        records[cursor[code].next++] = *body;
    } else {
        put_record(lines + (size_t)code * RECORDS_PER_LINE, &cursor[code], body, records);
    }
}

void CAROM_KERNEL(scatter)(const bodies_view *bodies, uint64_t begin, uint64_t end, const uint32_t *code,
                           uint32_t code_count, carom_scatter_cursor *cursor, void *stage, record *records) {
    record *lines = stage;
    uint64_t n = begin;
    for (; n + CAROM_LANES <= end; n += CAROM_LANES) {
        record rows[CAROM_LANES];
        make_records(bodies, n, rows);
        for (uint32_t l = 0; l < CAROM_LANES; l++) {
            put(lines, code[n + l], cursor, &rows[l], records);
        }
    }
    for (; n < end; n++) {
        record body = make_record(bodies, n);
        put(lines, code[n], cursor, &body, records);
    }
    if (lines != NULL) {
        flush_lines(lines, code_count, cursor, records);
    }
}
