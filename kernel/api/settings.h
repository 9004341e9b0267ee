/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A detection's config with the filter and the box that it points to, as the library's own complete structs. */
#ifndef CAROM_API_SETTINGS_H
#define CAROM_API_SETTINGS_H

#include "carom/detect.h"

typedef struct carom_settings {
    carom_detect_config config; /* its filter and periodic are the two below, or NULL */
    carom_filter filter;
    carom_periodic periodic;
} carom_settings;

/* Takes the caller's config; NULL is the default. *settings points into itself, so it must stay where it is. error may
 * be NULL. Errors: ARGUMENT, with a message, for one that no detection can work on. */
carom_status carom_settings_take(carom_settings *settings, const carom_detect_config *config, carom_error *error);

#endif
