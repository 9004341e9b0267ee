/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Coherent detection of one precision beside cold detection, step by step: what both must give alike, and the events
 * from the touching pairs of two steps. */
#ifndef CAROM_TESTS_STEPPER_TMPL_H
#define CAROM_TESTS_STEPPER_TMPL_H

#include "tests/prop/world_tmpl.h"
#include "tests/support/any_detect.h"
#include "tests/support/fault_allocator.h"

typedef CAROM_REAL(carom_detection) detection;
typedef CAROM_REAL(carom_coherent) coherent;

#define DETECT CAROM_REAL(carom_detect)
#define CREATE CAROM_REAL(carom_coherent_create)
#define DESTROY CAROM_REAL(carom_coherent_destroy)
#define RESET CAROM_REAL(carom_coherent_reset)
#define STEP CAROM_REAL(carom_coherent_detect)

/* Contexts of every instruction set with several numbers of threads; set-up and tear-down of a group of tests. */
enum { STEPPER_CONTEXTS_MOST = 32 };
extern carom_context *stepper_contexts[STEPPER_CONTEXTS_MOST];
extern uint64_t stepper_context_count;
int stepper_contexts_make(void **state);
int stepper_contexts_destroy(void **state);
/* Another context; isa and faults may be NULL. */
carom_context *stepper_context(uint32_t threads, const char *isa, const fault_allocator *faults);

/* Touching pairs as sorted keys, each once. */
typedef struct pair_set {
    uint64_t count;
    uint64_t *key;
} pair_set;

typedef struct stepper {
    carom_context *context;
    carom_context *cold;
    coherent *coherent;
    const carom_filter *filter;     /* of the next step */
    const carom_periodic *periodic; /* likewise */
    bool approaching;               /* likewise */
    pair_set before;
} stepper;

stepper stepper_start(carom_context *context, carom_context *cold, uint32_t steps_ahead);
void stepper_stop(stepper *s);

/* Everything, in order. */
carom_detect_config stepper_config(void);

/* A step of everything, held against cold detection and the step before. */
carom_coherent_report stepper_check_step(stepper *s, const bodies_view *bodies);

/* A step that does less, in one of several ways: the next one has nothing to compare with unless it found who touches.
 */
void stepper_check_lesser_step(stepper *s, const bodies_view *bodies, uint64_t which);

/* The parts of it: the same results, rows in the same order; and events since the step before, which this is from then
 * on. `cold` has the touching pairs. */
void stepper_check_same(const detection *got, const detection *cold, uint64_t bodies);
void stepper_check_events(stepper *s, const detection *cold, const carom_coherent_report *report);

/* The step before was another: that with the touching pairs of `cold`, or, if NULL, none to compare with. */
void stepper_forget(stepper *s, const detection *cold);

/* A copy of the rows, and of the labels of so many bodies. */
any_result stepper_rows(const detection *d, uint64_t bodies);

#endif
