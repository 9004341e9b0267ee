// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// FCL in double, with both of its solvers: libccd's, which is its default, and its own (indep). Pairs of spheres,
// boxes, capsules and cylinders that it has closed forms for use these. Assertions compiled into Debian's package end
// the process on some pairs; these are left out.
#include <fcl/config.h>
#include <fcl/math/motion/interp_motion.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/continuous_collision.h>
#include <fcl/narrowphase/distance.h>

#include <algorithm>
#include <cmath>
#include <exception>

#include "bench/peers/shape_peer.h"

namespace peers {
namespace {

using real = double;
using vector3 = fcl::Vector3<real>;
using transform = fcl::Transform3<real>;
using geometry = std::shared_ptr<fcl::CollisionGeometry<real>>;

// Its manifolds of boxes have up to eight points.
constexpr std::size_t POINTS_MAX = 8;

// As many poses as Carom looks at, for its 10.
constexpr std::size_t POSES_MAX = 64;

geometry make_hull(const carom_shape &shape) {
    auto points = std::make_shared<std::vector<vector3>>();
    for (std::uint64_t n = 0; n < shape.point_count; n++) {
        points->emplace_back(shape.point[n][0], shape.point[n][1], shape.point[n][2]);
    }
    const std::vector<int> corners = hull_triangles(shape);
    auto faces = std::make_shared<std::vector<int>>();
    for (std::size_t n = 0; n < corners.size(); n += 3) {
        faces->insert(faces->end(), {3, corners[n], corners[n + 1], corners[n + 2]});
    }
    return std::make_shared<fcl::Convex<real>>(points, int(corners.size() / 3), faces);
}

geometry make(const carom_shape &shape) {
    const double r = shape.radius, *e = shape.extent;
    switch (shape.kind) {
    case CAROM_SHAPE_SPHERE:
        return std::make_shared<fcl::Sphere<real>>(r);
    case CAROM_SHAPE_CAPSULE:
        return std::make_shared<fcl::Capsule<real>>(r, 2 * e[2]);
    case CAROM_SHAPE_BOX:
        return std::make_shared<fcl::Box<real>>(2 * e[0], 2 * e[1], 2 * e[2]);
    case CAROM_SHAPE_CYLINDER:
        return std::make_shared<fcl::Cylinder<real>>(r, 2 * e[2]);
    case CAROM_SHAPE_CONE:
        return std::make_shared<fcl::Cone<real>>(r, 2 * e[2]);
    case CAROM_SHAPE_ELLIPSOID:
        return std::make_shared<fcl::Ellipsoid<real>>(e[0], e[1], e[2]);
    default:
        return make_hull(shape);
    }
}

void set(transform &t, const placed &p) {
    for (int r = 0; r < 3; r++) {
        t.translation()[r] = p.at[r];
        for (int c = 0; c < 3; c++) {
            t.linear()(r, c) = p.turn[r][c];
        }
    }
}

// A body: its shape and where it is at both ends of the step.
struct object {
    const fcl::CollisionGeometry<real> *shape;
    transform before, after;
};

using motion = fcl::InterpMotion<real>;

// Its calls that take transforms leave the motion's point of reference uninitialised.
motion motion_of(const object &o) {
    return {o.before.linear(), o.before.translation(), o.after.linear(), o.after.translation(), vector3::Zero()};
}

class fcl_shape_peer : public single_peer {
  public:
    fcl_shape_peer(const std::string &name, fcl::GJKSolverType solver) : single_peer(name), solver_(solver) {
    }

    // It has manifolds of boxes only, and times of impact of all but ellipsoids. With its own solver these take longer
    // than all other calls here together.
    bool offers(const carom_pair_kind &kind, question what) const override {
        switch (what) {
        case question::manifold:
            return kind.i == CAROM_SHAPE_BOX && kind.k == CAROM_SHAPE_BOX && solver_ == fcl::GST_LIBCCD;
        case question::toi:
            return kind.i != CAROM_SHAPE_ELLIPSOID && solver_ == fcl::GST_LIBCCD;
        default:
            return true;
        }
    }

    void prepare(const carom_shape_pairs &pairs, question what) override {
        start(pairs);
        what_ = what;
        for (std::uint64_t n = 0; n < pairs.shape_count; n++) {
            shapes_.push_back(make(pairs.shape[n]));
            shapes_.back()->computeLocalAABB(); // its bounds of motion read them
        }
        for (std::uint32_t n = 0; n < pairs.body_count; n++) {
            objects_.push_back({shapes_[pairs.entry[n]].get(), transform::Identity(), transform::Identity()});
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

    void run() override {
        switch (what_) {
        case question::distance:
            return ask_each(&fcl_shape_peer::apart);
        case question::toi:
            return ask_each(&fcl_shape_peer::impact);
        default:
            return ask_each(&fcl_shape_peer::contact);
        }
    }

    void release() override {
        objects_.clear();
        shapes_.clear();
        single_peer::release();
    }

  private:
    using ask = answer (fcl_shape_peer::*)(const object &, const object &) const;

    void ask_each(ask one) {
        each([this, one](std::uint32_t n) {
            try {
                return (this->*one)(objects_[pairs_->i[n]], objects_[pairs_->k[n]]);
            } catch (const std::exception &) {
                return answer{};
            }
        });
    }

    answer contact(const object &i, const object &k) const {
        const bool numbers = what_ != question::state;
        fcl::CollisionRequest<real> request(what_ == question::manifold ? POINTS_MAX : 1, numbers);
        fcl::CollisionResult<real> result;
        request.gjk_solver_type = solver_;
        fcl::collide(i.shape, i.before, k.shape, k.before, request, result);
        answer found = {result.isCollision(), numbers && result.isCollision(), 0};
        for (std::size_t n = 0; numbers && n < result.numContacts(); n++) {
            // The depths of its own solver have the other sign.
            found.value = std::min(found.value, -std::abs(result.getContact(n).penetration_depth));
        }
        return found;
    }

    answer apart(const object &i, const object &k) const {
        fcl::DistanceRequest<real> request(true);
        fcl::DistanceResult<real> result;
        request.gjk_solver_type = solver_;
        const real distance = fcl::distance(i.shape, i.before, k.shape, k.before, request, result);
        return {distance <= 0, distance > 0, distance};
    }

    answer impact(const object &i, const object &k) const {
        const fcl::ContinuousCollisionRequest<real> request(POSES_MAX, 1e-4, fcl::CCDM_LINEAR, solver_,
                                                            fcl::CCDC_CONSERVATIVE_ADVANCEMENT);
        fcl::ContinuousCollisionResult<real> result;
        const motion motion_i = motion_of(i), motion_k = motion_of(k);
        fcl::continuousCollide(i.shape, &motion_i, k.shape, &motion_k, request, result);
        return {result.is_collide, result.is_collide, result.time_of_contact};
    }

    fcl::GJKSolverType solver_;
    question what_ = question::state;
    std::vector<geometry> shapes_;
    std::vector<object> objects_;
};

} // namespace

void add_fcl_shapes(shape_peer_list &list) {
    list.push_back(std::make_unique<fcl_shape_peer>("fcl-ccd", fcl::GST_LIBCCD));
    list.push_back(std::make_unique<fcl_shape_peer>("fcl-indep", fcl::GST_INDEP));
}

} // namespace peers
