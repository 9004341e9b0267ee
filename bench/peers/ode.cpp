// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// ODE's spaces, in double as its package has it: sweep-and-prune, hash (its own levels) and quadtree (over the scene's
// bounds, as deep as leaves some bodies each ask for). The geometries, of a class whose box is read from the shared
// boxes, are made once a scene, shared by the three and not timed; adding them to a space and colliding it is.
#include <ode/ode.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <utility>

#include "bench/peers/peer.h"

namespace peers {
namespace {

// What a geometry of our class holds: where its box is.
struct place {
    const boxes *all;
    std::uint32_t body;
};

place *place_of(dGeomID geom) {
    return static_cast<place *>(dGeomGetClassData(geom));
}

void box_of(dGeomID geom, dReal aabb[6]) {
    const place *p = place_of(geom);
    for (int axis = 0; axis < 3; axis++) {
        aabb[2 * axis] = dReal(p->all->lo[axis][p->body]);
        aabb[2 * axis + 1] = dReal(p->all->hi[axis][p->body]);
    }
}

dColliderFn *no_collider(int) {
    return nullptr;
}

int box_class() {
    static const int number = [] {
        dInitODE2(0);
        dGeomClass c{};
        c.bytes = sizeof(place);
        c.collider = no_collider;
        c.aabb = box_of;
        return dCreateGeomClass(&c);
    }();
    return number;
}

// One geometry a box.
class geometries {
  public:
    explicit geometries(const boxes &b) {
        all_.reserve(b.count);
        for (std::size_t n = 0; n < b.count; n++) {
            dGeomID geom = dCreateGeom(box_class());
            *place_of(geom) = {&b, std::uint32_t(n)};
            all_.push_back(geom);
        }
    }
    ~geometries() {
        for (dGeomID geom : all_) {
            dGeomDestroy(geom);
        }
    }
    geometries(const geometries &) = delete;
    geometries &operator=(const geometries &) = delete;
    const std::vector<dGeomID> &all() const {
        return all_;
    }

    // Those of a scene, made when first asked for and gone when nobody holds them.
    static std::shared_ptr<geometries> of(const boxes &b) {
        static std::map<const boxes *, std::weak_ptr<geometries>> held;
        std::weak_ptr<geometries> &holder = held[&b];
        std::shared_ptr<geometries> kept = holder.lock();
        if (kept == nullptr) {
            kept = std::make_shared<geometries>(b);
            holder = kept;
        }
        return kept;
    }

  private:
    std::vector<dGeomID> all_;
};

class workspace : public box_peer {
  public:
    using box_peer::box_peer;

    void prepare(const scene &scene) override {
        box_peer::prepare(scene);
        geoms_ = geometries::of(*boxes_);
    }

    std::size_t run() override {
        pairs_.clear();
        space_ = make();
        dSpaceSetCleanup(space_, 0);
        for (dGeomID geom : geoms_->all()) {
            dSpaceAdd(space_, geom);
        }
        dSpaceCollide(space_, this, found);
        return pairs_.size();
    }

    // Last in, first out: a space is a list with its newest member at its head.
    void clear() override {
        for (std::size_t n = geoms_->all().size(); n-- > 0;) {
            dSpaceRemove(space_, geoms_->all()[n]);
        }
        dSpaceDestroy(space_);
    }

    void release() override {
        geoms_.reset();
        box_peer::release();
    }

  protected:
    virtual dSpaceID make() = 0;

  private:
    static void found(void *self, dGeomID a, dGeomID b) {
        const std::uint32_t i = place_of(a)->body, k = place_of(b)->body;
        static_cast<workspace *>(self)->pairs_.push_back({std::min(i, k), std::max(i, k)});
    }

    std::shared_ptr<geometries> geoms_;
    dSpaceID space_ = nullptr;
};

class sweep : public workspace {
    using workspace::workspace;
    std::unique_ptr<peer> another() const override {
        return std::make_unique<sweep>(name());
    }
    // Sorted along the longest axis first: callers may choose, so it shall have the best choice.
    dSpaceID make() override {
        std::pair<double, int> length[3];
        for (int axis = 0; axis < 3; axis++) {
            const auto [least, greatest] = std::minmax_element(boxes_->lo[axis].begin(), boxes_->lo[axis].end());
            length[axis] = {double(*least) - double(*greatest), axis};
        }
        std::sort(length, length + 3);
        return dSweepAndPruneSpaceCreate(nullptr, length[0].second | length[1].second << 2 | length[2].second << 4);
    }
};

class hash : public workspace {
    using workspace::workspace;
    std::unique_ptr<peer> another() const override {
        return std::make_unique<hash>(name());
    }
    dSpaceID make() override {
        return dHashSpaceCreate(nullptr);
    }
};

class quadtree : public workspace {
    using workspace::workspace;
    std::unique_ptr<peer> another() const override {
        return std::make_unique<quadtree>(name());
    }
    // A block has four children; its leaves get four bodies each where they are spread evenly.
    dSpaceID make() override {
        dVector3 centre, extents;
        for (int axis = 0; axis < 3; axis++) {
            const auto &lo = boxes_->lo[axis], &hi = boxes_->hi[axis];
            const double least = *std::min_element(lo.begin(), lo.end());
            const double greatest = *std::max_element(hi.begin(), hi.end());
            centre[axis] = (least + greatest) / 2;
            extents[axis] = (greatest - least) / 2;
        }
        const double levels = std::log2(double(boxes_->count) / 4) / 2;
        return dQuadTreeSpaceCreate(nullptr, centre, extents, std::clamp(int(levels), 1, 9));
    }
};

} // namespace

void add_ode(peer_list &list, unsigned threads) {
    if (threads == 1) {
        list.push_back(std::make_unique<sweep>("ode-sap"));
        list.push_back(std::make_unique<hash>("ode-hash"));
        list.push_back(std::make_unique<quadtree>("ode-quadtree"));
    }
}

std::string ode_version() {
    return PEERS_ODE;
}

} // namespace peers
