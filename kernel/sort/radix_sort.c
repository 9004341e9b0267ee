/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Memory of the sort: histograms that are kept for the next one. radix_sort_tmpl.c sorts. */
#include "kernel/sort/radix_sort.h"

#include "kernel/sort/digit_table.h"

uint64_t carom_radix_sort_bytes(const carom_team *team) {
    return carom_size_multiply(team->workers, sizeof(carom_digit_table));
}

void carom_radix_sort_release(carom_radix_sort *sort, carom_memory *memory) {
    carom_buffer_release(memory, &sort->histogram);
}
