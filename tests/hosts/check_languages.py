#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles, links and runs a host as C99, C11, C17, C++17 and C++20, with gcc and with clang if it is there, and every
public header alone. No warning may come.

usage: check_languages.py LIBRARY INCLUDE_DIR HOST.c
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

COMPILERS = {"c": ["gcc", "clang", "clang-14"], "c++": ["g++", "clang++", "clang++-14"]}
STANDARDS = {"c": ["c99", "c11", "c17"], "c++": ["c++17", "c++20"]}
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]


def compilers(language):
    """The paths of those that are there, each once."""
    found = [shutil.which(name) for name in COMPILERS[language]]
    return list({Path(path).resolve(): path for path in found if path}.values())


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def check_headers(command, include, folder):
    for header in sorted((include / "carom").glob("*.h")):
        source = folder / "alone.c"
        source.write_text(f"#include <carom/{header.name}>\nextern int not_empty;\n", encoding="utf-8")
        run(*command, "-fsyntax-only", str(source))


def check_host(command, library, host, folder):
    program = str(folder / "host")
    run(*command, host, "-x", "none", library, f"-Wl,-rpath,{Path(library).parent}", "-o", program)
    return run(program)


def main():
    library, include, host = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2]), sys.argv[3]
    tried = 0
    with tempfile.TemporaryDirectory() as name:
        for language, standards in STANDARDS.items():
            for compiler in compilers(language):
                for standard in standards:
                    command = [compiler, f"-std={standard}", *WARNINGS, f"-I{include}", "-x", language]
                    check_headers(command, include, Path(name))
                    print(compiler, standard, check_host(command, library, host, Path(name)), end="")
                    tried += 1
    if tried == 0:
        sys.exit("there is no compiler")


if __name__ == "__main__":
    main()
