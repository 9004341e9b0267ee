/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What a call says when memory gives out after its pairs have been counted. */
#ifndef CAROM_DETECT_RESULTS_SHORTAGE_TMPL_H
#define CAROM_DETECT_RESULTS_SHORTAGE_TMPL_H

#include "kernel/detect/job/job_tmpl.h"

#define carom_shortage_report CAROM_REAL(carom_shortage_report)

/* Turns a bare MEMORY into one with required_bytes: releases every buffer that rows and lists pass through, and adds
 * what they all need to what the context then still holds. Other statuses pass unchanged. */
carom_status carom_shortage_report(carom_detect_job *job, carom_status status);

/* What the attempts at a call have counted: a later one may end before it comes so far. */
typedef struct carom_shortage_counted {
    uint64_t pairs; /* required_pairs; 0: not counted yet */
    uint64_t bytes; /* required_bytes of the attempt that counted them */
} carom_shortage_counted;

/* After an attempt that had too little memory: notes its numbers if it counted the pairs. */
static inline void carom_shortage_note(const carom_detect_summary *summary, carom_shortage_counted *counted) {
    if (summary->required_pairs > 0) {
        *counted = (carom_shortage_counted){summary->required_pairs, summary->required_bytes};
    }
}

/* After the last attempt: what it has not found out itself is taken from those before. */
static inline void carom_shortage_recall(const carom_shortage_counted *counted, carom_detect_summary *summary) {
    if (counted->pairs > 0) {
        const bool more = counted->bytes > summary->required_bytes;
        summary->required_pairs = counted->pairs;
        summary->required_bytes = more ? counted->bytes : summary->required_bytes;
    }
}

#endif
