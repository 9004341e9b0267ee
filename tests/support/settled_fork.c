/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/support/settled_fork.h"

#include <sys/wait.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#include <dirent.h>

/* Looks a millisecond apart that must find the same number of threads. */
enum { LOOKS = 20 };

static int threads_now(void) {
    DIR *tasks = opendir("/proc/self/task");
    int count = 0;
    while (tasks != NULL && readdir(tasks) != NULL) {
        count++;
    }
    if (tasks != NULL) {
        closedir(tasks);
    }
    return count;
}

static void let_threads_leave(void) {
    int last = 0;
    for (int same = 0; same < LOOKS;) {
        const int now = threads_now();
        same = now == last ? same + 1 : 0;
        last = now;
        usleep(1000);
    }
}
#else
static void let_threads_leave(void) {
}
#endif

pid_t settled_fork(void) {
    let_threads_leave();
    return fork();
}

bool settled_fork_holds(bool (*check)(void), unsigned seconds) {
    const pid_t child = settled_fork();
    if (child == 0) {
        alarm(seconds);
        _exit(check() ? 0 : 1);
    }
    int status = -1;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
