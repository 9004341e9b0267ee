/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/support/periodic_case.h"

#include <inttypes.h>
#include <math.h>

#include "tests/support/basket.h"
#include "tests/support/note.h"

double periodic_case_grid(carom_random *random, double size) {
    return rint((2 * carom_random_u01(random) - 1) * size * 32) / 32;
}

uint32_t periodic_case_below(carom_random *random, uint32_t count) {
    return (uint32_t)(carom_random_next(random) % count);
}

static double volume_of(const double edge[3][3]) {
    double volume = 0;
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3;
        int c = (a + 2) % 3;
        volume += edge[0][a] * (edge[1][b] * edge[2][c] - edge[1][c] * edge[2][b]);
    }
    return fabs(volume);
}

void periodic_case_edges(carom_random *random, uint32_t tilt, double size, double edge[3][3]) {
    do {
        for (int a = 0; a < 3; a++) {
            for (int j = 0; j < 3; j++) {
                double reach = tilt == 3 ? size : tilt == 2 ? 8 * size : size / 2;
                bool free = tilt == 3 || (tilt > 0 && j < a);
                edge[a][j] = a == j && tilt != 3 ? size / 2 + fabs(periodic_case_grid(random, size / 2))
                             : free              ? periodic_case_grid(random, reach)
                                                 : 0;
            }
        }
    } while (volume_of((const double(*)[3])edge) < 0.25 * size * size * size);
}

void periodic_case_place(carom_random *random, const periodic_case *r, random_scene *scene, int32_t (*wrap)[3]) {
    for (uint64_t n = 0; n < r->count; n++) {
        double by[3] = {0, 0, 0};
        for (int a = 0; a < 3; a++) {
            wrap[n][a] =
                r->box.along[a] ? (int32_t)periodic_case_below(random, 2 * (uint32_t)r->away + 1) - r->away : 0;
            for (int j = 0; j < 3 && r->box.along[a]; j++) {
                by[j] += wrap[n][a] * r->box.edge[a][j];
            }
        }
        for (int j = 0; j < 3; j++) {
            double at = periodic_case_grid(random, 6) + by[j];
            scene->field[j][n] = at;
            scene->field[j + 3][n] = at + periodic_case_grid(random, r->motion);
        }
        scene->field[6][n] = floor(carom_random_u01(random) * r->radius * 32) / 32;
    }
}

any_result periodic_case_detect(carom_context *context, any_precision precision, const carom_bodies_f64 *bodies,
                                const carom_periodic *box, int way) {
    carom_detect_config config = any_config_full();
    config.periodic = box;
    config.all_pairs = way == 1;
    config.until = way == 2 ? CAROM_UNTIL_PAIRS : CAROM_UNTIL_GROUPS;
    config.sort_pairs = way != 3;
    config.count_only = way == 4;
    return any_detect(context, precision, bodies, &config);
}

void periodic_case_check(const periodic_truth *known, any_precision precision, carom_context *context,
                         carom_context *other) {
    any_result full = periodic_case_detect(context, precision, known->bodies, known->box, 0);
    periodic_check(known, precision, false, &full);
    for (int way = 1; way < 5; way++) {
        any_result r = periodic_case_detect(context, precision, known->bodies, known->box, way);
        any_result same = periodic_case_detect(other, precision, known->bodies, known->box, way);
        note_check(any_result_same(&r, &same), "way %d: %s with %u threads gives other results", way,
                   carom_context_isa(other), carom_context_threads(other));
        if (way == 1) {
            periodic_check(known, precision, true, &r);
        } else if (way == 2) {
            periodic_check_pairs(known, &r);
        } else if (way == 3) {
            note_check(r.summary.result_hash == full.summary.result_hash, "unordered rows are others");
        } else {
            note_check(r.pair_count == 0 && r.summary.touching_pairs == full.summary.touching_pairs &&
                           r.summary.groups == full.summary.groups,
                       "counting alone finds something else");
        }
        any_result_release(&r);
        any_result_release(&same);
    }
    any_result_release(&full);
}

void periodic_case_check_sink(const carom_bodies_f64 *bodies, const carom_periodic *box, any_precision precision,
                              carom_context *context, carom_context *other) {
    any_bodies made = any_bodies_make(precision, bodies);
    for (int way = 0; way < 3; way++) {
        carom_detect_config config = any_config_full();
        config.periodic = box;
        config.sort_pairs = false;
        config.all_pairs = way == 1;
        config.until = way == 2 ? CAROM_UNTIL_PAIRS : CAROM_UNTIL_GROUPS;
        any_result stored = any_detect_bodies(context, &made, &config, NULL);
        note_check(stored.status == CAROM_OK, "%s", stored.error.message);
        basket_check_call(other, &made, &config, &stored);
        any_result_release(&stored);
    }
    any_bodies_release(&made);
}
