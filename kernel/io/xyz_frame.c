/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/io/xyz_frame.h"

#include <inttypes.h>

/* Lattice, pbc and Origin are the keys of OVITO; ASE knows the first two. */
static void write_box(FILE *file, const carom_moment *moment) {
    const carom_periodic *box = moment->periodic;
    fputs("Lattice=\"", file);
    for (int n = 0; n < 9; n++) {
        fprintf(file, "%s%.17g", n > 0 ? " " : "", box->edge[n / 3][n % 3]);
    }
    fprintf(file, "\" pbc=\"%c %c %c\" Origin=\"%.17g %.17g %.17g\" ", box->along[0] ? 'T' : 'F',
            box->along[1] ? 'T' : 'F', box->along[2] ? 'T' : 'F', moment->corner[0], moment->corner[1],
            moment->corner[2]);
}

static void write_header(FILE *file, const carom_moment *moment) {
    fprintf(file, "%" PRIu64 "\n", moment->count);
    if (moment->periodic != NULL) {
        write_box(file, moment);
    }
    fprintf(file, "Properties=id:I:1:pos:R:3:velo:R:3:radius:R:1:mass:R:1 Time=%.17g step=%" PRIu64 "\n", moment->time,
            moment->step);
}

void carom_xyz_frame_write(FILE *file, const carom_moment *moment) {
    const int digits = carom_moment_digits(moment);
    const void *const columns[] = {moment->position[0], moment->position[1], moment->position[2], moment->velocity[0],
                                   moment->velocity[1], moment->velocity[2], moment->radius,      moment->mass};
    write_header(file, moment);
    for (uint64_t n = 0; n < moment->count && !ferror(file); n++) {
        fprintf(file, "%" PRIu64, carom_moment_id(moment, n));
        for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
            fprintf(file, " %.*g", digits, carom_moment_real(moment, columns[c], n));
        }
        fputc('\n', file);
    }
}
