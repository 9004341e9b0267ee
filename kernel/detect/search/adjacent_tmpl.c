/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/detect/search/adjacent_tmpl.h"

#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/detect/results/worker_loop_tmpl.h"
#include "kernel/detect/search/cell_tasks_tmpl.h"
#include "kernel/detect/search/pairs_tmpl.h"
#include "kernel/sys/clock.h"

/* Candidates of a cell above which cells are swept instead: a worker's arrays for so many still lie in the second-level
 * cache. There is room for CANDIDATES_LEAST in any case, so that hardly a later call needs more. */
enum { CANDIDATES_LEAST = 2048, CANDIDATES_MOST = 8192 };
/* Bodies of a cell that are tested before their pairs are packed. */
enum { BODIES_AT_ONCE = 64 };
/* Candidates whose pairs with a body are packed at once. */
enum { PACKED_AT_ONCE = 1024 };
_Static_assert(PACKED_AT_ONCE % 256 == 0 && 2 * PACKED_AT_ONCE <= CAROM_HITS_MAX, "pairs fit into the room for hits");
/* Columns of a body: six sides, two lengths. */
enum { COLUMNS = 8 };

/* A worker's arrays: the candidates of a cell, which of them the bodies at hand are pairs with, and pairs that wait to
 * be decided. */
typedef struct candidates {
    carom_box_columns box;
    uint32_t *slot;
    uint32_t *length; /* of each body: bits that are set */
    uint32_t *near;   /* of each body: bits that are set in `close` */
    uint32_t *close_i;
    uint32_t *close_k;
    uint16_t *bits;
    uint16_t *close;
} candidates;

typedef struct search {
    carom_detect_job *job;
    carom_box_columns box; /* of each slot */
    char *space;           /* of all workers */
    uint64_t space_bytes;  /* of one */
    uint64_t most;         /* candidates of a cell */
    bool decides;          /* lengths decide where they can; pairs that are certainly apart are only counted */
} search;

/* Where a cell is: along the sweep axis, along the next one, along the third. */
typedef struct place {
    uint32_t cell;
    uint32_t column;
    uint32_t row;
    uint32_t layer;
} place;

/* A worker at a task. */
typedef struct visit {
    const search *search;
    carom_worker *worker;
    carom_task *task;
    candidates found;
    carom_box_runs runs;
    uint32_t hits;    /* pairs in the worker's room for hits */
    uint32_t waiting; /* pairs that wait to be decided */
    double clock;
} visit;

/* Values in a column that begins on a cache line, with room for what is read or written after the last. */
static uint64_t stride_of(uint64_t count) {
    const uint64_t line = CAROM_CACHE_LINE / sizeof(float);
    return (count + CAROM_GATHER_PAD + line - 1) / line * line;
}

static carom_box_columns columns_at(float *block, uint64_t stride) {
    carom_box_columns box = {.inner = block + 6 * stride, .outer = block + 7 * stride};
    for (uint64_t a = 0; a < 3; a++) {
        box.lo[a] = block + a * stride;
        box.hi[a] = block + (3 + a) * stride;
    }
    return box;
}

/* Words of bits of the bodies at hand, with room for what is read behind them. */
static uint64_t words_of(uint64_t most) {
    return BODIES_AT_ONCE * (uint64_t)carom_hits_words((uint32_t)most) + CAROM_SIMD_PAD;
}

static uint64_t space_bytes(uint64_t most) {
    const uint64_t line = CAROM_CACHE_LINE;
    const uint64_t numbers = (COLUMNS + 1) * stride_of(most) + 2 * BODIES_AT_ONCE + 2 * CAROM_HITS_MAX;
    const uint64_t bytes = numbers * sizeof(uint32_t) + 2 * words_of(most) * sizeof(uint16_t);
    return (bytes + line - 1) / line * line;
}

static candidates candidates_of(const search *s, uint32_t worker) {
    float *block = (float *)(void *)(s->space + worker * s->space_bytes);
    const uint64_t stride = stride_of(s->most);
    candidates c = {.box = columns_at(block, stride)};
    c.slot = (uint32_t *)(void *)(block + COLUMNS * stride);
    c.length = c.slot + stride;
    c.near = c.length + BODIES_AT_ONCE;
    c.close_i = c.near + BODIES_AT_ONCE;
    c.close_k = c.close_i + CAROM_HITS_MAX;
    c.bits = (uint16_t *)(void *)(c.close_k + CAROM_HITS_MAX);
    c.close = c.bits + words_of(s->most);
    return c;
}

static place place_of(const carom_plan *plan, uint32_t cell) {
    const uint32_t x = plan->sweep_axis;
    const uint32_t row = cell / plan->grid.columns[x];
    const uint32_t rows = plan->grid.columns[(x + 1) % 3];
    return (place){cell, cell - row * plan->grid.columns[x], row % rows, row / rows};
}

/* To the next cell. */
static void step_on(const carom_plan *plan, place *at) {
    at->cell++;
    at->column++;
    if (at->column == plan->grid.columns[plan->sweep_axis]) {
        at->column = 0;
        at->row++;
        if (at->row == plan->grid.columns[(plan->sweep_axis + 1) % 3]) {
            at->row = 0;
            at->layer++;
        }
    }
}

static void add_run(const carom_part *part, uint32_t first, uint32_t end, carom_box_runs *runs) {
    const uint32_t begin = part->start[first];
    runs->begin[runs->runs] = begin;
    runs->end[runs->runs] = part->start[end];
    runs->runs += begin < part->start[end];
}

/* Lists the runs of slots of a cell and of the cells that come after it and touch it: of each row of cells along the
 * sweep axis those in it are one run. */
static void list_runs(const carom_part *part, const place *at, carom_box_runs *runs) {
    const carom_plan *plan = &part->plan;
    const uint32_t x = plan->sweep_axis;
    const uint32_t row = plan->stride[(x + 1) % 3];
    const uint32_t layer = plan->stride[(x + 2) % 3];
    const uint32_t end = at->cell + (at->column + 1 < plan->grid.columns[x] ? 2 : 1);
    const uint32_t begin = at->cell - (at->column > 0 ? 1 : 0);
    const bool below = at->row > 0;
    const bool above = at->row + 1 < plan->grid.columns[(x + 1) % 3];
    runs->runs = 0;
    add_run(part, at->cell, end, runs);
    if (above) {
        add_run(part, begin + row, end + row, runs);
    }
    if (at->layer + 1 < plan->grid.columns[(x + 2) % 3]) {
        if (below) {
            add_run(part, begin + layer - row, end + layer - row, runs);
        }
        add_run(part, begin + layer, end + layer, runs);
        if (above) {
            add_run(part, begin + layer + row, end + layer + row, runs);
        }
    }
}

static uint64_t count_runs(const carom_box_runs *runs) {
    uint64_t count = 0;
    for (uint32_t r = 0; r < runs->runs; r++) {
        count += runs->end[r] - runs->begin[r];
    }
    return count;
}

/* What the workers look at to find the most candidates of a cell. */
typedef struct fit {
    const carom_detect_job *job;
    const carom_part *part;
} fit;

/* The most in the worker's range of cells. */
static void find_most(void *data, uint32_t worker) {
    const fit *f = data;
    const carom_plan *plan = &f->part->plan;
    const carom_context *context = f->job->context;
    const carom_range range = carom_team_range(&context->team, worker, plan->cell_count, CAROM_CACHE_LINE);
    uint64_t most = 0;
    for (place at = place_of(plan, (uint32_t)range.begin); at.cell < range.end; step_on(plan, &at)) {
        if (f->part->start[at.cell] < f->part->start[at.cell + 1]) {
            carom_box_runs runs;
            list_runs(f->part, &at, &runs);
            const uint64_t count = count_runs(&runs);
            most = count > most ? count : most;
        }
    }
    carom_context_shares(context)[worker] = most;
}

bool carom_adjacent_fits(carom_detect_job *job, carom_part *part) {
    CAROM_ASSERT(part->plan.adjacent && part->depth == 0);
    fit f = {job, part};
    carom_team_run_over(&job->context->team, part->plan.cell_count, find_most, &f);
    part->most_entries = 0;
    for (uint32_t w = 0; w < job->context->team.workers; w++) {
        const uint64_t most = carom_context_shares(job->context)[w];
        part->most_entries = most > part->most_entries ? most : part->most_entries;
    }
    return part->most_entries <= CANDIDATES_MOST;
}

/* Boxes of all bodies. */
static void make_columns(void *data, uint32_t worker) {
    const search *s = data;
    const carom_detect_job *job = s->job;
    carom_walk walk = carom_team_walk(&job->context->team, worker, job->bodies->count, CAROM_SIMD_PAD);
    while (carom_walk_next(&walk)) {
        carom_kernels_of(job->context->simd)
            ->box_columns(job->search.records, walk.begin, walk.end, job->search.centre, &s->box);
    }
}

/* Decides the pairs that the worker has found so far: those that wait go behind the others. */
static void flush(visit *w) {
    carom_cell_workspace *workspace = &w->worker->workspace;
    memcpy(workspace->hit_i + w->hits, w->found.close_i, w->waiting * sizeof(uint32_t));
    memcpy(workspace->hit_k + w->hits, w->found.close_k, w->waiting * sizeof(uint32_t));
    const carom_pairs pairs = {w->hits + w->waiting, w->search->decides ? w->hits : 0};
    w->clock = carom_job_worker_lap(w->worker, CAROM_PHASE_SWEEP, w->clock);
    w->clock = carom_pairs_process(w->search->job, w->worker, w->task, pairs, w->clock);
    w->hits = 0;
    w->waiting = 0;
}

static uint32_t count_bits(const uint16_t *bits, uint32_t count) {
    uint32_t set = 0;
    for (uint32_t w = 0; w < carom_hits_words(count); w++) {
        set += (uint32_t)__builtin_popcount(bits[w]);
    }
    return set;
}

/* Packs the `length` pairs of a body with `count` candidates: into the room for hits, or among those that wait. */
static void pack_some(visit *w, uint32_t own, const uint32_t *slot, const uint16_t *bits, uint32_t count,
                      uint32_t length, bool waits) {
    const carom_cell_workspace *workspace = &w->worker->workspace;
    if (w->hits + w->waiting + length + CAROM_SIMD_PAD > CAROM_HITS_MAX) {
        flush(w);
    }
    uint32_t *kept = waits ? &w->waiting : &w->hits;
    uint32_t *to_i = (waits ? w->found.close_i : workspace->hit_i) + *kept;
    uint32_t *to_k = (waits ? w->found.close_k : workspace->hit_k) + *kept;
    w->search->job->context->simd->pack_pairs(own, slot, bits, count, to_i, to_k);
    *kept += length;
}

static void pack_row(visit *w, uint32_t own, uint32_t count, const uint16_t *bits, uint32_t length, bool waits) {
    if (length == 0) {
        return;
    }
    if (count <= PACKED_AT_ONCE) {
        pack_some(w, own, w->found.slot, bits, count, length, waits);
        return;
    }
    for (uint32_t n = 0; n < count; n += PACKED_AT_ONCE) {
        const uint32_t some = count - n < PACKED_AT_ONCE ? count - n : PACKED_AT_ONCE;
        pack_some(w, own, w->found.slot + n, bits + n / 16, some, count_bits(bits + n / 16, some), waits);
    }
}

/* Pairs of bodies [begin, end) of a cell with `count` candidates. */
static void test_bodies(visit *w, uint32_t begin, uint32_t end, uint32_t count) {
    const candidates *c = &w->found;
    const bool decides = w->search->decides;
    const uint32_t words = carom_hits_words(count);
    const carom_box_hits_in in = {.of = c->box, .count = count, .begin = begin, .end = end, .decides = decides};
    uint64_t apart = w->search->job->context->simd->box_hits(&in, c->bits, c->close, c->length, c->near);
    for (uint32_t n = 0; n < end - begin; n++) {
        const uint32_t own = c->slot[begin + n];
        apart -= c->length[n];
        pack_row(w, own, count, c->bits + (size_t)n * words, c->length[n], false);
        if (decides) {
            apart -= c->near[n];
            pack_row(w, own, count, c->close + (size_t)n * words, c->near[n], true);
        }
    }
    w->worker->box_pairs += apart; /* carom_pairs_process never sees them */
}

static void search_cell(visit *w, const place *at) {
    const search *s = w->search;
    const carom_part *part = &s->job->scene;
    const uint32_t bodies = part->start[at->cell + 1] - part->start[at->cell];
    if (bodies == 0) {
        return;
    }
    list_runs(part, at, &w->runs);
    CAROM_ASSERT(count_runs(&w->runs) <= s->most);
    const uint32_t count = s->job->context->simd->gather_boxes(&w->runs, s->decides, &w->found.box, w->found.slot);
    for (uint32_t n = 0; n < bodies; n += BODIES_AT_ONCE) {
        test_bodies(w, n, bodies - n < BODIES_AT_ONCE ? bodies : n + BODIES_AT_ONCE, count);
    }
}

/* What a worker does for one task. Clocks are not read cell by cell, which would take longer than the cells. */
static void search_task(void *data, carom_worker *worker, carom_task *task) {
    const search *s = data;
    const carom_part *part = &s->job->scene;
    visit w = {.search = s,
               .worker = worker,
               .task = task,
               .found = candidates_of(s, (uint32_t)(worker - s->job->workers)),
               .runs = {.of = s->box},
               .clock = carom_clock_seconds()};
    worker->part_bits_swept = false;
    carom_cell_tasks_store_bodies(s->job, part, part->start[task->begin], part->start[task->end]);
    w.clock = carom_job_worker_lap(worker, CAROM_PHASE_GROUPS, w.clock);
    place at = place_of(&part->plan, task->begin);
    for (; at.cell < task->end && !carom_worker_loop_ended(s->job); step_on(&part->plan, &at)) {
        search_cell(&w, &at);
    }
    flush(&w);
}

/* Runs of cells with about as many bodies each. */
static void make_tasks(carom_detect_job *job, const carom_part *part) {
    const uint64_t size = carom_cell_tasks_size(part->bodies.count);
    const uint64_t first = job->queue.count;
    uint64_t in_task = size;
    carom_walk walk = carom_team_walk_alone(&job->context->team, part->plan.cell_count);
    while (carom_walk_next(&walk)) {
        for (uint32_t c = (uint32_t)walk.begin; c < walk.end; c++) {
            if (in_task >= size) {
                carom_cell_tasks_begin(job, first, c);
                in_task = 0;
            }
            in_task += part->start[c + 1] - part->start[c];
        }
    }
    carom_cell_tasks_end(job, first, part->plan.cell_count);
}

/* Lengths may decide only if every pair of boxes counts and none is stored. */
static bool may_decide(const carom_detect_job *job) {
    const carom_detect_config *config = job->config;
    return config->until > CAROM_UNTIL_PAIRS && !config->all_pairs && config->filter == NULL &&
           job->periodic.images == NULL && job->shapes.source == NULL;
}

/* The most tasks that make_tasks makes. */
static uint64_t tasks_of(uint64_t bodies) {
    return bodies / carom_cell_tasks_size(bodies) + 1;
}

/* Candidates of a cell for which workers have room. */
static uint64_t room_of(const carom_part *part) {
    CAROM_ASSERT(part->most_entries > 0);
    return part->most_entries > CANDIDATES_LEAST ? part->most_entries : CANDIDATES_LEAST;
}

carom_status carom_adjacent_reserve(carom_detect_job *job, const carom_part *part) {
    const uint64_t workers = job->context->team.workers;
    const carom_work_need need[] = {
        {CAROM_WORK_BOX_COLUMNS, COLUMNS * stride_of(part->bodies.count) * sizeof(float)},
        {CAROM_WORK_CANDIDATES, workers * space_bytes(room_of(part))},
    };
    const carom_status status = carom_job_reserve(job, need, sizeof need / sizeof need[0]);
    return status == CAROM_OK ? carom_cell_tasks_reserve_space(job, 0) : status;
}

/* What carom_adjacent_reserve has made room for. */
static void set_space(search *s) {
    const carom_context *context = s->job->context;
    const uint64_t stride = stride_of(s->job->bodies->count);
    s->most = room_of(&s->job->scene);
    s->space_bytes = space_bytes(s->most);
    s->box = columns_at(carom_context_work(context, CAROM_WORK_BOX_COLUMNS), stride);
    s->space = carom_context_work(context, CAROM_WORK_CANDIDATES);
}

carom_status carom_adjacent_search(carom_detect_job *job, carom_part *scene) {
    CAROM_ASSERT(scene == &job->scene && scene->plan.adjacent);
    search s = {.job = job, .decides = may_decide(job)};
    carom_control_enter(job->context->team.control, CAROM_PHASE_SWEEP);
    const carom_status status = carom_cell_tasks_reserve(job, tasks_of(job->bodies->count));
    set_space(&s);
    if (status != CAROM_OK || carom_job_stopped(job)) {
        return status == CAROM_OK ? CAROM_ERROR_CANCELLED : status;
    }
    const uint64_t first_task = job->queue.count;
    make_tasks(job, scene);
    carom_job_lap(job, CAROM_PHASE_PARTITION);
    carom_team_run_over(&job->context->team, job->bodies->count, make_columns, &s);
    carom_job_lap(job, CAROM_PHASE_SORT);
    if (carom_job_stopped(job)) {
        return CAROM_ERROR_CANCELLED;
    }
    job->search.part = scene;
    job->search.entries += scene->bodies.count;
    return carom_worker_loop_run(job, first_task, search_task, &s);
}
