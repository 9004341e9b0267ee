/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/fuzz/scene.h"

#include <math.h>
#include <string.h>

#include "kernel/scene/random.h"
#include "tests/fuzz/bytes.h"

/* How the next body's numbers are written. */
typedef enum body_kind {
    BODY_BYTES,   /* small integers times a power of two */
    BODY_WORDS,   /* larger ones */
    BODY_NEAR,    /* an earlier body, one number some ulps off */
    BODY_TANGENT, /* beside an earlier body, touching it or nearly so at the start or the end */
    BODY_FLOATS,  /* bits */
    BODY_DOUBLES, /* bits, of moderate size unless the scene is wild */
    BODY_KINDS
} body_kind;

typedef struct body {
    double value[FUZZ_FIELDS]; /* prev, curr, radius */
} body;

static void take_integers(fuzz_bytes *bytes, size_t size, body *b) {
    int8_t scale;
    fuzz_take(bytes, &scale, sizeof scale);
    for (int f = 0; f < FUZZ_FIELDS; f++) {
        int8_t small = 0;
        int16_t large = 0;
        fuzz_take(bytes, size == 1 ? (void *)&small : (void *)&large, size);
        b->value[f] = ldexp(small + large, scale / 4);
    }
    b->value[FUZZ_FIELDS - 1] = fabs(b->value[FUZZ_FIELDS - 1]);
}

static double ulps_off(any_precision precision, double value, int ulps) {
    for (int n = ulps; n != 0; n += n < 0 ? 1 : -1) {
        value = precision == ANY_F32 ? (double)nextafterf((float)value, n < 0 ? -INFINITY : INFINITY)
                                     : nextafter(value, n < 0 ? (double)-INFINITY : (double)INFINITY);
    }
    return value;
}

static body earlier_body(fuzz_bytes *bytes, const fuzz_scene *scene, uint64_t before) {
    body b = {{0}};
    const uint64_t from = before > 0 ? fuzz_byte(bytes) % before : 0;
    for (int f = 0; f < FUZZ_FIELDS && before > 0; f++) {
        b.value[f] = scene->field[f][from];
    }
    return b;
}

static void take_near(fuzz_bytes *bytes, any_precision precision, body *b) {
    const int field = fuzz_byte(bytes) % FUZZ_FIELDS;
    int8_t ulps;
    fuzz_take(bytes, &ulps, sizeof ulps);
    b->value[field] = ulps_off(precision, b->value[field], ulps);
}

/* The partner of *b across both radii along an axis, at the start or the end, the other end somewhere else. */
static void take_tangent(fuzz_bytes *bytes, any_precision precision, body *b) {
    const uint8_t how = fuzz_byte(bytes);
    const int at = how % 6;
    int8_t ulps;
    fuzz_take(bytes, &ulps, sizeof ulps);
    int8_t far[3];
    fuzz_take(bytes, far, sizeof far);
    const double reach = 2 * b->value[FUZZ_FIELDS - 1];
    const int other_end = at < 3 ? 3 : 0;
    b->value[at] += (how & 0x40) != 0 ? -reach : reach;
    b->value[at] = ulps_off(precision, b->value[at], ulps / 16);
    for (int a = 0; a < 3; a++) {
        b->value[other_end + a] += (double)far[a] * reach;
    }
}

static void take_floats(fuzz_bytes *bytes, body *b) {
    for (int f = 0; f < FUZZ_FIELDS; f++) {
        float value;
        fuzz_take(bytes, &value, sizeof value);
        b->value[f] = (double)value;
    }
}

static void take_doubles(fuzz_bytes *bytes, bool wild, body *b) {
    for (int f = 0; f < FUZZ_FIELDS; f++) {
        uint64_t bits;
        fuzz_take(bytes, &bits, sizeof bits);
        if (!wild) {
            const uint64_t exponent = 1023 - 64 + (bits >> 52 & 127);
            bits = (bits & UINT64_C(0x800FFFFFFFFFFFFF)) | exponent << 52;
        }
        memcpy(&b->value[f], &bits, sizeof bits);
    }
}

static body take_body(fuzz_bytes *bytes, const fuzz_scene *scene, uint64_t before) {
    const uint8_t kind = fuzz_byte(bytes);
    body b = {{0}};
    switch (kind % BODY_KINDS) {
    case BODY_BYTES:
        take_integers(bytes, sizeof(int8_t), &b);
        break;
    case BODY_WORDS:
        take_integers(bytes, sizeof(int16_t), &b);
        break;
    case BODY_NEAR:
        b = earlier_body(bytes, scene, before);
        take_near(bytes, scene->precision, &b);
        break;
    case BODY_TANGENT:
        b = earlier_body(bytes, scene, before);
        take_tangent(bytes, scene->precision, &b);
        break;
    case BODY_FLOATS:
        take_floats(bytes, &b);
        break;
    default:
        take_doubles(bytes, scene->wild, &b);
        break;
    }
    /* Bits seldom make a radius that is one; what it is to refuse is seen often enough. */
    if (kind < 0xF0) {
        b.value[FUZZ_FIELDS - 1] = fabs(b.value[FUZZ_FIELDS - 1]);
    }
    return b;
}

static bool accepts(void *user, uint32_t i, uint32_t k) {
    return ((((uint64_t)i << 32 | k) + 1) * *(const uint64_t *)user >> 61) != 0;
}

static void take_exclusions(fuzz_bytes *bytes, fuzz_scene *scene) {
    const uint64_t count = scene->bodies.count;
    uint64_t at = 0;
    for (uint64_t b = 0; b < count; b++) {
        scene->exclusion_offset[b] = at;
        for (int n = fuzz_byte(bytes) % 4; n > 0 && at < FUZZ_EXCLUDED_MOST; n--) {
            scene->excluded[at++] = (uint32_t)(fuzz_byte(bytes) % count);
        }
    }
    scene->exclusion_offset[count] = at;
    scene->filter.exclusion_offset = scene->exclusion_offset;
    scene->filter.excluded = scene->excluded;
}

static void take_filter(fuzz_bytes *bytes, uint8_t parts, fuzz_scene *scene) {
    scene->filter = carom_filter_default();
    scene->salt = fuzz_byte(bytes) * UINT64_C(0x9E3779B97F4A7C15) | 1;
    for (uint64_t n = 0; n < scene->bodies.count; n++) {
        const uint8_t bits = fuzz_byte(bytes);
        scene->category[n] = bits & 3U;
        scene->mask[n] = (bits >> 2 & 3U) | 0x80000000U;
        scene->group[n] = bits >> 4 & 3U;
        scene->fixed[n] = bits >> 6;
        scene->part[n] = bits >> 2 & bits; /* mostly no bit */
    }
    scene->filter.category = (parts & 1) != 0 ? scene->category : NULL;
    scene->filter.mask = (parts & 2) != 0 ? scene->mask : NULL;
    scene->filter.group = (parts & 4) != 0 ? scene->group : NULL;
    scene->filter.fixed = (parts & 8) != 0 ? scene->fixed : NULL;
    scene->filter.part = (parts & 64) != 0 ? scene->part : NULL;
    scene->filter.accepts = (parts & 16) != 0 ? accepts : NULL;
    scene->filter.user = &scene->salt;
    if ((parts & 32) != 0 && scene->bodies.count > 0) {
        take_exclusions(bytes, scene);
    }
    scene->config.filter = &scene->filter;
}

static void take_config(fuzz_bytes *bytes, fuzz_scene *scene) {
    carom_detect_config *config = &scene->config;
    *config = carom_detect_config_default();
    const uint8_t first = fuzz_byte(bytes);
    config->until = (carom_until)(first % (CAROM_UNTIL_GROUPS + 1));
    scene->wild = first >> 5 == 7;
    config->method = (carom_method)(fuzz_byte(bytes) % (CAROM_METHOD_SHARED + 1));
    config->neighbours = (carom_neighbour_list)(fuzz_byte(bytes) % (CAROM_NEIGHBOURS_FULL + 1));
    const uint8_t flags = fuzz_byte(bytes);
    config->count_only = (flags & 1) != 0 && config->neighbours == CAROM_NEIGHBOURS_NONE;
    config->all_pairs = (flags & 2) != 0;
    config->sort_pairs = (flags & 4) != 0;
    config->group_members = (flags & 8) != 0;
    config->hash = (flags & 16) != 0;
    scene->way = (fuzz_way)((flags >> 5) % FUZZ_WAYS);
}

void fuzz_scene_make(const uint8_t *data, size_t size, fuzz_scene *scene) {
    fuzz_bytes bytes = {data, data + size};
    memset(scene, 0, sizeof *scene);
    const uint8_t first = fuzz_byte(&bytes);
    scene->precision = (any_precision)(first % ANY_PRECISIONS);
    scene->pick = first / ANY_PRECISIONS;
    take_config(&bytes, scene);
    const uint8_t parts = fuzz_byte(&bytes);
    const uint64_t most = fuzz_byte(&bytes) % (FUZZ_BODIES_MOST + 1);
    uint64_t count = 0;
    while (count < most && bytes.at < bytes.end) {
        const body b = take_body(&bytes, scene, count);
        for (int f = 0; f < FUZZ_FIELDS; f++) {
            scene->field[f][count] = scene->precision == ANY_F32 ? (double)(float)b.value[f] : b.value[f];
        }
        count++;
    }
    scene->bodies.count = count;
    for (int a = 0; a < 3; a++) {
        scene->bodies.prev[a] = scene->field[a];
        scene->bodies.curr[a] = scene->field[a + 3];
    }
    scene->bodies.radius = scene->field[FUZZ_FIELDS - 1];
    if (parts != 0) {
        take_filter(&bytes, parts, scene);
    }
    scene->rest = bytes;
}

uint64_t fuzz_scene_bad_body(const fuzz_scene *scene) {
    for (uint64_t n = 0; n < scene->bodies.count; n++) {
        bool good = scene->bodies.radius[n] >= 0;
        for (int f = 0; f < FUZZ_FIELDS; f++) {
            good = good && isfinite(scene->field[f][n]);
        }
        if (!good) {
            return n;
        }
    }
    return scene->bodies.count;
}

/* The exponents of a value's lowest and highest bits widen lowest .. highest. */
static void widen(double value, int *lowest, int *highest) {
    if (value == 0) {
        return;
    }
    int exponent;
    const uint64_t bits = (uint64_t)(fabs(frexp(value, &exponent)) * 0x1p53);
    const int low = exponent - 53 + __builtin_ctzll(bits);
    *lowest = low < *lowest ? low : *lowest;
    *highest = exponent > *highest ? exponent : *highest;
}

bool fuzz_scene_tame(const fuzz_scene *scene, uint32_t i, uint32_t k) {
    static const int moderate = 40;
    int lowest = moderate;
    int highest = -moderate;
    for (int f = 0; f < FUZZ_FIELDS; f++) {
        widen(scene->field[f][i], &lowest, &highest);
        widen(scene->field[f][k], &lowest, &highest);
    }
    return highest - lowest <= 24 && lowest >= -moderate && highest <= moderate;
}

static double held(any_precision precision, double x) {
    return precision == ANY_F32 ? (double)(float)x : x;
}

/* Body n by a share of its radius along an axis, or to where another one goes. */
static void move_body(fuzz_scene *scene, uint64_t n, unsigned how, double share) {
    const unsigned axis = how % 4;
    for (int a = 0; a < 3; a++) {
        scene->field[a][n] = scene->field[a + 3][n];
    }
    if (axis < 3) {
        const double by = scene->field[FUZZ_FIELDS - 1][n] * share * ((double)how - 128) / 128;
        const double moved = held(scene->precision, scene->field[axis + 3][n] + by);
        scene->field[axis + 3][n] = isfinite(moved) ? moved : scene->field[axis][n];
    } else if (share >= 1) {
        for (int a = 0; a < 3; a++) {
            scene->field[a + 3][n] = scene->field[a + 3][how / 4 % scene->bodies.count];
        }
    }
}

bool fuzz_scene_move_on(fuzz_scene *scene) {
    if (scene->rest.at == scene->rest.end) {
        return false;
    }
    carom_random random = carom_random_seeded(fuzz_byte(&scene->rest));
    const bool wild = carom_random_next(&random) % 4 == 0;
    for (uint64_t n = 0; n < scene->bodies.count; n++) {
        move_body(scene, n, (unsigned)(carom_random_next(&random) >> 56), wild ? 2 : 0x1p-6);
    }
    return true;
}

/* Of scenes in periodic boxes: products of edges stay in range. */
static const double EXTENT_MOST = 0x1p200;

/* The largest of the whole scene along any axis. */
static double extent_of(const fuzz_scene *scene) {
    double extent = 0;
    for (int a = 0; a < 3; a++) {
        double lo = INFINITY;
        double hi = -INFINITY;
        for (uint64_t n = 0; n < scene->bodies.count; n++) {
            const double r = scene->bodies.radius[n];
            lo = fmin(lo, fmin(scene->bodies.prev[a][n], scene->bodies.curr[a][n]) - r);
            hi = fmax(hi, fmax(scene->bodies.prev[a][n], scene->bodies.curr[a][n]) + r);
        }
        extent = fmax(extent, hi - lo);
    }
    return extent;
}

/* The least power of two that no extent passes, within what keeps products of edges in range. */
static int exponent_of_extent(const fuzz_scene *scene) {
    int exponent;
    frexp(fmin(fmax(extent_of(scene), 0x1p-60), EXTENT_MOST), &exponent);
    return exponent;
}

bool fuzz_scene_fits_box(const fuzz_scene *scene) {
    return extent_of(scene) <= EXTENT_MOST;
}

carom_periodic fuzz_scene_box(fuzz_scene *scene) {
    carom_periodic box = carom_periodic_default();
    const uint8_t along = fuzz_byte(&scene->rest);
    const uint8_t size = fuzz_byte(&scene->rest);
    const int exponent = exponent_of_extent(scene);
    for (int a = 0; a < 3; a++) {
        box.along[a] = along % 8 == 0 || (along >> a & 1) != 0;
        box.edge[a][a] = ldexp(1, exponent - 1 + (size >> 2 * a & 3));
    }
    if ((along & 8) != 0) {
        box.edge[1][0] = ldexp(1, exponent - 1);
    }
    return box;
}

bool fuzz_scene_on_grid(const fuzz_scene *scene) {
    static const int moderate = 40;
    int lowest = exponent_of_extent(scene) - 2;
    int highest = lowest + 5;
    for (uint64_t n = 0; n < scene->bodies.count; n++) {
        for (int f = 0; f < FUZZ_FIELDS; f++) {
            widen(scene->field[f][n], &lowest, &highest);
        }
    }
    return highest - lowest <= 22 && lowest >= -moderate && highest <= moderate;
}
