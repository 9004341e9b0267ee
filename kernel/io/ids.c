/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/io/ids.h"

#include <stdlib.h>
#include <string.h>

#include "kernel/check/assert.h"

/* By id, then by line: of two equal ids the later line is the one to complain about. */
static int compare(const void *a, const void *b) {
    const carom_id *x = a;
    const carom_id *y = b;
    if (x->id != y->id) {
        return x->id < y->id ? -1 : 1;
    }
    return x->line < y->line ? -1 : x->line > y->line;
}

const carom_id *carom_ids_sort(carom_id *ids, uint64_t count) {
    /* Most files are in order already, and qsort does not notice. */
    bool sorted = true;
    for (uint64_t n = 1; n < count && sorted; n++) {
        sorted = ids[n - 1].id < ids[n].id;
    }
    if (!sorted) {
        qsort(ids, (size_t)count, sizeof *ids, compare);
    }
    for (uint64_t n = 1; n < count; n++) {
        if (ids[n - 1].id == ids[n].id) {
            return &ids[n];
        }
    }
    return NULL;
}

const carom_id *carom_ids_find(const carom_id *ids, uint64_t count, int64_t id) {
    CAROM_ASSERT(count == 0 || ids[0].id <= ids[count - 1].id);
    uint64_t low = 0;
    uint64_t high = count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (ids[middle].id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < count && ids[low].id == id ? &ids[low] : NULL;
}

void carom_ids_apply(const carom_id *ids, uint64_t count, double *value, double *work) {
    memcpy(work, value, (size_t)count * sizeof *value);
    for (uint64_t n = 0; n < count; n++) {
        CAROM_ASSERT(ids[n].place < count);
        value[n] = work[ids[n].place];
    }
}
