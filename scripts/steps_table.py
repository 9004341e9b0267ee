#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns what scripts/bench-steps collects, a JSON object on each line, into one JSON file and Markdown.

usage: scripts/steps_table.py steps.jsonl steps.json steps.md [--readme README.md]

With --readme a summary also replaces what stands between the two lines <!-- steps --> and <!-- /steps --> of that file.
"""

import json
import sys

from peers_table import SCENES, figure, put_into

MARKS = ("<!-- steps -->\n", "<!-- /steps -->\n")
NAMES = {"carom": "Carom", "queue": "plain event queue", "bullet": "Bullet", "bullet, 10 parts": "Bullet, steps of a tenth",
         "bullet, continuous": "Bullet, continuous", "ode": "ODE", "ode, 10 parts": "ODE, steps of a tenth"}

RULES = """
`scripts/bench-steps` repeats this. Each moves the same spheres of mass 1, without friction, gravity and rest, with
restitution 1, through steps of length 1; a *step of a tenth* is ten of the library's steps for each of these. Loading
bodies into a library and reading them is not timed. Times are nanoseconds of processor time of one thread, a body and
step: medians of interleaved rounds of the mean step after the first one. A turn of more than 10 s is the only one.

- *Over Carom*: the time over Carom's.
- *First step*: the least time of the first step. Memory may be new, and many bodies overlap in the scene u.
- *Energy*: relative change of the energy after all steps. It should stay.
- *Impacts*: of all steps, over those of the exact motion. Bullet: contacts with an impulse. ODE: overlapping pairs that
  approached when a step began. Motions differ after the first impacts, so this compares rates.
- *Missed*: of the pairs for both of which their impact is the first in the exact first step, and not at its very
  beginning, those of which a body still has its very velocity after two steps. Both fly freely until then in any library,
  an impact changes both velocities, and libraries that answer to overlaps do so in the step after. Other bodies may have
  hit both instead: it is a lower bound.
- *Overlaps*: pairs deeper in one another than a hundredth of their radii after all steps, for each 1,000 bodies. The scene
  u begins with such pairs.

Bullet and ODE are set up as `bench/peers/step_bullet.cpp` and `step_ode.cpp` say: they do not push overlapping bodies apart.
"""


def read(path):
    with open(path, encoding="utf-8") as file:
        about, *rows = (json.loads(line) for line in file)
    return about, rows


def share(value):
    """In per cent, or as a power of ten where it is tiny."""
    return f"{value:.0e}" if abs(value) < 1e-6 else f"{100 * value:+.2f} %"


def of(rows, stepper):
    """The row of another stepper for each scene and size."""
    return {(row["scene"], row["bodies"]): row for row in rows if row["stepper"] == stepper}


def cells(row, ours, exact):
    missed = f"{row['missed']:,} of {row['certain']:,}" if row["missed"] else "0"
    return {"scene": f"{row['scene']} {SCENES[row['scene']]}", "bodies": f"{row['bodies']:,}", "steps by": NAMES[row["stepper"]],
            "ns a body": figure(row["ns_per_body"]), "first step": figure(row["first_ns_per_body"]), "over Carom": f"{row['ns_per_body'] / ours['ns_per_body']:.1f}",
            "energy": share(row["energy_error"]), "impacts": f"{row['impacts'] / exact['impacts']:.2f}", "missed": missed,
            "overlaps": f"{1000 * row['overlaps'] / row['bodies']:.1f}"}


def table(rows, columns):
    ours, exact = of(rows, "carom"), of(rows, "queue")
    text = "| " + " | ".join(columns) + " |\n" + "|---" * len(columns) + "|\n"
    for row in rows:
        key = row["scene"], row["bodies"]
        shown = cells(row, ours[key], exact[key])
        text += "| " + " | ".join(shown[column] for column in columns) + " |\n"
    return text


def preamble(about, rows):
    return (f"{about['cpu']}, {about['cores']} cores, {about['date']}. {about['versions'].removeprefix('libraries: ')}. "
            f"{rows[0]['steps']} steps, {max(row['rounds'] for row in rows)} rounds; load before the start {about['load']}.\n")


def main():
    if len(sys.argv) not in (4, 6) or (len(sys.argv) == 6 and sys.argv[4] != "--readme"):
        print(__doc__, file=sys.stderr)
        return 2
    about, rows = read(sys.argv[1])
    columns = ["scene", "bodies", "steps by", "ns a body", "over Carom", "first step", "energy", "impacts", "missed", "overlaps"]
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump({**about, "rows": rows}, file, indent=1)
        file.write("\n")
    with open(sys.argv[3], "w", encoding="utf-8") as file:
        file.write("# Steps of Carom and its peers\n\n" + preamble(about, rows) + RULES + "\n" + table(rows, columns))
    if len(sys.argv) == 6:
        most = max(row["bodies"] for row in rows)
        columns.remove("bodies")
        put_into(sys.argv[5], preamble(about, rows) + "\n" + table([row for row in rows if row["bodies"] == most], columns), MARKS)
    return 0


if __name__ == "__main__":
    sys.exit(main())
