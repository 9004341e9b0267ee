/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* carom_known_drop: of random pairs, some of which rows have from the start and some as extras, exactly those stay that
 * no row has, in order. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/impacts/known.h"
#include "kernel/scene/random.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

enum { CASES = 2000, SLOTS = 6, OTHERS = 8, IMAGES = 40, ALL = SLOTS * OTHERS * IMAGES };

/* What becomes of a pair. */
typedef enum fate { ABSENT, IN_ROW, EXTRA } fate;

static carom_memory memory;
static fate known[ALL];
static uint32_t other_of[ALL];
static uint16_t image_of[ALL];

static carom_contact_pair pair_of(uint32_t n) {
    const uint32_t other = n / IMAGES % OTHERS;
    return (carom_contact_pair){n / IMAGES / OTHERS, other < OTHERS - 1 ? other : CAROM_IMPACTS_SURFACE, n % IMAGES};
}

/* In a case, rows have about `part` of all pairs. */
static void make_rows(carom_impacts_rows *rows, carom_random *random, double part) {
    static carom_row_head head[SLOTS + 1];
    uint64_t count = 0;
    *rows = (carom_impacts_rows){.head = head, .other = other_of, .image = image_of};
    for (uint32_t n = 0; n < ALL; n++) {
        const carom_contact_pair pair = pair_of(n);
        known[n] = carom_random_u01(random) < part ? (carom_random_next(random) % 2 == 0 ? IN_ROW : EXTRA) : ABSENT;
        if (n % (OTHERS * IMAGES) == 0) {
            head[pair.a] = (carom_row_head){count, CAROM_IMPACTS_NONE};
        }
        if (known[n] == IN_ROW) {
            other_of[count] = pair.other;
            image_of[count++] = (uint16_t)pair.image;
        } else if (known[n] == EXTRA) {
            const carom_row_extra added = {pair.other, pair.image, head[pair.a].extra};
            head[pair.a].extra = (uint32_t)rows->extras.count;
            assert_true(carom_list_append(&memory, &rows->extras, &added, sizeof added));
        }
    }
    head[SLOTS].start = count;
}

/* Finds about `part` of all pairs, in a random order. */
static void find_pairs(carom_list *found, carom_random *random, double part) {
    for (uint32_t n = 0; n < ALL; n++) {
        if (carom_random_u01(random) < part) {
            const carom_contact_pair pair = pair_of(n);
            assert_true(carom_list_append(&memory, found, &pair, sizeof pair));
        }
    }
    carom_contact_pair *pair = found->buffer.data;
    for (uint64_t n = found->count; n > 1; n--) {
        const uint64_t m = carom_random_next(random) % n;
        const carom_contact_pair last = pair[n - 1];
        pair[n - 1] = pair[m];
        pair[m] = last;
    }
}

static uint32_t index_of(const carom_contact_pair *pair) {
    const uint32_t other = pair->other == CAROM_IMPACTS_SURFACE ? OTHERS - 1 : pair->other;
    return (pair->a * OTHERS + other) * IMAGES + pair->image;
}

static void check_case(uint64_t number) {
    static bool is_found[ALL];
    carom_random random = carom_random_seeded(note_case_seed(number));
    const double parts[2] = {carom_random_u01(&random), carom_random_u01(&random)};
    carom_impacts_rows rows;
    carom_list found = {.count = 0};
    carom_buffer room = {.data = NULL};
    note_case(number, "rows have %g of all pairs, %g are found", parts[0], parts[1]);
    make_rows(&rows, &random, number % 7 == 0 ? 0.0 : parts[0]);
    find_pairs(&found, &random, number % 5 == 0 ? parts[1] / 100.0 : parts[1]);
    memset(is_found, 0, sizeof is_found);
    for (uint64_t n = 0; n < found.count; n++) {
        is_found[index_of((const carom_contact_pair *)found.buffer.data + n)] = true;
    }
    assert_true(carom_known_drop(&rows, &memory, &found, &room));
    uint64_t at = 0;
    for (uint32_t n = 0; n < ALL; n++) {
        const carom_contact_pair wanted = pair_of(n);
        if (is_found[n] && known[n] == ABSENT) {
            const carom_contact_pair *left = (const carom_contact_pair *)found.buffer.data + at;
            note_check(at < found.count && left->a == wanted.a && left->other == wanted.other &&
                           left->image == wanted.image,
                       "pair %u is not number %" PRIu64 " of those left", n, at);
            at++;
        }
    }
    note_check(at == found.count, "%" PRIu64 " pairs are left, not %" PRIu64, found.count, at);
    carom_buffer_release(&memory, &found.buffer);
    carom_buffer_release(&memory, &rows.extras.buffer);
    carom_buffer_release(&memory, &room);
}

static void test_pairs(void **state) {
    (void)state;
    carom_memory_init(&memory, NULL, 0);
    note_each_case(CASES, check_case);
}

int main(void) {
    note_start("test_known");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs)};
    return cmocka_run_group_tests_name("known pairs", tests, NULL, NULL);
}
