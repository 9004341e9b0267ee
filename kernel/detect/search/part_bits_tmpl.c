/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The bits lie in an array of their own, a byte for each slot. They are scattered into it from the caller's order,
 * which needs no record and costs next to nothing for bodies without bits. The rule is that of cells (broad/cell.h):
 * `earlier` bits do for the borders of cells what part bits do for those of the caller's regions. So the sweep of a
 * cell takes part bits along as more of them, and pairs are tested one by one only where there is no room for that. */
#include "kernel/detect/search/part_bits_tmpl.h"

#include <string.h>

#include "kernel/check/assert.h"

/* Part bits on their way to the slots. */
typedef struct part_job {
    const carom_detect_job *job;
    const uint32_t *slot_of; /* of each body */
} part_job;

/* `earlier` bits from this one on belong to parts so deep that there hardly ever are any. Above those of all other
 * depths there is room for part bits. */
enum { FREE_SHIFT = 24 };

/* Bodies, or hits, that are looked at together: loops over so many have no branches. */
enum { TOGETHER = 8 };

static bool any_bits(const uint8_t part[TOGETHER]) {
    uint64_t all;
    _Static_assert(sizeof all == TOGETHER, "a byte for each body");
    memcpy(&all, part, sizeof all);
    return all != 0;
}

/* The slots hold no bits so far. Bodies without any, often most, need no slot. */
static void scatter_bits(const uint8_t *part, const uint32_t *slot_of, uint64_t begin, uint64_t end, uint8_t *bits) {
    uint64_t body = begin;
    for (; body + TOGETHER <= end; body += TOGETHER) {
        if (any_bits(part + body)) {
            for (uint64_t n = body; n < body + TOGETHER; n++) {
                bits[slot_of[n]] = part[n];
            }
        }
    }
    for (; body < end; body++) {
        bits[slot_of[body]] = part[body];
    }
}

static void fill_part_bits(void *data, uint32_t worker) {
    const part_job *p = data;
    const carom_detect_job *job = p->job;
    const uint8_t *part = job->config->filter->part;
    carom_walk walk = carom_team_walk(&job->context->team, worker, job->owned, CAROM_SIMD_PAD);
    while (carom_walk_next(&walk)) {
        scatter_bits(part, p->slot_of, walk.begin, walk.end, job->filter.part_bits);
    }
}

/* Periodic images, which come after the caller's bodies. */
static void fill_image_bits(void *data, uint32_t worker) {
    const part_job *p = data;
    const carom_detect_job *job = p->job;
    const uint64_t images = job->bodies->count - job->owned;
    carom_walk walk = carom_team_walk(&job->context->team, worker, images, CAROM_SIMD_PAD);
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin; n < walk.end; n++) {
            const uint32_t owner = carom_images_owner(job->periodic.images, (uint32_t)(job->owned + n));
            job->filter.part_bits[p->slot_of[job->owned + n]] = job->config->filter->part[owner];
        }
    }
}

carom_status carom_part_bits_start(carom_detect_job *job, const uint32_t *slot_of) {
    const uint64_t count = job->bodies->count;
    const carom_work_need need = {CAROM_WORK_FILTER_PART_BITS, count};
    const carom_status status = carom_job_reserve(job, &need, 1);
    if (status != CAROM_OK) {
        return status;
    }
    part_job p = {job, slot_of};
    job->filter.part_bits = carom_context_work(job->context, CAROM_WORK_FILTER_PART_BITS);
    memset(job->filter.part_bits, 0, count);
    carom_team_run_over(&job->context->team, job->owned, fill_part_bits, &p);
    if (count > job->owned) {
        carom_team_run_over(&job->context->team, count - job->owned, fill_image_bits, &p);
    }
    job->detection->summary.phase_bytes[CAROM_PHASE_PARTITION] += 2.0 * (double)count;
    return CAROM_OK;
}

/* Whether no entry of the scene's cell has bits. Its spans and oversized bodies are slots. */
static bool none_in(const uint8_t *bits, const carom_cell *cell) {
    uint8_t all = 0;
    for (uint32_t s = 0; s < cell->span_count; s++) {
        for (uint32_t slot = cell->span[s].begin; slot < cell->span[s].end; slot++) {
            all |= bits[slot];
        }
    }
    for (uint32_t n = cell->visit_begin; n < cell->visit_end; n++) {
        all |= bits[cell->oversized->first + (cell->oversized->visit[n] & CAROM_VISIT_NUMBER)];
    }
    return all == 0;
}

static void add_bits(const uint8_t *bits, uint32_t count, const uint32_t *restrict slot, uint32_t *restrict earlier) {
    uint32_t n = 0;
    for (; n + TOGETHER <= count; n += TOGETHER) {
        for (uint32_t l = n; l < n + TOGETHER; l++) {
            earlier[l] |= (uint32_t)bits[slot[l]] << FREE_SHIFT;
        }
    }
    for (; n < count; n++) {
        earlier[n] |= (uint32_t)bits[slot[n]] << FREE_SHIFT;
    }
}

bool carom_part_bits_sweep(const carom_detect_job *job, const carom_part *part, const carom_cell *cell,
                           const carom_boxes *boxes) {
    const uint8_t *bits = job->filter.part_bits;
    if (bits == NULL || (part->depth == 0 && none_in(bits, cell))) {
        return true;
    }
    if (CAROM_CELL_BITS * (part->depth + 1) > FREE_SHIFT) {
        return false;
    }
    add_bits(bits, boxes->count, boxes->slot, boxes->earlier);
    return true;
}

static bool any_in_common(const uint8_t *part_bits, uint32_t hits, const uint32_t *slot_i, const uint32_t *slot_k) {
    uint32_t common = 0;
    uint32_t n = 0;
    for (; n + TOGETHER <= hits; n += TOGETHER) {
        for (uint32_t l = n; l < n + TOGETHER; l++) {
            common |= (uint32_t)part_bits[slot_i[l]] & part_bits[slot_k[l]];
        }
    }
    for (; n < hits; n++) {
        common |= (uint32_t)part_bits[slot_i[n]] & part_bits[slot_k[n]];
    }
    return common != 0;
}

/* Few pairs have one in common: most hits are only read. */
uint32_t carom_part_bits_keep(const carom_detect_job *job, uint32_t hits, uint32_t *slot_i, uint32_t *slot_k) {
    const uint8_t *part_bits = job->filter.part_bits;
    if (!any_in_common(part_bits, hits, slot_i, slot_k)) {
        return hits;
    }
    uint32_t kept = 0;
    for (uint32_t n = 0; n < hits; n++) {
        uint32_t i = slot_i[n];
        uint32_t k = slot_k[n];
        slot_i[kept] = i;
        slot_k[kept] = k;
        kept += (part_bits[i] & part_bits[k]) == 0;
    }
    return kept;
}
