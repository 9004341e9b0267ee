# SPDX-License-Identifier: MIT
"""Times of scenes that move step by step, cold and coherent in turns: means beside medians, because some coherent
steps make a new list and take much longer than the others."""

import json
import statistics
import subprocess
import sys


def run(options, scene, size, threads, displacement, coherent):
    command = [options.carom, "detect", "--scene", scene, "--bodies", str(size), "--seed", "1", "--threads", threads,
               "--frames", str(options.frames), "--displacement", displacement, "--json"]
    if coherent:
        command.append("--coherent")
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def row(times, scene, size, threads, displacement):
    cells = []
    for coherent in (True, False):
        for kind in ("mean", "median"):
            cells.append(statistics.median(result["seconds"][kind] for result in times[coherent]) / size * 1e9)
    ratio = f"{cells[0] / cells[2]:.2f}"
    values = [scene, str(size), threads, displacement] + [f"{cell:.1f}" for cell in cells] + [ratio]
    print("| " + " | ".join(values) + " |", flush=True)


def measure(options, scenes, sizes):
    """Prints a row for each scene, size, number of threads and displacement; returns whether all results agree."""
    print("| scene | bodies | threads | displacement | coherent, mean | median | cold, mean | median | means |")
    print("|---|---|---|---|---|---|---|---|---|")
    agree = True
    for size in sizes:
        for scene in scenes:
            for threads in options.threads.split(","):
                for displacement in options.displacements.split(","):
                    times = {True: [], False: []}
                    for _ in range(options.rounds):
                        for coherent in (True, False):
                            times[coherent].append(run(options, scene, size, threads, displacement, coherent))
                    row(times, scene, size, threads, displacement)
                    if len({result["touching_hash"] for results in times.values() for result in results}) != 1:
                        print(f"scene {scene}, {size} bodies: coherent steps found other pairs", file=sys.stderr)
                        agree = False
    return agree
