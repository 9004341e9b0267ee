/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* One detect call for both precisions: bodies in double go in (as float where f32 is asked for), and every result
 * comes out as a copy in double, so that tests are written once. Floats survive the trip bit for bit. */
#ifndef CAROM_TESTS_ANY_DETECT_H
#define CAROM_TESTS_ANY_DETECT_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/carom.h"

typedef enum any_precision { ANY_F32, ANY_F64, ANY_PRECISIONS } any_precision;

const char *any_precision_name(any_precision precision);

/* t_ca, distance, t_toi, normal of three, point of three. */
enum { ANY_T_CA, ANY_DISTANCE, ANY_T_TOI, ANY_NORMAL, ANY_POINT = ANY_NORMAL + 3, ANY_FIELDS = ANY_POINT + 3 };

/* The arrays of contact rows in either precision: those of carom_contacts_f32 and _f64, in their order. */
typedef struct any_rows {
    uint32_t *i;
    uint32_t *k;
    void *field[ANY_FIELDS];
    int32_t *shift[3];
} any_rows;

any_rows any_rows_f32(const carom_contacts_f32 *contacts);
any_rows any_rows_f64(const carom_contacts_f64 *contacts);

/* A copy of a detection. Arrays that the call did not return are NULL. */
typedef struct any_result {
    carom_status status;
    carom_error error;
    carom_detect_summary summary;
    uint64_t bodies;
    uint64_t pair_count;
    uint32_t *i;
    uint32_t *k;
    double *field[ANY_FIELDS];
    int32_t *shift[3];
    uint64_t group_count;
    uint32_t *label;
    uint64_t *offset;
    uint32_t *member;
    uint64_t *neighbour_offset;
    uint32_t *neighbour_body;
    uint64_t *neighbour_pair;
    float *box[6]; /* lo, then hi */
} any_result;

/* Arrays of the caller's in whichever precision the call has; see carom_detect_output_f32. */
typedef struct any_output {
    uint64_t pair_capacity;
    any_rows rows;
    uint32_t *label;
    carom_block_sink_f32 *sink_f32;
    carom_block_sink_f64 *sink_f64;
    void *sink_user;
} any_output;

/* The same arrays as a call of either precision takes them. */
carom_detect_output_f32 any_output_f32(const any_output *output);
carom_detect_output_f64 any_output_f64(const any_output *output);

/* The bodies as the library takes them, held by the test. */
typedef struct any_bodies {
    any_precision precision;
    carom_bodies_f32 f32;
    carom_bodies_f64 f64;
    void *memory;
    uint64_t bytes;
} any_bodies;

any_bodies any_bodies_make(any_precision precision, const carom_bodies_f64 *from);
void any_bodies_release(any_bodies *bodies);

/* Field 0..6 (prev, curr, radius) of one body, to be changed. */
void any_bodies_set(any_bodies *bodies, int field, uint64_t body, double value);

/* Runs the call and copies what it returned. The raw detection struct is checked on failure: all zero but for the
 * required_* of the summary (the copy then holds nothing). output may be NULL. */
any_result any_detect_bodies(carom_context *context, const any_bodies *bodies, const carom_detect_config *config,
                             const any_output *output);

/* The same from plain doubles. */
any_result any_detect(carom_context *context, any_precision precision, const carom_bodies_f64 *bodies,
                      const carom_detect_config *config);

/* The call alone, for tests that count allocations. */
carom_status any_detect_status(carom_context *context, const any_bodies *bodies, const carom_detect_config *config,
                               carom_detect_summary *summary);

/* Copies of what a call that succeeded returned; `bodies` is set. */
void any_result_take_f32(any_result *result, const carom_detection_f32 *detection);
void any_result_take_f64(any_result *result, const carom_detection_f64 *detection);

void any_result_release(any_result *result);

/* Same counts and hashes. */
bool any_summary_same(const carom_detect_summary *a, const carom_detect_summary *b);

/* Same results, arrays compared bit by bit and in order; times and sizes in bytes do not count. */
bool any_result_same(const any_result *a, const any_result *b);

/* A context with these threads and this instruction set (NULL: the best). Fails the test if there is none. */
carom_context *any_context(uint32_t threads, const char *isa);

/* Everything a call can be asked for; touching pairs only. */
carom_detect_config any_config_full(void);

#endif
