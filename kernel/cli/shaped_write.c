/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* One line a shape and a body, written as they come: a scene need not fit into memory a second time. */
#include "kernel/cli/shaped_write.h"

#include <inttypes.h>
#include <stdio.h>

#include "kernel/cli/shaped_read.h"
#include "kernel/io/output.h"

/* Digits that read back to the same float, to the same double. */
enum { FLOAT_DIGITS = 9, DOUBLE_DIGITS = 17 };

static void put_list(FILE *file, const double *numbers, int count, int digits) {
    for (int n = 0; n < count; ++n) {
        fprintf(file, "%s%.*g", n == 0 ? "[" : ", ", digits, numbers[n]);
    }
    fputc(']', file);
}

static void put_children(FILE *file, const carom_shape *shape) {
    for (uint64_t n = 0; n < shape->child_count; ++n) {
        const carom_shape_child *child = &shape->child[n];
        fprintf(file, "%s{\"shape\": %" PRIu32 ", \"at\": ", n == 0 ? ", \"children\": [" : ", ", child->shape);
        put_list(file, child->at, 3, DOUBLE_DIGITS);
        fputs(", \"turn\": ", file);
        put_list(file, child->turn, 4, DOUBLE_DIGITS);
        fputc('}', file);
    }
    fputc(']', file);
}

static void put_points(FILE *file, const carom_shape *shape) {
    for (uint64_t n = 0; n < shape->point_count; ++n) {
        fputs(n == 0 ? ", \"v\": [" : ", ", file);
        put_list(file, shape->point[n], 3, DOUBLE_DIGITS);
    }
    fputc(']', file);
}

/* Tables are doubles in both precisions. */
static void put_shape(FILE *file, const carom_shape *shape) {
    const int digits = DOUBLE_DIGITS;
    fprintf(file, "{\"kind\": \"%s\"", carom_shaped_kinds[shape->kind]);
    switch (shape->kind) {
    case CAROM_SHAPE_SPHERE:
        fprintf(file, ", \"r\": %.*g", digits, shape->radius);
        break;
    case CAROM_SHAPE_CAPSULE:
        fprintf(file, ", \"r\": %.*g, \"half_segment\": %.*g", digits, shape->radius, digits, shape->extent[2]);
        break;
    case CAROM_SHAPE_CYLINDER:
    case CAROM_SHAPE_CONE:
        fprintf(file, ", \"r\": %.*g, \"half_height\": %.*g", digits, shape->radius, digits, shape->extent[2]);
        break;
    case CAROM_SHAPE_BOX:
    case CAROM_SHAPE_ELLIPSOID:
        fputs(shape->kind == CAROM_SHAPE_BOX ? ", \"half\": " : ", \"semi\": ", file);
        put_list(file, shape->extent, 3, digits);
        break;
    case CAROM_SHAPE_HULL:
        put_points(file, shape);
        break;
    case CAROM_SHAPE_COMPOUND:
        put_children(file, shape);
        break;
    case CAROM_SHAPE_HALF_SPACE:
    case CAROM_SHAPE_LINE:
        break;
    }
    fputc('}', file);
}

static void put_member(FILE *file, const char *name, const carom_shaped *shaped, int first, int count, uint64_t body,
                       int digits) {
    double numbers[4];
    for (int d = 0; d < count; ++d) {
        numbers[d] = shaped->array[first + d][body];
    }
    fprintf(file, ", \"%s\": ", name);
    put_list(file, numbers, count, digits);
}

static void put_body(FILE *file, const carom_shaped *shaped, uint64_t body, int digits) {
    fprintf(file, "{\"shape\": %" PRIu32, shaped->shape[body]);
    put_member(file, "prev", shaped, CAROM_SHAPED_PREV, 3, body, digits);
    put_member(file, "curr", shaped, CAROM_SHAPED_CURR, 3, body, digits);
    put_member(file, "prev_turn", shaped, CAROM_SHAPED_PREV_TURN, 4, body, digits);
    if (shaped->turns) {
        put_member(file, "curr_turn", shaped, CAROM_SHAPED_CURR_TURN, 4, body, digits);
    }
    if (shaped->spins) {
        put_member(file, "spin", shaped, CAROM_SHAPED_SPIN, 3, body, digits);
    }
    fputc('}', file);
}

static void put_box(FILE *file, const carom_shaped *shaped) {
    fputs("\"box\": [", file);
    for (int edge = 0; edge < 3; ++edge) {
        fputs(edge == 0 ? "" : ", ", file);
        put_list(file, shaped->box[edge], 3, DOUBLE_DIGITS);
    }
    fputs("],\n", file);
}

/* ferror ends the loops early on a full disk; carom_output_close reports it. */
static void put_scene(FILE *file, const carom_shaped *shaped, int digits) {
    fprintf(file, "{\"version\": %d,\n", CAROM_SHAPED_VERSION);
    if (shaped->has_box) {
        put_box(file, shaped);
    }
    fputs("\"shapes\": [", file);
    for (uint64_t n = 0; n < shaped->entries.count && !ferror(file); ++n) {
        fputs(n == 0 ? "\n" : ",\n", file);
        put_shape(file, &shaped->entries.shape[n]);
    }
    fputs("],\n\"bodies\": [", file);
    for (uint64_t body = 0; body < shaped->count && !ferror(file); ++body) {
        fputs(body == 0 ? "\n" : ",\n", file);
        put_body(file, shaped, body, digits);
    }
    fputs("]}\n", file);
}

carom_status carom_shaped_write(const char *path, const carom_shaped *shaped, carom_write_precision precision,
                                carom_written *written, carom_error *error) {
    carom_output out;
    carom_status status = carom_output_open(path, &out, error);
    if (status != CAROM_OK) {
        return status;
    }
    put_scene(out.file, shaped, precision == CAROM_WRITE_F32 ? FLOAT_DIGITS : DOUBLE_DIGITS);
    status = carom_output_close(&out, error);
    if (status == CAROM_OK) {
        *written = (carom_written){
            .rows = shaped->count, .replaced = out.replaces, .to = out.standard ? "standard output" : out.path};
    }
    return status;
}
