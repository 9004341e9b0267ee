/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Predicts the memory of a detection from numbers alone. In: bodies, images, pairs, configuration, workers. Out: upper
 * bounds of bytes for scenes like the standard ones. A call whose memory gives out before it has counted its pairs asks
 * for these, and so does the public function. The bodies are not looked at: what crowded places take is not in it. */
#ifndef CAROM_DETECT_NEED_TMPL_H
#define CAROM_DETECT_NEED_TMPL_H

#include "kernel/detect/job/job_tmpl.h"
#include "kernel/detect/need.h"

#define carom_need_search CAROM_REAL(carom_need_search)
#define carom_need_workers CAROM_REAL(carom_need_workers)
#define carom_need_results CAROM_REAL(carom_need_results)
#define carom_need_detect CAROM_REAL(carom_need_detect)
#define carom_need_explain CAROM_REAL(carom_need_explain)

/* Bytes from the images to the unions, without any rows: what a call holds when its cells are searched. */
uint64_t carom_need_search(const carom_need *need);

/* The part of it that a walk along a list needs too: the workers, what filters test, the digits of sorts. */
uint64_t carom_need_workers(const carom_need *need);

/* Bytes of the rows, which `tasks` tasks find, and of all that is made from them. */
uint64_t carom_need_results(const carom_need *need, uint64_t tasks);

/* The last word on a call that memory was not enough for. Raises required_bytes to `least`, and in any case above the
 * limit that was too small; the message says the same. Returns MEMORY. */
carom_status carom_need_explain(carom_detect_job *job, uint64_t least);

#endif
