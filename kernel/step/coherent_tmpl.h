/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* One step of coherent detection while it runs, shared by its files. Included once for each precision. */
#ifndef CAROM_STEP_COHERENT_TMPL_H
#define CAROM_STEP_COHERENT_TMPL_H

#include "kernel/step/coherent.h"
#include "kernel/step/job_tmpl.h"

typedef struct carom_coherent_step {
    carom_detect_job *job;
    carom_coherent *state;
    carom_coherent_report *report;
    double centre[3];      /* of this step's boxes, the one that cold detection would use */
    double length;         /* of the scene along its longest axis */
    uint64_t escaped_most; /* bodies outside their hulls: beyond so many they are not looked for any more */
} carom_coherent_step;

/* Bodies moved between looks at how many have left their hulls. */
enum { CAROM_COHERENT_BLOCK = 4096 };

/* Bodies drawn out along their paths: hulls are the swept boxes of these. For doubles there are two radii: hulls must
 * hold with room to spare for boxes taken from another centre. */
typedef struct carom_drawn_out {
    carom_bodies bodies; /* as checked */
    carom_real *curr[3];
    carom_real *radius;
    carom_real *wide_radius; /* as listed; the same array for floats */
} carom_drawn_out;

uint64_t CAROM_REAL(carom_drawn_out_bytes)(uint64_t count);
carom_drawn_out CAROM_REAL(carom_drawn_out_view)(void *block, const carom_bodies *bodies);
/* Draws out bodies [begin, end). */
void CAROM_REAL(carom_draw_out)(const carom_coherent *state, const carom_bodies *bodies, uint64_t begin, uint64_t end,
                                const carom_drawn_out *drawn);
/* Means from a sample without its greatest few: way in the step, and extent of the swept box, along the axis where
 * they are greatest. */
void CAROM_REAL(carom_coherent_sample)(const carom_bodies *bodies, double *displacement, double *extent);

/* Order, hulls and list from this step's bodies, which have been surveyed. */
carom_status CAROM_REAL(carom_coherent_build)(carom_coherent_step *step);

/* Gives bodies found outside their hulls (sorted, in ESCAPED) larger ones. False: a rebuild is cheaper. */
bool CAROM_REAL(carom_coherent_escape)(carom_coherent_step *step, uint64_t escaped);

/* Walks the list: counts and rows. */
carom_status CAROM_REAL(carom_coherent_pairs)(carom_coherent_step *step);

/* MEMORY, with what is missing. */
carom_status CAROM_REAL(carom_coherent_no_memory)(carom_coherent_step *step, uint64_t required);

#endif
