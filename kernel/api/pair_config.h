/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Configs of distances and times of impact, checked, with their defaults in place. */
#ifndef CAROM_API_PAIR_CONFIG_H
#define CAROM_API_PAIR_CONFIG_H

#include "carom/distance.h"
#include "carom/toi.h"

/* Takes the caller's config; NULL is the default. `real` is the size of the precision's numbers, which says the default
 * tolerance. Errors: ARGUMENT. */
carom_status carom_pair_config_distance(const carom_distance_config *given, size_t real, carom_distance_config *own,
                                        carom_error *error);
carom_status carom_pair_config_toi(const carom_toi_config *given, size_t real, carom_toi_config *own,
                                   carom_error *error);

/* The same members of another config. A tolerance of 0 stands for a default. */
carom_status carom_pair_config_margin(double margin, carom_error *error);
carom_status carom_pair_config_tolerance(double tolerance, carom_error *error);

#endif
