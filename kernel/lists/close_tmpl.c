/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/lists/close_tmpl.h"

#include "simd/layout.h"

/* Pairs of one body that are decided at once. */
enum { OPEN = 64 };

static void set_bit(uint16_t *bits, uint32_t candidate) {
    bits[candidate / 16] = (uint16_t)(bits[candidate / 16] | 1U << candidate % 16);
}

/* Returns the old bit. */
static uint32_t clear_bit(uint16_t *bits, uint32_t candidate) {
    const uint32_t bit = (uint32_t)bits[candidate / 16] >> candidate % 16 & 1;
    bits[candidate / 16] = (uint16_t)(bits[candidate / 16] & ~(1U << candidate % 16));
    return bit;
}

/* A pair as a detection decides it: in a periodic box the second body is the one that is moved, by a positive lattice
 * vector. */
static void pair_of(const carom_lists_job *job, uint32_t own, uint32_t other, carom_record pair[2]) {
    int32_t step[3];
    if (job->images == NULL || !carom_lists_key_step(job->images, other, step)) {
        pair[0] = carom_layout_body(job->bodies, carom_lists_owner(job, own));
        pair[1] = carom_layout_body(job->bodies, carom_lists_owner(job, other));
        return;
    }
    const uint32_t number = carom_lists_move_number(step);
    const bool opposite = !job->images->move[number].positive;
    const double *by = job->images->move[opposite ? CAROM_LISTS_MOVES - 1 - number : number].by;
    pair[opposite] = carom_layout_body(job->bodies, carom_lists_owner(job, own));
    pair[!opposite] = carom_layout_body(job->bodies, carom_lists_owner(job, other));
    for (int a = 0; a < 3; a++) {
        pair[1].prev[a] += (carom_real)by[a];
        pair[1].curr[a] += (carom_real)by[a];
    }
}

/* Decides pairs of one body with `count` others; sets the bits of those that touch, and returns how many they are. */
static uint32_t decide(const carom_lists_job *job, uint32_t own, const uint32_t *candidate, const uint32_t *key,
                       uint32_t count, uint16_t *bits) {
    carom_record record[2 * OPEN];
    uint32_t slot_i[OPEN + CAROM_SIMD_PAD] = {0};
    uint32_t slot_k[OPEN + CAROM_SIMD_PAD] = {0};
    for (uint32_t n = 0; n < count; n++) {
        pair_of(job, own, key[candidate[n]], record + 2 * (size_t)n);
        slot_i[n] = 2 * n;
        slot_k[n] = 2 * n + 1;
    }
    const uint32_t touching =
        carom_kernels_of(job->context->simd)->touch(record, count, slot_i, slot_k, slot_i, slot_k);
    for (uint32_t n = 0; n < touching; n++) {
        set_bit(bits, candidate[slot_i[n] / 2]);
    }
    return touching;
}

static bool counts(const carom_hits_in *in, uint32_t own, uint32_t n) {
    return n != own && !(in->later && n < own) && (in->id == NULL || in->id[n] > in->id[own]);
}

void carom_lists_decide_open(const carom_lists_job *job, const carom_hits_in *in,
                             const carom_lists_candidates *candidates, uint32_t body, const carom_lists_hits *hits) {
    const uint32_t words = carom_hits_words(in->count);
    const uint16_t *close = candidates->close + (size_t)body * words;
    const uint32_t *key = candidates->key;
    const uint32_t own = in->first + body;
    uint16_t *bits = hits->bits + (size_t)body * words;
    uint32_t length = hits->length[body];
    uint32_t candidate[OPEN];
    uint32_t count = 0;
    for (uint32_t w = 0; w < words; w++) {
        for (uint32_t left = close[w]; left != 0; left &= left - 1) {
            const uint32_t n = 16 * w + (uint32_t)__builtin_ctz(left);
            if (!counts(in, own, n)) {
                continue;
            }
            length -= clear_bit(bits, n);
            candidate[count++] = n;
            if (count == OPEN) {
                length += decide(job, key[own], candidate, key, count, bits);
                count = 0;
            }
        }
    }
    hits->length[body] = length + (count > 0 ? decide(job, key[own], candidate, key, count, bits) : 0);
}
