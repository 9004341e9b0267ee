# SPDX-License-Identifier: MIT
"""scripts/measure --busy: calls on all threads beside other programs that keep the cores busy."""

import contextlib
import pathlib
import subprocess
import sys

# (bodies, calls, kind). A core that is lost takes 4 ms and meets about every tenth call of 10,000 bodies: the 90th
# percentile of few such calls would be chance.
KINDS = ((10000, 4000, "detect"), (100000, 200, "detect"), (1000000, 200, "detect"), (100000, 200, "coherent"))

LOADS = ((0, 0), (1, 0), (2, 0), (4, 0), (1, 19), (2, 19), (4, 19))

# A call may take this much more than one thread does beside the same programs: the median, the 90th percentile, and the
# 90th percentile of calls under a millisecond.
MEDIAN_MOST, TENTH_MOST, SHORT_TENTH_MOST = 1.3, 1.5, 2.0


@contextlib.contextmanager
def busy_loops(count, nice):
    loops = [subprocess.Popen(["nice", "-n", str(nice), sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def take_turns(program, scene, bodies, calls, threads, kind):
    """Returns (median, 90th percentile, longest, mean) in ms, of one thread and of several."""
    command = [program, scene, str(bodies), str(calls), str(threads), kind]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return [tuple(float(value) for value in line.split()[1:]) for line in lines]


def within(one, many, loops):
    """Whether many threads cost no more than they may; with nothing beside them this says nothing."""
    tenth_most = SHORT_TENTH_MOST if one[0] < 1.0 else TENTH_MOST
    return loops == 0 or (many[0] <= MEDIAN_MOST * one[0] and many[1] <= tenth_most * one[1])


def measure(build, scene, threads):
    """Prints a Markdown table; returns how many rows are above what they may be."""
    program = str(pathlib.Path(build) / "bench" / "carom_busy")
    above = 0
    print("| loops | nice | what | one thread: median / 90th / longest, ms | several | median | 90th | |")
    print("|---|---|---|---|---|---|---|---|")
    for loops, nice in LOADS:
        for bodies, calls, kind in KINDS:
            with busy_loops(loops, nice):
                one, many = take_turns(program, scene, bodies, calls, threads, kind)
            fine = within(one, many, loops)
            above += not fine
            cells = [" / ".join(f"{value:.3g}" for value in times[:3]) for times in (one, many)]
            print(f"| {loops} | {nice} | {bodies:,} {kind} | {cells[0]} | {cells[1]} | {many[0] / one[0]:.2f} "
                  f"| {many[1] / one[1]:.2f} | {'' if fine else 'above'} |", flush=True)
    return above
