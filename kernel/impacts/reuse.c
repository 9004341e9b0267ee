/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: hulls of a step before, bodies at the start of this one. Out: the same hulls, or that others must be made. */
#include "kernel/impacts/reuse.h"

#include <math.h>
#include <string.h>

#include "kernel/impacts/escape.h"
#include "kernel/impacts/long_rows.h"
#include "kernel/impacts/predictor.h"

/* Steps that hulls may last. */
static const uint32_t STEPS[] = {1, 2, 3, 4, 6, 8, 12, 16};
enum { CHOICES = sizeof STEPS / sizeof *STEPS };

/* Impacts a body for which hulls are made at most. After an impact a body often needs a wider hull. */
static const double IMPACTS = 0.4;

/* Prices in nanoseconds a body: of a search, and of it for each neighbour; of looking whether hulls serve; and in each
 * step for each neighbour, and for each neighbour and impact. */
static const double SEARCH = 70.0;
static const double SEARCH_NEIGHBOUR = 6.0;
static const double SERVE = 18.0;
static const double NEIGHBOUR = 8.0;
static const double IMPACT_NEIGHBOUR = 60.0;

/* Hulls for more steps must be cheaper by so much: prices are estimates, and long hulls hold more memory. */
static const double WORTH = 0.95;

/* Bodies that are looked at for the volume of hulls. */
enum { SAMPLE = 512 };

/* If more than one body in so many has left its hull, all get new ones; and for how many searches at most these are for
 * one step. */
enum { LEFT_SHARE = 64, LEFT_FEW = 16, WAIT_MOST = 64 };

/* Steps that hulls may last where positions are rounded to floats: what rounding moves a body by is then a small part
 * of what the kernel near_pairs allows for. */
enum { STEPS_SINGLE = 8 };

/* Slots whose paths are looked at together: a word of bits. */
enum { BLOCK = 64 };

/* Whether hulls that are made now may serve later steps. In a periodic box images of bodies that cross a face become
 * others. A filter may change, unless somebody would know. */
static bool may_last(const carom_impacts_bodies *bodies) {
    return bodies->periodic == NULL && (bodies->rules.pairs.collide == NULL || bodies->owned);
}

/* Whether rows have the pairs that may collide now. */
static bool has_pairs(const carom_reuse *reuse, const carom_impacts_bodies *bodies) {
    return bodies->periodic == NULL && (bodies->resumed || (bodies->rules.pairs.collide == NULL && !reuse->filtered));
}

/* The sides of a body's hull for so many steps. */
static void sides_of(const carom_hull_frame *frame, const carom_impacts_bodies *bodies, uint64_t slot, double steps,
                     double sides[3]) {
    const double *v = bodies->piece[slot].v;
    const double speed = sqrt((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]);
    const double room = steps * ((frame->own_room * speed + frame->room) + 0.5 * steps * bodies->gain);
    for (int a = 0; a < 3; a++) {
        sides[a] = (2.0 * bodies->body[slot].radius + 2.0 * room) + steps * fabs(v[a]);
    }
}

/* What neighbours of hulls for so many steps are proportional to: how much room two have to meet, on the average. */
static double volume_of(const carom_hull_frame *frame, const carom_impacts_bodies *bodies, double steps) {
    const uint64_t stride = bodies->count / SAMPLE + 1;
    double before[3];
    double sum = 0.0;
    sides_of(frame, bodies, bodies->count / 2, steps, before);
    for (uint64_t slot = 0; slot < bodies->count; slot += stride) {
        double sides[3];
        sides_of(frame, bodies, slot, steps, sides);
        sum += (sides[0] + before[0]) * (sides[1] + before[1]) * (sides[2] + before[2]);
        memcpy(before, sides, sizeof before);
    }
    return sum;
}

/* The price of a step if hulls last for so many. */
static double price_of(const carom_reuse *reuse, double neighbours, double steps) {
    const double search = SEARCH + SEARCH_NEIGHBOUR * neighbours + SERVE * (steps - 1.0);
    return search / steps + (NEIGHBOUR + IMPACT_NEIGHBOUR * reuse->impacts) * neighbours;
}

uint32_t carom_reuse_steps(carom_search *search, const carom_impacts_bodies *bodies) {
    carom_reuse *reuse = &search->reuse;
    if (!may_last(bodies) || reuse->steps == 0 || reuse->wait > 0) {
        reuse->wait -= reuse->wait > 0 ? 1 : 0;
        return 1;
    }
    const double each = reuse->neighbours / volume_of(&search->hulls.frame, bodies, reuse->steps);
    uint32_t best = 1;
    double least = 0.0;
    const uint32_t most = bodies->single ? STEPS_SINGLE : STEPS[CHOICES - 1];
    for (int n = 0; n < CHOICES && (n == 0 || (STEPS[n] * reuse->impacts <= IMPACTS && STEPS[n] <= most)); n++) {
        const double steps = STEPS[n];
        const double price = price_of(reuse, each * volume_of(&search->hulls.frame, bodies, steps), steps);
        if (n == 0 || price < WORTH * least) {
            best = STEPS[n];
            least = price;
        }
    }
    return best;
}

/* Notes a body that is not in its hull. Rounding a box outward may have made it so: then it is. */
static void note_leaving(const carom_window *window, uint32_t slot, carom_impacts_worker *own) {
    const carom_escape escape = {slot, true, carom_box_of(&window->hulls->box[slot])};
    if (!carom_hulls_hold_in(window->hulls, window->bodies, slot, &window->bodies->piece[slot], &escape.before,
                             window->hulls->until)) {
        own->failed = own->failed || !carom_list_append(window->memory, &own->escape, &escape, sizeof escape);
    }
}

/* Bodies that had an impact in the last step have other paths since. */
static void note_changed(const carom_run *r, uint64_t begin, uint64_t end, carom_impacts_worker *own) {
    const uint16_t *count_of = r->window->count_of;
    uint64_t word = 0;
    for (uint64_t slot = begin; slot < end; slot++) {
        word |= (uint64_t)(count_of[slot] != 0 ? 1 : 0) << (slot - begin);
    }
    r->step->search.reuse.changed[begin / BLOCK] = word;
    for (; word != 0 && !own->failed; word &= word - 1) {
        const uint32_t slot = (uint32_t)begin + (uint32_t)__builtin_ctzll(word);
        own->failed = !carom_list_append(r->memory, &own->prospects.changed, &slot, sizeof slot);
    }
}

static void look_at_block(const carom_window *window, uint64_t begin, uint64_t end, carom_impacts_worker *own) {
    carom_hull_box path[BLOCK];
    carom_hulls_look(window->hulls, window->simd, window->bodies, begin, end, path);
    for (uint64_t slot = begin; slot < end; slot++) {
        const carom_box box = carom_box_of(&path[slot - begin]);
        const carom_box hull = carom_box_of(&window->hulls->box[slot]);
        window->count_of[slot] = window->bodies->piece[slot].count;
        if (!carom_box_holds(&hull, &box)) {
            note_leaving(window, (uint32_t)slot, own);
        }
    }
}

static void look_task(void *data, uint32_t worker) {
    const carom_run *r = data;
    carom_walk walk = carom_team_walk(r->team, worker, r->window->bodies->count, BLOCK);
    r->window->worker[worker].escape.count = r->window->worker[worker].prospects.changed.count = 0;
    r->window->worker[worker].beyond = CAROM_BEYOND_NONE;
    while (carom_walk_next(&walk)) {
        for (uint64_t begin = walk.begin; begin < walk.end; begin += BLOCK) {
            const uint64_t end = begin + BLOCK < walk.end ? begin + BLOCK : walk.end;
            if (r->step->search.reuse.prospects) {
                note_changed(r, begin, end, &r->window->worker[worker]);
            }
            look_at_block(r->window, begin, end, &r->window->worker[worker]);
        }
    }
}

/* Gathers what workers have noted in the first one's list. False: too many bodies have left, or there is no memory. */
static bool gather(const carom_run *r) {
    carom_impacts_worker *worker = r->window->worker;
    carom_list *all = &worker[0].escape;
    const uint64_t most = r->window->bodies->count / LEFT_SHARE + LEFT_FEW;
    bool failed = worker[0].failed;
    for (uint32_t w = 1; w < r->team->workers && !failed && all->count <= most; w++) {
        const uint64_t more = worker[w].escape.count;
        failed = worker[w].failed || !carom_list_reserve(r->memory, all, more, sizeof(carom_escape));
        if (!failed && more > 0) {
            memcpy((carom_escape *)all->buffer.data + all->count, worker[w].escape.buffer.data,
                   more * sizeof(carom_escape));
            all->count += more;
        }
        worker[w].escape.count = 0;
    }
    return !failed && all->count <= most;
}

/* One that has left its hull for whatever reason has pairs that nobody has looked at. */
static bool add_changed(const carom_run *r, uint32_t slot) {
    carom_reuse *reuse = &r->step->search.reuse;
    if (!reuse->prospects || carom_reuse_has_changed(reuse, slot)) {
        return true;
    }
    reuse->changed[slot / BLOCK] |= UINT64_C(1) << slot % BLOCK;
    return carom_list_append(r->memory, &r->window->worker[0].prospects.changed, &slot, sizeof slot);
}

/* Bodies that have left get wider hulls, and their new neighbours are looked for. False: one cannot have it. */
static bool follow(const carom_run *r) {
    carom_window *window = r->window;
    const carom_list *list = &window->worker[0].escape;
    const carom_escapes escapes = {window, &r->step->search.rows, &r->step->search.tree, r->team};
    bool followed = true;
    window->active.count = 0;
    for (uint64_t n = 0; n < list->count; n++) {
        const uint32_t slot = ((const carom_escape *)list->buffer.data)[n].slot;
        window->active_of[slot] = (uint32_t)n;
        followed = followed && add_changed(r, slot) &&
                   carom_hulls_widen(window->hulls, window->bodies, slot, &window->bodies->piece[slot]);
    }
    if (followed) {
        carom_escapes_follow(&escapes);
    }
    for (uint64_t n = 0; n < list->count; n++) {
        window->active_of[((const carom_escape *)list->buffer.data)[n].slot] = CAROM_IMPACTS_NONE;
    }
    return followed;
}

/* Whether surfaces are those near which bodies were looked for. */
static bool same_surfaces(const carom_reuse *reuse, const carom_impacts_bodies *bodies) {
    return reuse->surface.count == bodies->surfaces &&
           (bodies->surfaces == 0 ||
            memcmp(reuse->surface.buffer.data, bodies->surface, bodies->surfaces * sizeof *bodies->surface) == 0);
}

bool carom_reuse_serves(carom_run *r) {
    carom_search *search = &r->step->search;
    carom_reuse *reuse = &search->reuse;
    const carom_impacts_bodies *bodies = r->window->bodies;
    const uint32_t left = reuse->left;
    reuse->left = 0;
    if (left == 0 || reuse->bodies != bodies->count || !has_pairs(reuse, bodies) || !same_surfaces(reuse, bodies)) {
        return false;
    }
    reuse->prospects = bodies->resumed && bodies->gain == 0.0 && reuse->workers == r->team->workers &&
                       carom_buffer_reserve(r->memory, &reuse->changed_buffer,
                                            carom_window_words(bodies->count) * sizeof(uint64_t)) == CAROM_OK;
    reuse->changed = reuse->changed_buffer.data;
    search->hulls.until = 1.0;
    carom_hulls_set_time(&search->hulls, bodies, 0.0, left);
    carom_team_run_over(r->team, bodies->count, look_task, r);
    const bool serves = gather(r) && follow(r);
    if (serves) { /* radii may be others */
        carom_long_rows_order(&search->rows, r->team, bodies, &search->hulls);
    }
    reuse->waited = serves ? 0 : (reuse->waited < WAIT_MOST / 2 ? 2 * reuse->waited + 1 : WAIT_MOST);
    reuse->wait = reuse->waited;
    return serves;
}

void carom_reuse_note(const carom_run *r, bool whole) {
    carom_search *search = &r->step->search;
    const uint32_t bodies = r->window->bodies->count;
    search->reuse.steps = whole ? (uint32_t)search->hulls.frame.end : 0;
    search->reuse.filtered = r->window->bodies->rules.pairs.collide != NULL;
    search->reuse.neighbours = (double)search->rows.start[bodies] / bodies;
}

/* Without memory for surfaces the next step makes hulls of its own. */
void carom_reuse_keep(const carom_run *r) {
    carom_search *search = &r->step->search;
    carom_reuse *reuse = &search->reuse;
    const carom_impacts_bodies *bodies = r->window->bodies;
    const carom_hull_frame *frame = &search->hulls.frame;
    const uint64_t surfaces = bodies->surfaces;
    reuse->impacts = (double)r->step->work.impacts / bodies->count;
    reuse->bodies = bodies->count;
    reuse->workers = carom_predictor_keeps(search, r->window) ? r->team->workers : 0;
    reuse->left = frame->begin == 0.0 && frame->end >= 2.0 && may_last(bodies) ? (uint32_t)frame->end - 1 : 0;
    if (reuse->left == 0 || same_surfaces(reuse, bodies)) {
        return;
    }
    reuse->surface.count = 0;
    if (!carom_list_reserve(r->memory, &reuse->surface, surfaces, sizeof *bodies->surface)) {
        reuse->left = 0;
    } else if (surfaces > 0) {
        memcpy(reuse->surface.buffer.data, bodies->surface, surfaces * sizeof *bodies->surface);
        reuse->surface.count = surfaces;
    }
}
