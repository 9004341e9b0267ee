// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// What every library under comparison is asked about pairs of shapes, one thread, cold:
//
//     state      do they touch?
//     distance   how far apart are those that do not touch?
//     depth      by how much must those that touch be moved apart, and where do they touch?
//     manifold   where do they touch, in points that span the contact?
//     toi        when do they touch first, in a step in which they move and turn?
//
// The rules, the same for all:
// - All pairs go through the one call that a program would make: those that touch are also asked for their distance, as
//   a program does not know before.
// - Shapes are made beforehand. So are, for all but Carom, the objects that hold a body's place in the library's own
//   form: rotation matrices, transforms, geometries. Carom reads the bodies' arrays.
// - run() is what is timed: from there to an answer a pair in memory. On request so is place(), which sets those objects
//   from the bodies' arrays, so that all begin with the same. Carom writes its whole rows, with normals and
//   points. Of what the others find only the number is kept, to their benefit.
// - Nothing found in an earlier run may be used.
// - Margins that a library puts around shapes are set to zero. Else it is used as it comes.
#ifndef CAROM_PEERS_SHAPE_PEER_H
#define CAROM_PEERS_SHAPE_PEER_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/shape_pairs.h"

namespace peers {

enum class question { state, distance, depth, manifold, toi };

constexpr question all_questions[] = {question::state, question::distance, question::depth, question::manifold,
                                      question::toi};

const char *question_name(question what);

// What a library says of a pair.
struct answer {
    bool hit = false;   // they touch
    bool known = false; // `value` is set
    double value = 0;   // the signed distance, depths being negative; toi: the time
    bool given = true;  // else the library was not asked
};

class shape_peer {
  public:
    explicit shape_peer(std::string name) : name_(std::move(name)) {
    }
    virtual ~shape_peer() = default;
    const std::string &name() const {
        return name_;
    }

    // Whether the library answers this.
    virtual bool offers(const carom_pair_kind &kind, question what) const = 0;

    // Called once for pairs, which outlive the runs, and a question.
    virtual void prepare(const carom_shape_pairs &pairs, question what) = 0;
    virtual void run() = 0;

    // Sets the library's own places of all bodies; prepare() has done so once.
    virtual void place() {
    }
    virtual answer read(std::size_t pair) const = 0;

    // Gives back memory.
    virtual void release() = 0;

  private:
    std::string name_;
};

// A peer that is asked about one pair after the other. It need not survive all of them: one on which it ends or hangs
// is left out of later runs.
class single_peer : public shape_peer {
  public:
    using shape_peer::shape_peer;
    answer read(std::size_t pair) const override {
        return answers_[pair];
    }
    void release() override;

    // Where run() leaves the number of the pair at hand, for another process to see; NULL: nowhere.
    void report_to(volatile std::uint32_t *place) {
        place_ = place != nullptr ? place : &unseen_;
    }
    void leave_out(std::uint32_t pair);

  protected:
    void start(const carom_shape_pairs &pairs);

    template <typename ASK> void each(ASK ask) {
        for (const std::uint32_t pair : asked_) {
            *place_ = pair;
            answers_[pair] = ask(pair);
        }
    }

    const carom_shape_pairs *pairs_ = nullptr;

  private:
    std::vector<answer> answers_;
    std::vector<std::uint32_t> asked_;
    std::uint32_t unseen_ = 0;
    volatile std::uint32_t *place_ = &unseen_;
};

using shape_peer_list = std::vector<std::unique_ptr<shape_peer>>;

// A body's place in double, as the bodies' floats have it.
struct placed {
    const carom_shape *shape;
    double turn[3][3], at[3];
};

placed place_of(const carom_shape_pairs &pairs, std::uint32_t body);

// The same at the end of the step: of pairs in motion.
placed place_after(const carom_shape_pairs &pairs, std::uint32_t body);

// Triangles of a hull of points in general position, counterclockwise seen from outside.
std::vector<int> hull_triangles(const carom_shape &hull);

void add_carom_shapes(shape_peer_list &list);
void add_ccd_shapes(shape_peer_list &list);
void add_fcl_shapes(shape_peer_list &list);
void add_bullet_shapes(shape_peer_list &list);
void add_ode_shapes(shape_peer_list &list);

// "Carom 0.1.0, libccd 2.0, ...": what was compiled in.
std::string shape_versions();
shape_peer_list all_shape_peers();

} // namespace peers

#endif
