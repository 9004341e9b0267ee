/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: neighbours that a search has found. Out: the impacts that they have in this step, if nothing else happens. */
#include "kernel/impacts/predictor.h"

/* Pairs that begin a worker's share. */
enum { GRAIN = 16 };

enum { BLOCK = CAROM_PREDICTOR_BLOCK };

static void predict_pairs(const carom_predictor *p, uint64_t begin, uint64_t end) {
    const carom_found_pairs *pairs = &p->search->pairs;
    const carom_coarse_path *coarse = p->search->hulls.coarse;
    for (uint64_t at = begin; at < end; at += BLOCK) {
        for (uint64_t n = at + BLOCK; n < at + 2 * BLOCK && n < end; n++) {
            __builtin_prefetch(&coarse[pairs->a[n]]);
            __builtin_prefetch(&coarse[pairs->b[n]]);
        }
        carom_predictor_block(p, pairs->a + at, pairs->b + at, end - at < BLOCK ? (uint32_t)(end - at) : BLOCK);
    }
}

/* In a periodic box. Most pairs are of no image but the bodies themselves: the kernel tests those. */
static void predict_images(const carom_predictor *p, uint64_t begin, uint64_t end) {
    const carom_found_pairs *pairs = &p->search->pairs;
    uint32_t a[BLOCK];
    uint32_t b[BLOCK];
    uint32_t count = 0;
    for (uint64_t n = begin; n < end; n++) {
        const uint32_t code = carom_image_code(pairs->shift[0][n], pairs->shift[1][n], pairs->shift[2][n]);
        if (code != CAROM_IMAGE_SELF) {
            const carom_contact_pair pair = {pairs->a[n], pairs->b[n], code};
            carom_predictor_image(p, &pair);
            continue;
        }
        a[count] = pairs->a[n];
        b[count++] = pairs->b[n];
        if (count == BLOCK) {
            carom_predictor_block(p, a, b, count);
            count = 0;
        }
    }
    carom_predictor_block(p, a, b, count);
}

static void predict_task(void *data, uint32_t worker) {
    carom_predictor p = *(const carom_predictor *)data;
    p.own = &p.window->worker[worker];
    p.own->pending.count = p.own->aside.count = p.own->prospects.pair.count = 0;
    p.own->prospects.lost = false;
    carom_walk walk = carom_team_walk(p.team, worker, p.search->pairs.count, GRAIN);
    while (carom_walk_next(&walk)) {
        (p.window->bodies->periodic == NULL ? predict_pairs : predict_images)(&p, walk.begin, walk.end);
    }
    walk = carom_team_walk(p.team, worker, p.search->surface.count, GRAIN);
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin; n < walk.end; n++) {
            const carom_contact_pair *pair = (const carom_contact_pair *)p.search->surface.buffer.data + n;
            carom_predictor_surface(&p, pair->a, pair->other);
        }
    }
}

void carom_search_predict(const carom_search *search, const carom_team *team, carom_window *window) {
    carom_predictor p = {
        .search = search, .team = team, .window = window, .keeps = carom_predictor_keeps(search, window)};
    carom_team_run_over(team, window->bodies->count, predict_task, &p);
}
