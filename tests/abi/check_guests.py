#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a program of today with a library whose structs are longer, and one of a later version with today's library:
they print what today's program prints with today's library. Under valgrind, if there is one, none reads or writes
beyond a struct of its own.

usage: check_guests.py VALGRIND|- TODAY TODAY_WITH_LATER LATER_WITH_TODAY
"""

import os
import subprocess
import sys

# Valgrind knows no AVX-512; results are the same on all instruction sets.
ENVIRONMENT = dict(os.environ, CAROM_ISA="scalar")
WATCH = ["--quiet", "--error-exitcode=9", "--leak-check=full", "--errors-for-leak-kinds=definite"]


def run(valgrind, program, *arguments):
    command = ([] if valgrind == "-" else [valgrind, *WATCH]) + [program, *arguments]
    result = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def main():
    valgrind, today, today_with_later, later_with_today = sys.argv[1:]
    wanted = run(valgrind, today)
    if wanted.count("ok") < 30 or " 0 of" in wanted:
        sys.exit(f"the program finds too little:\n{wanted}")
    for program in today_with_later, later_with_today:
        got = run(valgrind, program)
        if got != wanted:
            sys.exit(f"{program} printed\n{got}instead of\n{wanted}")
    refusals = run(valgrind, later_with_today, "unknown")
    if refusals.count("all refused") != 2:
        sys.exit(f"what the library does not know was taken:\n{refusals}")
    print(wanted + refusals + ("without valgrind" if valgrind == "-" else "clean under valgrind"))


if __name__ == "__main__":
    main()
