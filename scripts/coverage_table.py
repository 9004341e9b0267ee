#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lines and branches that tests have run, from a build with coverage: coverage_table.py BUILD LINES_LEAST BRANCHES_LEAST

Sums what gcov says of every compilation of a source (one for each instruction set and precision; a line counts as run
if any of them ran it, a branch likewise by its number on the line). gcovr would do, but before its version 6 it refuses
headers that define a function twice under conditions, and simd/real.h does. Counts kernel/ and simd/. Branches on lines
that hold only braces, and those for C++'s exceptions, are not code and do not count. Writes what is not run to
BUILD/coverage.txt. Exits 1 below the least shares in percent.
"""

import collections
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COUNTED = re.compile(r"^(kernel|simd)/")
ONLY_BRACES = re.compile(r"^[\s{}();]*$")
WORST = 12


class File:
    def __init__(self):
        self.lines = collections.Counter()
        self.branches = collections.Counter()

    def missing_lines(self):
        return sorted(line for line, count in self.lines.items() if count == 0)

    def missing_branches(self):
        return sorted(branch for branch, count in self.branches.items() if count == 0)


def add(file, source, line):
    number = line["line_number"]
    file.lines[number] += line["count"]
    if ONLY_BRACES.match(source[number - 1]):
        return
    for n, branch in enumerate(line["branches"]):
        if not branch["throw"]:
            file.branches[number, n] += branch["count"]


def documents(build):
    data = sorted(str(path) for path in build.rglob("*.gcda"))
    for first in range(0, len(data), 16):
        command = ["gcov", "--json-format", "--stdout", "--branch-probabilities", *data[first : first + 16]]
        done = subprocess.run(command, cwd=build, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
        yield from (json.loads(text) for text in done.stdout.splitlines() if text.strip())


def collect(build):
    files = collections.defaultdict(File)
    sources = {}
    for document in documents(build):
        for entry in document["files"]:
            path = (build / entry["file"]).resolve()
            name = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else ""
            if not COUNTED.match(name):
                continue
            source = sources.setdefault(name, path.read_text(encoding="utf-8").splitlines())
            for line in entry["lines"]:
                add(files[name], source, line)
    return files


def ranges(numbers):
    """1, 2, 3, 7 as "1-3 7"."""
    text = []
    for number in numbers:
        if text and text[-1][1] == number - 1:
            text[-1][1] = number
        else:
            text.append([number, number])
    return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in text)


def print_worst(files, kind, missing, total):
    print(f"most {kind} not run:")
    for name, file in sorted(files.items(), key=lambda item: -len(missing(item[1])))[:WORST]:
        if missing(file):
            print(f"  {name:40} {len(missing(file)):5} of {total(file)}")


def share(files, missing, total):
    every = sum(total(file) for file in files.values())
    return 100.0 * (1 - sum(len(missing(file)) for file in files.values()) / every), every


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    least = [float(word) for word in sys.argv[2:4]]
    files = collect(build)
    with open(build / "coverage.txt", "w", encoding="utf-8") as out:
        for name, file in sorted(files.items()):
            taken = sorted({line for line, _ in file.missing_branches()})
            print(f"{name}\n  lines {ranges(file.missing_lines())}\n  branches on lines {ranges(taken)}", file=out)
    kinds = [("lines", File.missing_lines, lambda file: len(file.lines)),
             ("branches", File.missing_branches, lambda file: len(file.branches))]
    failed = False
    for kind in kinds:
        print_worst(files, *kind)
    for (kind, missing, total), wanted in zip(kinds, least):
        run, every = share(files, missing, total)
        failed |= run < wanted
        print(f"{kind}: {run:.1f} % of {every} (at least {wanted:g} %)")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
