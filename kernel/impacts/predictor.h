/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Predicts the impacts of pairs as their bodies stand, for one worker. */
#ifndef CAROM_IMPACTS_PREDICTOR_H
#define CAROM_IMPACTS_PREDICTOR_H

#include "kernel/impacts/reuse_steps.h"

/* Pairs that kernels test at once. */
enum { CAROM_PREDICTOR_BLOCK = 128 };

typedef struct carom_predictor {
    const carom_search *search;
    const carom_team *team;
    carom_window *window;
    carom_impacts_worker *own;
    bool keeps; /* pairs that may collide before the hulls end become prospects */
} carom_predictor;

/* Whether prospects can be of use. */
static inline bool carom_predictor_keeps(const carom_search *search, const carom_window *window) {
    return search->hulls.frame.end > 1.0 && carom_reuse_may_coast(window->bodies);
}

/* Predicts the impacts of those of at most CAROM_PREDICTOR_BLOCK pairs of bodies, at no image, that pass the kernel's
 * test. These become prospects, if the predictor keeps them. */
void carom_predictor_block(const carom_predictor *predictor, const uint32_t *a, const uint32_t *b, uint32_t count);

/* The same for one pair at an image. */
void carom_predictor_image(const carom_predictor *predictor, const carom_contact_pair *pair);

/* The same for a body and a surface, without a test. */
void carom_predictor_surface(const carom_predictor *predictor, uint32_t slot, uint32_t other);

#endif
