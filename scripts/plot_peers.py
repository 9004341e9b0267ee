#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plots the CSV file of scripts/bench-peers: times over sizes, bars at the largest size, thread scaling.

usage: scripts/plot_peers.py peers.csv FOLDER
"""

import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

from peers_table import SCENES, SMALL, by_cell, read  # noqa: E402

SHOWN = {scene: name for scene, name in SCENES.items() if len(scene) == 1}  # six panels

# One colour a library, its variants told apart by their line.
COLOURS = {"carom": "#d62728", "grid": "#000000", "tuned": "#e377c2", "sweep": "#17becf", "all": "#bcbd22",
           "embree": "#1f77b4", "cgal": "#2ca02c", "bullet": "#ff7f0e", "ode": "#9467bd", "fcl": "#8c564b"}
BOLD = {"carom-groups", "carom-pairs", "grid", "tuned-grid"}
DASHES = ["-", "--", "-.", ":"]


def family(library):
    return library.split("-")[0]


def styles(libraries):
    seen = {}
    result = {}
    for library in libraries:
        n = seen[family(library)] = seen.get(family(library), -1) + 1
        bold = library in BOLD
        result[library] = {"color": COLOURS.get(family(library), "#7f7f7f"), "linestyle": DASHES[n % 4],
                           "linewidth": 2.4 if bold else 1.2,
                           "marker": "o" if bold else "."}
    return result


def title(about, text):
    return f"{text}\n{about['cpu']}, one thread, {about['date']}"


def save(figure, path, about):
    figure.text(0.995, 0.005, about["libraries"], ha="right", va="bottom", fontsize=6, color="#555555")
    figure.savefig(path, dpi=110)
    plt.close(figure)


def plot_scenes(about, cells, path):
    libraries = list(dict.fromkeys(library for cell in cells.values() for library in cell))
    style = styles(libraries)
    figure, axes = plt.subplots(2, 3, figsize=(15, 9), sharex=True, sharey=True)
    for axis, (scene, name) in zip(axes.flat, SHOWN.items()):
        for library in libraries:
            points = [(bodies, cell[library]) for (letter, bodies), cell in sorted(cells.items())
                      if letter == scene and cell.get(library) is not None]
            if points:
                axis.loglog(*zip(*points), label=library, **style[library])
        axis.set_title(f"{scene} {name}")
        axis.grid(True, which="both", alpha=0.2)
    for axis in axes[1]:
        axis.set_xlabel("bodies")
    for axis in axes[:, 0]:
        axis.set_ylabel("ns per body")
    handles = {label: handle for axis in axes.flat for handle, label in zip(*axis.get_legend_handles_labels())}
    figure.legend([handles[name] for name in libraries if name in handles], [name for name in libraries if name in handles],
                  loc="center right", fontsize=8, handlelength=3.5)
    figure.suptitle(title(about, "From boxes to all overlapping pairs; Carom from bodies to pairs and to groups"))
    figure.tight_layout(rect=(0, 0.02, 0.85, 1))
    save(figure, path, about)


def plot_bars(about, cells, path):
    size = max(bodies for _, bodies in cells)
    shown = [ns for (_, bodies), cell in cells.items() if bodies == size for ns in cell.values() if ns is not None]
    figure, axes = plt.subplots(2, 3, figsize=(15, 10), sharex=True)
    for axis, (scene, name) in zip(axes.flat, SHOWN.items()):
        cell = cells.get((scene, size), {})
        known = sorted(((ns, library) for library, ns in cell.items() if ns is not None), reverse=True)
        if known:
            axis.barh([library for _, library in known], [ns for ns, _ in known], log=True,
                      color=[COLOURS.get(family(library), "#7f7f7f") for _, library in known])
            for row, (ns, _) in enumerate(known):
                axis.text(ns * 1.05, row, f"{ns:,.0f}", va="center", fontsize=7)
        axis.set_xlim(min(shown) / 2, max(shown) * 4)
        axis.set_title(f"{scene} {name}")
        axis.tick_params(axis="y", labelsize=8)
    for axis in axes[1]:
        axis.set_xlabel("ns per body")
    figure.suptitle(title(about, f"{size:,} bodies, cold"))
    figure.tight_layout(rect=(0, 0.02, 1, 1))
    save(figure, path, about)


def plot_threads(about, rows, path):
    several = {row["library"] for row in rows if row["threads"] > 1}
    if not several:
        return
    scene = next(row["scene"] for row in rows if row["threads"] > 1)
    size = max(row["bodies"] for row in rows if row["threads"] > 1)
    figure, axis = plt.subplots(figsize=(7, 5))
    most = 1
    style = styles(sorted(several))
    for library in sorted(several):
        points = sorted((row["threads"], row["ns"]) for row in rows if row["library"] == library and
                        row["scene"] == scene and row["bodies"] == size and row["ns"] is not None)
        if points and points[0][0] == 1:
            most = max(most, points[-1][0])
            axis.plot([t for t, _ in points], [points[0][1] / ns for _, ns in points], label=library, **style[library])
    axis.plot([1, most], [1, most], color="#cccccc", linewidth=1, zorder=0)
    axis.set_xticks(range(1, most + 1, max(1, most // 16)))
    axis.set_xlabel("threads")
    axis.set_ylabel("speed against one thread")
    axis.grid(True, alpha=0.2)
    axis.legend(fontsize=8)
    axis.set_title(f"Scene {scene}, {size:,} bodies\n{about['cpu']}, {about['date']}", fontsize=10)
    figure.tight_layout(rect=(0, 0.02, 1, 1))
    save(figure, path, about)


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    about, rows = read(sys.argv[1])
    folder = pathlib.Path(sys.argv[2])
    cells = {(scene, bodies): cell for (scene, bodies), cell in by_cell(rows).items() if scene in SHOWN}
    large = {key: cell for key, cell in cells.items() if key[1] >= SMALL} or cells
    plot_scenes(about, cells, folder / "peers_scenes.png")
    plot_bars(about, large, folder / "peers_bars.png")
    plot_threads(about, rows, folder / "peers_threads.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
