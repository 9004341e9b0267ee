#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns the CSV file of scripts/bench-shapes into Markdown tables: times, and answers held against Carom's in double.

usage: scripts/shapes_table.py shapes.csv [measurements.md]

They are printed, or replace what stands between the two lines <!-- shapes --> and <!-- /shapes --> of that file.
"""

import csv
import sys

from peers_table import figure, put_into

MARKS = ("<!-- shapes -->\n", "<!-- /shapes -->\n")
OURS = {"carom-f32": "float", "carom-f64": "double", "carom-f32-avx2": "float, AVX2"}
FAMILIES = {"ccd": "libccd", "fcl": "FCL", "bullet": "Bullet", "ode": "ODE"}
QUESTIONS = ["state", "distance", "depth", "manifold", "toi"]
COUNTS = ("pairs", "compared", "disagreements", "numbers", "unanswered", "late", "ended")


def read(path):
    """The file's comments as a dictionary, and its rows as dictionaries with numbers in them."""
    with open(path, newline="", encoding="utf-8") as file:
        lines = file.readlines()
    about = dict(line[2:].strip().split(": ", 1) for line in lines if line.startswith("#"))
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    for row in rows:
        row.update({name: int(row[name]) for name in COUNTS})
        row.update({name: float(row[name]) for name in ("ns", "hit_rate", "greatest_error", "p999_error")})
    return about, rows


def family(library):
    return library.split("-")[0]


def variant(library):
    """What a library's name has after its family."""
    return library.partition("-")[2]


def by_question(rows):
    """{(kind, question): {library: row}}, in the order of the file."""
    cells = {}
    for row in rows:
        cells.setdefault((row["kind"], row["question"]), {})[row["library"]] = row
    return cells


def best(cell, name=None):
    """The fastest other library, or the fastest way of one."""
    others = [row for library, row in cell.items() if family(library) == name or (name is None and library not in OURS)]
    return min(others, key=lambda row: row["ns"], default=None)


def shown(row):
    """Its time, and which way it is of several."""
    if row is None:
        return "-"
    return f"{figure(row['ns'])} {variant(row['library'])}".strip()


def speed_line(kind, question, cell):
    ours = [cell.get(library) for library in OURS]
    other = best(cell)
    ratio = f"{other['ns'] / ours[0]['ns']:.1f}" if other and ours[0] else "-"
    hits = next(iter(cell.values()))["hit_rate"]
    fields = [kind, question, f"{100 * hits:.0f} %", *(figure(row["ns"]) if row else "-" for row in ours),
              *(shown(best(cell, name)) for name in FAMILIES), ratio]
    return "| " + " | ".join(fields) + " |\n"


def speed(rows):
    heads = ["pair", "question", "hits", *(f"Carom, {name}" for name in OURS.values()), *FAMILIES.values(), "best over Carom, float"]
    text = "| " + " | ".join(heads) + " |\n" + "|---" * len(heads) + "|\n"
    for (kind, question), cell in by_question(rows).items():
        text += speed_line(kind, question, cell)
    return text


def short(error):
    return f"{error:.2f}" if error >= 0.01 else f"{error:.0e}"


def accuracy_line(library, question, own):
    total = {name: sum(row[name] for row in own) for name in COUNTS}
    worst = max(own, key=lambda row: row["greatest_error"])
    errors = ["-", "-", "-"]
    if total["numbers"]:
        errors = [short(max(row["p999_error"] for row in own)), short(worst["greatest_error"]), worst["kind"]]
    fields = [library, question, f"{total['compared']:,}", f"{total['disagreements']:,}", f"{total['unanswered']:,}",
              f"{total['ended']:,}", f"{total['late']:,}" if question == "toi" else "-", *errors]
    return "| " + " | ".join(fields) + " |\n"


def accuracy(rows):
    heads = ["library", "question", "pairs", "wrong", "no number", "process ended", "late", "99.9 % error", "greatest", "of"]
    text = "| " + " | ".join(heads) + " |\n" + "|---" * len(heads) + "|\n"
    for library in dict.fromkeys(row["library"] for row in rows):
        for question in QUESTIONS:
            own = [row for row in rows if (row["library"], row["question"]) == (library, question)]
            if own and library != "carom-f64":
                text += accuracy_line(library, question, own)
    return text


def preamble(about, rows):
    return (f"{about['cpu']}, {about['cores']} cores, {about['date']}. {about['libraries']}. Build: {about['build']}. "
            f"{rows[0]['pairs']:,} pairs, {rows[0]['shapes']} shapes on each side. Clock: {about['clock']}; load before the start "
            f"{about['load']}. One thread.\n")


def tables(about, rows):
    return ("\n" + preamble(about, rows) + "\nNanoseconds a pair; of a library's ways the fastest, by name:\n\n" + speed(rows) +
            "\nAnswers held against Carom's in double, of all kinds together. *Wrong*: yes or no, farther than 1e-4 from touching "
            "(times: of all pairs). *Late*:\nby more than a thousandth of the step. Errors are absolute; shapes are about 1 large.\n\n" + accuracy(rows) + "\n")


def main():
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    text = tables(*read(sys.argv[1]))
    if len(sys.argv) == 2:
        print(text)
    else:
        put_into(sys.argv[2], text, MARKS)
    return 0


if __name__ == "__main__":
    sys.exit(main())
