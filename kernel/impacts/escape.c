/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: bodies with wider hulls. Out: rows with what those meet, and groups that are to be simulated again. */
#include "kernel/impacts/escape.h"

#include "kernel/impacts/images.h"
#include "kernel/impacts/near.h"

/* Escapes ahead for which the tree is fetched. */
enum { AHEAD = 3 };

/* One escape, and one image of all other bodies. */
typedef struct query {
    const carom_escapes *escapes;
    carom_impacts_worker *own;
    const carom_escape *escape;
    carom_box before; /* the hull that it had, moved by the image */
    uint32_t image;
} query;

/* What was noted of a body that left its hull in this round; NULL if it did not. Those that did are marked. */
static const carom_escape *escape_of(const carom_window *window, uint32_t slot) {
    if (!carom_window_marked(window, slot)) {
        return NULL;
    }
    const carom_active *active = &carom_window_active(window)[window->active_of[slot]];
    return (const carom_escape *)window->worker[active->worker].escape.buffer.data + active->escape;
}

static void note_found(const query *q, uint32_t other) {
    const carom_contact_pair pair = {q->escape->slot, other, q->image};
    const bool noted = carom_list_append(q->escapes->window->memory, &q->own->found, &pair, sizeof pair);
    q->own->failed = q->own->failed || !noted;
}

/* Takes a body whose hull the wider one meets. Two that escaped find each other twice, and one of them counts. In open
 * space those that were neighbours before are known. In a periodic box rounding may have decided otherwise, and
 * the rows tell. */
static void take(void *data, uint32_t slot) {
    query *q = data;
    const carom_window *window = q->escapes->window;
    const carom_escape *other = escape_of(window, slot);
    const carom_box before = other != NULL ? other->before : carom_box_array_get(&window->hulls->boxes, slot);
    const bool known =
        q->image == CAROM_IMAGE_SELF && window->bodies->periodic == NULL && carom_box_meets(&before, &q->before);
    if (slot == q->escape->slot || known || (other != NULL && slot < q->escape->slot) ||
        !carom_impacts_collide(window->bodies, q->escape->slot, slot)) {
        return;
    }
    note_found(q, slot);
}

/* Rounding decides whether a hull is near a surface, and for a hull alone not as for the boxes of a tree around it: the
 * rows tell which surfaces are known. */
static void find_surfaces(query *q, const carom_box *now) {
    const carom_impacts_bodies *bodies = q->escapes->window->bodies;
    q->image = CAROM_IMAGE_SELF;
    for (uint32_t s = 0; s < bodies->surfaces; s++) {
        const carom_contact_pair pair = {q->escape->slot, CAROM_IMPACTS_SURFACE + s, CAROM_IMAGE_SELF};
        if (carom_surface_near(&bodies->surface[s], now) && !carom_rows_have(q->escapes->rows, &pair)) {
            note_found(q, pair.other);
        }
    }
}

static void find_bodies(query *q, const carom_box *now) {
    const carom_tree *tree = q->escapes->tree;
    const carom_periodic *periodic = q->escapes->window->bodies->periodic;
    carom_image_walk images = carom_images_begin(periodic, now, tree);
    while (carom_images_next(&images)) {
        q->image = images.code;
        carom_tree_find(tree, q->escapes->window->simd, &images.box, take, q);
    }
    if (images.far) {
        const uint32_t number = q->escapes->window->bodies->number[q->escape->slot];
        q->own->beyond = number < q->own->beyond ? number : q->own->beyond;
    }
}

/* A team's task: each worker looks for what its own escapes meet. */
static void find_task(void *data, uint32_t worker) {
    const carom_escapes *escapes = data;
    carom_impacts_worker *own = &escapes->window->worker[worker];
    const carom_escape *escape = own->escape.buffer.data;
    own->found.count = 0;
    for (uint64_t n = 0; n < own->escape.count && !own->failed; n++) {
        carom_tree_ahead(escapes->tree, escape[n + AHEAD < own->escape.count ? n + AHEAD : n].slot);
        const carom_box now = carom_box_array_get(&escapes->window->hulls->boxes, escape[n].slot);
        query q = {.escapes = escapes, .own = own, .escape = &escape[n], .before = escape[n].before};
        find_bodies(&q, &now);
        find_surfaces(&q, &now);
    }
}

/* A simulation has looked at rows as they were: it may have missed a neighbour within the group, or a surface. */
static void add_found(const carom_escapes *escapes, const carom_contact_pair *pair) {
    carom_window *window = escapes->window;
    if (window->bodies->periodic != NULL && carom_rows_have(escapes->rows, pair)) {
        return;
    }
    if (carom_rows_add(escapes->rows, window->memory, window->bodies, pair) != CAROM_OK) {
        window->failed = true;
        return;
    }
    const carom_active *active = carom_window_active(window);
    const uint32_t root = active[window->active_of[pair->a]].parent;
    if (carom_impacts_is_surface(pair->other) || carom_impacts_is_fixed(window->bodies, pair->other)) {
        carom_window_touch(window, pair->a);
    } else if (window->active_of[pair->other] != CAROM_IMPACTS_NONE &&
               active[window->active_of[pair->other]].parent == root) {
        carom_window_touch(window, pair->a);
    }
}

/* The nodes above leaves that were widened; or the tree, if there is none yet. */
static bool renew_tree(const carom_escapes *escapes) {
    const carom_window *window = escapes->window;
    if (escapes->tree->count == 0) {
        return carom_tree_build(escapes->tree, window->memory, escapes->team, &window->hulls->boxes,
                                window->bodies->count) == CAROM_OK;
    }
    for (uint32_t w = 0; w < escapes->team->workers; w++) {
        const carom_list *list = &window->worker[w].escape;
        for (uint64_t n = 0; n < list->count; n++) {
            carom_tree_widen(escapes->tree, ((const carom_escape *)list->buffer.data)[n].slot);
        }
    }
    return true;
}

/* Marks the bodies that escaped, or takes the marks away. */
static void mark_escaped(const carom_escapes *escapes, void mark(const carom_window *window, uint32_t slot)) {
    for (uint32_t w = 0; w < escapes->team->workers; w++) {
        const carom_list *list = &escapes->window->worker[w].escape;
        for (uint64_t n = 0; n < list->count; n++) {
            mark(escapes->window, ((const carom_escape *)list->buffer.data)[n].slot);
        }
    }
}

void carom_escapes_follow(const carom_escapes *escapes) {
    carom_window *window = escapes->window;
    uint64_t count = 0;
    for (uint32_t w = 0; w < escapes->team->workers; w++) {
        count += window->worker[w].escape.count;
    }
    if (count == 0) {
        return;
    }
    if (!renew_tree(escapes)) {
        window->failed = true;
        return;
    }
    carom_escapes data = *escapes;
    mark_escaped(escapes, carom_window_mark);
    carom_team_run_over(escapes->team, count * 64, find_task, &data);
    mark_escaped(escapes, carom_window_unmark);
    for (uint32_t w = 0; w < escapes->team->workers && !window->failed; w++) {
        const carom_impacts_worker *worker = &window->worker[w];
        window->failed = worker->failed;
        for (uint64_t n = 0; n < worker->found.count && !window->failed; n++) {
            add_found(escapes, (const carom_contact_pair *)worker->found.buffer.data + n);
        }
    }
}
