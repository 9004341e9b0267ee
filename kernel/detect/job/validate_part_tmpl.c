/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What must hold of a part whose bodies have been partitioned. One pass over its codes and one over its bodies. */
#include <stddef.h>

#include "kernel/detect/job/part_tmpl.h"
#include "kernel/store/context.h"

static const char *validate_shape(const carom_part *part, uint64_t slots) {
    if (part->depth >= CAROM_PART_DEPTHS) {
        return "a part is deeper than `earlier` bits allow";
    }
    if (part->bodies.count == 0 || part->bodies.count > slots) {
        return "a part has no bodies, or more than the scene has slots";
    }
    if ((part->depth > 0) != (part->slot != NULL && part->earlier != NULL)) {
        return "only the scene itself has no slots and no `earlier` bits";
    }
    if (part->plan.cell_count == 0 || part->plan.wide_code != part->plan.cell_count << part->plan.bits) {
        return "the code of the oversized bodies does not follow those of the cells";
    }
    return NULL;
}

static const char *validate_codes(const carom_part *part) {
    const uint32_t *start = part->start;
    for (uint32_t code = 0; code < part->plan.code_count; code++) {
        if (start[code] > start[code + 1]) {
            return "the codes of a part are not in order";
        }
    }
    if (start[0] != 0 || start[part->plan.code_count] != part->bodies.count) {
        return "the codes of a part do not cover its records";
    }
    const uint32_t *wide = start + part->plan.wide_code;
    if (part->oversized.count > 0 && (part->oversized.first != wide[0] || part->oversized.count != wide[1] - wide[0])) {
        return "the oversized bodies are not those with their code";
    }
    return NULL;
}

static const char *validate_bodies(const carom_part *part, uint64_t slots) {
    for (uint64_t n = 0; n < part->bodies.count; n++) {
        if (part->records[n].body >= part->bodies.count) {
            return "a record is of no body of the part";
        }
        if (part->depth == 0) {
            continue;
        }
        if (part->slot[n] >= slots) {
            return "a body of a part has no slot in the scene";
        }
        if (part->earlier[n] >> (CAROM_CELL_BITS * part->depth) != 0) {
            return "a body has `earlier` bits of a part that it is not in";
        }
    }
    return NULL;
}

const char *carom_part_validate(const carom_part *part, uint64_t slots) {
    const char *reason = validate_shape(part, slots);
    if (reason == NULL) {
        reason = validate_codes(part);
    }
    return reason == NULL ? validate_bodies(part, slots) : reason;
}
