#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plots the CSV file of scripts/bench-shapes: nanoseconds a pair by kind, one panel a question, the fastest way of each library.

usage: scripts/plot_shapes.py shapes.csv shapes.png
"""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

from plot_peers import COLOURS, save, title  # noqa: E402
from shapes_table import FAMILIES, OURS, QUESTIONS, best, by_question, read  # noqa: E402

OUR_MARKERS = {"carom-f32": "o", "carom-f64": "s", "carom-f32-avx2": "^"}


def kinds_of(rows):
    return list(dict.fromkeys(row["kind"] for row in rows))


def plot_points(axis, values, **style):
    """Points where there is a value."""
    points = [(x, y) for x, y in enumerate(values) if y is not None]
    if points:
        axis.semilogy(*zip(*points), linestyle="", **style)


def plot_question(axis, cells, kinds, question):
    found = [cells.get((kind, question), {}) for kind in kinds]
    for library, name in OURS.items():
        values = [cell[library]["ns"] if library in cell else None for cell in found]
        plot_points(axis, values, marker=OUR_MARKERS[library], color=COLOURS["carom"], label=f"Carom, {name}",
                    fillstyle="full" if library == "carom-f32" else "none")
    for name, label in FAMILIES.items():
        fastest = [best(cell, name) for cell in found]
        plot_points(axis, [row["ns"] if row else None for row in fastest], marker="_", markersize=12, markeredgewidth=2.5,
                    color=COLOURS.get(name, "#17becf"), label=label)
    axis.set_title(question, loc="left", fontsize=10)
    axis.set_ylabel("ns a pair")
    axis.grid(axis="y", alpha=0.3)


def plot(about, rows, path):
    kinds, cells = kinds_of(rows), by_question(rows)
    questions = [question for question in QUESTIONS if any(key[1] == question for key in cells)]
    figure, axes = plt.subplots(len(questions), 1, figsize=(12, 2.6 * len(questions) + 1.2), sharex=True, squeeze=False)
    for axis, question in zip(axes[:, 0], questions):
        plot_question(axis, cells, kinds, question)
    axes[-1, 0].set_xticks(range(len(kinds)), kinds, rotation=30, ha="right")
    handles = {}
    for axis in axes[:, 0]:
        handles.update(zip(*reversed(axis.get_legend_handles_labels())))
    labels = [label for label in [f"Carom, {name}" for name in OURS.values()] + list(FAMILIES.values()) if label in handles]
    figure.legend([handles[label] for label in labels], labels, ncol=len(labels), fontsize=8, loc="upper center",
                  bbox_to_anchor=(0.5, 1 - 0.6 / figure.get_figheight()))
    figure.suptitle(title(about, "Random pairs of shapes"), fontsize=11, y=1 - 0.1 / figure.get_figheight())
    figure.tight_layout(rect=(0, 0, 1, 1 - 0.9 / figure.get_figheight()))
    save(figure, path, about)


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    plot(*read(sys.argv[1]), sys.argv[2])
    return 0


if __name__ == "__main__":
    sys.exit(main())
