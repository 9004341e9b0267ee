/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The instruction sets by name: those compiled into this library, and those of them that this CPU runs. */
#include "carom/context.h"
#include "simd/dispatch.h"

/* More tables than there are instruction sets. */
enum { ISA_MAX = 8 };

/* Writes the names of the tables that `list` gives, at most `capacity`. Returns how many tables there are. */
static size_t names_of(size_t list(const carom_simd **, size_t), const char **names, size_t capacity) {
    const carom_simd *tables[ISA_MAX];
    size_t count = list(tables, ISA_MAX);
    for (size_t n = 0; n < count && n < capacity && n < ISA_MAX; n++) {
        names[n] = tables[n]->name;
    }
    return count;
}

size_t carom_isa_compiled(const char **names, size_t capacity) {
    return names_of(carom_simd_compiled, names, capacity);
}

size_t carom_isa_available(const char **names, size_t capacity) {
    return names_of(carom_simd_available, names, capacity);
}
