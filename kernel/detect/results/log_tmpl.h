/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Touching pairs for the events of a coherent step. In: slots. Out: pairs of the caller's bodies in the worker's log.
 */
#ifndef CAROM_DETECT_RESULTS_LOG_TMPL_H
#define CAROM_DETECT_RESULTS_LOG_TMPL_H

#include "kernel/detect/job/job_tmpl.h"

#define carom_log_touching CAROM_REAL(carom_log_touching)

/* job->log is not NULL. Once memory has given out the rest is lost, and the log says so. */
void carom_log_touching(const carom_detect_job *job, carom_worker *worker, uint32_t count, const uint32_t *slot_i,
                        const uint32_t *slot_k);

#endif
