/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/command_info.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "carom/carom.h"
#include "kernel/cli/json.h"
#include "kernel/scene/scene.h"

enum { ISA_COUNT_MAX = 16, SCHEMA = 1 };

typedef struct about {
    const char *compiled[ISA_COUNT_MAX];
    const char *available[ISA_COUNT_MAX];
    size_t compiled_count;
    size_t available_count;
    const char *chosen; /* NULL: none, CAROM_ISA is no good */
    uint32_t threads;
    carom_status checked; /* what the library says of its own arithmetic */
} about;

static bool set_json(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    (void)value;
    (void)wanted;
    *(bool *)into = true;
    return true;
}

static const carom_option option_table[] = {{"json", NULL, "print one JSON object", set_json}};

const carom_command carom_command_info_description = {
    .name = "info",
    .summary = "Tells the version, how it was built, and what it would run with on this machine.",
    .examples = "  carom info\n  carom info --json\n  CAROM_ISA=sse2 carom info\n",
    .usage = "  carom info [--json]\n",
    .options = option_table,
    .option_count = sizeof option_table / sizeof *option_table,
    .run = carom_command_info,
};

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* The context is the judge of which set is chosen; without one the rest is worth telling all the same. */
static carom_exit find_out(about *found) {
    carom_context *context = NULL;
    carom_error error = {.status = CAROM_OK};
    *found = (about){.chosen = NULL};
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

static void print_names(const char *label, const char *const *names, size_t count) {
    printf("%-15s", label);
    for (size_t index = 0; index < count; ++index) {
        printf(" %s", names[index]);
    }
    printf("\n");
}

static void print_text(const about *found) {
    printf("%-15s %s\n", "version", carom_version());
    printf("%-15s %s\n", "build", carom_build_description());
    print_names("isa compiled", found->compiled, found->compiled_count);
    print_names("isa available", found->available, found->available_count);
    print_names("isa chosen", &found->chosen, found->chosen != NULL ? 1 : 0);
    if (found->threads > 0) {
        printf("%-15s %" PRIu32 "\n", "threads", found->threads);
        printf("%-15s %s\n", "self-check", carom_status_name(found->checked));
    }
    printf("%-15s", "phases");
    for (int phase = 0; phase < CAROM_PHASE_COUNT; ++phase) {
        printf(" %s", carom_phase_name((carom_phase)phase));
    }
    printf("\n%-15s", "scenes");
    for (const char *letter = carom_scene_letters(); *letter != '\0'; ++letter) {
        printf(" %c (%s)", *letter, carom_scene_name(*letter));
    }
    printf("\n");
}

static json_t *list_of(const char *const *names, size_t count) {
    carom_json list = carom_json_list();
    for (size_t index = 0; index < count; ++index) {
        carom_json_append(&list, json_string(names[index]));
    }
    return carom_json_end(&list);
}

static carom_exit print_json(const about *found) {
    carom_json object = carom_json_object();
    carom_json isa = carom_json_object();
    carom_json_set(&isa, "compiled", list_of(found->compiled, found->compiled_count));
    carom_json_set(&isa, "available", list_of(found->available, found->available_count));
    carom_json_set(&isa, "chosen", found->chosen != NULL ? json_string(found->chosen) : json_null());
    carom_json phases = carom_json_list();
    for (int phase = 0; phase < CAROM_PHASE_COUNT; ++phase) {
        carom_json_append(&phases, json_string(carom_phase_name((carom_phase)phase)));
    }
    carom_json scenes = carom_json_object();
    for (const char *letter = carom_scene_letters(); *letter != '\0'; ++letter) {
        carom_json_set(&scenes, (const char[]){*letter, '\0'}, json_string(carom_scene_name(*letter)));
    }
    carom_json_set(&object, "schema", json_integer(SCHEMA));
    carom_json_set(&object, "version", json_string(carom_version()));
    carom_json_set(&object, "build", json_string(carom_build_description()));
    carom_json_set(&object, "isa", carom_json_end(&isa));
    carom_json_set(&object, "threads", found->threads > 0 ? json_integer(found->threads) : json_null());
    carom_json_set(&object, "self_check",
                   found->threads > 0 ? json_string(carom_status_name(found->checked)) : json_null());
    carom_json_set(&object, "phases", carom_json_end(&phases));
    carom_json_set(&object, "scenes", carom_json_end(&scenes));
    return carom_json_print(&object);
}

carom_exit carom_command_info(int argc, char **argv) {
    bool json = false;
    carom_parsed parsed;
    const carom_exit outcome = carom_options_parse(&carom_command_info_description, argc, argv, &json, &parsed);
    if (outcome != CAROM_EXIT_OK || parsed.help) {
        return outcome;
    }
    about found;
    const carom_exit found_out = find_out(&found);
    if (!json) {
        print_text(&found);
        return found_out;
    }
    const carom_exit printed = print_json(&found);
    return found_out != CAROM_EXIT_OK ? found_out : printed;
}
