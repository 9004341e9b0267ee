/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A standard scene with shapes. */
#ifndef CAROM_CLI_SHAPED_SCENE_H
#define CAROM_CLI_SHAPED_SCENE_H

#include "kernel/cli/scene_options.h"
#include "kernel/cli/shaped.h"

/* Makes the scene that the options name, which name shapes. Release also after a failure. RESOURCES, with a message. */
carom_exit carom_shaped_scene_make(const carom_scene_options *options, carom_shaped *shaped);

#endif
