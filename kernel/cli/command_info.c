/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/command_info.h"

#include <stdio.h>

#include "carom/carom.h"
#include "kernel/cli/choices.h"
#include "kernel/cli/report_print.h"
#include "kernel/scene/scene.h"

/* More than there are. */
enum { ISA_COUNT_MAX = 16, SCENE_COUNT_MAX = 8 };

/* What there is to tell. */
typedef struct about {
    const char *compiled[ISA_COUNT_MAX];  /* instruction sets in the library, best first */
    const char *available[ISA_COUNT_MAX]; /* those of them that this CPU runs */
    size_t compiled_count;
    size_t available_count;
    const char *chosen;   /* NULL: CAROM_ISA names none that runs here */
    uint32_t threads;     /* of a context by default; 0: there is none */
    carom_status checked; /* what the library says of its own arithmetic */
    const char *phases[CAROM_PHASE_COUNT];
    char letters[SCENE_COUNT_MAX][2]; /* each as a string */
    const char *scene_letters[SCENE_COUNT_MAX];
    const char *scene_names[SCENE_COUNT_MAX];
    size_t scene_count;
} about;

static bool set_json(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_choices_flag(value, into, wanted);
}

static const carom_option option_table[] = {{"json", NULL, "print one JSON object", set_json}};

const carom_command carom_command_info_description = {
    .name = "info",
    .summary = "Tells the version, how it was built, and what it would run with on this machine.",
    .examples = "  carom info\n  carom info --json\n  CAROM_ISA=sse2 carom info\n",
    .usage = "  carom info [--json]\n",
    .options = option_table,
    .option_count = sizeof option_table / sizeof *option_table,
};

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Phases and scenes, as lists that a report can hold. */
static void list_names(about *found) {
    for (int phase = 0; phase < CAROM_PHASE_COUNT; ++phase) {
        found->phases[phase] = carom_phase_name((carom_phase)phase);
    }
    for (const char *letter = carom_scene_letters(); *letter != '\0' && found->scene_count < SCENE_COUNT_MAX;
         ++letter) {
        const size_t n = found->scene_count++;
        found->letters[n][0] = *letter;
        found->scene_letters[n] = found->letters[n];
        found->scene_names[n] = carom_scene_name(*letter);
    }
}

/* Which set is chosen is for the context to say. If none can be made, the rest is still worth printing. */
static carom_exit find_out(about *found) {
    carom_context *context = NULL;
    carom_error error = {.status = CAROM_OK};
    *found = (about){.chosen = NULL};
    list_names(found);
    found->compiled_count = least(carom_isa_compiled(found->compiled, ISA_COUNT_MAX), ISA_COUNT_MAX);
    found->available_count = least(carom_isa_available(found->available, ISA_COUNT_MAX), ISA_COUNT_MAX);
    const carom_status status = carom_context_create(NULL, &context, &error);
    if (status != CAROM_OK) {
        return carom_say_error(status, &error);
    }
    found->chosen = carom_context_isa(context);
    found->threads = carom_context_threads(context);
    found->checked = carom_context_check(context, &error);
    carom_context_destroy(context);
    return found->checked == CAROM_OK ? CAROM_EXIT_OK : carom_say_error(found->checked, &error);
}

/* The chosen set is a text in JSON and a list of one in the table, which leaves an empty value out. */
static void add_isa(carom_report *report, const about *found) {
    const size_t chosen = found->chosen != NULL ? 1 : 0;
    report->group = "isa";
    carom_report_add(report, "compiled", "isa compiled", carom_value_list(found->compiled, found->compiled_count));
    carom_report_add(report, "available", "isa available", carom_value_list(found->available, found->available_count));
    carom_report_add(report, "chosen", NULL, carom_value_text(found->chosen));
    carom_report_add(report, NULL, "isa chosen", carom_value_list(&found->chosen, chosen));
    report->group = NULL;
}

/* Without a context `threads` and the self-check are null in JSON. */
static carom_exit print(const carom_invocation *invocation, const about *found, bool json) {
    const bool ran = found->threads > 0;
    carom_report report = {.section = CAROM_SECTION_ABOUT};
    carom_report_add(&report, NULL, "version", carom_value_text(carom_version()));
    carom_invocation_report(invocation, 0, &report);
    carom_report_add(&report, "build", "build", carom_value_text(carom_build_description()));
    add_isa(&report, found);
    carom_report_add(&report, "threads", "threads", carom_value_if(ran, carom_value_whole(found->threads)));
    carom_report_add(&report, "self_check", "self-check",
                     carom_value_if(ran, carom_value_text(carom_status_name(found->checked))));
    carom_report_add(&report, "phases", "phases", carom_value_list(found->phases, CAROM_PHASE_COUNT));
    carom_report_add(&report, "scenes", "scenes",
                     carom_value_map(found->scene_letters, found->scene_names, found->scene_count));
    return carom_report_print(&report, json, stdout);
}

carom_exit carom_command_info(const carom_invocation *invocation, int argc, char **argv) {
    bool json = false;
    carom_parsed parsed;
    const carom_exit outcome = carom_options_parse(&carom_command_info_description, argc, argv, &json, &parsed);
    if (outcome != CAROM_EXIT_OK || parsed.help) {
        return outcome;
    }
    about found;
    const carom_exit found_out = find_out(&found);
    const carom_exit printed = print(invocation, &found, json);
    return found_out != CAROM_EXIT_OK ? found_out : printed;
}
