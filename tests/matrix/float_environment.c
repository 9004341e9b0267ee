/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/matrix/float_environment.h"

#include <fenv.h>
#include <stdint.h>

const char *const float_environment_names[FLOAT_ENVIRONMENTS] = {"default", "flush", "up"};

#if defined(__x86_64__)
/* MXCSR: results flushed to zero, operands taken as zero. */
static const uint64_t flush_bits = 0x8040;

static uint64_t control(void) {
    return __builtin_ia32_stmxcsr();
}

static void set_control(uint64_t bits) {
    __builtin_ia32_ldmxcsr((unsigned)bits);
}
#elif defined(__aarch64__)
/* FPCR.FZ: both. */
static const uint64_t flush_bits = UINT64_C(1) << 24;

static uint64_t control(void) {
    uint64_t bits;
    __asm__ volatile("mrs %0, fpcr" : "=r"(bits));
    return bits;
}

static void set_control(uint64_t bits) {
    __asm__ volatile("msr fpcr, %0" : : "r"(bits));
}
#else
static const uint64_t flush_bits = 0;

static uint64_t control(void) {
    return 0;
}

static void set_control(uint64_t bits) {
    (void)bits;
}
#endif

void float_environment_enter(float_environment environment) {
    if (environment == FLOAT_FLUSH) {
        set_control(control() | flush_bits);
    } else if (environment == FLOAT_UP) {
        fesetround(FE_UPWARD);
    }
}

bool float_environment_leave(float_environment environment) {
    const bool flushes = flush_bits != 0 && (control() & flush_bits) == flush_bits;
    const bool kept = fegetround() == (environment == FLOAT_UP ? FE_UPWARD : FE_TONEAREST) &&
                      (flush_bits == 0 || flushes == (environment == FLOAT_FLUSH));
    fesetround(FE_TONEAREST);
    set_control(control() & ~flush_bits);
    return kept;
}
