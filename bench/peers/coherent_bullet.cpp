// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// Bullet's dynamic tree step after step: as the broad phase that its worlds use (btDbvtBroadphase, whose proxies move,
// as it comes and with its collisions deferred), and bare (btDbvt), with leaves wider than their boxes that are filed
// anew when a box has left its leaf, and the tree against itself in every step. What they report may overlap in widened
// boxes alone: the boxes themselves are tested at the end.
#include <optional>

#include "bench/peers/bullet_boxes.h"
#include "bench/peers/coherent_peer.h"

namespace peers {
namespace {

class bullet_steps : public coherent_peer {
  public:
    using coherent_peer::coherent_peer;
    const std::vector<pair> *pairs() const override {
        return &pairs_;
    }

  protected:
    const boxes *boxes_ = nullptr;
    std::vector<pair> pairs_;
};

class moved_broadphase : public bullet_steps {
  public:
    moved_broadphase(const std::string &name, bool deferred) : bullet_steps(name), deferred_(deferred) {
    }
    ~moved_broadphase() override {
        drop();
    }

    void prepare(const scene &scene) override {
        boxes_ = &scene.boxes;
        drop();
        world_.emplace();
        world_->m_deferedcollide = deferred_;
        for (std::size_t n = 0; n < boxes_->count; n++) {
            proxies_.push_back(
                world_->createProxy(corner(boxes_->lo, n), corner(boxes_->hi, n), 0, as_pointer(n), 1, -1, nullptr));
        }
    }

    std::size_t step() override {
        for (std::size_t n = 0; n < boxes_->count; n++) {
            world_->setAabb(proxies_[n], corner(boxes_->lo, n), corner(boxes_->hi, n), nullptr);
        }
        world_->calculateOverlappingPairs(nullptr);
        pairs_.clear();
        const btBroadphasePairArray &found = world_->getOverlappingPairCache()->getOverlappingPairArray();
        for (int n = 0; n < found.size(); n++) {
            const btBroadphaseProxy *a = found[n].m_pProxy0, *b = found[n].m_pProxy1;
            if (TestAabbAgainstAabb2(a->m_aabbMin, a->m_aabbMax, b->m_aabbMin, b->m_aabbMax)) {
                pairs_.push_back(ordered(as_body(a->m_clientObject), as_body(b->m_clientObject)));
            }
        }
        return pairs_.size();
    }

  private:
    // As in bullet.cpp: destroying a proxy would search all pairs.
    void drop() {
        for (btBroadphaseProxy *proxy : proxies_) {
            btAlignedFree(proxy);
        }
        proxies_.clear();
        world_.reset();
    }

    bool deferred_;
    std::optional<btDbvtBroadphase> world_;
    std::vector<btBroadphaseProxy *> proxies_;
};

class moved_tree : public bullet_steps {
  public:
    // `margin`: how much wider leaves are than boxes, on every side.
    moved_tree(const std::string &name, float margin) : bullet_steps(name), margin_(margin) {
    }

    void prepare(const scene &scene) override {
        boxes_ = &scene.boxes;
        tree_.emplace();
        leaves_.clear();
        for (std::size_t n = 0; n < boxes_->count; n++) {
            btDbvtVolume volume = volume_of(n);
            volume.Expand(btVector3(margin_, margin_, margin_));
            leaves_.push_back(tree_->insert(volume, as_pointer(n)));
        }
    }

    std::size_t step() override {
        for (std::size_t n = 0; n < boxes_->count; n++) {
            btDbvtVolume volume = volume_of(n);
            tree_->update(leaves_[n], volume, margin_);
        }
        pairs_.clear();
        collect policy(*boxes_, pairs_);
        tree_->collideTT(tree_->m_root, tree_->m_root, policy);
        return pairs_.size();
    }

  private:
    struct collect : btDbvt::ICollide {
        collect(const boxes &all, std::vector<pair> &to) : b(all), out(to) {
        }
        void Process(const btDbvtNode *one, const btDbvtNode *other) override {
            if (one != other) {
                const pair p = ordered(as_body(one->data), as_body(other->data));
                if (overlap(p.i, p.k)) {
                    out.push_back(p);
                }
            }
        }
        bool overlap(std::uint32_t i, std::uint32_t k) const {
            bool all = true;
            for (int axis = 0; axis < 3; axis++) {
                all = all && b.lo[axis][i] <= b.hi[axis][k] && b.lo[axis][k] <= b.hi[axis][i];
            }
            return all;
        }
        using btDbvt::ICollide::Process;
        const boxes &b;
        std::vector<pair> &out;
    };

    btDbvtVolume volume_of(std::size_t n) const {
        return btDbvtVolume::FromMM(corner(boxes_->lo, n), corner(boxes_->hi, n));
    }

    float margin_;
    std::optional<btDbvt> tree_;
    std::vector<btDbvtNode *> leaves_;
};

} // namespace

void add_coherent_bullet(coherent_list &list) {
    list.push_back(std::make_unique<moved_broadphase>("bullet-broadphase", false));
    list.push_back(std::make_unique<moved_broadphase>("bullet-broadphase-deferred", true));
    list.push_back(std::make_unique<moved_tree>("bullet-tree-0.1", 0.1F));
    list.push_back(std::make_unique<moved_tree>("bullet-tree-0.3", 0.3F));
}

} // namespace peers
