/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: bodies. Out: bodies at the end of the step, or an error. */
#include "kernel/world/mover.h"

#include <string.h>

#include "kernel/sys/clock.h"
#include "kernel/sys/error.h"

void carom_mover_open(carom_mover *mover, carom_context *context) {
    mover->context = context;
    mover->opened = carom_clock_seconds();
    mover->began = mover->opened;
    memset(mover->seconds, 0, sizeof mover->seconds);
}

void carom_mover_close(carom_mover *mover) {
    mover->context->team.control = NULL;
    carom_context_give_back(mover->context);
}

/* Not inline, and no way back to doubles: see carom_body_rounded. */
__attribute__((noinline)) void carom_mover_round(const carom_mover_end *end, uint64_t count, float (*single)[6]) {
    for (uint64_t n = 0; n < count; n++) {
        for (int a = 0; a < 3; a++) {
            single[n][a] = (float)end[n].x[a];
            single[n][3 + a] = (float)end[n].v[a];
        }
    }
}

void carom_mover_lap(carom_mover *mover, carom_step_phase phase) {
    const double now = carom_clock_seconds();
    mover->seconds[phase] += now - mover->began;
    mover->began = now;
}

carom_status carom_mover_cancelled(const carom_mover *mover, carom_error *error) {
    return carom_team_stopped(&mover->context->team)
               ? carom_error_set(error, CAROM_ERROR_CANCELLED, "the caller cancelled the call")
               : CAROM_OK;
}

carom_status carom_mover_finish(carom_mover *mover, carom_error *error) {
    const carom_status status = carom_mover_cancelled(mover, error);
    mover->context->team.control = NULL;
    return status;
}

carom_mover_impacts carom_mover_impacts_of(const carom_mover *mover) {
    const carom_impacts_step *impacts = &mover->impacts;
    const carom_list *events = &impacts->events.list;
    return mover->bodies.count > 0 ? (carom_mover_impacts){events->buffer.data, events->count, impacts->work.impacts,
                                                           impacts->work.surface_impacts}
                                   : (carom_mover_impacts){.count = 0};
}

void carom_mover_release(carom_mover *mover, carom_memory *memory) {
    carom_buffer *buffers[] = {&mover->buffers.piece,   &mover->buffers.body, &mover->buffers.kept,
                               &mover->buffers.wrapped, &mover->held_buffer,  &mover->event_buffer};
    for (size_t n = 0; n < sizeof buffers / sizeof *buffers; n++) {
        carom_buffer_release(memory, buffers[n]);
    }
    carom_order_release(&mover->order, memory);
    carom_impacts_step_release(&mover->impacts, memory);
}
