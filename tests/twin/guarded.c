/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/twin/guarded.h"

#include <float.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "tests/support/note.h"

enum { FILLING = 0xA5, LINE = 64, SPARES = 64 };

/* Canaries: of all ones, which is NaN and an index that leads nowhere, and of another kind, which NaN would change. */
static const unsigned char canaries[GUARDED_PLACEMENTS] = {0xFF, 0xC7, 0xFF};

static guarded_placement placing = GUARDED_BETWEEN;

void guarded_place(guarded_placement placement) {
    placing = placement;
}

static size_t page_bytes(void) {
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* Rooms that were released, kept to be used again: mapping one takes longer than most cases. They stay accessible. */
static struct {
    unsigned char *room;
    size_t bytes; /* 0: none */
} spare[SPARES];

/* NULL: there is none of that size. */
static unsigned char *take_spare(size_t bytes) {
    for (int n = 0; n < SPARES; n++) {
        if (spare[n].bytes == bytes) {
            spare[n].bytes = 0;
            return spare[n].room;
        }
    }
    return NULL;
}

static bool keep_spare(unsigned char *room, size_t bytes) {
    for (int n = 0; n < SPARES; n++) {
        if (spare[n].bytes == 0) {
            spare[n].room = room;
            spare[n].bytes = bytes;
            return true;
        }
    }
    return false;
}

/* Room for `bytes` with a page that faults on either side. */
static unsigned char *map_room(size_t bytes) {
    unsigned char *kept = take_spare(bytes);
    if (kept != NULL) {
        return kept;
    }
    const size_t page = page_bytes();
    unsigned char *whole = mmap(NULL, bytes + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(whole != MAP_FAILED);
    assert_int_equal(mprotect(whole, page, PROT_NONE), 0);
    assert_int_equal(mprotect(whole + page + bytes, page, PROT_NONE), 0);
    return whole + page;
}

static size_t lead_of(size_t room, size_t bytes, size_t alignment, size_t offset) {
    switch (placing) {
    case GUARDED_AT_START:
        return 0;
    case GUARDED_AT_END:
        return (room - bytes) / alignment * alignment;
    default:
        return LINE + offset;
    }
}

static void *place(guarded_pool *pool, size_t bytes, size_t alignment, size_t offset) {
    const size_t page = page_bytes();
    const size_t room = (bytes + offset + 2 * LINE + page - 1) / page * page;
    assert_true(pool->count < (int)(sizeof pool->entry / sizeof pool->entry[0]));
    unsigned char *start = map_room(room);
    unsigned char *array = start + lead_of(room, bytes, alignment, offset);
    memset(start, canaries[placing], room);
    memset(array, FILLING, bytes);
    pool->entry[pool->count].room = start;
    pool->entry[pool->count].room_bytes = room;
    pool->entry[pool->count].array = array;
    pool->entry[pool->count].bytes = bytes;
    pool->count++;
    return array;
}

void *guarded_array(guarded_pool *pool, uint64_t count, size_t size, uint64_t offset) {
    return place(pool, (size_t)count * size, size, (size_t)offset * size);
}

void *guarded_lines(guarded_pool *pool, uint64_t count, size_t size) {
    return place(pool, (size_t)count * size, LINE, 0);
}

static bool is_canary(const unsigned char *from, const unsigned char *to) {
    while (from < to && *from == canaries[placing]) {
        from++;
    }
    return from == to;
}

bool guarded_intact(const guarded_pool *pool) {
    for (int n = 0; n < pool->count; n++) {
        const unsigned char *end = pool->entry[n].array + pool->entry[n].bytes;
        if (!is_canary(pool->entry[n].room, pool->entry[n].array) ||
            !is_canary(end, pool->entry[n].room + pool->entry[n].room_bytes)) {
            return false;
        }
    }
    return true;
}

void guarded_release(guarded_pool *pool) {
    const size_t page = page_bytes();
    for (int n = 0; n < pool->count; n++) {
        if (!keep_spare(pool->entry[n].room, pool->entry[n].room_bytes)) {
            munmap(pool->entry[n].room - page, pool->entry[n].room_bytes + 2 * page);
        }
    }
    pool->count = 0;
}

bool guarded_same_f32(const float *a, const float *b, uint64_t count) {
    for (uint64_t n = 0; n < count; n++) {
        if (memcmp(&a[n], &b[n], sizeof *a) != 0 && !(isnan(a[n]) && isnan(b[n]))) {
            return false;
        }
    }
    return true;
}

bool guarded_same_f64(const double *a, const double *b, uint64_t count) {
    for (uint64_t n = 0; n < count; n++) {
        if (memcmp(&a[n], &b[n], sizeof *a) != 0 && !(isnan(a[n]) && isnan(b[n]))) {
            return false;
        }
    }
    return true;
}

static uint32_t size_at(int n) {
    static const uint32_t beyond[] = {127, 257, 1000, 4099};
    return n < 68 ? (uint32_t)n : beyond[n - 68];
}

static void note_fault(int signal) {
    (void)signal;
    note_check(false, "a page beyond an array was touched");
}

/* cmocka would end the test as well, but without saying which case it was. */
static struct sigaction watch_faults(void) {
    const struct sigaction watch = {.sa_handler = note_fault, .sa_flags = SA_NODEFER};
    struct sigaction before;
    assert_int_equal(sigaction(SIGSEGV, &watch, &before), 0);
    return before;
}

static void run_placed(const char *kernel, guarded_case *run, const carom_simd *table, uint32_t size, uint64_t number) {
    static const char *const names[GUARDED_PLACEMENTS] = {"at the end", "at the start", "between"};
    for (guarded_placement p = GUARDED_AT_END; p < GUARDED_PLACEMENTS; p++) {
        carom_random random = carom_random_seeded(note_case_seed(number));
        guarded_place(p);
        note_case(number, "%s, %s, %u items, %s of a page", kernel, table->name, size, names[p]);
        run(table, carom_simd_find("scalar"), &random, size);
    }
}

void guarded_over_all(const char *kernel, guarded_case *run) {
    enum { SIZES = 72, TABLES_MOST = 8 };
    const carom_simd *tables[TABLES_MOST];
    const struct sigaction before = watch_faults();
    size_t count = carom_simd_available(tables, TABLES_MOST);
    uint64_t number = 0;
    for (size_t t = 0; t < count && strcmp(tables[t]->name, "scalar") != 0; t++) {
        for (int s = 0; s < SIZES; s++, number++) {
            if (note_only_case() == UINT64_MAX || note_only_case() == number) {
                run_placed(kernel, run, tables[t], size_at(s), number);
            }
        }
    }
    sigaction(SIGSEGV, &before, NULL);
}

double guarded_number(carom_random *random) {
    static const double special[] = {0.0,       -0.0,   0x1p-149,        -0x1p-149,        0x1p-140, (double)FLT_MIN,
                                     1e-30,     -1e-30, (double)FLT_MAX, -(double)FLT_MAX, 3e38,     -3e38,
                                     16777216.0};
    uint64_t kind = carom_random_next(random) % 40;
    if (kind == 0) {
        return (double)NAN;
    }
    if (kind == 1) {
        return carom_random_next(random) % 2 == 0 ? (double)INFINITY : -(double)INFINITY;
    }
    if (kind < 8) {
        return special[carom_random_next(random) % (sizeof special / sizeof special[0])];
    }
    return 200.0 * carom_random_u01(random) - 100.0;
}
