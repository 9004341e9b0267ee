/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/io/place.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* As many links in a row as Linux follows. */
enum { LINKS_MAX = 40 };

/* Splits at the last slash: the folder ("." without one), and what comes after it. */
static const char *split(const char *path, char folder[PATH_MAX]) {
    const char *slash = strrchr(path, '/');
    if (slash == NULL) {
        strcpy(folder, ".");
        return path;
    }
    const size_t length = slash == path ? 1 : (size_t)(slash - path);
    memcpy(folder, path, length);
    folder[length] = '\0';
    return slash + 1;
}

/* "a/b", or false with errno if that is too long. */
static bool join(const char *folder, const char *word, char path[PATH_MAX]) {
    const char *between = strcmp(folder, "/") == 0 ? "" : "/";
    const int length = snprintf(path, PATH_MAX, "%s%s%s", folder, between, word);
    errno = ENAMETOOLONG;
    return length >= 0 && length < PATH_MAX;
}

/* Where a link that leads to nothing points; false if the path is no link. */
static bool step(const char *path, char next[PATH_MAX]) {
    char target[PATH_MAX];
    char folder[PATH_MAX];
    const ssize_t length = readlink(path, target, sizeof target - 1);
    if (length < 0) {
        return false;
    }
    target[length] = '\0';
    split(path, folder);
    return target[0] == '/' ? snprintf(next, PATH_MAX, "%s", target) >= 0 : join(folder, target, next);
}

bool carom_place_follow(const char *path, char name[PATH_MAX]) {
    char now[PATH_MAX];
    char next[PATH_MAX];
    char folder[PATH_MAX];
    if (strlen(path) >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    strcpy(now, path);
    for (int links = 0; links < LINKS_MAX; links++) {
        if (realpath(now, name) != NULL) {
            return true;
        }
        if (errno != ENOENT) {
            return false;
        }
        if (!step(now, next)) {
            const char *word = split(now, folder);
            char whole[PATH_MAX];
            errno = *word == '\0' ? ENOENT : 0;
            return errno == 0 && realpath(folder, whole) != NULL && join(whole, word, name);
        }
        strcpy(now, next);
    }
    errno = ELOOP;
    return false;
}

carom_place carom_place_of(const char *path, int standard) {
    carom_place place = {.exists = false};
    struct stat facts;
    place.exists = (strcmp(path, "-") == 0 ? fstat(standard, &facts) : stat(path, &facts)) == 0;
    if (place.exists) {
        place.regular = S_ISREG(facts.st_mode);
        place.device = S_ISCHR(facts.st_mode);
        place.volume = facts.st_dev;
        place.number = facts.st_ino;
    } else if (!carom_place_follow(path, place.name)) {
        place.name[0] = '\0';
    }
    return place;
}

bool carom_place_same(const carom_place *a, const carom_place *b) {
    if (a->exists && b->exists) {
        return !a->device && a->volume == b->volume && a->number == b->number;
    }
    return !a->exists && !b->exists && a->name[0] != '\0' && strcmp(a->name, b->name) == 0;
}

bool carom_place_is_stdout(const char *path) {
    static const char *const names[] = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        if (strcmp(path, names[n]) == 0) {
            return true;
        }
    }
    const carom_place place = carom_place_of(path, STDOUT_FILENO);
    const carom_place standard = carom_place_of("-", STDOUT_FILENO);
    return place.regular && carom_place_same(&place, &standard);
}
