// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// Bullet in single precision, with margins of zero: the GJK and EPA of btGjkEpaSolver2 (gjk: Distance; epa:
// Penetration), the pair detector that its worlds use (pair: simplex GJK, the former as its second stage), its detector
// of boxes (boxes), separating axes and clipping of hulls (clip), and its conservative advancement (advance). It has no
// ellipsoids.
//
// Distance leaves out the radii of spheres and capsules, which are margins to it: they are taken off here.
#include <BulletCollision/CollisionDispatch/btBoxBoxDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btContinuousConvexCollision.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btPolyhedralContactClipping.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <btBulletCollisionCommon.h>

#include "bench/peers/shape_peer.h"

namespace peers {
namespace {

using shape_pointer = std::unique_ptr<btConvexShape>;

btVector3 vector_of(const double v[3]) {
    return {btScalar(v[0]), btScalar(v[1]), btScalar(v[2])};
}

shape_pointer make_hull(const carom_shape &shape) {
    auto hull = std::make_unique<btConvexHullShape>();
    for (std::uint64_t n = 0; n < shape.point_count; n++) {
        hull->addPoint(vector_of(shape.point[n]), false);
    }
    hull->recalcLocalAabb();
    return hull;
}

shape_pointer make_shape(const carom_shape &shape) {
    const btScalar r = btScalar(shape.radius), h = btScalar(shape.extent[2]);
    switch (shape.kind) {
    case CAROM_SHAPE_SPHERE:
        return std::make_unique<btSphereShape>(r);
    case CAROM_SHAPE_CAPSULE:
        return std::make_unique<btCapsuleShapeZ>(r, 2 * h);
    case CAROM_SHAPE_BOX:
        return std::make_unique<btBoxShape>(vector_of(shape.extent));
    case CAROM_SHAPE_CYLINDER:
        return std::make_unique<btCylinderShapeZ>(btVector3(r, r, h));
    case CAROM_SHAPE_CONE:
        return std::make_unique<btConeShapeZ>(r, 2 * h);
    default:
        return make_hull(shape);
    }
}

bool has_radius(carom_shape_kind kind) {
    return kind == CAROM_SHAPE_SPHERE || kind == CAROM_SHAPE_CAPSULE;
}

shape_pointer make(const carom_shape &shape) {
    shape_pointer made = make_shape(shape);
    if (!has_radius(shape.kind)) {
        made->setMargin(0);
    }
    return made;
}

void set(btTransform &t, const placed &p) {
    for (int r = 0; r < 3; r++) {
        t.getBasis()[r] = vector_of(p.turn[r]);
    }
    t.setOrigin(vector_of(p.at));
}

// A body: its shape and where it is at both ends of the step.
struct object {
    btTransform before, after;
    const btConvexShape *shape;
    btScalar radius; // around its core
};

class bullet_shape_peer : public single_peer {
  public:
    using single_peer::single_peer;

    void prepare(const carom_shape_pairs &pairs, question what) override {
        start(pairs);
        what_ = what;
        for (std::uint64_t n = 0; n < pairs.shape_count; n++) {
            shapes_.push_back(make(pairs.shape[n]));
        }
        for (std::uint32_t n = 0; n < pairs.body_count; n++) {
            const carom_shape &shape = pairs.shape[pairs.entry[n]];
            objects_.push_back({btTransform::getIdentity(), btTransform::getIdentity(), shapes_[pairs.entry[n]].get(),
                                has_radius(shape.kind) ? btScalar(shape.radius) : btScalar(0)});
        }
        place();
    }

    void place() override {
        for (std::uint32_t n = 0; n < objects_.size(); n++) {
            set(objects_[n].before, place_of(*pairs_, n));
            if (what_ == question::toi) {
                set(objects_[n].after, place_after(*pairs_, n));
            }
        }
    }

    void release() override {
        objects_.clear();
        shapes_.clear();
        single_peer::release();
    }

  protected:
    template <typename ASK> void ask_each(ASK one) {
        each([&](std::uint32_t n) { return one(objects_[pairs_->i[n]], objects_[pairs_->k[n]]); });
    }

    // A signed distance as an answer to the question at hand.
    answer signed_answer(btScalar distance) const {
        return {distance <= 0, what_ != question::state, double(distance)};
    }

    template <typename DO> void for_each_shape(DO one) {
        for (const shape_pointer &shape : shapes_) {
            one(*shape);
        }
    }

    question what_ = question::state;

  private:
    std::vector<shape_pointer> shapes_;
    std::vector<object> objects_;
};

bool general(const carom_pair_kind &kind) {
    return kind.i != CAROM_SHAPE_ELLIPSOID;
}

class gjk_peer : public bullet_shape_peer {
  public:
    gjk_peer() : bullet_shape_peer("bullet-gjk") {
    }
    bool offers(const carom_pair_kind &kind, question what) const override {
        return general(kind) && (what == question::state || what == question::distance);
    }
    void run() override {
        ask_each([this](const object &i, const object &k) {
            btGjkEpaSolver2::sResults found;
            const btVector3 guess = i.before.getOrigin() - k.before.getOrigin();
            if (!btGjkEpaSolver2::Distance(i.shape, i.before, k.shape, k.before, guess, found)) {
                return answer{true, false, 0};
            }
            return signed_answer(found.distance - i.radius - k.radius);
        });
    }
};

class epa_peer : public bullet_shape_peer {
  public:
    epa_peer() : bullet_shape_peer("bullet-epa") {
    }
    bool offers(const carom_pair_kind &kind, question what) const override {
        return general(kind) && what == question::depth;
    }
    void run() override {
        ask_each([](const object &i, const object &k) {
            btGjkEpaSolver2::sResults found;
            const btVector3 guess = i.before.getOrigin() - k.before.getOrigin();
            const bool hit = btGjkEpaSolver2::Penetration(i.shape, i.before, k.shape, k.before, guess, found);
            return answer{hit, hit, double(found.distance)};
        });
    }
};

// Detectors that report points: the deepest one counts.
template <typename DETECTOR> answer detect(DETECTOR &&detector, const object &i, const object &k, question what) {
    btDiscreteCollisionDetectorInterface::ClosestPointInput input;
    btPointCollector found;
    input.m_transformA = i.before;
    input.m_transformB = k.before;
    detector.getClosestPoints(input, found, nullptr);
    const bool hit = found.m_hasResult && found.m_distance <= 0;
    return {hit, found.m_hasResult && what != question::state, double(found.m_distance)};
}

class pair_peer : public bullet_shape_peer {
  public:
    pair_peer() : bullet_shape_peer("bullet-pair") {
    }
    bool offers(const carom_pair_kind &kind, question what) const override {
        return general(kind) && (what == question::distance || what == question::depth);
    }
    void run() override {
        ask_each([this](const object &i, const object &k) {
            btGjkPairDetector detector(i.shape, k.shape, &simplex_, &depth_);
            return detect(detector, i, k, what_);
        });
    }

  private:
    btVoronoiSimplexSolver simplex_;
    btGjkEpaPenetrationDepthSolver depth_;
};

class boxes_peer : public bullet_shape_peer {
  public:
    boxes_peer() : bullet_shape_peer("bullet-boxes") {
    }
    bool offers(const carom_pair_kind &kind, question what) const override {
        return kind.i == CAROM_SHAPE_BOX && kind.k == CAROM_SHAPE_BOX &&
               (what == question::state || what == question::depth || what == question::manifold);
    }
    void run() override {
        ask_each([this](const object &i, const object &k) {
            btBoxBoxDetector detector(static_cast<const btBoxShape *>(i.shape),
                                      static_cast<const btBoxShape *>(k.shape));
            return detect(detector, i, k, what_);
        });
    }
};

// All edges of one hull against all of the other: 30 microseconds a pair with 8 vertices, 140 with 16.
class clip_peer : public bullet_shape_peer {
  public:
    clip_peer() : bullet_shape_peer("bullet-clip") {
    }
    bool offers(const carom_pair_kind &kind, question what) const override {
        return kind.points > 0 && kind.points <= 8 && what == question::manifold;
    }
    void prepare(const carom_shape_pairs &pairs, question what) override {
        bullet_shape_peer::prepare(pairs, what);
        for_each_shape(
            [](btConvexShape &shape) { static_cast<btPolyhedralConvexShape &>(shape).initializePolyhedralFeatures(); });
    }
    void run() override {
        ask_each([this](const object &i, const object &k) { return clip(i, k); });
    }

  private:
    static const btConvexPolyhedron &faces_of(const object &o) {
        return *static_cast<const btPolyhedralConvexShape *>(o.shape)->getConvexPolyhedron();
    }

    answer clip(const object &i, const object &k) {
        btVector3 axis;
        btPointCollector found;
        if (!btPolyhedralContactClipping::findSeparatingAxis(faces_of(i), faces_of(k), i.before, k.before, axis,
                                                             found)) {
            return {};
        }
        btPolyhedralContactClipping::clipHullAgainstHull(axis, faces_of(i), faces_of(k), i.before, k.before,
                                                         btScalar(-BT_LARGE_FLOAT), 0, clipped_, spare_, found);
        return {true, found.m_hasResult, double(found.m_distance)};
    }

    btVertexArray clipped_, spare_;
};

class advance_peer : public bullet_shape_peer {
  public:
    advance_peer() : bullet_shape_peer("bullet-advance") {
    }
    bool offers(const carom_pair_kind &kind, question what) const override {
        return general(kind) && what == question::toi;
    }
    void run() override {
        ask_each([this](const object &i, const object &k) {
            btContinuousConvexCollision advance(i.shape, k.shape, &simplex_, &depth_);
            btConvexCast::CastResult found;
            const bool hit = advance.calcTimeOfImpact(i.before, i.after, k.before, k.after, found);
            return answer{hit, hit, double(found.m_fraction)};
        });
    }

  private:
    btVoronoiSimplexSolver simplex_;
    btGjkEpaPenetrationDepthSolver depth_;
};

} // namespace

void add_bullet_shapes(shape_peer_list &list) {
    list.push_back(std::make_unique<gjk_peer>());
    list.push_back(std::make_unique<epa_peer>());
    list.push_back(std::make_unique<pair_peer>());
    list.push_back(std::make_unique<boxes_peer>());
    list.push_back(std::make_unique<clip_peer>());
    list.push_back(std::make_unique<advance_peer>());
}

} // namespace peers
