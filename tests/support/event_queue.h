/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A plain sequential event queue: the definition of what a step with impacts does. It shares nothing with the library
 * but the functions that predict an impact and respond to it. For small worlds: each impact costs time in proportion to
 * the number of bodies and surfaces. */
#ifndef CAROM_TESTS_EVENT_QUEUE_H
#define CAROM_TESTS_EVENT_QUEUE_H

#include <stdint.h>

#include "kernel/impacts/shift.h"
#include "kernel/response/respond.h"

enum { QUEUE_BODIES_MAX = 1024, QUEUE_SURFACES_MAX = 32 };

/* `last` of a body that hit surface s is QUEUE_SURFACE + s; in events, k is. */
static const uint32_t QUEUE_SURFACE = UINT32_C(0x80000000);

typedef struct queue_event {
    double t;
    uint32_t i;
    uint32_t k;       /* a body, i < k, or QUEUE_SURFACE and more */
    uint32_t image;   /* code of k's image */
    int32_t shift[3]; /* its shift, in edges of the caller's box */
    carom_impact impact;
} queue_event;

/* All numbers of bodies are their indices. */
typedef struct queue_world {
    uint32_t bodies;
    uint32_t surfaces;
    carom_response_rules rules;
    carom_response_body body[QUEUE_BODIES_MAX];
    carom_piece piece[QUEUE_BODIES_MAX];
    double kept[QUEUE_BODIES_MAX][3];
    carom_surface surface[QUEUE_SURFACES_MAX];
    const carom_periodic *periodic; /* whose edges codes count; NULL: open space */
    const carom_lattice *lattice;   /* as in carom_impacts_bodies; mostly NULL */
    int32_t images;                 /* edges away that images are looked at, on each periodic axis */
    uint64_t impacts;               /* of all steps so far */

    /* Called after each impact, if not NULL. */
    void (*on_event)(void *user, const queue_event *event);
    void *user;
} queue_world;

/* Puts a body at x with velocity v, in units of length a step; returns its index. */
uint32_t queue_add(queue_world *world, const double x[3], const double v[3], double radius, double mass,
                   double restitution);

/* Moves the bodies through one step, impact by impact in the order (t, i, k), and begins the next: pieces then start at
 * 0. Bodies that were held go on with the velocity they had. */
void queue_step(queue_world *world);

/* Between steps: bodies that left the periodic box, whose edge e has coordinates up to e alone, enter it on the other
 * side. Returns how many faces they crossed. Sets `wrapped` of each body that did. */
uint64_t queue_wrap(queue_world *world, bool *wrapped);

#endif
