/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Contact rows made from pairs of slots. In: the scene's records and pairs. Out: rows in a table or a sink's block.
 * Pairs are kept as slots until their rows have a place: eight bytes instead of a row, and each row is written once. A
 * pair of shapes is kept with its answer, which takes much longer to find than to keep. */
#ifndef CAROM_DETECT_RESULTS_ROWS_TMPL_H
#define CAROM_DETECT_RESULTS_ROWS_TMPL_H

#include "kernel/detect/job/job_tmpl.h"

#define carom_rows_prepare CAROM_REAL(carom_rows_prepare)
#define carom_rows_prepare_output CAROM_REAL(carom_rows_prepare_output)
#define carom_rows_has_sink CAROM_REAL(carom_rows_has_sink)
#define carom_rows_float_shape CAROM_REAL(carom_rows_float_shape)
#define carom_rows_write CAROM_REAL(carom_rows_write)
#define carom_rows_answer_bytes CAROM_REAL(carom_rows_answer_bytes)
#define carom_rows_child CAROM_REAL(carom_rows_child)
#define carom_rows_bytes CAROM_REAL(carom_rows_bytes)

/* Chooses what a row holds and where rows go, and makes room for as many as the last call needed. */
void carom_rows_prepare(carom_detect_job *job);

/* Only the first: chooses what a row holds and where rows go. */
void carom_rows_prepare_output(carom_detect_job *job);

/* Whether the caller's output has a sink. */
bool carom_rows_has_sink(const carom_detect_job *job);

/* The shape of the job's rows after rounding to float. */
carom_row_shape carom_rows_float_shape(const carom_detect_job *job);

/* Writes the rows of pairs into a block of `capacity` rows, from row `at` on. `worker` is the number of the worker that
 * calls. */
void carom_rows_write(const carom_detect_job *job, uint32_t worker, void *block, uint64_t capacity, uint64_t at,
                      const carom_hits *hits);

/* Bytes of the answers of so many pairs of the job: 0 if its rows are made without. */
uint64_t carom_rows_answer_bytes(const carom_detect_job *job, uint64_t pairs);

/* Where a block of `capacity` rows has row `at` of child_i (side 0) or child_k (1). NULL if rows name no children. */
uint32_t *carom_rows_child(const carom_detect_job *job, void *block, uint64_t capacity, uint32_t side, uint64_t at);

/* Bytes that are read and written for one row, its bodies apart. */
double carom_rows_bytes(const carom_detect_job *job);

#endif
