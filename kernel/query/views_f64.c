/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Probes of a periodic box, and the places from which they look (space.h). In: the caller's probes. Out: the probes in
 * the cell, as a detection would place them, and their views. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/periodic/images.h"
#include "kernel/query/hooks_f64.h"
#include "kernel/sys/error.h"
#include "simd/compare.h"

/* The box of a view that stands for an image of a body is widened by what rounding can do to boxes in floats, and to
 * positions in doubles, when both bodies lie elsewhere: some ten times the error, as a share of the numbers. */
static const double FLOAT_ERROR = 0x1p-20;
static const double DOUBLE_ERROR = 0x1p-48;

/* Functions of batches work on whole ones. */
static void fill_up(carom_image_batch *batch) {
    for (uint32_t n = batch->count; n < CAROM_IMAGE_BATCH; n++) {
        for (int f = 0; f < CAROM_BODY_FIELDS; f++) {
            batch->field[f][n] = batch->field[f][0];
        }
    }
}

static void put_record(carom_image_batch *batch, uint32_t n, const carom_record *record) {
    for (int a = 0; a < 3; a++) {
        batch->field[a][n] = record->prev[a];
        batch->field[a + 3][n] = record->curr[a];
    }
    batch->field[6][n] = record->radius;
}

/* Boxes of a batch, along the axes and in the lattice. */
static void find_boxes(const carom_lattice *lattice, carom_image_batch *batch) {
    fill_up(batch);
    carom_image_batch_boxes(batch);
    carom_image_batch_lows(lattice, batch);
    carom_image_batch_highs(lattice, batch);
}

/* Widens the ranges of all bodies by those of a batch, which is empty then. */
static void widen_range(const carom_lattice *lattice, carom_image_batch *batch, carom_context_box *box) {
    if (batch->count == 0) {
        return;
    }
    find_boxes(lattice, batch);
    for (int a = 0; a < 3; a++) {
        carom_image_batch_least(batch->lo[a], &box->lo[a]);
        carom_image_batch_greatest(batch->hi[a], &box->hi[a]);
        carom_image_batch_least(batch->low[a], &box->low[a]);
        carom_image_batch_greatest(batch->high[a], &box->high[a]);
    }
    batch->count = 0;
}

/* Once after each detection: where the bodies are. */
static carom_status find_range(const carom_query_job *job) {
    carom_context_box *box = &job->context->partition.box;
    carom_image_batch batch = {.count = 0};
    for (int a = 0; a < 3; a++) {
        box->lo[a] = box->low[a] = INFINITY;
        box->hi[a] = box->high[a] = -INFINITY;
    }
    carom_walk walk = carom_team_walk_alone(&job->context->team, job->slots);
    while (carom_walk_next(&walk)) {
        for (uint64_t slot = walk.begin; slot < walk.end; slot++) {
            if (job->records[slot].body < job->bodies) {
                put_record(&batch, batch.count++, &job->records[slot]);
            }
            if (batch.count == CAROM_IMAGE_BATCH) {
                widen_range(&job->space->lattice, &batch, box);
            }
        }
    }
    widen_range(&job->space->lattice, &batch, box);
    box->ranged = !carom_team_stopped(&job->context->team);
    return box->ranged ? CAROM_OK : CAROM_ERROR_CANCELLED;
}

/* The lowest probes that cannot be placed, or UINT64_MAX. */
typedef struct refused {
    uint64_t far;
    uint64_t large;
} refused;

/* Notes the edges that are taken from probes [begin, begin + count); 0 from one that is too far away. */
static void note_wraps(const carom_query_job *job, uint64_t begin, const carom_image_batch *batch, refused *bad) {
    const carom_query_space *space = job->space;
    double number[3][CAROM_IMAGE_BATCH];
    (void)carom_image_batch_wraps(&space->lattice, batch, number);
    for (uint32_t n = 0; n < batch->count; n++) {
        const uint64_t q = begin + n;
        bool far = false;
        for (int a = 0; a < 3; a++) {
            const bool fits = fabs(number[a][n]) <= CAROM_WRAP_MOST;
            far = far || !fits;
            space->wrap[q][a] = fits ? (int32_t)number[a][n] : 0;
        }
        bad->far = far && q < bad->far ? q : bad->far;
        const bool large = !space->self_images && 2.0 * batch->field[6][n] >= space->lattice.shortest;
        bad->large = large && q < bad->large ? q : bad->large;
    }
}

static carom_record record_of(const carom_query_job *job, const carom_image_batch *batch, uint32_t n, uint64_t q) {
    carom_record record = {.radius = batch->field[6][n], .body = job->bodies + q};
    for (int a = 0; a < 3; a++) {
        record.prev[a] = batch->field[a][n];
        record.curr[a] = batch->field[a + 3][n];
    }
    return record;
}

/* Places probes [begin, end), at most a batch. */
static carom_status place_batch(const carom_query_job *job, uint64_t begin, uint64_t end, refused *bad,
                                carom_error *error) {
    const carom_query_space *space = job->space;
    carom_image_batch batch = {.count = (uint32_t)(end - begin)};
    space->probes->load(space->probes->bodies, begin, &batch);
    for (uint32_t n = 0; n < batch.count; n++) {
        const carom_record given = record_of(job, &batch, n, begin + n);
        const carom_status status = carom_query_check_probe(&given, begin + n, error);
        if (status != CAROM_OK) {
            return status;
        }
    }
    fill_up(&batch);
    note_wraps(job, begin, &batch, bad);
    carom_image_batch_move(&space->lattice, (const int32_t(*)[3])space->wrap + begin, &batch);
    for (uint32_t n = 0; n < batch.count; n++) {
        space->placed[begin + n] = record_of(job, &batch, n, begin + n);
    }
    return CAROM_OK;
}

static carom_status place_probes(const carom_query_job *job, refused *bad, carom_error *error) {
    carom_status status = CAROM_OK;
    carom_walk walk = carom_team_walk_alone(&job->context->team, job->probes);
    while (status == CAROM_OK && carom_walk_next(&walk)) {
        for (uint64_t at = walk.begin; at < walk.end && status == CAROM_OK; at += CAROM_IMAGE_BATCH) {
            const uint64_t end = walk.end - at < CAROM_IMAGE_BATCH ? walk.end : at + CAROM_IMAGE_BATCH;
            status = place_batch(job, at, end, bad, error);
        }
    }
    return status == CAROM_OK && carom_team_stopped(&job->context->team) ? CAROM_ERROR_CANCELLED : status;
}

/* As a detection refuses a body. */
static carom_status refuse(const carom_query_job *job, const refused *bad, carom_error *error) {
    const carom_query_space *space = job->space;
    double value[CAROM_BODY_FIELDS];
    if (bad->far != UINT64_MAX) {
        return carom_error_body(error, bad->far, "prev_x",
                                "body %" PRIu64
                                ": to move the body into the periodic box takes more than %g of its edges",
                                bad->far, CAROM_WRAP_MOST);
    }
    if (bad->large == UINT64_MAX) {
        return CAROM_OK;
    }
    space->probes->load_one(space->probes->bodies, bad->large, value);
    return carom_error_body(error, bad->large, "radius",
                            "body %" PRIu64 ": with radius %g it touches its own image, which is %g away; "
                            "periodic.self_images lets bodies meet their own images",
                            bad->large, value[6], space->lattice.shortest);
}

/* Lattice steps by which a probe can be moved so that its range meets that of all bodies. */
typedef struct steps {
    double first[3];
    double last[3];
} steps;

static steps steps_of(const carom_query_job *job, const carom_image_batch *batch, uint32_t n) {
    const carom_context_box *box = &job->context->partition.box;
    steps s = {.first = {0.0}};
    double size[3];
    for (int a = 0; a < 3; a++) {
        size[a] = carom_greater(carom_greater(-batch->low[a][n], batch->high[a][n]),
                                carom_greater(-box->low[a], box->high[a]));
    }
    for (uint32_t b = 0; b < job->space->lattice.dimensions; b++) {
        bool coarse = false;
        const double error = carom_images_widening(&job->space->lattice, b, size, &coarse);
        s.first[b] = ceil(box->lo[b] - error - batch->hi[b][n]);
        s.last[b] = floor(box->hi[b] + error - batch->lo[b][n]);
    }
    return s;
}

/* How many views there are; infinite or NaN if some are too many edges away. */
static double count_views(const carom_lattice *lattice, const steps *s) {
    double views = 1.0;
    bool fits = true;
    for (int b = 0; b < 3; b++) {
        const double side = s->last[b] - s->first[b] + 1.0;
        if (side <= 0.0) {
            return 0.0;
        }
        views *= side;
    }
    for (int a = 0; a < 3; a++) {
        double most = 0.0;
        for (int b = 0; b < 3; b++) {
            most += carom_greater(s->last[b], -s->first[b]) * fabs(lattice->multiple[b][a]);
        }
        fits = fits && most <= CAROM_SHIFT_MOST;
    }
    return fits ? views : (double)INFINITY;
}

/* Batches of probes in the cell, one after another. */
static void load_placed(const carom_query_job *job, uint64_t begin, uint64_t end, carom_image_batch *batch) {
    batch->count = (uint32_t)(end - begin < CAROM_IMAGE_BATCH ? end - begin : CAROM_IMAGE_BATCH);
    for (uint32_t n = 0; n < batch->count; n++) {
        put_record(batch, n, &job->space->placed[begin + n]);
    }
    find_boxes(&job->space->lattice, batch);
}

static carom_status refuse_wide(uint64_t q, carom_error *error) {
    return carom_error_body(error, q, "radius",
                            "body %" PRIu64 ": it is so large or so fast that its images are too many or more than %g "
                            "edges away",
                            q, CAROM_SHIFT_MOST);
}

/* Where each probe's views begin. They have numbers of 32 bits. */
static carom_status count_all(const carom_query_job *job, carom_error *error) {
    carom_image_batch batch;
    uint64_t sum = 0;
    carom_walk walk = carom_team_walk_alone(&job->context->team, job->probes);
    while (carom_walk_next(&walk)) {
        for (uint64_t at = walk.begin; at < walk.end; at += CAROM_IMAGE_BATCH) {
            load_placed(job, at, walk.end, &batch);
            for (uint32_t n = 0; n < batch.count; n++) {
                const steps s = steps_of(job, &batch, n);
                const double views = count_views(&job->space->lattice, &s);
                if (!(views + (double)sum <= (double)CAROM_BODIES_MAX)) {
                    return refuse_wide(at + n, error);
                }
                job->space->first[at + n] = sum;
                sum += (uint64_t)views;
            }
        }
    }
    job->space->first[job->probes] = sum;
    return carom_team_stopped(&job->context->team) ? CAROM_ERROR_CANCELLED : CAROM_OK;
}

static bool comes_before(const carom_query_view *a, const carom_query_view *b) {
    for (int e = 0; e < 3; e++) {
        if (a->shift[e] != b->shift[e]) {
            return a->shift[e] < b->shift[e];
        }
    }
    return false;
}

/* Lets the view at `at` sink in a heap of `count`. */
static void sink(carom_query_view *view, uint64_t at, uint64_t count) {
    const carom_query_view moved = view[at];
    for (uint64_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        child += child + 1 < count && comes_before(&view[child], &view[child + 1]);
        if (!comes_before(&moved, &view[child])) {
            break;
        }
        view[at] = view[child];
        at = child;
    }
    view[at] = moved;
}

/* Heapsort; where the caller's edges are the reduced ones, views are in order already. */
static void sort_views(carom_query_view *view, uint64_t count) {
    bool sorted = true;
    for (uint64_t n = 1; n < count && sorted; n++) {
        sorted = comes_before(&view[n - 1], &view[n]);
    }
    for (uint64_t n = count / 2; n > 0 && !sorted; n--) {
        sink(view, n - 1, count);
    }
    for (uint64_t n = count; n > 1 && !sorted; n--) {
        const carom_query_view last = view[n - 1];
        view[n - 1] = view[0];
        view[0] = last;
        sink(view, 0, n - 1);
    }
}

static carom_query_view view_at(const carom_lattice *lattice, uint64_t probe, const double reduced[3]) {
    const double lead = reduced[0] != 0.0 ? reduced[0] : reduced[1] != 0.0 ? reduced[1] : reduced[2];
    carom_query_view view = {.probe = (uint32_t)probe, .turned = lead < 0.0};
    double number[3];
    carom_lattice_numbers(lattice, reduced, number);
    for (int a = 0; a < 3; a++) {
        view.shift[a] = (int32_t)number[a];
    }
    return view;
}

static void list_views(const carom_query_job *job, uint64_t q, const steps *s) {
    const carom_query_space *space = job->space;
    uint64_t at = space->first[q];
    if (at == space->first[q + 1]) {
        return; /* there may be no array at all */
    }
    for (double x = s->first[0]; x <= s->last[0] && at < space->first[q + 1]; x++) {
        for (double y = s->first[1]; y <= s->last[1]; y++) {
            for (double z = s->first[2]; z <= s->last[2]; z++) {
                space->view[at++] = view_at(&space->lattice, q, (double[3]){x, y, z});
            }
        }
    }
    CAROM_ASSERT(at == space->first[q + 1]);
    sort_views(space->view + space->first[q], space->first[q + 1] - space->first[q]);
}

/* The probe at each view, as a detection makes its images. */
static void place_views(const carom_query_job *job, uint64_t q) {
    const carom_query_space *space = job->space;
    for (uint64_t v = space->first[q]; v < space->first[q + 1]; v++) {
        const int32_t *shift = space->view[v].shift;
        double by[3];
        job->own[v] = space->placed[q];
        if (shift[0] == 0 && shift[1] == 0 && shift[2] == 0) {
            continue;
        }
        carom_lattice_displacement(&space->lattice, (double[3]){shift[0], shift[1], shift[2]}, by);
        for (int a = 0; a < 3; a++) {
            job->own[v].prev[a] += by[a];
            job->own[v].curr[a] += by[a];
        }
    }
}

static carom_status write_all(const carom_query_job *job) {
    carom_image_batch batch;
    carom_walk walk = carom_team_walk_alone(&job->context->team, job->probes);
    walk.step = CAROM_IMAGE_BATCH;
    while (carom_walk_next(&walk)) {
        load_placed(job, walk.begin, walk.end, &batch);
        for (uint32_t n = 0; n < batch.count; n++) {
            const steps s = steps_of(job, &batch, n);
            list_views(job, walk.begin + n, &s);
            place_views(job, walk.begin + n);
        }
    }
    return carom_team_stopped(&job->context->team) ? CAROM_ERROR_CANCELLED : CAROM_OK;
}

static carom_status reserve_probes(const carom_query_job *job, uint64_t *required) {
    carom_query_space *space = job->space;
    const carom_work_need need[] = {
        {CAROM_WORK_QUERY_PLACED, job->probes * sizeof *space->placed},
        {CAROM_WORK_QUERY_WRAP, job->probes * sizeof *space->wrap},
        {CAROM_WORK_QUERY_FIRST_VIEW, (job->probes + 1) * sizeof *space->first},
    };
    const carom_status status = carom_context_reserve(job->context, need, sizeof need / sizeof need[0], required);
    space->placed = carom_context_work(job->context, CAROM_WORK_QUERY_PLACED);
    space->wrap = carom_context_work(job->context, CAROM_WORK_QUERY_WRAP);
    space->first = carom_context_work(job->context, CAROM_WORK_QUERY_FIRST_VIEW);
    return status;
}

static carom_status reserve_views(carom_query_job *job, uint64_t *required) {
    carom_query_space *space = job->space;
    const uint64_t views = space->first[job->probes];
    const carom_work_need need[] = {
        {CAROM_WORK_QUERY_VIEW, views * sizeof *space->view},
        {CAROM_WORK_QUERY_RECORD, (views + CAROM_SIMD_PAD) * sizeof *job->own},
    };
    const carom_status status = carom_context_reserve(job->context, need, sizeof need / sizeof need[0], required);
    space->view = carom_context_work(job->context, CAROM_WORK_QUERY_VIEW);
    job->own = carom_context_work(job->context, CAROM_WORK_QUERY_RECORD);
    return status;
}

carom_status carom_views_take(carom_query_job *job, uint64_t *required, carom_error *error) {
    refused bad = {UINT64_MAX, UINT64_MAX};
    carom_status status = reserve_probes(job, required);
    if (status == CAROM_OK) {
        status = place_probes(job, &bad, error);
    }
    if (status == CAROM_OK) {
        status = refuse(job, &bad, error);
    }
    if (status == CAROM_OK && !job->context->partition.box.ranged) {
        status = find_range(job);
    }
    if (status == CAROM_OK) {
        status = count_all(job, error);
    }
    if (status == CAROM_OK) {
        status = reserve_views(job, required);
    }
    return status == CAROM_OK ? write_all(job) : status;
}

/* By how much a box is widened along an axis along which the view is `by` away from the probe in the cell. */
static double margin_of(const carom_query_job *job, int a, double by, const carom_slot_box *box) {
    const carom_context_partition *partition = &job->context->partition;
    const double low = partition->box.low[a];
    const double high = partition->box.high[a];
    const double centre = partition->centre[a];
    const double own = fabs((double)box->lo[a]) + fabs((double)box->hi[a]) + fabs(by);
    const double near = own + fabs(low - centre) + fabs(high - centre);
    const double all = near + fabs(centre) + fabs(low) + fabs(high);
    return FLOAT_ERROR * near + DOUBLE_ERROR * all + (double)FLT_MIN;
}

void carom_views_box(const carom_query_job *job, uint64_t v, carom_slot_box *box) {
    const carom_query_view *view = &job->space->view[v];
    const carom_record *placed = &job->space->placed[view->probe];
    carom_kernels_of(job->context->simd)->slot_boxes(job->own + v, 0, 1, job->context->partition.centre, box);
    for (int a = 0; a < 3 && view->turned; a++) {
        const double by = job->own[v].prev[a] - placed->prev[a];
        const double margin = margin_of(job, a, by, box);
        box->lo[a] = nextafterf((float)((double)box->lo[a] - margin), -INFINITY);
        box->hi[a] = nextafterf((float)((double)box->hi[a] + margin), INFINITY);
    }
}
