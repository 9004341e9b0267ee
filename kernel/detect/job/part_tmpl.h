/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A part: the scene, or some of its bodies that are searched like a scene of their own. The entries of a crowded cell
 * are one, and so are the oversized bodies. In: bodies, and for each the slot that it has in the scene. The survey adds
 * the plan, the partition adds the records and their cells. */
#ifndef CAROM_DETECT_JOB_PART_TMPL_H
#define CAROM_DETECT_JOB_PART_TMPL_H

#include "kernel/broad/cell.h"
#include "simd/precision.h"

typedef struct carom_part {
    uint32_t depth;       /* 0: the scene; a part of it: 1; and so on, below CAROM_PART_DEPTHS */
    carom_bodies bodies;  /* the caller's, or the part's own copy */
    const uint32_t *slot; /* slot in the scene of each body; NULL for the scene itself */
    const uint32_t
        *earlier;          /* each body's `earlier` bits in the cells around the part, 4 a depth; NULL for the scene */
    bool swept;            /* its cells are to be swept */
    carom_plan plan;       /* how the bodies are divided into cells */
    carom_record *records; /* in partition order; record.body is a number within the part */
    const uint32_t *start; /* first record of each code; plan.code_count + 1 */
    carom_oversized oversized; /* bodies too wide for the cells */
    uint32_t *crowded;         /* numbers of the cells that are searched as parts of their own */
    uint32_t crowded_count;    /* how many of these there are so far */
    uint64_t most_entries;     /* in any cell that is not crowded; of adjacent cells: candidates */
} carom_part;

#define carom_part_validate CAROM_REAL(carom_part_validate)

/* Checked builds, after the partition: the codes and the oversized bodies cover all records, every record is a body of
 * the part, every slot one of the scene's `slots`, and `earlier` bits are those of the depths above. Returns NULL or
 * what is wrong. */
const char *carom_part_validate(const carom_part *part, uint64_t slots);

#endif
