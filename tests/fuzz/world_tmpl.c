/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/fuzz/world_tmpl.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "tests/fuzz/twins_tmpl.h"
#include "tests/support/note.h"

#define fuzz_world_run CAROM_REAL(fuzz_world_run)
#define carom_world_get CAROM_REAL(carom_world_get)
#define carom_world_count CAROM_REAL(carom_world_count)
#define carom_world_handles CAROM_REAL(carom_world_handles)

enum { BODIES_MOST = 40, ADDED_MOST = 8, SURFACES_MOST = 3, OPERATIONS_MOST = 24 };

/* Properties of bodies, as a world is given or gives them. */
typedef struct crowd {
    carom_real x[3][BODIES_MOST];
    carom_real v[3][BODIES_MOST];
    carom_real radius[BODIES_MOST];
    carom_real mass[BODIES_MOST];
    carom_real restitution[BODIES_MOST];
    uint32_t category[BODIES_MOST];
    uint32_t mask[BODIES_MOST];
    uint64_t user[BODIES_MOST];
} crowd;

/* What the input makes. */
typedef struct play {
    fuzz_twins twins;
    fuzz_bytes bytes;
    carom_step_config config;
    carom_periodic box;
    carom_surface surface[SURFACES_MOST];
    crowd before; /* a step */
    crowd now;
    uint64_t count;
} play;

static fuzz_world_bodies view(crowd *c, uint64_t count) {
    fuzz_world_bodies b = {.count = count,
                           .radius = c->radius,
                           .mass = c->mass,
                           .restitution = c->restitution,
                           .category = c->category,
                           .mask = c->mask,
                           .user = c->user};
    for (int a = 0; a < 3; a++) {
        b.position[a] = c->x[a];
        b.velocity[a] = c->v[a];
    }
    return b;
}

static double take_small(fuzz_bytes *bytes) {
    return (int8_t)fuzz_byte(bytes) / 4.0;
}

/* Any bits; of moderate size unless `wild`. */
static double take_bits(fuzz_bytes *bytes, bool wild) {
    uint64_t bits;
    double value;
    fuzz_take(bytes, &bits, sizeof bits);
    if (!wild) {
        const uint64_t exponent = 1023 - 32 + (bits >> 52 & 63);
        bits = (bits & UINT64_C(0x800FFFFFFFFFFFFF)) | exponent << 52;
    }
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void take_vector(fuzz_bytes *bytes, double vector[3]) {
    for (int a = 0; a < 3; a++) {
        vector[a] = take_small(bytes);
    }
}

static void take_surface(fuzz_bytes *bytes, carom_surface *surface) {
    const uint8_t how = fuzz_byte(bytes);
    *surface = (carom_surface){.kind = (carom_surface_kind)(how % 4), .restitution = (how >> 2 & 3) / 3.0};
    take_vector(bytes, surface->at);
    take_vector(bytes, surface->axis[0]);
    take_vector(bytes, surface->extent);
    for (int a = 0; a < 3; a++) {
        surface->extent[a] = fabs(surface->extent[a]);
    }
    if (surface->kind == CAROM_SURFACE_BOX) { /* turned about the z axis, or not at all */
        const double *x = surface->axis[0];
        const double turned[3][3] = {{x[0], x[1], 0.0}, {-x[1], x[0], 0.0}, {0.0, 0.0, x[2] != 0.0 ? x[2] : 1.0}};
        const bool plain = x[0] == 0.0 && x[1] == 0.0;
        memset(surface->axis, 0, sizeof surface->axis);
        memcpy(surface->axis, turned, plain ? 0 : sizeof turned);
    }
}

static void take_box(play *p) {
    const uint8_t how = fuzz_byte(&p->bytes);
    p->box = carom_periodic_default();
    for (int a = 0; a < 3; a++) {
        p->box.along[a] = (how >> a & 1) != 0;
        p->box.edge[a][a] = ldexp(1.0, (how >> 4 & 3) + 2) + ((how & 0x40) != 0 ? a : 0);
    }
    p->box.edge[2][0] = (how & 0x80) != 0 ? take_small(&p->bytes) : 0.0;
    p->config.periodic = (how & 8) != 0 && (how & 7) != 0 ? &p->box : NULL;
}

static void take_config(play *p) {
    static const double lengths[] = {1.0, 0.5, 0.1, 3.7, 1e-3, 1e-200, 1e200, 64.0};
    const uint8_t how = fuzz_byte(&p->bytes);
    const uint8_t more = fuzz_byte(&p->bytes);
    p->config = carom_step_config_default();
    p->config.response = (carom_response)((how & 3) % 3);
    p->config.surface_count = p->config.response == CAROM_RESPONSE_MERGE ? 0 : how >> 2 & 3;
    p->config.events = (how & 0x10) != 0;
    p->config.dt = lengths[how >> 5];
    p->config.budget = 1 + more % 16;
    p->config.restitution = (more >> 4 & 3) / 3.0;
    p->config.rest_speed = (more & 0x40) != 0 ? fabs(take_small(&p->bytes)) : 0.0;
    p->config.contact_time = (more & 0x80) != 0 ? fabs(take_small(&p->bytes)) : 0.0;
    p->config.acceleration[2] = take_small(&p->bytes) / 8.0;
    take_box(p);
    for (uint64_t s = 0; s < p->config.surface_count; s++) {
        take_surface(&p->bytes, &p->surface[s]);
    }
    p->config.surface = p->surface;
}

/* Beside another body, in touch with it or nearly so, or in its place; moving in its own way. */
static void take_neighbour(play *p, crowd *c, uint64_t n) {
    const uint8_t how = fuzz_byte(&p->bytes);
    const uint64_t from = p->count > 0 ? how / 8 % p->count : 0;
    const int axis = how & 3;
    for (int a = 0; a < 3; a++) {
        c->x[a][n] = p->now.x[a][from];
        c->v[a][n] = (carom_real)take_small(&p->bytes);
    }
    c->radius[n] = p->now.radius[from];
    if (axis < 3) {
        c->x[axis][n] += (carom_real)((how & 4) != 0 ? -2.0 : 2.0) * c->radius[n];
        c->x[axis][n] = (carom_real)((double)c->x[axis][n] * (1.0 + take_small(&p->bytes) * 0x1p-52));
    }
}

static void take_place(play *p, uint8_t kind, crowd *c, uint64_t n) {
    const double scale = (kind & 8) != 0 ? ldexp(1.0, (int8_t)fuzz_byte(&p->bytes)) : 1.0;
    for (int a = 0; a < 3; a++) {
        c->x[a][n] = (carom_real)(scale * take_small(&p->bytes));
        c->v[a][n] = (carom_real)(scale * take_small(&p->bytes));
    }
    c->radius[n] = (carom_real)(scale * fabs(take_small(&p->bytes)) / 4.0);
}

static void take_any_place(play *p, bool wild, crowd *c, uint64_t n) {
    for (int a = 0; a < 3; a++) {
        c->x[a][n] = (carom_real)take_bits(&p->bytes, wild);
        c->v[a][n] = (carom_real)take_bits(&p->bytes, wild);
    }
    c->radius[n] = (carom_real)take_bits(&p->bytes, wild);
    c->radius[n] = wild ? c->radius[n] : (carom_real)fabs((double)c->radius[n]);
}

static void take_body(play *p, crowd *c, uint64_t n) {
    static const double masses[] = {1.0, 1.0, 2.0, 0.125, 1e6, 1e300, 5e-324, 1e-30};
    const uint8_t kind = fuzz_byte(&p->bytes);
    if (kind % 4 == 3) {
        take_any_place(p, kind >= 0xF0, c, n);
    } else if (kind % 4 == 2) {
        take_neighbour(p, c, n);
    } else {
        take_place(p, kind, c, n);
    }
    const uint8_t what = fuzz_byte(&p->bytes);
    const carom_real mass = (carom_real)masses[what % 8];
    c->mass[n] = (what & 0x18) == 0x18 || !(mass > 0) ? (carom_real)INFINITY : mass;
    c->restitution[n] = (carom_real)((what >> 5) / 7.0);
    c->category[n] = (kind & 0x10) != 0 ? what : 1;
    c->mask[n] = (kind & 0x20) != 0 ? what : UINT32_MAX;
    c->user[n] = what;
}

static void read_bodies(play *p, crowd *c) {
    p->count = carom_world_count(p->twins.world[0]);
    const fuzz_world_bodies b = view(c, p->count);
    note_check(p->count <= BODIES_MOST && carom_world_get(p->twins.world[0], NULL, &b, NULL) == CAROM_OK,
               "bodies cannot be read");
}

static void add(play *p) {
    crowd added;
    uint64_t count = 1 + fuzz_byte(&p->bytes) % ADDED_MOST;
    count = count < BODIES_MOST - p->count ? count : BODIES_MOST - p->count;
    for (uint64_t n = 0; n < count; n++) {
        take_body(p, &added, n);
    }
    const fuzz_world_bodies b = view(&added, count);
    (void)fuzz_twins_add(&p->twins, &b);
}

static void set_some(play *p) {
    crowd changed;
    carom_handle handle[ADDED_MOST];
    if (p->count == 0) {
        return;
    }
    const uint64_t first = fuzz_byte(&p->bytes) % p->count;
    const uint64_t count = p->count - first < ADDED_MOST ? p->count - first : ADDED_MOST;
    for (uint64_t n = 0; n < count; n++) {
        take_body(p, &changed, n);
        handle[n] = carom_world_handles(p->twins.world[0])[first + n];
    }
    fuzz_world_bodies b = view(&changed, count);
    b.mass = (fuzz_byte(&p->bytes) & 1) != 0 ? b.mass : NULL;
    (void)fuzz_twins_set(&p->twins, handle, &b);
}

/* Every body whose place has a bit, the last first. */
static void remove_some(play *p) {
    carom_handle handle[BODIES_MOST];
    uint64_t count = 0;
    const uint8_t which = fuzz_byte(&p->bytes);
    for (uint64_t n = p->count; n-- > 0;) {
        if ((which >> n % 8 & 1) != 0) {
            handle[count++] = carom_world_handles(p->twins.world[0])[n];
        }
    }
    (void)fuzz_twins_remove(&p->twins, handle, count);
}

/* In units of length: what rounding may move the surfaces of bodies by, over all lengths at hand. */
static const double ROUNDING = CAROM_REAL_BITS == 32 ? 1e-5 : 1e-9;

static double reach_of(const play *p, const crowd *c, uint64_t n) {
    double reach = (double)c->radius[n];
    for (int a = 0; a < 3; a++) {
        const double gained = fabs((double)c->v[a][n]) + fabs(p->config.acceleration[a] * p->config.dt);
        reach = fmax(reach, fmax(fabs((double)c->x[a][n]), gained * p->config.dt));
    }
    return reach;
}

static double gap_of(const crowd *c, uint64_t i, uint64_t k) {
    const double distance =
        hypot(hypot((double)c->x[0][i] - (double)c->x[0][k], (double)c->x[1][i] - (double)c->x[1][k]),
              (double)c->x[2][i] - (double)c->x[2][k]);
    return distance - (double)c->radius[i] - (double)c->radius[k];
}

static double height_of(const carom_surface *plane, const crowd *c, uint64_t n) {
    const double *n3 = plane->axis[0];
    double height = 0.0;
    for (int a = 0; a < 3; a++) {
        height += n3[a] * ((double)c->x[a][n] - plane->at[a]);
    }
    return height / hypot(hypot(n3[0], n3[1]), n3[2]) - (double)c->radius[n];
}

static bool meet(const crowd *c, uint64_t i, uint64_t k) {
    return (c->category[i] & c->mask[k]) != 0 && (c->category[k] & c->mask[i]) != 0;
}

/* Bodies of finite mass that were apart are apart, and those that were above a plane are above it. */
static void check_apart(const play *p) {
    for (uint64_t i = 0; i < p->count; i++) {
        const double own = fmax(reach_of(p, &p->before, i), reach_of(p, &p->now, i));
        if (isinf(p->now.mass[i])) {
            continue;
        }
        for (uint64_t s = 0; s < p->config.surface_count; s++) {
            const carom_surface *surface = &p->surface[s];
            const double size = fmax(own, fmax(fabs(surface->at[0]), fmax(fabs(surface->at[1]), fabs(surface->at[2]))));
            note_check(surface->kind != CAROM_SURFACE_PLANE || !(height_of(surface, &p->before, i) >= 0.0) ||
                           height_of(surface, &p->now, i) >= -ROUNDING * size,
                       "body %" PRIu64 " goes through plane %" PRIu64, i, s);
        }
        for (uint64_t k = 0; k < i; k++) {
            const double size = fmax(own, fmax(reach_of(p, &p->before, k), reach_of(p, &p->now, k)));
            note_check(isinf(p->now.mass[k]) || !meet(&p->now, i, k) || !(gap_of(&p->before, i, k) >= 0.0) ||
                           gap_of(&p->now, i, k) >= -ROUNDING * size,
                       "bodies %" PRIu64 " and %" PRIu64 " overlap: gap %g, then %g", i, k, gap_of(&p->before, i, k),
                       gap_of(&p->now, i, k));
        }
    }
}

static void check_events(const carom_step_report *report) {
    double before = 0.0;
    for (uint64_t n = 0; n < report->event_count; n++) {
        const carom_event *e = &report->event[n];
        const double length = hypot(hypot(e->normal[0], e->normal[1]), e->normal[2]);
        note_check(e->t >= before && e->t < 1.0, "event %" PRIu64 " at %g, after %g", n, e->t, before);
        note_check(fabs(length - 1.0) < 1e-9, "event %" PRIu64 " has a normal of length %g", n, length);
        note_check(e->impulse >= 0.0 && !isnan(e->point[0] + e->point[1] + e->point[2]), "event %" PRIu64 " is none",
                   n);
        before = e->t;
    }
}

static void check_finite(const play *p) {
    for (uint64_t n = 0; n < p->count; n++) {
        for (int a = 0; a < 3; a++) {
            note_check(isfinite(p->now.x[a][n]) && isfinite(p->now.v[a][n]), "body %" PRIu64 " is nowhere", n);
        }
    }
}

static void step(play *p) {
    carom_step_report report;
    const bool contacts = (fuzz_byte(&p->bytes) & 1) != 0;
    if (!fuzz_twins_are_moderate(&p->twins)) {
        return;
    }
    const uint64_t count = p->count;
    p->before = p->now;
    const carom_status status = fuzz_twins_step(&p->twins, contacts, &report);
    read_bodies(p, &p->now);
    check_finite(p);
    check_events(&report);
    note_check(p->count + report.merged == count, "%" PRIu64 " bodies of %" PRIu64 ", %" PRIu64 " merged", p->count,
               count, report.merged);
    if (status == CAROM_OK && p->config.response == CAROM_RESPONSE_BOUNCE && p->config.periodic == NULL &&
        report.held == 0) {
        check_apart(p);
    }
}

static void configure(play *p) {
    const play kept = *p;
    take_config(p);
    if (fuzz_twins_configure(&p->twins, &p->config) != CAROM_OK) {
        const fuzz_bytes rest = p->bytes;
        *p = kept;
        p->bytes = rest;
        p->config.surface = p->surface;
        p->config.periodic = p->config.periodic != NULL ? &p->box : NULL;
    }
}

static void operate(play *p) {
    const uint8_t what = fuzz_byte(&p->bytes) % 16;
    if (what < 4) {
        add(p);
    } else if (what < 11) {
        step(p);
    } else if (what == 11) {
        remove_some(p);
    } else if (what == 12) {
        set_some(p);
    } else if (what == 13) {
        configure(p);
    } else {
        fuzz_twins_restore(&p->twins);
    }
    read_bodies(p, &p->now);
}

void fuzz_world_run(const fuzz_contexts *contexts, fuzz_bytes bytes) {
    static play p;
    p = (play){.bytes = bytes};
    take_config(&p);
    if (fuzz_twins_create(&p.twins, contexts, &p.config) != CAROM_OK) {
        return;
    }
    add(&p);
    read_bodies(&p, &p.now);
    for (int n = 0; n < OPERATIONS_MOST && p.bytes.at < p.bytes.end; n++) {
        operate(&p);
    }
    fuzz_twins_destroy(&p.twins);
}
