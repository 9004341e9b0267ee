/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/io/events.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/io/table.h"
#include "kernel/sys/error.h"

/* The number of rows has 20 digits or blanks, so that the head keeps its length. */
#define SHAPE "(%-20" PRIu64 ",)"

static const char descr[] = "[('step', '<u8'), ('t', '<f8'), ('i', '<i8'), ('k', '<i8'), ('point', '<f8', (3,)), "
                            "('normal', '<f8', (3,)), ('impulse', '<f8')]";

enum { RECORD_SIZE = 88, SHAPE_SIZE = 32 };

static void write_head(const carom_events *events) {
    char shape[SHAPE_SIZE];
    if (events->npy) {
        snprintf(shape, sizeof shape, SHAPE, events->rows);
        carom_table_npy_head(events->out.file, descr, shape);
    } else {
        fputs("step,t,i,k,x,y,z,nx,ny,nz,impulse\n", events->out.file);
    }
}

carom_status carom_events_open(const char *path, const char *const *surface_names, carom_events *events,
                               carom_error *error) {
    *events = (carom_events){.surface_names = surface_names};
    events->npy = carom_format_of_suffix(path) == CAROM_FORMAT_NPY;
    carom_status status = carom_output_open(path, &events->out, error);
    if (status != CAROM_OK) {
        return status;
    }
    if (events->npy && events->out.ticket < 0) {
        (void)carom_output_close(&events->out, NULL);
        return carom_error_set(error, CAROM_ERROR_ARGUMENT,
                               "%s: events as .npy need an ordinary file, whose head is written last", path);
    }
    write_head(events);
    carom_output_pause(&events->out);
    return CAROM_OK;
}

/* A name in quotes if a comma or a quote in it would end it early. */
static void print_name(FILE *file, const char *name) {
    if (strpbrk(name, ",\"\r\n") == NULL) {
        fputs(name, file);
        return;
    }
    fputc('"', file);
    for (; *name != '\0'; name++) {
        fputs(*name == '"' ? "\"\"" : (const char[]){*name, '\0'}, file);
    }
    fputc('"', file);
}

static void write_line(const carom_events *events, const carom_impact_row *impact) {
    FILE *file = events->out.file;
    const double *x = impact->point;
    const double *n = impact->normal;
    fprintf(file, "%" PRIu64 ",%.17g,%" PRIu64 ",", impact->step, impact->t, impact->i);
    if (impact->surface == CAROM_EVENT_NO_SURFACE) {
        fprintf(file, "%" PRIu64, impact->k);
    } else {
        CAROM_ASSERT(events->surface_names != NULL);
        print_name(file, events->surface_names[impact->surface]);
    }
    fprintf(file, ",%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", x[0], x[1], x[2], n[0], n[1], n[2], impact->impulse);
}

static unsigned char *put_vector(unsigned char *to, const double v[3]) {
    return carom_table_put_f64(carom_table_put_f64(carom_table_put_f64(to, v[0]), v[1]), v[2]);
}

static void write_record(const carom_events *events, const carom_impact_row *impact) {
    unsigned char record[RECORD_SIZE];
    const bool body = impact->surface == CAROM_EVENT_NO_SURFACE;
    unsigned char *to = carom_table_put_u64(record, impact->step);
    to = carom_table_put_f64(to, impact->t);
    to = carom_table_put_u64(to, impact->i);
    to = carom_table_put_u64(to, body ? impact->k : UINT64_MAX - impact->surface); /* -1 - surface */
    to = put_vector(to, impact->point);
    to = put_vector(to, impact->normal);
    to = carom_table_put_f64(to, impact->impulse);
    CAROM_ASSERT(to - record == RECORD_SIZE);
    fwrite(record, 1, (size_t)(to - record), events->out.file);
}

carom_status carom_events_add(carom_events *events, const carom_impact_row *impacts, uint64_t count,
                              carom_error *error) {
    FILE *file = events->out.file;
    errno = 0;
    carom_output_resume(&events->out);
    for (uint64_t n = 0; n < count && !ferror(file); n++) {
        if (events->npy) {
            write_record(events, &impacts[n]);
        } else {
            write_line(events, &impacts[n]);
        }
    }
    events->rows += count;
    const carom_status status = ferror(file) ? carom_error_file(error, events->out.path) : CAROM_OK;
    carom_output_pause(&events->out);
    return status;
}

/* In an ordinary file this seek fails only if what is buffered cannot be written, and ferror then says so. */
static void write_count(carom_events *events) {
    if (events->npy && fseeko(events->out.file, 0, SEEK_SET) == 0) {
        write_head(events);
    }
}

carom_status carom_events_close(carom_events *events, carom_written *written, carom_error *error) {
    carom_output *out = &events->out;
    carom_output_resume(out);
    errno = 0;
    write_count(events);
    const carom_status status = carom_output_close(out, error);
    if (status == CAROM_OK && written != NULL) {
        *written = (carom_written){
            .rows = events->rows, .replaced = out->replaces, .to = out->standard ? "standard output" : out->path};
    }
    return status;
}
