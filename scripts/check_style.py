#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks kernel/ and simd/ for what a compiler does not: rooms, cycles, names, templates, lengths, file heads.

usage: check_style.py [--rules] [--count] [ROOT]

Runs as a test. Prints one finding a line (a cycle takes more) and exits 1 if there is any. --rules says what is
checked, --count prints only how many findings each rule has. The rules are in scripts/style/rules.py, the table of
rooms in scripts/style/tables.py.
"""

import argparse
import pathlib
import sys

sys.dont_write_bytecode = True  # the source tree stays as it is

from style import rules, source


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rules", action="store_true", help="say what is checked")
    parser.add_argument("--count", action="store_true", help="only count the findings of each rule")
    parser.add_argument("root", nargs="?", default=pathlib.Path(__file__).resolve().parent.parent)
    options = parser.parse_args()
    if options.rules:
        for rule in rules.RULES:
            print(f"{rule.__name__}: {' '.join(rule.__doc__.split())}")
        return 0
    tree = source.Tree(options.root)
    findings = rules.check(tree)
    for rule, found in findings.items():
        if options.count:
            print(f"{len(found):5} {rule}")
        else:
            print("".join(f"{finding} [{rule}]\n" for finding in found), end="")
    total = sum(map(len, findings.values()))
    print(f"{len(tree.files)} files, {len(findings)} rules, {total} findings")
    return 1 if total > 0 or not tree.files else 0


if __name__ == "__main__":
    sys.exit(main())
