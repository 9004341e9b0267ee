/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/frames.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "carom/coherent.h"
#include "carom/version.h"
#include "kernel/cli/json.h"

enum { SCHEMA = 1 };

/* What is kept of a frame. */
typedef struct frame {
    double seconds;
    double phase_seconds[CAROM_PHASE_COUNT];
    uint64_t hash;
    bool rebuilt;
} frame;

typedef struct run {
    const carom_detect_options *options;
    carom_subject *subject;
    carom_context *context;
    carom_coherent_f32 *f32;
    carom_coherent_f64 *f64;
    frame *frames;
    double *times; /* to be sorted */
    uint64_t begun;
    uint64_t ended;
    uint64_t escapes;
    carom_subject_found found; /* of the last frame */
    carom_coherent_report report;
} run;

static carom_status detect(run *r, const carom_detect_config *config, carom_error *error) {
    carom_status status;
    if (!r->options->coherent) {
        status = carom_subject_detect(r->subject, r->context, config, &r->found, error);
    } else if (r->subject->wide) {
        status = carom_coherent_detect_f64(r->f64, &r->subject->f64, config, NULL, &r->found.f64, &r->report, error);
        r->found.summary = r->found.f64.summary;
    } else {
        status = carom_coherent_detect_f32(r->f32, &r->subject->f32, config, NULL, &r->found.f32, &r->report, error);
        r->found.summary = r->found.f32.summary;
    }
    return status;
}

/* With --hash; what it should be of a coherent frame is said by another detection, cold and not timed. */
static carom_exit check_frame(run *r, uint32_t number) {
    carom_detect_config config = carom_detect_config_default();
    carom_subject_found cold;
    carom_error error = {.status = CAROM_OK};
    config.until = r->options->until;
    config.hash = true;
    const uint64_t hash = r->found.summary.result_hash;
    r->frames[number].hash = hash;
    if (!r->options->coherent) {
        return CAROM_EXIT_OK;
    }
    const carom_status status = carom_subject_detect(r->subject, r->context, &config, &cold, &error);
    if (status != CAROM_OK) {
        return carom_subject_explain(r->subject, status, &error);
    }
    if (cold.summary.result_hash == hash) {
        return CAROM_EXIT_OK;
    }
    carom_say("check failed: frame %" PRIu32 ": result_hash is %016" PRIx64 ", cold detection's is %016" PRIx64, number,
              hash, cold.summary.result_hash);
    return CAROM_EXIT_CHECK;
}

static carom_exit run_frame(run *r, uint32_t number) {
    carom_detect_config config = carom_detect_config_default();
    carom_error error = {.status = CAROM_OK};
    config.until = r->options->until;
    config.hash = r->options->hash;
    const carom_status status = detect(r, &config, &error);
    if (status != CAROM_OK) {
        return carom_subject_explain(r->subject, status, &error);
    }
    frame *f = &r->frames[number];
    f->seconds = r->found.summary.seconds;
    for (int phase = 0; phase < CAROM_PHASE_COUNT; ++phase) {
        f->phase_seconds[phase] = r->found.summary.phase_seconds[phase];
    }
    f->rebuilt = r->report.rebuilt;
    r->begun += number > 0 ? r->report.begun : 0;
    r->ended += number > 0 ? r->report.ended : 0;
    r->escapes += r->report.escapes;
    return r->options->hash ? check_frame(r, number) : CAROM_EXIT_OK;
}

static carom_exit run_frames(run *r) {
    carom_exit outcome = carom_subject_move(r->subject, r->options, true);
    for (uint32_t number = 0; number < r->options->frames && outcome == CAROM_EXIT_OK; ++number) {
        carom_say_progress("frame %" PRIu32 " of %" PRIu32 " ...", number + 1, r->options->frames);
        outcome = run_frame(r, number);
        if (outcome == CAROM_EXIT_OK && number + 1 < r->options->frames) {
            outcome = carom_subject_move(r->subject, r->options, false);
        }
    }
    carom_say_progress_end();
    return outcome;
}

static int compare_times(const void *left, const void *right) {
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Median of a phase over the frames, or with CAROM_PHASE_COUNT of the total. */
static double median(const run *r, int phase) {
    const uint32_t count = r->options->frames;
    for (uint32_t n = 0; n < count; ++n) {
        r->times[n] = phase == CAROM_PHASE_COUNT ? r->frames[n].seconds : r->frames[n].phase_seconds[phase];
    }
    qsort(r->times, count, sizeof *r->times, compare_times);
    return (r->times[(count - 1) / 2] + r->times[count / 2]) / 2;
}

static double mean(const run *r) {
    double sum = 0;
    for (uint32_t n = 0; n < r->options->frames; ++n) {
        sum += r->frames[n].seconds;
    }
    return sum / r->options->frames;
}

static double each(const run *r, double seconds) {
    return r->subject->count > 0 ? seconds * 1e9 / (double)r->subject->count : 0;
}

/* What coherent detection kept and did. */
static void print_kept(const run *r) {
    printf("rebuilds        %12" PRIu64 "   one in %.1f frames\n", r->report.rebuilds,
           r->report.rebuilds > 0 ? r->options->frames / (double)r->report.rebuilds : 0);
    printf("pairs kept      %12" PRIu64 "   margin %.3g, %" PRIu32 " frames ahead\n", r->report.candidates,
           r->report.margin, r->report.horizon);
    printf("bodies escaped  %12" PRIu64 "   of their hulls, in all frames\n", r->escapes);
    printf("pairs begun     %12" PRIu64 "   after the first frame\n", r->begun);
    printf("pairs ended     %12" PRIu64 "\n\n", r->ended);
}

static void print_hashes(const run *r) {
    for (uint32_t n = 0; n < r->options->frames; ++n) {
        printf("frame %-6" PRIu32 " result hash %016" PRIx64 "%s\n", n, r->frames[n].hash,
               r->frames[n].rebuilt ? ", rebuilt" : "");
    }
    if (r->options->coherent) {
        printf("all %" PRIu32 " frames agree with cold detection\n", r->options->frames);
    }
}

static void print_table(const run *r) {
    const carom_detect_options *options = r->options;
    const carom_detect_summary *last = &r->found.summary;
    printf("scene       %c (%s), seed %" PRIu64 ", displacements times %g\n", options->scene.letter,
           carom_scene_name(options->scene.letter), options->scene.seed, options->displacement);
    printf("bodies      %" PRIu64 "\nthreads     %" PRIu32 "\nisa         %s\nprecision   %s\nmethod      %s\n",
           r->subject->count, carom_context_threads(r->context), carom_context_isa(r->context),
           r->subject->wide ? "f64" : "f32", last->method);
    printf("frames      %" PRIu32 " (times are medians)\n\n", options->frames);
    printf("%-10s %12s %12s\n", "phase", "ms", "ns/body");
    for (int phase = 0; phase < CAROM_PHASE_COUNT; ++phase) {
        const double seconds = median(r, phase);
        printf("%-10s %12.3f %12.2f\n", carom_phase_name((carom_phase)phase), seconds * 1e3, each(r, seconds));
    }
    const double total = median(r, CAROM_PHASE_COUNT);
    printf("%-10s %12.3f %12.2f\n", "total", total * 1e3, each(r, total));
    printf("%-10s %12.3f %12.2f\n\n", "mean", mean(r) * 1e3, each(r, mean(r)));
    if (options->coherent) {
        print_kept(r);
    }
    printf("last frame: box pairs %" PRIu64 ", touching pairs %" PRIu64 ", groups %" PRIu64 ", largest %" PRIu64 "\n",
           last->box_pairs, last->touching_pairs, last->groups, last->largest_group);
    if (options->hash) {
        print_hashes(r);
    }
}

static json_t *whole(uint64_t number) {
    return json_integer((json_int_t)number);
}

static json_t *frames_json(const run *r) {
    carom_json list = carom_json_list();
    for (uint32_t n = 0; n < r->options->frames; ++n) {
        char text[17];
        carom_json object = carom_json_object();
        snprintf(text, sizeof text, "%016" PRIx64, r->frames[n].hash);
        carom_json_set(&object, "seconds", json_real(r->frames[n].seconds));
        carom_json_set(&object, "rebuilt", json_boolean(r->frames[n].rebuilt));
        carom_json_set(&object, "result_hash", r->options->hash ? json_string(text) : json_null());
        carom_json_append(&list, carom_json_end(&object));
    }
    return carom_json_end(&list);
}

static json_t *kept_json(const run *r) {
    carom_json object = carom_json_object();
    carom_json_set(&object, "rebuilds", whole(r->report.rebuilds));
    carom_json_set(&object, "candidates", whole(r->report.candidates));
    carom_json_set(&object, "horizon", whole(r->report.horizon));
    carom_json_set(&object, "margin", json_real(r->report.margin));
    carom_json_set(&object, "escapes", whole(r->escapes));
    carom_json_set(&object, "begun", whole(r->begun));
    carom_json_set(&object, "ended", whole(r->ended));
    return carom_json_end(&object);
}

static carom_exit print_json(const run *r) {
    const carom_detect_summary *last = &r->found.summary;
    carom_json object = carom_json_object();
    carom_json seconds = carom_json_object();
    carom_json_set(&object, "schema", json_integer(SCHEMA));
    carom_json_set(&object, "version", json_string(carom_version()));
    carom_json_set(&object, "bodies", whole(r->subject->count));
    carom_json_set(&object, "threads", json_integer(carom_context_threads(r->context)));
    carom_json_set(&object, "isa", json_string(carom_context_isa(r->context)));
    carom_json_set(&object, "precision", json_string(r->subject->wide ? "f64" : "f32"));
    carom_json_set(&object, "method", last->method != NULL ? json_string(last->method) : json_null());
    carom_json_set(&object, "frames", whole(r->options->frames));
    carom_json_set(&object, "displacement", json_real(r->options->displacement));
    carom_json_set(&object, "kept", r->options->coherent ? kept_json(r) : json_null());
    carom_json_set(&object, "box_pairs", whole(last->box_pairs));
    carom_json_set(&object, "touching_pairs", whole(last->touching_pairs));
    carom_json_set(&object, "groups", whole(last->groups));
    carom_json_set(&object, "largest_group", whole(last->largest_group));
    carom_json_set(&seconds, "total", json_real(median(r, CAROM_PHASE_COUNT)));
    carom_json_set(&seconds, "mean", json_real(mean(r)));
    for (int phase = 0; phase < CAROM_PHASE_COUNT; ++phase) {
        carom_json_set(&seconds, carom_phase_name((carom_phase)phase), json_real(median(r, phase)));
    }
    carom_json_set(&object, "seconds", carom_json_end(&seconds));
    carom_json_set(&object, "each", frames_json(r));
    return carom_json_print(&object);
}

static carom_exit create(run *r) {
    if (!r->options->coherent) {
        return CAROM_EXIT_OK;
    }
    carom_error error = {.status = CAROM_OK};
    const carom_status status = r->subject->wide ? carom_coherent_create_f64(r->context, NULL, &r->f64, &error)
                                                 : carom_coherent_create_f32(r->context, NULL, &r->f32, &error);
    return status == CAROM_OK ? CAROM_EXIT_OK : carom_say_error(status, &error);
}

carom_exit carom_frames_command(const carom_detect_options *options, carom_subject *subject, carom_context *context) {
    run r = {.options = options, .subject = subject, .context = context};
    carom_memory memory;
    carom_memory_init(&memory, NULL, 0);
    const uint64_t frame_bytes = options->frames * sizeof(frame);
    const uint64_t time_bytes = options->frames * sizeof(double);
    r.frames = carom_memory_allocate(&memory, frame_bytes);
    r.times = carom_memory_allocate(&memory, time_bytes);
    carom_exit outcome = CAROM_EXIT_RESOURCES;
    if (r.frames == NULL || r.times == NULL) {
        carom_say("no memory for the times of %" PRIu32 " frames", options->frames);
    } else {
        outcome = create(&r);
    }
    if (outcome == CAROM_EXIT_OK) {
        outcome = run_frames(&r);
    }
    if (outcome == CAROM_EXIT_OK) {
        outcome = options->json ? print_json(&r) : CAROM_EXIT_OK;
        if (!options->json) {
            print_table(&r);
        }
    }
    carom_coherent_destroy_f32(r.f32);
    carom_coherent_destroy_f64(r.f64);
    carom_memory_release(&memory, r.frames, frame_bytes);
    carom_memory_release(&memory, r.times, time_bytes);
    return outcome;
}
