/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Coherent detection in a periodic box. In: the bodies of a step, and a list of an earlier one. Out: what carom_detect
 * gives, to the bit.
 *
 * The list is one of open space. When it is built, bodies are moved into one cell of the lattice. Images are added for
 * all boxes that bodies may need while they are in their fat boxes, and the list has the pairs of bodies and of bodies
 * with images. In each step the bodies are moved into the cell again, as cold detection moves them, and the images are
 * copied from there. So a pair of the list is the very pair that cold detection finds, with the same bits, as long as
 * both bodies are in the cells in which the list has them.
 *
 * Some bodies have crossed a face of the cell since then, or their caller has moved them by a lattice vector. They turn
 * up far from their fat boxes, by such a vector, and are "moved". The pairs of a moved body are set apart: for each the
 * shift between its bodies says which of them cold detection takes an image of, and of which shift. Records of these
 * are made, and tested like all others. In place of a moved body the list finds a box that overlaps no finite one.
 *
 * All in double, for both precisions, as cold detection in periodic boxes. */
#ifndef CAROM_COHERENT_PERIODIC_PERIODIC_H
#define CAROM_COHERENT_PERIODIC_PERIODIC_H

#include "kernel/coherent/state.h"

/* Steps for callers of either precision. until >= CAROM_UNTIL_PAIRS, config->periodic without self images; *report and
 * *detection are zero. Errors: those of carom_coherent_detect. */
carom_status carom_coherent_run_periodic_f32(carom_coherent *state, const carom_bodies_f32 *bodies,
                                             const carom_detect_config *config, const carom_detect_output_f32 *output,
                                             carom_detection_f32 *detection, carom_coherent_report *report,
                                             carom_error *error);
carom_status carom_coherent_run_periodic_f64(carom_coherent *state, const carom_bodies_f64 *bodies,
                                             const carom_detect_config *config, const carom_detect_output_f64 *output,
                                             carom_detection_f64 *detection, carom_coherent_report *report,
                                             carom_error *error);

#endif
