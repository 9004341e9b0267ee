/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: bodies. Out: the length of a search. */
#include "kernel/impacts/search_length.h"

#include <math.h>

#include "kernel/impacts/horizon.h"
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

/* Bodies drawn at random, and their hulls. */
typedef struct sample {
    uint32_t count;
    uint32_t slot[SAMPLE_MOST];
    float lo[3][SAMPLE_MOST];
    float hi[3][SAMPLE_MOST];
} sample;

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
            s->lo[a][n] = lo[a];
            s->hi[a][n] = hi[a];
        }
    }
}

/* How many of the bodies before body n of the sample have hulls that meet its own. */
static uint32_t meet(const sample *s, uint32_t n) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < n; k++) {
        const bool x = (s->lo[0][k] <= s->hi[0][n]) & (s->lo[0][n] <= s->hi[0][k]);
        const bool y = (s->lo[1][k] <= s->hi[1][n]) & (s->lo[1][n] <= s->hi[1][k]);
        const bool z = (s->lo[2][k] <= s->hi[2][n]) & (s->lo[2][n] <= s->hi[2][k]);
        count += (x & y & z & (s->slot[k] != s->slot[n])) ? 1U : 0U;
    }
    return count;
}

/* Of a body, on the average, if hulls are for such a time. */
static double neighbours_in(sample *s, const carom_window *window, double length) {
    make_hulls(s, window, length);
    uint64_t pairs = 0;
    for (uint32_t n = 1; n < s->count; n++) {
        pairs += meet(s, n);
    }
    return s->count > 1 ? 2.0 * (double)pairs * window->bodies->count / ((double)s->count * (s->count - 1)) : 0.0;
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

/* Tries all halves, not only until one costs more: where nearly all hulls meet, half the time alone gains nothing. For
 * the same reason a much longer search may cost less where the price grows with the next longer one. */
static double cheapest(sample *s, const carom_window *window, const outlook *o) {
    const double rest = neighbours_in(s, window, LENGTH_LEAST);
    double length = o->length;
    double neighbours = neighbours_in(s, window, length);
    choice best = {length, price_of(window, o, neighbours, length)};
    if (o->longest > length) {
        const double many = neighbours_in(s, window, o->longest);
        best = lesser(best, (choice){o->longest, price_of(window, o, many, o->longest)});
    }
    while (neighbours - rest > NEIGHBOURS_FEW && length >= 2.0 * LENGTH_LEAST) {
        length /= 2.0;
        neighbours = neighbours_in(s, window, length);
        best = lesser(best, (choice){length, price_of(window, o, neighbours, length)});
    }
    return best.length;
}

double carom_search_length_end(const carom_window *window, double end, double reach) {
    const double begin = window->begin;
    const outlook o = {end - begin, fmin(1.0 - begin, reach), carom_horizon_impacts(reach, end - begin)};
    if (carom_horizon_repeats(window->bodies->periodic)) {
        return end;
    }
    sample s;
    draw(&s, window->bodies->count, 1.0, 1);
    if (neighbours_in(&s, window, o.length) <= NEIGHBOURS_MANY) {
        return end;
    }
    draw(&s, window->bodies->count, 2.0, 1 + SAMPLE_MOST);
    const double length = cheapest(&s, window, &o);
    return length == o.length ? end : length == 1.0 - begin ? 1.0 : begin + length;
}
