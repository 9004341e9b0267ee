/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A world as bytes. All numbers have the lowest byte first; doubles are IEEE 754.
 *
 *   head       "CAROMWLD", version, precision, bytes in all; numbers of bodies, entries, surfaces and contacts;
 *              the next serial, the first free entry
 *
 *   config     what the rules have but for functions
 *
 *   surfaces   as the caller gave them
 *
 *   bodies     in their order, with serials and handles
 *
 *   entries    of handles
 *
 *   contacts   of the last step
 *
 *   checksum   of all that comes before */
#ifndef CAROM_WORLD_SNAPSHOT_H
#define CAROM_WORLD_SNAPSHOT_H

#include "kernel/world/world.h"

/* Bytes that the world takes. */
uint64_t carom_snapshot_size(const carom_world_state *world);

/* Writes so many bytes. */
void carom_snapshot_write(const carom_world_state *world, unsigned char *bytes);

/* Fills an empty world of the same precision, whose context the caller has taken. Errors: FORMAT, MEMORY; then the
 * world is to be released. */
carom_status carom_snapshot_read(carom_world_state *world, const unsigned char *bytes, uint64_t size,
                                 carom_error *error);

#endif
