/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A frame of extended XYZ: the number of bodies, a comment that says what follows, a line for each body. OVITO and ASE
 * read it, and xyz.c does.
 *
 *     2
 *     Lattice="9 0 0 0 9 0 0 0 9" pbc="T T T" Properties=id:I:1:pos:R:3:velo:R:3:radius:R:1:mass:R:1 Time=0.5 step=50
 *     0 1 2 3 0.1 0 0 0.5 1
 *     1 4 5 6 0 0.2 0 0.5 inf */
#ifndef CAROM_IO_XYZ_FRAME_H
#define CAROM_IO_XYZ_FRAME_H

#include <stdio.h>

#include "kernel/io/moment.h"

/* Writes a frame to a file in the C locale. A failed write ends it early; ferror then says so. */
void carom_xyz_frame_write(FILE *file, const carom_moment *moment);

#endif
