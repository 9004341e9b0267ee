#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks what a compiler does not: which layer includes which, what only one file may use, lengths, file heads.

Runs as a test. Prints one line a finding and exits 1 if there is any.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Each layer may include itself and these. broad and narrow never include each other.
LAYERS = {
    "kernel/include/carom": set(),
    "kernel/check": set(),
    "simd": {"kernel/include/carom", "kernel/check"},
    "kernel/sys": {"kernel/include/carom"},
    "kernel/broad": {"kernel/include/carom", "simd", "kernel/sys"},
    "kernel/narrow": {"kernel/include/carom", "simd", "kernel/sys"},
    "kernel/step": {"kernel/include/carom", "simd", "kernel/sys", "kernel/broad", "kernel/narrow"},
    "kernel/scene": {"kernel/include/carom", "kernel/sys"},
    "kernel/api": {"kernel/include/carom", "simd", "kernel/sys", "kernel/step"},
    "kernel/io": {"kernel/include/carom", "kernel/sys"},
    "kernel/cli": {"kernel/include/carom", "kernel/sys", "kernel/io"},
}

# Only these files may use these names.
OWNERS = [
    (re.compile(r"\b(omp\.h|#pragma omp)"), {"kernel/sys/team.c"}),
    (re.compile(r"\b(simde/|immintrin\.h|arm_neon\.h)"), {"simd/vec.h"}),
    (re.compile(r"\b(malloc|calloc|realloc|aligned_alloc|posix_memalign|free)\s*\("), {"kernel/sys/memory.c"}),
    (re.compile(r"\b(getenv|secure_getenv)\s*\("), {"kernel/sys/environment.c"}),
]

FILE_LINES_MAX = 800
FUNCTION_LINES_MAX = 120
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
SPDX = "/* SPDX-License-Identifier: MIT\n"


def layer_of(path):
    """The layer that a path, written from the root, belongs to, or None."""
    best = None
    for layer in LAYERS:
        if path.startswith(layer + "/") and (best is None or len(layer) > len(best)):
            best = layer
    return best


def included_path(name):
    return "kernel/include/" + name if name.startswith("carom/") else name


def check_includes(path, text):
    layer = layer_of(path)
    for name in INCLUDE.findall(text):
        target = included_path(name)
        target_layer = layer_of(target)
        if target_layer is None:
            yield f'{path}: include "{name}" is not written from the root'
        elif target_layer != layer and target_layer not in LAYERS[layer]:
            yield f'{path}: layer {layer} may not include "{name}"'


def strip_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", lambda m: "\n" * m.group().count("\n"), text, flags=re.DOTALL)


def check_owners(path, code):
    for pattern, owners in OWNERS:
        found = pattern.search(code)
        if found and path not in owners:
            yield f"{path}: {found.group().strip()} belongs in {', '.join(sorted(owners))}"


def check_lengths(path, text):
    lines = text.splitlines()
    if len(lines) > FILE_LINES_MAX:
        yield f"{path}: {len(lines)} lines; at most {FILE_LINES_MAX}"
    start = None
    for number, line in enumerate(lines, 1):
        if line.endswith("{") and not line.startswith((" ", "#", "}")):
            start = number
        elif line == "}" and start is not None:
            if number - start + 1 > FUNCTION_LINES_MAX:
                yield f"{path}:{start}: a function of {number - start + 1} lines; at most {FUNCTION_LINES_MAX}"
            start = None


def main():
    findings = []
    files = [p for layer in ("kernel", "simd") for p in sorted((ROOT / layer).rglob("*.[ch]"))]
    for file in files:
        path = file.relative_to(ROOT).as_posix()
        text = file.read_text(encoding="utf-8")
        code = strip_comments(text)
        if not text.startswith(SPDX):
            findings.append(f"{path}: does not start with the SPDX line")
        if layer_of(path) is None:
            findings.append(f"{path}: is in no layer")
            continue
        findings += check_includes(path, text)
        findings += check_owners(path, code)
        findings += check_lengths(path, text)
    print("\n".join(findings) or f"{len(files)} files: layers, owners, lengths and heads are as they should be")
    return 1 if findings or not files else 0


if __name__ == "__main__":
    sys.exit(main())
