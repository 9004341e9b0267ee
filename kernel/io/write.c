/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/io/write.h"

#include <inttypes.h>
#include <stdio.h>

#include "kernel/check/assert.h"
#include "kernel/io/output.h"
#include "kernel/io/table.h"
#include "kernel/sys/error.h"

/* Columns of a body in an .npy file: prev, curr, radius. */
enum { FIELDS = 7 };

static const carom_write_options plain_options = {.format = CAROM_FORMAT_UNKNOWN};

/* Bodies as text: digits that give back the float, or the double that equals it. */
static int digits_of(const carom_write_options *options) {
    return options->precision == CAROM_WRITE_F32 ? 9 : 17;
}

static void write_csv(FILE *file, const carom_bodies_f32 *b, const carom_write_options *options) {
    carom_table table = {.rows = b->count, .required = -1, .digits = digits_of(options)};
    carom_table_vector(&table, "prev", CAROM_COLUMN_F32, b->prev[0], b->prev[1], b->prev[2]);
    carom_table_vector(&table, "curr", CAROM_COLUMN_F32, b->curr[0], b->curr[1], b->curr[2]);
    carom_table_number(&table, "radius", CAROM_COLUMN_F32, b->radius);
    carom_table_csv(file, &table);
}

/* ferror ends the loops early on a full disk; carom_output_close reports it. */
static void write_xyz_frame(FILE *file, const carom_bodies_f32 *b, const float *const at[3],
                            const carom_write_options *options) {
    const int digits = digits_of(options);
    const double *box = options->box;
    fprintf(file, "%" PRIu64 "\n", b->count);
    if (box != NULL) {
        fprintf(file, "Lattice=\"%.17g 0 0 0 %.17g 0 0 0 %.17g\" ", box[0], box[1], box[2]);
    }
    fputs("Properties=species:S:1:pos:R:3:radius:R:1\n", file);
    for (uint64_t n = 0; n < b->count && !ferror(file); n++) {
        fprintf(file, "X %.*g %.*g %.*g %.*g\n", digits, (double)at[0][n], digits, (double)at[1][n], digits,
                (double)at[2][n], digits, (double)b->radius[n]);
    }
}

/* Two frames, since a velocity, curr - prev, can lose the smaller of the two. */
static void write_xyz(FILE *file, const carom_bodies_f32 *b, const carom_write_options *options) {
    write_xyz_frame(file, b, b->prev, options);
    write_xyz_frame(file, b, b->curr, options);
}

/* A number as f4 or f8. */
static unsigned char *put_real(unsigned char *to, float value, bool wide) {
    return wide ? carom_table_put_f64(to, (double)value) : carom_table_put_f32(to, value);
}

/* Rows of seven: prev, curr, radius. */
static void write_npy(FILE *file, const carom_bodies_f32 *b, const carom_write_options *options) {
    const bool wide = options->precision == CAROM_WRITE_F64;
    char shape[64];
    snprintf(shape, sizeof shape, "(%" PRIu64 ", %d)", b->count, FIELDS);
    carom_table_npy_head(file, wide ? "'<f8'" : "'<f4'", shape);
    for (uint64_t n = 0; n < b->count && !ferror(file); n++) {
        unsigned char row[FIELDS * 8];
        unsigned char *to = row;
        for (int field = 0; field < FIELDS; field++) {
            const float *from = field < 3 ? b->prev[field] : field < 6 ? b->curr[field - 3] : b->radius;
            to = put_real(to, from[n], wide);
        }
        fwrite(row, 1, (size_t)(to - row), file);
    }
}

carom_format carom_write_bodies_format(const char *path, const carom_write_options *options) {
    return options->format != CAROM_FORMAT_UNKNOWN ? options->format : carom_format_of_suffix(path);
}

/* Ends a file and says how it went. */
static carom_status finish(carom_output *out, uint64_t rows, carom_written *written, carom_error *error) {
    const carom_status status = carom_output_close(out, error);
    if (status == CAROM_OK && written != NULL) {
        *written = (carom_written){
            .rows = rows, .replaced = out->replaces, .to = out->standard ? "standard output" : out->path};
    }
    return status;
}

carom_status carom_write_bodies_f32(const char *path, const carom_bodies_f32 *bodies,
                                    const carom_write_options *options, carom_written *written, carom_error *error) {
    CAROM_ASSERT(path != NULL && bodies != NULL);
    carom_output out;
    options = options != NULL ? options : &plain_options;
    const carom_format format = carom_write_bodies_format(path, options);
    if (format != CAROM_FORMAT_NPY && format != CAROM_FORMAT_CSV && format != CAROM_FORMAT_XYZ) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "%s: the name must end in .npy, .csv or .xyz", path);
    }
    const carom_status status = carom_output_open(path, &out, error);
    if (status != CAROM_OK) {
        return status;
    }
    if (format == CAROM_FORMAT_NPY) {
        write_npy(out.file, bodies, options);
    } else if (format == CAROM_FORMAT_CSV) {
        write_csv(out.file, bodies, options);
    } else {
        write_xyz(out.file, bodies, options);
    }
    return finish(&out, bodies->count, written, error);
}

/* A list: NumPy records or CSV. */
static carom_status write_table(const char *path, const carom_table *table, const carom_write_options *options,
                                carom_written *written, carom_error *error) {
    carom_output out;
    const carom_format asked = options != NULL ? options->format : CAROM_FORMAT_UNKNOWN;
    const carom_format format = asked != CAROM_FORMAT_UNKNOWN ? asked : carom_format_of_suffix(path);
    const carom_status status = carom_output_open(path, &out, error);
    if (status != CAROM_OK) {
        return status;
    }
    if (format == CAROM_FORMAT_NPY) {
        carom_table_npy(out.file, table);
    } else {
        carom_table_csv(out.file, table);
    }
    return finish(&out, carom_table_count(table), written, error);
}

/* Contact rows, whatever their precision. Pointers of the detection's arrays. */
typedef struct contact_arrays {
    uint64_t count;
    const uint32_t *i;
    const uint32_t *k;
    carom_column_type real; /* F32 or F64 */
    const void *t_ca;
    const void *distance;
    const void *t_toi;
    const void *const *normal; /* three arrays */
    const void *const *point;  /* three arrays */
    int32_t *const *shift;     /* three arrays, or three times NULL */
    const uint32_t *child_i;   /* or NULL */
    const uint32_t *child_k;   /* or NULL */
} contact_arrays;

static carom_status write_contacts(const char *path, const contact_arrays *c, const carom_write_options *options,
                                   carom_written *written, carom_error *error) {
    CAROM_ASSERT(c->count == 0 || (c->i != NULL && c->k != NULL && c->t_toi != NULL));
    const carom_write_options *wanted = options != NULL ? options : &plain_options;
    carom_table table = {.rows = c->count};
    carom_table_number(&table, "i", CAROM_COLUMN_U32, c->i);
    carom_table_number(&table, "k", CAROM_COLUMN_U32, c->k);
    carom_table_number(&table, "t_ca", c->real, c->t_ca);
    carom_table_number(&table, "distance", c->real, c->distance);
    table.required = wanted->all_pairs ? -1 : table.columns;
    carom_table_number(&table, "t_toi", c->real, c->t_toi);
    if (!wanted->all_pairs) {
        carom_table_vector(&table, "normal", c->real, c->normal[0], c->normal[1], c->normal[2]);
        carom_table_vector(&table, "point", c->real, c->point[0], c->point[1], c->point[2]);
    }
    if (wanted->shifts || c->shift[0] != NULL) {
        carom_table_vector(&table, "shift", CAROM_COLUMN_I32, c->shift[0], c->shift[1], c->shift[2]);
    }
    if (wanted->children || c->child_i != NULL) {
        carom_table_number(&table, "child_i", CAROM_COLUMN_U32, c->child_i);
        carom_table_number(&table, "child_k", CAROM_COLUMN_U32, c->child_k);
    }
    return write_table(path, &table, options, written, error);
}

carom_status carom_write_pairs_f32(const char *path, const carom_detection_f32 *d, const carom_write_options *options,
                                   carom_written *written, carom_error *error) {
    const carom_contacts_f32 *r = &d->contacts;
    const void *normal[] = {r->normal[0], r->normal[1], r->normal[2]};
    const void *point[] = {r->point[0], r->point[1], r->point[2]};
    const contact_arrays rows = {d->pair_count, r->i,   r->k,  CAROM_COLUMN_F32, r->t_ca,    r->distance,
                                 r->t_toi,      normal, point, r->shift,         d->child_i, d->child_k};
    return write_contacts(path, &rows, options, written, error);
}

carom_status carom_write_pairs_f64(const char *path, const carom_detection_f64 *d, const carom_write_options *options,
                                   carom_written *written, carom_error *error) {
    const carom_contacts_f64 *r = &d->contacts;
    const void *normal[] = {r->normal[0], r->normal[1], r->normal[2]};
    const void *point[] = {r->point[0], r->point[1], r->point[2]};
    const contact_arrays rows = {d->pair_count, r->i,   r->k,  CAROM_COLUMN_F64, r->t_ca,    r->distance,
                                 r->t_toi,      normal, point, r->shift,         d->child_i, d->child_k};
    return write_contacts(path, &rows, options, written, error);
}

/* Members lie group by group: a row is a body and the label of its group. */
carom_status carom_write_groups(const char *path, const carom_groups *groups, const carom_write_options *options,
                                carom_written *written, carom_error *error) {
    CAROM_ASSERT(groups->count == 0 || (groups->member != NULL && groups->offset != NULL && groups->label != NULL));
    carom_table table = {.rows = groups->count > 0 ? groups->offset[groups->count] : 0, .required = -1};
    carom_table_number(&table, "group", CAROM_COLUMN_U32, groups->label);
    table.column[0].index = groups->member;
    carom_table_number(&table, "body", CAROM_COLUMN_U32, groups->member);
    return write_table(path, &table, options, written, error);
}

/* Three columns: of coordinates or of velocities. */
static void add_reals(carom_table *table, const char *const names[3], const void *const data[3], bool wide) {
    for (int axis = 0; axis < 3; axis++) {
        carom_table_number(table, names[axis], wide ? CAROM_COLUMN_F64 : CAROM_COLUMN_F32, data[axis]);
    }
}

carom_status carom_write_state(const char *path, const carom_moment *moment, const carom_write_options *options,
                               carom_written *written, carom_error *error) {
    static const char *const position[3] = {"x", "y", "z"};
    static const char *const velocity[3] = {"vx", "vy", "vz"};
    carom_table table = {.rows = moment->count, .required = -1};
    carom_table_number(&table, "id", CAROM_COLUMN_U64, moment->id);
    add_reals(&table, position, moment->position, moment->wide);
    add_reals(&table, velocity, moment->velocity, moment->wide);
    return write_table(path, &table, options, written, error);
}
