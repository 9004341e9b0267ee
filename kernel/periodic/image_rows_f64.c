/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/periodic/image_rows.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/periodic/image_pair.h"
#include "kernel/store/row_table_tmpl.h"
#include "simd/ref/contact_scaled.h"

enum { GRAIN = 1024 };

/* The arrays of all rows of a table. */
static carom_contacts_f64 view_of(const carom_image_rows *rows) {
    return carom_row_table_view(rows->shape, rows->block, rows->capacity, 0);
}

static carom_record_f64 record_of(const carom_bodies_f64 *bodies, uint32_t body) {
    carom_record_f64 record = {.radius = bodies->radius[body]};
    for (int a = 0; a < 3; a++) {
        record.prev[a] = bodies->prev[a][body];
        record.curr[a] = bodies->curr[a][body];
    }
    return record;
}

/* Whether the centres of two bodies coincide at time t, in the steps in which the contact was found. */
static bool centres_coincide(const carom_record_f64 *i, const carom_record_f64 *k, double t) {
    const scaled_approach x = scaled_approach_of(i, k);
    scaled at[3];
    return !(scaled_approach_at(&x, scaled_of(t), at).mantissa > 0.0);
}

/* The normal of the pair seen from its other body. Where centres coincide it is (1, 0, 0) from either; then the point,
 * which is in the middle between the surfaces along the normal, is another. */
void carom_image_rows_turn(const carom_record_f64 *i, const carom_record_f64 *k, const carom_contacts_f64 *rows,
                           uint64_t n) {
    if (rows->normal[0][n] == 1.0 && centres_coincide(i, k, rows->t_toi[n])) {
        rows->point[0][n] += i->radius - k->radius;
        return;
    }
    for (int a = 0; a < 3; a++) {
        rows->normal[a][n] = 0.0 - rows->normal[a][n];
    }
}

void carom_image_rows_move_point(const carom_lattice *lattice, const double number[3], const carom_contacts_f64 *rows,
                                 uint64_t n) {
    double by[3] = {0.0, 0.0, 0.0};
    if (number[0] != 0.0 || number[1] != 0.0 || number[2] != 0.0) {
        carom_lattice_displacement(lattice, number, by);
    }
    for (int a = 0; a < 3; a++) {
        rows->point[a][n] += by[a];
    }
}

static void turn_contact(const carom_images *images, const carom_contacts_f64 *view, uint64_t n) {
    const carom_record_f64 i = record_of(&images->bodies, view->i[n]);
    const carom_record_f64 k = record_of(&images->bodies, view->k[n]);
    carom_image_rows_turn(&i, &k, view, n);
}

/* Contacts of bodies with shapes are there as the caller has the bodies. */
static void map_row(const carom_images *images, const carom_contacts_f64 *view, uint64_t n) {
    const carom_image_pair pair = carom_image_pair_of(images, view->i[n], view->k[n]);
    if (!images->shaped && view->t_toi != NULL && !isnan(view->t_toi[n])) {
        carom_image_rows_move_point(&images->lattice, pair.frame, view, n);
        if (pair.turned) {
            turn_contact(images, view, n);
        }
    }
    for (int a = 0; a < 3; a++) {
        view->shift[a][n] = pair.shift[a];
    }
    view->i[n] = pair.i;
    view->k[n] = pair.k;
}

/* Rows [begin, end); each by itself, so workers share nothing. */
static void map_range(const carom_images *images, const carom_image_rows *rows, uint64_t begin, uint64_t end) {
    CAROM_ASSERT(begin <= end && end <= rows->count && rows->count <= rows->capacity);
    carom_contacts_f64 view = view_of(rows);
    for (uint64_t n = begin; n < end; n++) {
        map_row(images, &view, n);
    }
}

static void narrow_field(const double *from, uint64_t count, float *to) {
    for (uint64_t n = 0; n < count; n++) {
        to[n] = (float)from[n];
    }
}

/* A time of impact must not become later, and is 0 below the normal range. A row without one has NaN, and keeps it. */
static void narrow_times(const double *from, uint64_t count, float *to) {
    for (uint64_t n = 0; n < count; n++) {
        float rounded = (float)from[n];
        float early = (double)rounded > from[n] ? nextafterf(rounded, 0.0F) : rounded;
        to[n] = from[n] < (double)FLT_MIN ? 0.0F : early;
    }
}

static void narrow_range(const carom_image_rows *from, const carom_image_rows *to, uint64_t begin, uint64_t end) {
    CAROM_ASSERT(begin <= end && end <= from->count && end <= to->capacity);
    for (uint32_t f = 0; f < CAROM_FIELDS_ALL && begin < end; f++) {
        const void *wide = carom_row_table_field(from->shape, from->block, from->capacity, f, begin);
        void *narrow = carom_row_table_field(to->shape, to->block, to->capacity, f, begin);
        if (wide != NULL && carom_row_table_field_size(from->shape, f) == sizeof(uint32_t)) {
            memcpy(narrow, wide, (end - begin) * sizeof(uint32_t));
        } else if (wide != NULL && f == CAROM_TIME_FIELD) {
            narrow_times(wide, end - begin, narrow);
        } else if (wide != NULL) {
            narrow_field(wide, end - begin, narrow);
        }
    }
}

typedef struct row_job {
    const carom_team *team;
    const carom_images *images;
    const carom_image_rows *rows;
    const carom_image_rows *to;
} row_job;

static void map_rows(void *data, uint32_t worker) {
    const row_job *job = data;
    carom_walk walk = carom_team_walk(job->team, worker, job->rows->count, GRAIN);
    while (carom_walk_next(&walk)) {
        map_range(job->images, job->rows, walk.begin, walk.end);
    }
}

void carom_image_rows_map(const carom_team *team, const carom_images *images, const carom_image_rows *rows) {
    row_job job = {.team = team, .images = images, .rows = rows};
    carom_team_run(team, map_rows, &job);
}

void carom_image_rows_map_alone(const carom_images *images, const carom_image_rows *rows) {
    map_range(images, rows, 0, rows->count);
}

static void narrow_rows(void *data, uint32_t worker) {
    const row_job *job = data;
    carom_walk walk = carom_team_walk(job->team, worker, job->rows->count, GRAIN);
    while (carom_walk_next(&walk)) {
        narrow_range(job->rows, job->to, walk.begin, walk.end);
    }
}

void carom_image_rows_narrow(const carom_team *team, const carom_image_rows *from, const carom_image_rows *to) {
    row_job job = {.team = team, .rows = from, .to = to};
    carom_team_run(team, narrow_rows, &job);
}

void carom_image_rows_narrow_alone(const carom_image_rows *from, const carom_image_rows *to) {
    narrow_range(from, to, 0, from->count);
}

/* Bits of a number from -most to most, counted from 0. */
static uint32_t axis_bits(int32_t most) {
    uint32_t bits = 0;
    while ((UINT64_C(2) * (uint64_t)most) >> bits != 0) {
        bits++;
    }
    return bits;
}

uint32_t carom_image_rows_bits(const carom_images *images) {
    return axis_bits(images->most[0]) + axis_bits(images->most[1]) + axis_bits(images->most[2]);
}

/* What the wraps add to the shifts is the same for all rows of a pair, so it is left out. */
uint64_t carom_image_rows_rank(const carom_images *images, const carom_image_rows *rows, uint64_t n) {
    carom_contacts_f64 view = view_of(rows);
    uint32_t i = view.i[n];
    uint32_t k = view.k[n];
    uint64_t rank = 0;
    for (int a = 0; a < 3; a++) {
        int32_t step = view.shift[a][n] - carom_images_wrap(images, i, a) + carom_images_wrap(images, k, a);
        CAROM_ASSERT(step >= -images->most[a] && step <= images->most[a]);
        rank = rank << axis_bits(images->most[a]) | (uint64_t)(step + images->most[a]);
    }
    return rank;
}
