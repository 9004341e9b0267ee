// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// Which libraries that know shapes were found when this was built.
#include "bench/peers/peer.h"
#include "bench/peers/shape_peer.h"

namespace peers {

shape_peer_list all_shape_peers() {
    shape_peer_list list;
    add_carom_shapes(list);
#ifdef PEERS_CCD
    add_ccd_shapes(list);
#endif
#ifdef PEERS_FCL
    add_fcl_shapes(list);
#endif
#ifdef PEERS_BULLET
    add_bullet_shapes(list);
#endif
#ifdef PEERS_ODE
    add_ode_shapes(list);
#endif
    return list;
}

std::string shape_versions() {
    std::string text = std::string("Carom ") + carom_version();
#ifdef PEERS_CCD
    text += ", " PEERS_CCD;
#endif
#ifdef PEERS_FCL
    text += ", " + fcl_version();
#endif
#ifdef PEERS_BULLET
    text += ", " + bullet_version();
#endif
#ifdef PEERS_ODE
    text += ", " + ode_version();
#endif
    return text;
}

} // namespace peers
