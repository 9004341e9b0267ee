/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A world as bytes, one after the other without gaps. All numbers have the lowest byte first: u4 and u8 are whole
 * numbers of so many bytes, f8 is an IEEE 754 double, f8[3] three of them. Both precisions are written in double.
 *
 *   head       u8 "CAROMWLD", u4 version, u4 bits of the precision (32 or 64), u8 bytes in all, u8 bodies, u8 entries,
 *              u8 surfaces, u8 contacts, u8 next serial, u8 first free entry
 *
 *   config     f8 dt, f8[3] acceleration, f8 restitution, f8 rest_speed, f8 contact_time, u4 budget, u4 response,
 *              u4 events, u4 whether there is a periodic box, and three times u8 whether it repeats along an edge,
 *              f8[3] the edge, or 0
 *
 *   surfaces   each u8 kind, f8 restitution, f8[3] at, f8[3] axis[0], [1] and [2], f8[3] extent, as they were given
 *
 *   bodies     each f8[3] position, f8[3] velocity, f8 radius, f8 mass, f8 restitution, f8 time since the last impact,
 *              u8 user, u4 category, u4 mask, u8 serial, u8 handle; in their order
 *
 *   entries    of handles, each u4 generation, u4 place of the body or the next free entry
 *
 *   contacts   of the last step, each u8 serial of i, u8 of k, u8 handle of i, u8 of k
 *
 *   checksum   u8, of all that comes before (kernel/world/bytes.h) */
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
