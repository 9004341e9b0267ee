/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/machine.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "kernel/io/printable.h"

/* The beginning of /proc/cpuinfo that has the first core's lines. */
enum { CPUINFO_SIZE = 4096 };

/* "model name : AMD EPYC ...", in the first of the blocks that the system writes for each core. Not by stdio, which
 * allocates. */
static void find_cpu(char cpu[CAROM_MACHINE_TEXT_SIZE]) {
    char text[CPUINFO_SIZE];
    const int file = open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC);
    const ssize_t length = file >= 0 ? read(file, text, sizeof text - 1) : -1;
    if (file >= 0) {
        close(file);
    }
    cpu[0] = '\0';
    text[length > 0 ? length : 0] = '\0';
    const char *line = strstr(text, "model name");
    const char *colon = line != NULL ? strchr(line, ':') : NULL;
    if (colon != NULL) {
        const char *begin = colon + 1 + strspn(colon + 1, " \t");
        carom_printable_copy(begin, begin + strcspn(begin, "\n"), cpu, CAROM_MACHINE_TEXT_SIZE);
    }
}

static uint32_t count_online(void) {
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 ? (uint32_t)cores : 1;
}

/* A container or taskset may leave fewer than the machine has. */
static uint32_t count_usable(uint32_t online) {
    cpu_set_t set;
    const int usable = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
    return usable > 0 ? (uint32_t)usable : online;
}

carom_machine carom_machine_look(void) {
    carom_machine machine = {.cores_online = count_online()};
    const time_t now = time(NULL);
    struct tm parts;
    find_cpu(machine.cpu);
    machine.cores = count_usable(machine.cores_online);
    machine.has_load = getloadavg(machine.load, CAROM_MACHINE_LOADS) == CAROM_MACHINE_LOADS;
    if (gmtime_r(&now, &parts) != NULL) {
        strftime(machine.date, sizeof machine.date, "%Y-%m-%dT%H:%M:%SZ", &parts);
    }
    return machine;
}

bool carom_machine_is_busy(const carom_machine *machine) {
    return machine->has_load && machine->load[0] > machine->cores_online / 2.0;
}
