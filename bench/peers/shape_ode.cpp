// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// ODE's colliders, in double as its package has them, for the pairs that it has one of its own for. One contact, or for
// manifolds up to eight, as its boxes have. CONTACTS_UNIMPORTANT is not used: boxes then miss a sixth of their hits.
// Each body has a geometry, which is where it is.
#include <ode/ode.h>

#include <algorithm>

#include "bench/peers/shape_peer.h"

namespace peers {
namespace {

constexpr int POINTS_MAX = 8;

struct kind_pair {
    carom_shape_kind i, k;
};

constexpr kind_pair OFFERED[] = {
    {CAROM_SHAPE_SPHERE, CAROM_SHAPE_SPHERE},     {CAROM_SHAPE_SPHERE, CAROM_SHAPE_CAPSULE},
    {CAROM_SHAPE_SPHERE, CAROM_SHAPE_BOX},        {CAROM_SHAPE_SPHERE, CAROM_SHAPE_CYLINDER},
    {CAROM_SHAPE_CAPSULE, CAROM_SHAPE_CAPSULE},   {CAROM_SHAPE_CAPSULE, CAROM_SHAPE_BOX},
    {CAROM_SHAPE_BOX, CAROM_SHAPE_BOX},           {CAROM_SHAPE_BOX, CAROM_SHAPE_CYLINDER},
    {CAROM_SHAPE_CYLINDER, CAROM_SHAPE_CYLINDER},
};

dGeomID make(const carom_shape &shape) {
    const double r = shape.radius, *e = shape.extent;
    switch (shape.kind) {
    case CAROM_SHAPE_SPHERE:
        return dCreateSphere(nullptr, r);
    case CAROM_SHAPE_CAPSULE:
        return dCreateCapsule(nullptr, r, 2 * e[2]);
    case CAROM_SHAPE_BOX:
        return dCreateBox(nullptr, 2 * e[0], 2 * e[1], 2 * e[2]);
    default:
        return dCreateCylinder(nullptr, r, 2 * e[2]);
    }
}

void set(dGeomID geom, const placed &p) {
    dMatrix3 turn = {};
    for (int r = 0; r < 3; r++) {
        std::copy(p.turn[r], p.turn[r] + 3, turn + 4 * r);
    }
    dGeomSetPosition(geom, p.at[0], p.at[1], p.at[2]);
    dGeomSetRotation(geom, turn);
}

class ode_shape_peer : public single_peer {
  public:
    ode_shape_peer() : single_peer("ode") {
    }

    bool offers(const carom_pair_kind &kind, question what) const override {
        return what != question::distance && what != question::toi &&
               std::any_of(std::begin(OFFERED), std::end(OFFERED),
                           [&](const kind_pair &pair) { return pair.i == kind.i && pair.k == kind.k; });
    }

    void prepare(const carom_shape_pairs &pairs, question what) override {
        static const int initialised = dInitODE2(0);
        (void)initialised;
        start(pairs);
        what_ = what;
        for (std::uint32_t n = 0; n < pairs.body_count; n++) {
            geoms_.push_back(make(pairs.shape[pairs.entry[n]]));
        }
        place();
    }

    void place() override {
        for (std::uint32_t n = 0; n < geoms_.size(); n++) {
            set(geoms_[n], place_of(*pairs_, n));
        }
    }

    void run() override {
        each([this](std::uint32_t n) {
            dContactGeom contact[POINTS_MAX];
            const int flags = what_ == question::manifold ? POINTS_MAX : 1;
            const int points = dCollide(geoms_[pairs_->i[n]], geoms_[pairs_->k[n]], flags, contact, sizeof *contact);
            answer found = {points > 0, points > 0 && what_ != question::state, 0};
            for (int p = 0; p < points; p++) {
                found.value = std::min(found.value, -contact[p].depth);
            }
            return found;
        });
    }

    void release() override {
        for (dGeomID geom : geoms_) {
            dGeomDestroy(geom);
        }
        geoms_.clear();
        single_peer::release();
    }

  private:
    question what_ = question::state;
    std::vector<dGeomID> geoms_;
};

} // namespace

void add_ode_shapes(shape_peer_list &list) {
    list.push_back(std::make_unique<ode_shape_peer>());
}

} // namespace peers
