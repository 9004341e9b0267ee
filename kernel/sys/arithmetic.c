/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Sets only the register that scalar and vector arithmetic obey. No code here uses the x87 unit. */
#include "kernel/sys/arithmetic.h"

#if defined(__SSE2__)

/* All exceptions masked and none raised, rounding to nearest, no flushing to zero, subnormal operands kept. */
enum { DEFAULT_CONTROL = 0x1F80 };

static uint64_t get_control(void) {
    return __builtin_ia32_stmxcsr();
}

static void set_control(uint64_t control) {
    __builtin_ia32_ldmxcsr((uint32_t)control);
}

#elif defined(__aarch64__)

/* Exception flags are in a second register, FPSR: it is kept in the upper half of the saved word. */
enum { DEFAULT_CONTROL = 0, HALF = 32 };

static uint64_t get_control(void) {
    uint64_t control;
    uint64_t status;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    __asm__ volatile("mrs %0, fpsr" : "=r"(status));
    return control | status << HALF;
}

static void set_control(uint64_t control) {
    uint64_t status = control >> HALF;
    control &= UINT32_MAX;
    __asm__ volatile("msr fpcr, %0" : : "r"(control) : "memory");
    __asm__ volatile("msr fpsr, %0" : : "r"(status) : "memory");
}

#else
#error "how to set the floating-point environment of this processor is not known"
#endif

carom_arithmetic carom_arithmetic_enter(void) {
    const carom_arithmetic before = {get_control()};
    set_control(DEFAULT_CONTROL);
    return before;
}

void carom_arithmetic_leave(carom_arithmetic before) {
    set_control(before.control);
}
