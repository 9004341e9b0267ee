/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/lists/runs_tmpl.h"

#include "kernel/check/assert.h"

/* Cells that follow one another along an axis, moved by so many edges of the box. */
typedef struct stretch {
    uint64_t first;
    uint64_t last;
    int32_t edges;
} stretch;

/* The cells beside one along an axis, and the cell itself; the layers around have none of an axis that repeats. Returns
 * how many stretches they are. */
static uint32_t stretches_of(const carom_lists_grid *grid, int a, uint64_t place, stretch beside[2]) {
    const uint64_t last = grid->around[a];
    if (last == 0 || (place > 1 && place + 1 < last)) {
        beside[0] = (stretch){place - 1, place + 1, 0};
        return 1;
    }
    if (place == 1) {
        beside[0] = (stretch){last - 1, last, -1};
        beside[1] = (stretch){1, 2, 0};
    } else {
        beside[0] = (stretch){place - 1, last, 0};
        beside[1] = (stretch){1, 1, 1};
    }
    return 2;
}

/* What a run is moved by, along an axis. */
static void move_by(const carom_lists_job *job, int a, int32_t edges, carom_gather_move *move) {
    move->step[a] = (uint32_t)edges * (uint32_t)job->grid.edge[a];
    move->key += (uint32_t)edges << (uint32_t)(2 - a) * job->images->axis_bits;
}

/* Adds the runs of a row of cells, along z. */
static void add_row(const carom_lists_job *job, uint64_t row, const carom_gather_move *move, uint64_t z,
                    carom_gather_in *gather) {
    stretch along[2];
    const uint32_t stretches = stretches_of(&job->grid, 2, z, along);
    for (uint32_t s = 0; s < stretches; s++) {
        const uint32_t r = gather->runs++;
        CAROM_ASSERT(r < CAROM_GATHER_RUNS);
        gather->begin[r] = job->slots.start[row + along[s].first];
        gather->end[r] = job->slots.start[row + along[s].last + 1];
        gather->move[r] = *move;
        move_by(job, 2, along[s].edges, &gather->move[r]);
    }
}

/* The rows of cells at one place along x. */
static void add_layer(const carom_lists_job *job, uint64_t x, const carom_gather_move *move, const uint64_t place[3],
                      carom_gather_in *gather) {
    stretch along[2];
    const uint32_t stretches = stretches_of(&job->grid, 1, place[1], along);
    for (uint32_t s = 0; s < stretches; s++) {
        carom_gather_move moved = *move;
        move_by(job, 1, along[s].edges, &moved);
        for (uint64_t y = along[s].first; y <= along[s].last; y++) {
            add_row(job, (x * job->grid.cells[1] + y) * job->grid.cells[2], &moved, place[2], gather);
        }
    }
}

uint64_t carom_lists_runs_across(const carom_lists_job *job, const uint64_t place[3], carom_gather_in *gather,
                                 uint64_t *first) {
    const uint64_t cell = (place[0] * job->grid.cells[1] + place[1]) * job->grid.cells[2] + place[2];
    const uint32_t own = job->slots.start[cell];
    stretch along[2];
    const uint32_t stretches = stretches_of(&job->grid, 0, place[0], along);
    gather->runs = 0;
    gather->moved = true;
    for (uint32_t s = 0; s < stretches; s++) {
        carom_gather_move move = {{0, 0, 0}, 0};
        move_by(job, 0, along[s].edges, &move);
        for (uint64_t x = along[s].first; x <= along[s].last; x++) {
            add_layer(job, x, &move, place, gather);
        }
    }
    uint64_t count = 0;
    for (uint32_t r = 0; r < gather->runs; r++) {
        const bool moved =
            (gather->move[r].key | gather->move[r].step[0] | gather->move[r].step[1] | gather->move[r].step[2]) != 0;
        const bool holds = !moved && gather->begin[r] <= own && own < gather->end[r];
        *first = holds ? count + own - gather->begin[r] : *first;
        count += gather->end[r] - gather->begin[r];
    }
    return count;
}
