/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/invocation.h"

#include <inttypes.h>

/* Lines of the table only: JSON has flags. */
static void add_notes(const carom_machine *machine, uint32_t threads, carom_report *report) {
    if (carom_machine_is_busy(machine)) {
        carom_report_remark(carom_report_add(report, NULL, "busy", carom_value_list(NULL, 0)),
                            "load %.2f on %" PRIu32 " cores before the start: times may be too long", machine->load[0],
                            machine->cores_online);
    }
    if (threads > machine->cores) {
        carom_report_remark(carom_report_add(report, NULL, "oversubscribed", carom_value_list(NULL, 0)),
                            "%" PRIu32 " threads on %" PRIu32 " cores: times may be too long", threads, machine->cores);
    }
}

void carom_invocation_report(const carom_invocation *invocation, uint32_t threads, carom_report *report) {
    const carom_machine *machine = &invocation->machine;
    carom_report_add(report, "command", NULL, carom_value_list(invocation->words, invocation->count));
    carom_report_add(report, "date", NULL, carom_value_text(machine->date));
    report->group = "machine";
    const char *cpu = machine->cpu[0] != '\0' ? machine->cpu : NULL;
    carom_report_remark(carom_report_add(report, "cpu", "machine", carom_value_text(cpu)), "(%" PRIu32 " cores)",
                        machine->cores);
    carom_report_add(report, "cores", NULL, carom_value_whole(machine->cores));
    for (int n = 0; n < CAROM_MACHINE_LOADS; ++n) {
        static const char *const keys[CAROM_MACHINE_LOADS] = {"load_1_minute", "load_5_minutes", "load_15_minutes"};
        carom_report_add(report, keys[n], NULL, carom_value_if(machine->has_load, carom_value_real(machine->load[n])));
    }
    carom_report_add(report, "busy", NULL, carom_value_flag(carom_machine_is_busy(machine)));
    carom_report_add(report, "oversubscribed", NULL, carom_value_flag(threads > machine->cores));
    report->group = NULL;
    add_notes(machine, threads, report);
}
