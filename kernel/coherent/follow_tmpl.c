/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/coherent/follow_tmpl.h"

#include <math.h>
#include <string.h>

#include "kernel/broad/partition.h"
#include "kernel/check/assert.h"
#include "kernel/detect/search/survey_tmpl.h"
#include "kernel/sys/clock.h"
#include "simd/layout.h"

/* What the workers share that move bodies. */
typedef struct move {
    carom_coherent_step *step;
    uint64_t *escaped; /* bodies that each worker found outside their fat boxes */
    uint64_t limit;    /* with more a worker gives up */
} move;

uint32_t carom_follow_range(const carom_coherent_step *step, uint64_t begin, uint64_t end, uint32_t *escaped) {
    const carom_coherent *state = step->state;
    const carom_fat_box_set fat_boxes = carom_coherent_fat_box_set(state);
    const uint32_t *slot = carom_coherent_data(state, CAROM_COHERENT_SLOT);
    /* Records that the walk will not find in cache are stored past it. */
    const bool past_cache = state->count * sizeof(carom_record) > CAROM_PAST_CACHE;
    const carom_follow_in moved = {step->job->bodies, begin, end, &fat_boxes, slot, past_cache};
    carom_follow_out to = {.records = step->job->search.records, .escaped = escaped};
    carom_kernels_of(state->context->simd)->follow(&moved, &to);
    return to.escaped_count;
}

/* A worker's escaped bodies begin in ESCAPED where its own bodies begin. */
static void move_bodies(void *data, uint32_t w) {
    move *m = data;
    carom_coherent_step *step = m->step;
    const carom_coherent *state = step->state;
    const double clock = carom_clock_seconds();
    carom_walk walk = carom_team_walk(&state->context->team, w, state->count, CAROM_COHERENT_BATCH);
    uint32_t *own = (uint32_t *)carom_coherent_data(state, CAROM_COHERENT_ESCAPED) + walk.begin;
    uint64_t found = 0;
    walk.step = CAROM_COHERENT_BATCH;
    while (found <= m->limit && carom_walk_next(&walk)) {
        found += carom_follow_range(step, walk.begin, walk.end, own + found);
    }
    m->escaped[w] = found;
    carom_job_worker_lap(&step->job->workers[w], CAROM_PHASE_PARTITION, clock);
}

/* Closes the gaps between the workers' escaped bodies. Returns how many there are; they ascend. */
static uint64_t join_escaped(const move *m, uint64_t bodies) {
    const carom_coherent *state = m->step->state;
    const carom_team *team = &state->context->team;
    uint32_t *escaped = carom_coherent_data(state, CAROM_COHERENT_ESCAPED);
    uint64_t count = 0;
    for (uint32_t w = 0; w < team->workers; w++) {
        const carom_range own = carom_team_range(team, w, bodies, CAROM_COHERENT_BATCH);
        memmove(escaped + count, escaped + own.begin, m->escaped[w] * sizeof *escaped);
        count += m->escaped[w];
    }
    return count;
}

uint64_t carom_follow_bodies(carom_coherent_step *step) {
    carom_detect_job *job = step->job;
    CAROM_ASSERT(step->state->built && step->state->count == job->bodies->count);
    job->search.records = carom_coherent_data(step->state, CAROM_COHERENT_RECORDS);
    step->escape_limit = carom_coherent_escape_limit(step->state->owned);
    /* In a periodic box many that seem to have escaped have only changed cells. */
    const bool patient = step->hooks != NULL;
    move m = {step, carom_context_shares(job->context), patient ? step->state->count : step->escape_limit};
    /* Bodies that are placed at the same time come without images, which follow them. */
    const bool unplaced = step->unplaced;
    step->unplaced = false;
    if (!unplaced) {
        carom_team_run(&job->context->team, move_bodies, &m);
    } else if (!step->hooks->move(step, m.escaped)) {
        step->cold = true;
        return 0;
    }
    if (carom_job_stopped(job)) {
        return 0;
    }
    /* By the data structures, whether or not the bytes come from memory; mostly the inner boxes are enough. */
    double *bytes = job->detection->summary.phase_bytes;
    const double fat_box = 6.0 * (step->state->has_inner ? sizeof(uint16_t) : sizeof(float));
    bytes[CAROM_PHASE_PARTITION] =
        (double)job->bodies->count * (7.0 * sizeof(carom_real) + fat_box + sizeof(uint32_t) + sizeof(carom_record));
    carom_job_share_time(job);
    const uint64_t escaped = join_escaped(&m, unplaced ? step->state->owned : step->state->count);
    return patient ? step->hooks->settle(step, escaped) : escaped;
}

/* In double precision boxes are relative to the centre that cold detection would use in this step. */
bool carom_follow_centre(carom_coherent_step *step) {
    const carom_coherent *state = step->state;
    bool near = true;
    carom_survey_centre(step->job, step->centre);
    for (int a = 0; a < 3; a++) {
        near = near && fabs(step->centre[a] - state->centre[a]) <= state->drift;
    }
    return near;
}

bool carom_follow_any_bad(const carom_coherent_step *step, uint64_t escaped) {
    const uint32_t *who = carom_coherent_data(step->state, CAROM_COHERENT_ESCAPED);
    const carom_bodies *bodies = step->job->bodies;
    bool bad = false;
    for (uint64_t n = 0; n < escaped && !bad; n++) {
        const carom_record body = carom_layout_body(bodies, who[n]);
        bad = !(body.radius >= 0) || !isfinite(body.radius);
        for (int a = 0; a < 3; a++) {
            bad = bad || !isfinite(body.prev[a]) || !isfinite(body.curr[a]);
        }
    }
    return bad;
}
