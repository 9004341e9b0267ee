// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// libccd, in double as its package has it: GJK and Minkowski portal refinement for yes or no, GJK with EPA and portal
// refinement for depths (those of the latter are not the least ones). It brings no shapes: support functions are here,
// one a kind, on rotation matrices. Its own search for a distance is not offered. Tolerances are its defaults; its
// unlimited number of iterations is cut to what no pair needs.
#include <ccd/ccd.h>

#include <cmath>

#include "bench/peers/shape_peer.h"

namespace peers {
namespace {

constexpr unsigned long ITERATIONS = 200;

// Farthest point in a direction, in the shape's own frame.
using local_support = void (*)(const carom_shape &shape, const double d[3], double s[3]);

void sphere(const carom_shape &shape, const double d[3], double s[3]) {
    const double length = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    const double scale = length > 0 ? shape.radius / length : 0;
    for (int a = 0; a < 3; a++) {
        s[a] = scale * d[a];
    }
}

void capsule(const carom_shape &shape, const double d[3], double s[3]) {
    sphere(shape, d, s);
    s[2] += std::copysign(shape.extent[2], d[2]);
}

void box(const carom_shape &shape, const double d[3], double s[3]) {
    for (int a = 0; a < 3; a++) {
        s[a] = std::copysign(shape.extent[a], d[a]);
    }
}

void cylinder(const carom_shape &shape, const double d[3], double s[3]) {
    const double length = std::sqrt(d[0] * d[0] + d[1] * d[1]);
    const double scale = length > 0 ? shape.radius / length : 0;
    s[0] = scale * d[0];
    s[1] = scale * d[1];
    s[2] = std::copysign(shape.extent[2], d[2]);
}

void cone(const carom_shape &shape, const double d[3], double s[3]) {
    const double length = std::sqrt(d[0] * d[0] + d[1] * d[1]);
    if (2 * shape.extent[2] * d[2] > shape.radius * length) {
        s[0] = s[1] = 0;
        s[2] = shape.extent[2];
    } else {
        const double scale = length > 0 ? shape.radius / length : 0;
        s[0] = scale * d[0];
        s[1] = scale * d[1];
        s[2] = -shape.extent[2];
    }
}

void ellipsoid(const carom_shape &shape, const double d[3], double s[3]) {
    const double *e = shape.extent;
    const double scaled[3] = {e[0] * d[0], e[1] * d[1], e[2] * d[2]};
    const double length = std::sqrt(scaled[0] * scaled[0] + scaled[1] * scaled[1] + scaled[2] * scaled[2]);
    for (int a = 0; a < 3; a++) {
        s[a] = e[a] * scaled[a] / length;
    }
}

void hull(const carom_shape &shape, const double d[3], double s[3]) {
    const double(*best)[3] = shape.point;
    double most = -HUGE_VAL;
    for (const double(*p)[3] = shape.point; p < shape.point + shape.point_count; p++) {
        const double along = (*p)[0] * d[0] + (*p)[1] * d[1] + (*p)[2] * d[2];
        if (along > most) {
            most = along;
            best = p;
        }
    }
    s[0] = (*best)[0];
    s[1] = (*best)[1];
    s[2] = (*best)[2];
}

template <local_support SUPPORT> void support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *point) {
    const placed &p = *static_cast<const placed *>(object);
    const double *v = direction->v;
    double d[3], s[3];
    for (int a = 0; a < 3; a++) {
        d[a] = p.turn[0][a] * v[0] + p.turn[1][a] * v[1] + p.turn[2][a] * v[2];
    }
    SUPPORT(*p.shape, d, s);
    for (int a = 0; a < 3; a++) {
        point->v[a] = p.at[a] + p.turn[a][0] * s[0] + p.turn[a][1] * s[1] + p.turn[a][2] * s[2];
    }
}

void centre(const void *object, ccd_vec3_t *point) {
    const double *at = static_cast<const placed *>(object)->at;
    ccdVec3Set(point, at[0], at[1], at[2]);
}

ccd_support_fn support_of(carom_shape_kind kind) {
    switch (kind) {
    case CAROM_SHAPE_SPHERE:
        return support<sphere>;
    case CAROM_SHAPE_CAPSULE:
        return support<capsule>;
    case CAROM_SHAPE_BOX:
        return support<box>;
    case CAROM_SHAPE_CYLINDER:
        return support<cylinder>;
    case CAROM_SHAPE_CONE:
        return support<cone>;
    case CAROM_SHAPE_ELLIPSOID:
        return support<ellipsoid>;
    default:
        return support<hull>;
    }
}

class ccd_peer : public single_peer {
  public:
    ccd_peer(const std::string &name, bool portals) : single_peer(name), portals_(portals) {
    }

    bool offers(const carom_pair_kind &, question what) const override {
        return what == question::state || what == question::depth;
    }

    void prepare(const carom_shape_pairs &pairs, question what) override {
        start(pairs);
        depth_ = what == question::depth;
        CCD_INIT(&ccd_);
        ccd_.max_iterations = ITERATIONS;
        ccd_.support1 = support_of(pairs.kind.i);
        ccd_.support2 = support_of(pairs.kind.k);
        ccd_.center1 = ccd_.center2 = centre;
        objects_.resize(pairs.body_count);
        place();
    }

    void place() override {
        for (std::uint32_t n = 0; n < objects_.size(); n++) {
            objects_[n] = place_of(*pairs_, n);
        }
    }

    void run() override {
        if (depth_) {
            each([this](std::uint32_t n) { return penetration(objects_[pairs_->i[n]], objects_[pairs_->k[n]]); });
        } else {
            each([this](std::uint32_t n) { return intersection(objects_[pairs_->i[n]], objects_[pairs_->k[n]]); });
        }
    }

    void release() override {
        objects_.clear();
        single_peer::release();
    }

  private:
    answer intersection(const placed &i, const placed &k) const {
        const int hit = portals_ ? ccdMPRIntersect(&i, &k, &ccd_) : ccdGJKIntersect(&i, &k, &ccd_);
        return {hit != 0, false, 0};
    }

    answer penetration(const placed &i, const placed &k) const {
        ccd_real_t depth = 0;
        ccd_vec3_t direction, point;
        const int status = portals_ ? ccdMPRPenetration(&i, &k, &ccd_, &depth, &direction, &point)
                                    : ccdGJKPenetration(&i, &k, &ccd_, &depth, &direction, &point);
        return {status == 0, status == 0, -depth};
    }

    bool portals_, depth_ = false;
    ccd_t ccd_;
    std::vector<placed> objects_;
};

} // namespace

void add_ccd_shapes(shape_peer_list &list) {
    list.push_back(std::make_unique<ccd_peer>("ccd-gjk", false));
    list.push_back(std::make_unique<ccd_peer>("ccd-mpr", true));
}

} // namespace peers
