/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/report_print.h"

#include "kernel/cli/report_json.h"
#include "kernel/cli/report_table.h"

carom_exit carom_report_print(const carom_report *report, bool json, FILE *to) {
    if (json) {
        return carom_report_json(report, to);
    }
    carom_report_table(report, to);
    return CAROM_EXIT_OK;
}
