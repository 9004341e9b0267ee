/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/run_report.h"

#include <inttypes.h>
#include <signal.h>
#include <string.h>

#include "kernel/cli/measure.h"
#include "kernel/cli/report_print.h"
#include "kernel/cli/report_subject.h"
#include "kernel/cli/run_pressure.h"
#include "kernel/io/heap.h"

/* Digits of a real that read back to the same double. */
enum { EXACT_DIGITS = 17 };

/* Of a scene with bodies of its own there are as many as ran. */
static void add_file(carom_report *report, const carom_run_facts *facts) {
    const bool chosen = facts->start->origin == CAROM_RUN_FROM_BODIES;
    carom_report_subject_file(report, facts->options->source.file, carom_run_start_format(facts->start),
                              chosen ? facts->start->frame.total : facts->measured->before.bodies);
}

/* What ran, and with what. */
static void add_run(carom_report *report, const carom_run_facts *facts) {
    const uint32_t threads = carom_context_threads(facts->context);
    const carom_run_measured *measured = facts->measured;
    carom_invocation_report(facts->options->invocation, threads, report);
    if (facts->start->origin == CAROM_RUN_FROM_SCENE) {
        carom_report_subject_scene(report, &facts->options->source.scene, "");
    } else {
        add_file(report, facts);
    }
    carom_field *bodies = carom_report_add(report, "bodies", "bodies", carom_value_whole(measured->before.bodies));
    if (measured->before.fixed > 0) {
        carom_report_remark(bodies, "(%" PRIu64 " of infinite mass)", measured->before.fixed);
    }
    carom_report_add(report, "threads", "threads", carom_value_whole(threads));
    carom_report_add(report, "isa", "isa", carom_value_text(carom_context_isa(facts->context)));
    carom_report_add(report, "precision", "precision", carom_value_text(facts->wide ? "f64" : "f32"));
}

/* "xyz" or a part of it; "" in open space. */
static void name_axes(const carom_periodic *periodic, char axes[4]) {
    size_t used = 0;
    for (int axis = 0; axis < 3 && periodic != NULL; ++axis) {
        if (periodic->along[axis]) {
            axes[used++] = "xyz"[axis];
        }
    }
    axes[used] = '\0';
}

/* The rules of the steps. `axes` lives until the report is printed. */
static void add_rules(carom_report *report, const carom_step_config *config, char axes[4]) {
    const double *g = config->acceleration;
    name_axes(config->periodic, axes);
    carom_report_add(report, "dt", "dt", carom_value_finite(config->dt));
    carom_report_add(report, "gravity", g[0] != 0 || g[1] != 0 || g[2] != 0 ? "gravity" : NULL, carom_value_vector(g));
    carom_report_add(report, "restitution", "restitution", carom_value_finite(config->restitution));
    carom_report_add(report, "rest_speed", config->rest_speed > 0 ? "rest speed" : NULL,
                     carom_value_finite(config->rest_speed));
    carom_report_add(report, "contact_time", config->contact_time > 0 ? "contact time" : NULL,
                     carom_value_finite(config->contact_time));
    carom_report_add(report, "budget", NULL, carom_value_whole(config->budget));
    carom_report_add(report, "response", config->response != CAROM_RESPONSE_BOUNCE ? "response" : NULL,
                     carom_value_text(carom_run_rules_response(config->response)));
    carom_report_add(report, "periodic", "periodic", carom_value_text(axes[0] != '\0' ? axes : NULL));
    carom_report_add(report, "surfaces", config->surface_count > 0 ? "surfaces" : NULL,
                     carom_value_whole(config->surface_count));
}

static void add_steps(carom_report *report, const carom_run_facts *facts) {
    const carom_run_measured *measured = facts->measured;
    carom_report_add(report, "steps_asked", NULL, carom_value_whole(facts->steps));
    carom_field *steps = carom_report_add(report, "steps", "steps", carom_value_whole(measured->steps));
    if (measured->steps < facts->steps) {
        carom_report_remark(steps, "of %" PRIu64 ": %s", facts->steps,
                            measured->interrupted == 0         ? "what follows failed"
                            : measured->interrupted == SIGTERM ? "SIGTERM"
                                                               : "Ctrl-C");
    }
    carom_report_add(report, "interrupted", NULL, carom_value_flag(measured->interrupted != 0));
}

static void add_impacts(carom_report *report, const carom_run_facts *facts) {
    const carom_run_measured *m = facts->measured;
    const double rate = m->seconds > 0 ? (double)m->impacts / m->seconds : 0;
    report->section = CAROM_SECTION_FIGURES;
    carom_field *impacts = carom_report_add(report, "impacts", "impacts", carom_value_whole(m->impacts));
    carom_report_remark(impacts, "%.3g a second, %" PRIu64 " with surfaces", rate, m->surface_impacts);
    carom_report_add(report, "surface_impacts", NULL, carom_value_whole(m->surface_impacts));
    carom_report_add(report, "impacts_per_second", NULL, carom_value_finite(rate));
    carom_report_add(report, "held", m->held > 0 ? "bodies held" : NULL, carom_value_whole(m->held));
    carom_report_add(report, "merged", m->merged > 0 ? "bodies merged" : NULL, carom_value_whole(m->merged));
}

/* The table has before and after on one line. */
static void add_totals(carom_report *report, const carom_run_measured *measured) {
    const carom_world_totals *before = &measured->before;
    const carom_world_totals *after = &measured->after;
    const double *p = before->momentum;
    const double *q = after->momentum;
    report->group = "energy";
    carom_report_add(report, "before", NULL, carom_value_finite(before->energy));
    carom_report_add(report, "after", NULL, carom_value_finite(after->energy));
    report->group = "momentum";
    carom_report_add(report, "before", NULL, carom_value_vector(p));
    carom_report_add(report, "after", NULL, carom_value_vector(q));
    report->group = NULL;
    carom_report_remark(carom_report_add(report, NULL, "energy", carom_value_list(NULL, 0)), "%.12g -> %.12g",
                        before->energy, after->energy);
    carom_report_remark(carom_report_add(report, NULL, "momentum", carom_value_list(NULL, 0)),
                        "(%.6g %.6g %.6g) -> (%.6g %.6g %.6g)", p[0], p[1], p[2], q[0], q[1], q[2]);
    carom_report_add(report, "state_hash", "state hash", carom_value_hash(after->hash));
}

/* null in JSON unless asked for. */
static void add_pressure(carom_report *report, const carom_run_facts *facts) {
    if (!facts->options->output.pressure) {
        carom_report_add(report, "pressure", NULL, carom_value_text(NULL));
        return;
    }
    const carom_run_measured *m = facts->measured;
    const carom_run_pressure found = carom_run_pressure_find(facts->virial, (double)m->steps * facts->config->dt,
                                                             &m->before, &m->after, facts->config->periodic);
    report->group = "pressure";
    carom_report_add(report, "virial", "virial", carom_value_finite(found.virial));
    carom_report_add(report, "kT", "kT", carom_value_finite(found.kt));
    carom_field *z = carom_report_add(report, "Z", "Z", carom_value_finite(found.compressibility));
    carom_report_remark(z, "p V / (N kT)");
    carom_report_add(report, "V", NULL, carom_value_finite(found.volume));
    carom_report_add(report, "p", "pressure", carom_value_finite(found.pressure));
    report->group = NULL;
}

/* Phases of all steps, in the table for a body and step; the median and mean are of one step. */
static carom_exit add_times(carom_report *report, const carom_run_measured *measured) {
    carom_times *times = &report->times;
    const uint64_t bytes = measured->steps * sizeof(double);
    double *work = carom_heap_allocate(bytes);
    double rest = measured->seconds;
    if (work == NULL) {
        carom_say("no memory for the statistics of %" PRIu64 " steps", measured->steps);
        return CAROM_EXIT_RESOURCES;
    }
    const carom_statistics statistics =
        carom_measure_statistics(measured->step_seconds, (uint32_t)measured->steps, work);
    carom_heap_release(work, bytes);
    for (int phase = 0; phase < CAROM_STEP_PHASE_COUNT; ++phase) {
        times->phases[phase] = (carom_time){.name = carom_step_phase_name((carom_step_phase)phase),
                                            .ran = true,
                                            .seconds = measured->phase_seconds[phase]};
        rest -= measured->phase_seconds[phase];
    }
    times->phase_count = CAROM_STEP_PHASE_COUNT;
    times->rest = (carom_time){.name = "rest", .ran = true, .seconds = rest};
    times->sums[0] = (carom_time){.name = "total", .ran = true, .seconds = measured->seconds};
    times->sums[1] = (carom_time){.name = "median", .ran = true, .data = true, .seconds = statistics.median};
    times->sums[2] = (carom_time){.name = "mean", .ran = true, .data = true, .seconds = statistics.mean};
    times->sum_count = 3;
    times->per_step = "per_step";
    times->shares = true;
    times->bodies = measured->before.bodies * measured->steps;
    carom_report_remark(carom_report_add(report, NULL, "step", carom_value_list(NULL, 0)),
                        "median %.3f ms, mean %.3f ms", statistics.median * 1e3, statistics.mean * 1e3);
    return CAROM_EXIT_OK;
}

carom_exit carom_run_report_print(const carom_run_facts *facts) {
    carom_report report = {.section = CAROM_SECTION_RUN, .digits = EXACT_DIGITS};
    char axes[4];
    add_run(&report, facts);
    add_rules(&report, facts->config, axes);
    add_steps(&report, facts);
    add_impacts(&report, facts);
    add_totals(&report, facts->measured);
    add_pressure(&report, facts);
    const carom_exit outcome = add_times(&report, facts->measured);
    if (outcome != CAROM_EXIT_OK) {
        return outcome;
    }
    return carom_report_print(&report, facts->options->output.json, carom_run_options_stream(facts->options));
}
