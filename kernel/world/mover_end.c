/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: copies of bodies at the end of a step. Out: the bodies; or the error that one is where numbers end. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kernel/sys/clock.h"
#include "kernel/sys/error.h"
#include "kernel/world/begin_body.h"

bool carom_mover_held(const carom_mover *mover, uint32_t slot) {
    return mover->bodies.piece[slot].count >= mover->bodies.rules.budget && !mover->impacts.report_only;
}

/* What bodies end with. */
typedef struct end_pass {
    const carom_mover *mover;
    const carom_piece *piece;
    const carom_lattice *lattice; /* NULL: open space */
    carom_mover_gain gain;
    bool responds;
    bool gains;                      /* there is an acceleration */
    const carom_moving_part *moving; /* of a world that nothing accelerates: all that is read of who goes straight on;
                                        else NULL */
} end_pass;

static bool is_zero(const double v[3]) {
    return v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0;
}

static end_pass end_pass_of(const carom_mover *mover) {
    const carom_rules *rules = mover->rules;
    const carom_mover_gain gain = carom_mover_gain_of(mover);
    return (end_pass){.mover = mover,
                      .piece = mover->bodies.piece,
                      .lattice = rules->config.periodic != NULL ? &rules->lattice : NULL,
                      .gain = gain,
                      .responds = !mover->impacts.report_only,
                      .gains = !is_zero(gain.v),
                      .moving = carom_mover_in_slots(mover->source) && is_zero(gain.v)
                                    ? mover->source->slots.moving(mover->source->bodies)
                                    : NULL};
}

/* After an impact. */
static void end_turned(const end_pass *p, uint32_t slot, carom_mover_end *end) {
    const carom_piece *piece = &p->piece[slot];
    const double *v = carom_mover_held(p->mover, slot) ? p->mover->bodies.kept[slot] : piece->v;
    for (int a = 0; a < 3; a++) {
        end->v[a] = v[a] / p->gain.dt;
    }
    end->last_impact = (piece->start - 1.0) * p->gain.dt;
}

/* Without an impact. The velocity does not go through dt, nor does -0 become 0 where nothing accelerates. */
static inline __attribute__((always_inline)) void end_unturned(const end_pass *p, const carom_body *body,
                                                               carom_mover_end *end) {
    if (p->gains) {
        carom_mover_accelerate(&p->gain, body, end->v);
    } else {
        memcpy(end->v, body->v, sizeof end->v);
    }
    end->last_impact = body->last_impact - p->gain.dt;
}

/* The same where bodies keep their velocities. */
static inline __attribute__((always_inline)) void end_onward(const end_pass *p, uint32_t slot, carom_mover_end *end) {
    end->v[0] = end->v[1] = end->v[2] = 0.0;
    end->last_impact = p->moving[slot].last_impact - p->gain.dt;
    end->keeps_velocity = true;
}

/* Returns whether the body was brought into the box. */
static inline __attribute__((always_inline)) bool end_place(const end_pass *p, uint32_t slot, carom_mover_end *end) {
    carom_piece_at(&p->piece[slot], 1.0, end->x);
    return p->lattice != NULL && carom_wrap_position(p->lattice, end->x) > 0.0;
}

static inline bool turns(const end_pass *p, uint32_t slot) {
    return p->responds && p->piece[slot].count > 0;
}

carom_mover_end carom_mover_end_of(const carom_mover *mover, uint64_t number) {
    const end_pass p = end_pass_of(mover);
    const carom_body body = carom_mover_body(mover, number);
    const uint32_t slot = carom_mover_slot(mover, number);
    carom_mover_end end = {.keeps_velocity = false};
    (void)end_place(&p, slot, &end);
    if (turns(&p, slot)) {
        end_turned(&p, slot, &end);
    } else {
        end_unturned(&p, &body, &end);
    }
    return end;
}

/* Whether the caller's type holds a value. */
static bool holds(const carom_mover *mover, double value) {
    return mover->source->single ? isfinite((float)value) : isfinite(value);
}

static carom_body_field end_fault(const carom_mover *mover, const carom_mover_end *end) {
    for (int a = 0; a < 6; a++) {
        if (!holds(mover, a < 3 ? end->x[a] : end->v[a - 3])) {
            return (carom_body_field)(CAROM_BODY_POSITION + a);
        }
    }
    return CAROM_BODY_FIELDS;
}

static bool ends_well(const carom_mover *mover, uint32_t slot) {
    const carom_piece *piece = &mover->bodies.piece[slot];
    if (!mover->wide && !carom_mover_held(mover, slot) && carom_is_usual(&mover->bodies.usual, piece->x, piece->v)) {
        return true;
    }
    const carom_mover_end end = carom_mover_end_of(mover, mover->bodies.number[slot]);
    return end_fault(mover, &end) == CAROM_BODY_FIELDS;
}

/* Counts bodies that are held, too. */
static void check_ends(void *data, uint32_t worker) {
    carom_mover *mover = data;
    uint64_t held = 0;
    carom_walk walk = carom_team_walk(&mover->context->team, worker, mover->bodies.count, CAROM_MOVER_GRAIN);
    while (carom_walk_next(&walk)) {
        for (uint64_t slot = walk.begin; slot < walk.end; slot++) {
            held += carom_mover_held(mover, (uint32_t)slot) ? 1 : 0;
            if (!ends_well(mover, (uint32_t)slot)) {
                carom_mover_note_bad(mover, mover->bodies.number[slot]);
            }
        }
    }
    atomic_fetch_add_explicit(&mover->held, held, memory_order_relaxed);
}

static carom_status refuse_end(const carom_mover *mover, uint64_t n, carom_error *error) {
    const carom_mover_end end = carom_mover_end_of(mover, n);
    const carom_body_field field = end_fault(mover, &end);
    const char *name = carom_body_field_name(field);
    return carom_error_body(error, n, name, "body %" PRIu64 ": at the end of the step %s is %g, %s", n, name,
                            field < CAROM_BODY_VELOCITY ? end.x[field] : end.v[field - CAROM_BODY_VELOCITY],
                            mover->source->single ? "which floats do not hold" : "which is not finite");
}

/* Whether bodies that are brought into the box may come to numbers that are not usual. */
static bool is_wide(const carom_mover *mover) {
    const carom_periodic *periodic = mover->rules->config.periodic;
    double sum = 0.0;
    for (int e = 0; e < 3 && periodic != NULL; e++) {
        for (int a = 0; a < 3; a++) {
            sum += periodic->along[e] ? fabs(periodic->edge[e][a]) : 0.0;
        }
    }
    return !(sum < mover->bodies.usual.far);
}

/* Whoever begins with a usual motion, and has none or usual ones after impacts, ends with usual numbers. */
carom_status carom_mover_check(carom_mover *mover, carom_error *error) {
    carom_context *context = mover->context;
    mover->wide = is_wide(mover);
    mover->began = carom_clock_seconds();
    const bool unusual = atomic_load_explicit(&mover->seen.unusual, memory_order_relaxed);
    if (mover->wide || unusual || mover->impacts.work.unusual > 0) {
        carom_context_use_workers(context, mover->bodies.count);
        carom_team_run_over(&context->team, mover->bodies.count, check_ends, mover);
    }
    const carom_status status = carom_mover_cancelled(mover, error);
    return status == CAROM_OK && mover->bad != CAROM_NO_BODY ? refuse_end(mover, mover->bad, error) : status;
}

carom_status carom_mover_run(carom_mover *mover, carom_error *error) {
    carom_impacts_step *impacts = &mover->impacts;
    carom_context *context = mover->context;
    if (mover->bodies.count == 0) {
        return CAROM_OK;
    }
    const carom_status status = carom_impacts_step_run(impacts, &context->memory, context, &mover->bodies, error);
    if (status == CAROM_ERROR_CANCELLED) {
        return carom_mover_cancelled(mover, error);
    }
    return status == CAROM_OK ? carom_mover_check(mover, error) : status;
}

/* Whether the bodies are likely to begin the next step as this one leaves them: those of a world, unless they merge.
 * Nor in a box of reduced edges: events, which are made later, still need to know where bodies were moved. */
static bool begins_next(const carom_mover *mover) {
    return carom_mover_in_slots(mover->source) && mover->rules->config.response != CAROM_RESPONSE_MERGE &&
           mover->bodies.lattice == NULL;
}

/* Bits of the bodies of a block. */
typedef struct block_bits {
    uint64_t turned;  /* had impacts */
    uint64_t wrapped; /* were brought into the periodic box */
} block_bits;

/* Whether bodies that neither turned nor were wrapped have the same motion and are in the box: a float may lie
 * outside where the double that was rounded to it did not. */
static bool go_onward(const carom_begin_pass *next) {
    return is_zero(next->gain.v) && !(next->periodic && next->mover->source->single);
}

/* Copies of bodies that have been stored begin the next step, while the cache has them. Returns whether all are as they
 * must be. Adds bits of those that are brought into the box. */
static bool begin_next(carom_begin_pass *next, uint64_t begin, uint64_t count, bool onward, block_bits *bits) {
    const carom_mover_source *source = next->mover->source;
    const carom_mover_gain gain = next->gain;
    const carom_moving_part *moving = source->slots.moving(source->bodies);
    bool sound = true;
    for (uint64_t b = 0; b < count; b++) {
        const uint32_t slot = (uint32_t)(begin + b);
        if (onward && ((bits->turned | bits->wrapped) >> b & 1) == 0) {
            sound = carom_begin_onward(next, &moving[slot], slot) && sound;
        } else {
            carom_body body;
            source->load(source->bodies, slot, 1, &body);
            sound = carom_begin_again(next, &gain, &body, slot) && sound;
            bits->wrapped |= (uint64_t)next->wrapped << b;
        }
    }
    return sound;
}

static block_bits store_block(const end_pass *p, uint64_t begin, uint64_t end) {
    carom_body body[CAROM_MOVER_BLOCK];
    carom_mover_end ends[CAROM_MOVER_BLOCK];
    const carom_mover_source *source = p->mover->source;
    const uint32_t *slot = carom_mover_slot_of(p->mover);
    const uint64_t count = carom_mover_block(begin, end);
    block_bits bits = {0, 0};
    if (p->moving == NULL) {
        source->load(source->bodies, begin, count, body);
    }
    for (uint64_t b = 0; b < count; b++) {
        const uint64_t n = begin + b;
        if (slot != NULL) {
            __builtin_prefetch(&p->mover->bodies.piece[slot[n + CAROM_MOVER_AHEAD < end ? n + CAROM_MOVER_AHEAD : n]]);
        }
        const uint32_t at = slot != NULL ? slot[n] : (uint32_t)n;
        bits.wrapped |= (uint64_t)end_place(p, at, &ends[b]) << b;
        ends[b].keeps_velocity = false;
        if (turns(p, at)) {
            end_turned(p, at, &ends[b]);
        } else if (p->moving != NULL) {
            end_onward(p, at, &ends[b]);
        } else {
            end_unturned(p, &body[b], &ends[b]);
        }
        bits.turned |= (uint64_t)(p->piece[at].count > 0) << b;
    }
    source->store(source->bodies, begin, count, ends);
    return bits;
}

_Static_assert(CAROM_MOVER_GRAIN % CAROM_MOVER_BLOCK == 0, "blocks lie within words");

/* Puts the bits of the block that begins at n into their word. */
static void mark_wrapped(const carom_mover *mover, uint64_t n, uint64_t bits) {
    uint64_t *word = (uint64_t *)mover->buffers.wrapped.data + n / CAROM_MOVER_GRAIN;
    *word = (n % CAROM_MOVER_GRAIN == 0 ? 0 : *word) | bits << n % CAROM_MOVER_GRAIN;
}

static void store_bodies(void *data, uint32_t worker) {
    carom_mover *mover = data;
    const end_pass p = end_pass_of(mover);
    const bool goes_on = begins_next(mover);
    const bool marks = carom_mover_marks_wrapped(mover);
    carom_begin_pass next = carom_begin_pass_of(mover);
    const bool onward = go_onward(&next);
    bool sound = true;
    carom_walk walk = carom_team_walk(&mover->context->team, worker, mover->bodies.count, CAROM_MOVER_GRAIN);
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin; n < walk.end; n += CAROM_MOVER_BLOCK) {
            block_bits bits = store_block(&p, n, walk.end);
            sound = sound && goes_on && begin_next(&next, n, carom_mover_block(n, walk.end), onward, &bits);
            if (marks) {
                mark_wrapped(mover, n, bits.wrapped);
            }
        }
    }
    if (!sound) {
        atomic_store_explicit(&mover->begun, false, memory_order_relaxed);
    }
    if (next.unusual) {
        atomic_store_explicit(&mover->seen.unusual, true, memory_order_relaxed);
    }
}

void carom_mover_store(carom_mover *mover) {
    atomic_store_explicit(&mover->begun, begins_next(mover), memory_order_relaxed);
    atomic_store_explicit(&mover->seen.unusual, false, memory_order_relaxed);
    carom_context_use_workers(mover->context, mover->bodies.count);
    carom_team_run_over(&mover->context->team, mover->bodies.count, store_bodies, mover);
}
