/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/report_subject.h"

#include <inttypes.h>

#include "kernel/scene/scene.h"

void carom_report_subject_scene(carom_report *report, const carom_scene_options *scene, const char *more) {
    const char *name = carom_scene_name(scene->letter);
    carom_report_add(report, "file", NULL, carom_value_text(NULL));
    report->group = "scene";
    carom_report_add(report, "name", NULL, carom_value_text(name));
    carom_report_add(report, "seed", NULL, carom_value_whole(scene->seed));
    carom_report_add(report, "bodies", NULL, carom_value_whole(scene->bodies));
    if (scene->shapes != CAROM_SCENE_SPHERES) {
        carom_report_add(report, "shapes", NULL, carom_value_text(carom_scene_kind_name(scene->shapes)));
    }
    report->group = NULL;
    carom_report_remark(carom_report_add(report, NULL, "scene", carom_value_list(NULL, 0)),
                        "%c (%s), seed %" PRIu64 "%s", scene->letter, name, scene->seed, more);
}

void carom_report_subject_file(carom_report *report, const char *path, const char *format, uint64_t bodies) {
    carom_report_add(report, "scene", NULL, carom_value_text(NULL));
    report->group = "file";
    carom_report_remark(carom_report_add(report, "path", "file", carom_value_text(path)), "(%s)", format);
    carom_report_add(report, "format", NULL, carom_value_text(format));
    carom_report_add(report, "bodies", NULL, carom_value_whole(bodies));
    report->group = NULL;
}
