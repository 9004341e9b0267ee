/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/report_print.h"

#include "kernel/cli/report_json.h"
#include "kernel/cli/report_table.h"

carom_exit carom_report_print(const carom_report *report, bool json) {
    if (json) {
        return carom_report_json(report);
    }
    carom_report_table(report);
    return CAROM_EXIT_OK;
}
