/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: bodies with wider hulls. Out: rows with what those meet, and groups that are to be simulated again. */
#include "kernel/impacts/escape.h"

#include <math.h>

#include "kernel/impacts/images.h"
#include "kernel/impacts/known.h"
#include "kernel/impacts/long_rows.h"
#include "kernel/impacts/near.h"
#include "kernel/impacts/pending.h"

/* Escapes whose neighbours are looked for at once in open space, and images that one often has in a periodic box. */
enum { BATCH = 64, IMAGES = 27 };

/* Pairs ahead, and escapes ahead, whose bodies are fetched. */
enum { AHEAD = 8 };

/* A body that has become so fast that its wider hull has more than about so many neighbours, and is longer than so many
 * times its radius and the room of a typical hull, or than so many edges of the periodic box, needs hulls for a shorter
 * time, down to a least one: each of its pieces would be held against all of them. A body between two that close in has
 * thousands of pieces, each faster than the one before. */
enum { NEIGHBOURS_MOST = 1024, SIZES_MOST = 16 };
static const double EDGES_MOST = 1.5;
static const double FAST_LENGTH_LEAST = 0x1p-16;

/* Tight hulls, of which each impact makes two wide ones, end where these have met more than so many of each body, and
 * some more. */
enum { ADDED_MOST = 32, ADDED_FEW = 65536 };

/* One escape, and one image of all leaves. */
typedef struct carom_escape_query {
    carom_escape *escape;
    int32_t edges[3];
} carom_escape_query;

/* A worker's search. */
typedef struct finder {
    const carom_escapes *escapes;
    carom_impacts_worker *own;
} finder;

/* Before a step's first window there are no groups. Then all escapes are in the first worker's list, and active_of has
 * where in it a body's is. */
static bool has_groups(const carom_window *window) {
    return window->active.count > 0;
}

/* What was noted of a body that left its hull in this round; NULL if it did not. Those that did are marked. */
static const carom_escape *escape_of(const carom_window *window, uint32_t slot) {
    if (!carom_window_has_escaped(window, slot)) {
        return NULL;
    }
    if (!has_groups(window)) {
        return (const carom_escape *)window->worker[0].escape.buffer.data + window->active_of[slot];
    }
    const carom_active *active = &carom_window_active(window)[window->active_of[slot]];
    return (const carom_escape *)window->worker[active->worker].escape.buffer.data + active->escape;
}

static bool goes_on(const finder *f) {
    return !f->own->failed && !f->own->search.ended;
}

/* Then the tree's search leaves out what the rows have. */
static bool leaves_are_hulls(const finder *f) {
    return carom_leaves_are(f->escapes->leaves, f->escapes->window->hulls);
}

static void note_found(const finder *f, uint32_t slot, uint32_t other, uint32_t image) {
    const carom_contact_pair pair = {slot, other, image};
    const bool noted = carom_list_append(f->escapes->window->memory, &f->own->search.found, &pair, sizeof pair);
    f->own->failed = f->own->failed || !noted;
}

static void note_far(const finder *f, uint32_t slot) {
    carom_beyond_note(&f->own->beyond.image, f->escapes->window->bodies->number[slot]);
}

/* On an axis. */
static double longest_edge(const carom_periodic *periodic, int axis) {
    double longest = periodic != NULL ? 0.0 : INFINITY;
    for (int e = 0; e < 3 && periodic != NULL; e++) {
        longest = periodic->along[e] ? fmax(longest, fabs(periodic->edge[e][axis])) : longest;
    }
    return longest > 0.0 ? longest : INFINITY;
}

/* Whether hulls are for a time that can be made shorter. */
static bool has_time(const carom_window *window) {
    return window->hulls->frame.end - window->begin > FAST_LENGTH_LEAST;
}

/* Whether the hull is long, and for such a time. */
static bool is_long(const carom_window *window, uint32_t slot) {
    const carom_hull_box *hull = &window->hulls->box[slot];
    const double typical = window->hulls->typical_room * (window->hulls->frame.end - window->begin);
    const double usual = SIZES_MOST * (window->bodies->body[slot].radius + typical);
    bool beyond = false;
    for (int a = 0; a < 3; a++) {
        const double length = (double)hull->hi[a] - (double)hull->lo[a];
        beyond = beyond || length > usual || length > EDGES_MOST * longest_edge(window->bodies->periodic, a);
    }
    return beyond && has_time(window);
}

/* The image at which the hull of another body meets the wider one. False if it is too far away for a code. */
static bool image_of(const finder *f, const carom_escape_query *q, uint32_t slot, uint32_t *image) {
    *image = CAROM_IMAGE_SELF;
    return f->escapes->window->bodies->periodic == NULL ||
           carom_leaves_image(f->escapes->leaves, q->escape->slot, slot, q->edges, image);
}

/* Takes a body whose hull the wider one meets. Two that escaped find each other twice, and one of them counts, if their
 * hulls did not meet before. The search has left out those of the others whose hulls the one before met in open space.
 * In a periodic box rounding may have decided otherwise, and rows may have more: then they tell. */
static void take(const finder *f, const carom_escape_query *q, uint32_t slot) {
    const carom_window *window = f->escapes->window;
    const carom_escape *other = escape_of(window, slot);
    const bool known =
        other != NULL && window->bodies->periodic == NULL && carom_box_meets(&other->before, &q->escape->before);
    if (slot == q->escape->slot || known || (other != NULL && slot < q->escape->slot) ||
        !carom_impacts_collide(window->bodies, q->escape->slot, slot)) {
        return;
    }
    q->escape->met++;
    uint32_t image;
    /* Then the search is made again for a shorter time: what else there is does not count. */
    if (q->escape->met > NEIGHBOURS_MOST && is_long(window, q->escape->slot)) {
        note_far(f, q->escape->slot);
        f->own->search.ended = true;
    } else if (!image_of(f, q, slot, &image)) {
        note_far(f, q->escape->slot);
        note_far(f, slot);
    } else {
        note_found(f, q->escape->slot, slot, image);
    }
}

/* Rounding decides whether a hull is near a surface, and for a hull alone not as for the boxes of a tree around it: the
 * rows tell which surfaces are known. */
static void find_surfaces(const finder *f, const carom_escape *escape) {
    const carom_window *window = f->escapes->window;
    const carom_box now = carom_box_of(&window->hulls->box[escape->slot]);
    for (uint32_t s = 0; s < window->bodies->surfaces; s++) {
        const carom_contact_pair pair = {escape->slot, CAROM_IMPACTS_SURFACE + s, CAROM_IMAGE_SELF};
        if (carom_surface_near(&window->bodies->surface[s], &now) && !carom_rows_have(f->escapes->rows, &pair)) {
            note_found(f, escape->slot, pair.other, pair.image);
        }
    }
}

/* Takes what the boxes that were appended meet, and removes them. */
static void find_batch(const finder *f) {
    const carom_window *window = f->escapes->window;
    carom_escape_search *search = &f->own->search;
    const carom_tree_boxes boxes = {.count = (uint32_t)search->box.count,
                                    .box = search->box.buffer.data,
                                    .known = leaves_are_hulls(f) ? search->before.buffer.data : NULL,
                                    .marks = window->sets.escaped};
    f->own->failed =
        f->own->failed || !carom_tree_find(f->escapes->tree, window->memory, window->simd, &boxes, &search->tree);
    const carom_tree_hits *met = &search->tree.leaf;
    for (uint64_t n = 0; n < met->count && goes_on(f); n++) {
        const uint32_t query = ((const uint32_t *)met->box.data)[n];
        const uint32_t slot = carom_leaves_slot(f->escapes->leaves, ((const uint32_t *)met->node.data)[n]);
        take(f, (const carom_escape_query *)search->query.buffer.data + query, slot);
    }
    search->box.count = search->before.count = search->query.count = 0;
}

/* Whether the body has become too fast for the hulls' time. */
static bool is_too_fast(const finder *f, const carom_escape *escape) {
    if (!is_long(f->escapes->window, escape->slot)) {
        return false;
    }
    carom_row_walk row = carom_row_begin(f->escapes->rows, escape->slot);
    uint64_t neighbours = escape->met;
    while (neighbours <= NEIGHBOURS_MOST && carom_row_next(f->escapes->rows, &row)) {
        neighbours++;
    }
    return neighbours > NEIGHBOURS_MOST;
}

/* Appends the wider hull, seen from each image that it may meet. */
static void append_boxes(const finder *f, carom_escape *escape) {
    const carom_window *window = f->escapes->window;
    carom_escape_search *search = &f->own->search;
    const uint64_t batch = window->bodies->periodic == NULL ? BATCH : BATCH * IMAGES;
    const carom_box now = carom_box_of(&f->escapes->leaves->box[carom_leaves_of(f->escapes->leaves, escape->slot)]);
    carom_image_walk images = carom_images_begin(window->bodies->periodic, &now, f->escapes->tree);
    while (carom_images_next(&images) && goes_on(f)) {
        const carom_escape_query query = {escape, {images.edges[0], images.edges[1], images.edges[2]}};
        f->own->failed = !carom_list_append(window->memory, &search->box, &images.box, sizeof images.box) ||
                         !carom_list_append(window->memory, &search->before, &escape->before, sizeof escape->before) ||
                         !carom_list_append(window->memory, &search->query, &query, sizeof query);
        if (search->box.count == batch) {
            find_batch(f);
        }
    }
    if (images.beyond) {
        note_far(f, escape->slot);
    }
}

/* A team's task: each worker looks for what its own escapes meet. */
static void find_task(void *data, uint32_t worker) {
    const carom_escapes *escapes = data;
    const finder f = {escapes, &escapes->window->worker[worker]};
    carom_escape *escape = f.own->escape.buffer.data;
    const uint64_t count = f.own->escape.count;
    carom_escape_search *search = &f.own->search;
    search->found.count = search->box.count = search->before.count = search->query.count = 0;
    search->ended = false;
    for (uint64_t n = 0; n < count && goes_on(&f); n++) {
        append_boxes(&f, &escape[n]);
        find_surfaces(&f, &escape[n]);
    }
    if (search->box.count > 0) {
        find_batch(&f);
    }
    for (uint64_t n = 0; n < count && goes_on(&f); n++) {
        if (is_too_fast(&f, &escape[n])) {
            note_far(&f, escape[n].slot);
        }
    }
    if ((!leaves_are_hulls(&f) || escapes->rows->beyond) && !f.own->failed) {
        f.own->failed =
            !carom_known_drop(escapes->rows, escapes->window->memory, &f.own->search.found, &f.own->search.room);
    }
}

/* The last piece of a body in a group; `is_new`: the window has given it one. */
static carom_piece last_piece(const carom_window *window, uint32_t slot, bool *is_new) {
    const carom_active *a = &carom_window_active(window)[window->active_of[slot]];
    *is_new = a->last != CAROM_IMPACTS_NONE;
    return *is_new ? carom_window_path(window, a->worker)[a->last].piece : window->bodies->piece[slot];
}

/* Two of one group, who do not meet in this window. */
static void note_pending(carom_window *window, const carom_contact_pair *pair) {
    const carom_active *a = &carom_window_active(window)[window->active_of[pair->a]];
    bool is_new[2];
    carom_piece piece_a = last_piece(window, pair->a, &is_new[0]);
    carom_piece piece_b = last_piece(window, pair->other, &is_new[1]);
    const double t = carom_impacts_predict(window->bodies, pair->a, &piece_a, pair->other, &piece_b, pair->image);
    const carom_pending pending = {*pair, {piece_a.count, piece_b.count}, t};
    carom_pending_note(window, &window->worker[a->worker], &pending, is_new);
}

static bool in_one_group(const carom_window *window, const carom_contact_pair *pair) {
    const carom_active *active = carom_window_active(window);
    const uint32_t other = window->active_of[pair->other];
    return other != CAROM_IMPACTS_NONE && active[other].parent == active[window->active_of[pair->a]].parent;
}

/* Whether the body leaves, before the window ends, the hull that it had. */
static bool leaves(const carom_window *window, uint32_t slot) {
    const carom_escape *escape = escape_of(window, slot);
    return escape != NULL && escape->now;
}

/* A simulation has looked at rows as they were: it may have missed a neighbour within the group, or a surface, if one
 * of the two has left its hull within the window. Verification looks at the rows as they are. */
static void add_found(const carom_escapes *escapes, const carom_contact_pair *pair) {
    carom_window *window = escapes->window;
    if (carom_rows_add(escapes->rows, window->memory, pair) != CAROM_OK) {
        window->failed = true;
        return;
    }
    if (!has_groups(window)) {
        return; /* all neighbours are predicted later */
    }
    if (carom_impacts_is_surface(pair->other) || carom_impacts_is_fixed(window->bodies, pair->other)) {
        if (leaves(window, pair->a)) {
            carom_window_touch(window, pair->a);
        }
    } else if (in_one_group(window, pair)) {
        if (leaves(window, pair->a) || leaves(window, pair->other)) {
            carom_window_touch(window, pair->a);
        } else {
            note_pending(window, pair);
        }
    }
}

/* What add_found reads. */
static inline __attribute__((always_inline)) void fetch_found(const carom_escapes *escapes,
                                                              const carom_contact_pair *pair) {
    const uint32_t other = carom_impacts_is_surface(pair->other) ? pair->a : pair->other;
    __builtin_prefetch(&escapes->window->active_of[other]);
    __builtin_prefetch(&escapes->rows->head[pair->a]);
    __builtin_prefetch(&escapes->rows->head[other]);
}

static bool build_tree(const carom_escapes *escapes) {
    const carom_window *window = escapes->window;
    carom_leaves *leaves = escapes->leaves;
    return carom_leaves_make(leaves, window->memory, escapes->context, window->hulls, window->bodies) == CAROM_OK &&
           carom_tree_build(escapes->tree, window->memory, &escapes->context->team, leaves->box,
                            window->bodies->count) == CAROM_OK;
}

/* The nodes above leaves that were widened; or the tree, if there is none yet. */
static bool renew_tree(const carom_escapes *escapes) {
    const carom_window *window = escapes->window;
    if (escapes->tree->count == 0) {
        return build_tree(escapes);
    }
    for (uint32_t w = 0; w < escapes->context->team.workers; w++) {
        const carom_list *list = &window->worker[w].escape;
        const carom_escape *escape = list->buffer.data;
        for (uint64_t n = 0; n < list->count; n++) {
            const uint32_t ahead = escape[n + AHEAD < list->count ? n + AHEAD : n].slot;
            carom_tree_ahead(escapes->tree, carom_leaves_of(escapes->leaves, ahead));
            carom_leaves_renew(escapes->leaves, window->hulls, window->bodies, escape[n].slot);
            carom_tree_widen(escapes->tree, carom_leaves_of(escapes->leaves, escape[n].slot));
        }
    }
    return true;
}

/* Lets long rows have what escaped and may now be touched. False if there is no memory. */
static bool widen_rows(const carom_escapes *escapes) {
    const carom_window *window = escapes->window;
    bool done = true;
    for (uint32_t w = 0; w < escapes->context->team.workers && escapes->rows->longs.count > 0; w++) {
        const carom_list *list = &window->worker[w].escape;
        const carom_escape *escape = list->buffer.data;
        for (uint64_t n = 0; n < list->count && done; n++) {
            done = carom_long_rows_note(escapes->rows, window->memory, window->bodies, window->hulls, escape[n].slot);
        }
    }
    carom_long_rows_renew(escapes->rows, &escapes->context->team, window->bodies, window->hulls, window->sets.escaped);
    return done;
}

/* Marks the bodies that escaped, or takes the marks away. */
static void mark_escaped(const carom_escapes *escapes, bool escaped) {
    uint64_t *words = escapes->window->sets.escaped;
    for (uint32_t w = 0; w < escapes->context->team.workers; w++) {
        const carom_list *list = &escapes->window->worker[w].escape;
        for (uint64_t n = 0; n < list->count; n++) {
            const uint32_t slot = ((const carom_escape *)list->buffer.data)[n].slot;
            const uint64_t bit = UINT64_C(1) << slot % 64;
            words[slot / 64] = escaped ? words[slot / 64] | bit : words[slot / 64] & ~bit;
        }
    }
}

/* Whether the hulls have met too many. */
static bool met_too_many(const carom_escapes *escapes) {
    const carom_window *window = escapes->window;
    const uint64_t most = (uint64_t)ADDED_MOST * window->bodies->count + ADDED_FEW;
    return window->hulls->tight && escapes->rows->extras.count > most && has_time(window);
}

/* Then the search is made again for a shorter time. */
static void note_too_long(const carom_escapes *escapes) {
    for (uint32_t w = 0; w < escapes->context->team.workers; w++) {
        const finder f = {escapes, &escapes->window->worker[w]};
        const carom_escape *escape = f.own->escape.buffer.data;
        for (uint64_t n = 0; n < f.own->escape.count; n++) {
            note_far(&f, escape[n].slot);
        }
    }
}

void carom_escapes_follow(const carom_escapes *escapes) {
    carom_window *window = escapes->window;
    uint64_t count = 0;
    for (uint32_t w = 0; w < escapes->context->team.workers; w++) {
        count += window->worker[w].escape.count;
    }
    if (count == 0) {
        return;
    }
    if (met_too_many(escapes)) {
        note_too_long(escapes);
        return;
    }
    if (!renew_tree(escapes)) {
        window->failed = true;
        return;
    }
    mark_escaped(escapes, true);
    window->failed = window->failed || !widen_rows(escapes);
    carom_escapes data = *escapes;
    carom_team_run_over(&escapes->context->team, count * 64, find_task, &data);
    for (uint32_t w = 0; w < escapes->context->team.workers && !window->failed; w++) {
        const carom_impacts_worker *worker = &window->worker[w];
        window->failed = worker->failed;
        const carom_contact_pair *found = worker->search.found.buffer.data;
        for (uint64_t n = 0; n < worker->search.found.count && !window->failed; n++) {
            fetch_found(escapes, &found[n + AHEAD < worker->search.found.count ? n + AHEAD : n]);
            add_found(escapes, &found[n]);
        }
    }
    mark_escaped(escapes, false);
}
