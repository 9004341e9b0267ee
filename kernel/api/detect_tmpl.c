/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* carom_detect. In: the caller's bodies, config and output. Out: a detection. */
#include "carom/detect.h"

#include "kernel/api/call_tmpl.h"
#include "kernel/api/layout.h"
#include "kernel/check/assert.h"
#include "kernel/detect/detect.h"
#include "kernel/detect/direct/direct_tmpl.h"
#include "kernel/sys/arithmetic.h"
#include "kernel/sys/error.h"
#include "simd/layout.h"

#define carom_layout_detection CAROM_REAL(carom_layout_detection)
#define carom_detect CAROM_REAL(carom_detect)
#define carom_detect_run CAROM_REAL(carom_detect_run)

static carom_status run(carom_context *context, carom_call *call, carom_error *error) {
    carom_status status = carom_call_begin(call, context, error);
    if (status == CAROM_OK) {
        status = carom_detect_run(context, &call->bodies, &call->settings.config, call->output, &call->found, error);
        const carom_detect_config *config = &call->settings.config;
        context->partition.searchable =
            status == CAROM_OK && config->until >= CAROM_UNTIL_PAIRS && call->bodies.shapes == NULL;
        carom_call_end(context);
    }
    return status;
}

/* Only structs of floats have the word. */
static bool has_reserved(const carom_bodies *given) {
#if CAROM_REAL_BITS == 32
    return given->reserved != 0;
#else
    (void)given;
    return false;
#endif
}

/* The bodies as the library's own, but for members that are only for shapes, if there is nothing in them that has to be
 * explained to the caller or made plain: spheres in packed arrays that are all there. */
static bool take_plain(carom_bodies *own, const carom_bodies *given) {
    if (given == NULL || (given->size != 0 && (given->size != sizeof *given || given->shapes != NULL)) ||
        !carom_layout_is_packed(given) || given->common_radius != 0 || has_reserved(given)) {
        return false;
    }
    const bool rest = given->curr[0] == NULL;
    own->count = given->count;
    own->radius = given->radius;
    own->common_radius = 0;
    own->prev_stride = own->curr_stride = own->radius_stride = 0;
    own->shapes = NULL;
    bool plain = true;
    for (int a = 0; a < 3; a++) {
        own->prev[a] = given->prev[a];
        own->curr[a] = rest ? given->prev[a] : given->curr[a];
        plain = plain && own->prev[a] != NULL && own->curr[a] != NULL && rest == (given->curr[a] == NULL);
    }
    return plain;
}

/* Whether there is nothing in the config that has to be explained or obeyed by more than the search. */
static bool is_plain(const carom_detect_config *config) {
    uint32_t reserved = config->reserved;
    for (size_t n = 0; n < sizeof config->reserved_bytes; n++) {
        reserved |= config->reserved_bytes[n];
    }
    return reserved == 0 && (unsigned)config->until <= CAROM_UNTIL_GROUPS &&
           !(config->approaching && config->all_pairs) && config->cancel == NULL && config->progress == NULL &&
           config->margin == 0.0 && config->tolerance == 0.0;
}

/* Few bodies: most calls of this kind take less time than to look at all that a caller may have set. Returns false if
 * the call has to go the long way. */
static bool detect_directly(carom_context *context, const carom_bodies *bodies, const carom_detect_config *config,
                            carom_call_detection *detection) {
    carom_bodies own;
    if (context == NULL || config == NULL || config->size != sizeof *config || detection == NULL ||
        (detection->size != 0 && detection->size != sizeof *detection) || !take_plain(&own, bodies) ||
        !is_plain(config) || !carom_direct_takes(&own, config) || carom_context_take(context, NULL) != CAROM_OK) {
        return false;
    }
    carom_layout_clear(&carom_layout_detection, detection);
    const carom_arithmetic before = carom_arithmetic_enter();
    carom_status status;
    const bool done = carom_direct_run(context, &own, config, NULL, detection, &status, NULL);
    CAROM_ASSERT(status == CAROM_OK);
    carom_arithmetic_leave(before);
    context->partition.searchable = done;
    carom_context_give_back(context);
    return done;
}

carom_status carom_detect(carom_context *context, const carom_bodies *bodies, const carom_detect_config *config,
                          const CAROM_REAL(carom_detect_output) * output, CAROM_REAL(carom_detection) * detection,
                          carom_error *error) {
    carom_call call;
    if (output == NULL && detect_directly(context, bodies, config, detection)) {
        return CAROM_OK;
    }
    carom_status status = carom_call_open(&call, detection, error);
    if (status != CAROM_OK) {
        return status;
    }
    if (context == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "context is NULL");
    }
    /* The host may have changed rounding or flush subnormals; results must not depend on it. */
    const carom_arithmetic before = carom_arithmetic_enter();
    status = carom_call_take(&call, bodies, config, output, error);
    if (status == CAROM_OK) {
        status = run(context, &call, error);
        carom_call_close(&call);
    }
    carom_arithmetic_leave(before);
    return status;
}
