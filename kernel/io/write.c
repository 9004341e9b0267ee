/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/io/write.h"

#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/sys/error.h"

/* Digits that read back to the same float. */
#define FLOAT_TEXT "%.9g"

/* A file being written. Until it is closed this thread is in the C locale, so that numbers have decimal points. */
typedef struct output {
    const char *path;
    FILE *file;
    locale_t plain;  /* the C locale's numbers */
    locale_t before; /* this thread's, to be put back */
} output;

/* uselocale sets this thread's locale only: other threads of the host go on undisturbed. */
static carom_status open_output(const char *path, output *out, carom_error *error) {
    *out = (output){.path = path};
    errno = 0;
    out->plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (out->plain == (locale_t)0) {
        return carom_error_set(error, CAROM_ERROR_MEMORY, "%s: no memory to write it", path);
    }
    out->file = fopen(path, "wb");
    if (out->file == NULL) {
        freelocale(out->plain);
        return carom_error_file(error, path);
    }
    out->before = uselocale(out->plain);
    return CAROM_OK;
}

/* Closes, and reports what went wrong there or in any write before. */
static carom_status close_output(const output *out, carom_error *error) {
    uselocale(out->before);
    freelocale(out->plain);
    bool failed = ferror(out->file) != 0;
    failed |= fclose(out->file) != 0;
    return failed ? carom_error_file(error, out->path) : CAROM_OK;
}

/* ferror ends the loops early on a full disk; close_output reports it. */
static void write_csv(FILE *file, const carom_bodies_f32 *b) {
    fputs("prev_x,prev_y,prev_z,curr_x,curr_y,curr_z,radius\n", file);
    for (uint64_t n = 0; n < b->count && !ferror(file); n++) {
        fprintf(file, FLOAT_TEXT "," FLOAT_TEXT "," FLOAT_TEXT ",", (double)b->prev[0][n], (double)b->prev[1][n],
                (double)b->prev[2][n]);
        fprintf(file, FLOAT_TEXT "," FLOAT_TEXT "," FLOAT_TEXT "," FLOAT_TEXT "\n", (double)b->curr[0][n],
                (double)b->curr[1][n], (double)b->curr[2][n], (double)b->radius[n]);
    }
}

static void write_xyz_frame(FILE *file, const carom_bodies_f32 *b, const float *const at[3]) {
    fprintf(file, "%" PRIu64 "\nProperties=species:S:1:pos:R:3:radius:R:1\n", b->count);
    for (uint64_t n = 0; n < b->count && !ferror(file); n++) {
        fprintf(file, "X " FLOAT_TEXT " " FLOAT_TEXT " " FLOAT_TEXT " " FLOAT_TEXT "\n", (double)at[0][n],
                (double)at[1][n], (double)at[2][n], (double)b->radius[n]);
    }
}

/* Two frames, since a velocity, curr - prev, can lose the smaller of the two. */
static void write_xyz(FILE *file, const carom_bodies_f32 *b) {
    write_xyz_frame(file, b, b->prev);
    write_xyz_frame(file, b, b->curr);
}

/* Little-endian on every machine, as the header says. */
static void put_little_f32(unsigned char *to, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (int byte = 0; byte < 4; byte++) {
        to[byte] = (unsigned char)(bits >> (8 * byte));
    }
}

/* Version 1 header: its length makes the data start at a multiple of 64. */
static void write_npy_header(FILE *file, uint64_t rows) {
    char text[128];
    int length =
        snprintf(text, sizeof text, "{'descr': '<f4', 'fortran_order': False, 'shape': (%" PRIu64 ", 7), }", rows);
    int padded = 128 - 10 - 1;
    fputs("\x93NUMPY\x01", file);
    fputc(0, file);
    fputc((padded + 1) % 256, file);
    fputc((padded + 1) / 256, file);
    fprintf(file, "%s%*s\n", text, padded - length, "");
}

/* Rows of seven: prev, curr, radius. */
static void write_npy(FILE *file, const carom_bodies_f32 *b) {
    write_npy_header(file, b->count);
    for (uint64_t n = 0; n < b->count && !ferror(file); n++) {
        unsigned char row[7 * 4];
        for (int a = 0; a < 3; a++) {
            put_little_f32(row + 4 * a, b->prev[a][n]);
            put_little_f32(row + 4 * (a + 3), b->curr[a][n]);
        }
        put_little_f32(row + 24, b->radius[n]);
        fwrite(row, sizeof row, 1, file);
    }
}

typedef void bodies_writer(FILE *file, const carom_bodies_f32 *bodies);

/* NULL for a suffix that names no format. */
static bodies_writer *writer_of(const char *path) {
    const char *suffix = strrchr(path, '.');
    if (suffix == NULL) {
        return NULL;
    }
    if (strcmp(suffix, ".npy") == 0) {
        return write_npy;
    }
    if (strcmp(suffix, ".csv") == 0) {
        return write_csv;
    }
    return strcmp(suffix, ".xyz") == 0 ? write_xyz : NULL;
}

carom_status carom_write_bodies_f32(const char *path, const carom_bodies_f32 *bodies, carom_error *error) {
    CAROM_ASSERT(path != NULL && bodies != NULL);
    bodies_writer *writer = writer_of(path);
    if (writer == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "%s: the name must end in .npy, .csv or .xyz", path);
    }
    output out;
    carom_status status = open_output(path, &out, error);
    if (status != CAROM_OK) {
        return status;
    }
    writer(out.file, bodies);
    return close_output(&out, error);
}

/* With the shifts of a periodic box if there are any. */
static void write_pairs_header(FILE *file, int32_t *const shift[3]) {
    fprintf(file, "i,k,t_ca,distance,t_toi%s\n", shift[0] != NULL ? ",shift_x,shift_y,shift_z" : "");
}

/* What all precisions have of a row n. */
typedef struct pair {
    uint64_t n;
    uint32_t i;
    uint32_t k;
    double t_ca;
    double distance;
    double t_toi;
} pair;

static void write_pair(FILE *file, bool wide, const pair *p, int32_t *const shift[3]) {
    int digits = wide ? 17 : 9;
    fprintf(file, "%" PRIu32 ",%" PRIu32 ",%.*g,%.*g,", p->i, p->k, digits, p->t_ca, digits, p->distance);
    if (!isnan(p->t_toi)) {
        fprintf(file, "%.*g", digits, p->t_toi);
    }
    for (int axis = 0; axis < 3 && shift[0] != NULL; axis++) {
        fprintf(file, ",%" PRId32, shift[axis][p->n]);
    }
    fputc('\n', file);
}

carom_status carom_write_pairs_f32(const char *path, const carom_detection_f32 *d, carom_error *error) {
    const carom_contacts_f32 *rows = &d->contacts;
    CAROM_ASSERT(d->pair_count == 0 || (rows->i != NULL && rows->k != NULL && rows->t_toi != NULL));
    output out;
    carom_status status = open_output(path, &out, error);
    if (status != CAROM_OK) {
        return status;
    }
    write_pairs_header(out.file, rows->shift);
    for (uint64_t n = 0; n < d->pair_count && !ferror(out.file); n++) {
        pair p = {n, rows->i[n], rows->k[n], (double)rows->t_ca[n], (double)rows->distance[n], (double)rows->t_toi[n]};
        write_pair(out.file, false, &p, rows->shift);
    }
    return close_output(&out, error);
}

carom_status carom_write_pairs_f64(const char *path, const carom_detection_f64 *d, carom_error *error) {
    const carom_contacts_f64 *rows = &d->contacts;
    CAROM_ASSERT(d->pair_count == 0 || (rows->i != NULL && rows->k != NULL && rows->t_toi != NULL));
    output out;
    carom_status status = open_output(path, &out, error);
    if (status != CAROM_OK) {
        return status;
    }
    write_pairs_header(out.file, rows->shift);
    for (uint64_t n = 0; n < d->pair_count && !ferror(out.file); n++) {
        pair p = {n, rows->i[n], rows->k[n], rows->t_ca[n], rows->distance[n], rows->t_toi[n]};
        write_pair(out.file, true, &p, rows->shift);
    }
    return close_output(&out, error);
}

/* Members lie group by group: offset[g] is the first of group g. All members of a group have its label. */
carom_status carom_write_groups(const char *path, const carom_groups *groups, carom_error *error) {
    CAROM_ASSERT(groups->count == 0 || (groups->member != NULL && groups->offset != NULL && groups->label != NULL));
    output out;
    carom_status status = open_output(path, &out, error);
    if (status != CAROM_OK) {
        return status;
    }
    fputs("group,body\n", out.file);
    for (uint64_t g = 0; g < groups->count && !ferror(out.file); g++) {
        uint32_t label = groups->label[groups->member[groups->offset[g]]];
        for (uint64_t n = groups->offset[g]; n < groups->offset[g + 1]; n++) {
            fprintf(out.file, "%" PRIu32 ",%" PRIu32 "\n", label, groups->member[n]);
        }
    }
    return close_output(&out, error);
}
