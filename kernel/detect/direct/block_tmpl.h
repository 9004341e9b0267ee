/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Blocks of few bodies, which lie in the caller's order, so that slots are places in the block. In: bodies. Out: their
 * records and boxes, which pairs touch, and their contacts. Nothing is sorted, and nothing is shared among
 * threads: with few bodies, that takes longer than to test all pairs. */
#ifndef CAROM_DETECT_DIRECT_BLOCK_TMPL_H
#define CAROM_DETECT_DIRECT_BLOCK_TMPL_H

#include "carom/contacts.h"
#include "simd/dispatch.h"
#include "simd/precision.h"

/* The most bodies of which all pairs are tested, and room for the pairs of boxes that are found at a time. */
enum { CAROM_DIRECT_MOST = 320, CAROM_DIRECT_HITS = 2048 };

/* A block. Arrays have room for CAROM_SIMD_PAD more than they say. */
typedef struct carom_direct_block {
    const carom_simd *simd;
    uint64_t room;         /* bodies, a multiple of CAROM_SIMD_PAD */
    carom_record *records; /* of `room` bodies */
    float *lo[3];          /* their boxes */
    float *hi[3];
    uint32_t *size; /* workspace of groups, of `room` bodies */
    uint32_t *slot_i; /* of CAROM_DIRECT_HITS pairs */
    uint32_t *slot_k;
} carom_direct_block;

#define carom_direct_block_bytes CAROM_REAL(carom_direct_block_bytes)
#define carom_direct_block_set CAROM_REAL(carom_direct_block_set)
#define carom_direct_block_load CAROM_REAL(carom_direct_block_load)
#define carom_direct_block_hits CAROM_REAL(carom_direct_block_hits)
#define carom_direct_block_touching CAROM_REAL(carom_direct_block_touching)
#define carom_direct_block_contacts CAROM_REAL(carom_direct_block_contacts)

/* Bytes of the arrays, but for the records, of a block of so many bodies: a multiple of a cache line. */
uint64_t carom_direct_block_bytes(uint64_t room);

/* Sets the arrays: records are the caller's, the others lie in `memory`. */
void carom_direct_block_set(carom_direct_block *block, const carom_simd *simd, uint64_t room, carom_record *records,
                            void *memory);

/* Bodies [begin, end) become slots 0 and on. Returns whether all are valid. */
static inline bool carom_direct_block_load(const carom_direct_block *block, const carom_bodies *bodies, uint64_t begin,
                                           uint64_t end, const double centre[3]) {
    return carom_kernels_of(block->simd)
        ->direct_bodies(bodies, begin, end, centre, block->records, block->lo, block->hi);
}

/* Adds pairs of overlapping boxes of `rows` to the `hits` that slot_i and slot_k have; returns how many there are then.
 * There is room for one row at least. */
static inline uint32_t carom_direct_block_hits(const carom_direct_block *block, carom_direct_rows *rows,
                                               uint32_t hits) {
    const float *const lo[3] = {block->lo[0], block->lo[1], block->lo[2]};
    const float *const hi[3] = {block->hi[0], block->hi[1], block->hi[2]};
    return hits + block->simd->direct_pairs(lo, hi, rows, block->slot_i + hits, block->slot_k + hits,
                                            CAROM_DIRECT_HITS - hits);
}

/* Keeps, in order, the pairs that touch. Returns how many. */
uint32_t carom_direct_block_touching(const carom_direct_block *block, uint32_t hits);

/* Contacts of the first `count` pairs. Up to CAROM_SIMD_PAD rows after them may be overwritten. */
void carom_direct_block_contacts(const carom_direct_block *block, uint32_t count, bool all_touch,
                                 const carom_contacts *rows);

#endif
