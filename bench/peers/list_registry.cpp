// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// Which libraries that make neighbour lists were found when this was built.
#include "bench/peers/list_peer.h"

namespace peers {

list_peer_list all_list_peers(unsigned threads) {
    list_peer_list list;
    add_list_carom(list, threads);
#ifdef PEERS_TREENSEARCH
    add_list_treensearch(list, threads);
#endif
#ifdef PEERS_VESIN
    add_list_vesin(list, threads);
#endif
#ifdef PEERS_NANOFLANN
    add_list_nanoflann(list, threads);
#endif
    return list;
}

std::string list_versions() {
    std::string text = std::string("Carom ") + carom_version();
#ifdef PEERS_TREENSEARCH
    text += ", TreeNSearch";
#endif
#ifdef PEERS_VESIN
    text += ", vesin";
#endif
#ifdef PEERS_NANOFLANN
    text += std::string(", nanoflann ") + PEERS_NANOFLANN;
#endif
    return text;
}

} // namespace peers
