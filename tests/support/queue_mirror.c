/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/support/queue_mirror.h"

#include <string.h>

#include "tests/support/note.h"

static void shuffle(queue_mirror *mirror, uint32_t count, carom_random *random) {
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t other = (uint32_t)(carom_random_next(random) % (n + 1));
        mirror->number[n] = mirror->number[other];
        mirror->number[other] = n;
    }
}

void queue_mirror_make(queue_mirror *mirror, const queue_world *queue, carom_random *random) {
    shuffle(mirror, queue->bodies, random);
    queue_mirror_renew(mirror, queue);
}

void queue_mirror_renew(queue_mirror *mirror, const queue_world *queue) {
    const uint32_t count = queue->bodies;
    mirror->bodies = (carom_impacts_bodies){.count = count,
                                            .surfaces = queue->surfaces,
                                            .rules = queue->rules,
                                            .piece = mirror->piece,
                                            .body = mirror->body,
                                            .kept = mirror->kept,
                                            .number = mirror->number,
                                            .surface = queue->surface,
                                            .periodic = queue->periodic,
                                            .lattice = queue->lattice,
                                            .all_movable = true};
    for (uint32_t slot = 0; slot < count; slot++) {
        mirror->piece[slot] = queue->piece[mirror->number[slot]];
        mirror->body[slot] = queue->body[mirror->number[slot]];
        mirror->bodies.all_movable = mirror->bodies.all_movable && mirror->body[slot].inverse_mass > 0.0;
    }
}

void queue_mirror_check_events(const carom_impacts_step *step, const queue_event *expected, uint64_t count) {
    const carom_impacts_event *events = step->events.list.buffer.data;
    for (uint64_t n = 0; n < count && n < step->events.list.count; n++) {
        const carom_impacts_event *e = &events[n];
        const queue_event *q = &expected[n];
        note_check(e->t == q->t && e->i == q->i && e->k == q->k && memcmp(e->shift, q->shift, sizeof q->shift) == 0 &&
                       memcmp(&e->impact, &q->impact, sizeof q->impact) == 0,
                   "impact %g is (%a, %u, %u), not (%a, %u, %u)", (double)n, e->t, e->i, e->k, q->t, q->i, q->k);
    }
    note_check(step->events.list.count == count && step->work.impacts == count, "%g impacts, not %g",
               (double)step->events.list.count, (double)count);
}

static const double *velocity_after(const queue_mirror *mirror, uint32_t slot) {
    carom_piece piece = mirror->piece[slot];
    const carom_response_side side = carom_impacts_side(&mirror->bodies, slot, &piece);
    const bool held = piece.count > 0 && !carom_response_moves(&mirror->bodies.rules, &side);
    return held ? mirror->kept[slot] : mirror->piece[slot].v;
}

void queue_mirror_check_bodies(const queue_mirror *mirror, const queue_world *queue) {
    for (uint32_t slot = 0; slot < queue->bodies; slot++) {
        const uint32_t n = mirror->number[slot];
        const carom_piece *wanted = &queue->piece[n];
        const double *v = velocity_after(mirror, slot);
        double x[3];
        carom_piece_at(&mirror->piece[slot], 1.0, x);
        note_check(memcmp(x, wanted->x, sizeof x) == 0, "body %u is at (%a, %a, %a), not (%a, %a, %a)", n, x[0], x[1],
                   x[2], wanted->x[0], wanted->x[1], wanted->x[2]);
        note_check(memcmp(v, wanted->v, sizeof x) == 0, "body %u moves with (%a, %a, %a), not (%a, %a, %a)", n, v[0],
                   v[1], v[2], wanted->v[0], wanted->v[1], wanted->v[2]);
    }
}

void queue_mirror_step(queue_mirror *mirror, queue_world *queue, const queue_stepper *stepper,
                       const queue_event *expected) {
    carom_error error = {.message = ""};
    const carom_status status =
        carom_impacts_step_run(stepper->step, stepper->memory, stepper->context, &mirror->bodies, &error);
    note_check(status == CAROM_OK, "%s: %s", carom_status_name(status), error.message);
    queue->impacts = 0;
    queue_step(queue);
    queue_mirror_check_events(stepper->step, expected, queue->impacts);
    queue_mirror_check_bodies(mirror, queue);
}
