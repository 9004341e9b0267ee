/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/coherent/validate_groups.h"

#include "kernel/coherent/ring.h"

/* One ring, from its root. */
static const char *check_ring(const carom_coherent *state, const carom_group_node *node, uint32_t root) {
    const uint32_t *label = carom_coherent_data(state, CAROM_COHERENT_LABEL);
    uint64_t members = 0;
    uint32_t at = root;
    do {
        if (node[at].next >= state->owned || node[node[at].next].previous != at) {
            return "the members of a group do not form a ring";
        }
        if (node[at].root != root || label[node[at].body] != node[root].least) {
            return "a member of a group has another root or label";
        }
        members++;
        at = node[at].next;
    } while (at != root && members <= state->owned);
    if (members != node[root].size) {
        return "a group has another size than its root says";
    }
    return carom_ring_least(node, root) == node[root].least ? NULL : "the label of a group is not its smallest body";
}

/* Every slot is in the ring of its root if the sizes of all rings add up to the slots. */
static const char *check_rings(const carom_coherent *state, const carom_group_node *node) {
    uint64_t members = 0;
    for (uint64_t s = 0; s < state->owned; s++) {
        if (node[s].root >= state->owned || node[s].split != 0) {
            return "a node has no root, or is still marked as split";
        }
        if (node[s].root != s) {
            continue;
        }
        const char *reason = check_ring(state, node, (uint32_t)s);
        if (reason != NULL) {
            return reason;
        }
        members += node[s].size;
    }
    return members == state->owned ? NULL : "the groups do not hold every body once";
}

/* Twice the pairs that touch are the degrees of all nodes, and the slots of each such pair share a group. */
static const char *check_degrees(const carom_coherent *state, const carom_group_node *node) {
    const carom_coherent_list list = carom_coherent_list_of(state);
    uint64_t degrees = 0;
    for (uint64_t s = 0; s < state->owned; s++) {
        degrees += node[s].degree;
    }
    for (uint64_t w = 0; w < list.words; w++) {
        for (uint64_t bits = list.touching[w]; bits != 0;) {
            const uint64_t n = carom_coherent_take_pair(&bits, w);
            if (node[carom_coherent_pair_i(&list, n)].root != node[carom_coherent_pair_k(&list, n)].root) {
                return "a pair touches and its bodies are in two groups";
            }
            degrees -= 2;
        }
    }
    return degrees == 0 ? NULL : "the degrees of the bodies do not add up to the pairs that touch";
}

const char *carom_coherent_groups_validate(const carom_coherent *state) {
    const carom_group_node *node = carom_coherent_data(state, CAROM_COHERENT_NODES);
    if (!state->groups.linked) {
        return "groups are not linked";
    }
    const char *reason = check_rings(state, node);
    return reason == NULL ? check_degrees(state, node) : reason;
}
