/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: pairs. Out: rows of neighbours, both ways, each in the order of pairs. Each worker counts, and later puts into
 * the rows, what a share of the pairs has. Between these a row's part for each worker is laid out. */
#include <string.h>

#include "kernel/impacts/rows.h"

/* Slots that begin a worker's part: a cache line of row starts. */
enum { GRAIN = 8 };

/* Workers that have shares of pairs: each needs a number for each slot. */
enum { SHARES_MOST = 16 };

/* Pairs ahead whose cursors are fetched, and those whose rows are. */
enum { AHEAD_CURSOR = 48, AHEAD_ROW = 20 };

typedef struct make {
    carom_impacts_rows *rows;
    const carom_team *team;
    const carom_impacts_bodies *bodies;
    const carom_found_pairs *pairs;
    const carom_list *surface; /* of carom_contact_pair: bodies with surfaces */
    uint32_t shares;
    uint64_t sum[SHARES_MOST];   /* entries of a part of the rows */
    uint64_t longs[SHARES_MOST]; /* long rows in it */
} make;

/* For each slot: how many entries the share has in its row, and then where its next one goes. */
static uint64_t *cursors_of(const make *m, uint32_t share) {
    return (uint64_t *)m->rows->cursor_buffer.data + (uint64_t)share * m->bodies->count;
}

static carom_range part_of(uint64_t count, uint32_t share, uint32_t shares, uint64_t grain) {
    const uint64_t each = (count / shares / grain + 1) * grain;
    const uint64_t begin = share * each;
    return (carom_range){begin < count ? begin : count, begin + each < count ? begin + each : count};
}

/* All pairs collide, at no image but the bodies themselves: the usual case has loops without tests. */
static bool is_plain(const make *m) {
    return m->bodies->rules.pairs.collide == NULL && m->rows->image == NULL;
}

/* Surfaces are the first share's, so they come first in a row. */
static void count_surfaces(const make *m, uint64_t *length) {
    const carom_contact_pair *surface = m->surface->buffer.data;
    for (uint64_t n = 0; n < m->surface->count; n++) {
        length[surface[n].a]++;
    }
}

static inline __attribute__((always_inline)) void fetch_cursors(const make *m, const uint64_t *cursor, uint64_t n) {
    if (n < m->pairs->count) {
        __builtin_prefetch(&cursor[m->pairs->a[n]], 1);
        __builtin_prefetch(&cursor[m->pairs->b[n]], 1);
    }
}

static void count_share(const make *m, uint32_t share) {
    const carom_found_pairs *pairs = m->pairs;
    const carom_range own = part_of(pairs->count, share, m->shares, 1);
    uint64_t *length = cursors_of(m, share);
    memset(length, 0, m->bodies->count * sizeof *length);
    if (share == 0) {
        count_surfaces(m, length);
    }
    if (m->bodies->rules.pairs.collide == NULL) {
        for (uint64_t n = own.begin; n < own.end; n++) {
            fetch_cursors(m, length, n + AHEAD_CURSOR);
            length[pairs->a[n]]++;
            length[pairs->b[n]]++;
        }
        return;
    }
    for (uint64_t n = own.begin; n < own.end; n++) {
        const uint64_t more = carom_impacts_collide(m->bodies, pairs->a[n], pairs->b[n]) ? 1 : 0;
        length[pairs->a[n]] += more;
        length[pairs->b[n]] += more;
    }
}

/* head[s].start of a part of the rows becomes the length of row s. */
static void lay_out_part(make *m, uint32_t part) {
    const carom_range own = part_of(m->bodies->count, part, m->shares, GRAIN);
    uint64_t sum = 0;
    uint64_t longs = 0;
    for (uint64_t s = own.begin; s < own.end; s++) {
        uint64_t length = 0;
        for (uint32_t share = 0; share < m->shares; share++) {
            length += cursors_of(m, share)[s];
        }
        m->rows->head[s].start = length;
        sum += length;
        longs += length > m->rows->long_above ? 1 : 0;
    }
    m->sum[part] = sum;
    m->longs[part] = longs;
}

/* head[s].start becomes where row s begins, and each share's cursor where the share does in it. Long rows are listed.
 */
static void begin_part(const make *m, uint32_t part) {
    const carom_range own = part_of(m->bodies->count, part, m->shares, GRAIN);
    carom_long_row *longs = m->rows->longs.buffer.data;
    uint64_t begin = 0;
    uint64_t next = 0;
    for (uint32_t before = 0; before < part; before++) {
        begin += m->sum[before];
        next += m->longs[before];
    }
    for (uint64_t s = own.begin; s < own.end; s++) {
        const uint64_t length = m->rows->head[s].start;
        m->rows->head[s] = (carom_row_head){begin, CAROM_IMPACTS_NONE};
        for (uint32_t share = 0; share < m->shares; share++) {
            uint64_t *cursor = cursors_of(m, share) + s;
            const uint64_t more = *cursor;
            *cursor = begin;
            begin += more;
        }
        if (length > m->rows->long_above) {
            longs[next++] = (carom_long_row){(uint32_t)s, (uint32_t)length, CAROM_LONG_ROW_KEEP};
        }
    }
    if (part + 1 == m->shares) {
        m->rows->head[m->bodies->count] = (carom_row_head){begin, CAROM_IMPACTS_NONE};
    }
}

static void put(const carom_impacts_rows *rows, uint64_t *cursor, uint32_t slot, uint32_t other, uint32_t image) {
    const uint64_t at = cursor[slot]++;
    rows->other[at] = other;
    if (rows->image != NULL) {
        rows->image[at] = (uint16_t)image;
    }
}

static void put_surfaces(const make *m, uint64_t *cursor) {
    const carom_contact_pair *surface = m->surface->buffer.data;
    for (uint64_t n = 0; n < m->surface->count; n++) {
        put(m->rows, cursor, surface[n].a, surface[n].other, CAROM_IMAGE_SELF);
    }
}

/* Where the next entries of a pair's bodies go. */
static inline __attribute__((always_inline)) void fetch_rows(const make *m, const uint64_t *cursor, uint64_t n) {
    if (n < m->pairs->count) {
        __builtin_prefetch(&m->rows->other[cursor[m->pairs->a[n]]], 1);
        __builtin_prefetch(&m->rows->other[cursor[m->pairs->b[n]]], 1);
    }
}

static void put_plain(const make *m, carom_range own, uint64_t *cursor) {
    const carom_found_pairs *pairs = m->pairs;
    uint32_t *other = m->rows->other;
    for (uint64_t n = own.begin; n < own.end; n++) {
        const uint32_t a = pairs->a[n];
        const uint32_t b = pairs->b[n];
        fetch_cursors(m, cursor, n + AHEAD_CURSOR);
        fetch_rows(m, cursor, n + AHEAD_ROW);
        other[cursor[a]++] = b;
        other[cursor[b]++] = a;
    }
}

static void put_pair(const make *m, uint64_t n, uint64_t *cursor) {
    const carom_found_pairs *pairs = m->pairs;
    const uint32_t a = pairs->a[n];
    const uint32_t b = pairs->b[n];
    if (carom_impacts_collide(m->bodies, a, b)) {
        const uint32_t image = m->rows->image != NULL
                                   ? carom_image_code(pairs->shift[0][n], pairs->shift[1][n], pairs->shift[2][n])
                                   : CAROM_IMAGE_SELF;
        put(m->rows, cursor, a, b, image);
        put(m->rows, cursor, b, a, carom_image_opposite(image));
    }
}

static void put_share(const make *m, uint32_t share) {
    const carom_range own = part_of(m->pairs->count, share, m->shares, 1);
    uint64_t *cursor = cursors_of(m, share);
    if (share == 0) {
        put_surfaces(m, cursor);
    }
    if (is_plain(m)) {
        put_plain(m, own, cursor);
        return;
    }
    for (uint64_t n = own.begin; n < own.end; n++) {
        put_pair(m, n, cursor);
    }
}

static void count_task(void *data, uint32_t worker) {
    const make *m = data;
    if (worker < m->shares) {
        count_share(m, worker);
    }
}

static void lay_out_task(void *data, uint32_t worker) {
    make *m = data;
    if (worker < m->shares) {
        lay_out_part(m, worker);
    }
}

static void begin_task(void *data, uint32_t worker) {
    const make *m = data;
    if (worker < m->shares) {
        begin_part(m, worker);
    }
}

static void put_task(void *data, uint32_t worker) {
    const make *m = data;
    if (worker < m->shares) {
        put_share(m, worker);
    }
}

/* Room for the heads of rows and for what shares count. */
static carom_status reserve_heads(const make *m, carom_memory *memory) {
    carom_impacts_rows *rows = m->rows;
    const uint64_t count = m->bodies->count;
    carom_status status = carom_buffer_reserve(memory, &rows->head_buffer, (count + 1) * sizeof *rows->head);
    if (status == CAROM_OK) {
        status = carom_buffer_reserve(memory, &rows->cursor_buffer, m->shares * count * sizeof(uint64_t));
    }
    rows->head = rows->head_buffer.data;
    return status;
}

static carom_status reserve_entries(const make *m, carom_memory *memory) {
    carom_impacts_rows *rows = m->rows;
    uint64_t entries = 0;
    rows->longs.count = 0;
    for (uint32_t part = 0; part < m->shares; part++) {
        entries += m->sum[part];
        rows->longs.count += m->longs[part];
    }
    carom_status status =
        carom_buffer_reserve(memory, &rows->other_buffer, (entries + CAROM_ROW_PAD) * sizeof *rows->other);
    if (status == CAROM_OK) {
        status = carom_buffer_reserve(memory, &rows->longs.buffer, rows->longs.count * sizeof(carom_long_row));
    }
    if (status == CAROM_OK && m->bodies->periodic != NULL) {
        status = carom_buffer_reserve(memory, &rows->image_buffer, (entries + 1) * sizeof *rows->image);
    }
    rows->other = rows->other_buffer.data;
    rows->image = m->bodies->periodic != NULL ? rows->image_buffer.data : NULL;
    return status;
}

carom_status carom_rows_make(carom_impacts_rows *rows, carom_memory *memory, const carom_team *team,
                             const carom_impacts_bodies *bodies, const carom_found_pairs *pairs,
                             const carom_list *surfaces) {
    make m = {.rows = rows,
              .team = team,
              .bodies = bodies,
              .pairs = pairs,
              .surface = surfaces,
              .shares = team->workers < SHARES_MOST ? team->workers : SHARES_MOST};
    rows->beyond = false;
    rows->extras.count = 0;
    carom_status status = reserve_heads(&m, memory);
    if (status != CAROM_OK) {
        return status;
    }
    carom_team_run_over(team, bodies->count, count_task, &m);
    carom_team_run_over(team, bodies->count, lay_out_task, &m);
    status = reserve_entries(&m, memory);
    if (status == CAROM_OK) {
        carom_team_run_over(team, bodies->count, begin_task, &m);
        carom_team_run_over(team, bodies->count, put_task, &m);
    }
    return status;
}
