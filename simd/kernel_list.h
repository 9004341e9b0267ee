/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* All kernels, with their contracts: what comes in, what goes out, and when. This list is the one place where a kernel
 * is registered: types (simd/kernels.h), declarations (simd/declare.h) and tables (simd/table.c) are made from it.
 *
 * What holds for every kernel:
 *   - It exists once per instruction set (simd/NAME.c) and once in scalar form, its twin (simd/ref/NAME.c). The twin is
 *     the specification. Both give the same bits for all arguments that the contract allows.
 *   - Ranges are half-open: [begin, end). Bodies are named by number, records by slot, the place of a body's record.
 *   - Lengths are in the unit of the bodies. `centre` is subtracted from positions in double before they are rounded to
 *     float; only f64 kernels use it.
 *   - No output overlaps an input, unless the contract allows it. Pointers are not NULL, unless the range is empty.
 *   - It needs no alignment, unless the contract says so. It reads or writes past the end of an array only where
 *     the contract mentions CAROM_SIMD_PAD.
 *   - It allocates nothing, keeps no state and reports no errors. It asserts its contract (simd/check.h); its caller
 *     has checked the data.
 *
 * To add a kernel: an entry here with its contract; the twin, the vector form, a line in simd/meson.build, and a twin
 * test in tests/twin. A file that ends in _tmpl.c is compiled for each precision.
 *
 * The includer defines what an entry becomes; a list whose macro is not defined is left out:
 *
 *   CAROM_LIST_ONCE(result, name, parameters)  a kernel without a precision
 *   CAROM_LIST_REAL(result, name, parameters)  a kernel of each precision; carom_record is carom_record_f32 or _f64 */

#ifdef CAROM_LIST_ONCE

/* Sort keys within a cell. key[n] is the bin of low[n], in [0, bins->last], for n in [0, count). A counting sort by
 * these keys puts a cell's boxes in swept order. low holds no NaN. */
CAROM_LIST_ONCE(void, bin_keys, (const float *low, uint32_t count, const carom_bins *bins, uint32_t *key))

/* Sorts `count` entries by key, count <= CAROM_RANK_MOST; value[n] goes with key[n]. Returns false, with nothing
 * changed, if two keys are equal. */
CAROM_LIST_ONCE(bool, rank_sort, (uint32_t *key, uint64_t *value, uint32_t count))

/* Sweep and prune in one cell: finds the pairs of boxes that overlap (closed intervals, so equal sides overlap),
 * starting at *cursor. Writes the slots of both to slot_i and slot_k, ordered by entry, and returns the number of
 * pairs. No low side is infinity, no high one -infinity. A pair that shares an `earlier` bit is skipped: another cell
 * reports it. Stops early when fewer than CAROM_SIMD_PAD places are left; *cursor then says where to continue. slot_i
 * and slot_k have room for `capacity` > CAROM_SIMD_PAD slots, and what lies after the pairs may be overwritten. */
CAROM_LIST_ONCE(uint32_t, sweep,
                (const carom_boxes *boxes, carom_sweep_cursor *cursor, uint32_t *slot_i, uint32_t *slot_k,
                 uint32_t capacity))

/* Digit histogram of a radix sort: counts[d] = number of keys n in [0, count) with (key[n] >> shift) & mask == d, for d
 * in [0, mask]. count < 2^32. mask + 1 is a power of two, at most CAROM_DIGITS_MAX. shift is less than the bits of a
 * key. */
CAROM_LIST_ONCE(void, digit_histogram_u32,
                (const uint32_t *keys, uint64_t count, uint32_t shift, uint32_t mask, uint32_t *counts))
CAROM_LIST_ONCE(void, digit_histogram_u64,
                (const uint64_t *keys, uint64_t count, uint32_t shift, uint32_t mask, uint32_t *counts))

/* Whether bodies may collide: tests that most pairs of neighbours do not pass. Those whose paths come within reach of
 * each other in `time`, and not only apart, pass. Rounding lets a few others pass too; what is not a number passes.
 *
 * near_row is for a body in a group. It looks at the slots of [0, count) that are not in the same group, and keeps, in
 * order, in `near` those whose paths pass with `own`, and in `grouped` those that are in a group. Both have room for
 * count + CAROM_SIMD_PAD slots. near_pairs keeps the numbers n, 0 <= n < count, of pairs slot_a[n], slot_b[n] that
 * pass; likewise room for count + CAROM_SIMD_PAD. */
CAROM_LIST_ONCE(carom_near_counts, near_row,
                (const carom_coarse_path *paths, const carom_coarse_path *own, const uint32_t *slot, uint32_t count,
                 carom_coarse_time time, uint32_t *near, uint32_t *grouped))
CAROM_LIST_ONCE(uint32_t, near_pairs,
                (const carom_coarse_path *paths, const uint32_t *slot_a, const uint32_t *slot_b, uint32_t count,
                 carom_coarse_time time, uint32_t *near))

/* What a body may collide with at one time, at which its velocity changes again and again. instant_row lists, in order,
 * those of the slots [0, count) whose paths may touch `own` then, and returns their number; the columns have room for
 * count + CAROM_SIMD_PAD. instant_next returns the first place from `from` on, < count, of one that may come closer
 * where the body's velocity is that of `own` plus `turn`, whose length is at most `speed`; or count. */
CAROM_LIST_ONCE(uint32_t, instant_row,
                (const carom_coarse_path *paths, const carom_coarse_path *own, const uint32_t *slot, uint32_t count,
                 float time, const carom_instant_rows *rows))
CAROM_LIST_ONCE(uint32_t, instant_next,
                (const carom_instant_rows *rows, uint32_t from, uint32_t count, const float turn[3], float speed))

/* When pairs of bodies collide. The bodies of pair n, in [0, count), have motions at_a[n] of motion_a and at_b[n] of
 * motion_b, of eight doubles each, the first seven of which are x, v and the start, and radii whose sum is reach[n].
 * t[n] receives the time, INFINITY if they do not collide, or NaN: products are too small for doubles, or the numbers
 * are none (kernel/response/predict.h has the formula). `reach` and `t` have room for count + CAROM_SIMD_PAD. */
CAROM_LIST_ONCE(void, impact_times,
                (const double *motion_a, const uint32_t *at_a, const double *motion_b, const uint32_t *at_b,
                 const double *reach, uint32_t count, double *t))

/* What impacts do to pairs [0, count) of a block, count <= CAROM_COLLIDE_MOST: normals and impulses, the motions that
 * begin, their coarse paths, and who stays in its hull (kernel/response/respond.h has the formula). Returns bits of the
 * pairs that it computes. Not among them, and what is written is of no use, are pairs whose distance may not have a
 * square in doubles, and those that do not come closer. Slots of pairs from `count` on are read, and anything may be
 * written there. */
CAROM_LIST_ONCE(uint32_t, collide, (const carom_collide_in *in, uint32_t count, carom_collide_block *block))

/* Hulls and coarse paths of bodies [begin, end) (simd/hull_paths.h). A motion has eight doubles, of which the first
 * seven are x, v and the start; a body has four, of which the first two are its radius and its inverse mass. Returns
 * whether all boxes are finite. */
CAROM_LIST_ONCE(bool, hulls,
                (const carom_hull_frame *frame, const double *motion, const double *body, uint64_t begin, uint64_t end,
                 const carom_hull_paths *hulls))

/* Which of the sixteen boxes from lo[a][0], hi[a][0] on have a point in common with the box of corners `low` and
 * `high`: bit n for box n. Boxes with NaN have none. */
CAROM_LIST_ONCE(uint32_t, sixteen_boxes,
                (const float *const lo[3], const float *const hi[3], const float low[3], const float high[3]))

/* One level of a search through a tree: for n in [0, count) the children of node[n], CAROM_CHILDREN * node[n] and on,
 * that have a point in common with box[n] and count. In order, child_box receives the box and child the child; returns
 * how many there are. Both have room for CAROM_CHILDREN * count + CAROM_SIMD_PAD. Boxes with NaN have no points. */
CAROM_LIST_ONCE(uint64_t, met_children,
                (const carom_children *children, const uint32_t *box, const uint32_t *node, uint64_t count,
                 uint32_t *child_box, uint32_t *child))

/* Radii, extents and reaches of the shapes of pairs [0, count) of a block, which has pointers to them. Pointers from
 * count up to the next multiple of the vector's lanes point to some shape, too; what is written there has no meaning.
 */
CAROM_LIST_ONCE(void, shape_columns, (carom_pair_block *block, uint32_t count))

/* Of the pairs of bodies i[n], k[n], n in [0, count), the numbers n of those that are not certainly apart in the whole
 * step (simd/apart_boxes.h), in order; returns how many. Each body has two rows. kept has room for count +
 * CAROM_SIMD_PAD numbers. */
CAROM_LIST_ONCE(uint32_t, apart_moving,
                (const carom_apart *apart, const float *rows, const uint32_t *i, const uint32_t *k, uint32_t count,
                 uint32_t *kept))

/* Makes positions of pairs [begin, end) of a block relative to that of the caller's second body, which is on side 0 if
 * they are swapped, and notes it in `origin`. Returns the pairs that searches do not take, bit n for pair begin + n:
 * positions that are not finite or differ by more than CAROM_NEAR_MOST, quaternions that are too long or too short. */
CAROM_LIST_ONCE(uint64_t, relative, (carom_pair_block *block, uint32_t begin, uint32_t end, bool swapped))

/* Signed distances of pairs [begin, end) of a block in closed form. All pairs are of the same two kinds: a sphere with
 * a sphere, capsule, box or cylinder, a capsule with a capsule or box, or two boxes. Writes the brackets, normals and
 * points of these pairs and may write those after them. Of two boxes it writes the bracket and the axis alone
 * (simd/ref/closed_boxes.h). */
CAROM_LIST_ONCE(void, closed, (carom_pair_block *block, uint32_t begin, uint32_t end))

/* Shapes of a side (0 or 1) of the pairs at place[n], n in [0, count), count <= CAROM_BLOCK_PAIRS, as carom_block_posed
 * has them: posed[n] is that of place[n]. */
CAROM_LIST_ONCE(void, pose_pairs,
                (const carom_pair_block *block, uint32_t side, const uint32_t *place, uint32_t count,
                 carom_posed *posed))

/* Contacts of the pairs at place[n], n in [0, count), count <= CAROM_BLOCK_PAIRS, of two boxes that overlap, for which
 * `closed` has found an axis: writes their normals and points, and as boxes_manifold their manifolds, unless that is
 * NULL. */
CAROM_LIST_ONCE(void, boxes_contact,
                (carom_pair_block *block, const uint32_t *place, uint32_t count, carom_block_manifolds *manifolds))

/* Manifolds of the pairs at place[n], n in [0, count), count <= CAROM_BLOCK_PAIRS, of two boxes whose brackets, normals
 * and points are there. Manifold n is that of place[n]; its points are not relative to the origin. */
CAROM_LIST_ONCE(void, boxes_manifold,
                (const carom_pair_block *block, const uint32_t *place, uint32_t count,
                 carom_block_manifolds *manifolds))

/* Searches in floats for the distances of those pairs of hulls whose bits are set in `open`, all of sizes that may be
 * searched for (simd/seek_floats.h). Bounds of others stay as they are. */
CAROM_LIST_ONCE(void, seek, (carom_seek_pairs * pairs, uint64_t open))

/* Distances of the cores of pairs i[n], k[n], n in [0, count), by GJK. All i are of one kind, and all k; both kinds are
 * convex.
 *
 * In: a search is new if, and only if, brackets[n].iterations is 0. Then all of the bracket is 0, but simplex.direction
 * may be set: that is where to look first. If iterations is greater, the search goes on from the bracket: from its
 * bounds, and from the points whose weights are greater than 0. With a finite simplex.closest[0], these points,
 * `closest` and `direction` are those of a simplex that an earlier search has left. With an infinite one, the points
 * are any points of the difference, and `direction` is where to look next.
 *
 * Out: the bracket. A search ends when goals[n] is reached, when a step makes no progress, after CAROM_GJK_STEPS_MAX
 * supports, or when the simplex lies around or at the origin. In that last case `overlap` is set, and the kernel epa
 * must go on, unless a ball within the simplex proves what the goal asks for. Without overlap the simplex is set to 0
 * if the goal asks for the state alone. */
CAROM_LIST_ONCE(void, gjk,
                (const carom_posed *i, const carom_posed *k, const carom_goal *goals, uint32_t count,
                 carom_bracket *brackets))

/* Poses of pairs [0, count) of moving cores at a time, and where searches for their distances begin (simd/ref/aim.h).
 * Answers may lie where what was seen for a pair of the same or a higher number is. */
CAROM_LIST_ONCE(void, aim, (carom_aim *aims, uint32_t count))

/* Until when planes hold pairs [0, count) of moving cores apart (simd/ref/proof.h). All i are of one kind, all k of one
 * kind, no compounds. */
CAROM_LIST_ONCE(void, prove, (carom_proof *const *proofs, uint32_t count))

/* Copies runs of slots one after the other, moved if they are: at[a][n] is the step less the centre, as a signed number,
 * and at[3][n] is x^2 + y^2 + z^2, summed in this order. Returns how many there are. After the last follow CAROM_SIMD_PAD that are 0,
 * but squares are CAROM_HITS_FAR; keys may be anything. CAROM_GATHER_PAD values after the last may be overwritten, and
 * as many after the last slot may be read. */
CAROM_LIST_ONCE(uint32_t, cell_gather,
                (const carom_gather_in *in, float *const at[4], float *const value[CAROM_GATHER_VALUES], uint32_t *key))

/* Which candidates are within the reach of each body: those whose excess is 0 or less, where the excess is
 * (x_n - x_c)^2 + (y_n - y_c)^2 + (z_n - z_c)^2 less the square of the sum of radii, computed from the squares of
 * distances from the origin and the scalar product of the two places. Body n's bits are in words [n
 * carom_hits_words(count), (n + 1) carom_hits_words(count)); its own bit is 0, as are those of others that do not
 * count. length[n] is how many are set. A body is open if the excess of some candidate, be it the body itself or one
 * that does not count, is -margin, margin or between them. Returns whether any is; only then open[n] is written, 1 for
 * those and 0 for others, and the bits of these candidates, in words of `close` that are as those of `bits`. There is
 * room for CAROM_SIMD_PAD more words. Instruction sets round differently: what is open, and bits of candidates as close
 * as that, may differ. */
CAROM_LIST_ONCE(bool, cell_hits,
                (const carom_hits_in *in, uint16_t *bits, uint16_t *close, uint32_t *length, uint8_t *open))

/* The same for bodies that move along straight paths at constant velocities; places are the midpoints of paths. The
 * distance is the least one in the step. Outer radii are at least as long as radius and half of the path: a candidate
 * whose excess with these at the midpoints is more than `margin` is no hit, and one whose excess there is -margin or
 * less is one; neither makes a body open, nor do candidates that do not count. */
CAROM_LIST_ONCE(bool, moving_hits,
                (const carom_hits_in *in, uint16_t *bits, uint16_t *close, uint32_t *length, uint8_t *open))

/* Takes away the bits of those of `count` candidates that do not pass with candidate `own` by value; returns how many
 * bits are left. Two bodies pass if each is of a kind that the other meets, they are not of one group, and they have no
 * bit of `apart` in common. */
CAROM_LIST_ONCE(uint32_t, filter_hits, (const carom_filter_columns *columns, uint32_t own, uint32_t count, uint16_t *bits))

/* The numbers of those of `count` candidates whose bits are set and whose trace has both bits of candidate `own`, or
 * whose bits are in the trace of that one; in order. Returns how many. `number` has room for count + CAROM_SIMD_PAD. */
CAROM_LIST_ONCE(uint32_t, trace_hits,
                (const carom_trace_columns *columns, uint32_t own, uint32_t count, const uint16_t *bits, uint32_t *number))

/* Copies runs of columns one after the other, and the slots that they are in; lengths only if `lengths`. Returns how many
 * there are. After the last follow CAROM_SIMD_PAD whose sides are NaN; lengths and slots may be anything there.
 * CAROM_GATHER_PAD values after the last may be overwritten. */
CAROM_LIST_ONCE(uint32_t, gather_boxes,
                (const carom_box_runs *runs, bool lengths, const carom_box_columns *to, uint32_t *slot))

/* Tests the boxes of bodies against those of all candidates that follow them: closed intervals, so equal sides overlap.
 * Results of body n of [begin, end) are at n - begin: its bits are in words [(n - begin) w, (n - begin + 1) w), where w
 * is carom_hits_words(count); those of candidates up to the body itself are 0. length is how many are set in `bits`,
 * near how many in `close`. Without in->decides all pairs have bits, and neither `close` nor `near` is written. With it
 * `bits` are of pairs that certainly touch, and `close` of others that may touch. No inner length is above the outer one. Returns how many pairs of boxes overlap. */
CAROM_LIST_ONCE(uint64_t, box_hits,
                (const carom_box_hits_in *in, uint16_t *bits, uint16_t *close, uint32_t *length, uint32_t *near))

/* Packs the numbers of those of `count` candidates whose bits are set into a row, in order, and CAROM_HIT_ROW_ENDS times
 * UINT32_MAX after them. CAROM_SIMD_PAD numbers and as many words may be read after the last, and the row has room for
 * CAROM_HIT_ROW_ROOM. At most CAROM_HIT_ROW_MOST bits are set. */
CAROM_LIST_ONCE(void, pack_hits, (const uint32_t *id, const uint16_t *bits, uint32_t count, uint32_t *packed))

/* The same for pairs of a body with each of them, without an end: the lesser numbers and the greater ones. Any number of
 * bits is set;
 * CAROM_SIMD_PAD numbers of each may be overwritten after the last. */
CAROM_LIST_ONCE(void, pack_pairs,
                (uint32_t body, const uint32_t *id, const uint16_t *bits, uint32_t count, uint32_t *i, uint32_t *k))

/* Writes row n of packed rows, which begins at packed[n CAROM_HIT_ROW_ROOM], to row[n][0 .. length[n]) in ascending
 * order, for n in [0, rows), rows <= CAROM_HIT_ROWS. Each packed row
 * holds UINT32_MAX from its end up to the longest length, rounded up to a multiple of 16. */
CAROM_LIST_ONCE(void, sort_rows, (const uint32_t *packed, const uint32_t *length, uint32_t rows, uint32_t *const *row))

/* All pairs i < k of boxes in [rows->next, rows->end) that overlap (closed intervals), ordered by i and then k. No side
 * is NaN, no low one infinity, no high one -infinity. Begins
 * no row for which there may not be room: rows->end - i + CAROM_SIMD_PAD places. rows->next is then the row to go on
 * with. Writes i to slot_i and k to slot_k, and returns how many pairs there are; what lies after them may be
 * overwritten. Reads CAROM_SIMD_PAD sides after the last box, and those before the first back to a multiple of
 * CAROM_SIMD_PAD. */
CAROM_LIST_ONCE(uint32_t, direct_pairs,
                (const float *const lo[3], const float *const hi[3], carom_direct_rows *rows, uint32_t *slot_i,
                 uint32_t *slot_k, uint32_t capacity))

/* Depths of hulls, by separating axes (simd/facets_pair.h): of those pairs [0, count) of hulls whose bracket has `overlap`,
 * which is cleared, and that have axes. `known` is set where that tells the depth. Else the bracket stays as it is, and
 * the pair is for gjk and epa: too many edges may hold the depth, or the answer does not reach the goal. */
CAROM_LIST_ONCE(void, facets,
                (const carom_posed *i, const carom_posed *k, const carom_goal *goals, uint32_t count,
                 carom_bracket *brackets))

/* Depths of the cores of pairs [0, count) whose bracket has `overlap`: goes on where gjk ended, by EPA. All i are of
 * one kind, all k of one kind, convex ones. `upper` becomes less than 0 where an inner polytope proves that depth; the
 * simplex becomes the polytope's face that is closest to the origin. `overlap` stays set if the cores are apart after
 * all: lower > 0. Without a room, which is work space, pairs are searched one by one. */
CAROM_LIST_ONCE(void, epa,
                (const carom_posed *i, const carom_posed *k, const carom_goal *goals, uint32_t count,
                 carom_bracket *brackets, carom_epa_room *room))

#undef CAROM_LIST_ONCE
#endif

#ifdef CAROM_LIST_REAL

/* Swept boxes of bodies [begin, end), one float array for each side, indexed by body:
 *   lo = min(prev, curr) - r,  hi = max(prev, curr) + r  on each axis.
 * Each is rounded, then moved one float step outward, so that the exact box lies inside. Beyond the range of float a
 * side is infinite. A body with NaN gets some box. */
CAROM_LIST_REAL(void, bounds,
                (const carom_bodies *bodies, uint64_t begin, uint64_t end, float *const lo[3], float *const hi[3]))

/* The boxes of `bounds`, relative to a finite centre: those of the partition, bit for bit. */
CAROM_LIST_REAL(void, fat_boxes,
                (const carom_bodies *bodies, uint64_t begin, uint64_t end, const double centre[3], float *const lo[3],
                 float *const hi[3]))

/* Records of bodies [begin, end), from record 0 on, and their boxes relative to `centre`, likewise: all that a search
 * without cells needs. Returns whether all bodies are valid; if not, what is written is of no use. There is room for a
 * multiple of CAROM_SIMD_PAD. centre may be NULL for f32. */
CAROM_LIST_REAL(bool, direct_bodies,
                (const carom_bodies *bodies, uint64_t begin, uint64_t end, const double centre[3],
                 carom_record *records, float *const lo[3], float *const hi[3]))

/* Accumulates bodies [begin, end) into *survey: the scene's box, the largest box, and whether any body is invalid. Any
 * order of ranges gives the same bits. centre may be NULL for f32. */
CAROM_LIST_REAL(void, survey,
                (const carom_bodies *bodies, uint64_t begin, uint64_t end, const double centre[3],
                 carom_survey *survey))

/* Writes bodies [begin, end) as doubles: prev, curr and radius of body n to field[0 .. 6][n]. Returns whether all are
 * finite, have radii of 0 or more and small enough diameters, and start in the cell of `home`; dual products are summed
 * from the first axis to the last. If not, what is written is of no use. */
CAROM_LIST_REAL(bool, home,
                (const carom_bodies *bodies, uint64_t begin, uint64_t end, const carom_home *home,
                 double *const field[7]))

/* Adds to census->wider[l] the number of bodies in [begin, end) whose boxes are wider than census->limit[l] on their
 * widest axis. The limits ascend. */
CAROM_LIST_REAL(void, census,
                (const carom_bodies *bodies, uint64_t begin, uint64_t end, const double centre[3],
                 carom_census *census))

/* Sort keys of the partition: code[n] for bodies n in [begin, end), as carom_grid defines it. The bodies are finite. */
CAROM_LIST_REAL(void, codes,
                (const carom_bodies *bodies, uint64_t begin, uint64_t end, const carom_grid *grid, uint32_t *code))

/* Where bodies [begin, end), which are finite, are in a grid: step[a][n] is the distance from the origin in steps,
 * rounded to nearest, ties to even, modulo 2^32, and cell[n] the number of the cell that holds that step. */
CAROM_LIST_REAL(void, grid_steps,
                (const carom_bodies *bodies, uint64_t begin, uint64_t end, const carom_step_grid *grid,
                 uint32_t *const step[3], uint32_t *cell))

/* low[n] = low corner, on `axis`, of the box of record n in [0, count). Their least is folded into range[0], their
 * greatest into range[1]; start from an empty range. */
CAROM_LIST_REAL(void, cell_lows,
                (const carom_record *records, uint32_t count, const carom_grid *grid, uint32_t axis, float *low,
                 float range[2]))

/* Fills lo, hi and end of entries [begin, boxes->count) from the records that boxes->slot names, and writes NaN to the
 * CAROM_SIMD_PAD entries after them. bin_end[b], for b in [0, bins->last], is the first entry after bin b: what a box
 * must be swept to is bin_end of its high corner. */
CAROM_LIST_REAL(void, cell_boxes,
                (const carom_record *records, uint32_t begin, const carom_grid *grid, const carom_bins *bins,
                 const uint32_t *bin_end, const carom_boxes *boxes))

/* boxes[n] = box of record n, relative to centre, for n in [begin, end). */
CAROM_LIST_REAL(void, slot_boxes,
                (const carom_record *records, uint64_t begin, uint64_t end, const double centre[3],
                 carom_slot_box *boxes))

/* Boxes and lengths of records [begin, end), relative to centre, as columns: place n is that of record n. Whole vectors
 * are not written past the end. */
CAROM_LIST_REAL(void, box_columns,
                (const carom_record *records, uint64_t begin, uint64_t end, const double centre[3],
                 const carom_box_columns *columns))

/* The scatter of the partition's sort: records[slot[n]] = body n, for n in [begin, end). */
CAROM_LIST_REAL(void, place, (const carom_place_in *in, carom_record *records))

/* Moves bodies as `place` does, and lists those that are outside their fat boxes. Bodies with NaN, infinity or a
 * negative radius count as outside. */
CAROM_LIST_REAL(void, follow, (const carom_follow_in *in, carom_follow_out *out))

/* Keeps, in order, those of `count` pairs that touch in the step, as exact arithmetic decides
 * (simd/approach_touches.h); returns how many. out_i and out_k have room for count + CAROM_SIMD_PAD slots, and may be
 * slot_i and slot_k. */
CAROM_LIST_REAL(uint32_t, touch,
                (const carom_record *records, uint32_t count, const uint32_t *slot_i, const uint32_t *slot_k,
                 uint32_t *out_i, uint32_t *out_k))

/* Keeps, in order, those of `count` pairs whose bodies approach each other at the start of the step: p.v < 0 in exact
 * arithmetic (simd/exact/exact.h); returns how many. out_i and out_k are as for `touch`. */
CAROM_LIST_REAL(uint32_t, approaching,
                (const carom_record *records, uint32_t count, const uint32_t *slot_i, const uint32_t *slot_k,
                 uint32_t *out_i, uint32_t *out_k))

/* Decides which of the pairs found in an earlier step have boxes that overlap now, and which of these touch in this
 * step, as `touch` does. */
CAROM_LIST_REAL(void, recheck, (const carom_recheck_in *in, carom_recheck_out *out))

/* Contacts of pairs [begin, end), written to the rows of the same numbers, the lower body as i. A pair that does not
 * touch in the step has t_toi = NaN and normal = point = 0. t_toi is never late; carom/detect.h says how early it may
 * be. */
CAROM_LIST_REAL(void, contact, (const carom_contact_in *in, const carom_contacts *rows))

/* Boxes of poses [begin, end) of a side: corner[a][first + n] and corner[3 + a][first + n] become the low and the high
 * side of pose n on axis a, rounded outward, and at most the largest number. reach[n] is that of its shape. Returns the
 * poses that are left, bit n for pose n: half-spaces, lines, compounds, and bodies that are not valid. Their boxes have
 * no meaning. Reads columns up to the next multiple of the vector's lanes. */
CAROM_LIST_REAL(uint64_t, pose_boxes,
                (carom_block_side *side, const double *reach, uint32_t begin, uint32_t end,
                 carom_real *const corner[6], uint64_t first))

/* Boxes of moving shapes [begin, end) of a side, as pose_boxes makes them, over the whole step (simd/swept.h); and rows
 * out->paths[n] for the kernel apart_moving, but for the number of the shape, which it leaves. Returns those that are
 * left, bit n for shape n: the same, and those turned by more than 0.51 radians, or beyond floats. Their boxes and
 * paths have no meaning. */
CAROM_LIST_REAL(uint64_t, swept_boxes,
                (carom_block_side *side, const carom_block_motion *motion, const double *reach, uint32_t begin,
                 uint32_t end, const carom_swept_out *out))

/* Positions and rotations of pairs [0, count) of a block: side s of pair n has row pose[s][n]. A row is eight numbers:
 * a position, four bytes or eight that are no number of it, and a quaternion. pose[s] has rows that are there up to the
 * next multiple of the vector's lanes; what becomes of their columns has no meaning. */
CAROM_LIST_REAL(void, pose_columns,
                (const carom_real *rows, const uint32_t *const pose[2], uint32_t count, carom_pair_block *block))

/* Of the pairs of bodies i[n], k[n], n in [0, count), the numbers n of those that are not certainly apart
 * (simd/apart_boxes.h), in order; returns how many. `poses` has a row for each body, as pose_columns takes them, whose
 * first four bytes that are no number are that of the shape. kept has room for count + CAROM_SIMD_PAD numbers. */
CAROM_LIST_REAL(uint32_t, apart,
                (const carom_apart *apart, const carom_real *poses, const uint32_t *i, const uint32_t *k,
                 uint32_t count, uint32_t *kept))

/* What floats can tell of in->count pairs (simd/quick_floats.h). Of a pair that is in neither set nothing is known. */
CAROM_LIST_REAL(void, quick, (const carom_quick_in *in, carom_quick_gaps *out))

/* Adds the states of pairs [begin, end) of a block to the sets of `rows`, bit n for pair n, end <= CAROM_BLOCK_PAIRS.
 * Writes their rows, bounds rounded outward: all bytes of them, point_count 0. Rows up to CAROM_SIMD_PAD past the last
 * pair may be written, too. */
CAROM_LIST_REAL(void, gap_rows,
                (carom_pair_block *block, uint32_t begin, uint32_t end, const carom_gap_limits *limits,
                 carom_gap_rows *rows))

/* Rounds `count` manifolds; row[n] receives points[n]. */
CAROM_LIST_REAL(void, manifold_rows,
                (const carom_manifold_points *points, uint32_t count, carom_manifold_row *const *row))

#undef CAROM_LIST_REAL
#endif
