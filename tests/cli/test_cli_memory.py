#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The Carom authors
"""The `carom` command while the heap refuses: python3 tests/cli/test_cli_memory.py PATH_OF_CAROM REFUSE_MEMORY.so SAMPLES

Every third request that a command makes of the heap is refused, alone or, every other time, with all that follow; with
CAROM_TEST_LONG=1 every one, in both ways. Commands in turn start with the first, the second or the third. The command
then does as it does with memory enough, or says what it lacks and fails: it does not crash, and it never ends as a
success with results that are wrong or not all there. Prints TAP and exits with 1 if a check fails."""
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import traceback

OK, RESOURCES = 0, 4
REQUESTS_MOST = 5000
LONG = "CAROM_TEST_LONG" in os.environ
# OpenMP's runtime ended the program, and said so: what the C library asks for on its behalf is refused, too.
RUNTIME_ENDS = re.compile(r"^(libgomp: |OMP: (System )?[Ee]rror )", re.MULTILINE)
# Times, and figures made of times, differ from run to run; so does the peak of memory.
TIMED_LINES = re.compile(r"^(bounds|partition|sort|sweep|approach|groups|collect|rest|total|mean) .*$|^peak memory.*$|^busy .*\n|"
                         r"^(begin|neighbours|predict|simulate|verify|end|step|impacts) .*$", re.MULTILINE)

carom_path = ""
library = ""
folder = pathlib.Path()


class Run:
    """One run; `refuse` is what CAROM_TEST_REFUSE takes."""

    def __init__(self, words, refuse=None):
        self.words, self.refuse = [str(word) for word in words], refuse
        counted = folder / "requests"
        environment = {name: value for name, value in os.environ.items() if name != "CAROM_ISA"}
        environment.update({"LD_PRELOAD": library, "CAROM_TEST_REQUESTS": str(counted)})
        if refuse is not None:
            environment["CAROM_TEST_REFUSE"] = refuse
        for file in folder.glob("out.*"):
            shutil.rmtree(file) if file.is_dir() else file.unlink()
        done = subprocess.run([carom_path, *self.words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=environment, text=True, timeout=300)
        self.code, self.out, self.err = done.returncode, done.stdout, done.stderr
        self.requests = int(counted.read_text()) if counted.exists() else 0
        self.files = {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*")
                      if file.is_file() and file.relative_to(folder).parts[0].startswith("out.")}

    def __str__(self):
        refused = f"request {self.refuse} refused" if self.refuse else "all memory there is"
        return f"carom {' '.join(self.words)}, {refused}: exit {self.code}\nstdout: {self.out}\nstderr: {self.err}"


def untimed(text):
    """What a report says but for times."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError:
        return TIMED_LINES.sub(lambda line: line.group().split()[0], text)
    for key in ("seconds", "impacts_per_second", "peak_rss_bytes", "date", "machine"):
        data.pop(key, None)
    if "each" in data:
        data.pop("bytes", None)  # of the frame with the median total
    for each in data.get("each", []):
        each["seconds"] = list(each["seconds"]) if isinstance(each["seconds"], dict) else None
    return data


def check_run(known, result):
    if result.code == OK:
        assert untimed(result.out) == untimed(known.out), f"a success that is none: {result}\nshould be {known}"
        other = [name for name in {**result.files, **known.files} if result.files.get(name) != known.files.get(name)]
        assert not other, f"other files, {other}: {result}"
    elif not RUNTIME_ENDS.search(result.err):
        assert result.code == RESOURCES, result
        assert re.search(r"^carom: .*(memory|Cannot allocate)", result.err, re.M), f"no clear message: {result}"


def refusals(number, requests):
    """Which requests of a command to refuse, and with "+" all after them."""
    if LONG:
        return [f"{n}{then}" for n in range(1, requests + 1) for then in ("", "+")]
    return [f"{n}{('', '+')[n // 3 % 2]}" for n in range(1 + number % 3, requests + 1, 3)]


def refuse_each(number, words):
    known = Run(words)
    assert known.code == OK and 0 < known.requests < REQUESTS_MOST, known
    again = Run(words)
    assert untimed(again.out) == untimed(known.out) and again.files == known.files, f"{known}\n{again}"
    failed = 0
    for refuse in refusals(number, known.requests):
        result = Run(words, refuse)
        check_run(known, result)
        failed += result.code != OK
    assert failed > 0 or "--help" in words or words[0] == "--version", f"no refusal did any harm: {known}"
    return known.requests


def commands(samples):
    """Each kind of command with each kind of result."""
    small = ["detect", "--scene", "d", "--bodies", "300", "--threads", "1"]
    yield ["--help"]
    yield ["detect", "--help"]
    yield ["--version"]
    yield ["info"]
    yield ["info", "--json"]
    for suffix in ("npy", "csv", "xyz"):
        yield ["gen", "--scene", "u", "--bodies", "300", folder / f"out.{suffix}"]
    for kind in ("boxes", "mixed"):
        yield ["gen", "--scene", "u", "--bodies", "300", "--shapes", kind, folder / "out.json"]
    yield small
    yield [*small, "--json", "--neighbours", "full", "--precision", "f64"]
    yield [*small, "--json", "--periodic", "xy", "--pairs", folder / "out.pairs.csv"]
    yield [*small, "--groups", folder / "out.groups.csv", "--all-pairs", folder / "out.pairs.npy", "--repeat", "3"]
    yield ["detect", "--scene", "u", "--bodies", "40000", "--threads", "2", "--json", "--method", "cells"]
    moving = ["detect", "--scene", "u", "--bodies", "300", "--threads", "1", "--frames", "4", "--hash"]
    yield moving
    yield [*moving, "--json"]
    yield [*moving, "--coherent", "--displacement", "0.1"]
    yield [*moving, "--coherent", "--displacement", "0.1", "--json", "--precision", "f64"]
    for name, more in (("frames.gro", ["--periodic", "xyz", "--radius", "0.5"]),
                       ("velocity.gro", ["--radius", "0.5", "--select", "O*"]),
                       ("extended.xyz", ["--radius", "2", "--json"]),
                       ("motion.csv", ["--groups", folder / "out.groups.csv"]),
                       ("quoted.csv", ["--radius", "1"]),
                       ("atomic.data", ["--periodic", "x", "--radius", "3", "--json"]),
                       ("frames.dump", ["--periodic", "xyz", "--radius", "2", "--precision", "f64"]),
                       ("triclinic.dump", ["--periodic", "xyz", "--radius", "0.25", "--json"])):
        yield ["detect", samples / name, "--threads", "1", *more]
    for suffix in ("npy", "csv", "xyz"):
        scene = folder / f"scene.{suffix}"
        subprocess.run([carom_path, "gen", "--scene", "u", "--bodies", "2000", scene], check=True,
                       stderr=subprocess.DEVNULL)
        yield ["detect", scene, "--threads", "1", "--json"]
    yield from shapes()
    yield from runs(samples)
    packed = folder / "scene.gz"
    packed.write_bytes(gzip.compress(scene.read_bytes()))
    if subprocess.run([carom_path, "detect", packed], capture_output=True, check=False).returncode == OK:
        yield ["detect", packed, "--threads", "1", "--json"]


def shapes():
    """carom detect with shapes, from a file and of a scene."""
    scene = {"version": 1, "shapes": [{"kind": "sphere", "r": 1}, {"kind": "hull", "v": [[0, 0, 0], [1, 0, 0], [0, 1, 0]]},
                                      {"kind": "compound", "children": [{"shape": 0}, {"shape": 1, "at": [0, 0, 2]}]}],
             "bodies": [{"shape": n, "prev": [0, 0, n], "spin": [0, 0, 1]} for n in range(3)]}
    made = folder / "shapes.json"
    made.write_text(json.dumps(scene))
    yield ["detect", made, "--threads", "1", "--json", "--pairs", folder / "out.pairs.csv"]
    yield ["detect", made, "--threads", "1", "--precision", "f32", "--all-pairs", folder / "out.pairs.npy"]
    yield ["detect", "--scene", "d", "--bodies", "200", "--shapes", "mixed", "--threads", "1", "--json"]
    yield ["detect", made, "--threads", "1", "--json", "--frames", "2", "--coherent", "--hash", "--margin", "0.5", "--precision",
           "f32", "--pairs", folder / "out.pairs.csv"]


def runs(samples):
    """carom run, from each kind of file, with each kind of output."""
    scene = folder / "table.json"
    scene.write_text(json.dumps({"steps": 3, "gravity": [0, 0, -1], "bodies": [
        {"position": [0, 0, 1 + 2 * n], "velocity": [0, 0, n / 2 - 1], "radius": 0.75, "mass": "inf" if n == 2 else 1}
        for n in range(3)], "geometry": [{"kind": "plane", "name": "floor", "point": [0, 0, 0], "normal": [0, 0, 1]},
                                         {"kind": "pipe", "point": [0, 0, 0], "axis": [0, 0, 1], "radius": 2}]}))
    small = ["run", "--scene", "d", "--bodies", "200", "--steps", "3", "--threads", "1"]
    yield [*small, "--walls", "--state", folder / "out.state.csv"]
    yield [*small, "--json", "--periodic", "xyz", "--pressure", "--precision", "f64", "--events", folder / "out.npy"]
    yield [*small, "--merge", "--events", folder / "out.csv"]
    yield ["run", scene, "--threads", "1", "--json", "--events", folder / "out.csv", "--out", folder / "out.frames"]
    yield ["run", samples / "velocity.gro", "--radius", "0.5", "--steps", "2", "--threads", "1", "--snapshot",
           folder / "out.carom"]
    snapshot = folder / "scene.carom"
    subprocess.run([carom_path, "run", scene, "--snapshot", snapshot], check=True, capture_output=True)
    yield ["run", snapshot, "--steps", "2", "--threads", "1", "--json", "--state", folder / "out.npy"]


def main():
    global carom_path, library, folder
    if len(sys.argv) != 4:
        sys.exit("usage: test_cli_memory.py PATH_OF_CAROM REFUSE_MEMORY.so SAMPLES")
    carom_path, library = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    failed = 0
    number = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for number, words in enumerate(commands(pathlib.Path(sys.argv[3]).resolve()), 1):
            label = f"{number} - carom {' '.join(str(word) for word in words)}".replace(f"{folder}/", "")
            try:
                print(f"ok {label}: {refuse_each(number, words)} requests", flush=True)
            except Exception:
                failed += 1
                print(f"not ok {label}")
                print("# " + traceback.format_exc().replace("\n", "\n# "), flush=True)
    print(f"1..{number}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
