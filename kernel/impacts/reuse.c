/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: hulls of a step before, bodies at the start of this one. Out: the same hulls, or that others must be made. */
#include "kernel/impacts/reuse.h"

#include <math.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/impacts/crossing.h"
#include "kernel/impacts/images.h"
#include "kernel/impacts/long_rows.h"
#include "kernel/impacts/predictor.h"
#include "kernel/impacts/reuse_steps.h"
#include "simd/vector.h"

/* New hulls are made for all bodies if more than one in LEFT_SHARE has left its own, or one in CROSSED_SHARE has
 * crossed a face, and LEFT_FEW more. */
enum { LEFT_SHARE = 256, CROSSED_SHARE = 32, LEFT_FEW = 16 };

/* The tree is made anew if more than one body in so many gets a hull of its own: these lie far from those beside them
 * in it, and make it slow. */
enum { TREE_SHARE = 1024 };

/* Edges of a periodic box that a body may move in all steps of a hull of its own. */
static const double EDGES_MOST = 2.0;

/* Slots whose paths are looked at together: a word of bits. */
enum { BLOCK = 64 };

static bool same_box(const carom_periodic *a, const carom_periodic *b) {
    return memcmp(a->along, b->along, sizeof a->along) == 0 && memcmp(a->edge, b->edge, sizeof a->edge) == 0;
}

/* Whether rows have the pairs that may collide now. */
static bool has_pairs(const carom_reuse *reuse, const carom_impacts_bodies *bodies) {
    const bool same_space = bodies->periodic == NULL ? !reuse->periodic
                                                     : reuse->periodic && carom_reuse_steps_may_last(bodies) &&
                                                           same_box(&reuse->box, bodies->periodic);
    return same_space && (bodies->resumed || (bodies->rules.pairs.collide == NULL && !reuse->filtered));
}

/* A team's look at all bodies. */
typedef struct look {
    carom_run *run;
    bool periodic;
    double dual[3][3]; /* of the periodic box */
} look;

/* Until when a body's path must lie in its hull: to the end if the next step is not to look again. */
static double held_until(const carom_run *r) {
    const carom_hulls *hulls = r->window->hulls;
    return carom_reuse_may_coast(r->window->bodies) ? hulls->frame.end : hulls->until;
}

static bool holds(const carom_run *r, uint32_t slot, const carom_box *hull) {
    const carom_window *window = r->window;
    return carom_hulls_hold_in(window->hulls, window->bodies, slot, &window->bodies->piece[slot], hull, held_until(r));
}

/* Notes a body that has crossed a face, or is not in its hull. The box around its path is rounded outward: it may stick
 * out of a hull in which the path lies. Where path and hull are whole edges apart it counts as a crossing: any number
 * of edges is right, as hull and row move together. */
static void note_leaving(const look *l, uint32_t slot, const carom_hull_box *path, carom_impacts_worker *own) {
    carom_window *window = l->run->window;
    carom_crossing crossing = {.slot = slot};
    const carom_escape escape = {slot, true, 0, carom_box_of(&window->hulls->box[slot])};
    if (l->periodic && carom_crossing_find(l->dual, &window->hulls->box[slot], path, crossing.edges)) {
        own->failed =
            own->failed || !carom_list_append(window->memory, &own->prospects.crossed, &crossing, sizeof crossing);
    } else if (!holds(l->run, slot, &escape.before)) {
        own->failed = own->failed || !carom_list_append(window->memory, &own->escape, &escape, sizeof escape);
    }
}

/* Bodies that had an impact in the last step have other paths since, and those that crossed a face other images. */
static void note_changed(const look *l, uint64_t begin, uint64_t end, carom_impacts_worker *own) {
    const carom_run *r = l->run;
    const uint16_t *count_of = r->window->count_of;
    uint64_t word = l->periodic ? r->window->bodies->wrapped[begin / BLOCK] : 0;
    for (uint64_t slot = begin; slot < end; slot++) {
        word |= (uint64_t)(count_of[slot] != 0 ? 1 : 0) << (slot - begin);
    }
    r->step->search.reuse.changed[begin / BLOCK] = word;
    for (; word != 0 && !own->failed; word &= word - 1) {
        const uint32_t slot = (uint32_t)begin + (uint32_t)__builtin_ctzll(word);
        own->failed = !carom_list_append(r->memory, &own->prospects.changed, &slot, sizeof slot);
    }
}

static void look_at_block(const look *l, uint64_t begin, uint64_t end, carom_impacts_worker *own) {
    const carom_window *window = l->run->window;
    carom_hull_box path[BLOCK];
    carom_hulls_look(window->hulls, window->simd, window->bodies, begin, end, held_until(l->run), path);
    for (uint64_t slot = begin; slot < end; slot++) {
        const carom_box box = carom_box_of(&path[slot - begin]);
        const carom_box hull = carom_box_of(&window->hulls->box[slot]);
        window->count_of[slot] = window->bodies->piece[slot].count;
        if (!carom_box_holds(&hull, &box)) {
            note_leaving(l, (uint32_t)slot, &path[slot - begin], own);
        }
    }
}

/* Whether the body has a coarse path that is not its last one's: it was held, or crossed a face of the box. */
static bool has_turned(const carom_window *window, uint32_t slot) {
    const uint64_t *wrapped = window->bodies->wrapped;
    return window->count_of[slot] >= window->bodies->rules.budget ||
           (wrapped != NULL && (wrapped[slot / BLOCK] >> slot % BLOCK & 1) != 0);
}

/* Looks only at bodies that have turned. All others go on along their coarse paths, and their hulls, made or widened
 * for these, hold them to the end. */
static void look_at_turned(const look *l, uint64_t begin, uint64_t end, carom_impacts_worker *own) {
    const carom_window *window = l->run->window;
    for (uint64_t word = l->run->step->search.reuse.changed[begin / BLOCK]; word != 0; word &= word - 1) {
        const uint32_t slot = (uint32_t)begin + (uint32_t)__builtin_ctzll(word);
        if (has_turned(window, slot)) {
            carom_hull_box path;
            carom_hulls_look(window->hulls, window->simd, window->bodies, slot, slot + 1, held_until(l->run), &path);
            note_leaving(l, slot, &path, own);
        }
    }
    memset(window->count_of + begin, 0, (end - begin) * sizeof *window->count_of);
}

static void look_task(void *data, uint32_t worker) {
    const look *l = data;
    const carom_run *r = l->run;
    const carom_reuse *reuse = &r->step->search.reuse;
    carom_impacts_worker *own = &r->window->worker[worker];
    carom_walk walk = carom_team_walk(r->team, worker, r->window->bodies->count, BLOCK);
    own->escape.count = own->prospects.changed.count = own->prospects.crossed.count = 0;
    own->beyond = CAROM_BEYOND_NONE;
    while (carom_walk_next(&walk)) {
        for (uint64_t begin = walk.begin; begin < walk.end; begin += BLOCK) {
            const uint64_t end = begin + BLOCK < walk.end ? begin + BLOCK : walk.end;
            if (reuse->prospects) {
                note_changed(l, begin, end, own);
            }
            (reuse->prospects ? look_at_turned : look_at_block)(l, begin, end, own);
        }
    }
}

/* Whether memory was enough for all workers. If not, the search that comes instead may still have what it needs. */
static bool had_memory(const carom_run *r) {
    bool failed = r->window->failed;
    r->window->failed = false;
    for (uint32_t w = 0; w < r->team->workers; w++) {
        failed = failed || r->window->worker[w].failed;
        r->window->worker[w].failed = false;
    }
    return !failed;
}

/* Gathers what workers have noted in the first one's list of escapes. False: too many bodies have crossed a face, or
 * there is no memory. */
static bool gather(const carom_run *r) {
    carom_impacts_worker *worker = r->window->worker;
    carom_list *all = &worker[0].escape;
    const uint64_t bodies = r->window->bodies->count;
    uint64_t crossed = worker[0].prospects.crossed.count;
    bool gathered = had_memory(r);
    for (uint32_t w = 1; w < r->team->workers && gathered; w++) {
        const uint64_t more = worker[w].escape.count;
        crossed += worker[w].prospects.crossed.count;
        gathered = carom_list_reserve(r->memory, all, more, sizeof(carom_escape));
        if (gathered && more > 0) {
            memcpy((carom_escape *)all->buffer.data + all->count, worker[w].escape.buffer.data,
                   more * sizeof(carom_escape));
            all->count += more;
        }
        worker[w].escape.count = 0;
    }
    return gathered && crossed <= bodies / CROSSED_SHARE + LEFT_FEW;
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

/* A body that has crossed a face takes its hull and its row along. It may have left its hull, too. */
static bool cross(const carom_run *r, const carom_crossing *crossing) {
    carom_window *window = r->window;
    carom_hull_box *hull = &window->hulls->box[crossing->slot];
    if (!carom_crossing_follow(crossing, window->bodies->periodic, window->hulls, &r->step->search.rows) ||
        !add_changed(r, crossing->slot)) {
        return false;
    }
    const carom_escape escape = {crossing->slot, true, 0, carom_box_of(hull)};
    return holds(r, crossing->slot, &escape.before) ||
           carom_list_append(r->memory, &window->worker[0].escape, &escape, sizeof escape);
}

static bool cross_all(const carom_run *r) {
    bool crossed = true;
    for (uint32_t w = 0; w < r->team->workers; w++) {
        const carom_list *list = &r->window->worker[w].prospects.crossed;
        if (list->count > 0) {
            r->step->search.tree.count = 0; /* it has the hulls where they were */
        }
        for (uint64_t n = 0; n < list->count && crossed; n++) {
            crossed = cross(r, (const carom_crossing *)list->buffer.data + n);
        }
    }
    return crossed;
}

/* Whether a new hull of the body would not meet images without number. */
static bool is_slow(const look *l, uint32_t slot) {
    const carom_window *window = l->run->window;
    bool slow = true;
    double v[3];
    carom_vector_add(window->bodies->piece[slot].v, -1.0, window->hulls->frame.drift, v);
    for (int e = 0; e < 3 && l->periodic; e++) {
        const double edges = carom_vector_dot(l->dual[e], v);
        slow = slow && fabs(edges) * window->hulls->frame.end <= EDGES_MOST;
    }
    return slow;
}

/* Gives bodies that have left hulls of their own, and looks for their new neighbours. What they had stays in rows.
 * False: they are too many, one cannot have a hull or may meet images too far away, or there is no memory. */
static bool follow(const look *l) {
    const carom_run *r = l->run;
    carom_window *window = r->window;
    const carom_list *list = &window->worker[0].escape;
    const carom_escape *escape = list->buffer.data;
    const uint64_t bodies = window->bodies->count;
    const carom_escapes escapes = carom_run_escapes(r);
    bool followed = list->count <= bodies / LEFT_SHARE + LEFT_FEW;
    window->active.count = 0;
    for (uint64_t n = 0; n < list->count && followed; n++) {
        window->active_of[escape[n].slot] = (uint32_t)n;
        followed = is_slow(l, escape[n].slot) && add_changed(r, escape[n].slot) &&
                   carom_hulls_renew(window->hulls, window->bodies, escape[n].slot);
    }
    if (followed) {
        r->step->search.tree.count = list->count > bodies / TREE_SHARE ? 0 : r->step->search.tree.count;
        r->step->search.rows.beyond = r->step->search.rows.beyond || list->count > 0;
        carom_escapes_follow(&escapes);
        followed = had_memory(r) && carom_search_beyond(window, r->team, NULL) == CAROM_OK;
    }
    for (uint64_t n = 0; n < list->count; n++) {
        window->active_of[escape[n].slot] = CAROM_IMPACTS_NONE;
    }
    return followed;
}

/* Whether surfaces are those near which bodies were looked for. */
static bool same_surfaces(const carom_reuse *reuse, const carom_impacts_bodies *bodies) {
    return reuse->surface.count == bodies->surfaces &&
           (bodies->surfaces == 0 ||
            memcmp(reuse->surface.buffer.data, bodies->surface, bodies->surfaces * sizeof *bodies->surface) == 0);
}

static look look_of(carom_run *r) {
    const carom_periodic *periodic = r->window->bodies->periodic;
    look l = {.run = r, .periodic = periodic != NULL};
    if (l.periodic) {
        carom_images_dual(periodic, l.dual);
    }
    return l;
}

/* After hulls that did not serve some searches are for one step alone, twice as many each time. */
static void wait_longer(carom_reuse *reuse, bool served) {
    reuse->waited = served ? 0 : carom_reuse_wait_after(reuse->waited);
    reuse->wait = reuse->waited;
}

/* Whether this step goes on where the last one ended, with its prospects. */
static bool goes_on(const carom_run *r) {
    const carom_impacts_bodies *bodies = r->window->bodies;
    return bodies->resumed && carom_reuse_may_coast(bodies) && r->step->search.reuse.workers == r->team->workers &&
           (bodies->periodic == NULL || bodies->wrapped != NULL);
}

/* Whether images in rows have become others. A long row that has a body twice may then have the wrong one in front. */
static bool has_crossed(const carom_run *r) {
    bool crossed = false;
    for (uint32_t w = 0; w < r->team->workers; w++) {
        crossed = crossed || r->window->worker[w].prospects.crossed.count > 0;
    }
    return crossed;
}

/* Long rows are put in order where radii may have changed, without prospects, and after crossings. Those of bodies with
 * new hulls are in order already. */
bool carom_reuse_serves(carom_run *r) {
    carom_search *search = &r->step->search;
    carom_reuse *reuse = &search->reuse;
    const carom_impacts_bodies *bodies = r->window->bodies;
    const uint32_t left = reuse->left;
    reuse->left = 0;
    reuse->prospects = false;
    if (left == 0 || reuse->bodies != bodies->count || !has_pairs(reuse, bodies) || !same_surfaces(reuse, bodies)) {
        return false;
    }
    reuse->prospects =
        goes_on(r) && carom_buffer_reserve(r->memory, &reuse->changed_buffer,
                                           carom_window_words(bodies->count) * sizeof(uint64_t)) == CAROM_OK;
    reuse->changed = reuse->changed_buffer.data;
    search->hulls.until = 1.0;
    if (!reuse->prospects) {
        carom_hulls_set_scales(&search->hulls, bodies);
    }
    CAROM_ASSERT(!search->hulls.tight); /* those last one step */
    carom_hulls_set_time(&search->hulls, bodies, search->hulls.frame.begin - 1.0, left);
    look l = look_of(r);
    carom_team_run_over(r->team, bodies->count, look_task, &l);
    const bool serves = gather(r) && cross_all(r) && follow(&l);
    if (serves && (!reuse->prospects || has_crossed(r))) {
        carom_long_rows_order(&search->rows, r->team, bodies, &search->hulls);
    }
    wait_longer(reuse, serves);
    return serves;
}

void carom_reuse_note(const carom_run *r, bool whole) {
    carom_search *search = &r->step->search;
    const uint32_t bodies = r->window->bodies->count;
    search->reuse.steps = whole ? (uint32_t)search->hulls.frame.end : 0;
    search->reuse.filtered = r->window->bodies->rules.pairs.collide != NULL;
    search->reuse.periodic = r->window->bodies->periodic != NULL;
    if (search->reuse.periodic) {
        search->reuse.box = *r->window->bodies->periodic;
    }
    search->reuse.neighbours =
        ((double)search->rows.head[bodies].start + 1.0) / bodies; /* one more, for they may be none by chance */
    if (whole) {
        carom_reuse_steps_note(&search->reuse, r->window->bodies);
    }
}

static bool lost_any(const carom_run *r) {
    bool lost = false;
    for (uint32_t w = 0; w < r->team->workers; w++) {
        lost = lost || r->window->worker[w].prospects.lost;
    }
    return lost;
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
    reuse->workers = carom_predictor_keeps(search, r->window) && !lost_any(r) ? r->team->workers : 0;
    const bool lasts = frame->begin <= 0.0 && frame->end >= 2.0 && carom_reuse_steps_may_last(bodies) &&
                       (r->step->steps > 0 || !reuse->trial.dear);
    reuse->left = lasts ? (uint32_t)frame->end - 1 : 0;
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
