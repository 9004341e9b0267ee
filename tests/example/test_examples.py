#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The Carom authors
"""Runs an example and compares what it prints with the same task done by brute force: test_examples.py PROGRAM

Guards the examples as users copy them, and that they use the library rightly: no code is shared with it."""
import difflib
import itertools
import math
import pathlib
import re
import subprocess
import sys


class Random:
    """The examples' generator: Knuth's MMIX constants, 53 bits."""

    def __init__(self):
        self.state = 1

    def uniform(self):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 11) * 2.0**-53


def closest(p, v):
    """Time and distance of the closest approach of p + t v, t in [0, 1]."""
    square = sum(c * c for c in v)
    t = min(max(-sum(a * b for a, b in zip(p, v)) / square, 0.0), 1.0) if square > 0 else 0.0
    return t, math.sqrt(sum((a + t * b) ** 2 for a, b in zip(p, v)))


def neighbour_list():
    """All pairs of atoms and their nearest images."""
    cells, spacing, box, cutoff = 6, 1.71, 6 * 1.71, 2.5
    corners = [(0, 0, 0), (0, 0.5, 0.5), (0.5, 0, 0.5), (0.5, 0.5, 0)]
    random = Random()
    atoms = []
    for b in range(4 * cells**3):
        cell = (b // 4 % cells, b // 4 // cells % cells, b // 4 // cells // cells)
        atoms.append([spacing * (cell[a] + corners[b % 4][a] + 0.1 * (random.uniform() - 0.5)) for a in range(3)])
    pairs, energy, force = 0, 0.0, [0.0] * 3
    for i, k in itertools.combinations(range(len(atoms)), 2):
        r = [math.remainder(q - p, box) for p, q in zip(atoms[i], atoms[k])]
        square = sum(c * c for c in r)
        if square <= cutoff * cutoff:
            pairs += 1
            s6 = square**-3
            energy += 4 * s6 * (s6 - 1)
            if 7 in (i, k):
                pull = (-1 if i == 7 else 1) * 24 * s6 * (2 * s6 - 1) / square
                force = [f + pull * c for f, c in zip(force, r)]
    return (f"{len(atoms)} atoms, {2 * pairs / len(atoms):.3f} neighbours each\n"
            f"energy of an atom {energy / len(atoms):.6f}\n"
            f"force on atom 7: {force[0]:.5f} {force[1]:.5f} {force[2]:.5f}\n")


def thread_pool():
    """Points in cubes of the diameter, each with those in its own and half of the cubes around."""
    diameter, random, cubes, pairs = 0.02, Random(), {}, 0
    for b in range(50000):
        place = [random.uniform() for _ in range(3)]
        cubes.setdefault(tuple(int(c / diameter) for c in place), []).append((b, place))
    around = list(itertools.product((-1, 0, 1), repeat=3))
    for cube, own in cubes.items():
        for step in around:
            for b, place in cubes.get(tuple(c + s for c, s in zip(cube, step)), []):
                pairs += sum(b > i and math.dist(place, p) <= diameter for i, p in own)
    line = f"{pairs} pairs, result HASH\n"
    return f"Carom's threads: {line}the pool's threads: {line}"


def conjunctions():
    """Every satellite with every piece of debris in every step."""
    satellites, debris, steps, step_s, miss_km, earth, gravity = 20, 4000, 24, 10.0, 20.0, 6378.0, 398600.4418
    random = Random()
    orbits = []
    for _ in range(satellites + debris):
        height = 780 + 40 * random.uniform()
        orbits.append((height, math.acos(1 - 2 * random.uniform()), 2 * math.pi * random.uniform(),
                       2 * math.pi * random.uniform()))

    def position(orbit, time):
        height, inclination, node, phase = orbit
        r = earth + height
        angle = phase + time * math.sqrt(gravity / r**3)
        along, across = r * math.cos(angle), r * math.sin(angle) * math.cos(inclination)
        return (along * math.cos(node) - across * math.sin(node), along * math.sin(node) + across * math.cos(node),
                r * math.sin(angle) * math.sin(inclination))

    nearest, reach = {}, miss_km + 2 * 8.0 * step_s  # nothing is faster than 8 km/s
    places = [[position(orbit, step * step_s) for orbit in orbits] for step in range(steps + 1)]
    for step, i in itertools.product(range(steps), range(satellites)):
        old, new = places[step], places[step + 1]
        for k in range(satellites, satellites + debris):
            if abs(old[i][0] - old[k][0]) > reach or abs(old[i][1] - old[k][1]) > reach:
                continue
            p = [a - b for a, b in zip(old[i], old[k])]
            t, distance = closest(p, [a - b - c for a, b, c in zip(new[i], new[k], p)])
            if distance <= miss_km and distance < nearest.get((i, k), (math.inf,))[0]:
                nearest[i, k] = (distance, (step + t) * step_s)
    return "".join(f"satellite {i:2} and debris {k - satellites:4}: {distance:6.3f} km at {time:6.2f} s\n"
                   for (i, k), (distance, time) in sorted(nearest.items()))


def step_after_step():
    """Every pair in every step, and the sets' differences."""
    random, balls = Random(), []
    for _ in range(300):
        state = [(random.uniform(), 0.02 * (random.uniform() - 0.5)) for _ in range(3)]
        balls.append(([x for x, _ in state], [v for _, v in state], 0.02 + 0.02 * random.uniform()))
    lines, before = [], set()
    for step in range(40):
        olds = []
        for place, velocity, _ in balls:
            olds.append(place[:])
            for a in range(3):
                place[a] += velocity[a]
                if not 0 <= place[a] <= 1:
                    velocity[a] = -velocity[a]
        now = set()
        for (i, (new_i, _, r_i)), (k, (new_k, _, r_k)) in itertools.combinations(enumerate(balls), 2):
            if abs(olds[i][0] - olds[k][0]) < 0.12:  # radii and both motions
                p = [a - b for a, b in zip(olds[i], olds[k])]
                if closest(p, [a - b - c for a, b, c in zip(new_i, new_k, p)])[1] <= r_i + r_k:
                    now.add((i, k))
        lines.append(f"step {step:2}: {len(now - before):3} began, {len(before - now):2} ended, {len(now):3} touch\n")
        before = now
    return "".join(lines)


def detector():
    """Ball 0 along y = 0 against each ball at rest: time from Pythagoras."""
    lines = []
    for k in range(1, 9):
        x, y, sum_of_radii = 4.0 * k, 0.25 * k, 1.5
        if y <= sum_of_radii:
            ahead = math.sqrt(sum_of_radii**2 - y * y)
            normal = (-ahead / sum_of_radii, -y / sum_of_radii)
            lines.append(f"t = {(x - ahead + 10) / 50:.4f}: 0 meets {k} at ({x - ahead / 2:.4f}, {y / 2:.4f}), "
                         f"normal ({normal[0] + 0.0:.4f}, {normal[1]:.4f})\n")
    return "".join(lines) + "bad body: body 5: curr_y is not a number\n"


def main():
    program = pathlib.Path(sys.argv[1])
    expected = globals()[re.sub("^example_", "", program.stem)]()
    printed = subprocess.run([program], check=True, capture_output=True, text=True, timeout=300).stdout
    hashes = set(re.findall(r"result ([0-9a-f]{16})$", printed, flags=re.MULTILINE))
    printed = re.sub(r"result [0-9a-f]{16}$", "result HASH", printed, flags=re.MULTILINE)
    if not expected or printed != expected or len(hashes) > 1:
        print("".join(difflib.unified_diff(expected.splitlines(True), printed.splitlines(True), "brute force", "printed")))
        print(f"{program.name} prints something else, or two hashes: {sorted(hashes)}")
        return 1
    print(f"{program.name} prints what brute force finds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
