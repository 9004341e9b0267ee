#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that README.md shows the example that the tests compile, letter for letter, and what it really prints.

usage: check_readme.py README.md EXAMPLE.c PROGRAM
"""

import re
import subprocess
import sys


def main():
    readme_path, source_path, program = sys.argv[1:4]
    with open(readme_path, encoding="utf-8") as file:
        readme = file.read()
    with open(source_path, encoding="utf-8") as file:
        source = file.read()
    output = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    shown = re.findall(r"```c\n(.*?)```", readme, flags=re.DOTALL)
    if source not in shown:
        print(f"{readme_path} does not show {source_path} as it is")
        return 1
    if not output or output.strip() not in readme:
        print(f"{readme_path} does not show what the example prints: {output!r}")
        return 1
    print("the example in README.md is the one that was compiled")
    return 0


if __name__ == "__main__":
    sys.exit(main())
