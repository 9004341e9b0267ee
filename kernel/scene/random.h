/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Random numbers of the standard scenes: xoshiro256++ seeded by splitmix64 (Blackman and Vigna, Scrambled Linear
 * Pseudorandom Number Generators, 2021). The order of draws is part of a scene's definition: change nothing here. */
#ifndef CAROM_SCENE_RANDOM_H
#define CAROM_SCENE_RANDOM_H

#include <math.h>
#include <stdint.h>

#include "kernel/check/assert.h"

/* The generator of one scene or test. Not to be shared by threads. */
typedef struct carom_random {
    uint64_t state[4]; /* not all zero, which carom_random_seeded sees to */
} carom_random;

/* The next number of splitmix64, which only seeds: any x will do, zero too. */
static inline uint64_t carom_random_splitmix(uint64_t *x) {
    *x += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t z = *x;
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* A generator whose numbers are a function of x. */
static inline carom_random carom_random_seeded(uint64_t x) {
    carom_random random;
    for (int word = 0; word < 4; ++word) {
        random.state[word] = carom_random_splitmix(&x);
    }
    return random;
}

/* Rotates left by 1 to 63 bits. */
static inline uint64_t carom_random_rotate(uint64_t x, int bits) {
    CAROM_ASSERT(0 < bits && bits < 64);
    return (x << bits) | (x >> (64 - bits));
}

/* 64 random bits: xoshiro256++. */
static inline uint64_t carom_random_next(carom_random *random) {
    uint64_t *s = random->state;
    const uint64_t result = carom_random_rotate(s[0] + s[3], 23) + s[0];
    const uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = carom_random_rotate(s[3], 45);
    return result;
}

/* Uniform in [0, 1), a multiple of 2^-53. */
static inline double carom_random_u01(carom_random *random) {
    return (double)(carom_random_next(random) >> 11) * 0x1p-53;
}

/* About normal with mean 0 and variance 1: twelve uniform numbers have variance 12/12. Lies in [-6, 6). */
static inline double carom_random_gauss(carom_random *random) {
    double sum = 0;
    for (int draw = 0; draw < 12; ++draw) {
        sum += carom_random_u01(random);
    }
    return sum - 6;
}

/* Unit vector, uniform on the sphere, by rejection from the cube (von Neumann). */
static inline void carom_random_direction(carom_random *random, double direction[3]) {
    const double least = 1e-8; /* squared length below which dividing by the length would lose the direction */
    double square;
    do {
        square = 0;
        for (int axis = 0; axis < 3; ++axis) {
            direction[axis] = 2 * carom_random_u01(random) - 1;
            square += direction[axis] * direction[axis];
        }
    } while (square <= least || square > 1);
    const double scale = 1 / sqrt(square);
    for (int axis = 0; axis < 3; ++axis) {
        direction[axis] *= scale;
    }
}

#endif
