/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The motion of a body between two impacts: a piece of its path. All of predicting and responding are functions of
 * pieces alone, so the same pieces give the same bits whoever asks, and whenever. */
#ifndef CAROM_RESPONSE_PIECE_H
#define CAROM_RESPONSE_PIECE_H

#include <stdint.h>

typedef struct carom_piece {
    double x[3];    /* the centre at `start`, in units of length */
    double v[3];    /* velocity, in units of length a step */
    double start;   /* time of the last impact in this step, in steps, 0 to 1; 0 if there was none */
    uint32_t last;  /* what that impact was with: a number of carom_impact_other, or CAROM_PIECE_FRESH */
    uint16_t count; /* impacts in this step */
    uint16_t image; /* and with which image of it (kernel/response/image.h); CAROM_PIECE_STOOD is added if that one was
                       held, or is never moved */
} carom_piece;

/* Beside the code of an image, which has 15 bits. */
#define CAROM_PIECE_STOOD 0x8000U

/* `last` of a body that had no impact in this step. */
#define CAROM_PIECE_FRESH UINT32_MAX

/* The centre at time t, in steps, t >= piece->start. At the start the very bits of piece->x, but that -0 is 0. */
static inline void carom_piece_at(const carom_piece *piece, double t, double x[3]) {
    for (int a = 0; a < 3; a++) {
        x[a] = piece->x[a] + piece->v[a] * (t - piece->start);
    }
}

#endif
