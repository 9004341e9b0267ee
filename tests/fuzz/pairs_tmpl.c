/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/fuzz/pairs_tmpl.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "carom/distance.h"
#include "carom/toi.h"
#include "simd/precision.h"
#include "tests/fuzz/contexts.h"
#include "tests/support/note.h"

#define fuzz_pairs CAROM_REAL(fuzz_pairs)
#define DISTANCES CAROM_REAL(carom_distance_pairs)
#define DISTANCE CAROM_REAL(carom_distance_pair)
#define IMPACTS CAROM_REAL(carom_toi_pairs)

typedef CAROM_REAL(carom_gap) gap_row;
typedef CAROM_REAL(carom_manifold) manifold_row;
typedef CAROM_REAL(carom_toi) impact_row;
typedef CAROM_REAL(carom_pose) pose;

enum { BODIES_MOST = 8, PAIRS_MOST = 80, LOOKS = 12 };

typedef struct pairs_input {
    carom_bodies bodies;
    carom_real at[3][BODIES_MOST];
    carom_real end[3][BODIES_MOST];
    carom_real turn[4][BODIES_MOST];
    carom_real spin[3][BODIES_MOST];
    uint32_t shape[BODIES_MOST];
    uint32_t i[PAIRS_MOST];
    uint32_t k[PAIRS_MOST];
    uint64_t count;
    carom_distance_config config;
    carom_toi_config toi;
} pairs_input;

/* What a call answers. */
typedef struct pairs_answer {
    carom_status status[2];
    carom_error error[2];
    gap_row gap[PAIRS_MOST];
    manifold_row manifold[PAIRS_MOST];
    impact_row impact[PAIRS_MOST];
} pairs_answer;

static void take_body(fuzz_bytes *bytes, uint64_t shapes, uint32_t n, pairs_input *input) {
    const uint8_t turned = fuzz_byte(bytes);
    const uint8_t shape = fuzz_byte(bytes);
    input->shape[n] = shape < 254 ? (uint32_t)(shape % shapes) : shape;
    for (int a = 0; a < 3; a++) {
        input->at[a][n] = (carom_real)fuzz_pairs_number(bytes);
        input->end[a][n] = turned % 4 == 0 ? input->at[a][n] : (carom_real)fuzz_pairs_number(bytes);
        input->spin[a][n] = turned % 8 < 3 ? 0 : (carom_real)fuzz_pairs_number(bytes);
    }
    for (int a = 0; a < 4; a++) {
        const double part = turned < 128 ? (a == 3 ? 1.0 : 0.0) : fuzz_pairs_number(bytes);
        input->turn[a][n] = (carom_real)(turned < 240 ? part / 4.0 + (a == 3 ? 0.75 : 0.0) : part);
    }
}

static void take_pairs(fuzz_bytes *bytes, pairs_input *input) {
    input->count = 1 + fuzz_byte(bytes) % PAIRS_MOST;
    for (uint64_t n = 0; n < input->count; n++) {
        const uint8_t pair = fuzz_byte(bytes);
        input->i[n] = (uint32_t)(pair % input->bodies.count);
        input->k[n] = (uint32_t)(pair / 16 % input->bodies.count);
    }
}

static void take_input(fuzz_bytes *bytes, const carom_shapes *shapes, pairs_input *input) {
    carom_bodies *bodies = &input->bodies;
    *bodies = (carom_bodies){.size = sizeof *bodies, .count = 1 + fuzz_byte(bytes) % BODIES_MOST, .shapes = shapes};
    bodies->shape = input->shape;
    for (int a = 0; a < 4; a++) {
        bodies->prev_turn[a] = input->turn[a];
        bodies->prev[a < 3 ? a : 0] = input->at[a < 3 ? a : 0];
        bodies->curr[a < 3 ? a : 0] = input->end[a < 3 ? a : 0];
        bodies->spin[a < 3 ? a : 0] = input->spin[a < 3 ? a : 0];
    }
    input->config = carom_distance_config_default();
    input->toi = carom_toi_config_default();
    input->config.detail = (carom_gap_detail)(fuzz_byte(bytes) % 5);
    input->config.margin = fuzz_byte(bytes) % 2 == 0 ? 0.0 : 0.25;
    input->toi.margin = input->config.margin;
    input->toi.iterations_max = LOOKS;
    for (uint32_t n = 0; n < bodies->count; n++) {
        take_body(bytes, carom_shapes_count(shapes), n, input);
    }
    take_pairs(bytes, input);
}

static void answer(carom_context *context, const pairs_input *input, pairs_answer *to) {
    memset(to, 0, sizeof *to);
    to->status[0] = DISTANCES(context, &input->bodies, input->i, input->k, input->count, &input->config, to->gap,
                              to->manifold, &to->error[0]);
    to->status[1] =
        IMPACTS(context, &input->bodies, input->i, input->k, input->count, &input->toi, to->impact, &to->error[1]);
}

static void compare(const pairs_input *input, const pairs_answer *a, const pairs_answer *b) {
    for (int call = 0; call < 2; call++) {
        note_check(a->status[call] == b->status[call], "call %d: status %d and %d", call, (int)a->status[call],
                   (int)b->status[call]);
        note_check(a->status[call] == CAROM_OK || (a->error[call].body == b->error[call].body &&
                                                   strcmp(a->error[call].message, b->error[call].message) == 0),
                   "call %d: \"%s\" and \"%s\"", call, a->error[call].message, b->error[call].message);
    }
    for (uint64_t n = 0; n < input->count && a->status[0] == CAROM_OK; n++) {
        const gap_row *p = &a->gap[n];
        const gap_row *q = &b->gap[n];
        note_check(
            memcmp(p, q, sizeof *p) == 0,
            "gaps of pair %u differ: state %d and %d, lower %.17g and %.17g, upper %.17g and %.17g, normals %.17g "
            "%.17g %.17g and %.17g %.17g %.17g, iterations %u and %u",
            (unsigned)n, (int)p->state, (int)q->state, (double)p->lower, (double)q->lower, (double)p->upper,
            (double)q->upper, (double)p->normal[0], (double)p->normal[1], (double)p->normal[2], (double)q->normal[0],
            (double)q->normal[1], (double)q->normal[2], p->iterations, q->iterations);
        note_check(memcmp(&a->manifold[n], &b->manifold[n], sizeof a->manifold[n]) == 0, "manifolds of pair %u differ",
                   (unsigned)n);
    }
    for (uint64_t n = 0; n < input->count && a->status[1] == CAROM_OK; n++) {
        note_check(memcmp(&a->impact[n], &b->impact[n], sizeof a->impact[n]) == 0, "times of pair %u differ",
                   (unsigned)n);
    }
}

static pose pose_of(const pairs_input *input, uint32_t n) {
    pose body = {.shape = input->shape[n]};
    for (int a = 0; a < 4; a++) {
        body.turn[a] = input->turn[a][n];
        body.at[a < 3 ? a : 0] = input->at[a < 3 ? a : 0][n];
    }
    return body;
}

/* One pair alone, and the other way round. */
static void check_alone(const pairs_input *input, const pairs_answer *all, uint64_t n) {
    const pose i = pose_of(input, input->i[n]);
    const pose k = pose_of(input, input->k[n]);
    const carom_shapes *shapes = input->bodies.shapes;
    const gap_row *gap = &all->gap[n];
    gap_row one;
    gap_row back;
    manifold_row manifold;
    note_check(DISTANCE(shapes, &i, &k, &input->config, &one, &manifold, NULL) == CAROM_OK, "refused alone");
    note_check(memcmp(&one, gap, sizeof one) == 0, "pair %u differs alone", (unsigned)n);
    const bool has_manifolds = input->config.detail == CAROM_GAP_MANIFOLD || input->config.detail == CAROM_GAP_CONTACT;
    note_check(!has_manifolds || memcmp(&manifold, &all->manifold[n], sizeof manifold) == 0,
               "the manifold of pair %u differs alone", (unsigned)n);
    note_check(DISTANCE(shapes, &k, &i, &input->config, &back, &manifold, NULL) == CAROM_OK, "refused the other way");
    note_check(gap->lower <= gap->distance && gap->distance <= gap->upper, "pair %u: an empty bracket", (unsigned)n);
    note_check(gap->lower <= back.upper && back.lower <= gap->upper, "pair %u: brackets are apart", (unsigned)n);
    for (int a = 0; a < 3; a++) {
        note_check(isfinite(gap->normal[a]) && isfinite(gap->point_i[a]) && isfinite(gap->point_k[a]),
                   "pair %u: not a number", (unsigned)n);
    }
}

static void check_impact(const impact_row *impact, unsigned n) {
    note_check(impact->t >= 0 && impact->t <= 1 && !isnan(impact->gap), "pair %u: t %g, gap %g", n, (double)impact->t,
               (double)impact->gap);
    note_check(impact->state != CAROM_TOI_NONE || impact->t == 1, "pair %u: NONE at %g", n, (double)impact->t);
}

void fuzz_pairs(fuzz_bytes *bytes, unsigned pick, const carom_shapes *shapes) {
    static pairs_input input;
    static pairs_answer wanted;
    static pairs_answer found;
    take_input(bytes, shapes, &input);
    for (size_t n = 0; n < fuzz_contexts_count(); n++) {
        const fuzz_contexts contexts = fuzz_contexts_of(pick, n);
        if (n == 0) {
            answer(contexts.reference, &input, &wanted);
        }
        answer(contexts.tried, &input, &found);
        compare(&input, &wanted, &found);
    }
    for (uint64_t n = 0; n < input.count; n++) {
        if (wanted.status[0] == CAROM_OK) {
            check_alone(&input, &wanted, n);
        }
        if (wanted.status[1] == CAROM_OK) {
            check_impact(&wanted.impact[n], (unsigned)n);
        }
    }
}
