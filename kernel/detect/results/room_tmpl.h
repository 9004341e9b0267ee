/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What a call says when memory gives out after its pairs have been counted. */
#ifndef CAROM_DETECT_RESULTS_ROOM_TMPL_H
#define CAROM_DETECT_RESULTS_ROOM_TMPL_H

#include "kernel/detect/job/job_tmpl.h"

#define carom_room_explain CAROM_REAL(carom_room_explain)

/* Turns a bare MEMORY into one with required_bytes: releases every buffer that rows and lists pass through, and adds
 * what they all need to what the context then still holds. Other statuses pass unchanged. */
carom_status carom_room_explain(carom_detect_job *job, carom_status status);

#endif
