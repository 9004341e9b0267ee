/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A world as bytes. All numbers have the lowest byte first. Those with a * are doubles (IEEE 754), in worlds of floats
 * too; the others are whole numbers without a sign. Parts follow one another without gaps. Each begins at a multiple of
 * 8, and offsets count from its beginning. kernel/world/snapshot_format.h has the parts' sizes.
 *
 *   offset  bytes   head, 72 bytes
 *        0      8   "CAROMWLD"
 *        8      4   version: 1
 *       12      4   precision: 32, a world of floats, or 64
 *       16      8   bytes of the snapshot, the checksum too
 *       24    4x8   numbers of bodies, entries, surfaces and contacts
 *       56      8   the next body's serial
 *       64      8   index of the first free entry; 2^32 - 1: none
 *
 *                   config, 168 bytes: what the rules have but for functions and pointers
 *        0      8   dt *
 *        8    3x8   acceleration *
 *       32      8   restitution *
 *       40      8   rest_speed *
 *       48      8   contact_time *
 *       56      4   budget
 *       60      4   response: a carom_response
 *       64      4   events: 0 or 1
 *       68      4   whether there is a periodic box: 0 or 1
 *       72   3x32   its edges: along (8 bytes, 0 or 1) and edge (3x8) *; zeros where space is open
 *
 *                   each surface, 136 bytes, as the caller gave it
 *        0      8   kind: a carom_surface_kind
 *        8      8   restitution *
 *       16    3x8   at *
 *       40    9x8   axis[0], axis[1], axis[2] *
 *      112    3x8   extent *
 *
 *                   each body, 112 bytes, in their order
 *        0    3x8   position *
 *       24    3x8   velocity *
 *       48      8   radius *
 *       56      8   mass *
 *       64      8   restitution *; -1: the world's
 *       72      8   last impact *: in units of time from now, <= 0; -infinity: never
 *       80      8   user word
 *       88      4   category
 *       92      4   mask
 *       96      8   serial: greater than that of the body before
 *      104      8   handle: 2^32 times the generation, plus the index of the entry
 *
 *                   each entry of handles, 8 bytes
 *        0      4   generation of its body, or of the next body that it serves; 0: it is used up
 *        4      4   place of its body; without one the next free entry, or 2^32 - 1: none
 *
 *                   each contact of the last step, if it was asked for them, 32 bytes, in the order of serials
 *        0    2x8   serials of bodies i and k
 *       16    2x8   their handles; bodies may be gone
 *
 *                   checksum, 8 bytes: begins as the number of bytes before it, and becomes
 *                   mix((checksum ^ word) + 0x9E3779B97F4A7C15) for each 8 of these (kernel/sys/mix.h) */
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
