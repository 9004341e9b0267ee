/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Hashes of results that depend neither on the order of the pairs nor on the number of workers: sums modulo 2^64 of one
 * number an item. mix is the finaliser of splitmix64 (kernel/sys/mix.h). A chain takes in the bits b of a value by
 * h = mix(h xor b) + b. Each kind of item has a salt of its own (hash_tmpl.c). result_hash sums
 *   for a row    the chain from mix((i << 32 | k) + salt) over the shifts, if there are any, and over t_ca, distance,
 *                t_toi and, axis by axis, normal and point, if there are any
 *   for a body   mix((body << 32 | label) + salt)
 *   for a box    the chain from mix(body + salt) over lo and hi, axis by axis
 *   and the chain of all counts. */
#ifndef CAROM_DETECT_RESULTS_HASH_TMPL_H
#define CAROM_DETECT_RESULTS_HASH_TMPL_H

#include "kernel/detect/job/job_tmpl.h"

#define carom_hash_pairs CAROM_REAL(carom_hash_pairs)
#define carom_hash_numbers CAROM_REAL(carom_hash_numbers)
#define carom_hash_rows CAROM_REAL(carom_hash_rows)
#define carom_hash_label CAROM_REAL(carom_hash_label)
#define carom_hash_counts CAROM_REAL(carom_hash_counts)
#define carom_hash_results CAROM_REAL(carom_hash_results)

/* touching_hash: the sum over pairs of slots of mix(i, k), with i and k the caller's bodies. */
uint64_t carom_hash_pairs(const carom_detect_job *job, uint32_t count, const uint32_t *slot_i, const uint32_t *slot_k);

/* The same over pairs of bodies i[n] - first and k[n] - first, i < k. */
uint64_t carom_hash_numbers(uint32_t count, const uint32_t *i, const uint32_t *k, uint32_t first);

/* The sum of the hashes of rows [begin, end), of bodies i[n] - first and k[n] - first. */
uint64_t carom_hash_rows(const carom_contacts *rows, uint64_t begin, uint64_t end, uint32_t first);

/* What result_hash has of a body's label. */
uint64_t carom_hash_label(uint64_t body, uint64_t label);

/* What it has of the counts: box_pairs, touching_pairs, touching_hash, groups and largest_group. */
enum { CAROM_HASHED_COUNTS = 5 };
uint64_t carom_hash_counts(const uint64_t counts[CAROM_HASHED_COUNTS]);

/* Sets the summary's result_hash from everything the call returns and from the rows that went to the sink; to garbage
 * if the call is to stop. */
void carom_hash_results(carom_detect_job *job);

#endif
