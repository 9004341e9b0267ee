/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies come in; their places in whole steps and the numbers of their cells go out. All in doubles, of which the sums
 * with ONES and CELLS hold whole numbers in their low words: of steps, and of cells. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/strided.h"

#define carom_grid_steps CAROM_KERNEL(grid_steps)
#define carom_grid_steps_twin CAROM_TWIN(grid_steps)

enum { HALF = CAROM_LANES / 2 };

/* A double near ONES is a multiple of 1, one near CELLS a multiple of the steps in a cell. */
static const double ONES = 0x1.8p52;
static const double CELLS = 0x1.8p75; /* 1.5 2^(52 + CAROM_STEPS_BITS) */
/* A sum with CELLS is rounded to nearest: less half a cell but half a step, to the cell that holds the step. */
static const double TO_CELL = 0x1p22 - 0.5;

/* What a loop is compiled for. */
typedef struct steps_form {
    bodies_form bodies;
    bool moves;
} steps_form;

/* Half of the lanes on one axis: from distances, or their means, to steps, which are stored. Returns the steps at which
 * the cells begin. */
static inline __attribute__((always_inline)) vd place_half(vd distance, double scale, uint32_t *step) {
    const vd held = vd_add(vd_mul(distance, vd_set1(scale)), vd_set1(ONES));
    vd_store_words(step, held);
    const vd whole = vd_sub(held, vd_set1(ONES));
    const vd cell = vd_add(vd_sub(whole, vd_set1(TO_CELL)), vd_set1(CELLS));
    return vd_sub(cell, vd_set1(CELLS));
}

static inline __attribute__((always_inline)) void place_lanes(const carom_bodies *bodies, uint64_t n, const strided *s,
                                                              const carom_step_grid *grid, uint32_t *const step[3],
                                                              uint32_t *cell, bool moves) {
    vd prev[3][2];
    vd curr[3][2];
    for (int a = 0; a < 3; a++) {
        vr_halves(prev_of(bodies, n, a, s), prev[a]);
        if (moves) {
            vr_halves(curr_of(bodies, n, a, s), curr[a]);
        }
    }
    for (uint64_t h = 0; h < 2; h++) {
        vd sum = vd_set1(grid->first * (double)(UINT64_C(1) << CAROM_STEPS_BITS));
        for (int a = 0; a < 3; a++) {
            const vd origin = vd_set1(grid->origin[a]);
            vd distance = vd_sub(prev[a][h], origin);
            if (moves) {
                distance = vd_mul(vd_set1(0.5), vd_add(distance, vd_sub(curr[a][h], origin)));
            }
            const vd begin = place_half(distance, grid->scale, step[a] + n + h * HALF);
            sum = vd_add(sum, vd_mul(begin, vd_set1(grid->weight[a])));
        }
        vd_store_words(cell + n + h * HALF, vd_add(sum, vd_set1(CELLS)));
    }
}

/* Whole vectors of bodies [n, end). Returns the first body that is left. */
static inline __attribute__((always_inline)) uint64_t place_whole(const carom_bodies *bodies, uint64_t n, uint64_t end,
                                                                  const carom_step_grid *grid, uint32_t *const step[3],
                                                                  uint32_t *cell, steps_form form) {
    const strided_bodies all = strided_of(bodies, form.bodies);
    for (; n + CAROM_LANES <= end; n += CAROM_LANES) {
        strided own;
        place_lanes(bodies, n, load_strided(&all, n, form.bodies, &own), grid, step, cell, form.moves);
    }
    return n;
}

static __attribute__((noinline)) uint64_t place_packed(const carom_bodies *bodies, uint64_t begin, uint64_t end,
                                                       const carom_step_grid *grid, uint32_t *const step[3],
                                                       uint32_t *cell) {
    return place_whole(bodies, begin, end, grid, step, cell, (steps_form){BODIES_PACKED, false});
}
static __attribute__((noinline)) uint64_t place_moving(const carom_bodies *bodies, uint64_t begin, uint64_t end,
                                                       const carom_step_grid *grid, uint32_t *const step[3],
                                                       uint32_t *cell) {
    return place_whole(bodies, begin, end, grid, step, cell, (steps_form){BODIES_PACKED, true});
}
static __attribute__((noinline)) uint64_t place_any(const carom_bodies *bodies, uint64_t begin, uint64_t end,
                                                    const carom_step_grid *grid, uint32_t *const step[3],
                                                    uint32_t *cell) {
    return place_whole(bodies, begin, strided_end(bodies, end), grid, step, cell, (steps_form){BODIES_ANY, true});
}

/* In layouts that are not packed, bodies at rest are placed like those that move: curr is prev, and the mean of equal
 * numbers is the number. */
void carom_grid_steps(const carom_bodies *bodies, uint64_t begin, uint64_t end, const carom_step_grid *grid,
                      uint32_t *const step[3], uint32_t *cell) {
    CAROM_ASSERT(carom_check_bodies(bodies, begin, end));
    CAROM_ASSERT(carom_check_finite(bodies, begin, end));
    CAROM_ASSERT(carom_check_point(grid->origin));
    const bool packed = bodies->prev_stride == 0 && bodies->curr_stride == 0;
    const uint64_t n = !packed       ? place_any(bodies, begin, end, grid, step, cell)
                       : grid->moves ? place_moving(bodies, begin, end, grid, step, cell)
                                     : place_packed(bodies, begin, end, grid, step, cell);
    carom_grid_steps_twin(bodies, n, end, grid, step, cell);
}
