/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: what the last search has found, bodies at the start of a step. Out: for how many steps hulls should be made. */
#include "kernel/impacts/reuse_steps.h"

#include <math.h>
#include <string.h>

#include "kernel/impacts/images.h"
#include "simd/vector.h"

/* Steps that hulls may last. */
static const uint32_t STEPS[] = {1, 2, 3, 4, 6, 8, 12, 16};
enum { CHOICES = sizeof STEPS / sizeof *STEPS };

/* Impacts a body for which hulls are made at most. After an impact a body often needs a wider hull. */
static const double IMPACTS = 0.4;

/* Prices in nanoseconds a body: of a search, in open space and in a periodic box, and of it for each neighbour; of
 * looking whether hulls serve, which where bodies coast is next to nothing; and in each step for each neighbour, and
 * for each neighbour and impact. */
static const double SEARCH = 70.0;
static const double SEARCH_PERIODIC = 150.0;
static const double SEARCH_NEIGHBOUR = 6.0;
static const double SERVE = 18.0;
static const double SERVE_COASTING = 1.0;
static const double NEIGHBOUR = 8.0;
static const double IMPACT_NEIGHBOUR = 60.0;

/* Hulls for more steps must be cheaper by so much: prices are estimates, and long hulls hold more memory. */
static const double WORTH = 0.95;

/* Hulls may last at most so many times as long as the last ones. In a regular scene hulls have no neighbours until they
 * span the gaps, and then many at once. */
enum { LONGER = 2 };

/* Hulls for more steps serve no other step if one takes more than so many times a step with the hulls before. */
static const double DEAR = 1.5;

/* Bodies that are looked at for the volume of hulls. */
enum { SAMPLE = 512 };

/* Steps that hulls may last where positions are rounded to floats. In the seven after the first one rounding moves a
 * body by less than 2^-21 of its coordinates. The kernel near_pairs allows for 2^-20 of them, CAROM_NEAR_ROUNDING, of
 * which its own arithmetic takes some 2^-22. */
enum { STEPS_SINGLE = 8 };

/* The most units of coarse paths to a unit of length of which this is true. Beyond, lengths of most bodies are below
 * 2^-70, and they may be so near the least floats that rounding moves them by more. */
static const double UNIT_SINGLE = 0x1p95;

bool carom_reuse_steps_may_last(const carom_impacts_bodies *bodies) {
    return (bodies->periodic == NULL || (bodies->lattice == NULL && bodies->surfaces == 0)) &&
           (bodies->rules.pairs.collide == NULL || bodies->owned);
}

bool carom_reuse_may_coast(const carom_impacts_bodies *bodies) {
    return bodies->owned && bodies->gain == 0.0;
}

/* The sides of a body's hull for so many steps. */
static void sides_of(const carom_hulls *hulls, const carom_impacts_bodies *bodies, uint64_t slot, double steps,
                     double sides[3]) {
    double v[3];
    carom_vector_add(bodies->piece[slot].v, -1.0, hulls->frame.drift, v);
    const double speed = sqrt((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]);
    const double room =
        fmin(hulls->frame.room_most, steps * (carom_hulls_room(hulls, speed) + 0.5 * steps * bodies->gain));
    for (int a = 0; a < 3; a++) {
        sides[a] = (2.0 * bodies->body[slot].radius + 2.0 * room) + steps * fabs(v[a]);
    }
}

/* What neighbours of hulls for so many steps are proportional to: how much room two have to meet, on the average. */
static double volume_of(const carom_hulls *hulls, const carom_impacts_bodies *bodies, double steps) {
    const uint64_t stride = bodies->count / SAMPLE + 1;
    double before[3];
    double sum = 0.0;
    sides_of(hulls, bodies, bodies->count / 2, steps, before);
    for (uint64_t slot = 0; slot < bodies->count; slot += stride) {
        double sides[3];
        sides_of(hulls, bodies, slot, steps, sides);
        sum += (sides[0] + before[0]) * (sides[1] + before[1]) * (sides[2] + before[2]);
        memcpy(before, sides, sizeof before);
    }
    return sum;
}

/* The price in each step of neighbours. */
static double neighbours_price(const carom_reuse *reuse, double neighbours) {
    return (NEIGHBOUR + IMPACT_NEIGHBOUR * reuse->impacts) * neighbours;
}

/* The price of a step if hulls last for so many. */
static double price_of(const carom_reuse *reuse, double neighbours, double steps, double serve) {
    const double search =
        (reuse->periodic ? SEARCH_PERIODIC : SEARCH) + SEARCH_NEIGHBOUR * neighbours + serve * (steps - 1.0);
    return search / steps + neighbours_price(reuse, neighbours);
}

static double serve_price(const carom_impacts_bodies *bodies) {
    return carom_reuse_may_coast(bodies) ? SERVE_COASTING : SERVE;
}

/* Steps in which no body of a periodic box moves more than an edge: longer hulls would meet images without number. */
static double steps_in_box(const carom_impacts_bodies *bodies) {
    double dual[3][3];
    double most = 0.0;
    carom_images_dual(bodies->periodic, dual);
    for (uint64_t slot = 0; slot < bodies->count; slot++) {
        for (int e = 0; e < 3; e++) {
            most = fmax(most, fabs(carom_vector_dot(dual[e], bodies->piece[slot].v)));
        }
    }
    return most > 0.0 ? 1.0 / most : INFINITY;
}

/* For how many steps hulls may be made. */
static uint32_t most_steps(const carom_hulls *hulls, const carom_impacts_bodies *bodies) {
    const double most_single = hulls->frame.unit > UNIT_SINGLE ? 1.0 : STEPS_SINGLE;
    const double most = bodies->single ? most_single : STEPS[CHOICES - 1];
    return (uint32_t)(bodies->periodic != NULL ? fmax(1.0, fmin(most, steps_in_box(bodies))) : most);
}

uint32_t carom_reuse_steps_choose(carom_search *search, const carom_impacts_bodies *bodies, uint32_t forced) {
    carom_reuse *reuse = &search->reuse;
    if (!carom_reuse_steps_may_last(bodies) || (forced == 0 && (reuse->steps == 0 || reuse->wait > 0))) {
        reuse->wait -= reuse->wait > 0 ? 1 : 0;
        return 1;
    }
    const uint32_t most = most_steps(&search->hulls, bodies);
    if (forced > 0) {
        return forced < most ? forced : most;
    }
    const double serve = serve_price(bodies);
    const double each = reuse->neighbours / volume_of(&search->hulls, bodies, reuse->steps);
    const uint32_t trial = reuse->trial.wait > 0 ? reuse->trial.most : LONGER * reuse->steps;
    const uint32_t longest = most < trial ? most : trial;
    uint32_t best = 1;
    double least = 0.0;
    for (int n = 0; n < CHOICES && (n == 0 || (STEPS[n] * reuse->impacts <= IMPACTS && STEPS[n] <= longest)); n++) {
        const double steps = STEPS[n];
        const double price = price_of(reuse, each * volume_of(&search->hulls, bodies, steps), steps, serve);
        if (n == 0 || price < WORTH * least) {
            best = STEPS[n];
            least = price;
        }
    }
    return best;
}

/* What a step takes in which hulls of another one serve. */
static double served_price(const carom_reuse *reuse, const carom_impacts_bodies *bodies) {
    return serve_price(bodies) + neighbours_price(reuse, reuse->neighbours);
}

void carom_reuse_steps_note(carom_reuse *reuse, const carom_impacts_bodies *bodies) {
    carom_reuse_trial *trial = &reuse->trial;
    const double price = price_of(reuse, reuse->neighbours, reuse->steps, serve_price(bodies));
    const bool longer = trial->steps > 0 && reuse->steps > trial->steps;
    trial->dear = longer && served_price(reuse, bodies) > DEAR * trial->price;
    trial->wait -= trial->wait > 0 ? 1 : 0;
    if (longer && price > trial->price) {
        trial->most = trial->steps;
        trial->wait = trial->waited = carom_reuse_wait_after(trial->waited);
    } else if (longer) {
        trial->waited = 0;
    }
    trial->price = price;
    trial->steps = reuse->steps;
}
