/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: candidate by candidate. */
#include <float.h>
#include <string.h>

#include "simd/check.h"
#include "simd/declare.h"

#define carom_box_hits_twin CAROM_TWIN_OF(box_hits)

static bool overlap(const carom_box_columns *of, uint32_t i, uint32_t k) {
    bool hit = true;
    for (int a = 0; a < 3; a++) {
        hit = hit && of->lo[a][k] <= of->hi[a][i] && of->lo[a][i] <= of->hi[a][k];
    }
    return hit;
}

static float square_of(const carom_box_columns *of, uint32_t i, uint32_t k) {
    float square = 0.0F;
    for (int a = 0; a < 3; a++) {
        const float apart = (of->lo[a][k] + of->hi[a][k]) - (of->lo[a][i] + of->hi[a][i]);
        square = a == 0 ? apart * apart : square + apart * apart;
    }
    return square;
}

/* A square that is NaN, of sides that are infinite or nearly, becomes FLT_MAX: the square of the outer lengths is
 * infinite then. */
static void decide(const carom_box_columns *of, uint32_t i, uint32_t k, bool *touch, bool *within) {
    const float square = square_of(of, i, k);
    const float inner = of->inner[k] + of->inner[i];
    const float outer = of->outer[k] + of->outer[i];
    *touch = square < inner * inner;
    *within = (square < FLT_MAX ? square : FLT_MAX) <= outer * outer;
}

static void set_bit(uint16_t *bits, uint32_t n, bool set) {
    bits[n / 16] = (uint16_t)(bits[n / 16] | (uint32_t)set << n % 16);
}

/* Tests one body. `close` is NULL if all pairs have bits. Returns its pairs of boxes. */
static uint32_t test_body(const carom_box_hits_in *in, uint32_t i, uint16_t *bits, uint16_t *close) {
    uint32_t pairs = 0;
    for (uint32_t k = i + 1; k < in->count; k++) {
        bool touch = true;
        bool within = true;
        if (!overlap(&in->of, i, k)) {
            continue;
        }
        pairs++;
        if (close != NULL) {
            decide(&in->of, i, k, &touch, &within);
            set_bit(close, k, within && !touch);
        }
        set_bit(bits, k, touch);
    }
    return pairs;
}

static uint32_t count_bits(const uint16_t *bits, uint32_t words) {
    uint32_t count = 0;
    for (uint32_t w = 0; w < words; w++) {
        count += (uint32_t)__builtin_popcount(bits[w]);
    }
    return count;
}

uint64_t carom_box_hits_twin(const carom_box_hits_in *in, uint16_t *bits, uint16_t *close, uint32_t *length,
                             uint32_t *near) {
    const uint32_t words = carom_hits_words(in->count);
    const size_t row = words * sizeof *bits;
    uint64_t pairs = 0;
    CAROM_ASSERT(carom_check_box_hits(in));
    for (uint32_t n = 0; n < in->end - in->begin; n++, bits += words) {
        memset(bits, 0, row);
        if (in->decides) {
            memset(close, 0, row);
        }
        pairs += test_body(in, in->begin + n, bits, in->decides ? close : NULL);
        length[n] = count_bits(bits, words);
        if (in->decides) {
            near[n] = count_bits(close, words);
            close += words;
        }
    }
    return pairs;
}
