#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times steps of worlds beside detection of the same bodies, over the number of bodies.

usage: scripts/bench-impacts [--quick] [--rounds R] [--out FOLDER]

Runs build/bench/carom_impacts in turns on scenes u, d and p, on one thread. Writes impacts.csv, a row for each steady
step, and impacts.png (default: bench/results, 3 rounds). All of it takes about five minutes; --quick takes one round of
1e4 bodies.
"""

import argparse
import collections
import csv
import datetime
import pathlib
import platform
import statistics
import subprocess
import sys

from peers_table import SCENES

PROGRAM = "build/bench/carom_impacts"

# Steps that a scene is run for, and the first of those that count: bodies overlap at first, and as they fly apart they
# have fewer impacts with each step.
STEPS = {"u": (8, 5), "d": (10, 7), "p": (12, 8)}
COLOURS = {"u": "#1f77b4", "d": "#d62728", "p": "#2ca02c"}
SIZES = [10_000, 30_000, 100_000, 300_000, 1_000_000, 4_000_000]
SLOW = {("d", 4_000_000), ("p", 4_000_000)}
FIELDS = ["scene", "bodies", "round", "step", "impacts_a_body", "detection_ns", "step_ns"]

# What the program's table calls the last three.
COLUMNS = ["impacts a body", "detection", "ns a body"]


def rows_of(scene, bodies, round_number):
    steps, first = STEPS[scene]
    done = subprocess.run([PROGRAM, scene, str(bodies), str(steps)], capture_output=True, text=True, check=True)
    head, _, *lines = ([cell.strip() for cell in line.strip("|").split("|")] for line in done.stdout.splitlines())
    for line in lines:
        cells = dict(zip(head, line))
        if int(cells["step"]) >= first:
            yield [scene, bodies, round_number, int(cells["step"]), *(float(cells[name]) for name in COLUMNS)]


def measure(sizes, rounds):
    rows = []
    for number in range(rounds):
        for bodies in sizes:
            for scene in STEPS:
                if (scene, bodies) not in SLOW:
                    rows += rows_of(scene, bodies, number + 1)
                    print(f"round {number + 1} of {rounds}: {scene} {bodies}", file=sys.stderr)
    return rows


def processor():
    info = pathlib.Path("/proc/cpuinfo")
    names = [line.split(":", 1)[1].strip() for line in info.read_text().splitlines() if line.startswith("model name")]
    return names[0] if names else platform.machine()


def medians(rows, value):
    """Of each scene: numbers of bodies, and the median over rounds of the mean of their steps."""
    means = collections.defaultdict(list)
    for key in {(row[0], row[1], row[2]) for row in rows}:
        means[key[:2]].append(statistics.mean(value(row) for row in rows if tuple(row[:3]) == key))
    for scene in STEPS:
        points = sorted((bodies, statistics.median(values)) for (letter, bodies), values in means.items()
                        if letter == scene)
        yield scene, *zip(*points)


def plot(rows, path):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, (times, ratios) = plt.subplots(1, 2, figsize=(12, 5))
    for scene, bodies, values in medians(rows, lambda row: row[6]):
        times.loglog(bodies, values, color=COLOURS[scene], marker="o", label=f"{scene} {SCENES[scene]}, step")
    for scene, bodies, values in medians(rows, lambda row: row[5]):
        times.loglog(bodies, values, color=COLOURS[scene], linestyle="--", label=f"{scene}, detection")
    for scene, bodies, values in medians(rows, lambda row: row[6] / row[5]):
        ratios.semilogx(bodies, values, color=COLOURS[scene], marker="o", label=scene)
    times.set_ylabel("ns a body")
    ratios.set_ylabel("step over detection")
    ratios.set_ylim(bottom=0)
    for axis in (times, ratios):
        axis.set_xlabel("bodies")
        axis.grid(True, which="major", alpha=0.4)
        axis.legend(fontsize=8)
    figure.suptitle(f"Steady steps with impacts, double, one thread\n{processor()}, {datetime.date.today()}")
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def main():
    parser = argparse.ArgumentParser(prog="bench-impacts", description=__doc__.split("\n\n")[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--out", default="bench/results")
    options = parser.parse_args()
    out = pathlib.Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    rows = measure(SIZES[:1] if options.quick else SIZES, 1 if options.quick else options.rounds)
    with open(out / "impacts.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(FIELDS)
        writer.writerows(rows)
    plot(rows, out / "impacts.png")


if __name__ == "__main__":
    main()
