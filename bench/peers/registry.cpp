// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// Which libraries were found when this was built.
#include "bench/peers/peer.h"

namespace peers {

peer_list all_peers(unsigned threads) {
    peer_list list;
    add_carom(list, threads);
    add_grid(list, threads);
    add_tuned_grid(list, threads);
    add_sweep(list, threads);
    add_all_pairs(list, threads);
#ifdef PEERS_EMBREE
    add_embree(list, threads);
#endif
#ifdef PEERS_CGAL
    add_cgal(list, threads);
#endif
#ifdef PEERS_BULLET
    add_bullet(list, threads);
#endif
#ifdef PEERS_ODE
    add_ode(list, threads);
#endif
#ifdef PEERS_FCL
    add_fcl(list, threads);
#endif
#ifdef PEERS_PHYSX
    add_physx(list, threads);
#endif
#ifdef PEERS_JOLT
    add_jolt(list, threads);
#endif
    return list;
}

std::string versions() {
    std::string text = std::string("Carom ") + carom_version();
#ifdef PEERS_EMBREE
    text += ", " + embree_version();
#endif
#ifdef PEERS_CGAL
    text += ", " + cgal_version();
#endif
#ifdef PEERS_BULLET
    text += ", " + bullet_version();
#endif
#ifdef PEERS_ODE
    text += ", " + ode_version();
#endif
#ifdef PEERS_FCL
    text += ", " + fcl_version();
#endif
#ifdef PEERS_PHYSX
    text += ", " + physx_version();
#endif
#ifdef PEERS_JOLT
    text += ", " + jolt_version();
#endif
    return text;
}

} // namespace peers
