/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The XML describes each array and says at which byte of the raw part it begins; there its length in bytes (u8) and its
 * values follow. Source: VTK's XML file formats, version 1.0. */
#include "kernel/io/vtp.h"

#include <inttypes.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/io/output.h"

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define BYTE_ORDER_NAME "LittleEndian"
#else
#define BYTE_ORDER_NAME "BigEndian"
#endif

/* Bytes that are gathered before they are written. */
enum { BLOCK = 1 << 14 };

/* Values of one kind: `rows` times `components`. */
typedef struct array {
    const char *name;
    const char *type;    /* as VTK calls it */
    size_t size;         /* bytes of a value: 4 or 8 */
    int components;      /* 1 or 3 */
    const void *data[3]; /* of each component; data[0] NULL: first, first + 1, ... as u8 */
    size_t stride;       /* bytes from a row to the next */
    uint64_t first;
    uint64_t rows;
} array;

enum { ARRAYS_MAX = 12 };

/* A file: arrays in groups, each an element of the XML. */
typedef struct poly_data {
    uint64_t points;
    int fields; /* the first arrays, which belong to the file as a whole */
    int arrays; /* then: points, connectivity, offsets, values of points */
    array array[ARRAYS_MAX];
} poly_data;

static void add(poly_data *poly, array next) {
    CAROM_ASSERT(poly->arrays < ARRAYS_MAX);
    poly->array[poly->arrays++] = next;
}

static uint64_t bytes_of(const array *a) {
    return a->rows * (uint64_t)a->components * a->size;
}

static void describe(FILE *file, const array *a, uint64_t *offset, bool field) {
    fprintf(file, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\"", a->type, a->name, a->components);
    if (field) {
        fprintf(file, " NumberOfTuples=\"%" PRIu64 "\"", a->rows);
    }
    fprintf(file, " format=\"appended\" offset=\"%" PRIu64 "\"/>\n", *offset);
    *offset += sizeof(uint64_t) + bytes_of(a);
}

static void describe_all(FILE *file, const poly_data *poly) {
    uint64_t offset = 0;
    const int points = poly->fields;
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"" BYTE_ORDER_NAME
          "\" header_type=\"UInt64\">\n<PolyData>\n<FieldData>\n",
          file);
    for (int n = 0; n < points; n++) {
        describe(file, &poly->array[n], &offset, true);
    }
    fprintf(file,
            "</FieldData>\n<Piece NumberOfPoints=\"%" PRIu64 "\" NumberOfVerts=\"%" PRIu64
            "\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n<Points>\n",
            poly->points, poly->points);
    describe(file, &poly->array[points], &offset, false);
    fputs("</Points>\n<Verts>\n", file);
    describe(file, &poly->array[points + 1], &offset, false);
    describe(file, &poly->array[points + 2], &offset, false);
    fputs("</Verts>\n<PointData>\n", file);
    for (int n = points + 3; n < poly->arrays; n++) {
        describe(file, &poly->array[n], &offset, false);
    }
    fputs("</PointData>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_", file);
}

/* Row n. Returns where the next goes. */
static unsigned char *put_row(unsigned char *to, const array *a, uint64_t n) {
    if (a->data[0] == NULL) {
        const uint64_t number = a->first + n;
        memcpy(to, &number, sizeof number);
        return to + sizeof number;
    }
    for (int c = 0; c < a->components; c++) {
        memcpy(to, (const unsigned char *)a->data[c] + n * a->stride, a->size);
        to += a->size;
    }
    return to;
}

static void write_values(FILE *file, const array *a) {
    unsigned char block[BLOCK];
    const uint64_t bytes = bytes_of(a);
    const size_t row = (size_t)a->components * a->size;
    unsigned char *to = block;
    fwrite(&bytes, sizeof bytes, 1, file);
    for (uint64_t n = 0; n < a->rows && !ferror(file); n++) {
        to = put_row(to, a, n);
        if (to + row > block + BLOCK || n + 1 == a->rows) {
            fwrite(block, 1, (size_t)(to - block), file);
            to = block;
        }
    }
}

static carom_status write_file(const char *path, const poly_data *poly, carom_error *error) {
    carom_output out;
    const carom_status status = carom_output_open(path, &out, error);
    if (status != CAROM_OK) {
        return status;
    }
    describe_all(out.file, poly);
    for (int n = 0; n < poly->arrays; n++) {
        write_values(out.file, &poly->array[n]);
    }
    fputs("\n</AppendedData>\n</VTKFile>\n", out.file);
    return carom_output_close(&out, error);
}

/* One number for each row. */
static void add_reals(poly_data *poly, const char *name, const void *data, size_t size, size_t stride) {
    add(poly, (array){.name = name,
                      .type = size == 4 ? "Float32" : "Float64",
                      .size = size,
                      .components = 1,
                      .data = {data},
                      .stride = stride,
                      .rows = poly->points});
}

/* Three for each row. */
static void add_vectors(poly_data *poly, const char *name, const void *x, const void *y, const void *z, size_t size,
                        size_t stride) {
    add_reals(poly, name, x, size, stride);
    array *a = &poly->array[poly->arrays - 1];
    a->components = 3;
    a->data[1] = y;
    a->data[2] = z;
}

/* Whole numbers; data NULL: those from `first` on. */
static void add_numbers(poly_data *poly, const char *name, const char *type, const uint64_t *data, uint64_t first) {
    add_reals(poly, name, data, sizeof *data, sizeof *data);
    poly->array[poly->arrays - 1].type = type;
    poly->array[poly->arrays - 1].first = first;
}

/* What belongs to the file as a whole. Arrays of values have poly->points rows; these have their own number. */
static void add_fields(poly_data *poly, const carom_moment *moment) {
    const uint64_t points = poly->points;
    poly->points = 1;
    add_reals(poly, "TimeValue", &moment->time, sizeof moment->time, sizeof moment->time);
    add_numbers(poly, "Step", "UInt64", &moment->step, 0);
    if (moment->periodic != NULL) {
        const double(*edge)[3] = moment->periodic->edge;
        add_vectors(poly, "Corner", &moment->corner[0], &moment->corner[1], &moment->corner[2], sizeof(double), 0);
        poly->points = 3;
        add_vectors(poly, "Box", &edge[0][0], &edge[0][1], &edge[0][2], sizeof(double), sizeof *edge);
    }
    poly->fields = poly->arrays;
    poly->points = points;
}

/* Each point is a vertex of its own, or viewers that draw cells show nothing. */
static void add_vertices(poly_data *poly) {
    add_numbers(poly, "connectivity", "Int64", NULL, 0);
    add_numbers(poly, "offsets", "Int64", NULL, 1);
}

carom_status carom_vtp_write_bodies(const char *path, const carom_moment *moment, carom_error *error) {
    const size_t size = moment->wide ? sizeof(double) : sizeof(float);
    const void *const *x = moment->position;
    const void *const *v = moment->velocity;
    poly_data poly = {.points = moment->count};
    add_fields(&poly, moment);
    add_vectors(&poly, "Points", x[0], x[1], x[2], size, size);
    add_vertices(&poly);
    add_numbers(&poly, "id", "UInt64", moment->id, 0);
    add_vectors(&poly, "velocity", v[0], v[1], v[2], size, size);
    add_reals(&poly, "radius", moment->radius, size, size);
    add_reals(&poly, "mass", moment->mass, size, size);
    return write_file(path, &poly, error);
}

carom_status carom_vtp_write_impacts(const char *path, const carom_moment *moment, const carom_impact_row *impacts,
                                     uint64_t count, carom_error *error) {
    static const carom_impact_row none = {0};
    const carom_impact_row *first = count > 0 ? impacts : &none;
    const double *x = first->point;
    const double *n = first->normal;
    poly_data poly = {.points = count};
    add_fields(&poly, moment);
    add_vectors(&poly, "Points", &x[0], &x[1], &x[2], sizeof(double), sizeof *impacts);
    add_vertices(&poly);
    add_reals(&poly, "time", &first->t, sizeof(double), sizeof *impacts);
    add_vectors(&poly, "normal", &n[0], &n[1], &n[2], sizeof(double), sizeof *impacts);
    add_reals(&poly, "impulse", &first->impulse, sizeof(double), sizeof *impacts);
    return write_file(path, &poly, error);
}

carom_status carom_vtp_write_list(const char *path, const char *stem, const double *time, uint64_t count,
                                  carom_error *error) {
    carom_output out;
    const carom_status status = carom_output_open(path, &out, error);
    if (status != CAROM_OK) {
        return status;
    }
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"" BYTE_ORDER_NAME
          "\" header_type=\"UInt64\">\n<Collection>\n",
          out.file);
    for (uint64_t n = 0; n < count && !ferror(out.file); n++) {
        fprintf(out.file, "<DataSet timestep=\"%.17g\" part=\"0\" file=\"%s_%06" PRIu64 ".vtp\"/>\n", time[n], stem, n);
    }
    fputs("</Collection>\n</VTKFile>\n", out.file);
    return carom_output_close(&out, error);
}
