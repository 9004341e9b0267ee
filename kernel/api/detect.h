/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The check of a config, which does not depend on the precision. */
#ifndef CAROM_API_DETECT_H
#define CAROM_API_DETECT_H

#include "carom/detect.h"

/* ARGUMENT, with a message, for a config that no detection can work on. error may be NULL. */
carom_status carom_detect_check_config(const carom_detect_config *config, carom_error *error);

#endif
