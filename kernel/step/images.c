/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/step/images.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kernel/sys/error.h"

/* Boxes an image may be away from its body; see CAROM_WRAP_MOST. */
static const double SHIFT_MOST = 1e8;
/* The range of all boxes is widened by this share of the numbers that ranges are computed from: some thirty times the
 * rounding error. Too wide costs an image, too narrow a contact. */
static const double RANGE_ERROR = 0x1p-48;
/* Bytes between two fields beyond whole pages, so that they do not share L1 sets. */
enum { PAGE = 4096, STAGGER = 9 * CAROM_CACHE_LINE };

typedef struct image_worker {
    _Alignas(CAROM_CACHE_LINE) double lo[3]; /* range of all boxes */
    double hi[3];
    double low[3]; /* the same in the caller's axes */
    double high[3];
    double guess[3]; /* see guess_reach */
    bool wraps;      /* some body is not in the cell */
    double images;   /* a double holds any number of them exactly that could be stored */
    double layers[3];
    double widest;
    uint64_t widest_body;
    uint64_t first_bad; /* the first body with a value that is no number, or UINT64_MAX; and so on */
    uint64_t first_far;
    uint64_t first_large;
    uint64_t candidates; /* bodies with images */
    uint64_t first_image;
} image_worker;

typedef struct image_job {
    const carom_team *team;
    const carom_image_source *source;
    carom_images *images;
    image_worker *workers;
    int32_t (*wrap)[3];
    uint32_t *candidate; /* each worker's from the beginning of its bodies on */
    double *field[CAROM_BODY_FIELDS];
    carom_image *image;
    double lo[3];
    double hi[3];
} image_job;

static double lesser(double a, double b) {
    return a < b ? a : b;
}

static double greater(double a, double b) {
    return a > b ? a : b;
}

/* What is left of a last block is filled with its first body, so that loops over whole blocks find nothing new. */
static void load_block(const image_job *job, uint64_t begin, uint64_t end, carom_image_block *block) {
    uint64_t left = end - begin;
    block->count = left < CAROM_IMAGE_BLOCK ? (uint32_t)left : CAROM_IMAGE_BLOCK;
    job->source->load(job->source->bodies, begin, block);
    for (uint32_t n = block->count; n < CAROM_IMAGE_BLOCK; n++) {
        for (int f = 0; f < CAROM_BODY_FIELDS; f++) {
            block->field[f][n] = block->field[f][0];
        }
    }
}

static void read_body(const image_job *job, uint64_t body, double value[CAROM_BODY_FIELDS]) {
    carom_image_block block;
    block.count = 1;
    job->source->load(job->source->bodies, body, &block);
    for (int f = 0; f < CAROM_BODY_FIELDS; f++) {
        value[f] = block.field[f][0];
    }
}

static void note_first(uint64_t *first, bool holds, uint64_t body) {
    *first = holds && body < *first ? body : *first;
}

/* Whether a body of the block will not do: mostly none. */
static bool needs_attention(const carom_lattice *lattice, const carom_image_block *block) {
    uint32_t found = 0;
    for (uint32_t n = 0; n < CAROM_IMAGE_BLOCK; n++) {
        double zero = 0.0;
        for (int f = 0; f < CAROM_BODY_FIELDS; f++) {
            zero += block->field[f][n] - block->field[f][n];
        }
        double radius = block->field[6][n];
        found |= (uint32_t)(zero != 0.0) | (uint32_t)(radius < 0.0) | (uint32_t)(2.0 * radius >= lattice->shortest);
    }
    return found != 0;
}

static bool is_bad(const carom_image_block *block, uint32_t n) {
    bool bad = block->field[6][n] < 0.0;
    for (int f = 0; f < CAROM_BODY_FIELDS; f++) {
        bad |= !isfinite(block->field[f][n]);
    }
    return bad;
}

/* Keeps the wraps of a block, and its bodies that will not do. */
static void attend_to_block(const image_job *job, image_worker *worker, uint64_t begin, const carom_image_block *block,
                            double number[3][CAROM_IMAGE_BLOCK]) {
    for (uint32_t n = 0; n < block->count; n++) {
        bool far = false;
        for (int a = 0; a < 3; a++) {
            bool fits = fabs(number[a][n]) <= CAROM_WRAP_MOST;
            far |= !fits;
            worker->wraps |= number[a][n] != 0.0;
            job->wrap[begin + n][a] = fits ? (int32_t)number[a][n] : 0;
        }
        note_first(&worker->first_bad, is_bad(block, n), begin + n);
        note_first(&worker->first_far, far, begin + n);
        note_first(&worker->first_large, 2.0 * block->field[6][n] >= job->images->lattice.shortest, begin + n);
    }
}

/* Wraps are only written from the first block on that has one; those before are zero. */
static void inspect_block(const image_job *job, image_worker *worker, uint64_t begin, uint64_t at,
                          carom_image_block *block) {
    const carom_lattice *lattice = &job->images->lattice;
    double number[3][CAROM_IMAGE_BLOCK];
    bool outside = carom_image_block_wraps(lattice, block, number);
    bool wrapped = worker->wraps;
    if (!wrapped && !outside && !needs_attention(lattice, block)) {
        return;
    }
    attend_to_block(job, worker, at, block, number);
    if (worker->wraps && !wrapped) {
        memset(job->wrap + begin, 0, (at - begin) * sizeof *job->wrap);
    }
    if (worker->wraps) {
        carom_image_block_move(lattice, (const int32_t(*)[3])job->wrap + at, block);
    }
}

static void widen_region(const carom_lattice *lattice, image_worker *worker, const carom_image_block *block) {
    for (int j = 0; j < 3; j++) {
        carom_image_block_least(block->low[j], &worker->low[j]);
        carom_image_block_greatest(block->high[j], &worker->high[j]);
    }
    for (uint32_t b = 0; b < lattice->dimensions; b++) {
        carom_image_block_least(block->lo[b], &worker->lo[b]);
        carom_image_block_greatest(block->hi[b], &worker->hi[b]);
    }
}

/* Appends the bodies of a block, `at` and on, whose boxes come within a step of `hi`: only they can have images, for
 * some step of a body that has any is positive. */
static void list_candidates(const image_job *job, image_worker *worker, const carom_image_block *block,
                            const double hi[3], uint64_t begin, uint64_t at) {
    double reach[CAROM_IMAGE_BLOCK];
    for (int n = 0; n < CAROM_IMAGE_BLOCK; n++) {
        reach[n] = greater(hi[0] - block->lo[0][n], hi[1] - block->lo[1][n]);
        reach[n] = greater(hi[2] - block->lo[2][n], reach[n]);
    }
    for (uint32_t n = 0; n < block->count; n++) {
        job->candidate[begin + worker->candidates] = (uint32_t)(at + n);
        worker->candidates += reach[n] >= 1.0;
    }
}

/* How far boxes may reach, by those of the worker's first bodies: if the guess holds, its list of candidates will do.
 */
static void guess_reach(image_worker *worker, const carom_lattice *lattice, const carom_image_block *block) {
    for (uint32_t b = 0; b < lattice->dimensions; b++) {
        double size = 0.0;
        for (uint32_t n = 0; n < block->count; n++) {
            size = greater(block->hi[b][n] - block->lo[b][n], size);
        }
        worker->guess[b] = 1.0 + 2.0 * size;
    }
}

static void start_worker(image_worker *worker) {
    *worker = (image_worker){.lo = {INFINITY, INFINITY, INFINITY},
                             .hi = {-INFINITY, -INFINITY, -INFINITY},
                             .low = {INFINITY, INFINITY, INFINITY},
                             .high = {-INFINITY, -INFINITY, -INFINITY},
                             .first_bad = UINT64_MAX,
                             .first_far = UINT64_MAX,
                             .first_large = UINT64_MAX};
}

/* First pass: wraps, errors, how far the owned boxes reach, and which bodies may have images. */
static void inspect_bodies(void *data, uint32_t w) {
    const image_job *job = data;
    const carom_lattice *lattice = &job->images->lattice;
    image_worker *worker = &job->workers[w];
    start_worker(worker);
    uint64_t begin;
    uint64_t end;
    carom_image_block block = {0};
    carom_team_range(job->team, w, job->source->count, CAROM_IMAGE_BLOCK, &begin, &end);
    for (uint64_t at = begin; at < end; at += CAROM_IMAGE_BLOCK) {
        load_block(job, at, end, &block);
        inspect_block(job, worker, begin, at, &block);
        carom_image_block_boxes(&block);
        carom_image_block_lows(lattice, &block);
        carom_image_block_highs(lattice, &block);
        widen_region(lattice, worker, &block);
        if (at == begin) {
            guess_reach(worker, lattice, &block);
        }
        list_candidates(job, worker, &block, worker->guess, begin, at);
    }
}

/* Bodies from `at` on, in the cell. */
static void load_owned(const image_job *job, uint64_t at, uint64_t end, carom_image_block *block) {
    load_block(job, at, end, block);
    if (job->images->wrap != NULL) {
        carom_image_block_move(&job->images->lattice, job->images->wrap + at, block);
    }
}

/* Where the guess was wrong: the candidates once more. */
static void list_again(const image_job *job, image_worker *worker, uint64_t begin, uint64_t end) {
    carom_image_block block = {0};
    worker->candidates = 0;
    for (uint64_t at = begin; at < end; at += CAROM_IMAGE_BLOCK) {
        load_owned(job, at, end, &block);
        carom_image_block_boxes(&block);
        carom_image_block_lows(&job->images->lattice, &block);
        list_candidates(job, worker, &block, job->hi, begin, at);
    }
}

/* The next of a worker's candidates from its place c on, and their ranges. */
static void load_candidates(const image_job *job, const image_worker *worker, uint64_t begin, uint64_t c,
                            carom_image_block *block, uint32_t body[CAROM_IMAGE_BLOCK]) {
    const carom_images *images = job->images;
    uint64_t left = worker->candidates - c;
    int32_t wrap[CAROM_IMAGE_BLOCK][3];
    block->count = left < CAROM_IMAGE_BLOCK ? (uint32_t)left : CAROM_IMAGE_BLOCK;
    for (uint32_t n = 0; n < block->count; n++) {
        double value[CAROM_BODY_FIELDS];
        body[n] = job->candidate[begin + c + n];
        read_body(job, body[n], value);
        for (int f = 0; f < CAROM_BODY_FIELDS; f++) {
            block->field[f][n] = value[f];
        }
        for (int a = 0; a < 3; a++) {
            wrap[n][a] = carom_images_wrap(images, body[n], a);
        }
    }
    if (images->wrap != NULL) {
        carom_image_block_move(&images->lattice, (const int32_t(*)[3])wrap, block);
    }
    carom_image_block_boxes(block);
    carom_image_block_lows(&images->lattice, block);
    carom_image_block_highs(&images->lattice, block);
}

/* Lattice steps by which the body's range still meets that of all. */
typedef struct steps {
    double first[3];
    double last[3];
} steps;

static steps steps_of(const image_job *job, const carom_image_block *block, uint32_t n) {
    steps s;
    for (int b = 0; b < 3; b++) {
        s.first[b] = ceil(job->lo[b] - block->hi[b][n]);
        s.last[b] = floor(job->hi[b] - block->lo[b][n]);
    }
    return s;
}

static void count_images(const image_job *job, image_worker *worker, const carom_image_block *block, uint32_t n,
                         uint64_t body) {
    steps s = steps_of(job, block, n);
    double side[3];
    double width = 0.0;
    for (int b = 0; b < 3; b++) {
        side[b] = s.last[b] - s.first[b] + 1.0;
        width = greater(block->hi[b][n] - block->lo[b][n], width);
    }
    double images = (s.last[0] * side[1] + s.last[1]) * side[2] + s.last[2];
    worker->images += images;
    for (int b = 0; b < 3 && images > 0.0; b++) {
        worker->layers[b] = greater(greater(s.last[b], -s.first[b]), worker->layers[b]);
    }
    if (images > 0.0 && width > worker->widest) {
        worker->widest = width;
        worker->widest_body = body;
    }
}

/* Second pass: how many images the candidates have. */
static void count_candidates(void *data, uint32_t w) {
    const image_job *job = data;
    image_worker *worker = &job->workers[w];
    bool guessed = true;
    uint64_t begin;
    uint64_t end;
    carom_image_block block = {0};
    uint32_t body[CAROM_IMAGE_BLOCK];
    carom_team_range(job->team, w, job->source->count, CAROM_IMAGE_BLOCK, &begin, &end);
    for (uint32_t b = 0; b < job->images->lattice.dimensions; b++) {
        guessed &= job->hi[b] <= worker->guess[b];
    }
    if (!guessed) {
        list_again(job, worker, begin, end);
    }
    for (uint64_t c = 0; c < worker->candidates; c += block.count) {
        load_candidates(job, worker, begin, c, &block, body);
        for (uint32_t n = 0; n < block.count; n++) {
            count_images(job, worker, &block, n, body[n]);
        }
    }
}

static void put_image(const image_job *job, uint64_t place, const carom_image_block *block, uint32_t n, uint32_t owner,
                      const double reduced[3]) {
    double number[3];
    double by[3];
    carom_lattice_numbers(&job->images->lattice, reduced, number);
    carom_lattice_displacement(&job->images->lattice, number, by);
    uint64_t body = job->images->owned + place;
    for (int j = 0; j < 3; j++) {
        job->field[j][body] = block->field[j][n] + by[j];
        job->field[j + 3][body] = block->field[j + 3][n] + by[j];
    }
    job->field[6][body] = block->field[6][n];
    job->image[place] = (carom_image){owner, {(int32_t)number[0], (int32_t)number[1], (int32_t)number[2]}};
}

/* All steps of the body's that are lexicographically positive, as many as were counted. */
static uint64_t put_images(const image_job *job, uint64_t place, const carom_image_block *block, uint32_t n,
                           uint32_t owner) {
    steps s = steps_of(job, block, n);
    for (double x = 0.0; x <= s.last[0]; x++) {
        for (double y = x > 0.0 ? s.first[1] : 0.0; y <= s.last[1]; y++) {
            for (double z = x > 0.0 || y > 0.0 ? s.first[2] : 1.0; z <= s.last[2]; z++) {
                put_image(job, place++, block, n, owner, (double[3]){x, y, z});
            }
        }
    }
    return place;
}

static void put_owned(const image_job *job, uint64_t begin, uint64_t end) {
    carom_image_block block = {0};
    for (uint64_t at = begin; at < end; at += CAROM_IMAGE_BLOCK) {
        load_owned(job, at, end, &block);
        for (int f = 0; f < CAROM_BODY_FIELDS; f++) {
            memcpy(job->field[f] + at, block.field[f], block.count * sizeof(double));
        }
    }
}

/* Third pass: each worker's own bodies, then their images. */
static void put_bodies(void *data, uint32_t w) {
    const image_job *job = data;
    const image_worker *worker = &job->workers[w];
    uint64_t begin;
    uint64_t end;
    carom_team_range(job->team, w, job->source->count, CAROM_IMAGE_BLOCK, &begin, &end);
    put_owned(job, begin, end);
    uint64_t place = worker->first_image;
    carom_image_block block = {0};
    uint32_t body[CAROM_IMAGE_BLOCK];
    for (uint64_t c = 0; c < worker->candidates; c += block.count) {
        load_candidates(job, worker, begin, c, &block, body);
        for (uint32_t n = 0; n < block.count; n++) {
            place = put_images(job, place, &block, n, body[n]);
        }
    }
}

static carom_status refuse_far(const image_job *job, uint64_t body, carom_error *error) {
    static const char *const names[3] = {"prev_x", "prev_y", "prev_z"};
    double value[CAROM_BODY_FIELDS];
    read_body(job, body, value);
    int axis = fabs(value[1]) > fabs(value[0]) ? 1 : 0;
    axis = fabs(value[2]) > fabs(value[axis]) ? 2 : axis;
    return carom_error_body(error, body, names[axis],
                            "body %" PRIu64 ": %s is %g, more than %g periodic boxes from the origin", body,
                            names[axis], value[axis], CAROM_WRAP_MOST);
}

static carom_status refuse_large(const image_job *job, uint64_t body, carom_error *error) {
    double value[CAROM_BODY_FIELDS];
    read_body(job, body, value);
    return carom_error_body(error, body, "radius",
                            "body %" PRIu64 ": with radius %g it touches its own image, which is %g away", body,
                            value[6], job->images->lattice.shortest);
}

static carom_status refuse_fast(const image_job *job, uint64_t body, double images, carom_error *error) {
    static const char *const names[3] = {"curr_x", "curr_y", "curr_z"};
    double value[CAROM_BODY_FIELDS];
    double motion[3];
    read_body(job, body, value);
    for (int j = 0; j < 3; j++) {
        motion[j] = fabs(value[j + 3] - value[j]);
    }
    int axis = motion[1] > motion[0] ? 1 : 0;
    axis = motion[2] > motion[axis] ? 2 : axis;
    return carom_error_body(error, body, names[axis],
                            "body %" PRIu64 ": %s is %g away from the start, across so many boxes that %.3g images "
                            "would be needed",
                            body, names[axis], motion[axis], images);
}

/* The lowest body that will not do; not a number comes before all else, but is left for the survey. */
static carom_status judge_bodies(const image_job *job, bool *bad, carom_error *error) {
    image_worker all = job->workers[0];
    for (uint32_t w = 1; w < job->team->workers; w++) {
        const image_worker *one = &job->workers[w];
        note_first(&all.first_bad, true, one->first_bad);
        note_first(&all.first_far, true, one->first_far);
        note_first(&all.first_large, true, one->first_large);
    }
    *bad = all.first_bad != UINT64_MAX;
    if (*bad) {
        return CAROM_OK;
    }
    if (all.first_far != UINT64_MAX) {
        return refuse_far(job, all.first_far, error);
    }
    return all.first_large != UINT64_MAX ? refuse_large(job, all.first_large, error) : CAROM_OK;
}

/* What rounding can do to positions and steps in the lattice, by the greatest numbers they are made of. Along axes
 * where space is open no steps are made. */
static double range_error(const carom_lattice *lattice, uint32_t b, const double size[3]) {
    double sum = 1.0;
    for (int j = 0; j < 3; j++) {
        sum += fabs(lattice->dual[b][j]) * size[j];
        for (uint32_t c = 0; c < lattice->dimensions; c++) {
            sum += fabs(lattice->dual[b][j] * lattice->edge[c][j]);
        }
    }
    return RANGE_ERROR * sum;
}

/* The range of all owned boxes, widened by what rounding may have done to it and to a box held against it. */
static void merge_regions(image_job *job) {
    double size[3] = {0.0, 0.0, 0.0};
    for (int b = 0; b < 3; b++) {
        job->lo[b] = (uint32_t)b < job->images->lattice.dimensions ? INFINITY : 0.0;
        job->hi[b] = 0.0 - job->lo[b];
        for (uint32_t w = 0; w < job->team->workers; w++) {
            job->lo[b] = lesser(job->workers[w].lo[b], job->lo[b]);
            job->hi[b] = greater(job->workers[w].hi[b], job->hi[b]);
            size[b] = greater(greater(-job->workers[w].low[b], job->workers[w].high[b]), size[b]);
        }
    }
    for (uint32_t b = 0; b < job->images->lattice.dimensions; b++) {
        double error = range_error(&job->images->lattice, b, size);
        job->lo[b] -= error;
        job->hi[b] += error;
    }
}

/* Which bodies were wrapped; NULL if none. Workers that found none have written none. */
static void merge_wraps(image_job *job) {
    bool any = false;
    for (uint32_t w = 0; w < job->team->workers; w++) {
        any |= job->workers[w].wraps;
    }
    for (uint32_t w = 0; w < job->team->workers && any; w++) {
        uint64_t begin;
        uint64_t end;
        carom_team_range(job->team, w, job->source->count, CAROM_IMAGE_BLOCK, &begin, &end);
        if (!job->workers[w].wraps) {
            memset(job->wrap + begin, 0, (end - begin) * sizeof *job->wrap);
        }
    }
    job->images->wrap = any ? (const int32_t(*)[3])job->wrap : NULL;
}

/* Places of each worker's images, and how far images are. */
static carom_status place_images(image_job *job, carom_error *error) {
    const carom_lattice *lattice = &job->images->lattice;
    image_worker widest = {.widest = -1.0};
    double images = 0.0;
    double layers[3] = {0.0, 0.0, 0.0};
    for (uint32_t w = 0; w < job->team->workers; w++) {
        const image_worker *worker = &job->workers[w];
        job->workers[w].first_image = images < (double)CAROM_BODIES_MAX ? (uint64_t)images : 0;
        images += worker->images;
        widest = worker->widest > widest.widest ? *worker : widest;
        for (int b = 0; b < 3; b++) {
            layers[b] = greater(worker->layers[b], layers[b]);
        }
    }
    bool fits = images + (double)job->source->count <= (double)CAROM_BODIES_MAX;
    double most[3] = {0.0, 0.0, 0.0};
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            most[a] += layers[b] * fabs(lattice->multiple[b][a]);
        }
        fits = fits && most[a] <= SHIFT_MOST;
        job->images->most[a] = fits ? (int32_t)most[a] : 0;
    }
    if (!fits) {
        return refuse_fast(job, widest.widest_body, images, error);
    }
    job->images->count = (uint64_t)images;
    return CAROM_OK;
}

static carom_status reserve_survey(carom_context *context, image_job *job, uint64_t *required) {
    uint64_t count = job->source->count;
    carom_work_need need[] = {
        {CAROM_WORK_IMAGE_WORKERS, context->team.workers * sizeof(image_worker)},
        {CAROM_WORK_IMAGE_WRAP, count * sizeof *job->wrap},
        {CAROM_WORK_IMAGE_CANDIDATE, count * sizeof *job->candidate},
    };
    carom_status status = carom_context_reserve(context, need, sizeof need / sizeof need[0], required);
    job->workers = carom_context_work(context, CAROM_WORK_IMAGE_WORKERS);
    job->wrap = carom_context_work(context, CAROM_WORK_IMAGE_WRAP);
    job->candidate = carom_context_work(context, CAROM_WORK_IMAGE_CANDIDATE);
    return status;
}

static carom_status reserve_bodies(carom_context *context, image_job *job, uint64_t *required) {
    carom_images *images = job->images;
    uint64_t count = images->owned + images->count;
    uint64_t stride = (count * sizeof(double) + PAGE - 1) / PAGE * PAGE + STAGGER;
    carom_work_need need[] = {
        {CAROM_WORK_IMAGE_FIELDS, CAROM_BODY_FIELDS * stride},
        {CAROM_WORK_IMAGE, images->count * sizeof(carom_image)},
    };
    carom_status status = carom_context_reserve(context, need, sizeof need / sizeof need[0], required);
    if (status != CAROM_OK) {
        return status;
    }
    char *block = carom_context_work(context, CAROM_WORK_IMAGE_FIELDS);
    for (uint64_t f = 0; f < CAROM_BODY_FIELDS; f++) {
        job->field[f] = (double *)(void *)(block + f * stride);
    }
    job->image = carom_context_work(context, CAROM_WORK_IMAGE);
    images->image = job->image;
    images->bodies = (carom_bodies_f64){.count = count,
                                        .prev = {job->field[0], job->field[1], job->field[2]},
                                        .curr = {job->field[3], job->field[4], job->field[5]},
                                        .radius = job->field[6]};
    return CAROM_OK;
}

carom_status carom_images_make(carom_context *context, const carom_image_source *source, carom_images *images,
                               uint64_t *required, carom_error *error) {
    image_job job = {.team = &context->team, .source = source, .images = images};
    bool bad = false;
    images->owned = source->count;
    images->count = 0;
    images->wrap = NULL;
    carom_status status = reserve_survey(context, &job, required);
    if (status == CAROM_OK) {
        carom_team_run(job.team, inspect_bodies, &job);
        status = judge_bodies(&job, &bad, error);
    }
    for (uint32_t w = 0; w < job.team->workers && bad; w++) {
        job.workers[w].candidates = 0;
    }
    if (status == CAROM_OK && !bad) {
        merge_wraps(&job);
        merge_regions(&job);
        carom_team_run(job.team, count_candidates, &job);
        status = place_images(&job, error);
    }
    if (status == CAROM_OK) {
        status = reserve_bodies(context, &job, required);
    }
    if (status == CAROM_OK) {
        carom_team_run(job.team, put_bodies, &job);
    }
    return status;
}
