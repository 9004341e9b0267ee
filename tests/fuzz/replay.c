/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Runs a fuzz target on stored inputs, without a fuzzer: every file named, every file of every folder named. Guards
 * what fuzzing has found once. A target that finds fault aborts; the last line printed names the input. */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "tests/fuzz/target.h"

enum { PATH_SIZE = 4096 };

static unsigned long replayed;

static bool replay_file(const char *path) {
    FILE *file = fopen(path, "rb");
    struct stat facts;
    if (file == NULL || fstat(fileno(file), &facts) != 0) {
        perror(path);
        return false;
    }
    const size_t size = (size_t)facts.st_size;
    uint8_t *data = malloc(size > 0 ? size : 1); /* exactly as large, so that sanitizers see a step beyond */
    const bool read = data != NULL && fread(data, 1, size, file) == size;
    fclose(file);
    printf("# %s\n", path);
    fflush(stdout);
    if (read) {
        LLVMFuzzerTestOneInput(data, size);
        replayed++;
    }
    free(data);
    return read;
}

static int is_input(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

static bool replay_folder(const char *path) {
    struct dirent **entry;
    const int count = scandir(path, &entry, is_input, alphasort);
    bool ok = count > 0;
    for (int n = 0; n < count; n++) {
        char name[PATH_SIZE];
        snprintf(name, sizeof name, "%s/%s", path, entry[n]->d_name);
        ok = replay_file(name) && ok;
        free(entry[n]);
    }
    if (count >= 0) {
        free(entry);
    }
    return ok;
}

int main(int argc, char **argv) {
    bool ok = argc > 1;
    LLVMFuzzerInitialize(&argc, &argv);
    for (int n = 1; n < argc; n++) {
        struct stat facts;
        const bool folder = stat(argv[n], &facts) == 0 && S_ISDIR(facts.st_mode);
        ok = (folder ? replay_folder(argv[n]) : replay_file(argv[n])) && ok;
    }
    printf("# %lu inputs\n", replayed);
    return ok && replayed > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
