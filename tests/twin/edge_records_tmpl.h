/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Records whose boxes are a few floats apart or overlap by as many, or have corners that are infinite or no number
 * because floats or doubles gave out: where a test of rounded boxes and one of boxes stepped outward may differ. */
#ifndef CAROM_TESTS_EDGE_RECORDS_TMPL_H
#define CAROM_TESTS_EDGE_RECORDS_TMPL_H

#include "tests/twin/bodies_tmpl.h"

/* `count` finite records, radii >= 0, and the centre that their boxes are to be relative to. */
carom_record *make_edge_records(guarded_pool *pool, carom_random *random, uint64_t count, double centre[3]);

#endif
