/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* carom_lists. In: the caller's bodies and config. Out: neighbour lists, by cells where that pays, else those of a
 * detection. */
#include "kernel/lists/lists_tmpl.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernel/api/call_tmpl.h"
#include "kernel/api/layout.h"
#include "kernel/detect/detect.h"
#include "kernel/lists/cost.h"
#include "kernel/lists/periodic.h"
#include "kernel/periodic/load.h"
#include "kernel/sys/arithmetic.h"
#include "kernel/sys/clock.h"
#include "kernel/sys/error.h"

/* The public functions; carom_lists is their answer. */
#define carom_lists_call CAROM_REAL(carom_lists)
#define carom_detect_run CAROM_REAL(carom_detect_run)
#define carom_load_bodies CAROM_REAL(carom_load_bodies)
#define carom_load_body CAROM_REAL(carom_load_body)

static carom_status check_config(const carom_list_config *config, const carom_bodies *bodies, carom_error *error) {
    if (!config->pairs && config->neighbours != CAROM_NEIGHBOURS_HALF && config->neighbours != CAROM_NEIGHBOURS_FULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "config.neighbours is %d: lists are half or full",
                               (int)config->neighbours);
    }
    for (size_t n = 0; n < sizeof config->reserved; n++) {
        if (config->reserved[n] != 0) {
            return carom_error_set(error, CAROM_ERROR_ARGUMENT, "config.reserved[%zu] is %u, not 0", n,
                                   config->reserved[n]);
        }
    }
    if (!(config->cutoff >= 0.0 && isfinite((carom_real)config->cutoff))) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "config.cutoff is %g: it must be >= 0, and a finite %s",
                               config->cutoff, sizeof(carom_real) == sizeof(float) ? "float" : "double");
    }
    return bodies->shapes == NULL || config->cutoff == 0.0
               ? CAROM_OK
               : carom_error_set(error, CAROM_ERROR_ARGUMENT, "bodies.shapes does not go with config.cutoff");
}

/* What a detection that makes the lists is asked for. */
static carom_detect_config detection_of(const carom_list_config *config) {
    carom_detect_config detection = carom_detect_config_default();
    detection.until = CAROM_UNTIL_APPROACH;
    detection.neighbours = config->pairs ? CAROM_NEIGHBOURS_NONE : config->neighbours;
    detection.count_only = config->pairs && config->count_only;
    detection.filter = config->filter;
    detection.periodic = config->periodic;
    detection.cancel = config->cancel;
    return detection;
}

static void set_cutoff(carom_bodies *bodies, double cutoff) {
    bodies->radius = NULL;
    bodies->radius_stride = 0;
    bodies->common_radius = (carom_real)0.5 * (carom_real)cutoff;
}

static bool move(const carom_bodies *bodies) {
    bool at_rest = bodies->curr_stride == bodies->prev_stride;
    for (int a = 0; a < 3; a++) {
        at_rest = at_rest && bodies->curr[a] == bodies->prev[a];
    }
    return !at_rest;
}

/* Why a detection makes the lists, which has a reason of its own. */
static void set_reason(carom_lists *lists, const char *why) {
    snprintf(lists->reason, sizeof lists->reason, "detection: %s", why);
}

static void add_reason(carom_lists *lists, const char *more) {
    const size_t length = strlen(lists->reason);
    const size_t left = sizeof lists->reason - 1 - length;
    const size_t taken = strlen(more) < left ? strlen(more) : left;
    memcpy(lists->reason + length, more, taken);
    lists->reason[length + taken] = '\0';
}

static carom_status list_by_cells(carom_context *context, const carom_bodies *bodies, const carom_list_config *config,
                                  carom_lists *lists) {
    if (bodies->count == 0) {
        set_reason(lists, "there are no bodies");
        return CAROM_OK;
    }
    if (bodies->shapes != NULL) {
        set_reason(lists, "bodies have shapes");
        return CAROM_OK;
    }
    const carom_image_source source = {
        .bodies = bodies, .count = bodies->count, .load = carom_load_bodies, .load_one = carom_load_body};
    const bool moves = move(bodies);
    const carom_lists_task task = {moves, config->periodic != NULL, config->pairs};
    if ((moves || config->periodic != NULL) && !carom_lists_may_pay(&source, &task, config->periodic, lists->reason)) {
        return CAROM_OK;
    }
    /* Unless costs decide. */
    set_reason(lists, "no grid fits: too wide a space, bodies as wide as the box, or images too far away");
    bool fits;
    return config->periodic == NULL ? carom_lists_by_cells(context, bodies, moves, NULL, config, lists, &fits)
                                    : carom_lists_periodic(context, &source, moves, config, lists);
}

/* The neighbour of an entry is body k of its row, moved by the row's shift, if the list is that of i; else body i,
 * moved the other way. Of a body and its own image the first entry is the one and the second the other. */
static void set_shift(const carom_contacts *rows, const carom_neighbours *found, uint64_t body, uint64_t n,
                      int32_t *const shift[3]) {
    const uint64_t row = found->pair[n];
    const bool second = n > found->offset[body] && found->pair[n - 1] == row;
    const int32_t sign = rows->i[row] != body || second ? -1 : 1;
    for (int a = 0; a < 3; a++) {
        shift[a][n] = sign * rows->shift[a][row];
    }
}

static carom_status list_shifts(carom_context *context, const carom_call *call, carom_lists *lists) {
    const uint64_t bytes = carom_size_multiply(lists->count, 3 * sizeof(int32_t));
    const carom_work_need need = {CAROM_WORK_LIST_SHIFT, bytes};
    const carom_status status = carom_context_reserve(context, &need, 1, &lists->required_bytes);
    if (status != CAROM_OK) {
        return status;
    }
    int32_t *block = carom_context_work(context, CAROM_WORK_LIST_SHIFT);
    int32_t *const shift[3] = {block, block + lists->count, block + 2 * lists->count};
    for (uint64_t b = 0; b < call->bodies.count && lists->count > 0; b++) {
        for (uint64_t n = lists->offset[b]; n < lists->offset[b + 1]; n++) {
            set_shift(&call->found.contacts, &call->found.neighbours, b, n, shift);
        }
    }
    for (int a = 0; a < 3 && lists->count > 0; a++) {
        lists->shift[a] = shift[a];
    }
    return CAROM_OK;
}

/* The rows of the detection, without their contacts. */
static void give_pairs(const carom_call *call, const carom_list_config *config, carom_lists *lists) {
    lists->count = call->found.summary.touching_pairs;
    if (lists->count > 0 && !config->count_only) {
        lists->i = call->found.contacts.i;
        lists->k = call->found.contacts.k;
        for (int a = 0; a < 3 && config->periodic != NULL; a++) {
            lists->shift[a] = call->found.contacts.shift[a];
        }
    }
}

/* What is not described yet. */
static carom_status explain(const carom_lists *lists, carom_status status, carom_error *error) {
    return status == CAROM_ERROR_MEMORY
               ? carom_error_set(error, status,
                                 "no memory for the lists: %" PRIu64 " bytes in all would be enough to go on",
                                 lists->required_bytes)
           : status == CAROM_ERROR_CANCELLED ? carom_error_set(error, status, "the call was cancelled")
                                             : status;
}

static carom_status list_detected(carom_context *context, carom_call *call, const carom_list_config *config,
                                  carom_lists *lists, carom_error *error) {
    carom_status status = carom_detect_run(context, &call->bodies, &call->settings.config, NULL, &call->found, error);
    if (status != CAROM_OK) {
        lists->required_bytes = call->found.summary.required_bytes;
        return status;
    }
    if (call->bodies.count > 0) {
        add_reason(lists, "; ");
        add_reason(lists, call->found.summary.reason);
    }
    if (config->pairs) {
        give_pairs(call, config, lists);
        return CAROM_OK;
    }
    lists->offset = call->found.neighbours.offset;
    lists->count = lists->offset != NULL ? lists->offset[call->bodies.count] : 0;
    lists->body = lists->count > 0 && !config->count_only ? call->found.neighbours.body : NULL;
    if (config->periodic != NULL && !config->count_only) {
        status = explain(lists, list_shifts(context, call, lists), error);
    }
    return status;
}

static carom_status run(carom_context *context, carom_call *call, const carom_list_config *config, carom_lists *lists,
                        carom_error *error) {
    carom_status status = carom_call_begin(call, context, error);
    if (status != CAROM_OK) {
        return status;
    }
    status = explain(lists, list_by_cells(context, &call->bodies, config, lists), error);
    if (status == CAROM_OK && !lists->by_cells) {
        status = list_detected(context, call, config, lists, error);
    }
    carom_call_end(context);
    return status;
}

/* The caller's structs as the library's own, and the work. */
static carom_status make(carom_context *context, const carom_bodies *bodies, const carom_list_config *given,
                         carom_lists *lists, carom_error *error) {
    carom_call call = {.detection = NULL};
    carom_list_config config = carom_list_config_default();
    carom_status status = carom_layout_take(&carom_layout_list_config, &config, given, error);
    const carom_detect_config detection = detection_of(&config);
    if (status == CAROM_OK) {
        status = carom_call_take(&call, bodies, &detection, NULL, error);
    }
    if (status == CAROM_OK) {
        status = check_config(&config, &call.bodies, error);
    }
    if (status == CAROM_OK) {
        config.filter = call.settings.config.filter; /* copies that have every member */
        config.periodic = call.settings.config.periodic;
        if (config.cutoff > 0.0) {
            set_cutoff(&call.bodies, config.cutoff);
        }
        status = run(context, &call, &config, lists, error);
    }
    return status;
}

carom_status carom_lists_call(carom_context *context, const carom_bodies *bodies, const carom_list_config *config,
                              carom_lists *lists, carom_error *error) {
    if (lists == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "lists is NULL");
    }
    const double begin = carom_clock_seconds();
    carom_lists own = {0};
    carom_status status = carom_layout_check(&carom_layout_lists, lists, error);
    if (status != CAROM_OK) {
        return status;
    }
    carom_layout_give(&carom_layout_lists, lists, &own);
    if (context == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "context is NULL");
    }
    const carom_arithmetic before = carom_arithmetic_enter();
    status = make(context, bodies, config, &own, error);
    carom_arithmetic_leave(before);
    own.seconds = carom_clock_seconds() - begin;
    if (status != CAROM_OK) {
        own = (carom_lists){.required_bytes = own.required_bytes};
    }
    carom_layout_give(&carom_layout_lists, lists, &own);
    return status;
}
