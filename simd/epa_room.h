/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Work space of the kernel epa, which is too much for a thread's stack. It must be part of an allocated block, because
 * each instruction set keeps structs of its own there. */
#ifndef CAROM_SIMD_EPA_ROOM_H
#define CAROM_SIMD_EPA_ROOM_H

enum { CAROM_EPA_ROOM_BYTES = 160 * 1024 };

typedef struct carom_epa_room {
    _Alignas(64) unsigned char bytes[CAROM_EPA_ROOM_BYTES];
} carom_epa_room;

#endif
