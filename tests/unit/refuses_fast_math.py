#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The sources refuse to be compiled where results would differ: refuses_fast_math.py ROOT COMPILER...

Guards the #error in simd/isa.h and kernel/sys/arithmetic.h, and that without such flags there is none.
"""

import subprocess
import sys

ROOT, COMPILER = sys.argv[1], sys.argv[2:]
SOURCES = {
    "kernel/sys/arithmetic.c": [],
    "simd/ref/sweep.c": ["-DCAROM_ISA=scalar", "-DCAROM_ISA_LANES=1"],
}


# What the compiler's macros tell of.
FLAGS = ["-ffast-math", "-Ofast", "-ffinite-math-only"]
if "clang" not in subprocess.run([*COMPILER, "--version"], capture_output=True, text=True).stdout:
    FLAGS += ["-funsafe-math-optimizations", "-freciprocal-math"]


def compile_with(source, arguments, flags):
    command = [*COMPILER, "-std=gnu11", "-fsyntax-only", f"-I{ROOT}", f"-I{ROOT}/kernel/include", *arguments, *flags,
               f"{ROOT}/{source}"]
    return subprocess.run(command, capture_output=True, text=True)


for source, arguments in SOURCES.items():
    plain = compile_with(source, arguments, [])
    assert plain.returncode == 0, plain.stderr
    for flag in FLAGS:
        refused = compile_with(source, arguments, [flag])
        assert refused.returncode != 0 and "build without -ffast-math" in refused.stderr, f"{source} {flag}"
print("refused as it should be")
