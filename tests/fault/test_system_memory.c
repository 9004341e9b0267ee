/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The system's memory gives out where no allocator of the caller's can: making a scene and its motion, reading a file,
 * creating a context. Linked with --wrap, so that aligned_alloc and free come by here. Each request in turn is refused,
 * alone and with all after it: the call says so, leaves nothing behind, and goes well the next time. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "kernel/io/write.h"
#include "kernel/scene/scene.h"
#include "tests/support/check.h"
#include "tests/support/io_files.h"
#include "tests/support/note.h"

enum { BLOCKS_MOST = 256, REQUESTS_MOST = 200, BODIES = 500 };

static struct {
    void *block[BLOCKS_MOST];
    uint64_t live;
    uint64_t requests;
    uint64_t fail_at; /* counted from 1; 0: none */
    bool from_then_on;
} heap;

void *__real_aligned_alloc(size_t alignment, size_t bytes);
void __real_free(void *block);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
void __wrap_free(void *block);

void *__wrap_aligned_alloc(size_t alignment, size_t bytes) {
    heap.requests++;
    if (heap.fail_at != 0 && (heap.requests == heap.fail_at || (heap.from_then_on && heap.requests > heap.fail_at))) {
        return NULL;
    }
    void *block = __real_aligned_alloc(alignment, bytes);
    if (block == NULL || heap.live == BLOCKS_MOST) {
        abort();
    }
    heap.block[heap.live++] = block;
    return block;
}

/* Blocks of others' come by, too. */
void __wrap_free(void *block) {
    for (uint64_t n = 0; block != NULL && n < heap.live; n++) {
        if (heap.block[n] == block) {
            heap.block[n] = heap.block[--heap.live];
            break;
        }
    }
    __real_free(block);
}

/* Makes something and releases it again; on failure checks that there is nothing. */
typedef carom_status attempt(const void *what);

static void refuse_each(const char *name, attempt *run, const void *what) {
    for (int then = 0; then < 2; then++) {
        uint64_t n = 1;
        bool reached = true;
        for (; reached && n < REQUESTS_MOST; n++) {
            heap.requests = 0;
            heap.fail_at = n;
            heap.from_then_on = then == 1;
            note_case(n, "%s, request %" PRIu64 "%s", name, n, then == 1 ? " and all after it" : "");
            carom_status status = run(what);
            reached = heap.requests >= n;
            heap.fail_at = 0;
            note_check(status == (reached ? CAROM_ERROR_MEMORY : CAROM_OK), "status %s", carom_status_name(status));
            note_check(heap.live == 0, "%" PRIu64 " blocks are left", heap.live);
            note_check(run(what) == CAROM_OK && heap.live == 0, "the next call fails or leaks");
        }
        note_check(n > 2 && n < REQUESTS_MOST, "%" PRIu64 " requests", n);
    }
}

static carom_status make_scene(const void *letter) {
    static const carom_scene_f32 nothing;
    carom_scene_f32 scene;
    carom_status status = carom_scene_make(*(const char *)letter, BODIES, 1, &scene);
    note_check(status == CAROM_OK || memcmp(&scene, &nothing, sizeof scene) == 0, "the scene is not zero");
    carom_scene_release(&scene);
    return status;
}

static void test_scenes(void **state) {
    (void)state;
    for (const char *letter = carom_scene_letters(); *letter != '\0'; letter++) {
        refuse_each(carom_scene_name(*letter), make_scene, letter);
    }
}

/* A scene that is there: only its motion asks for memory. */
static carom_scene_f32 moving;

static carom_status start_motion(const void *letter) {
    static const carom_scene_motion nothing;
    carom_scene_motion motion;
    carom_status status = carom_scene_motion_start(*(const char *)letter, 1.0, &moving, &motion);
    note_check(status == CAROM_OK || memcmp(&motion, &nothing, sizeof motion) == 0, "the motion is not zero");
    carom_scene_motion_end(&motion);
    return status;
}

static void test_motion(void **state) {
    (void)state;
    float values[7][4] = {{0, 1, 2, 3}, {0}, {0}, {1, 2, 3, 4}, {0}, {0}, {1, 1, 1, 1}};
    moving = (carom_scene_f32){
        4, {values[0], values[1], values[2]}, {values[3], values[4], values[5]}, values[6], {9, 9, 9}, NULL};
    refuse_each("motion", start_motion, "u");
}

static carom_status read_file(const void *path) {
    static const carom_frame nothing;
    const carom_read_options options = io_radius(0.25);
    carom_frame frame;
    carom_error error = {.message = ""};
    carom_status status = carom_frame_read(path, &options, &frame, &error);
    if (status == CAROM_OK) {
        carom_frame_release(&frame);
        return status;
    }
    note_check(memcmp(&frame, &nothing, sizeof frame) == 0, "the frame is not zero");
    note_check(strncmp(error.message, path, strlen(path)) == 0, "message \"%s\"", error.message);
    return status;
}

static void test_readers(void **state) {
    (void)state;
    for (size_t n = 0; io_samples[n] != NULL; n++) {
        refuse_each(io_samples[n], read_file, io_sample(io_samples[n]));
    }
    carom_scene_f32 scene;
    assert_true(io_scratch_make());
    assert_int_equal(carom_scene_make('u', BODIES, 1, &scene), CAROM_OK);
    const carom_bodies_f32 bodies = carom_scene_bodies(&scene);
    assert_int_equal(carom_write_bodies_f32(io_scratch("scene.npy"), &bodies, NULL, NULL, NULL), CAROM_OK);
    carom_scene_release(&scene);
    refuse_each("scene.npy", read_file, io_scratch("scene.npy"));
    io_scratch_remove();
}

static carom_status create_context(const void *unused) {
    (void)unused;
    carom_context *context = (carom_context *)(void *)&heap;
    carom_error error = {.message = ""};
    carom_status status = carom_context_create(NULL, &context, &error);
    note_check(status == CAROM_OK || (context == NULL && error.message[0] != '\0'), "a context after all");
    carom_context_destroy(context);
    return status;
}

static void test_context(void **state) {
    (void)state;
    refuse_each("context", create_context, NULL);
}

int main(void) {
    note_start("tests/fault/test_system_memory");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scenes),
        cmocka_unit_test(test_motion),
        cmocka_unit_test(test_readers),
        cmocka_unit_test(test_context),
    };
    return cmocka_run_group_tests_name("system memory", tests, NULL, NULL);
}
