/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: bodies in a window of time. Out: hulls, rows and first impacts. Pairs come from detection, to which a hull is the
 * swept box of a point that goes from one of its corners to the other. */
#include "kernel/impacts/search.h"

#include <math.h>
#include <string.h>

#include "kernel/detect/detect.h"
#include "kernel/impacts/images.h"
#include "kernel/impacts/long_rows.h"
#include "kernel/impacts/near.h"
#include "kernel/sys/error.h"

/* Slots of a worker's share begin at multiples of this one. */
enum { GRAIN = 16 };

/* Edges of a periodic box that a hull may be wide. One of a body that moves 15 edges, in a box that is tilted by 12
 * widths, may be some 200. */
static const double EDGES_MOST = 256.0;

typedef struct pass {
    const carom_search *search;
    const carom_team *team;
    carom_window *window;
    double dual[3][3]; /* of the periodic box (images.h) */
} pass;

static bool fits(const pass *p, const double width[3]) {
    bool narrow = true;
    for (int e = 0; e < 3; e++) {
        const double *dual = p->dual[e];
        const double edges = fabs(dual[0]) * width[0] + fabs(dual[1]) * width[1] + fabs(dual[2]) * width[2];
        narrow = narrow && edges <= EDGES_MOST;
    }
    return narrow;
}

static void width_of(const carom_hull_box *hull, double width[3]) {
    for (int a = 0; a < 3; a++) {
        width[a] = (double)hull->hi[a] - (double)hull->lo[a];
    }
}

/* In a periodic box notes the lowest of slots [begin, end) whose hull is so wide that it would meet images without
 * number. No body is so fast: it is far out where space is open, and floats there lie edges apart. */
static void note_wide(const pass *p, uint64_t begin, uint64_t end, carom_impacts_worker *own) {
    const carom_hull_box *hull = p->search->hulls.box;
    double widest[3] = {0.0, 0.0, 0.0};
    for (uint64_t slot = begin; slot < end; slot++) {
        double width[3];
        width_of(&hull[slot], width);
        for (int a = 0; a < 3; a++) {
            widest[a] = width[a] > widest[a] ? width[a] : widest[a];
        }
    }
    if (fits(p, widest)) {
        return;
    }
    for (uint64_t slot = begin; slot < end; slot++) {
        width_of(&hull[slot], widest);
        if (!fits(p, widest)) {
            carom_beyond_note(&own->beyond.image, p->window->bodies->number[slot]);
        }
    }
}

static void hulls_task(void *data, uint32_t worker) {
    const pass *p = data;
    carom_impacts_worker *own = &p->window->worker[worker];
    carom_walk walk = carom_team_walk(p->team, worker, p->window->bodies->count, GRAIN);
    own->beyond = CAROM_BEYOND_NONE;
    while (carom_walk_next(&walk)) {
        for (uint64_t slot = walk.begin; slot < walk.end; slot++) {
            p->window->count_of[slot] = p->window->bodies->piece[slot].count;
        }
        carom_beyond_note(&own->beyond.floats, carom_hulls_make(&p->search->hulls, p->window->simd, p->window->bodies,
                                                                walk.begin, walk.end));
        if (p->window->bodies->periodic != NULL) {
            note_wide(p, walk.begin, walk.end, own);
        }
    }
}

static carom_status no_memory(const carom_memory *memory, carom_error *error) {
    return carom_memory_error(memory, error, "the neighbours of bodies");
}

static carom_status reserve(carom_search *search, carom_memory *memory, uint32_t count) {
    const uint64_t room = carom_tree_room(count);
    if (carom_buffer_reserve(memory, &search->hull_buffer, room * sizeof(carom_hull_box)) != CAROM_OK ||
        carom_buffer_reserve(memory, &search->coarse_buffer, room * sizeof(carom_coarse_path)) != CAROM_OK) {
        return CAROM_ERROR_MEMORY;
    }
    search->hulls.box = search->hull_buffer.data;
    search->hulls.coarse = search->coarse_buffer.data;
    return CAROM_OK;
}

/* One surface's walk through the tree. */
typedef struct near_walk {
    carom_impacts_worker *own;
    carom_memory *memory;
    uint32_t surface;
} near_walk;

static void take_near(void *data, uint32_t slot) {
    const near_walk *walk = data;
    const carom_contact_pair pair = {slot, CAROM_IMPACTS_SURFACE + walk->surface, CAROM_IMAGE_SELF};
    const bool taken = carom_list_append(walk->memory, &walk->own->search.found, &pair, sizeof pair);
    walk->own->failed = walk->own->failed || !taken;
}

static void near_task(void *data, uint32_t worker) {
    const pass *p = data;
    const carom_impacts_bodies *bodies = p->window->bodies;
    near_walk walk = {&p->window->worker[worker], p->window->memory, 0};
    carom_walk surfaces = carom_team_walk(p->team, worker, bodies->surfaces, 1);
    walk.own->search.found.count = 0;
    while (carom_walk_next(&surfaces)) {
        for (uint64_t s = surfaces.begin; s < surfaces.end; s++) {
            walk.surface = (uint32_t)s;
            carom_tree_find_shape(&p->search->tree, carom_surface_near, &bodies->surface[s], take_near, &walk);
        }
    }
}

/* Surfaces look for the bodies near them, so here many surfaces cost what they meet. */
static carom_status find_near(carom_search *search, carom_memory *memory, pass *p) {
    const carom_impacts_bodies *bodies = p->window->bodies;
    search->surface.count = 0;
    search->tree.count = 0;
    if (bodies->surfaces == 0) {
        return CAROM_OK;
    }
    carom_status status = carom_tree_build(&search->tree, memory, p->team, search->hulls.box, bodies->count);
    if (status == CAROM_OK) {
        carom_team_run_over(p->team, bodies->count, near_task, p);
    }
    for (uint32_t w = 0; w < p->team->workers && status == CAROM_OK; w++) {
        const carom_impacts_worker *worker = &p->window->worker[w];
        const uint64_t count = worker->search.found.count;
        const uint64_t entry = sizeof(carom_contact_pair);
        if (worker->failed || !carom_list_reserve(memory, &search->surface, count, entry)) {
            return CAROM_ERROR_MEMORY;
        }
        if (count > 0) {
            memcpy((carom_contact_pair *)search->surface.buffer.data + search->surface.count,
                   worker->search.found.buffer.data, count * entry);
        }
        search->surface.count += count;
    }
    carom_leaves_take(&search->leaves, &search->hulls);
    if (bodies->periodic != NULL) {
        search->tree.count = 0; /* escapes need one over wrapped hulls */
    }
    return status;
}

static carom_status too_far(uint32_t number, carom_error *error) {
    return carom_error_body(error, number, "position",
                            "body %u may meet an image more than %d edges of the periodic box away", number,
                            CAROM_IMAGE_MOST);
}

carom_status carom_search_beyond(const carom_window *window, const carom_team *team, carom_error *error) {
    carom_beyond beyond = CAROM_BEYOND_NONE;
    for (uint32_t w = 0; w < team->workers; w++) {
        carom_beyond_note(&beyond.floats, window->worker[w].beyond.floats);
        carom_beyond_note(&beyond.image, window->worker[w].beyond.image);
    }
    if (beyond.floats != CAROM_IMPACTS_NONE) {
        return carom_error_body(error, beyond.floats, "position",
                                "body %u, with its radius, leaves the range of floats in this step", beyond.floats);
    }
    return beyond.image != CAROM_IMPACTS_NONE ? too_far(beyond.image, error) : CAROM_OK;
}

static bool is_far(const carom_found_pairs *pairs, uint64_t n) {
    bool far = false;
    for (int e = 0; e < 3; e++) {
        far = far || pairs->shift[e][n] < -CAROM_IMAGE_MOST || pairs->shift[e][n] > CAROM_IMAGE_MOST;
    }
    return far;
}

/* The order of pairs depends on where bodies lie in memory: the lowest body is named. */
static carom_status check_shifts(const carom_impacts_bodies *bodies, const carom_found_pairs *pairs,
                                 carom_error *error) {
    uint32_t lowest = CAROM_IMPACTS_NONE;
    for (uint64_t n = 0; n < pairs->count && pairs->shift[0] != NULL; n++) {
        if (is_far(pairs, n)) {
            const uint32_t a = bodies->number[pairs->a[n]];
            const uint32_t b = bodies->number[pairs->b[n]];
            lowest = a < lowest ? a : lowest;
            lowest = b < lowest ? b : lowest;
        }
    }
    return lowest == CAROM_IMPACTS_NONE ? CAROM_OK : too_far(lowest, error);
}

/* Detection has looked at hulls, which it names by their slots. */
static carom_status name_body(const carom_impacts_bodies *bodies, carom_status status, carom_error *error) {
    if (status != CAROM_ERROR_BODY || error == NULL) {
        return status;
    }
    const uint32_t number = bodies->number[error->body];
    return carom_error_body(
        error, number, "position",
        "body %u: where it may be in this step is too wide for the periodic box, or too far from it", number);
}

static carom_status find_pairs(carom_search *search, carom_context *context, const carom_impacts_bodies *bodies,
                               carom_error *error) {
    carom_found_pairs *pairs = &search->pairs;
    const carom_hull_box *hulls = search->hulls.box;
    const carom_bodies_f32 boxes = {.count = bodies->count,
                                    .prev = {&hulls->lo[0], &hulls->lo[1], &hulls->lo[2]},
                                    .curr = {&hulls->hi[0], &hulls->hi[1], &hulls->hi[2]},
                                    .prev_stride = sizeof *hulls,
                                    .curr_stride = sizeof *hulls};
    carom_detect_config config = carom_detect_config_default();
    carom_detection_f32 found = {0};
    config.until = CAROM_UNTIL_PAIRS;
    config.periodic = bodies->periodic;
    const carom_status status = carom_detect_run_f32(context, &boxes, &config, NULL, &found, error);
    carom_context_use_workers(context, bodies->count);
    *pairs = (carom_found_pairs){.count = found.pair_count, .a = found.contacts.i, .b = found.contacts.k};
    for (int e = 0; e < 3; e++) {
        pairs->shift[e] = found.contacts.shift[e];
    }
    return status == CAROM_OK ? check_shifts(bodies, pairs, error) : name_body(bodies, status, error);
}

carom_status carom_search_run(carom_search *search, carom_memory *memory, carom_context *context, carom_window *window,
                              carom_error *error) {
    const carom_impacts_bodies *bodies = window->bodies;
    pass p = {.search = search, .team = &context->team, .window = window};
    search->reuse.left = 0;
    if (bodies->periodic != NULL) {
        carom_images_dual(bodies->periodic, p.dual);
    }
    if (reserve(search, memory, bodies->count) != CAROM_OK) {
        return no_memory(memory, error);
    }
    carom_team_run_over(&context->team, bodies->count, hulls_task, &p);
    carom_status status = carom_search_beyond(window, &context->team, error);
    if (status != CAROM_OK) {
        return status;
    }
    status = find_pairs(search, context, bodies, error);
    if (status != CAROM_OK) {
        return status;
    }
    if (find_near(search, memory, &p) != CAROM_OK ||
        carom_rows_make(&search->rows, memory, &context->team, bodies, &search->pairs, &search->surface) != CAROM_OK) {
        return no_memory(memory, error);
    }
    carom_long_rows_order(&search->rows, &context->team, bodies, &search->hulls);
    return CAROM_OK;
}

void carom_search_release(carom_search *search, carom_memory *memory) {
    carom_rows_release(&search->rows, memory);
    carom_buffer_release(memory, &search->reuse.surface.buffer);
    carom_buffer_release(memory, &search->reuse.changed_buffer);
    carom_tree_release(&search->tree, memory);
    carom_leaves_release(&search->leaves, memory);
    carom_buffer_release(memory, &search->surface.buffer);
    carom_buffer_release(memory, &search->hull_buffer);
    carom_buffer_release(memory, &search->coarse_buffer);
}
