/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/coherent/periodic/apart_f64.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/coherent/periodic/moved_f64.h"
#include "kernel/coherent/periodic/place_f64.h"

/* Pairs that a worker looks at, or takes, at a time. */
enum { GRAIN = 4096, GRAIN_APART = 256 };

typedef struct setting {
    carom_coherent_step *step;
    carom_coherent_list list;
    carom_coherent_apart apart;
    carom_image *image; /* one for each pair, after those on the list */
    double *field[CAROM_BODY_FIELDS];
    uint64_t from;   /* pairs before this one have no moved body */
    uint64_t *found; /* pairs that each worker has found; then, those before its own */
    const uint8_t *mark;
} setting;

/* Added to a position, it leaves every bit as it is; 0.0 would turn -0.0. */
static const double nowhere[3] = {-0.0, -0.0, -0.0};

/* A box that overlaps no finite one: its low sides lie above all numbers, and its high sides below. Where boxes may be
 * infinite (space.far) nothing is hidden. */
static void hide(carom_coherent_step *step, uint32_t slot) {
    step->job->search.records[slot].radius = (double)-INFINITY;
}

/* Marks a body or image that is moved, and hides it; or takes the mark away. */
static void mark_one(carom_coherent_step *step, uint64_t n, bool is_moved) {
    const uint32_t *slot = carom_coherent_data(step->state, CAROM_COHERENT_SLOT);
    uint8_t *mark = carom_coherent_data(step->state, CAROM_COHERENT_MARK);
    mark[slot[n]] = is_moved;
    if (is_moved) {
        hide(step, slot[n]);
    }
}

/* All moved bodies and their images. */
static void mark_moved(carom_coherent_step *step, bool is_moved) {
    const carom_coherent *state = step->state;
    const carom_image *moved = carom_coherent_data(state, CAROM_COHERENT_MOVED);
    for (uint64_t m = 0; m < state->space.moved; m++) {
        uint64_t n;
        uint64_t end;
        mark_one(step, moved[m].owner, is_moved);
        for (carom_periodic_images_of(step, moved[m].owner, &n, &end); n < end; n++) {
            mark_one(step, state->owned + n, is_moved);
        }
    }
}

static bool is_apart(const setting *s, uint64_t n) {
    return (s->mark[s->list.i[n]] | s->mark[s->list.k[n]]) != 0;
}

static void count_pairs(void *data, uint32_t worker) {
    const setting *s = data;
    const carom_coherent *state = s->step->state;
    carom_walk walk = carom_team_walk(&state->context->team, worker, state->list.pairs - s->from, GRAIN);
    uint64_t count = 0;
    while (carom_walk_next(&walk)) {
        for (uint64_t n = s->from + walk.begin, end = s->from + walk.end; n < end; n++) {
            count += is_apart(s, n);
        }
    }
    s->found[worker] = count;
}

static void list_pairs(void *data, uint32_t worker) {
    const setting *s = data;
    const carom_coherent *state = s->step->state;
    carom_walk walk = carom_team_walk(&state->context->team, worker, state->list.pairs - s->from, GRAIN);
    uint64_t at = s->found[worker];
    while (carom_walk_next(&walk)) {
        for (uint64_t n = s->from + walk.begin, end = s->from + walk.end; n < end; n++) {
            if (is_apart(s, n)) {
                s->apart.pair[at] = (uint32_t)n;
                s->apart.slot_i[at] = s->list.i[n];
                s->apart.slot_k[at] = s->list.k[n];
                at++;
            }
        }
    }
}

/* A body as the list has it: which one of the caller's, and by what it is displaced from where it is in this step. */
static carom_image place_of(const carom_coherent_step *step, uint32_t body) {
    carom_image place = {.owner = carom_images_owner(step->images, body)};
    carom_periodic_shift_of(step, place.owner, place.shift);
    for (int a = 0; a < 3 && body >= step->state->owned; a++) {
        place.shift[a] += step->images->image[body - step->state->owned].shift[a];
    }
    return place;
}

/* Whether cold detection takes images at this shift: at those that are lexicographically positive in the reduced basis.
 */
static bool is_positive(const carom_lattice *lattice, const int32_t shift[3]) {
    double displacement[3];
    double reduced[3];
    carom_lattice_displacement(lattice, (double[3]){shift[0], shift[1], shift[2]}, displacement);
    carom_lattice_round(lattice, displacement, reduced);
    const double first = reduced[0] != 0.0 ? reduced[0] : reduced[1] != 0.0 ? reduced[1] : reduced[2];
    return first > 0.0;
}

/* The body that stays where it is, and the one that cold detection takes an image of, with the shift. */
static void choose_image(const carom_coherent_step *step, uint32_t i, uint32_t k, uint32_t *first,
                         carom_image *second) {
    const carom_image at_i = place_of(step, i);
    const carom_image at_k = place_of(step, k);
    int32_t shift[3];
    bool same = true;
    for (int a = 0; a < 3; a++) {
        shift[a] = at_k.shift[a] - at_i.shift[a];
        same = same && shift[a] == 0;
    }
    const bool forward = same || is_positive(&step->state->space.lattice, shift);
    *first = forward ? at_i.owner : at_k.owner;
    second->owner = forward ? at_k.owner : at_i.owner;
    for (int a = 0; a < 3; a++) {
        second->shift[a] = forward ? shift[a] : -shift[a];
    }
}

/* Pair n: its records, and the image that one of them is. */
static void make_pair(const setting *s, uint64_t n) {
    const carom_coherent_step *step = s->step;
    const carom_coherent *state = step->state;
    const uint64_t slot = carom_coherent_apart_records(state) + 2 * n;
    carom_record *record = step->job->search.records + slot;
    const uint32_t *body = s->list.body;
    double by[3];
    uint32_t first;
    carom_image *image = &s->image[n];
    choose_image(step, body[s->apart.slot_i[n]], body[s->apart.slot_k[n]], &first, image);
    carom_lattice_displacement(&state->space.lattice, (double[3]){image->shift[0], image->shift[1], image->shift[2]},
                               by);
    const bool is_image = image->shift[0] != 0 || image->shift[1] != 0 || image->shift[2] != 0;
    record[0] = carom_periodic_record(step, first, nowhere);
    record[1] = carom_periodic_record(step, image->owner, is_image ? by : nowhere);
    record[1].body = is_image ? state->count + n : image->owner;
    for (int a = 0; a < 3; a++) {
        s->field[a][state->count + n] = record[1].prev[a];
        s->field[a + 3][state->count + n] = record[1].curr[a];
    }
    s->field[6][state->count + n] = record[1].radius;
    s->apart.i[n] = (uint32_t)slot;
    s->apart.k[n] = (uint32_t)slot + 1;
}

static void make_pairs(void *data, uint32_t worker) {
    const setting *s = data;
    const carom_coherent *state = s->step->state;
    carom_walk walk = carom_team_walk(&state->context->team, worker, state->space.apart, GRAIN_APART);
    walk.step = CAROM_WALK_SCATTERED; /* a pair takes as long as a dozen others */
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin; n < walk.end; n++) {
            make_pair(s, n);
        }
    }
}

/* Rows of one pair of bodies are ordered by shifts up to these. */
static void widen_shifts(const setting *s) {
    carom_images *images = s->step->images;
    for (uint64_t n = 0; n < s->step->state->space.apart; n++) {
        for (int a = 0; a < 3; a++) {
            const int32_t size = abs(s->image[n].shift[a]);
            images->most[a] = size > images->most[a] ? size : images->most[a];
        }
    }
}

/* Sums of the counts before each worker's; returns the sum of all. */
static uint64_t add_up(uint64_t *found, uint32_t workers) {
    uint64_t sum = 0;
    for (uint32_t w = 0; w < workers; w++) {
        const uint64_t own = found[w];
        found[w] = sum;
        sum += own;
    }
    return sum;
}

static void find_pairs(setting *s) {
    carom_coherent *state = s->step->state;
    const carom_team *team = &state->context->team;
    carom_team_run(team, count_pairs, s);
    state->space.apart = add_up(s->found, team->workers);
    s->step->crowded = state->space.apart > state->space.most_apart;
    if (!s->step->crowded) {
        carom_team_run(team, list_pairs, s);
    }
}

carom_status carom_periodic_set_apart(carom_coherent_step *step) {
    carom_coherent *state = step->state;
    const uint64_t images = state->count - state->owned;
    state->space.apart = 0;
    step->crowded = false;
    step->images->count = images;
    if (state->space.moved == 0 || state->space.far) {
        step->crowded = state->space.moved > 0;
        return CAROM_OK;
    }
    setting s = {.step = step,
                 .list = carom_coherent_list_of(state),
                 .apart = carom_coherent_apart_of(state),
                 .image = (carom_image *)carom_coherent_data(state, CAROM_COHERENT_IMAGE) + images,
                 .found = carom_context_shares(state->context),
                 .mark = carom_coherent_data(state, CAROM_COHERENT_MARK)};
    s.from = state->space.crossed ? 0 : s.list.start[state->space.border];
    carom_periodic_fields(state, s.field);
    mark_moved(step, true);
    find_pairs(&s);
    mark_moved(step, false);
    if (carom_job_stopped(step->job)) {
        return CAROM_ERROR_CANCELLED;
    }
    if (!step->crowded) {
        step->images->count = images + state->space.apart;
        carom_team_run_over(&state->context->team, state->space.apart, make_pairs, &s);
        if (carom_job_stopped(step->job)) {
            return CAROM_ERROR_CANCELLED;
        }
        widen_shifts(&s);
    }
    return CAROM_OK;
}

/* Images stay hidden: only bodies are searched for. */
void carom_periodic_show(carom_coherent_step *step) {
    const carom_coherent *state = step->state;
    const carom_image *moved = carom_coherent_data(state, CAROM_COHERENT_MOVED);
    const uint32_t *slot = carom_coherent_data(state, CAROM_COHERENT_SLOT);
    for (uint64_t n = 0; n < state->space.moved; n++) {
        const uint32_t body = moved[n].owner;
        step->job->search.records[slot[body]].radius = step->images->bodies.radius[body];
    }
}
