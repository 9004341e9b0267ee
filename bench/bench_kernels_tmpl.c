/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Each kernel over bodies, alone: kernel/<name>_<precision>/<isa>/<items>. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/bench_kernels.h"
#include "bench/shim.h"
#include "bench/suite.h"
#include "simd/isa.h"

/* Every array a kernel reads or writes, for `count` bodies. */
typedef struct fixture {
    uint64_t count;
    carom_bodies bodies;
    carom_plan plan;
    uint32_t *code;
    carom_record *records;
    float *bounds[6];
    carom_cell cell;
    carom_cell_workspace workspace;
    carom_bins bins;
    uint32_t hits;
    uint32_t touching;
    uint32_t *touch_i;
    uint32_t *touch_k;
    uint32_t *kept_i;
    uint32_t *kept_k;
    carom_contacts rows;
    uint32_t *slot; /* a permutation of the bodies */
    uint32_t *escaped;
    carom_inner_boxes inner;
    carom_record *placed;
    carom_slot_box *boxes;
    uint8_t *bits[2];
} fixture;

typedef uint64_t kernel_run(const carom_simd *simd, fixture *f);

typedef struct kernel_case {
    const carom_simd *simd;
    uint64_t count;
    kernel_run *run;
} kernel_case;

static void *lines(size_t bytes) {
    char *block = carom_bench_allocate(bytes + CAROM_CACHE_LINE);
    return block + (CAROM_CACHE_LINE - (uintptr_t)block % CAROM_CACHE_LINE);
}

static carom_bodies bodies_of(uint64_t count) {
#if CAROM_REAL_BITS == 32
    return carom_scene_bodies(carom_bench_scene('a', count));
#else
    return carom_bench_bodies_f64('a', count);
#endif
}

static uint64_t run_bounds(const carom_simd *simd, fixture *f) {
    carom_kernels_of(simd)->bounds(&f->bodies, 0, f->count, f->bounds, f->bounds + 3);
    return f->count;
}

static uint64_t run_survey(const carom_simd *simd, fixture *f) {
    const double centre[3] = {0.0, 0.0, 0.0};
    carom_survey survey = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}, {0, 0, 0}, 0};
    carom_kernels_of(simd)->survey(&f->bodies, 0, f->count, centre, &survey);
    carom_bench_keep(&survey);
    return f->count;
}

/* Codes of a grid of 64 columns a side, so that every axis is computed. */
static uint64_t run_codes(const carom_simd *simd, fixture *f) {
    carom_grid grid = {.columns = {64, 64, 64},
                       .scale = {4, 4, 4},
                       .last = {63, 63, 63},
                       .cell_weight = {8, 512, 32768},
                       .bit_weight = {1, 2, 4},
                       .wide = {INFINITY, INFINITY, INFINITY}};
    carom_kernels_of(simd)->codes(&f->bodies, 0, f->count, &grid, f->code);
    return f->count;
}

static uint64_t run_cell_lows(const carom_simd *simd, fixture *f) {
    float range[2] = {FLT_MAX, -FLT_MAX};
    carom_kernels_of(simd)->cell_lows(f->records, (uint32_t)f->count, &f->plan.grid, f->plan.sweep_axis,
                                      f->workspace.low, range);
    return f->count;
}

static uint64_t run_cell_boxes(const carom_simd *simd, fixture *f) {
    carom_kernels_of(simd)->cell_boxes(f->records, 0, &f->plan.grid, &f->bins, f->workspace.bin_end,
                                       &f->workspace.boxes);
    return f->count;
}

static uint64_t run_touch(const carom_simd *simd, fixture *f) {
    f->touching = carom_kernels_of(simd)->touch(f->records, f->hits, f->workspace.hit_i, f->workspace.hit_k, f->touch_i,
                                                f->touch_k);
    return f->hits;
}

static uint64_t run_approaching(const carom_simd *simd, fixture *f) {
    uint32_t kept =
        carom_kernels_of(simd)->approaching(f->records, f->touching, f->touch_i, f->touch_k, f->kept_i, f->kept_k);
    carom_bench_keep(&kept);
    return f->touching;
}

static uint64_t run_contact(const carom_simd *simd, fixture *f) {
    const carom_contact_in pairs = {f->records, 0, f->touching, f->touch_i, f->touch_k, true};
    carom_kernels_of(simd)->contact(&pairs, &f->rows);
    return f->touching;
}

static const double ORIGIN[3] = {0.0, 0.0, 0.0};

static uint64_t run_fat_boxes(const carom_simd *simd, fixture *f) {
    carom_kernels_of(simd)->fat_boxes(&f->bodies, 0, f->count, ORIGIN, f->bounds, f->bounds + 3);
    return f->count;
}

static uint64_t run_place(const carom_simd *simd, fixture *f) {
    const carom_place_in moved = {&f->bodies, 0, f->count, f->count, f->slot, false};
    carom_kernels_of(simd)->place(&moved, f->placed);
    return f->count;
}

static uint64_t follow(const carom_simd *simd, fixture *f, const carom_inner_boxes *inner) {
    const carom_fat_box_set fat_boxes = {.lo = {f->bounds[0], f->bounds[1], f->bounds[2]},
                                         .hi = {f->bounds[3], f->bounds[4], f->bounds[5]},
                                         .inner = inner};
    const carom_follow_in moved = {&f->bodies, 0, f->count, &fat_boxes, f->slot, false};
    carom_follow_out to = {f->placed, f->escaped, 0};
    carom_kernels_of(simd)->follow(&moved, &to);
    carom_bench_keep(&to);
    return f->count;
}

static uint64_t run_follow(const carom_simd *simd, fixture *f) {
    return follow(simd, f, NULL);
}

static uint64_t run_follow_inner(const carom_simd *simd, fixture *f) {
    return follow(simd, f, &f->inner);
}

static uint64_t run_slot_boxes(const carom_simd *simd, fixture *f) {
    carom_kernels_of(simd)->slot_boxes(f->records, 0, f->count, ORIGIN, f->boxes);
    return f->count;
}

static uint64_t run_recheck(const carom_simd *simd, fixture *f) {
    const carom_recheck_in pairs = {f->records, ORIGIN, f->hits, 0, f->workspace.hit_i, f->workspace.hit_k};
    carom_recheck_out kept = {f->touch_i, f->touch_k, f->bits[0], f->bits[1], {0, 0}};
    carom_kernels_of(simd)->recheck(&pairs, &kept);
    f->touching = kept.counts.touching;
    return f->hits;
}

#if CAROM_REAL_BITS == 32
static uint64_t run_bin_keys(const carom_simd *simd, fixture *f) {
    simd->bin_keys(f->workspace.low, (uint32_t)f->count, &f->bins, f->workspace.key);
    return f->count;
}

static uint64_t run_sweep(const carom_simd *simd, fixture *f) {
    carom_sweep_cursor cursor = {0, 1, f->workspace.boxes.count};
    uint32_t hits = 0;
    while (cursor.i < f->workspace.boxes.count) {
        hits = simd->sweep(&f->workspace.boxes, &cursor, f->workspace.hit_i, f->workspace.hit_k, CAROM_HITS_MAX);
    }
    f->hits = hits;
    return f->count;
}

static uint64_t run_digits_u32(const carom_simd *simd, fixture *f) {
    uint32_t counts[CAROM_DIGITS_MAX];
    simd->digit_histogram_u32((const uint32_t *)(const void *)f->records, f->count, 8, 255, counts);
    carom_bench_keep(counts);
    return f->count;
}

static uint64_t run_digits_u64(const carom_simd *simd, fixture *f) {
    uint32_t counts[CAROM_DIGITS_MAX];
    simd->digit_histogram_u64((const uint64_t *)(const void *)f->records, f->count, 8, 255, counts);
    carom_bench_keep(counts);
    return f->count;
}
#endif

static void allocate_rows(fixture *f, uint64_t count) {
    f->rows.i = lines(count * sizeof(uint32_t));
    f->rows.k = lines(count * sizeof(uint32_t));
    carom_real **fields[] = {&f->rows.t_ca,      &f->rows.distance,  &f->rows.t_toi,
                             &f->rows.normal[0], &f->rows.normal[1], &f->rows.normal[2],
                             &f->rows.point[0],  &f->rows.point[1],  &f->rows.point[2]};
    for (size_t n = 0; n < sizeof fields / sizeof fields[0]; n++) {
        *fields[n] = lines(count * sizeof(carom_real));
    }
}

/* Around all bodies, as they are around nearly all in a step. */
static void make_inner_boxes(fixture *f) {
    for (int a = 0; a < 3; a++) {
        uint16_t *lo = lines(f->count * sizeof *lo);
        uint16_t *hi = lines(f->count * sizeof *hi);
        float most = 0.0F;
        for (uint64_t n = 0; n < f->count; n++) {
            most = fmaxf(most, fmaxf(fabsf(f->bounds[a][n]), fabsf(f->bounds[a + 3][n])));
        }
        f->inner.origin[a] = -2.0F * most;
        f->inner.step[a] = 4.0F * most / 60000.0F;
        for (uint64_t n = 0; n < f->count; n++) {
            lo[n] = (uint16_t)((f->bounds[a][n] - f->inner.origin[a]) / f->inner.step[a] - 2.0F);
            hi[n] = (uint16_t)((f->bounds[a + 3][n] - f->inner.origin[a]) / f->inner.step[a] + 3.0F);
        }
        f->inner.lo[a] = lo;
        f->inner.hi[a] = hi;
    }
}

/* Slots in an order that has nothing to do with the bodies': each a cache line of its own, as after a rebuild. */
static void make_steps(fixture *f) {
    const uint64_t prime = 999983;
    f->slot = lines((f->count + CAROM_SIMD_PAD) * sizeof *f->slot);
    f->escaped = lines(f->count * sizeof *f->escaped);
    f->placed = lines(f->count * sizeof *f->placed);
    f->boxes = lines(f->count * sizeof *f->boxes);
    f->bits[0] = lines(CAROM_HITS_MAX);
    f->bits[1] = lines(CAROM_HITS_MAX);
    for (uint64_t n = 0; n < f->count; n++) {
        f->slot[n] = (uint32_t)(n * prime % f->count);
    }
    run_fat_boxes(carom_simd_find("scalar"), f);
    make_inner_boxes(f);
}

/* Takes the bodies through every step once, by the scalar twins. */
static fixture *make_fixture(uint64_t count) {
    fixture *f = lines(sizeof *f);
    memset(f, 0, sizeof *f);
    const carom_simd *simd = carom_simd_find("scalar");
    float range[2] = {FLT_MAX, -FLT_MAX};
    f->count = count;
    f->bodies = bodies_of(count);
    f->code = lines((count + CAROM_SIMD_PAD) * sizeof *f->code);
    f->records = lines((count + CAROM_SIMD_PAD) * sizeof *f->records);
    for (int n = 0; n < 6; n++) {
        f->bounds[n] = lines(count * sizeof(float));
    }
    f->touch_i = lines(CAROM_HITS_MAX * sizeof(uint32_t));
    f->touch_k = lines(CAROM_HITS_MAX * sizeof(uint32_t));
    f->kept_i = lines(CAROM_HITS_MAX * sizeof(uint32_t));
    f->kept_k = lines(CAROM_HITS_MAX * sizeof(uint32_t));
    allocate_rows(f, CAROM_HITS_MAX);
    for (uint64_t n = 0; n < count; n++) {
        f->code[n] = (uint32_t)n;
    }
    const carom_place_in moved = {&f->bodies, 0, count, count, f->code, false};
    carom_kernels_of(simd)->place(&moved, f->records);
    carom_cell_workspace_lay_out(lines(carom_cell_workspace_bytes(count)), count, &f->workspace);
    f->plan.sweep_axis = 2;
    carom_kernels_of(simd)->cell_lows(f->records, (uint32_t)count, &f->plan.grid, 2, f->workspace.low, range);
    carom_bench_plan_cell(range, &f->plan);
    f->cell = (carom_cell){.span_count = 1, .count = (uint32_t)count, .span = {{0, (uint32_t)count, 0}}};
    f->bins = carom_cell_sort(&f->plan, simd, &f->cell, range, &f->workspace);
    run_cell_boxes(simd, f);
    carom_sweep_cursor cursor = {0, 1, f->workspace.boxes.count};
    f->hits = simd->sweep(&f->workspace.boxes, &cursor, f->workspace.hit_i, f->workspace.hit_k, CAROM_HITS_MAX);
    run_touch(simd, f);
    make_steps(f);
    return f;
}

static fixture *fixture_of(uint64_t count) {
    static fixture *small;
    static fixture *large;
    fixture **kept = count == CAROM_BENCH_CELL ? &small : &large;
    if (*kept == NULL || (*kept)->count != count) {
        *kept = make_fixture(count);
    }
    (*kept)->bodies = bodies_of(count);
    return *kept;
}

static void bench_kernel(carom_bench_state *state, void *data) {
    const kernel_case *c = data;
    fixture *f = fixture_of(c->count);
    uint64_t items = 0;
    while (carom_bench_next(state)) {
        items = c->run(c->simd, f);
    }
    carom_bench_items(state, items);
}

static void add(const carom_simd *simd, const char *name, kernel_run *run, uint64_t count) {
    char text[64];
    kernel_case *c = carom_bench_allocate(sizeof *c);
    *c = (kernel_case){simd, count, run};
    snprintf(text, sizeof text, "kernel/%s/%s/%" PRIu64, name, simd->name, count);
    carom_bench_register(text, bench_kernel, c);
}

#if CAROM_REAL_BITS == 32
#define PRECISE(name) name "_f32"
#else
#define PRECISE(name) name "_f64"
#endif

void CAROM_REAL(carom_bench_register_kernels)(const carom_simd *simd) {
    const uint64_t sizes[] = {CAROM_BENCH_CELL, 1000000};
    for (int s = 0; s < 2; s++) {
        add(simd, PRECISE("bounds"), run_bounds, sizes[s]);
        add(simd, PRECISE("survey"), run_survey, sizes[s]);
        add(simd, PRECISE("codes"), run_codes, sizes[s]);
        add(simd, PRECISE("fat boxes"), run_fat_boxes, sizes[s]);
        add(simd, PRECISE("follow"), run_follow, sizes[s]);
        add(simd, PRECISE("follow_inner"), run_follow_inner, sizes[s]);
        add(simd, PRECISE("place"), run_place, sizes[s]);
        add(simd, PRECISE("slot_boxes"), run_slot_boxes, sizes[s]);
    }
    add(simd, PRECISE("cell_lows"), run_cell_lows, CAROM_BENCH_CELL);
    add(simd, PRECISE("cell_boxes"), run_cell_boxes, CAROM_BENCH_CELL);
    add(simd, PRECISE("touch"), run_touch, CAROM_BENCH_CELL);
    add(simd, PRECISE("approaching"), run_approaching, CAROM_BENCH_CELL);
    add(simd, PRECISE("contact"), run_contact, CAROM_BENCH_CELL);
    add(simd, PRECISE("recheck"), run_recheck, CAROM_BENCH_CELL);
#if CAROM_REAL_BITS == 32
    add(simd, "bin_keys", run_bin_keys, CAROM_BENCH_CELL);
    add(simd, "sweep", run_sweep, CAROM_BENCH_CELL);
    add(simd, "digit_histogram_u32", run_digits_u32, CAROM_BENCH_CELL);
    add(simd, "digit_histogram_u64", run_digits_u64, CAROM_BENCH_CELL);
#endif
}
