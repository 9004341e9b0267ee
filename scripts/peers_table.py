#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns the CSV files of scripts/bench-peers into Markdown: a summary, then every library on every scene.

usage: scripts/peers_table.py peers.csv peers.md [--readme README.md]

Where peers_coherent.csv lies beside peers.csv, its steps become a section.
With --readme the summary also replaces what stands between the two lines <!-- peers --> and <!-- /peers --> of that file.
"""

import csv
import pathlib
import sys

SCENES = {"u": "uniform", "d": "dense", "p": "power law", "c": "clustered", "l": "slab", "a": "column",
          "d30": "dense, 30 neighbours"}
HAND_WRITTEN = ("grid", "tuned-grid", "sweep", "all-pairs")  # these, and with -avx2 and so on behind them
SMALL = 10000  # scenes with fewer bodies are many, and are told apart from the others
MARKS = ("<!-- peers -->\n", "<!-- /peers -->\n")


def read(path):
    """The file's comments as a dictionary, and its rows as dictionaries with numbers in them; ns None where skipped."""
    with open(path, newline="", encoding="utf-8") as file:
        lines = file.readlines()
    about = dict(line[2:].strip().split(": ", 1) for line in lines if line.startswith("#"))
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    for row in rows:
        row["bodies"], row["threads"] = int(row["bodies"]), int(row["threads"])
        row["ns"] = float(row["ns_per_body"]) if row["ns_per_body"] else None
    return about, rows


def ours(library):
    return library.startswith("carom")


def is_hand_written(library):
    return library.split("-avx")[0] in HAND_WRITTEN


def is_library(library):
    """Neither Carom nor a peer that is written here."""
    return not ours(library) and not is_hand_written(library)


def figure(ns):
    if ns is None:
        return "-"
    return f"{ns:.1f}" if ns < 100 else f"{ns:,.0f}"


def times(slower, faster):
    return "-" if slower is None or faster is None else f"{slower / faster:.1f}"


def by_cell(rows):
    """{(scene, bodies): {library: ns}} of the right results on one thread."""
    cells = {}
    for row in rows:
        if row["threads"] == 1:
            right = row["status"] != "wrong"
            cells.setdefault((row["scene"], row["bodies"]), {})[row["library"]] = row["ns"] if right else None
    return cells


def best(cell, kind):
    """(ns, library) of the fastest for which kind(library) holds."""
    known = [(ns, library) for library, ns in cell.items() if ns is not None and kind(library)]
    return min(known, default=(None, "-"))


def preamble(about):
    return (f"{about['cpu']}, {about['cores']} cores, {about['date']}. {about['libraries']}. Build: {about['build']}. "
            f"Clock: {about['clock']}; load before the start {about['load']}. One thread.\n")


def summary(rows, small=False):
    lines = ["| scene | bodies | best library | its ns/body | best hand-written | its ns/body | Carom, pairs | Carom, groups | "
             "best library / Carom, groups | hand-written / Carom, pairs | hand-written / Carom, groups |",
             "|---|---|---|---|---|" + "---|" * 6]
    for (scene, bodies), cell in by_cell(rows).items():
        if (bodies < SMALL) == small:
            ns, library = best(cell, is_library)
            hand, written = best(cell, is_hand_written)
            pairs, groups = (cell.get(name) for name in ("carom-pairs", "carom-groups"))
            lines.append(f"| {scene} {SCENES[scene]} | {bodies:,} | {library} | {figure(ns)} | {written} | {figure(hand)} "
                         f"| {figure(pairs)} | {figure(groups)} | {times(ns, groups)} | {times(hand, pairs)} "
                         f"| {times(hand, groups)} |")
    return "\n".join(lines) + "\n"


def small_summary(rows):
    if all(row["bodies"] >= SMALL for row in rows):
        return ""
    scenes = max(int(row.get("scenes") or 1) for row in rows)
    return f"\n## Small scenes, ns per body, mean of {scenes} scenes in turn\n\n" + summary(rows, small=True)


def full(rows):
    cells = by_cell(rows)
    once = {(row["scene"], row["bodies"], row["library"]) for row in rows if row["status"] == "once"}
    wrong = {(row["scene"], row["bodies"], row["library"]) for row in rows if row["status"] == "wrong"}
    text = ""
    for scene in dict.fromkeys(scene for scene, _ in cells):
        sizes = sorted(bodies for letter, bodies in cells if letter == scene)
        text += f"\n## {scene} {SCENES[scene]}, ns per body\n\n| library | " + " | ".join(f"{n:,}" for n in sizes) + " |\n"
        text += "|---|" + "---|" * len(sizes) + "\n"
        for library in dict.fromkeys(library for bodies in sizes for library in cells[scene, bodies]):
            entries = []
            for bodies in sizes:
                key = (scene, bodies, library)
                mark = "wrong" if key in wrong else figure(cells[scene, bodies].get(library)) + (" *" if key in once else "")
                entries.append(mark)
            text += f"| {library} | " + " | ".join(entries) + " |\n"
    return text


def thread_table(rows):
    threads = sorted({row["threads"] for row in rows})
    if len(threads) < 2:
        return ""
    several = {(row["scene"], row["bodies"], row["library"]) for row in rows if row["threads"] > 1}
    ns = {(row["scene"], row["bodies"], row["library"], row["threads"]): row["ns"] for row in rows}
    text = "\n## Threads, ns per body, wall time\n\n| scene | bodies | library | " + " | ".join(map(str, threads)) + " |\n"
    text += "|---|---|---|" + "---|" * len(threads) + "\n"
    for key in [key[:3] for key in ns if key[3] == 1 and key[:3] in several]:
        text += f"| {key[0]} | {key[1]:,} | {key[2]} | " + " | ".join(figure(ns.get((*key, t))) for t in threads) + " |\n"
    return text


def coherent_table(path):
    """Steps of moving bodies, a column a case."""
    if not path.exists():
        return ""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    if not rows:
        return ""
    cases = list(dict.fromkeys((row["scene"], int(row["bodies"]), row["radii"]) for row in rows))
    ns = {(row["scene"], int(row["bodies"]), row["radii"], row["library"]): row for row in rows}
    text = f"\n## Steps of moving bodies, ns per body and step, means of {rows[0]['steps']} steps\n\n| library | "
    text += " | ".join(f"{scene} {bodies:,}, {radii} radii a step" for scene, bodies, radii in cases) + " |\n"
    text += "|---|" + "---|" * len(cases) + "\n"
    for library in dict.fromkeys(row["library"] for row in rows):
        found = [ns.get((*case, library)) for case in cases]
        entries = ["-" if row is None else "wrong" if row["status"] == "wrong" else
                   figure(float(row["ns_per_body"]) if row["ns_per_body"] else None) for row in found]
        text += f"| {library} | " + " | ".join(entries) + " |\n"
    return text + COHERENT_RULES


RULES = """
Libraries get ready-made boxes, have their long-lived objects and their memory ready, and are timed from there to the
list of all overlapping pairs; taking down is not timed. "Hand-written" peers are ours: the plain grid that anybody
would write first, and what a careful engineer writes with vector instructions: a tuned grid, a sort and sweep, all pairs.
They get the same boxes. Carom is timed from the bodies, boxes included: `pairs` to that
same list, `groups` on to who touches, contacts and groups. All in one process, in turns, with the counts of pairs checked
(`bench/peers/peer.h`). A star: one run only, as it passed the limit. A dash: left out, as it would have. Calls on small
scenes go through many of them in turn, as a branch predictor learns one by heart.
"""

COHERENT_RULES = """
The bodies move from step to step, and a library keeps what it likes (`bench/peers/coherent_peer.h`). "Cold" keeps nothing.
Each takes a turn in every step. Times are means of all steps but the first, with all that is rebuilt.
"""


def put_into(path, text, marks=MARKS):
    with open(path, encoding="utf-8") as file:
        before, rest = file.read().split(marks[0], 1)
    after = rest.split(marks[1], 1)[1]
    with open(path, "w", encoding="utf-8") as file:
        file.write(before + marks[0] + text + marks[1] + after)


def main():
    if len(sys.argv) not in (3, 5) or (len(sys.argv) == 5 and sys.argv[3] != "--readme"):
        print(__doc__, file=sys.stderr)
        return 2
    about, rows = read(sys.argv[1])
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write("# Carom and its peers\n\n" + preamble(about) + RULES + "\n## Summary, ns per body\n\n" + summary(rows))
        file.write(small_summary(rows) + coherent_table(pathlib.Path(sys.argv[1]).parent / "peers_coherent.csv"))
        file.write(full(rows) + thread_table(rows))
    if len(sys.argv) == 5:
        put_into(sys.argv[4], preamble(about) + "\n" + summary(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
