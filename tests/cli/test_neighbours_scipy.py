#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The Carom authors
"""Neighbour lists of atoms held against scipy's cKDTree.

In: the command. Below half the box the tree repeats space by itself (boxsize); beyond, and in tilted boxes, it is given
explicit replicas of the cell. Every atom and image within the cutoff must be found exactly once, with its shift.
Random positions are multiples of 2^-20, so that moving them by whole edges rounds nothing. Without scipy: skipped."""
import csv
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SKIP = 77  # Meson's exit code of a test that cannot run here
GRID = 2.0 ** 20
SEED = int(os.environ.get("CAROM_TEST_SEED", "1"))

try:
    import numpy
    from scipy.spatial import cKDTree
except ImportError:
    print("scipy is missing: skipped")
    sys.exit(SKIP)

CUBE = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
BRICK = [[1, 0, 0], [0, 1.5, 0], [0, 0, 2.25]]
TILTED = [[1, 0, 0], [0.375, 1.125, 0], [-0.25, 0.5, 0.875]]
FCC = [[0, 0.5, 0.5], [0.5, 0, 0.5], [0.5, 0.5, 0]]


def random_atoms(random, count, box):
    """Atoms in the cell of `box`, on a grid."""
    return numpy.rint(random.random((count, 3)) @ box * GRID) / GRID


def write_atoms(path, atoms, box):
    """An extended XYZ file with all digits."""
    lattice = " ".join(repr(float(x)) for x in box.flatten())
    lines = [str(len(atoms)), f'Lattice="{lattice}" Properties=species:S:1:pos:R:3']
    lines += ["A " + " ".join(repr(float(x)) for x in atom) for atom in atoms]
    path.write_text("\n".join(lines) + "\n")


def touching_rows(command, path, cutoff, precision, folder):
    """What the command finds: the number of pairs, and a set of (i, k, shift) with their distances."""
    out = folder / "pairs.csv"
    words = [command, "detect", str(path), "--radius", repr(cutoff / 2), "--periodic", "xyz", "--self-images",
             "--precision", precision, "--pairs", str(out), "--json"]
    report = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    found = {}
    with open(out, newline="") as file:
        for row in csv.DictReader(file):
            if row["t_toi"] != "":
                key = (int(row["i"]), int(row["k"]), tuple(int(row["shift_" + a]) for a in "xyz"))
                assert key not in found, f"{key} is there twice"
                found[key] = float(row["distance"])
    assert report["touching_pairs"] == len(found), (report["touching_pairs"], len(found))
    return found


def is_counted(i, k, shift):
    """Of the two views of a pair one is a row: that of the lower atom; of an atom and its image the positive shift."""
    return i < k or (i == k and shift > (0, 0, 0))


def pairs_of_replicas(atoms, box, cutoff):
    """All rows by a tree of the cell and its replicas, as many as the cutoff can reach."""
    widths = 1 / numpy.linalg.norm(numpy.linalg.inv(box), axis=0)
    reach = [int(cutoff / width) + 1 for width in widths]
    shifts = list(itertools.product(*(range(-n, n + 1) for n in reach)))
    replicas = numpy.concatenate([atoms + numpy.array(shift) @ box for shift in shifts])
    tree = cKDTree(replicas)
    rows = {}
    for i, near in enumerate(tree.query_ball_point(atoms, cutoff)):
        for n in near:
            shift, k = shifts[n // len(atoms)], n % len(atoms)
            if is_counted(i, k, shift):
                rows[i, k, shift] = float(numpy.linalg.norm(replicas[n] - atoms[i]))
    return rows


def pairs_of_box(atoms, box, cutoff):
    """The pairs (i, k) by a tree that repeats space itself: at most one image of each, so no shifts."""
    tree = cKDTree(numpy.mod(atoms, numpy.diag(box)), boxsize=numpy.diag(box))
    return {tuple(map(int, pair)) for pair in tree.query_pairs(cutoff, output_type="ndarray")}


def check_case(command, folder, number, box, count, cutoff):
    """One cell: both precisions against replicas, and below half an orthorhombic box against boxsize."""
    print(f"case {number}: {count} atoms, cutoff {cutoff}, CAROM_TEST_SEED={SEED}")
    box = numpy.array(box, dtype=float)
    atoms = random_atoms(numpy.random.default_rng((SEED, number)), count, box)
    path = folder / "atoms.xyz"
    write_atoms(path, atoms, box)
    wanted = pairs_of_replicas(atoms, box, cutoff)
    assert wanted, "the case is empty"
    for precision in ("f64", "f32"):
        found = touching_rows(command, path, cutoff, precision, folder)
        missing, more = set(wanted) - set(found), set(found) - set(wanted)
        assert not missing and not more, (precision, sorted(missing)[:3], sorted(more)[:3])
        assert all(abs(found[key] - wanted[key]) < 1e-6 * cutoff for key in found), precision
    diagonal = numpy.count_nonzero(box - numpy.diag(numpy.diag(box))) == 0
    if diagonal and 2 * cutoff < numpy.diag(box).min():
        assert pairs_of_box(atoms, box, cutoff) == {key[:2] for key in wanted}
        assert len(wanted) == len({key[:2] for key in wanted})
    return sum(i == k for i, k, _ in wanted)


def main(command):
    """Few digits, so that float holds the cutoffs; half of them beyond half the box."""
    cases = [(box, count, cutoff) for box in (CUBE, BRICK, TILTED, FCC)
             for count, cutoff in ((1, 1.25), (1, 3.5), (2, 0.8125), (12, 1.0625), (60, 0.3125), (400, 0.1875),
                                   (400, 0.46875), (3000, 0.09375))]
    selves = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, (box, count, cutoff) in enumerate(cases):
            selves += check_case(command, pathlib.Path(folder), number, box, count, cutoff)
    assert selves > 100, f"only {selves} atoms met their own image"
    print(f"{len(cases)} cells agree, {selves} atoms met their own image")


if __name__ == "__main__":
    main(sys.argv[1])
