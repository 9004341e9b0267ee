/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Includes every public header. */
#ifndef CAROM_CAROM_H
#define CAROM_CAROM_H

#include "carom/bodies.h"
#include "carom/coherent.h"
#include "carom/contacts.h"
#include "carom/context.h"
#include "carom/control.h"
#include "carom/detect.h"
#include "carom/distance.h"
#include "carom/filter.h"
#include "carom/periodic.h"
#include "carom/plane.h"
#include "carom/lists.h"
#include "carom/query.h"
#include "carom/shapes.h"
#include "carom/status.h"
#include "carom/step.h"
#include "carom/surface.h"
#include "carom/toi.h"
#include "carom/version.h"
#include "carom/world.h"
#include "carom/worlds.h"

#endif
