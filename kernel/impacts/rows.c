/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: pairs. Out: rows of neighbours, both ways. Each worker makes the rows of its own slots, for which it reads all
 * pairs. */
#include "kernel/impacts/rows.h"

#include <string.h>

/* Slots that begin a worker's share: a cache line of row starts. */
enum { GRAIN = 8 };

typedef struct make {
    carom_impacts_rows *rows;
    const carom_team *team;
    const carom_impacts_bodies *bodies;
    const carom_found_pairs *pairs;
    const carom_contact_pair *surface; /* bodies with surfaces */
    uint64_t surfaces;
} make;

static bool is_mine(carom_range own, uint32_t slot) {
    return slot - own.begin < own.end - own.begin;
}

/* Another worker may be writing what is not mine. */
static void count_one(uint64_t *length, uint32_t slot, bool mine) {
    if (mine) {
        length[slot]++;
    }
}

/* One worker makes all rows, and all pairs collide: the usual case has loops without tests. */
static bool is_plain(const make *m) {
    return m->team->workers == 1 && m->bodies->rules.pairs.collide == NULL;
}

static void count_all(const make *m, uint64_t *length) {
    for (uint64_t n = 0; n < m->pairs->count; n++) {
        length[m->pairs->a[n]]++;
        length[m->pairs->b[n]]++;
    }
}

static void count_own(const make *m, carom_range own, uint64_t *length) {
    const carom_found_pairs *pairs = m->pairs;
    for (uint64_t n = 0; n < pairs->count; n++) {
        const bool a = is_mine(own, pairs->a[n]);
        const bool b = is_mine(own, pairs->b[n]);
        if ((a || b) && carom_impacts_collide(m->bodies, pairs->a[n], pairs->b[n])) {
            count_one(length, pairs->a[n], a);
            count_one(length, pairs->b[n], b);
        }
    }
}

/* start[s + 1] of own slots becomes the length of row s. */
static void count_task(void *data, uint32_t worker) {
    const make *m = data;
    const carom_range own = carom_team_range(m->team, worker, m->bodies->count, GRAIN);
    uint64_t *length = m->rows->start + 1;
    memset(length + own.begin, 0, (own.end - own.begin) * sizeof *length);
    if (is_plain(m)) {
        count_all(m, length);
    } else {
        count_own(m, own, length);
    }
    for (uint64_t n = 0; n < m->surfaces; n++) {
        if (is_mine(own, m->surface[n].a)) {
            length[m->surface[n].a]++;
        }
    }
}

/* start[s] becomes where row s begins. Returns the entries of all rows. */
static uint64_t sum(carom_impacts_rows *rows, uint32_t count) {
    uint64_t before = 0;
    rows->start[0] = 0;
    for (uint64_t s = 1; s <= count; s++) {
        const uint64_t length = rows->start[s];
        rows->start[s] = before;
        before += length;
    }
    return before;
}

static void put(const carom_impacts_rows *rows, uint32_t slot, uint32_t other, uint32_t image) {
    const uint64_t at = rows->start[slot + 1]++;
    rows->other[at] = other;
    if (rows->image != NULL) {
        rows->image[at] = (uint16_t)image;
    }
}

/* In open space. */
static void fill_all(const make *m) {
    const carom_found_pairs *pairs = m->pairs;
    uint64_t *at = m->rows->start + 1;
    uint32_t *other = m->rows->other;
    for (uint64_t n = 0; n < pairs->count; n++) {
        other[at[pairs->a[n]]++] = pairs->b[n];
        other[at[pairs->b[n]]++] = pairs->a[n];
    }
}

static void fill_own(const make *m, carom_range own) {
    const carom_found_pairs *pairs = m->pairs;
    for (uint64_t n = 0; n < pairs->count; n++) {
        const uint32_t a = pairs->a[n];
        const uint32_t b = pairs->b[n];
        if ((!is_mine(own, a) && !is_mine(own, b)) || !carom_impacts_collide(m->bodies, a, b)) {
            continue;
        }
        const uint32_t image = m->rows->image != NULL
                                   ? carom_image_code(pairs->shift[0][n], pairs->shift[1][n], pairs->shift[2][n])
                                   : CAROM_IMAGE_SELF;
        if (is_mine(own, a)) {
            put(m->rows, a, b, image);
        }
        if (is_mine(own, b)) {
            put(m->rows, b, a, carom_image_opposite(image));
        }
    }
}

/* After the sum start[s + 1] is where row s begins. It moves as the row fills, and is at last where the row ends, which
 * is where the next one begins. Surfaces come first. */
static void fill_task(void *data, uint32_t worker) {
    const make *m = data;
    const carom_range own = carom_team_range(m->team, worker, m->bodies->count, GRAIN);
    for (uint64_t n = 0; n < m->surfaces; n++) {
        if (is_mine(own, m->surface[n].a)) {
            put(m->rows, m->surface[n].a, m->surface[n].other, CAROM_IMAGE_SELF);
        }
    }
    if (is_plain(m) && m->rows->image == NULL) {
        fill_all(m);
    } else {
        fill_own(m, own);
    }
}

static carom_status reserve(carom_impacts_rows *rows, carom_memory *memory, const carom_impacts_bodies *bodies,
                            uint64_t entries) {
    carom_status status = carom_buffer_reserve(memory, &rows->other_buffer, (entries + 1) * sizeof *rows->other);
    if (status == CAROM_OK && bodies->periodic != NULL) {
        status = carom_buffer_reserve(memory, &rows->image_buffer, (entries + 1) * sizeof *rows->image);
    }
    rows->other = rows->other_buffer.data;
    rows->image = bodies->periodic != NULL ? rows->image_buffer.data : NULL;
    return status;
}

carom_status carom_rows_make(carom_impacts_rows *rows, carom_memory *memory, const carom_team *team,
                             const carom_impacts_bodies *bodies, const carom_found_pairs *pairs,
                             const carom_list *surfaces) {
    rows->extra = NULL;
    rows->extras.count = 0;
    carom_status status =
        carom_buffer_reserve(memory, &rows->start_buffer, ((uint64_t)bodies->count + 1) * sizeof *rows->start);
    if (status != CAROM_OK) {
        return status;
    }
    rows->start = rows->start_buffer.data;
    make m = {rows, team, bodies, pairs, surfaces->buffer.data, surfaces->count};
    carom_team_run_over(team, bodies->count, count_task, &m);
    status = reserve(rows, memory, bodies, sum(rows, bodies->count));
    if (status == CAROM_OK) {
        carom_team_run_over(team, bodies->count, fill_task, &m);
    }
    return status;
}

static carom_status add_one(carom_impacts_rows *rows, carom_memory *memory, uint32_t slot, uint32_t other,
                            uint32_t image) {
    if (rows->extras.count >= CAROM_IMPACTS_NONE ||
        !carom_list_reserve(memory, &rows->extras, 1, sizeof(carom_row_extra))) {
        return CAROM_ERROR_MEMORY;
    }
    ((carom_row_extra *)rows->extras.buffer.data)[rows->extras.count] =
        (carom_row_extra){other, image, rows->extra[slot]};
    rows->extra[slot] = (uint32_t)rows->extras.count++;
    return CAROM_OK;
}

carom_status carom_rows_add(carom_impacts_rows *rows, carom_memory *memory, const carom_impacts_bodies *bodies,
                            const carom_contact_pair *pair) {
    carom_status status = CAROM_OK;
    if (rows->extra == NULL) {
        const uint64_t bytes = bodies->count * sizeof *rows->extra;
        status = carom_buffer_reserve(memory, &rows->extra_buffer, bytes);
        if (status != CAROM_OK) {
            return status;
        }
        rows->extra = rows->extra_buffer.data;
        memset(rows->extra, 0xFF, bytes);
    }
    status = add_one(rows, memory, pair->a, pair->other, pair->image);
    if (status == CAROM_OK && !carom_impacts_is_surface(pair->other)) {
        status = add_one(rows, memory, pair->other, pair->a, carom_image_opposite(pair->image));
    }
    return status;
}

bool carom_rows_have(const carom_impacts_rows *rows, const carom_contact_pair *pair) {
    carom_row_walk row = carom_row_begin(rows, pair->a);
    while (carom_row_next(rows, &row)) {
        if (row.other == pair->other && row.image == pair->image) {
            return true;
        }
    }
    return false;
}

void carom_rows_release(carom_impacts_rows *rows, carom_memory *memory) {
    carom_buffer *buffers[] = {&rows->start_buffer, &rows->other_buffer, &rows->image_buffer, &rows->extra_buffer,
                               &rows->extras.buffer};
    for (size_t n = 0; n < sizeof buffers / sizeof *buffers; n++) {
        carom_buffer_release(memory, buffers[n]);
    }
}
