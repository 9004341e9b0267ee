/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/prop/world_tmpl.h"

#include <math.h>
#include <stdlib.h>

#include "tests/support/check.h"

static double unit(world *w) {
    return carom_random_u01(w->random);
}

bodies_view world_view(const world *w) {
    return (bodies_view){.count = w->count,
                         .prev = {w->field[0], w->field[1], w->field[2]},
                         .curr = {w->field[3], w->field[4], w->field[5]},
                         .radius = w->field[6]};
}

world world_make(const double *const from[7], uint64_t count, carom_random *random) {
    world w = {.count = count, .most = count, .random = random};
    for (int f = 0; f < 7; f++) {
        w.field[f] = calloc(count + 1, sizeof(carom_real));
        assert_non_null(w.field[f]);
        for (uint64_t n = 0; n < count; n++) {
            w.field[f][n] = (carom_real)from[f][n];
        }
    }
    return w;
}

void world_release(world *w) {
    for (int f = 0; f < 7; f++) {
        free(w->field[f]);
    }
}

void world_go_on(world *w, double scale) {
    for (int a = 0; a < 3; a++) {
        for (uint64_t n = 0; n < w->count; n++) {
            carom_real displacement = w->field[3 + a][n] - w->field[a][n];
            w->field[a][n] = w->field[3 + a][n];
            carom_real to = w->field[a][n] + (carom_real)scale * displacement;
            w->field[3 + a][n] = isfinite(to) ? to : w->field[a][n];
        }
    }
}

static void jump(world *w, uint64_t n, bool far) {
    uint64_t to = carom_random_next(w->random) % w->count;
    for (int a = 0; a < 3; a++) {
        w->field[a][n] = w->field[a][to];
        w->field[3 + a][n] = far ? w->field[3 + a][carom_random_next(w->random) % w->count] : w->field[3 + a][to];
    }
}

static void change_some(world *w, change what) {
    uint64_t some = 1 + carom_random_next(w->random) % 4;
    for (uint64_t s = 0; s < some && w->count > 0; s++) {
        uint64_t n = carom_random_next(w->random) % w->count;
        if (what == GROW_SOME) {
            w->field[6][n] *= (carom_real)(0.5 + 1.5 * unit(w));
        } else {
            jump(w, n, what == SWEEP_SOME);
        }
    }
}

void world_change(world *w, change what) {
    switch (what) {
    case STAND:
        world_go_on(w, 0);
        break;
    case SLOW:
        world_go_on(w, 0.05);
        break;
    case TURN:
        world_go_on(w, -1);
        break;
    case WANDER:
        world_go_on(w, 0.5 - unit(w));
        break;
    case TELEPORT_SOME:
    case SWEEP_SOME:
    case GROW_SOME:
        world_go_on(w, 1);
        change_some(w, what);
        break;
    case TELEPORT_ALL:
        for (uint64_t n = 0; n < w->count; n++) {
            jump(w, n, false);
        }
        break;
    case OTHER_COUNT:
        w->count = carom_random_next(w->random) % (w->most + 1);
        break;
    case SHUFFLE_PREV: /* prev is not curr of the step before */
        change_some(w, TELEPORT_SOME);
        break;
    default:
        world_go_on(w, 1);
    }
}

world world_of_scene(const carom_scene_f32 *scene, carom_random *random) {
    world w = {.count = scene->count, .most = scene->count, .random = random};
    for (int f = 0; f < 7; f++) {
        const float *from = f < 3 ? scene->prev[f] : f < 6 ? scene->curr[f - 3] : scene->radius;
        w.field[f] = calloc(scene->count + 1, sizeof(carom_real));
        assert_non_null(w.field[f]);
        for (uint64_t n = 0; n < scene->count; n++) {
            w.field[f][n] = (carom_real)from[n];
        }
    }
    return w;
}

bool world_is_crowded(random_scene_kind kind) {
    return kind == RANDOM_FAST || kind == RANDOM_POINT || kind == RANDOM_COPIES || kind == RANDOM_GRAZING ||
           kind == RANDOM_GIANT;
}

film film_start(char letter, uint64_t count, double scale) {
    film f = {.random = carom_random_seeded(1)};
    assert_int_equal(carom_scene_make(letter, count, 1, &f.scene), CAROM_OK);
    assert_int_equal(carom_scene_motion_start(letter, scale, &f.scene, &f.motion), CAROM_OK);
    return f;
}

void film_stop(film *f) {
    carom_scene_motion_end(&f->motion);
    carom_scene_release(&f->scene);
}
