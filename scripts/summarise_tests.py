#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints one closing line for a run of the tests from Meson's log: "N passed, N failed, N skipped".

A run without a single test counts as failed.
"""

import json
import sys


def main():
    results = []
    with open(sys.argv[1], encoding="utf-8") as log:
        for line in log:
            if line.strip():
                results.append(json.loads(line)["result"])
    passed = sum(result in ("OK", "EXPECTEDFAIL") for result in results)
    skipped = sum(result == "SKIP" for result in results)
    failed = len(results) - passed - skipped
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 0 if failed == 0 and passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
