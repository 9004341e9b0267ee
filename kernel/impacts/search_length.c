/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: bodies. Out: the length of a search. */
#include "kernel/impacts/search_length.h"

#include <math.h>

#include "kernel/impacts/horizon.h"
#include "kernel/impacts/images.h"
#include "kernel/sys/mix.h"
#include "simd/hull_paths.h"

/* Bodies in the sample at most. Of n bodies the root of n are looked at, whose pairs take half a nanosecond a body. A
 * pair of these stands for two neighbours of each body, and for more from 3e5 bodies on: eight of 1e6. Where many are
 * found, another sample of twice as many tells more. */
enum { SAMPLE_MOST = 512 };

/* Neighbours of a body, on the average, up to which a search is as long as it was to be: fewer are not seen well in a
 * sample of very many bodies. */
static const double NEIGHBOURS_MANY = 32.0;

/* Neighbours that motion adds to those at rest, below which shorter searches only cost more. */
static const double NEIGHBOURS_FEW = 4.0;

/* Prices in nanoseconds: of a search, of it for each surface and for each body, of finding and predicting a neighbour,
 * and of an impact for each neighbour. */
static const double SEARCH = 20000.0;
static const double SEARCH_SURFACE = 200.0;
static const double SEARCH_BODY = 150.0;
static const double NEIGHBOUR = 14.0;
static const double IMPACT_NEIGHBOUR = 60.0;

/* No search is for a shorter time, in steps. */
static const double LENGTH_LEAST = 0x1p-30;

/* What is known of the time from the window's beginning on, in steps. */
typedef struct outlook {
    double length;  /* that the search was to be for */
    double longest; /* that it may be for; less than `length`: no longer than that */
    double impacts; /* of a body in a step */
} outlook;

/* How space repeats. Of an axis that does not, all is 0. */
typedef struct lattice {
    bool repeats;
    float edge[3][3];
    float dual[3][3]; /* of a vector they say how many edges it goes */
} lattice;

/* Bodies drawn at random, and their hulls: the middle of each and half its sides. */
typedef struct sample {
    uint32_t count;
    uint32_t slot[SAMPLE_MOST];
    float middle[3][SAMPLE_MOST];
    float half[3][SAMPLE_MOST];
    lattice lattice;
} sample;

static lattice lattice_of(const carom_periodic *periodic) {
    lattice l = {.repeats = periodic != NULL};
    double dual[3][3] = {{0.0}};
    if (l.repeats) {
        carom_images_dual(periodic, dual);
    }
    for (int e = 0; e < 3; e++) {
        for (int a = 0; a < 3 && l.repeats && periodic->along[e]; a++) {
            l.edge[e][a] = (float)periodic->edge[e][a];
            l.dual[e][a] = (float)dual[e][a];
        }
    }
    return l;
}

/* The same slots in every search, spread by a hash: neighbours in memory, which are neighbours in space, are seldom
 * both drawn. `from`: another sample for each number. */
static void draw(sample *s, uint32_t bodies, double roots, uint32_t from) {
    const double wanted = roots * sqrt((double)bodies);
    s->count = wanted < SAMPLE_MOST ? (uint32_t)wanted : SAMPLE_MOST;
    for (uint32_t n = 0; n < s->count; n++) {
        s->slot[n] = (uint32_t)((carom_mix64((uint64_t)from + n) >> 32) * bodies >> 32);
    }
}

static void make_hulls(sample *s, const carom_window *window, double length) {
    const carom_impacts_bodies *bodies = window->bodies;
    carom_hulls hulls = *window->hulls;
    carom_hulls_set_time(&hulls, bodies, window->begin, window->begin + length);
    for (uint32_t n = 0; n < s->count; n++) {
        const double body[2] = {bodies->body[s->slot[n]].radius, bodies->body[s->slot[n]].inverse_mass};
        float lo[3];
        float hi[3];
        carom_hull_around(&hulls.frame, carom_impacts_motion(&bodies->piece[s->slot[n]]), body, lo, hi);
        for (int a = 0; a < 3; a++) {
            s->middle[a][n] = lo[a] / 2.0F + hi[a] / 2.0F;
            s->half[a][n] = hi[a] / 2.0F - lo[a] / 2.0F;
        }
    }
}

/* How many of the bodies before body n of the sample have hulls that meet its own. */
static float meet(const sample *s, uint32_t n) {
    float count = 0.0F;
    for (uint32_t k = 0; k < n; k++) {
        bool met = s->slot[k] != s->slot[n];
        for (int a = 0; a < 3; a++) {
            met = met & (fabsf(s->middle[a][k] - s->middle[a][n]) <= s->half[a][k] + s->half[a][n]);
        }
        count += met ? 1.0F : 0.0F;
    }
    return count;
}

/* The nearest whole number, of numbers below 2^22. */
static inline float nearest(float x) {
    const float whole = 0x1.8p23F;
    return (x + whole) - whole;
}

/* The same where space repeats: the image counts that is nearest, more or less, and if it is met as many as the two
 * hulls are edges wide together. */
static float meet_images(const sample *s, uint32_t n) {
    const lattice *l = &s->lattice;
    float count = 0.0F;
    for (uint32_t k = 0; k < n; k++) {
        float apart[3];
        float reach[3];
        float images = 1.0F;
        for (int a = 0; a < 3; a++) {
            apart[a] = s->middle[a][k] - s->middle[a][n];
            reach[a] = s->half[a][k] + s->half[a][n];
        }
        for (int e = 2; e >= 0; e--) {
            const float *dual = l->dual[e];
            const float edges = nearest((dual[0] * apart[0] + dual[1] * apart[1]) + dual[2] * apart[2]);
            const float wide = (fabsf(dual[0]) * reach[0] + fabsf(dual[1]) * reach[1]) + fabsf(dual[2]) * reach[2];
            images *= wide > 0.5F ? 2.0F * wide : 1.0F;
            for (int a = 0; a < 3; a++) {
                apart[a] -= edges * l->edge[e][a];
            }
        }
        const bool met = (fabsf(apart[0]) <= reach[0]) & (fabsf(apart[1]) <= reach[1]) & (fabsf(apart[2]) <= reach[2]) &
                         (s->slot[k] != s->slot[n]);
        count += met ? images : 0.0F;
    }
    return count;
}

/* Of a body, on the average, if hulls are for such a time. */
static double neighbours_in(sample *s, const carom_window *window, double length) {
    make_hulls(s, window, length);
    double pairs = 0.0;
    for (uint32_t n = 1; n < s->count; n++) {
        pairs += (double)(s->lattice.repeats ? meet_images : meet)(s, n);
    }
    return s->count > 1 ? 2.0 * pairs * window->bodies->count / ((double)s->count * (s->count - 1)) : 0.0;
}

/* For each body and unit of time. */
static double price_of(const carom_window *window, const outlook *o, double neighbours, double length) {
    const double search = (SEARCH + SEARCH_SURFACE * window->bodies->surfaces) / window->bodies->count + SEARCH_BODY;
    return (search + NEIGHBOUR * neighbours) / length + IMPACT_NEIGHBOUR * o->impacts * neighbours;
}

/* A length, and its price. */
typedef struct choice {
    double length;
    double price;
} choice;

static choice lesser(choice a, choice b) {
    return b.price < a.price ? b : a;
}

static double cost_of(choice c) {
    return c.price * c.length;
}

/* Trials each cost at most this share of a long search, and all of a step together at most that one. */
static const double TRIAL_SHARE = 0.125;
static const double TRIALS_SHARE = 0.5;

/* The cheapest, of the longest and all that are shorter. What is known now may not stay so: bodies that fly apart, or
 * have passed each other, soon meet few others. So before the longest is chosen there are trials, short searches that
 * together cost less than it does: what is paid at worst is in proportion to the least (ski rental: Karlin, Manasse,
 * Rudolph and Sleator 1988). */
typedef struct choices {
    choice longest;
    choice best;
    choice trial; /* price INFINITY: none is cheap enough */
} choices;

static void consider(choices *c, choice one) {
    c->best = lesser(c->best, one);
    if (cost_of(one) <= TRIAL_SHARE * cost_of(c->longest)) {
        c->trial = lesser(c->trial, one);
    }
}

/* Tries all halves, not only until one costs more: where nearly all hulls meet, half the time alone gains nothing. For
 * the same reason a much longer search may cost less where the price grows with the next longer one. */
static double cheapest(sample *s, const carom_window *window, const outlook *o, double *spent) {
    const double rest = neighbours_in(s, window, LENGTH_LEAST);
    double length = o->length;
    double neighbours = neighbours_in(s, window, length);
    const choice wanted = {length, price_of(window, o, neighbours, length)};
    choice longest = wanted;
    if (o->longest > length) {
        longest = (choice){o->longest, price_of(window, o, neighbours_in(s, window, o->longest), o->longest)};
    }
    choices c = {longest, longest, {0.0, INFINITY}};
    consider(&c, wanted);
    while (neighbours - rest > NEIGHBOURS_FEW && length >= 2.0 * LENGTH_LEAST) {
        length /= 2.0;
        neighbours = neighbours_in(s, window, length);
        consider(&c, (choice){length, price_of(window, o, neighbours, length)});
    }
    const bool tries = c.best.length == longest.length && *spent + cost_of(c.trial) <= TRIALS_SHARE * cost_of(longest);
    *spent += tries ? cost_of(c.trial) : 0.0;
    return tries ? c.trial.length : c.best.length;
}

double carom_search_length_end(const carom_window *window, double end, double reach, double *spent) {
    const double begin = window->begin;
    const bool open = window->bodies->periodic == NULL; /* else long hulls may meet images without number */
    const double longest = open ? fmin(1.0 - begin, reach) : end - begin;
    const outlook o = {end - begin, longest, carom_horizon_impacts(reach, end - begin)};
    sample s;
    s.lattice = lattice_of(window->bodies->periodic);
    draw(&s, window->bodies->count, 1.0, 1);
    if (neighbours_in(&s, window, o.length) <= NEIGHBOURS_MANY) {
        return end;
    }
    draw(&s, window->bodies->count, 2.0, 1 + SAMPLE_MOST);
    const double length = cheapest(&s, window, &o, spent);
    return length == o.length ? end : length == 1.0 - begin ? 1.0 : begin + length;
}
