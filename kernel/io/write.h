/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Writers. Numbers in text read back to the same value. Every failure to open, write or close is FILE. */
#ifndef CAROM_IO_WRITE_H
#define CAROM_IO_WRITE_H

#include "carom/bodies.h"
#include "carom/detect.h"
#include "carom/status.h"

/* Bodies, in the format that the path's suffix names: .npy (N x 7, f4), .csv, .xyz (extended).
 * Errors: ARGUMENT (another suffix), FILE. */
carom_status carom_write_bodies_f32(const char *path, const carom_bodies_f32 *bodies, carom_error *error);

/* Contacts as CSV: i,k,t_ca,distance,t_toi, and shift_x,shift_y,shift_z where the detection has shifts; t_toi is empty
 * where the pair does not touch. */
carom_status carom_write_pairs_f32(const char *path, const carom_detection_f32 *detection, carom_error *error);
carom_status carom_write_pairs_f64(const char *path, const carom_detection_f64 *detection, carom_error *error);

/* Member lists as CSV: group,body; the group is its label. */
carom_status carom_write_groups(const char *path, const carom_groups *groups, carom_error *error);

#endif
