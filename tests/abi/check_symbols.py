#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what the shared library exports, with symbol versions, with the list of its linker map, and that with what
the public headers declare.

usage: check_symbols.py NM LIBRARY MAP HEADER...
"""

import re
import subprocess
import sys

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
NODE = re.compile(r"(\w[\w.]*)\s*\{(.*?)\}", re.DOTALL)
DECLARED = re.compile(r"\bCAROM_API\b[^;]*?\b(carom_\w+)\s*\(")


def read(path):
    with open(path, encoding="utf-8") as file:
        return COMMENT.sub("", file.read())


def listed(path):
    """function@@version for all of a map."""
    symbols = set()
    for version, body in NODE.findall(read(path)):
        names = re.findall(r"\w+(?=;)", body.replace("local:", ""))
        symbols |= {f"{name}@@{version}" for name in names}
    return symbols


def exported(nm, library):
    """The same for a library; the versions themselves are absolute symbols."""
    lines = subprocess.run([nm, "-D", "--defined-only", "--with-symbol-versions", library], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    return {line.split()[2] for line in lines if line.split()[1] != "A"}


def declared(headers):
    return {name for path in headers for name in DECLARED.findall(re.sub(r"(?m)^#.*$", "", read(path)))}


def differences(name, one, other_name, other):
    return [f"{symbol}: in {name}, not in {other_name}" for symbol in sorted(one - other)] + \
           [f"{symbol}: in {other_name}, not in {name}" for symbol in sorted(other - one)]


def main():
    nm, library, map_path, *headers = sys.argv[1:]
    symbols = listed(map_path)
    found = differences("the library", exported(nm, library), "the map", symbols)
    found += differences("the headers", declared(headers), "the map", {symbol.split("@")[0] for symbol in symbols})
    print("\n".join(found) or f"{len(symbols)} functions, as listed")
    return 1 if found or not symbols else 0


if __name__ == "__main__":
    sys.exit(main())
