/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A file that is written is there as a whole or not at all, under its own name and with its own permissions; what is no
 * ordinary file gets the bytes directly. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernel/io/output.h"
#include "kernel/io/place.h"
#include "kernel/io/unfinished.h"
#include "tests/support/check.h"
#include "tests/support/io_files.h"
#include "tests/support/io_groups.h"

enum { LONG_TEXT = 1 << 20 };

/* A second path at once: io_scratch has room for one. */
static const char *other_scratch(const char *name) {
    static char path[IO_PATH_SIZE];
    snprintf(path, sizeof path, "%s", io_scratch(name));
    return path;
}

static void make(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void expect(const char *path, const char *text) {
    io_bytes bytes = io_load(path);
    assert_string_equal(bytes.data, text);
    io_bytes_release(&bytes);
}

static mode_t mode_of(const char *path) {
    struct stat facts;
    assert_int_equal(stat(path, &facts), 0);
    return facts.st_mode & 07777;
}

/* Between open and close the old file is as it was. */
static void an_earlier_file_is_replaced_at_the_end(void **state) {
    const char *path = io_scratch("output");
    carom_output out;
    (void)state;
    make(path, "old\n");
    assert_int_equal(chmod(path, 04640), 0);
    assert_int_equal(carom_output_open(path, &out, NULL), CAROM_OK);
    assert_true(out.replaces && !out.standard);
    assert_true(fputs("new\n", out.file) >= 0 && fflush(out.file) == 0);
    expect(path, "old\n");
    assert_int_equal(carom_output_close(&out, NULL), CAROM_OK);
    expect(path, "new\n");
    assert_int_equal(mode_of(path), 0640);
    assert_int_not_equal(access(out.temporary, F_OK), 0);
}

static void a_new_file_has_the_usual_permissions(void **state) {
    const mode_t before = umask(027);
    carom_output out;
    (void)state;
    (void)unlink(io_scratch("output"));
    assert_int_equal(carom_output_open(io_scratch("output"), &out, NULL), CAROM_OK);
    assert_false(out.replaces);
    assert_int_not_equal(access(io_scratch("output"), F_OK), 0);
    assert_int_equal(carom_output_close(&out, NULL), CAROM_OK);
    umask(before);
    assert_int_equal(mode_of(io_scratch("output")), 0640);
}

/* The link stays a link, to a file that exists or not. */
static void links_are_followed(void **state) {
    const char *target = other_scratch("linked");
    carom_output out;
    (void)state;
    (void)unlink(target);
    (void)unlink(io_scratch("link"));
    assert_int_equal(symlink("linked", io_scratch("link")), 0);
    for (int exists = 0; exists < 2; exists++) {
        assert_int_equal(carom_output_open(io_scratch("link"), &out, NULL), CAROM_OK);
        assert_int_equal(out.replaces, exists);
        assert_true(fputs("through\n", out.file) >= 0);
        assert_int_equal(carom_output_close(&out, NULL), CAROM_OK);
        expect(target, "through\n");
        struct stat facts;
        assert_int_equal(lstat(io_scratch("link"), &facts), 0);
        assert_true(S_ISLNK(facts.st_mode));
    }
}

/* A limit on the size of files stands for a full disk. */
static void what_does_not_fit_leaves_the_old_file(void **state) {
    const struct rlimit small = {.rlim_cur = 4096, .rlim_max = RLIM_INFINITY};
    struct rlimit before;
    carom_output out;
    carom_error error = {.message = ""};
    (void)state;
    make(io_scratch("output"), "old\n");
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    const struct rlimit limit = {.rlim_cur = small.rlim_cur, .rlim_max = before.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(carom_output_open(io_scratch("output"), &out, &error), CAROM_OK);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    for (int n = 0; n < LONG_TEXT; n++) {
        fputc('x', out.file);
    }
    assert_int_equal(carom_output_close(&out, &error), CAROM_ERROR_FILE);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    (void)signal(SIGXFSZ, handler);
    assert_non_null(strstr(error.message, strerror(EFBIG)));
    expect(io_scratch("output"), "old\n");
    assert_int_not_equal(access(out.temporary, F_OK), 0);
}

/* A copy of this program, which had begun to write, gets a signal. Returns how the copy ended. */
static int signal_a_child(int number, void (*handler)(int)) {
    int outcome;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        /* Under nohup, for one, the signal is ignored so far. */
        (void)signal(number, handler);
        carom_unfinished_watch();
        raise(number);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &outcome, 0), child);
    return outcome;
}

static void a_signal_leaves_nothing_half_written(void **state) {
    static const int ends[] = {SIGHUP, SIGINT, SIGPIPE, SIGTERM};
    (void)state;
    for (size_t n = 0; n < sizeof ends / sizeof *ends; n++) {
        make(io_scratch("output"), "old\n");
        carom_output out;
        assert_int_equal(carom_output_open(io_scratch("output"), &out, NULL), CAROM_OK);
        /* One that is ignored changes nothing. */
        assert_int_equal(signal_a_child(ends[n], SIG_IGN), 0);
        assert_int_equal(access(out.temporary, F_OK), 0);
        const int outcome = signal_a_child(ends[n], SIG_DFL);
        assert_true(WIFSIGNALED(outcome) && WTERMSIG(outcome) == ends[n]);
        /* The child removed what its parent had begun; so this is too late. */
        assert_int_not_equal(access(out.temporary, F_OK), 0);
        assert_int_equal(carom_output_close(&out, NULL), CAROM_ERROR_FILE);
        expect(io_scratch("output"), "old\n");
    }
}

static void pipes_get_the_bytes(void **state) {
    carom_output out;
    char got[8] = "";
    (void)state;
    (void)unlink(io_scratch("fifo"));
    assert_int_equal(mkfifo(io_scratch("fifo"), 0600), 0);
    const int reader = open(io_scratch("fifo"), O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    assert_int_equal(carom_output_open(io_scratch("fifo"), &out, NULL), CAROM_OK);
    assert_int_equal(out.ticket, -1);
    assert_true(fputs("bytes", out.file) >= 0);
    assert_int_equal(carom_output_close(&out, NULL), CAROM_OK);
    assert_int_equal(read(reader, got, sizeof got), 5);
    assert_memory_equal(got, "bytes", 5);
    close(reader);
}

/* Names of one file: itself, a link, a hard link, another way through folders; of a file that is not there yet, too. */
static void one_file_is_known_by_all_its_names(void **state) {
    (void)state;
    make(io_scratch("one"), "");
    (void)unlink(io_scratch("hard"));
    (void)unlink(io_scratch("soft"));
    (void)unlink(io_scratch("dangling"));
    (void)unlink(io_scratch("none"));
    const char *one = other_scratch("one");
    assert_int_equal(link(one, io_scratch("hard")), 0);
    assert_int_equal(symlink("one", io_scratch("soft")), 0);
    assert_int_equal(symlink("./none", io_scratch("dangling")), 0);
    static const struct {
        const char *a;
        const char *b;
        bool same;
    } cases[] = {{"one", "one", true},
                 {"one", "hard", true},
                 {"one", "soft", true},
                 {"hard", "./soft", true},
                 {"one", "none", false},
                 {"none", "none", true},
                 {"none", "./none", true},
                 {"dangling", "none", true},
                 {"none", "nothing", false},
                 {"dangling", "one", false},
                 {"no/folder", "no/folder", false}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        const carom_place a = carom_place_of(io_scratch(cases[n].a), 1);
        const carom_place b = carom_place_of(io_scratch(cases[n].b), 1);
        if (carom_place_same(&a, &b) != cases[n].same) {
            fail_msg("%s and %s: %s", cases[n].a, cases[n].b, cases[n].same ? "not the same" : "the same");
        }
    }
    const carom_place null = carom_place_of("/dev/null", 1);
    assert_false(carom_place_same(&null, &null));
}

int io_output_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_earlier_file_is_replaced_at_the_end),
        cmocka_unit_test(a_new_file_has_the_usual_permissions),
        cmocka_unit_test(links_are_followed),
        cmocka_unit_test(what_does_not_fit_leaves_the_old_file),
        cmocka_unit_test(a_signal_leaves_nothing_half_written),
        cmocka_unit_test(pipes_get_the_bytes),
        cmocka_unit_test(one_file_is_known_by_all_its_names),
    };
    return cmocka_run_group_tests_name("output", tests, NULL, NULL);
}
