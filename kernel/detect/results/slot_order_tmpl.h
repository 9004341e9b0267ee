/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The order of the partition, for callers who keep their bodies in it. In: the records. Out: the body of each slot. */
#ifndef CAROM_DETECT_RESULTS_SLOT_ORDER_TMPL_H
#define CAROM_DETECT_RESULTS_SLOT_ORDER_TMPL_H

#include "kernel/detect/job/job_tmpl.h"

#define carom_slot_order_reserve CAROM_REAL(carom_slot_order_reserve)
#define carom_slot_order_list CAROM_REAL(carom_slot_order_list)
#define carom_slot_order_bytes CAROM_REAL(carom_slot_order_bytes)

/* Room for it, if the call asks for it: before a sink has had rows. Errors: MEMORY. */
carom_status carom_slot_order_reserve(carom_detect_job *job);

/* Lists it, if the call asks for it. Errors: CANCELLED. */
carom_status carom_slot_order_list(carom_detect_job *job);

/* Bytes of the list; 0 if none is asked for. */
uint64_t carom_slot_order_bytes(const carom_detect_job *job);

#endif
