/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: bodies. Out: bodies at the end of the step, or an error. */
#include "kernel/world/mover.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kernel/sys/clock.h"
#include "kernel/sys/error.h"
#include "kernel/world/wrap.h"

/* Inverse masses beyond this one, of masses near the least number that is not 0, count as this one: sums of two stay
 * finite. */
static const double INVERSE_MASS_MOST = 0x1p1022;

/* Edges of a periodic box that a body may move in a step. */
static const double EDGES_MOST = 15.0;

/* Bodies in a slice of a walk begin at multiples of this. */
enum { GRAIN = 64 };

void carom_mover_open(carom_mover *mover, carom_context *context) {
    mover->context = context;
    mover->began = carom_clock_seconds();
    memset(mover->seconds, 0, sizeof mover->seconds);
}

void carom_mover_close(carom_mover *mover) {
    mover->context->team.control = NULL;
    carom_context_give_back(mover->context);
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

static void note_bad(carom_mover *mover, uint64_t n) {
    uint64_t lowest = atomic_load_explicit(&mover->bad, memory_order_relaxed);
    while (n < lowest && !atomic_compare_exchange_weak_explicit(&mover->bad, &lowest, n, memory_order_relaxed,
                                                                memory_order_relaxed)) {
    }
}

/* Velocities take the acceleration. */
static void accelerate(const carom_step_config *config, const carom_body *body, double v[3]) {
    for (int a = 0; a < 3; a++) {
        v[a] = isinf(body->mass) ? body->v[a] : body->v[a] + config->acceleration[a] * config->dt;
    }
}

static carom_body load_body(const carom_mover *mover, uint64_t n) {
    carom_body body;
    mover->source->load(mover->source->bodies, n, &body);
    return body;
}

/* Whether the body moves too far for a periodic box. */
static bool goes_too_far(const carom_rules *rules, const carom_piece *piece) {
    bool too_far = false;
    for (uint32_t b = 0; b < rules->lattice.dimensions; b++) {
        const double *dual = rules->lattice.dual[b];
        const double edges = dual[0] * piece->v[0] + dual[1] * piece->v[1] + dual[2] * piece->v[2];
        too_far = too_far || !(fabs(edges) <= EDGES_MOST);
    }
    return too_far;
}

static bool meets_itself(const carom_rules *rules, double radius) {
    return !(2.0 * radius < rules->lattice.shortest);
}

static void begin_body(carom_mover *mover, uint32_t slot) {
    const carom_step_config *config = &mover->rules->config;
    const uint32_t n = mover->bodies.number[slot];
    const carom_body body = load_body(mover, n);
    carom_piece *piece = &mover->bodies.piece[slot];
    double v[3];
    accelerate(config, &body, v);
    *piece = (carom_piece){.last = CAROM_PIECE_FRESH};
    for (int a = 0; a < 3; a++) {
        piece->x[a] = body.x[a];
        piece->v[a] = v[a] * config->dt;
    }
    ((carom_response_body *)mover->body_buffer.data)[slot] =
        (carom_response_body){.radius = body.radius,
                              .inverse_mass = fmin(1.0 / body.mass, INVERSE_MASS_MOST),
                              .restitution = body.restitution,
                              .last_impact = body.last_impact / config->dt};
    const bool lost =
        config->periodic != NULL && (meets_itself(mover->rules, body.radius) || goes_too_far(mover->rules, piece));
    if (isinf(body.mass)) {
        atomic_store_explicit(&mover->fixed, true, memory_order_relaxed);
    }
    if (carom_body_fault(&body) != CAROM_BODY_FIELDS || lost) {
        note_bad(mover, n);
    }
}

static void begin_bodies(void *data, uint32_t worker) {
    carom_mover *mover = data;
    carom_walk walk = carom_team_walk(&mover->context->team, worker, mover->bodies.count, GRAIN);
    while (carom_walk_next(&walk)) {
        for (uint64_t slot = walk.begin; slot < walk.end; slot++) {
            begin_body(mover, (uint32_t)slot);
        }
    }
}

static carom_status refuse_body(const carom_mover *mover, uint64_t n, carom_error *error) {
    const carom_body body = load_body(mover, n);
    const carom_body_field field = carom_body_fault(&body);
    if (field != CAROM_BODY_FIELDS) {
        return carom_body_refuse(n, field, carom_body_value(&body, field), error);
    }
    const double shortest = mover->rules->lattice.shortest;
    return meets_itself(mover->rules, body.radius)
               ? carom_error_body(error, n, "radius",
                                  "body %" PRIu64 ": radius is %g, but the body's own image is at %g", n, body.radius,
                                  shortest)
               : carom_error_body(error, n, "velocity_x",
                                  "body %" PRIu64 ": it moves more than %g edges of the periodic box in the step", n,
                                  EDGES_MOST);
}

static carom_status reserve(carom_mover *mover, uint64_t count, carom_error *error) {
    carom_memory *memory = &mover->context->memory;
    if (carom_buffer_reserve(memory, &mover->piece_buffer, count * sizeof(carom_piece)) != CAROM_OK ||
        carom_buffer_reserve(memory, &mover->body_buffer, count * sizeof(carom_response_body)) != CAROM_OK ||
        carom_buffer_reserve(memory, &mover->kept_buffer, count * sizeof(double[3])) != CAROM_OK) {
        return carom_error_set(error, CAROM_ERROR_MEMORY, "no memory for a step of %" PRIu64 " bodies", count);
    }
    return CAROM_OK;
}

static void load_position(const void *data, uint64_t n, double x[3]) {
    const carom_mover *mover = data;
    const carom_body body = load_body(mover, n);
    for (int a = 0; a < 3; a++) {
        x[a] = body.x[a];
    }
}

/* Detection, which is all that merging takes, has an order of its own. */
static carom_status order_bodies(carom_mover *mover, carom_error *error) {
    const carom_order_source source = {mover->source->count, load_position, mover};
    carom_memory *memory = &mover->context->memory;
    const carom_status status = mover->rules->config.response == CAROM_RESPONSE_MERGE
                                    ? carom_order_number(&mover->order, memory, source.count)
                                    : carom_order_renew(&mover->order, memory, mover->context, &source);
    return status == CAROM_ERROR_MEMORY
               ? carom_error_set(error, status, "no memory for the order of %" PRIu64 " bodies", source.count)
               : CAROM_OK;
}

static void set_bodies(carom_mover *mover) {
    const carom_rules *rules = mover->rules;
    const carom_step_config *config = &rules->config;
    mover->bodies = (carom_impacts_bodies){.count = (uint32_t)mover->source->count,
                                           .surfaces = (uint32_t)config->surface_count,
                                           .rules = {.pairs = carom_pair_rules_functions(&mover->pairs),
                                                     .rest_speed = config->rest_speed * config->dt,
                                                     .contact_time = config->contact_time / config->dt,
                                                     .budget = config->budget},
                                           .piece = mover->piece_buffer.data,
                                           .body = mover->body_buffer.data,
                                           .kept = mover->kept_buffer.data,
                                           .number = mover->order.number,
                                           .surface = carom_rules_unit_surfaces(rules),
                                           .periodic = config->periodic};
    memset(&mover->impacts.work, 0, sizeof mover->impacts.work);
    mover->impacts.report_only = config->response == CAROM_RESPONSE_REPORT;
    mover->impacts.count_only = !(config->events || config->sink != NULL || mover->source->pairs);
}

carom_status carom_mover_load(carom_mover *mover, const carom_rules *rules, const carom_mover_source *source,
                              carom_error *error) {
    const uint64_t count = source->count;
    carom_context *context = mover->context;
    mover->rules = rules;
    mover->source = source;
    mover->held = 0;
    atomic_store_explicit(&mover->bad, CAROM_NO_BODY, memory_order_relaxed);
    atomic_store_explicit(&mover->fixed, false, memory_order_relaxed);
    carom_control_start(&mover->control, rules->config.cancel, NULL, NULL);
    context->team.control = rules->config.cancel != NULL ? &mover->control : NULL;
    carom_context_use_workers(context, count);
    carom_status status = reserve(mover, count, error);
    if (status == CAROM_OK) {
        status = order_bodies(mover, error);
    }
    if (status == CAROM_OK) {
        status = carom_mover_cancelled(mover, error);
    }
    if (status != CAROM_OK) {
        return status;
    }
    set_bodies(mover);
    carom_team_run_over(&context->team, count, begin_bodies, mover);
    mover->bodies.all_movable = !atomic_load_explicit(&mover->fixed, memory_order_relaxed);
    (void)carom_control_look(context->team.control);
    status = carom_mover_cancelled(mover, error);
    if (status == CAROM_OK && mover->bad != CAROM_NO_BODY) {
        status = refuse_body(mover, mover->bad, error);
    }
    carom_mover_lap(mover, CAROM_STEP_PHASE_BEGIN);
    return status;
}

carom_mover_impacts carom_mover_impacts_of(const carom_mover *mover) {
    const carom_impacts_step *impacts = &mover->impacts;
    const carom_list *events = &impacts->events.list;
    return mover->bodies.count > 0 ? (carom_mover_impacts){events->buffer.data, events->count, impacts->work.impacts,
                                                           impacts->work.surface_impacts}
                                   : (carom_mover_impacts){.count = 0};
}

bool carom_mover_held(const carom_mover *mover, uint32_t slot) {
    return mover->bodies.piece[slot].count >= mover->bodies.rules.budget && !mover->impacts.report_only;
}

/* A velocity that no impact changed does not go through dt. */
carom_mover_end carom_mover_end_of(const carom_mover *mover, uint32_t slot) {
    const carom_rules *rules = mover->rules;
    const double dt = rules->config.dt;
    const carom_piece *piece = &mover->bodies.piece[slot];
    const carom_body body = load_body(mover, mover->bodies.number[slot]);
    const bool turned = piece->count > 0 && !mover->impacts.report_only;
    const double *v = carom_mover_held(mover, slot) ? mover->bodies.kept[slot] : piece->v;
    carom_mover_end end;
    carom_piece_at(piece, 1.0, end.x);
    accelerate(&rules->config, &body, end.v);
    for (int a = 0; a < 3; a++) {
        end.v[a] = turned ? v[a] / dt : end.v[a];
    }
    end.last_impact = turned ? (piece->start - 1.0) * dt : body.last_impact - dt;
    if (rules->config.periodic != NULL) {
        carom_wrap_position(&rules->lattice, end.x);
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

static void check_ends(void *data, uint32_t worker) {
    carom_mover *mover = data;
    uint64_t held = 0;
    carom_walk walk = carom_team_walk(&mover->context->team, worker, mover->bodies.count, GRAIN);
    while (carom_walk_next(&walk)) {
        for (uint64_t slot = walk.begin; slot < walk.end; slot++) {
            const carom_mover_end end = carom_mover_end_of(mover, (uint32_t)slot);
            held += carom_mover_held(mover, (uint32_t)slot);
            if (end_fault(mover, &end) != CAROM_BODY_FIELDS) {
                note_bad(mover, mover->bodies.number[slot]);
            }
        }
    }
    atomic_fetch_add_explicit(&mover->held, held, memory_order_relaxed);
}

static uint32_t slot_of(const carom_mover *mover, uint64_t n) {
    uint32_t slot = 0;
    while (mover->bodies.number[slot] != n) {
        slot++;
    }
    return slot;
}

static carom_status refuse_end(const carom_mover *mover, uint64_t n, carom_error *error) {
    const carom_mover_end end = carom_mover_end_of(mover, slot_of(mover, n));
    const carom_body_field field = end_fault(mover, &end);
    const char *name = carom_body_field_name(field);
    return carom_error_body(error, n, name, "body %" PRIu64 ": at the end of the step %s is %g, %s", n, name,
                            field < CAROM_BODY_VELOCITY ? end.x[field] : end.v[field - CAROM_BODY_VELOCITY],
                            mover->source->single ? "which floats do not hold" : "which is not finite");
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

carom_status carom_mover_check(carom_mover *mover, carom_error *error) {
    carom_context *context = mover->context;
    mover->began = carom_clock_seconds();
    carom_context_use_workers(context, mover->bodies.count);
    carom_team_run_over(&context->team, mover->bodies.count, check_ends, mover);
    const carom_status status = carom_mover_cancelled(mover, error);
    return status == CAROM_OK && mover->bad != CAROM_NO_BODY ? refuse_end(mover, mover->bad, error) : status;
}

static void store_bodies(void *data, uint32_t worker) {
    const carom_mover *mover = data;
    carom_walk walk = carom_team_walk(&mover->context->team, worker, mover->bodies.count, GRAIN);
    while (carom_walk_next(&walk)) {
        for (uint64_t slot = walk.begin; slot < walk.end; slot++) {
            const carom_mover_end end = carom_mover_end_of(mover, (uint32_t)slot);
            mover->source->store(mover->source->bodies, mover->bodies.number[slot], &end);
        }
    }
}

void carom_mover_store(carom_mover *mover) {
    carom_context_use_workers(mover->context, mover->bodies.count);
    carom_team_run_over(&mover->context->team, mover->bodies.count, store_bodies, mover);
}

void carom_mover_release(carom_mover *mover, carom_memory *memory) {
    carom_buffer *buffers[] = {&mover->piece_buffer, &mover->body_buffer, &mover->kept_buffer, &mover->held_buffer,
                               &mover->event_buffer};
    for (size_t n = 0; n < sizeof buffers / sizeof *buffers; n++) {
        carom_buffer_release(memory, buffers[n]);
    }
    carom_order_release(&mover->order, memory);
    carom_impacts_step_release(&mover->impacts, memory);
}
