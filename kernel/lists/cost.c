/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/lists/cost.h"

#include <math.h>
#include <stdio.h>

#include "kernel/lists/grid.h"

/* Nanoseconds; only their ratios matter. */
typedef struct cost {
    double body;      /* by cells */
    double candidate; /* by cells, of each body */
    double detected;  /* a body of a detection */
    double listed;    /* a neighbour of a detection */
} cost;

/* At rest, in motion; in open space, in a periodic box. Measured, one thread, 2026-11-26. */
static const cost COSTS[2][2] = {{{60.0, 0.35, 25.0, 24.0}, {130.0, 0.5, 120.0, 42.0}},
                                 {{150.0, 0.6, 30.0, 22.0}, {250.0, 1.3, 100.0, 45.0}}};

/* The cost of a neighbour, relative to full lists, in a detection that only stores pairs. */
static const double PAIRS = 0.35;

/* Candidates for each neighbour, 27 * 3 / (4 pi), and a fifth more: vectors are not full, and cells are wider. */
static const double CANDIDATES_A_NEIGHBOUR = 1.2 * 6.45;

/* Batches of a sample. */
enum { SAMPLED = 16 };

bool carom_lists_pay(const carom_lists_task *task, double candidates, double neighbours,
                     char reason[CAROM_REASON_MAX]) {
    const cost *c = &COSTS[task->moves][task->periodic];
    const double cells = c->body + c->candidate * candidates;
    const double detection = c->detected + (task->pairs ? PAIRS : 1.0) * c->listed * neighbours;
    const bool pays = cells < detection;
    snprintf(reason, CAROM_REASON_MAX, "%s: %.0f candidates a body, predicted %.0f ns a body (%s %.0f)",
             pays ? "cells" : "detection", candidates, pays ? cells : detection, pays ? "detection" : "cells",
             pays ? detection : cells);
    return pays;
}

/* What a sample of bodies shows. */
typedef struct sample {
    double lo[3];
    double hi[3];
    double cubes; /* sum of the cubes of reaches: diameters and ways */
    uint64_t bodies;
} sample;

static void add_batch(const carom_image_batch *batch, sample *all) {
    for (uint32_t n = 0; n < batch->count; n++) {
        double square = 0.0;
        for (int a = 0; a < 3; a++) {
            const double way = batch->field[a + 3][n] - batch->field[a][n];
            all->lo[a] = fmin(all->lo[a], batch->field[a][n]);
            all->hi[a] = fmax(all->hi[a], batch->field[a][n]);
            square += way * way;
        }
        const double reach = 2.0 * batch->field[6][n] + sqrt(square);
        all->cubes += reach * reach * reach;
    }
    all->bodies += batch->count;
}

static sample take_sample(const carom_image_source *source) {
    sample all = {.lo = {INFINITY, INFINITY, INFINITY}, .hi = {-INFINITY, -INFINITY, -INFINITY}};
    carom_image_batch batch;
    const uint64_t batches = (source->count + CAROM_IMAGE_BATCH - 1) / CAROM_IMAGE_BATCH;
    const uint64_t step = batches / SAMPLED + 1;
    for (uint64_t n = 0; n < batches; n += step) {
        const uint64_t left = source->count - n * CAROM_IMAGE_BATCH;
        batch.count = left < CAROM_IMAGE_BATCH ? (uint32_t)left : CAROM_IMAGE_BATCH;
        source->load(source->bodies, n * CAROM_IMAGE_BATCH, &batch);
        add_batch(&batch, &all);
    }
    return all;
}

static double box_volume(const carom_periodic *box) {
    const double(*e)[3] = box->edge;
    return fabs(e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) - e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
                e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]));
}

bool carom_lists_may_pay(const carom_image_source *source, const carom_lists_task *task, const carom_periodic *periodic,
                         char reason[CAROM_REASON_MAX]) {
    const sample all = take_sample(source);
    const bool closed = periodic != NULL && periodic->along[0] && periodic->along[1] && periodic->along[2];
    const double range = (all.hi[0] - all.lo[0]) * (all.hi[1] - all.lo[1]) * (all.hi[2] - all.lo[2]);
    /* In a closed box bodies may fill a part of it, or be many edges apart. */
    const double volume = closed ? fmin(box_volume(periodic), range) : range;
    const double balls = 4.0 / 3.0 * 3.14159265 * all.cubes / (double)all.bodies;
    const double neighbours = (double)source->count * balls / volume;
    const double searched = task->pairs && periodic == NULL ? 0.5 : 1.0;
    const double least = 1.2 * 27.0 * CAROM_LISTS_BODIES_A_CELL;
    /* Numbers that are not finite are left to what follows. */
    return !(neighbours < (double)UINT32_MAX) ||
           carom_lists_pay(task, searched * fmax(least, CANDIDATES_A_NEIGHBOUR * neighbours), neighbours, reason);
}
