/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: bodies. Out: the length of a search. */
#include "kernel/impacts/search_length.h"

#include <math.h>

#include "kernel/impacts/findings.h"
#include "kernel/impacts/horizon.h"

/* Neighbours of a body, on the average, up to which a search is as long as it was to be: fewer are not seen well in a
 * sample of very many bodies. Where there are more, a sample of so many times as many pairs tells more. */
static const double NEIGHBOURS_MANY = 32.0;
enum { MORE = 2 };

/* Neighbours, and images, that motion adds to those at rest, below which shorter searches only cost more. */
static const double NEIGHBOURS_FEW = 4.0;
static const double IMAGES_FEW = 4.0;

/* Prices in nanoseconds: of a search, of it for each surface, body and image of a body, of finding and predicting a
 * neighbour, and of an impact for each neighbour. */
static const double SEARCH = 20000.0;
static const double SEARCH_SURFACE = 200.0;
static const double SEARCH_BODY = 150.0;
static const double SEARCH_IMAGE = 200.0;
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

/* For each body and unit of time. */
static double price_of(const carom_window *window, const outlook *o, carom_findings f, double length) {
    const double all = (SEARCH + SEARCH_SURFACE * window->bodies->surfaces) / window->bodies->count;
    const double search = all + SEARCH_BODY + SEARCH_IMAGE * f.images + NEIGHBOUR * f.neighbours;
    return search / length + IMPACT_NEIGHBOUR * o->impacts * fmax(f.neighbours, f.of_met);
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

/* Whether motion adds more than few. */
static bool motion_adds(const carom_findings *rest, const carom_findings *moving) {
    return moving->neighbours - rest->neighbours > NEIGHBOURS_FEW || moving->images - rest->images > IMAGES_FEW;
}

/* Tries all halves, not only until one costs more: where nearly all hulls meet, half the time alone gains nothing. For
 * the same reason a much longer search may cost less where the price grows with the next longer one. */
static double cheapest(carom_findings_sample *s, const carom_window *window, const outlook *o, double *spent) {
    const carom_findings rest = carom_findings_in(s, window, LENGTH_LEAST);
    double length = o->length;
    carom_findings now = carom_findings_in(s, window, length);
    const choice wanted = {length, price_of(window, o, now, length)};
    choice longest = wanted;
    if (o->longest > length) {
        longest = (choice){o->longest, price_of(window, o, carom_findings_in(s, window, o->longest), o->longest)};
    }
    choices c = {longest, longest, {0.0, INFINITY}};
    consider(&c, wanted);
    while (motion_adds(&rest, &now) && length >= 2.0 * LENGTH_LEAST) {
        length /= 2.0;
        now = carom_findings_in(s, window, length);
        consider(&c, (choice){length, price_of(window, o, now, length)});
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
    carom_findings_sample s;
    carom_findings_draw(&s, window, 1);
    const carom_findings wanted = carom_findings_in(&s, window, o.length);
    if (wanted.neighbours <= NEIGHBOURS_MANY && wanted.images <= IMAGES_FEW) {
        return end;
    }
    carom_findings_draw(&s, window, MORE);
    const double length = cheapest(&s, window, &o, spent);
    return length == o.length ? end : length == 1.0 - begin ? 1.0 : begin + length;
}
