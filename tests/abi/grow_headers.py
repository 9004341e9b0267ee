#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Copies the public headers, with 64 bytes more at the end of every struct that begins with `size`: those of a later
version.

usage: grow_headers.py FROM TO [--first]

--first puts them at the struct's beginning instead, after `size`: what no version may do.
"""

import re
import sys
from pathlib import Path

GROWING = re.compile(r"(typedef struct (carom_\w+) \{\s*(?:/\*(?:(?!\*/).)*\*/\s*)?size_t size;\n)(.*?)(\n\} \2;)", re.DOTALL)
LATER = "\n    unsigned char later[64];"


def grow(text, first):
    """The text with its structs grown, and their names."""
    names = [name for _, name, _, _ in GROWING.findall(text)]
    template = r"\1" + LATER.lstrip("\n") + r"\n\3\4" if first else r"\1\3" + LATER + r"\4"
    return GROWING.sub(template, text), names


def members(text):
    return "\n".join(re.findall(r"typedef struct \w+ \{(.*?)\n\}", text, re.DOTALL))


def main():
    source, target = Path(sys.argv[1]), Path(sys.argv[2])
    target.mkdir(parents=True, exist_ok=True)
    texts = {path.name: path.read_text(encoding="utf-8") for path in sorted(source.glob("*.h"))}
    grown = []
    for name, text in texts.items():
        text, names = grow(text, "--first" in sys.argv)
        grown += names
        (target / name).write_text(text, encoding="utf-8")
    declared = members("\n".join(texts.values()))
    inside = [name for name in grown if re.search(rf"\n\s+{name} \w", declared)]
    if inside or not grown:
        sys.exit(f"structs that may grow are members of others: {', '.join(inside)}" if inside else "none may grow")
    print("\n".join(grown))


if __name__ == "__main__":
    main()
