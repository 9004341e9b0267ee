/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/coherent/periodic/moved_f64.h"

#include <math.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/coherent/escape_tmpl.h"
#include "kernel/coherent/periodic/place_f64.h"

/* Shifts beyond this are no moves: a shift of a pair is a sum of several and must fit 32 bits. */
static const double SHIFT_MOST = 1e8;

static void displacement_of(const carom_coherent *state, const int32_t shift[3], double by[3]) {
    carom_lattice_displacement(&state->space.lattice, (double[3]){shift[0], shift[1], shift[2]}, by);
}

/* From the middle of the body's path to the middle of its fat box. */
static void way_home(const carom_coherent_step *step, uint32_t body, double way[3]) {
    const carom_fat_box_set boxes = carom_coherent_fat_box_set(step->state);
    const carom_bodies_f64 *bodies = &step->images->bodies;
    for (int a = 0; a < 3; a++) {
        const double middle = 0.5 * (double)boxes.lo[a][body] + 0.5 * (double)boxes.hi[a][body] + boxes.centre[a];
        way[a] = middle - (0.5 * bodies->prev[a][body] + 0.5 * bodies->curr[a][body]);
    }
}

/* The shift that takes a body nearest to its fat box. False if it is none. */
static bool find_shift(const carom_coherent_step *step, uint32_t body, int32_t shift[3]) {
    const carom_lattice *lattice = &step->state->space.lattice;
    double way[3];
    double reduced[3];
    double number[3];
    bool fits = true;
    bool any = false;
    way_home(step, body, way);
    carom_lattice_round(lattice, way, reduced);
    carom_lattice_numbers(lattice, reduced, number);
    for (int a = 0; a < 3; a++) {
        fits = fits && fabs(number[a]) <= SHIFT_MOST;
        shift[a] = fits ? (int32_t)number[a] : 0;
        any = any || shift[a] != 0;
    }
    return fits && any;
}

static carom_record record_at(const carom_coherent_step *step, uint32_t n, const int32_t shift[3]) {
    double by[3];
    displacement_of(step->state, shift, by);
    return carom_periodic_record(step, n, by);
}

/* Whether the swept box of a record lies in the fat box of a body. */
static bool is_home(const carom_coherent *state, const carom_record *record, uint32_t body) {
    const carom_fat_box_set boxes = carom_coherent_fat_box_set(state);
    const carom_bodies_f64 one = {.count = 1,
                                  .prev = {&record->prev[0], &record->prev[1], &record->prev[2]},
                                  .curr = {&record->curr[0], &record->curr[1], &record->curr[2]},
                                  .radius = &record->radius};
    float side[6];
    float *lo[3] = {&side[0], &side[1], &side[2]};
    float *hi[3] = {&side[3], &side[4], &side[5]};
    bool inside = true;
    carom_kernels_of(state->context->simd)->fat_boxes(&one, 0, 1, state->centre, lo, hi);
    for (int a = 0; a < 3; a++) {
        inside = inside && side[a] >= boxes.lo[a][body] && side[a + 3] <= boxes.hi[a][body];
    }
    return inside;
}

/* Whether a lattice vector takes a body that is not in its fat box there. It counts as moved if one takes it near. */
static bool is_only_moved(carom_coherent_step *step, uint32_t body) {
    carom_coherent *state = step->state;
    carom_image *moved = carom_coherent_data(state, CAROM_COHERENT_MOVED);
    carom_image to = {.owner = body};
    if (state->space.moved == state->space.most_apart || !find_shift(step, body, to.shift)) {
        return false;
    }
    const carom_record record = record_at(step, body, to.shift);
    moved[state->space.moved++] = to;
    return is_home(state, &record, body);
}

/* An image goes where its body goes. Once so many have escaped that there will be a rebuild, the rest does not matter.
 */
uint64_t carom_periodic_settle(carom_coherent_step *step, uint64_t escaped) {
    carom_coherent *state = step->state;
    uint32_t *who = carom_coherent_data(state, CAROM_COHERENT_ESCAPED);
    uint64_t left = 0;
    state->space.moved = 0;
    carom_walk walk = carom_team_walk_alone(&state->context->team, escaped);
    walk.step = CAROM_WALK_SCATTERED;
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin; n < walk.end && who[n] < state->owned && left <= step->escape_limit; n++) {
            who[left] = who[n];
            left += !is_only_moved(step, who[n]);
        }
    }
    return left;
}

void carom_periodic_shift_of(const carom_coherent_step *step, uint32_t body, int32_t shift[3]) {
    const carom_image *moved = carom_coherent_data(step->state, CAROM_COHERENT_MOVED);
    const uint64_t count = step->state->space.moved;
    const uint64_t n = carom_images_first_of(moved, count, body);
    const bool found = n < count && moved[n].owner == body;
    for (int a = 0; a < 3; a++) {
        shift[a] = found ? moved[n].shift[a] : 0;
    }
}

/* Range of the swept box of a record in the lattice, in numbers of the reduced basis. */
static void range_of(const carom_lattice *lattice, const carom_record *record, uint32_t b, double *lo, double *hi) {
    double middle = 0.0;
    double half = 0.0;
    for (int a = 0; a < 3; a++) {
        const double dual = lattice->dual[b][a];
        middle += dual * (0.5 * record->prev[a] + 0.5 * record->curr[a]);
        half += fabs(dual) * (0.5 * fabs(record->curr[a] - record->prev[a]) + record->radius);
    }
    *lo = middle - half;
    *hi = middle + half;
}

static bool has_image(const carom_coherent_step *step, uint64_t begin, uint64_t end, const double reduced[3]) {
    double number[3];
    bool found = false;
    carom_lattice_numbers(&step->state->space.lattice, reduced, number);
    for (uint64_t n = begin; n < end && !found; n++) {
        const int32_t *shift = step->images->image[n].shift;
        found = (double)shift[0] == number[0] && (double)shift[1] == number[1] && (double)shift[2] == number[2];
    }
    return found;
}

/* Whether the list has all images of a body that its fat box may need: those at lexicographically positive steps with
 * which it meets the range of all boxes. */
static bool has_images(const carom_coherent_step *step, uint32_t body, const carom_record *extended) {
    const carom_coherent_space *space = &step->state->space;
    double first[3] = {0.0, 0.0, 0.0};
    double last[3] = {0.0, 0.0, 0.0};
    uint64_t begin;
    uint64_t end;
    for (uint32_t b = 0; b < space->lattice.dimensions; b++) {
        double lo;
        double hi;
        range_of(&space->lattice, extended, b, &lo, &hi);
        if (!(lo >= space->lo[b]) || !(hi <= space->hi[b])) {
            return false;
        }
        first[b] = ceil(space->lo[b] - hi);
        last[b] = floor(space->hi[b] - lo);
    }
    carom_periodic_images_of(step, body, &begin, &end);
    for (double x = 0.0; x <= last[0]; x++) {
        for (double y = x > 0.0 ? first[1] : 0.0; y <= last[1]; y++) {
            for (double z = x > 0.0 || y > 0.0 ? first[2] : 1.0; z <= last[2]; z++) {
                if (!has_image(step, begin, end, (double[3]){x, y, z})) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* A body that could not leave the cell, and now may: its pairs are not among the last of the list. */
static void note_crossing(carom_coherent *state, uint32_t body, const carom_record *extended) {
    const uint32_t *slot = carom_coherent_data(state, CAROM_COHERENT_SLOT);
    const double at[CAROM_BODY_FIELDS] = {extended->prev[0], extended->prev[1], extended->prev[2], extended->curr[0],
                                          extended->curr[1], extended->curr[2], extended->radius};
    const bool inside = carom_lattice_is_inside(&state->space.lattice, at);
    state->space.crossed = state->space.crossed || (slot[body] < state->space.border && !inside);
}

/* The body first: the boxes of its images follow its own. */
bool carom_periodic_grow(carom_coherent_step *step, uint32_t body) {
    carom_coherent *state = step->state;
    int32_t shift[3];
    carom_periodic_shift_of(step, body, shift);
    const carom_record record = record_at(step, body, shift);
    carom_record extended;
    carom_escape_extend(state, &record, &extended);
    note_crossing(state, body, &extended);
    if (!has_images(step, body, &extended) || !carom_escape_grow_body(state, &record, body)) {
        return false;
    }
    uint64_t n;
    uint64_t end;
    bool grown = true;
    for (carom_periodic_images_of(step, body, &n, &end); n < end && grown; n++) {
        double by[3];
        carom_record image = record;
        carom_periodic_image_by(step, n, by);
        for (int a = 0; a < 3; a++) {
            image.prev[a] += by[a];
            image.curr[a] += by[a];
        }
        grown = carom_escape_grow_body(state, &image, (uint32_t)(state->owned + n));
    }
    return grown;
}
