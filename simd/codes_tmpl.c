/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies come in; their sort keys in the partition go out: the cell of the low corner, with a bit for each axis on
 * which the box reaches into the next cell; or one code for all bodies too wide for the cells (carom_grid). Sorted by
 * these keys, the bodies of a cell lie side by side, those that a neighbour must visit in runs of their own. All in
 * float: the sums are of small integers, and exact. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/strided.h"

#define carom_codes CAROM_KERNEL(codes)
#define carom_codes_twin CAROM_TWIN(codes)

/* Whole vectors of bodies [n, end). Returns the first body that is left. */
static inline __attribute__((always_inline)) uint64_t make_codes(const carom_bodies *bodies, uint64_t n, uint64_t end,
                                                                 const carom_grid *grid, uint32_t *code,
                                                                 bodies_form form) {
    const strided_bodies all = strided_of(bodies, form);
    for (; n + CAROM_LANES <= end; n += CAROM_LANES) {
        strided own;
        const strided *s = load_strided(&all, n, form, &own);
        vr radius = radius_of(bodies, n, s);
        vf sum = vf_set1(0.0F);
        vfm narrow = vf_le(sum, sum); /* all lanes */
        for (int a = 0; a < 3; a++) {
            if (grid->columns[a] == 1) {
                continue; /* the same branch for all bodies */
            }
            vf lo;
            vf hi;
            vr_box(prev_of(bodies, n, a, s), curr_of(bodies, n, a, s), radius, grid->centre[a], &lo, &hi);
            narrow = vfm_and(narrow, vf_le(vf_sub(hi, lo), vf_set1(grid->wide[a])));
            vf column = vf_place(lo, grid->origin[a], grid->scale[a], grid->last[a]);
            vf next = vf_place(hi, grid->origin[a], grid->scale[a], grid->last[a]);
            vf straddle = vf_min(vf_sub(next, column), vf_set1(1.0F));
            sum = vf_add(sum, vf_add(vf_mul(column, vf_set1(grid->cell_weight[a])),
                                     vf_mul(straddle, vf_set1(grid->bit_weight[a]))));
        }
        vi_store(code + n, vi_truncate(vf_select(narrow, sum, vf_set1(grid->wide_code))));
    }
    return n;
}

static __attribute__((noinline)) uint64_t make_of_triples(const carom_bodies *bodies, uint64_t begin, uint64_t end,
                                                          const carom_grid *grid, uint32_t *code) {
    return make_codes(bodies, begin, strided_end(bodies, end), grid, code, BODIES_TRIPLES);
}
static __attribute__((noinline)) uint64_t make_of_any(const carom_bodies *bodies, uint64_t begin, uint64_t end,
                                                      const carom_grid *grid, uint32_t *code) {
    return make_codes(bodies, begin, strided_end(bodies, end), grid, code, BODIES_ANY);
}

void carom_codes(const carom_bodies *bodies, uint64_t begin, uint64_t end, const carom_grid *grid, uint32_t *code) {
    CAROM_ASSERT(carom_check_bodies(bodies, begin, end));
    CAROM_ASSERT(carom_check_finite(bodies, begin, end));
    CAROM_ASSERT(carom_check_grid(grid));
    const bodies_form form = bodies_form_of(bodies);
    const uint64_t n = form == BODIES_PACKED    ? make_codes(bodies, begin, end, grid, code, BODIES_PACKED)
                       : form == BODIES_TRIPLES ? make_of_triples(bodies, begin, end, grid, code)
                                                : make_of_any(bodies, begin, end, grid, code);
    carom_codes_twin(bodies, n, end, grid, code);
}
