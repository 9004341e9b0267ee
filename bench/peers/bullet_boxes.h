// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// Boxes and bodies as Bullet takes them.
#ifndef CAROM_PEERS_BULLET_BOXES_H
#define CAROM_PEERS_BULLET_BOXES_H

#include <BulletCollision/BroadphaseCollision/btDbvt.h>
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>

#include <algorithm>
#include <cstdint>

#include "bench/peers/peer.h"

namespace peers {

inline btVector3 corner(const std::vector<float> bound[3], std::size_t n) {
    return {bound[0][n], bound[1][n], bound[2][n]};
}

inline void *as_pointer(std::size_t n) {
    return reinterpret_cast<void *>(static_cast<std::uintptr_t>(n));
}

inline std::uint32_t as_body(const void *pointer) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(pointer));
}

inline pair ordered(std::uint32_t a, std::uint32_t b) {
    return {std::min(a, b), std::max(a, b)};
}

} // namespace peers

#endif
