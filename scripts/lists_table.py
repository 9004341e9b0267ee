#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns the CSV file of scripts/bench-lists into Markdown: neighbour lists, and box pairs where they were measured.

usage: scripts/lists_table.py lists.csv lists.md
"""

import sys

from peers_table import figure, read

INTRO = """
Spheres at rest, one radius: scene d with radii times 2.154 (d30, 28 to 31 neighbours a body) and 3.2 (d110, 100 to 114), scene u times
3.36 (u29, 27 to 30); u29m has radii from 3/4 to 5/4 of u29's. All libraries find each body's touching neighbours and store them: `full`
has each pair twice, in the lists of both bodies; `half` has it once; `count` only counts. `carom-detect` is a detection that also makes
a contact row for each pair. Carom's lists ascend, vesin's `sorted` ones are grouped by body, the others' are in no order. vesin computes
in double, all others in float; Carom's decisions are exact. In brackets: the time over that of Carom's list of the same form. "Shuffled"
bodies lie in memory in random order, "sorted" ones along a Morton curve. `zsort` is TreeNSearch's own order of bodies, made beforehand and
not timed. TreeNSearch and vesin take one radius; a dash says so. A star: one run only. All counts were checked
(`bench/peers/list_peer.h`). Times are nanoseconds a body.
"""

PAIRS = """
## Box pairs

From ready-made boxes to all overlapping pairs, cold (`bench/peers/peer.h`); Carom from the bodies. In brackets: the time over Carom's.
"""


def form(library):
    """The form of its lists: count, half or full."""
    return "full" if library == "carom-detect" else library.rsplit("-", 1)[1]


def table(cells, scenes, rival):
    """Libraries by scenes; rival(library) names the entry of Carom's that each is divided by."""
    text = "| library | " + " | ".join(scenes) + " |\n|---|" + "---|" * len(scenes) + "\n"
    for library in dict.fromkeys(library for _, library in cells):
        entries = []
        for scene in scenes:
            row, ours = cells.get((scene, library)), cells.get((scene, rival(library)))
            entries.append("-" if row is None else entry(row, ours))
        text += f"| {library} | " + " | ".join(entries) + " |\n"
    return text


def entry(row, ours):
    if row["status"] == "wrong" or row["ns"] is None:
        return row["status"]
    ratio = f" ({row['ns'] / ours['ns']:.2f})" if ours is not None and ours is not row else ""
    return figure(row["ns"]) + ratio + (" *" if row["status"] == "once" else "")


def tables(rows, heading, rival):
    """A table for each size and order of bodies."""
    text = ""
    for bodies, order in dict.fromkeys((row["bodies"], row["order"]) for row in rows):
        own = [row for row in rows if (row["bodies"], row["order"]) == (bodies, order)]
        cells = {(row["scene"], row["library"]): row for row in own}
        scenes = list(dict.fromkeys(row["scene"] for row in own))
        text += "\n" + heading.format(bodies=f"{bodies:,}", order=order) + "\n\n" + table(cells, scenes, rival)
    return text


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    about, rows = read(sys.argv[1])
    lists = [row for row in rows if len(row["scene"]) > 1]
    pairs = [row for row in rows if len(row["scene"]) == 1]
    copies = f" Copies, so measured once: {about['copies']}." if about["copies"] != "-" else ""
    text = (f"# Neighbour lists of Carom and other libraries\n\n{about['machine']}, one thread, {about['date']}. {about['libraries']}.{copies} "
            f"Build: {about['build']}. Clock: {about['clock']}.\n{INTRO}")
    text += tables(lists, "## {bodies} bodies, {order}", lambda library: "carom-" + form(library))
    if pairs:
        text += PAIRS + tables(pairs, "### {bodies} bodies", lambda _: "carom-pairs")
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
