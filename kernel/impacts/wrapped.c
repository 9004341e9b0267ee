/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: hulls. Out: the same hulls in one periodic box. */
#include "kernel/impacts/wrapped.h"

#include <math.h>
#include <stdlib.h>

#include "kernel/impacts/images.h"

/* A hull that is more edges away, as where a caller has put a body there, stays where it is: any number is right. */
static const double EDGES_MOST = 16384.0;

/* Slots that a worker takes at once. */
enum { GRAIN = 64 };

typedef struct pass {
    const carom_wrapped *wrapped;
    const carom_hulls *hulls;
    const carom_periodic *periodic;
    const carom_team *team;
    uint64_t count;
} pass;

void carom_wrapped_renew(const carom_wrapped *wrapped, const carom_hulls *hulls, const carom_periodic *periodic,
                         uint32_t slot) {
    const carom_box hull = carom_box_of(&hulls->box[slot]);
    int32_t edges[3];
    for (int e = 0; e < 3; e++) {
        double number = 0.0;
        for (int a = 0; a < 3; a++) {
            number += wrapped->dual[e][a] * (0.5 * ((double)hull.lo[a] + (double)hull.hi[a]));
        }
        edges[e] = fabs(number) < EDGES_MOST ? (int32_t)rint(number) : 0;
        wrapped->edges[slot].edge[e] = (int16_t)edges[e];
    }
    const carom_box moved = carom_images_move(&hull, periodic, edges);
    carom_box_put(&wrapped->box[slot], &moved);
}

static void make_task(void *data, uint32_t worker) {
    const pass *p = data;
    carom_walk walk = carom_team_walk(p->team, worker, p->count, GRAIN);
    while (carom_walk_next(&walk)) {
        for (uint64_t slot = walk.begin; slot < walk.end; slot++) {
            carom_wrapped_renew(p->wrapped, p->hulls, p->periodic, (uint32_t)slot);
        }
    }
}

carom_status carom_wrapped_make(carom_wrapped *wrapped, carom_memory *memory, const carom_team *team,
                                const carom_hulls *hulls, const carom_impacts_bodies *bodies) {
    const uint64_t boxes = carom_tree_room(bodies->count) * sizeof(carom_hull_box);
    const uint64_t edges = bodies->count * sizeof(carom_wrapped_edges);
    if (carom_buffer_reserve(memory, &wrapped->box_buffer, boxes) != CAROM_OK ||
        carom_buffer_reserve(memory, &wrapped->edges_buffer, edges) != CAROM_OK) {
        return CAROM_ERROR_MEMORY;
    }
    wrapped->box = wrapped->box_buffer.data;
    wrapped->edges = wrapped->edges_buffer.data;
    carom_images_dual(bodies->periodic, wrapped->dual);
    pass p = {wrapped, hulls, bodies->periodic, team, bodies->count};
    carom_team_run_over(team, bodies->count, make_task, &p);
    return CAROM_OK;
}

/* What b's hull was moved by is added, and what a's was is taken off. */
bool carom_wrapped_image(const carom_wrapped *wrapped, uint32_t a, uint32_t b, const int32_t edges[3], uint32_t *code) {
    int32_t sum[3];
    bool near = true;
    for (int e = 0; e < 3; e++) {
        sum[e] = edges[e] + wrapped->edges[a].edge[e] - wrapped->edges[b].edge[e];
        near = near && abs(sum[e]) <= CAROM_IMAGE_MOST;
    }
    *code = near ? carom_image_code(sum[0], sum[1], sum[2]) : CAROM_IMAGE_SELF;
    return near;
}

void carom_wrapped_release(carom_wrapped *wrapped, carom_memory *memory) {
    carom_buffer_release(memory, &wrapped->box_buffer);
    carom_buffer_release(memory, &wrapped->edges_buffer);
}
