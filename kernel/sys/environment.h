/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The one reader of the environment: what can change a run from outside is found in one place. */
#ifndef CAROM_SYS_ENVIRONMENT_H
#define CAROM_SYS_ENVIRONMENT_H

/* The value of a variable, or NULL. Valid until the environment is changed. */
const char *carom_environment(const char *name);

#endif
