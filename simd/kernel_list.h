/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* All kernels, with their contracts. Their types, declarations and tables are made from this list, which is the one
 * place where a kernel is registered. The includer defines what an entry becomes:
 *
 *   CAROM_LIST_ONCE(result, name, parameters)  a kernel that has no precision
 *   CAROM_LIST_REAL(result, name, parameters)  a kernel of each precision, with plain names of types
 *
 * A list whose macro is not defined is left out. */

#ifdef CAROM_LIST_ONCE

/* Sort keys within a cell: the bin of each of `count` low corners, none of them NaN. key may not overlap low. */
CAROM_LIST_ONCE(void, bin_keys, (const float *low, uint32_t count, const carom_bins *bins, uint32_t *key))

/* Finds overlapping boxes from *cursor on and writes the slots of both, in the order of entries. A pair that shares a
 * `earlier` bit is skipped: another cell reports it. Stops when fewer than CAROM_SIMD_PAD places are left, and leaves
 * in *cursor where to go on. slot_i and slot_k hold `capacity` (> CAROM_SIMD_PAD). Returns the number of pairs. */
CAROM_LIST_ONCE(uint32_t, sweep,
                (const carom_boxes *boxes, carom_sweep_cursor *cursor, uint32_t *slot_i, uint32_t *slot_k,
                 uint32_t capacity))

/* Digit histogram of a radix sort: counts[d] = how many of `count` (< 2^32) keys have (key >> shift) & mask == d, for d
 * in [0, mask]. mask + 1 is a power of two, at most CAROM_DIGITS_MAX. shift is less than the bits of a key. */
CAROM_LIST_ONCE(void, digit_histogram_u32,
                (const uint32_t *keys, uint64_t count, uint32_t shift, uint32_t mask, uint32_t *counts))
CAROM_LIST_ONCE(void, digit_histogram_u64,
                (const uint64_t *keys, uint64_t count, uint32_t shift, uint32_t mask, uint32_t *counts))

#undef CAROM_LIST_ONCE
#endif

#ifdef CAROM_LIST_REAL

/* Swept boxes of bodies [begin, end): lo = min(prev, curr) - r, hi = max(prev, curr) + r per axis, one float step
 * outward from the rounded value, so that the exact box lies inside; infinite beyond the range of float. Bodies with
 * NaN get some box. The outputs are indexed like the bodies and must not overlap them. */
CAROM_LIST_REAL(void, bounds,
                (const carom_bodies *bodies, uint64_t begin, uint64_t end, float *const lo[3], float *const hi[3]))

/* The same boxes relative to centre, as the partition sees them. */
CAROM_LIST_REAL(void, fat_boxes,
                (const carom_bodies *bodies, uint64_t begin, uint64_t end, const double centre[3], float *const lo[3],
                 float *const hi[3]))

/* Accumulates bodies [begin, end) into *survey. Positions are relative to centre (f64 only; may be NULL for f32). */
CAROM_LIST_REAL(void, survey,
                (const carom_bodies *bodies, uint64_t begin, uint64_t end, const double centre[3],
                 carom_survey *survey))

/* Adds to census->wider the bodies [begin, end) whose boxes are wider than each limit. */
CAROM_LIST_REAL(void, census,
                (const carom_bodies *bodies, uint64_t begin, uint64_t end, const double centre[3],
                 carom_census *census))

/* Sort keys of the partition: code[n] for n in [begin, end). The bodies are finite. */
CAROM_LIST_REAL(void, codes,
                (const carom_bodies *bodies, uint64_t begin, uint64_t end, const carom_grid *grid, uint32_t *code))

/* Low corner on `axis` of the box of each of `count` consecutive records. Their least is folded into range[0], their
 * greatest into range[1]. */
CAROM_LIST_REAL(void, cell_lows,
                (const carom_record *records, uint32_t count, const carom_grid *grid, uint32_t axis, float *low,
                 float range[2]))

/* Fills lo, hi and end of entries begin .. boxes->count - 1 from the records that boxes->slot names, and writes NaN
 * after them. bin_end[b] is the first entry after bin b. */
CAROM_LIST_REAL(void, cell_boxes,
                (const carom_record *records, uint32_t begin, const carom_grid *grid, const carom_bins *bins,
                 const uint32_t *bin_end, const carom_boxes *boxes))

/* Boxes of records [begin, end), relative to centre, indexed alike. */
CAROM_LIST_REAL(void, slot_boxes,
                (const carom_record *records, uint64_t begin, uint64_t end, const double centre[3],
                 carom_slot_box *boxes))

/* Moves bodies [begin, end) to records[slot[n]]. */
CAROM_LIST_REAL(void, place, (const carom_place_in *in, carom_record *records))

/* Moves bodies as `place` does, and lists those outside their fat boxes. Bodies with NaN, infinity or a negative radius
 * count as outside. */
CAROM_LIST_REAL(void, follow, (const carom_follow_in *in, carom_follow_out *out))

/* Keeps, in order, the pairs that touch in the step, as exact arithmetic decides; returns how many. out_i and out_k may
 * be slot_i and slot_k; both hold count + CAROM_SIMD_PAD. */
CAROM_LIST_REAL(uint32_t, touch,
                (const carom_record *records, uint32_t count, const uint32_t *slot_i, const uint32_t *slot_k,
                 uint32_t *out_i, uint32_t *out_k))

/* Decides which of some known pairs have overlapping boxes now, and which of these touch in the step. */
CAROM_LIST_REAL(void, recheck, (const carom_recheck_in *in, carom_recheck_out *out))

/* Contacts of pairs [begin, end), written to the rows of the same numbers with i < k. A pair that does not touch in the
 * step has t_toi = NaN and normal = point = 0. */
CAROM_LIST_REAL(void, contact, (const carom_contact_in *in, const carom_contact_rows *rows))

#undef CAROM_LIST_REAL
#endif
