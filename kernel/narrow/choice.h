/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Those children of a compound that may matter, in the order of their numbers. In: the compound's balls, and a test
 * that says which of them hold no child that matters. Compounds have up to 65,535 children, and small stacks no room
 * for a list of them: they are chosen from one range of numbers after the other. */
#ifndef CAROM_NARROW_CHOICE_H
#define CAROM_NARROW_CHOICE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "kernel/shape/balls.h"

enum { CAROM_CHOICE_MOST = 512, CAROM_CHOICE_WORDS = CAROM_CHOICE_MOST / 64 };

typedef struct carom_choice {
    uint32_t begin; /* of children [begin, end), those with bits are chosen: child n has bit n - begin */
    uint32_t end;
    uint64_t bits[CAROM_CHOICE_WORDS];
} carom_choice;

/* Whether no child in a ball matters. */
typedef bool carom_choice_test(const void *data, const carom_ball *ball);

/* Begins a choice among the `count` children from `begin` on: none yet. */
static inline void carom_choice_begin(uint32_t begin, uint32_t count, carom_choice *choice) {
    const uint32_t left = count - begin;
    choice->begin = begin;
    choice->end = begin + (left < CAROM_CHOICE_MOST ? left : CAROM_CHOICE_MOST);
    memset(choice->bits, 0, (choice->end - begin + 63) / 64 * sizeof choice->bits[0]);
}

/* Chooses the first few from `begin` on, whatever they are. */
static inline void carom_choice_few(uint32_t begin, uint32_t count, carom_choice *choice) {
    const uint32_t left = count - begin;
    choice->begin = begin;
    choice->end = begin + (left < 64 ? left : 64);
    choice->bits[0] = UINT64_MAX;
}

/* Notes that a ball's child is chosen, if it is in the range. */
static inline void carom_choice_add(uint32_t child, carom_choice *choice) {
    const uint32_t bit = child - choice->begin; /* great for those before */
    if (bit < choice->end - choice->begin) {
        choice->bits[bit / 64] |= (uint64_t)1 << bit % 64;
    }
}

/* Chooses from `begin` on. The walk goes down wherever the test does not rule a ball out. */
static inline __attribute__((always_inline)) void carom_choice_make(const carom_balls *balls, uint32_t begin,
                                                                    carom_choice_test *test, const void *data,
                                                                    carom_choice *choice) {
    uint32_t next[CAROM_BALLS_LEVELS]; /* balls [next, end) of each level are left */
    uint32_t end[CAROM_BALLS_LEVELS];
    uint32_t level = balls->levels - 1;
    carom_choice_begin(begin, balls->count[0], choice);
    next[level] = 0;
    end[level] = balls->count[level];
    while (level < balls->levels) {
        if (next[level] == end[level]) {
            level++;
            continue;
        }
        const uint32_t ball = next[level]++;
        if (test(data, &balls->ball[level][ball])) {
            continue;
        }
        if (level == 0) {
            carom_choice_add(balls->child[ball], choice);
            continue;
        }
        const uint32_t first = CAROM_BALLS_GROUP * ball;
        const uint32_t left = balls->count[--level] - first;
        next[level] = first;
        end[level] = first + (left < CAROM_BALLS_GROUP ? left : CAROM_BALLS_GROUP);
    }
}

/* The first child from number n on that is chosen; choice->end: there is none. */
static inline uint32_t carom_choice_next(const carom_choice *choice, uint32_t n) {
    while (n < choice->end) {
        const uint32_t bit = n - choice->begin;
        const uint64_t rest = choice->bits[bit / 64] >> bit % 64;
        if (rest != 0) {
            n += (uint32_t)__builtin_ctzll(rest);
            break;
        }
        n += 64 - bit % 64;
    }
    return n < choice->end ? n : choice->end;
}

#endif
