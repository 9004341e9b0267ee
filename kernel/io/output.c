/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/io/output.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernel/check/assert.h"
#include "kernel/io/place.h"
#include "kernel/io/unfinished.h"
#include "kernel/sys/error.h"

/* Names that are tried before giving up. Each is a new random number. */
enum { NAMES_MAX = 16 };

/* A name in the folder of the target. errno says what is wrong if it is false. */
static bool name_temporary(carom_output *out) {
    uint64_t number = 0;
    const char *slash = strrchr(out->target, '/');
    const int folder = (int)(slash - out->target);
    if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number) {
        number = (uint64_t)getpid();
    }
    const int length =
        snprintf(out->temporary, sizeof out->temporary, "%.*s/.carom-%016" PRIx64, folder, out->target, number);
    errno = ENAMETOOLONG;
    return length >= 0 && length < (int)sizeof out->temporary;
}

/* Announced before it exists, so that no signal comes between. The descriptor, or -1 with errno. */
static int create_temporary(carom_output *out) {
    for (int tries = 0; tries < NAMES_MAX && name_temporary(out); tries++) {
        out->ticket = carom_unfinished_begin(out->temporary, 0);
        errno = EMFILE;
        const int file = out->ticket >= 0 ? open(out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
        if (file >= 0 || out->ticket < 0) {
            return file;
        }
        carom_unfinished_end(out->ticket);
        out->ticket = -1;
        if (errno != EEXIST) {
            break;
        }
    }
    return -1;
}

/* Only the system's owner may give a file away; anybody else's is then his own. */
static bool take_after(int file, const struct stat *earlier) {
    if (fchown(file, earlier->st_uid, earlier->st_gid) != 0) {
        errno = 0;
    }
    return fchmod(file, earlier->st_mode & 0777) == 0;
}

static void drop_temporary(carom_output *out) {
    const int reason = errno;
    (void)unlink(out->temporary);
    carom_unfinished_end(out->ticket);
    out->ticket = -1;
    errno = reason;
}

/* False, with errno, if the file cannot be made. */
static bool open_beside(carom_output *out, const struct stat *earlier) {
    if (!carom_place_follow(out->path, out->target) || (earlier != NULL && access(out->target, W_OK) != 0)) {
        return false;
    }
    const int file = create_temporary(out);
    if (file < 0) {
        return false;
    }
    out->replaces = earlier != NULL;
    if (earlier == NULL || take_after(file, earlier)) {
        out->file = fdopen(file, "wb");
    }
    if (out->file == NULL) {
        drop_temporary(out);
        close(file);
    }
    return out->file != NULL;
}

/* /dev/fd/3 leads to an ordinary file that somebody holds open: it must get the bytes, not another file of its name. */
static bool names_descriptor(const char *path) {
    static const char *const folders[] = {"/dev/", "/proc/"};
    for (size_t n = 0; n < sizeof folders / sizeof *folders; n++) {
        if (strncmp(path, folders[n], strlen(folders[n])) == 0) {
            return strncmp(path, "/dev/shm/", strlen("/dev/shm/")) != 0;
        }
    }
    return false;
}

static bool open_file(carom_output *out) {
    struct stat facts;
    out->standard = carom_place_is_stdout(out->path);
    if (out->standard) {
        out->file = stdout;
        return true;
    }
    const bool exists = stat(out->path, &facts) == 0;
    if (names_descriptor(out->path) || (exists && !S_ISREG(facts.st_mode))) {
        out->file = fopen(out->path, "wb");
        return out->file != NULL;
    }
    return open_beside(out, exists ? &facts : NULL);
}

carom_status carom_output_check(const char *path, carom_error *error) {
    carom_output out = {.path = path, .ticket = -1};
    struct stat facts;
    const bool exists = stat(path, &facts) == 0;
    if (carom_place_is_stdout(path) || names_descriptor(path) ||
        (exists && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode))) {
        return CAROM_OK;
    }
    errno = EISDIR;
    if ((exists && S_ISDIR(facts.st_mode)) || !open_beside(&out, exists ? &facts : NULL)) {
        return carom_error_file(error, path);
    }
    drop_temporary(&out);
    (void)fclose(out.file);
    return CAROM_OK;
}

carom_status carom_output_open(const char *path, carom_output *out, carom_error *error) {
    *out = (carom_output){.path = path, .ticket = -1};
    out->plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (out->plain == (locale_t)0) {
        return carom_error_set(error, CAROM_ERROR_MEMORY, "%s: no memory to write it", path);
    }
    errno = 0;
    if (!open_file(out)) {
        const carom_status status = carom_error_file(error, path);
        freelocale(out->plain);
        return status;
    }
    /* This thread's locale only: other threads of the host go on undisturbed. */
    out->before = uselocale(out->plain);
    return CAROM_OK;
}

/* A full disk shows in some write, when the last of the buffer is written, or when the file is closed. */
static bool finish_writing(carom_output *out) {
    const bool earlier = ferror(out->file) != 0;
    const int reason = errno;
    const bool last = (out->standard ? fflush(out->file) : fclose(out->file)) != 0;
    if (earlier && reason != 0) {
        errno = reason;
    }
    return !earlier && !last;
}

void carom_output_pause(carom_output *out) {
    uselocale(out->before);
}

void carom_output_resume(carom_output *out) {
    out->before = uselocale(out->plain);
}

/* Gives the file its name. A signal that comes between the two tickets finds a file that is whole. */
static bool keep_first(carom_output *out, int64_t bytes) {
    if (rename(out->temporary, out->target) != 0) {
        return false;
    }
    out->kept = bytes;
    carom_unfinished_end(out->ticket);
    out->ticket = carom_unfinished_begin(out->target, bytes);
    errno = EMFILE;
    return out->ticket >= 0;
}

carom_status carom_output_keep(carom_output *out, carom_error *error) {
    bool done = fflush(out->file) == 0 && !ferror(out->file);
    if (done && out->ticket >= 0) {
        const int64_t bytes = (int64_t)ftello(out->file);
        if (bytes > 0 && out->kept == 0) {
            done = keep_first(out, bytes);
        } else if (bytes > 0) {
            out->kept = bytes;
            carom_unfinished_keep(out->ticket, bytes);
        }
    }
    return done ? CAROM_OK : carom_error_file(error, out->path);
}

/* The file gets its name, or is cut to what was kept. */
static bool finish_name(carom_output *out, bool done) {
    if (out->kept > 0) {
        const int reason = errno;
        if (!done && truncate(out->target, out->kept) == 0) {
            errno = reason;
        }
        carom_unfinished_end(out->ticket);
        return done;
    }
    if (done && rename(out->temporary, out->target) == 0) {
        carom_unfinished_end(out->ticket);
        return true;
    }
    drop_temporary(out);
    return false;
}

carom_status carom_output_close(carom_output *out, carom_error *error) {
    CAROM_ASSERT(out->file != NULL);
    bool done = finish_writing(out);
    if (out->ticket >= 0) {
        done = finish_name(out, done);
    }
    const carom_status status = done ? CAROM_OK : carom_error_file(error, out->path);
    uselocale(out->before);
    freelocale(out->plain);
    out->file = NULL;
    return status;
}
