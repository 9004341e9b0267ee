/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* How many bytes the parts of a snapshot have. All are multiples of 8. */
#ifndef CAROM_WORLD_SNAPSHOT_FORMAT_H
#define CAROM_WORLD_SNAPSHOT_FORMAT_H

#include <stdint.h>

#include "kernel/sys/size.h"

/* "CAROMWLD" in bytes. */
#define CAROM_SNAPSHOT_MAGIC UINT64_C(0x444C574D4F524143)

enum {
    CAROM_SNAPSHOT_VERSION = 1,
    CAROM_SNAPSHOT_HEAD = 72,
    CAROM_SNAPSHOT_CONFIG = 168,
    CAROM_SNAPSHOT_SURFACE = 136,
    CAROM_SNAPSHOT_BODY = 112,
    CAROM_SNAPSHOT_ENTRY = 8,
    CAROM_SNAPSHOT_CONTACT = 32,
    CAROM_SNAPSHOT_CHECKSUM = 8
};

typedef struct carom_snapshot_counts {
    uint64_t bodies;
    uint64_t entries;
    uint64_t surfaces;
    uint64_t contacts;
} carom_snapshot_counts;

/* UINT64_MAX if it does not fit. */
static inline uint64_t carom_snapshot_bytes(const carom_snapshot_counts *counts) {
    uint64_t bytes = CAROM_SNAPSHOT_HEAD + CAROM_SNAPSHOT_CONFIG + CAROM_SNAPSHOT_CHECKSUM;
    bytes = carom_size_add(bytes, carom_size_multiply(counts->surfaces, CAROM_SNAPSHOT_SURFACE));
    bytes = carom_size_add(bytes, carom_size_multiply(counts->bodies, CAROM_SNAPSHOT_BODY));
    bytes = carom_size_add(bytes, carom_size_multiply(counts->entries, CAROM_SNAPSHOT_ENTRY));
    return carom_size_add(bytes, carom_size_multiply(counts->contacts, CAROM_SNAPSHOT_CONTACT));
}

#endif
