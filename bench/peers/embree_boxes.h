// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// Boxes as Embree's user geometries read them.
#ifndef CAROM_PEERS_EMBREE_BOXES_H
#define CAROM_PEERS_EMBREE_BOXES_H

#include <embree3/rtcore.h>

#include "bench/peers/peer.h"

namespace peers {

// One bounds record a box, so that the callback's test reads one place a box and not six.
struct embree_record {
    float lo[3], hi[3];
};

inline void embree_bounds(const RTCBoundsFunctionArguments *arguments) {
    const embree_record &box = static_cast<const embree_record *>(arguments->geometryUserPtr)[arguments->primID];
    RTCBounds *b = arguments->bounds_o;
    b->lower_x = box.lo[0], b->lower_y = box.lo[1], b->lower_z = box.lo[2];
    b->upper_x = box.hi[0], b->upper_y = box.hi[1], b->upper_z = box.hi[2];
}

inline bool overlap(const embree_record &a, const embree_record &b) {
    return a.lo[0] <= b.hi[0] && b.lo[0] <= a.hi[0] && a.lo[1] <= b.hi[1] && b.lo[1] <= a.hi[1] && a.lo[2] <= b.hi[2] &&
           b.lo[2] <= a.hi[2];
}

// `records` has the size of the boxes.
inline void fill(std::vector<embree_record> &records, const boxes &b) {
    for (std::size_t n = 0; n < b.count; n++) {
        for (int axis = 0; axis < 3; axis++) {
            records[n].lo[axis] = b.lo[axis][n];
            records[n].hi[axis] = b.hi[axis][n];
        }
    }
}

} // namespace peers

#endif
