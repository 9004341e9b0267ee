// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// Bullet's dynamic tree, single precision: as the broad phase that its worlds use (btDbvtBroadphase, with its hashed
// cache of pairs, once as it comes and once with its collisions deferred to one pass over the tree), and bare
// (btDbvt): all boxes inserted one by one, then the tree against itself. Rebuilding that tree by optimizeTopDown was
// tried: it costs three to seven times what it saves.
#include <optional>

#include "bench/peers/bullet_boxes.h"

namespace peers {
namespace {

class broadphase : public box_peer {
  public:
    broadphase(const std::string &name, bool deferred) : box_peer(name), deferred_(deferred) {
    }

    std::unique_ptr<peer> another() const override {
        return std::make_unique<broadphase>(name(), deferred_);
    }

    std::size_t run() override {
        pairs_.clear();
        world_.emplace();
        world_->m_deferedcollide = deferred_;
        for (std::size_t n = 0; n < boxes_->count; n++) {
            world_->createProxy(corner(boxes_->lo, n), corner(boxes_->hi, n), 0, as_pointer(n), 1, -1, nullptr);
        }
        world_->calculateOverlappingPairs(nullptr);
        const btBroadphasePairArray &found = world_->getOverlappingPairCache()->getOverlappingPairArray();
        for (int n = 0; n < found.size(); n++) {
            pairs_.push_back(
                ordered(as_body(found[n].m_pProxy0->m_clientObject), as_body(found[n].m_pProxy1->m_clientObject)));
        }
        return pairs_.size();
    }

    // The broad phase leaves its proxies to the caller. Destroying one searches all pairs: they are freed as they were
    // allocated instead.
    void clear() override {
        for (btDbvtProxy *head : world_->m_stageRoots) {
            while (head != nullptr) {
                btDbvtProxy *next = head->links[1];
                btAlignedFree(head);
                head = next;
            }
        }
        world_.reset();
    }

  private:
    bool deferred_;
    std::optional<btDbvtBroadphase> world_;
};

struct collect : btDbvt::ICollide {
    explicit collect(std::vector<pair> &to) : pairs(to) {
    }
    void Process(const btDbvtNode *a, const btDbvtNode *b) override {
        if (a != b) {
            pairs.push_back(ordered(as_body(a->data), as_body(b->data)));
        }
    }
    using btDbvt::ICollide::Process;
    std::vector<pair> &pairs;
};

class tree : public box_peer {
  public:
    tree() : box_peer("bullet-tree") {
    }

    std::unique_ptr<peer> another() const override {
        return std::make_unique<tree>();
    }

    std::size_t run() override {
        pairs_.clear();
        tree_.emplace();
        for (std::size_t n = 0; n < boxes_->count; n++) {
            tree_->insert(btDbvtVolume::FromMM(corner(boxes_->lo, n), corner(boxes_->hi, n)), as_pointer(n));
        }
        collect policy(pairs_);
        tree_->collideTT(tree_->m_root, tree_->m_root, policy);
        return pairs_.size();
    }

    void clear() override {
        tree_.reset();
    }

  private:
    std::optional<btDbvt> tree_;
};

} // namespace

void add_bullet(peer_list &list, unsigned threads) {
    if (threads == 1) {
        list.push_back(std::make_unique<broadphase>("bullet-broadphase", false));
        list.push_back(std::make_unique<broadphase>("bullet-broadphase-deferred", true));
        list.push_back(std::make_unique<tree>());
    }
}

std::string bullet_version() {
    const int version = btGetVersion();
    return "Bullet " + std::to_string(version / 100) + "." + std::to_string(version % 100);
}

} // namespace peers
