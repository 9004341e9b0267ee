/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Lists that grow at their end. */
#ifndef CAROM_IMPACTS_LIST_H
#define CAROM_IMPACTS_LIST_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "kernel/sys/memory.h"

/* Zero-initialise before the first use. Its room stays when it is emptied. */
typedef struct carom_list {
    carom_buffer buffer;
    uint64_t count; /* entries */
} carom_list;

/* Makes room for `more` entries after those that there are. The room grows by a sixteenth at least, near the limit of
 * memory too: growing by an entry each time would copy all entries each time. False if there is no memory; then nothing
 * has changed. */
static inline bool carom_list_reserve(carom_memory *memory, carom_list *list, uint64_t more, uint64_t entry) {
    const uint64_t bytes = (list->count + more) * entry;
    const uint64_t least = list->buffer.bytes + list->buffer.bytes / 16;
    return bytes <= list->buffer.bytes ||
           carom_buffer_grow(memory, &list->buffer, bytes > least ? bytes : least, list->count * entry) == CAROM_OK;
}

/* Appends an entry of `bytes`, which is to be written where it stays: a copy of what has just been written to the stack
 * waits until that is done. NULL if there is no memory. */
static inline void *carom_list_add(carom_memory *memory, carom_list *list, uint64_t bytes) {
    return carom_list_reserve(memory, list, 1, bytes) ? (char *)list->buffer.data + list->count++ * bytes : NULL;
}

/* Appends a copy of an entry of `bytes`. False if there is no memory. */
static inline bool carom_list_append(carom_memory *memory, carom_list *list, const void *entry, uint64_t bytes) {
    void *added = carom_list_add(memory, list, bytes);
    if (added != NULL) {
        memcpy(added, entry, bytes);
    }
    return added != NULL;
}

#endif
