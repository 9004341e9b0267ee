/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The validator of task queues: a queue that is as it must be passes, and with one thing wrong in it is refused for
 * that reason. */
#include <string.h>

#include "kernel/detect/job/task_queue.h"
#include "tests/support/check.h"

enum { TASKS = 5 };

/* A queue in which two tasks are written, one is placed, one is only counted and one is open; and its chunks. */
typedef struct fixture {
    carom_task_queue queue;
    carom_task tasks[TASKS];
    carom_chunk chunk[3];
} fixture;

static void fill(fixture *f) {
    static const uint64_t rows[TASKS] = {7, 0, CAROM_CHUNK_PAIRS + 3, 2, 0};
    static const uint32_t states[TASKS] = {CAROM_TASK_WRITTEN, CAROM_TASK_WRITTEN, CAROM_TASK_COUNTED,
                                           CAROM_TASK_COUNTED, CAROM_TASK_OPEN};
    memset(f, 0, sizeof *f);
    for (uint32_t t = 0; t < TASKS; t++) {
        f->tasks[t].begin = 10 * t;
        f->tasks[t].end = 10 * t + 10;
        f->tasks[t].rows = rows[t];
        f->tasks[t].state = states[t];
        f->tasks[t].first_row = t == 1 || t == 2 ? 7 : 0;
    }
    f->chunk[0] = (carom_chunk){.next = &f->chunk[1], .count = CAROM_CHUNK_PAIRS};
    f->chunk[1] = (carom_chunk){.count = 3};
    f->chunk[2] = (carom_chunk){.count = 2};
    f->tasks[2].head = &f->chunk[0];
    f->tasks[2].tail = &f->chunk[1];
    f->tasks[3].head = &f->chunk[2];
    f->tasks[3].tail = &f->chunk[2];
    f->queue = (carom_task_queue){.tasks = f->tasks,
                                  .count = TASKS,
                                  .placed = 3,
                                  .placed_rows = 7 + CAROM_CHUNK_PAIRS + 3,
                                  .writing = 2,
                                  .finished = 2};
}

static void expect(const fixture *f, const char *reason) {
    const char *found = carom_task_queue_validate(&f->queue, true);
    assert_non_null(found);
    assert_string_equal(found, reason);
}

static void test_sound(void **state) {
    (void)state;
    fixture f;
    fill(&f);
    assert_null(carom_task_queue_validate(&f.queue, true));
    const carom_task_queue none = {.count = 0};
    assert_null(carom_task_queue_validate(&none, true));
}

/* Rows that go to a sink, or are only counted, are in no chunk and have no place. */
static void test_not_stored(void **state) {
    (void)state;
    fixture f;
    fill(&f);
    assert_string_equal(carom_task_queue_validate(&f.queue, false), "the chunks of a task do not hold its rows");
    f.tasks[2].head = f.tasks[2].tail = NULL;
    f.tasks[3].head = f.tasks[3].tail = NULL;
    assert_null(carom_task_queue_validate(&f.queue, false));
}

static void test_counts(void **state) {
    (void)state;
    fixture f;
    fill(&f);
    f.queue.tasks = NULL;
    expect(&f, "a queue with tasks has no array of tasks");
    fill(&f);
    f.queue.placed = TASKS + 1;
    expect(&f, "more tasks are placed than there are");
    fill(&f);
    f.queue.writing = 4;
    expect(&f, "a task is claimed before its first row is known");
    fill(&f);
    f.queue.finished = 3;
    expect(&f, "a task is finished before it is claimed");
    fill(&f);
    f.queue.writers = 1;
    expect(&f, "a worker still holds the queue");
    fill(&f);
    f.queue.placing = 1;
    expect(&f, "a worker still holds the queue");
}

static void test_chunks(void **state) {
    (void)state;
    fixture f;
    fill(&f);
    f.chunk[1].count = 0;
    expect(&f, "a chunk of a task holds no pair, or more than it has room for");
    fill(&f);
    f.chunk[0].count = CAROM_CHUNK_PAIRS + 1;
    expect(&f, "a chunk of a task holds no pair, or more than it has room for");
    fill(&f);
    f.chunk[0].count = CAROM_CHUNK_PAIRS - 1;
    expect(&f, "a chunk before the last is not full");
    fill(&f);
    f.chunk[1].count = 2;
    expect(&f, "the chunks of a task do not hold its rows");
    fill(&f);
    f.tasks[2].tail = &f.chunk[0];
    expect(&f, "the tail of a task is not its last chunk");
    fill(&f);
    f.tasks[2].state = CAROM_TASK_WRITTEN;
    expect(&f, "a task is written but still has chunks");
}

static void test_places(void **state) {
    (void)state;
    fixture f;
    fill(&f);
    f.tasks[3].begin = 41;
    expect(&f, "a task ends before it begins");
    fill(&f);
    f.tasks[2].state = CAROM_TASK_OPEN;
    expect(&f, "an open task is placed");
    fill(&f);
    f.tasks[1].state = CAROM_TASK_COUNTED;
    expect(&f, "a finished task is not written");
    fill(&f);
    f.tasks[2].first_row = 8;
    expect(&f, "a task does not begin where the one before it ends");
    fill(&f);
    f.queue.placed_rows++;
    expect(&f, "the rows of the placed tasks do not add up");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound),  cmocka_unit_test(test_not_stored), cmocka_unit_test(test_counts),
        cmocka_unit_test(test_chunks), cmocka_unit_test(test_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
