/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: bodies. Out: the length of a search, and whether its hulls are tight. */
#include "kernel/impacts/search_plan.h"

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
 * neighbour; of an impact for each neighbour, and of the two bodies' leaving their hulls after it. */
static const double SEARCH = 20000.0;
static const double SEARCH_SURFACE = 200.0;
static const double SEARCH_BODY = 150.0;
static const double SEARCH_IMAGE = 200.0;
static const double NEIGHBOUR = 14.0;
static const double IMPACT_NEIGHBOUR = 60.0;
static const double ESCAPES = 1200.0;

/* Impacts may cost so many times a search before one is made anew. */
static const double IMPACTS_SHARE = 4.0;

/* No search is for a shorter time, in steps. */
static const double LENGTH_LEAST = 0x1p-30;

/* What is known of the time from the window's beginning on, in steps. */
typedef struct outlook {
    const carom_window *window;
    carom_findings_sample sample;
    double length;  /* that the search was to be for */
    double longest; /* that it may be for; less than `length`: no longer than that */
    double impacts; /* of a body in a step */
    bool is_guess;  /* no search before tells of impacts */
    bool responds;  /* bodies leave their paths */
} outlook;

/* A plan, and its price for each body and unit of time. */
typedef struct choice {
    double length;
    bool tight;
    double price;
    double most; /* impacts of a body that cost as much as the search */
} choice;

/* The least that a search costs for each body. */
static double least_search(const outlook *o) {
    const carom_impacts_bodies *bodies = o->window->bodies;
    return (SEARCH + SEARCH_SURFACE * bodies->surfaces) / bodies->count + SEARCH_BODY;
}

static double search_price(const outlook *o, const carom_findings *f) {
    return least_search(o) + SEARCH_IMAGE * f->images + NEIGHBOUR * f->neighbours;
}

/* Impacts of a body in a step, if tight hulls are for such a time. Before its first impact a body stays in its tight
 * hull, so first impacts are of pairs whose tight hulls meet. Where no search before tells of impacts, there are at
 * most so many. Later ones are not in it, but hulls end before there are many (choice.most). */
static double impacts_in(const outlook *o, const carom_findings *tight, double length) {
    const double pairs = (double)o->sample.probe.count * o->sample.targets;
    const double met = tight->neighbours + o->window->bodies->count / pairs; /* the sample sees no fewer */
    return o->is_guess ? fmin(o->impacts, met / length) : o->impacts;
}

/* The cheaper one of a search for such a time with tight hulls and one with room. *widest: what it finds with room. */
static choice offer(outlook *o, double length, carom_findings *widest) {
    const carom_findings tight = carom_findings_in(&o->sample, o->window, length, true);
    const choice without = {length, true, search_price(o, &tight) / length, INFINITY};
    *widest = tight;
    if (!o->responds) {
        return without;
    }
    const carom_findings wide = carom_findings_in(&o->sample, o->window, length, false);
    const double impacts = impacts_in(o, &tight, length);
    const double met = fmax(wide.neighbours, wide.of_met);
    const double more = fmax(0.0, met - fmax(tight.neighbours, tight.of_met)); /* than rows have */
    const double meet = IMPACT_NEIGHBOUR * met;
    const double leave = ESCAPES * (1.0 + wide.images) + 2.0 * NEIGHBOUR * more; /* each image of the two looks */
    const double room = search_price(o, &wide) / length;
    *widest = wide;
    if (without.price + impacts * leave < room) {
        const double most = IMPACTS_SHARE * search_price(o, &tight) / (leave + IMPACT_NEIGHBOUR * more);
        return (choice){length, true, without.price + impacts * (leave + meet), most};
    }
    return (choice){length, false, room + impacts * meet, INFINITY};
}

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

/* Whether a search that costs at least `least` may be the best or a trial. */
static bool may_matter(const choices *c, double length, double least) {
    const double price = least / length;
    return price < c->best.price || (price < c->trial.price && least <= TRIAL_SHARE * cost_of(c->longest));
}

/* Whether motion adds more than few. */
static bool motion_adds(const carom_findings *rest, const carom_findings *moving) {
    return moving->neighbours - rest->neighbours > NEIGHBOURS_FEW || moving->images - rest->images > IMAGES_FEW;
}

/* Tries all halves, not only until one costs more: where nearly all hulls meet, half the time alone gains nothing. For
 * the same reason a much longer search may cost less where the price grows with the next longer one. */
static choice cheapest(outlook *o, double *spent) {
    const carom_findings rest = carom_findings_in(&o->sample, o->window, LENGTH_LEAST, true);
    const double least = least_search(o);
    double length = o->length;
    carom_findings now;
    const choice wanted = offer(o, length, &now);
    carom_findings later;
    const choice longest = o->longest > length ? offer(o, o->longest, &later) : wanted;
    choices c = {longest, longest, {.price = INFINITY}};
    consider(&c, wanted);
    while (motion_adds(&rest, &now) && length >= 2.0 * LENGTH_LEAST && may_matter(&c, length / 2.0, least)) {
        length /= 2.0;
        consider(&c, offer(o, length, &now));
    }
    const bool tries = c.best.length == longest.length && *spent + cost_of(c.trial) <= TRIALS_SHARE * cost_of(longest);
    *spent += tries ? cost_of(c.trial) : 0.0;
    return tries ? c.trial : c.best;
}

carom_search_plan carom_search_plan_choose(const carom_window *window, double end, double reach, double *spent) {
    const double begin = window->begin;
    const bool open = window->bodies->periodic == NULL; /* else long hulls may meet images without number */
    const double longest = open ? fmin(1.0 - begin, reach) : end - begin;
    outlook o = {.window = window,
                 .length = end - begin,
                 .longest = longest,
                 .impacts = carom_horizon_impacts(reach, end - begin),
                 .is_guess = !(reach > 0.0),
                 .responds = reach < INFINITY};
    carom_findings_draw(&o.sample, window, 1);
    const carom_findings wanted = carom_findings_in(&o.sample, window, o.length, !o.responds);
    if (wanted.neighbours <= NEIGHBOURS_MANY && wanted.images <= IMAGES_FEW) {
        return (carom_search_plan){end, !o.responds, INFINITY};
    }
    carom_findings_draw(&o.sample, window, MORE);
    const choice best = cheapest(&o, spent);
    const double until = best.length == 1.0 - begin ? 1.0 : begin + best.length;
    return (carom_search_plan){best.length == o.length ? end : until, best.tight, best.most};
}
