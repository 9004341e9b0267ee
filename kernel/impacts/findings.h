/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What a search for neighbours would find, estimated from pairs of a sample of bodies. That tells more than a density
 * does: bodies may be in a few swarms far apart, and few may have nearly all neighbours. */
#ifndef CAROM_IMPACTS_FINDINGS_H
#define CAROM_IMPACTS_FINDINGS_H

#include "kernel/impacts/window.h"

enum { CAROM_FINDINGS_PROBES = 256 };

/* What a search finds. Where few bodies have nearly all neighbours, these have nearly all impacts, too. */
typedef struct carom_findings {
    double neighbours; /* of a body, on the average */
    double of_met;     /* of one that another one meets, on the average over those that meet */
    double images;     /* of a body that are looked at */
} carom_findings;

/* How space repeats. Of an axis that does not, all is 0. */
typedef struct carom_findings_lattice {
    bool repeats;
    float edge[3][3];
    float dual[3][3]; /* of a vector they say how many edges it goes */
} carom_findings_lattice;

/* Bodies, and their hulls: the middle of each and half its sides. */
typedef struct carom_findings_probes {
    uint32_t count;
    uint32_t slot[CAROM_FINDINGS_PROBES];
    float weight[CAROM_FINDINGS_PROBES]; /* bodies that it stands for */
    float middle[3][CAROM_FINDINGS_PROBES];
    float half[3][CAROM_FINDINGS_PROBES];
    float met[CAROM_FINDINGS_PROBES]; /* targets whose hulls meet its own */
} carom_findings_probes;

typedef struct carom_findings_sample {
    carom_findings_probes probe;
    uint32_t targets;
    uint32_t from; /* the number of the first target's draw */
    carom_findings_lattice lattice;
} carom_findings_sample;

/* Draws a sample, the same in every search. `more`: for so many times as many pairs as 1 draws, with other targets. */
void carom_findings_draw(carom_findings_sample *sample, const carom_window *window, uint32_t more);

/* What a search from the window's beginning finds, if hulls are for such a time, in steps, with room or tight. Needs
 * the frame of window->hulls. */
carom_findings carom_findings_in(carom_findings_sample *sample, const carom_window *window, double length, bool tight);

#endif
