/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/command_run.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "kernel/cli/run_options.h"
#include "kernel/cli/run_output.h"
#include "kernel/cli/run_report.h"
#include "kernel/cli/run_start.h"
#include "kernel/io/unfinished.h"

/* All of a run. */
typedef struct run {
    carom_run_options options;
    carom_context *context;
    carom_run_start start;
    carom_step_config config; /* of the world; its surfaces and box lie in `start`, or in the world of a snapshot */
    uint64_t steps;           /* that are asked for */
    carom_run_world world;
    carom_run_impacts impacts;
    carom_trajectory trajectory;
    carom_run_loop loop;
    carom_run_measured measured;
} run;

/* Before the bodies are made: an instruction set that this machine lacks should not cost the time for a scene. */
static carom_exit create_context(run *r) {
    carom_context_config config = carom_context_config_default();
    carom_error error = {.status = CAROM_OK};
    config.threads = r->options.threads;
    config.isa = r->options.isa;
    const carom_status status = carom_context_create(&config, &r->context, &error);
    return status == CAROM_OK ? CAROM_EXIT_OK : carom_say_error(status, &error);
}

/* The file alone says both, or the command line one of them. */
static carom_exit refuse_merge(const run *r) {
    if (r->options.rules.response == (int)CAROM_RESPONSE_MERGE) {
        return carom_options_refuse(&carom_run_options_command, "--merge does not go with geometry");
    }
    carom_say("%s: response: \"merge\" does not go with geometry", r->start.path);
    return CAROM_EXIT_INPUT;
}

/* What the command line and the file say together; the command line goes first. */
static carom_exit check_rules(run *r) {
    const carom_command *command = &carom_run_options_command;
    r->steps = r->options.rules.steps != 0 ? r->options.rules.steps : r->start.setup.rules.steps;
    if (r->steps == 0) {
        return carom_options_refuse(command, "how many steps? Give --steps S");
    }
    if (r->config.response == CAROM_RESPONSE_MERGE && r->config.surface_count > 0) {
        return refuse_merge(r);
    }
    if (r->config.response != CAROM_RESPONSE_BOUNCE && r->options.output.pressure) {
        return carom_options_refuse(command, "--pressure needs bodies that bounce");
    }
    return CAROM_EXIT_OK;
}

/* Events go to the run's files, frames and virial, if any of them wants them. */
static void connect(run *r) {
    const carom_run_outputs *output = &r->options.output;
    r->impacts.dt = r->config.dt;
    if (output->events != NULL || output->folder != NULL || output->pressure) {
        r->config.sink = carom_run_impacts_take;
        r->config.sink_user = &r->impacts;
    }
}

/* The rules of a world of the bodies that were made or read. */
static carom_exit make_world(run *r) {
    carom_error error = {.status = CAROM_OK};
    const carom_run_rules rules = carom_run_rules_join(&r->options.rules, &r->start.setup.rules);
    r->config = carom_step_config_default();
    carom_run_rules_apply(&rules, &r->config);
    r->config.surface = r->start.setup.geometry.surface;
    r->config.surface_count = r->start.setup.geometry.count;
    r->config.periodic = r->start.setup.is_periodic ? &r->start.setup.periodic : NULL;
    const carom_exit outcome = check_rules(r);
    if (outcome != CAROM_EXIT_OK) {
        return outcome;
    }
    connect(r);
    const carom_status status =
        carom_run_world_make(r->context, r->options.source.f64, &r->config, &r->start.setup.bodies, &r->world, &error);
    return status == CAROM_OK ? CAROM_EXIT_OK : carom_run_start_explain(&r->start, status, &error);
}

/* A snapshot has no names: its surfaces are called by kind and number. */
static carom_exit name_surfaces(run *r) {
    const carom_exit outcome = carom_run_geometry_make(r->config.surface_count, &r->start.setup.geometry);
    for (uint64_t n = 0; n < r->config.surface_count && outcome == CAROM_EXIT_OK; ++n) {
        carom_run_geometry_add(&r->start.setup.geometry, &r->config.surface[n], NULL);
    }
    return outcome;
}

/* The world as it was, with its rules but for those that the command line gives. */
static carom_exit load_world(run *r) {
    carom_error error = {.status = CAROM_OK};
    const carom_text *text = &r->start.text;
    carom_status status = carom_run_world_load(r->context, !carom_text_has_floats(text), text->data, text->size,
                                               &r->world, &error);
    if (status != CAROM_OK) {
        carom_say("%s: %s", r->start.path, error.message);
        return carom_say_exit_of(status);
    }
    if (r->options.source.precise && r->options.source.f64 != r->world.wide) {
        return carom_options_refuse(&carom_run_options_command, "--precision: the snapshot '%s' is of %s",
                                    r->start.path, r->world.wide ? "f64" : "f32");
    }
    r->config = *carom_run_world_config(&r->world);
    carom_exit outcome = name_surfaces(r);
    carom_run_rules_apply(&r->options.rules, &r->config);
    r->config.surface = r->start.setup.geometry.surface;
    if (r->config.periodic != NULL) {
        r->start.setup.periodic = *r->config.periodic;
        r->config.periodic = &r->start.setup.periodic;
    }
    outcome = outcome == CAROM_EXIT_OK ? check_rules(r) : outcome;
    if (outcome != CAROM_EXIT_OK) {
        return outcome;
    }
    connect(r);
    status = carom_run_world_configure(&r->world, &r->config, &error);
    return status == CAROM_OK ? CAROM_EXIT_OK : carom_run_start_explain(&r->start, status, &error);
}

static carom_exit print_report(const run *r) {
    const carom_run_facts facts = {.options = &r->options,
                                   .start = &r->start,
                                   .context = r->context,
                                   .config = &r->config,
                                   .measured = &r->measured,
                                   .wide = r->world.wide,
                                   .steps = r->steps,
                                   .virial = r->impacts.virial};
    return carom_run_report_print(&facts);
}

/* A body's place in the world is that in the file until bodies merge; then its id tells which one it is. */
static void name_body(run *r, uint64_t place, char *text, size_t size) {
    carom_error error;
    if (r->start.path != NULL && carom_run_world_count(&r->world) == r->start.setup.bodies.count) {
        carom_run_start_locate(&r->start, place, text, size);
    } else if (carom_run_view_read(&r->world, &r->loop.view, &error) == CAROM_OK && place < r->loop.view.count) {
        snprintf(text, size, "id %" PRIu64, r->loop.view.id[place]);
    }
}

/* A file that fails to be written is the disk's fault, a body that flies too far the input's. */
static carom_exit explain_step(run *r, const carom_status status, const carom_error *error, uint64_t step) {
    char where[CAROM_MESSAGE_SIZE] = "";
    if (status == CAROM_ERROR_BODY) {
        name_body(r, error->body, where, sizeof where);
    }
    carom_say("%s%sstep %" PRIu64 ": %s", where, where[0] != '\0' ? ": " : "", step,
              error->message[0] != '\0' ? error->message : carom_status_name(status));
    return status == CAROM_ERROR_FILE ? CAROM_EXIT_RESOURCES : carom_say_exit_of(status);
}

/* What the steps came to, those before one that failed too: the report, unless the input is at fault or there was no
 * step, and the files that are written at the end. The report comes first: what was measured is told even when the disk
 * is full. */
static carom_exit report(run *r, carom_exit outcome) {
    carom_error error = {.status = CAROM_OK};
    const carom_status status = carom_run_loop_end(&r->loop, &r->measured, &error);
    if (status != CAROM_OK) {
        const carom_exit unread = carom_say_error(status, &error);
        return outcome != CAROM_EXIT_OK ? outcome : unread;
    }
    const bool tells = outcome != CAROM_EXIT_INPUT && r->measured.steps > 0;
    const carom_exit printed = tells ? print_report(r) : CAROM_EXIT_OK;
    const carom_exit written = carom_run_output_finish(&r->options.output, &r->loop, r->measured.steps);
    outcome = outcome != CAROM_EXIT_OK ? outcome : printed != CAROM_EXIT_OK ? printed : written;
    if (outcome != CAROM_EXIT_OK || r->measured.interrupted == 0) {
        return outcome;
    }
    return r->measured.interrupted == SIGTERM ? CAROM_EXIT_TERMINATED : CAROM_EXIT_INTERRUPTED;
}

static carom_exit take_steps(run *r) {
    carom_error error = {.status = CAROM_OK};
    uint64_t number = 0;
    r->loop = (carom_run_loop){.world = &r->world,
                               .config = &r->config,
                               .steps = r->steps,
                               .every = r->options.output.every != 0 ? r->options.output.every : 1,
                               .impacts = &r->impacts};
    carom_exit outcome =
        carom_run_output_open(&r->options.output, r->start.setup.geometry.names, &r->trajectory, &r->loop);
    if (outcome != CAROM_EXIT_OK) {
        return outcome;
    }
    carom_unfinished_defer();
    const carom_status status = carom_run_loop_steps(&r->loop, &r->measured, &number, &error);
    outcome = status == CAROM_OK ? CAROM_EXIT_OK : explain_step(r, status, &error, number);
    const carom_exit closed = carom_run_output_close(&r->options.output, &r->loop);
    outcome = outcome == CAROM_EXIT_OK ? closed : outcome;
    return report(r, outcome);
}

static carom_exit run_all(run *r) {
    carom_exit outcome = create_context(r);
    if (outcome == CAROM_EXIT_OK) {
        outcome = carom_run_start_open(&r->options, &r->start);
    }
    if (outcome == CAROM_EXIT_OK) {
        outcome = r->start.origin == CAROM_RUN_FROM_SNAPSHOT ? load_world(r) : make_world(r);
    }
    return outcome == CAROM_EXIT_OK ? take_steps(r) : outcome;
}

carom_exit carom_command_run(const carom_invocation *invocation, int argc, char **argv) {
    run r;
    bool help;
    memset(&r, 0, sizeof r);
    carom_exit outcome = carom_run_options_parse(invocation, argc, argv, &r.options, &help);
    if (outcome != CAROM_EXIT_OK || help) {
        return outcome;
    }
    outcome = run_all(&r);
    carom_run_loop_release(&r.loop, &r.measured);
    carom_run_impacts_release(&r.impacts);
    carom_run_world_destroy(&r.world);
    carom_run_start_release(&r.start);
    carom_context_destroy(r.context);
    return outcome;
}
