#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The Carom authors
"""The `carom` command from end to end: python3 tests/cli/test_cli.py PATH_OF_CAROM

Prints TAP and exits with 1 if a check fails. Every check is a function whose docstring says what it guards."""
import ast
import csv
import datetime
import errno
import gzip
import json
import os
import pathlib
import pty
import re
import resource
import signal
import stat
import struct
import subprocess
import sys
import tempfile
import time
import traceback

try:
    import jsonschema
except ImportError:
    jsonschema = None

OK, CHECK, USAGE, INPUT, RESOURCES = range(5)
PHASES = ["bounds", "partition", "sort", "sweep", "approach", "groups", "collect"]
# Seed 1, N = 10,000: box pairs in plain float, touching pairs, hash, groups, largest group (tests/data/scene_table.csv).
TRUTH = {
    "u": (10472, 5017, "94cd1842fc64b9e9", 2006, 15),
    "d": (28154, 8974, "f2ef7a75f437a9ea", 695, 5221),
    "p": (3712, 1962, "e3814a23c38b8b45", 734, 140),
    "c": (19999, 9678, "f329737c671c5416", 1123, 293),
    "l": (23222, 12009, "bd459c82469b7013", 1215, 97),
    "a": (9328, 4532, "b95ae5508cf5cbda", 1973, 18),
}
SMALL = ["detect", "--scene", "u", "--bodies", "1000"]

SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "kernel/cli/report_schema.json"

carom_path = ""
folder = pathlib.Path()


class Checks(list):
    """Functions in their order, of which it decorates each."""

    def __call__(self, function):
        self.append(function)
        return function


check = Checks()


class Run:
    def __init__(self, *arguments, env=None, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, raw=False, **more):
        self.arguments = [str(word) for word in arguments]
        environment = {name: value for name, value in os.environ.items() if name != "CAROM_ISA"}
        environment.update(env or {})
        if isinstance(stdin, bytes):
            more["input"] = stdin
        else:
            more["stdin"] = stdin
        done = subprocess.run([carom_path, *self.arguments], stdout=stdout, stderr=subprocess.PIPE, env=environment,
                              timeout=300, **more)
        self.code, self.err = done.returncode, done.stderr.decode()
        self.out = (done.stdout or b"") if raw else (done.stdout or b"").decode()

    def __str__(self):
        return f"carom {' '.join(self.arguments)}: exit {self.code}\nstdout: {self.out}\nstderr: {self.err}"


def run(*arguments, code=OK, **more):
    """Runs the command and requires its exit code; nothing but a success may print data."""
    result = Run(*arguments, **more)
    assert result.code == code, f"expected exit {code}: {result}"
    if code in (USAGE, INPUT):
        assert result.out == "", f"data on stdout of a failure: {result}"
        assert "carom: " in result.err, f"no message: {result}"
    return result


def refuses(*arguments, code=USAGE, says=(), **more):
    result = run(*arguments, code=code, **more)
    for word in says:
        assert word in result.err, f"'{word}' is missing: {result}"


def report(text):
    """A report in JSON, which must be as the schema says."""
    data = json.loads(text)
    if jsonschema is not None:
        check_schema(data)
    return data


def check_schema(data):
    schema = json.loads(SCHEMA.read_text())
    kind = ("info" if "scenes" in data else "steps" if "frames" in data else
            "run" if "steps_asked" in data else data["computed"] if "computed" in data else "once")
    # By kind first: a message about "oneOf" says little.
    for wanted in ({**schema, "oneOf": [{"$ref": f"#/definitions/{kind}"}]}, schema):
        jsonschema.Draft7Validator(wanted).validate(data)


def names_options(command, names):
    text = run(command, "--help").out
    for name in names.split():
        assert f"--{name} " in text, name


def detect(*arguments, **more):
    return report(run("detect", *arguments, "--json", **more).out)


def read_npy(path):
    """The field names and the records of a NumPy array, without NumPy."""
    data = path if isinstance(path, bytes) else pathlib.Path(path).read_bytes()
    assert data[:8] == b"\x93NUMPY\x01\x00", data[:8]
    length = struct.unpack("<H", data[8:10])[0]
    assert (10 + length) % 64 == 0
    head = ast.literal_eval(data[10:10 + length].decode())
    assert not head["fortran_order"]
    letters = {"<u4": "I", "<i4": "i", "<u8": "Q", "<i8": "q", "<f4": "f", "<f8": "d"}
    fields = head["descr"] if isinstance(head["descr"], list) else [("", head["descr"], head["shape"][1:])]
    layout = "<" + "".join(letters[field[1]] * (field[2][0] if len(field) > 2 else 1) for field in fields)
    rows = list(struct.iter_unpack(layout, data[10 + length:]))
    assert len(rows) == head["shape"][0], head
    names = [f"{field[0]}_{axis}" if len(field) > 2 and axis else field[0]
             for field in fields for axis in ("xyz" if len(field) > 2 and field[0] else [""])]
    return names, rows


def write(name, text):
    path = folder / name
    path.write_text(text)
    return path


def read_csv(path):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    return rows[0], rows[1:]


HEADER = "prev_x,prev_y,prev_z,curr_x,curr_y,curr_z,radius\n"
TWO_BODIES = HEADER + "0,0,0,1,0,0,0.5\n2,0,0,2,0,0,0.5\n"


@check
def help_starts_with_examples():
    """A newcomer finds a line to copy at once: every help text, on stdout, has its examples before all else."""
    for words in (["--help"], ["-h"], ["detect", "--help"], ["run", "--help"], ["gen", "--help"], ["info", "--help"]):
        result = run(*words)
        text = result.out
        assert text.index("Examples:") < text.index("Usage:"), result
        assert len(text[:text.index("Examples:")].strip().splitlines()) == 1, result
        assert re.search(r"Examples:\n  (\w+=\w+ )?carom ", text), result
        assert result.err == "", result


@check
def help_names_every_option():
    """The options promised in the manual are in the help."""
    names_options("detect", "scene bodies seed threads isa precision until repeat json radius select dt periodic format "
                  "pairs all-pairs groups list-format expect help")


@check
def version_is_printed():
    """--version and version print name and version, alone."""
    for word in ("--version", "version"):
        assert re.fullmatch(r"carom \d+\.\d+\.\d+\n", run(word).out)
        refuses(word, "more", says=["'more'"])


@check
def help_is_a_command():
    """`carom help` is --help, of all and of each command."""
    assert run("help").out == run("--help").out
    for name in ("detect", "run", "distance", "toi", "gen", "info"):
        assert run("help", name).out == run(name, "--help").out
        assert f"  {name} " in run("help").out
    refuses("help", "frobnicate", says=["'frobnicate'", "detect", "gen", "info"])
    refuses("help", "gen", "more", says=["'more'"])


@check
def info_tells_the_machine():
    """`carom info` names the chosen instruction set among the available, those among the compiled."""
    text = run("info").out
    for word in ("version", "build", "isa compiled", "isa available", "isa chosen", "threads", "phases"):
        assert re.search(rf"^{word}\s+\S", text, re.M), f"{word}: {text}"
    data = report(run("info", "--json").out)
    assert data["schema"] == 2
    assert data["isa"]["chosen"] in data["isa"]["available"]
    assert set(data["isa"]["available"]) <= set(data["isa"]["compiled"])
    assert "scalar" in data["isa"]["available"]
    assert data["phases"] == PHASES
    assert data["threads"] >= 1


@check
def environment_forces_the_isa():
    """CAROM_ISA chooses the instruction set; --isa overrides it."""
    assert report(run("info", "--json", env={"CAROM_ISA": "scalar"}).out)["isa"]["chosen"] == "scalar"
    assert detect("--scene", "u", "--bodies", 100, env={"CAROM_ISA": "scalar"})["isa"] == "scalar"
    best = detect("--scene", "u", "--bodies", 100)["isa"]
    assert detect("--scene", "u", "--bodies", 100, "--isa", best, env={"CAROM_ISA": "scalar"})["isa"] == best


@check
def bad_environment_is_usage():
    """An unknown CAROM_ISA is exit 2 with the list of what there is, never a silent fallback."""
    refuses(*SMALL, env={"CAROM_ISA": "mmx"}, says=["mmx", "scalar"])
    result = Run("info", env={"CAROM_ISA": "mmx"})
    assert result.code == USAGE and "mmx" in result.err and "isa available" in result.out, result


@check
def json_has_the_promised_keys():
    """The schema of --json: keys in this order, and their types."""
    data = detect("--scene", "u", "--bodies", 1000, "--repeat", 3)
    types = {
        "schema": int, "version": str, "command": list, "date": str, "machine": dict, "file": type(None),
        "scene": dict, "bodies": int, "threads": int, "isa": str, "precision": str, "method_asked": str,
        "worlds": type(None), "periodic": type(None), "margin": type(None), "method": str, "reason": str,
        "box_pairs": int, "touching_pairs": int, "touching_hash": str, "groups": int, "largest_group": int,
        "neighbours": type(None), "result_hash": str, "repeat": int, "peak_rss_bytes": int, "seconds": dict,
        "bytes": dict,
    }
    assert list(data) == list(types), list(data)
    for key, kind in types.items():
        assert type(data[key]) is kind, (key, data[key])
    for key in ("touching_hash", "result_hash"):
        assert re.fullmatch("[0-9a-f]{16}", data[key]), data[key]
    assert list(data["seconds"]) == ["total", "mean", "median", *PHASES, "rest"]
    assert all(type(value) is float for value in data["seconds"].values()), data["seconds"]
    assert all(data["seconds"][phase] >= 0 for phase in PHASES), data["seconds"]
    assert data["seconds"]["total"] > 0
    assert data["schema"] == 2 and data["repeat"] == 3 and data["bodies"] == 1000
    assert data["peak_rss_bytes"] > 1 << 20


@check
def json_is_null_where_not_computed():
    """Fields of a stage that --until leaves out are null, not zero."""
    fields = ["box_pairs", "touching_pairs", "touching_hash", "groups", "largest_group"]
    known = {"bounds": [], "pairs": fields[:1], "approach": fields[:3], "groups": fields}
    times = {"bounds": ["bounds"], "pairs": PHASES[:4], "approach": PHASES[:5], "groups": PHASES[:6]}
    for stage, present in known.items():
        data = detect("--scene", "u", "--bodies", 1000, "--until", stage)
        assert [key for key in fields if data[key] is not None] == present, (stage, data)
        timed = [key for key, value in data["seconds"].items() if value is not None]
        assert timed == ["total", "mean", "median", *times[stage], "collect", "rest"], (stage, timed)
        moved = [key for key, value in data["bytes"].items() if value is not None]
        assert moved == ["total", *times[stage], "collect"], (stage, moved)
        assert data["bytes"]["total"] == sum(data["bytes"][phase] for phase in moved[1:]), data["bytes"]


@check
def neighbours_are_summed_up():
    """--neighbours: a pair is one entry of a half list and two of a full one; nothing else changes."""
    plain = detect(*SMALL[1:])
    for precision in ("f32", "f64"):
        shapes = {}
        for kind in ("half", "full"):
            data = detect(*SMALL[1:], "--neighbours", kind, "--precision", precision)
            shape = shapes[kind] = data["neighbours"]
            assert list(shape) == ["list", "rows", "entries", "longest_row"] and shape["list"] == kind, shape
            assert shape["entries"] == data["touching_pairs"] * (1 if kind == "half" else 2), data
            assert data["touching_hash"] == plain["touching_hash"]
            assert 0 < shape["longest_row"] < shape["rows"] < shape["entries"] + 1 <= 2 * 1000, shape
        assert shapes["half"]["rows"] < shapes["full"]["rows"], shapes
        assert shapes["half"]["longest_row"] <= shapes["full"]["longest_row"], shapes
    pairs = detect(*SMALL[1:], "--neighbours", "half", "--until", "pairs")
    assert pairs["neighbours"]["entries"] == pairs["box_pairs"], pairs
    assert detect(*SMALL[1:], "--neighbours", "none")["neighbours"] is None
    table = run(*SMALL, "--neighbours", "full").out
    assert re.search(r"^neighbours +\d+ +full, of \d+ bodies, at most \d+$", table, re.MULTILINE), table
    assert "neighbours" not in run(*SMALL).out
    refuses(*SMALL, "--neighbours", "all", says=["'all'", "half", "full"])
    refuses(*SMALL, "--neighbours", "half", "--until", "bounds", says=["--neighbours", "bounds"])


@check
def scenes_match_the_table():
    """All six scenes at N = 10,000 find exactly the pairs of the table."""
    for letter, (box_pairs, touching, hash_of, groups, largest) in TRUTH.items():
        data = detect("--scene", letter, "--bodies", 10000, "--seed", 1)
        found = (data["touching_pairs"], data["touching_hash"], data["groups"], data["largest_group"])
        assert found == (touching, hash_of, groups, largest), (letter, data)
        # Boxes rounded outward may add a few to those in plain float.
        assert box_pairs <= data["box_pairs"] <= box_pairs * 1.001 + 2, (letter, data)


@check
def threads_isa_and_precision_change_nothing():
    """The result hash is the same for every thread count and instruction set; f64 touches the same pairs."""
    first = detect("--scene", "c", "--bodies", 3000)
    for isa in report(run("info", "--json").out)["isa"]["available"]:
        for threads in (1, 2, 5):
            data = detect("--scene", "c", "--bodies", 3000, "--isa", isa, "--threads", threads)
            assert (data["isa"], data["threads"]) == (isa, threads), data
            assert data["result_hash"] == first["result_hash"], (isa, threads)
    wide = detect("--scene", "c", "--bodies", 3000, "--precision", "f64")
    assert wide["precision"] == "f64"
    assert wide["touching_hash"] == first["touching_hash"]


@check
def few_bodies_work():
    """No body, one, and fewer bodies than threads are no errors, in the table too."""
    for count in (0, 1, 2):
        data = detect("--scene", "d", "--bodies", count, "--threads", 7)
        assert data["bodies"] == count and data["groups"] in (0, 1), data
        run("detect", "--scene", "d", "--bodies", count)
        moving = run("detect", "--scene", "d", "--bodies", count, "--frames", 2).out
        assert re.search(r"^method +[a-z]", moving, re.M), moving


@check
def worlds_are_single_calls():
    """--worlds: the sums of as many calls, each of its own seed; the parts of a file; nobody meets another world."""
    worlds, each = 5, 30
    for precision in ("f32", "f64"):
        options = ["--bodies", each, "--precision", precision]
        data = detect("--scene", "d", *options, "--seed", 3, "--worlds", worlds, "--pairs", folder / "worlds.csv")
        single = [detect("--scene", "d", *options, "--seed", 3 + world) for world in range(worlds)]
        assert (data["bodies"], data["worlds"], data["method"]) == (worlds * each, worlds, "worlds"), data
        for sum_of in ("box_pairs", "touching_pairs", "groups"):
            assert data[sum_of] == sum(one[sum_of] for one in single) > 0, sum_of
        for hash_of in ("touching_hash", "result_hash"):
            assert int(data[hash_of], 16) == sum(int(one[hash_of], 16) for one in single) % 2**64, hash_of
        assert data["largest_group"] == max(one["largest_group"] for one in single)
        rows = read_csv(folder / "worlds.csv")[1]
        assert len(rows) == data["touching_pairs"] and in_order(rows)
        assert all(int(row[0]) // each == int(row[1]) // each for row in rows)
    # Two bodies that touch, twice at the same place: four in one world, and two in each of two.
    four = write("four.csv", "x,y,z,radius\n" + "0,0,0,1\n1,0,0,1\n" * 2)
    assert detect(four)["touching_pairs"] == 6
    assert detect(four, "--worlds", 2)["touching_pairs"] == 2
    assert detect(four, "--worlds", 4)["touching_pairs"] == 0 and detect(four, "--worlds", 4)["groups"] == 0
    refuses("detect", four, "--worlds", 3, code=INPUT, says=["four.csv", "4 bodies", "3 worlds"])
    table = run("detect", "--scene", "u", "--bodies", 10, "--worlds", 7).out
    assert re.search(r"^worlds +7$", table, re.M), table
    assert detect("--scene", "u", "--bodies", 0, "--worlds", 3)["bodies"] == 0
    refuses(*SMALL, "--worlds", 0, says=["--worlds"])
    refuses("detect", "--scene", "u", "--bodies", "1e9", "--worlds", 5, says=["5 worlds", "--bodies"])
    refuses(*SMALL, "--worlds", 2, "--until", "bounds", says=["--worlds", "pairs", "bounds"])
    for option in (["--shapes", "boxes"], ["--periodic", "x"], ["--groups", folder / "g.csv"], ["--method", "sweep"],
                   ["--all-pairs", folder / "a.csv"], ["--neighbours", "half"], ["--frames", 2], ["--coherent"]):
        refuses(*SMALL, "--worlds", 2, *option, says=["--worlds"])


@check
def table_is_for_a_person():
    """Without --json: what ran, a row per phase with four figures, a total of 100%, the counts and hashes."""
    text = run("detect", "--scene", "u", "--bodies", 10000, "--threads", 1, "--repeat", 2).out
    for word in (r"scene\s+u \(uniform\), seed 1", r"bodies\s+10000", r"threads\s+1", r"isa\s+\w+", r"precision\s+f32",
                 r"method\s+\w+", r"phase\s+ms\s+ns/body\s+share\s+GB/s",
                 r"touching pairs\s+5017\s+hash 94cd1842fc64b9e9",
                 r"groups\s+2006\s+largest 15", r"box pairs\s+\d+", r"result hash\s+[0-9a-f]{16}",
                 r"peak memory\s+[\d.]+ MiB"):
        assert re.search(rf"^{word}", text, re.M), f"{word}:\n{text}"
    for phase in (*PHASES, "rest", "mean"):
        assert re.search(rf"^{phase}\s+-?[\d.]+\s+-?[\d.]+\s+-?[\d.]+%\s+([\d.]+|-)$", text, re.M), f"{phase}:\n{text}"
    assert re.search(r"^total\s+[\d.]+\s+[\d.]+\s+100\.0%", text, re.M), text


@check
def narration_goes_to_stderr_and_not_into_logs():
    """stdout is one JSON object and nothing else; progress is for terminals, not for a captured stderr."""
    result = run(*SMALL, "--json", "--repeat", 3)
    json.loads(result.out)
    assert result.err == "", result


@check
def numbers_parse_strictly():
    """A number is the whole word and in range; the message names option and value."""
    assert detect("--scene", "u", "--bodies", "1e3")["bodies"] == 1000
    for word in ("", "x", "10x", "-1", "1.5", " 5", "+-5", "0x10", "nan", "inf", "1e400", "4294967295", "1e20"):
        refuses("detect", "--scene", "u", f"--bodies={word}", says=["--bodies", f"'{word}'", "whole number"])
    refuses("detect", "--scene", "u", "--seed=18446744073709551616", says=["--seed"])
    run("gen", "--scene", "u", "--bodies", 1, "--seed", "18446744073709551615", folder / "seed.csv")
    for word in ("0", "1025", "two"):
        refuses(*SMALL, "--threads", word, says=["--threads", f"'{word}'", "1 to 1024"])
    refuses(*SMALL, "--repeat", "0", says=["--repeat"])
    refuses(*SMALL, "--expect", "123", says=["--expect", "16"])
    two = write("two.csv", TWO_BODIES)
    refuses("detect", two, "--radius", "-1", says=["--radius", "'-1'"])
    refuses("detect", two, "--dt", "soon", says=["--dt", "'soon'"])


@check
def unknown_names_list_what_there_is():
    """A misspelt scene, instruction set, precision, stage, option or command: exit 2 and the choices."""
    refuses("detect", "--scene", "z", says=["--scene", "'z'", "u (uniform)", "a (column)"])
    refuses("gen", "--scene", "z", folder / "z.csv", says=["'z'", "u (uniform)"])
    refuses(*SMALL, "--isa", "mmx", says=["--isa", "'mmx'", "scalar"])
    refuses(*SMALL, "--precision", "f16", says=["'f16'", "f32, f64"])
    refuses(*SMALL, "--until", "lunch", says=["'lunch'", "bounds, pairs, approach, groups"])
    refuses("detect", "--colour", says=["'--colour'", "--scene", "--json"])
    refuses("detect", "-x", says=["'-x'", "--scene"])
    refuses("frobnicate", says=["'frobnicate'", "detect", "gen", "info"])
    refuses("--frobnicate", says=["'--frobnicate'", "detect"])


@check
def options_must_go_together():
    """Options that contradict one another, or miss a value, are refused instead of ignored."""
    two = write("two.csv", TWO_BODIES)
    refuses("detect", says=["--scene", "FILE"])
    refuses("detect", two, "--scene", "u", says=["--scene"])
    refuses("detect", two, "--bodies", 5, says=["--bodies"])
    refuses("detect", two, two, says=["one argument too many"])
    refuses(*SMALL, "--radius", 1, says=["--radius"])
    refuses(*SMALL, "--pairs", folder / "p.csv", "--until", "pairs", says=["--pairs", "approach"])
    refuses(*SMALL, "--all-pairs", folder / "p.csv", "--until", "pairs", says=["--all-pairs", "approach"])
    refuses(*SMALL, "--groups", folder / "g.csv", "--until", "approach", says=["--groups"])
    refuses(*SMALL, "--approaching", "--until", "pairs", says=["--approaching", "approach"])
    refuses(*SMALL, "--approaching", "--all-pairs", folder / "p.csv", says=["--approaching", "--all-pairs"])
    refuses(*SMALL, "--expect", "0" * 16, "--until", "pairs", says=["--expect"])
    refuses("detect", "--scene", says=["--scene", "needs a value"])
    refuses(*SMALL, "--json=yes", says=["--json", "no value"])
    refuses("gen", "--scene", "u", says=["OUT"])
    refuses("gen", folder / "o.csv", says=["--scene"])
    refuses("info", "more", says=["one argument too many"])
    result = Run()
    assert result.code == USAGE and "Examples:" in result.err and result.out == "", result


@check
def expected_hash_is_checked():
    """--expect turns a different result into exit 1, after the report."""
    good = TRUTH["u"][2]
    run("detect", "--scene", "u", "--bodies", 10000, "--expect", good)
    run("detect", "--scene", "u", "--bodies", 10000, "--expect", good.upper())
    result = run("detect", "--scene", "u", "--bodies", 10000, "--expect", "0" * 16, "--json", code=CHECK)
    assert json.loads(result.out)["touching_hash"] == good
    assert "check failed" in result.err and good in result.err, result


@check
def generated_files_give_the_scene_back():
    """gen, then detect: every format keeps all bits in both precisions, so the hashes are the scene's own."""
    for letter in ("u", "p"):
        for suffix in ("npy", "csv", "xyz"):
            path = folder / f"{letter}.{suffix}"
            scene = {precision: detect("--scene", letter, "--bodies", 2000, "--seed", 7, "--precision", precision)
                     for precision in ("f32", "f64")}
            for written in ("f32", "f64", None):
                asked = ["--precision", written] if written else []
                made = run("gen", "--scene", letter, "--bodies", 2000, "--seed", 7, *asked, path)
                assert made.out == "", made
                for precision in ("f32", "f64"):
                    if written == "f32" and precision == "f64" and suffix != "npy":
                        continue  # nine digits give the float back, not the double
                    data = detect(path, "--precision", precision)
                    assert data["bodies"] == 2000, data
                    for key in ("box_pairs", "touching_hash", "groups", "largest_group", "result_hash"):
                        assert data[key] == scene[precision][key], (letter, suffix, written, precision, key)
            size = {written: len(run("gen", "--scene", letter, "--bodies", 500, "--format", suffix, "--precision", written,
                                     "-", raw=True).out) for written in ("f32", "f64")}
            assert size["f32"] < size["f64"], (suffix, size)


@check
def generated_boxes_give_the_periodic_scene_back():
    """gen writes the box into .xyz: --periodic finds in the file what it finds in the scene, bit by bit."""
    for letter in "udpla":
        for precision in ("f32", "f64"):
            path = folder / "box.xyz"
            run("gen", "--scene", letter, "--bodies", 3000, "--seed", 3, path)
            scene = detect("--scene", letter, "--bodies", 3000, "--seed", 3, "--periodic", "xyz", "--precision", precision)
            data = detect(path, "--periodic", "xyz", "--precision", precision)
            for key in ("box_pairs", "touching_pairs", "touching_hash", "groups", "largest_group", "result_hash"):
                assert data[key] == scene[key], (letter, precision, key, data, scene)
    run("gen", "--scene", "c", "--bodies", 100, folder / "open.xyz")
    refuses("detect", folder / "open.xyz", "--periodic", "x", code=INPUT, says=["open.xyz", "box"])


@check
def pipes_take_the_place_of_files():
    """- is standard input and output: gen - | detect -, in every format, packed too, with what a file gives."""
    scene = detect("--scene", "d", "--bodies", 3000, "--precision", "f64")
    for suffix in ("npy", "csv", "xyz"):
        made = run("gen", "--scene", "d", "--bodies", 3000, "--format", suffix, "-", raw=True)
        assert "standard output" in made.err, made
        path = folder / f"same.{suffix}"
        run("gen", "--scene", "d", "--bodies", 3000, path)
        assert path.read_bytes() == made.out, suffix
        for content in (made.out, gzip.compress(made.out, 1), gzip.compress(made.out[:999]) + gzip.compress(made.out[999:])):
            if content != made.out and not has_zlib():
                continue
            data = detect("-", stdin=content)
            assert data["result_hash"] == scene["result_hash"], (suffix, data)
            assert data["file"] == {"path": "-", "format": suffix, "bodies": 3000}, data["file"]
    reader, writer = os.pipe()
    with subprocess.Popen([carom_path, "gen", "--scene", "d", "--bodies", "3000", "--format", "csv", "-"], stdout=writer,
                          stderr=subprocess.DEVNULL) as process:
        os.close(writer)
        assert detect("-", stdin=reader)["result_hash"] == scene["result_hash"]
        os.close(reader)
    assert process.returncode == OK
    refuses("gen", "--scene", "d", "--bodies", 3, "-", says=["--format"])
    refuses("detect", "-", code=INPUT, stdin=b"x,y,z,radius\n1,2,3,four\n", says=["standard input:2"])


def has_zlib():
    path = folder / "packed"
    path.write_bytes(gzip.compress(b"x,y,z,radius\n1,2,3,4\n"))
    result = Run("detect", path)
    if result.code == OK:
        return True
    assert result.code == INPUT and "without zlib" in result.err, result
    return False


@check
def packed_files_are_told_by_content():
    """A file that gzip packed is read under any name; one cut short is bad input."""
    if not has_zlib():
        raise Skip("this build has no zlib")
    packed = gzip.compress(TWO_BODIES.encode())
    path = folder / "two.csv"
    path.write_bytes(packed)
    assert detect(path)["touching_pairs"] == 1
    path.write_bytes(packed[:-9])
    refuses("detect", path, code=INPUT, says=["two.csv", "gzip", "early"])


@check
def formats_can_be_named():
    """--format overrides what the content looks like, and --list-format what the suffix says."""
    path = write("two", "x,y,z,r\n0,0,0,1\n1,0,0,1\n")
    assert detect(path)["file"]["format"] == "csv"
    refuses("detect", path, "--format", "gro", code=INPUT, says=["two:2", "number of bodies"])
    refuses("detect", path, "--format", "doc", says=["'doc'", "csv, npy, gro, xyz, lammps-data, lammps-dump"])
    refuses(*SMALL, "--format", "csv", says=["--format", "file"])
    refuses("gen", "--scene", "u", "--format", "gro", folder / "x.npy", says=["'gro'", "npy, csv, xyz"])
    refuses("detect", path, "--list-format", "xyz", says=["'xyz'", "csv, npy"])
    names, rows = read_npy(run("detect", path, "--pairs", "-", "--list-format", "npy", raw=True).out)
    assert names[:2] == ["i", "k"] and rows[0][:2] == (0, 1) and len(rows) == 1
    run("detect", path, "--pairs", folder / "pairs.npy", "--list-format", "csv")
    assert read_csv(folder / "pairs.npy")[1][0][:2] == ["0", "1"]


@check
def gen_refuses_what_it_cannot_write():
    """An unknown suffix is usage and lists the known; a folder that is not there is a failure of resources."""
    refuses("gen", "--scene", "u", "--bodies", 3, folder / "o.doc", says=[".npy", ".csv", ".xyz", "--format"])
    result = Run("gen", "--scene", "u", "--bodies", 3, folder / "missing" / "o.csv")
    assert result.code == RESOURCES and "missing" in result.err, result


PAIR_COLUMNS = ["i", "k", "t_ca", "distance", "t_toi"]
VECTORS = [f"{name}_{axis}" for name in ("normal", "point") for axis in "xyz"]


def in_order(rows):
    pairs = [(int(row[0]), int(row[1])) for row in rows]
    return pairs == sorted(set(pairs)) and all(i < k for i, k in pairs)


@check
def pairs_files_have_every_pair():
    """--all-pairs has every box pair in order of (i, k); --pairs those that touch, with a unit normal and a point."""
    for precision in ("f32", "f64"):
        path, all_path = folder / f"pairs-{precision}.csv", folder / f"all-{precision}.csv"
        data = detect("--scene", "u", "--bodies", 3000, "--precision", precision, "--pairs", path, "--all-pairs", all_path)
        header, rows = read_csv(path)
        all_header, all_rows = read_csv(all_path)
        assert header == PAIR_COLUMNS + VECTORS, header
        assert all_header == PAIR_COLUMNS, all_header
        assert len(all_rows) == data["box_pairs"] > len(rows) == data["touching_pairs"] > 0
        assert in_order(rows) and in_order(all_rows)
        assert [row for row in all_rows if row[4] != ""] == [row[:5] for row in rows]
        for row in all_rows:
            assert 0 <= float(row[2]) <= 1 and float(row[3]) >= 0, row
        for row in rows:
            values = [float(word) for word in row]
            assert 0 <= values[4] <= values[2] or values[4] == 0, row
            assert values[3] <= 2.000001, row
            assert abs(sum(n * n for n in values[5:8]) - 1) < 1e-6, row
        # Alone, from a call that stores no other pairs, the file is the same.
        alone = run("detect", "--scene", "u", "--bodies", 3000, "--precision", precision, "--pairs", "-")
        assert alone.out == path.read_text()
        assert "touching pairs" in alone.err, alone


@check
def approaching_pairs_are_some_of_all():
    """--approaching leaves out pairs that overlap and separate, from counts, files and frames."""
    two = write("apart.csv", HEADER + "0,0,0,-1,0,0,1\n1,0,0,2,0,0,1\n9,0,0,10,0,0,1\n12,0,0,12,0,0,1.5\n")
    assert detect(two)["touching_pairs"] == 2
    found = detect(two, "--approaching", "--pairs", folder / "approaching.csv")
    assert found["touching_pairs"] == 1 and found["groups"] == 1 and found["box_pairs"] == 2, found
    assert [row[:2] for row in read_csv(folder / "approaching.csv")[1]] == [["2", "3"]]
    moving = ["--scene", "d", "--bodies", 3000, "--frames", 9, "--displacement", 0.01, "--coherent", "--hash"]
    assert 0 < detect(*moving, "--approaching")["touching_pairs"] < detect(*moving)["touching_pairs"]


@check
def pairs_are_also_numpy_records():
    """.npy has the columns of the CSV as named fields, with the same numbers; an empty t_toi is NaN."""
    letter = {"f32": "f", "f64": "d"}
    for precision, kind in letter.items():
        for option in ("--pairs", "--all-pairs", "--groups"):
            words = ["detect", "--scene", "u", "--bodies", 2000, "--precision", precision, "--periodic", "xyz", option]
            run(*words, folder / "list.csv")
            run(*words, folder / "list.npy")
            header, rows = read_csv(folder / "list.csv")
            names, records = read_npy(folder / "list.npy")
            assert names == header and len(records) == len(rows) > 0, (names, header)
            for row, record in zip(rows, records):
                for word, value in zip(row, record):
                    if word == "":
                        assert value != value, (row, record)
                    else:
                        size = struct.pack(f"<{kind}", float(word))
                        assert struct.pack(f"<{kind}", value) == size, (row, record)


@check
def a_list_on_stdout_is_alone_there():
    """With a list on standard output the report goes to stderr, and only one list can go there."""
    two = write("two.csv", TWO_BODIES)
    for words, report_has in (([], "touching pairs"), (["--json"], '"touching_pairs": 1')):
        result = run("detect", two, "--pairs", "-", *words)
        assert result.out.splitlines()[0] == ",".join(PAIR_COLUMNS + VECTORS), result
        assert len(result.out.splitlines()) == 2 and report_has in result.err, result
    refuses("detect", two, "--pairs", "-", "--groups", "-", says=["--pairs", "--groups"])
    # A name that leads to standard output is standard output.
    with open(folder / "out.csv", "w") as file:
        result = Run("detect", two, "--pairs", "/dev/stdout", "--json", stdout=file)
    assert result.code == OK and '"touching_pairs": 1' in result.err, result
    assert read_csv(folder / "out.csv")[0] == PAIR_COLUMNS + VECTORS
    with open(folder / "out.csv", "w") as file:
        result = Run("detect", two, "--pairs", folder / "out.csv", stdout=file)
    assert result.code == OK and read_csv(folder / "out.csv")[0] == PAIR_COLUMNS + VECTORS


# In a 4 x 4 x 4 box the first two bodies touch across an edge; in a tilted one across the face that repeats by b.
BOX_GRO = """box
    3
    1SOL     OW    1   0.100   0.200   2.000
    2SOL     OW    2   3.900   3.900   2.000
    3SOL     OW    3   2.000   2.000   0.050
%s
"""


@check
def periodic_box_comes_from_the_file():
    """--periodic takes the box from the file and writes the shifts; without it pairs across faces are not found."""
    path = write("box.gro", BOX_GRO % "   4.00000   4.00000   4.00000")
    assert detect(path, "--radius", 0.2)["touching_pairs"] == 0
    for precision in ("f32", "f64"):
        pairs = folder / "shifts.csv"
        data = detect(path, "--radius", 0.2, "--periodic", "xyz", "--precision", precision, "--pairs", pairs)
        assert data["touching_pairs"] == 1 and data["periodic"] == "xyz" and data["largest_group"] == 2, data
        header, rows = read_csv(pairs)
        assert header == [*PAIR_COLUMNS, *VECTORS, "shift_x", "shift_y", "shift_z"], header
        assert [row[:2] + row[11:] for row in rows] == [["0", "1", "-1", "-1", "0"]], rows
    for axes, found in (("x", 0), ("y", 0), ("yx", 1), ("z", 0)):
        assert detect(path, "--radius", 0.2, "--periodic", axes)["touching_pairs"] == found, axes
    tilted = write("tilted.gro", BOX_GRO % "4 4 4 0 0 3.8 0 1.9 1.75")
    rows_path = folder / "tilted.csv"
    assert detect(tilted, "--radius", 0.2, "--periodic", "xyz", "--pairs", rows_path)["touching_pairs"] == 1
    assert [row[:2] + row[11:] for row in read_csv(rows_path)[1]] == [["0", "1", "0", "-1", "0"]]
    # No pair, and still a column for its shift.
    run("detect", path, "--radius", 0.01, "--periodic", "xyz", "--pairs", rows_path)
    assert read_csv(rows_path) == ([*PAIR_COLUMNS, *VECTORS, "shift_x", "shift_y", "shift_z"], [])


@check
def self_images_are_pairs():
    """With --self-images bodies may be as large as the box; a body and its own image is a row with i = k."""
    path = write("small.xyz", '1\nLattice="1 0 0 0 1 0 0 0 1" Properties=species:S:1:pos:R:3\nPo 0.25 0.5 0.75\n')
    refuses("detect", path, "--radius", 0.5, "--periodic", "xyz", code=INPUT, says=["small.xyz:3", "self_images"])
    for radius, found in ((0.4375, 0), (0.5, 3), (0.75, 9), (1, 16)):
        pairs = folder / "self.csv"
        data = detect(path, "--radius", radius, "--periodic", "xyz", "--self-images", "--pairs", pairs)
        touching = [row for row in read_csv(pairs)[1] if row[4] != ""]
        assert data["touching_pairs"] == found == len(touching), (radius, data)
        assert data["groups"] == 0 and all(row[:2] == ["0", "0"] for row in touching), data
        shifts = [tuple(map(int, row[11:])) for row in touching]
        assert len(set(shifts)) == found and all(shift > (0, 0, 0) for shift in shifts), shifts


@check
def periodic_needs_a_box_and_axes():
    """No box in the file is bad input; axes that are none, and bodies that touch their own image, are refused."""
    refuses("detect", write("nobox.csv", TWO_BODIES), "--periodic", "xyz", code=INPUT, says=["nobox.csv", "box"])
    path = write("box.gro", BOX_GRO % "   4.00000   4.00000   4.00000")
    for axes in ("", "w", "xx", "xyzx", "x,y"):
        refuses("detect", path, "--radius", 0.2, "--periodic", axes, says=["--periodic", "xyz"])
    refuses("detect", path, "--radius", 2, "--periodic", "x", code=INPUT, says=["box.gro:3", "radius", "image"])
    refuses("detect", path, "--radius", 2, "--self-images", says=["--self-images", "--periodic"])
    refuses("detect", "--scene", "u", "--periodic", "xyz", "--self-images", "--coherent", says=["--coherent"])
    refuses("detect", write("flat.gro", BOX_GRO % "4 4 0"), "--radius", 0.2, "--periodic", "xyz", code=INPUT,
            says=["flat.gro:6", "volume"])
    refuses("detect", write("zero.gro", BOX_GRO % "0 0 0"), "--radius", 0.2, "--periodic", "xyz", code=INPUT,
            says=["zero.gro", "no box"])
    zero = write("zero.xyz", "1\nLattice=\"0 0 0 0 0 0 0 0 0\" Properties=species:S:1:pos:R:3\nA 1 2 3\n")
    for more in ([], ["--periodic", "xyz"]):
        refuses("detect", zero, "--radius", 1, *more, code=INPUT, says=["zero.xyz:2", "Lattice"])
    refuses("detect", "--scene", "c", "--bodies", 100, "--periodic", "x", says=["scene c", "box"])
    assert detect("--scene", "u", "--bodies", 1000, "--periodic", "xyz")["touching_pairs"] >= detect(
        "--scene", "u", "--bodies", 1000)["touching_pairs"]


@check
def water_obeys_the_law_of_tiles():
    """547 K^3 contacts of oxygens nearer than 0.35 nm, across the faces too, in K x K x K boxes of water."""
    scripts = pathlib.Path(__file__).resolve().parent.parent.parent
    for tiles in (1, 2):
        path = scripts / "data" / f"water_{tiles}.gro"
        if not path.exists():
            raise Skip(f"there is no {path.name}: scripts/data water {tiles} makes it")
        for precision in ("f32", "f64"):
            data = detect(path, "--select", "OW", "--radius", 0.175, "--periodic", "xyz", "--precision", precision)
            assert data["touching_pairs"] == 547 * tiles**3, data


@check
def groups_file_has_every_member():
    """--groups: every group of two or more with its members; the group is its smallest member."""
    path, pairs_path = folder / "groups.csv", folder / "pairs.csv"
    data = detect("--scene", "u", "--bodies", 3000, "--groups", path, "--pairs", pairs_path)
    header, rows = read_csv(path)
    assert header == ["group", "body"], header
    groups = {}
    for group, body in rows:
        groups.setdefault(int(group), []).append(int(body))
    assert all(len(members) >= 2 and min(members) == group for group, members in groups.items())
    assert len(groups) == data["groups"]
    assert max(len(members) for members in groups.values()) == data["largest_group"]
    label = {body: group for group, members in groups.items() for body in members}
    for row in read_csv(pairs_path)[1]:
        assert label[int(row[0])] == label[int(row[1])], row


@check
def a_known_impact_is_exact():
    """Two spheres half apart, one moving a unit: they touch at the end of the step, from a file."""
    path = folder / "exact.csv"
    for precision in ("f32", "f64"):
        run("detect", write("two.csv", TWO_BODIES), "--pairs", path, "--precision", precision)
        rows = read_csv(path)[1]
        assert [[float(word) for word in row] for row in rows] == [[0, 1, 1, 1, 1, -1, 0, 0, 1.5, 0, 0]], rows


@check
def file_options_apply():
    """--dt scales velocities, --radius gives radii, --select keeps the atoms named."""
    gro = write("atoms.gro", "three atoms t= 0.0\n    3\n"
                "    1SOL     OW    1   0.000   0.000   0.000  1.0000  0.0000  0.0000\n"
                "    1SOL    HW1    2   0.500   0.000   0.000  0.0000  0.0000  0.0000\n"
                "    2SOL     OW    3   2.000   0.000   0.000  0.0000  0.0000  0.0000\n"
                "   5.00000   5.00000   5.00000\n")
    refuses("detect", gro, says=["radius"])
    assert detect(gro, "--radius", 0.1)["touching_pairs"] == 1
    assert detect(gro, "--radius", 0.1, "--dt", 2)["touching_pairs"] == 2
    assert detect(gro, "--radius", 0.1, "--dt", 0.1)["touching_pairs"] == 0
    data = detect(gro, "--radius", 0.1, "--dt", 2, "--select", "OW")
    assert (data["bodies"], data["touching_pairs"]) == (2, 1), data
    refuses("detect", gro, "--radius", 0.1, "--select", "XX", says=["XX"])
    assert "gro, 3 bodies" in run("detect", gro, "--radius", 0.1).err


@check
def bad_bodies_are_named_with_their_line():
    """NaN, infinity and a negative radius: exit 3, file:line and the field."""
    for number, (row, field) in enumerate([("nan,0,0,1,0,0,0.5", "prev_x"), ("0,0,0,1,inf,0,0.5", "curr_y"),
                                           ("0,0,0,1,0,0,-0.5", "radius"), ("0,0,0,1,0,0,nan", "radius")]):
        path = write(f"bad{number}.csv", HEADER + "0,0,0,1,0,0,0.5\n" + row + "\n")
        for precision in ("f32", "f64"):
            refuses("detect", path, "--precision", precision, code=INPUT, says=[f"{path}:3", field])


@check
def a_double_beyond_float_is_named():
    """f32 does not turn a finite double into an infinity: exit 3, file:line and field; f64 takes it."""
    path = write("large.csv", HEADER + "0,0,0,1,0,0,0.5\n0,0,1e300,1,0,1e300,0.5\n")
    refuses("detect", path, "--precision", "f32", code=INPUT, says=[f"{path}:3", "prev_z", "1e+300", "f64"])
    assert detect(path)["precision"] == "f64"


@check
def bad_files_say_where():
    """A file that is missing, empty, a folder, or broken in a line: exit 3 and its name, and the line."""
    for path in (folder / "missing.csv", folder):
        refuses("detect", path, "--radius", 1, code=INPUT, says=[str(path)])
    refuses("detect", write("empty.csv", ""), "--radius", 1, code=INPUT, says=["empty.csv: it is empty"])
    path = write("word.csv", HEADER + "0,0,0,1,0,0,0.5\n0,zero,0,1,0,0,0.5\n")
    refuses("detect", path, code=INPUT, says=[f"{path}:3"])
    path = write("short.csv", HEADER + "0,0,0,1,0\n")
    refuses("detect", path, code=INPUT, says=[f"{path}:2"])


@check
def full_disk_is_told():
    """What cannot be written is exit 4, on stdout and in files."""
    if not os.path.exists("/dev/full"):
        return
    with open("/dev/full", "w") as full:
        result = Run("detect", "--scene", "u", "--bodies", 10, stdout=full)
        assert result.code == RESOURCES and "standard output" in result.err, result
    result = Run(*SMALL, "--pairs", folder / "missing" / "pairs.csv")
    assert result.code == RESOURCES and "missing" in result.err, result


def leftovers():
    return [path for path in folder.iterdir() if path.name.startswith(".")]


@check
def a_file_that_does_not_fit_is_not_begun():
    """A limit on the size of files is a full disk: exit 4, the old file as it was, nothing beside it."""
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (10000, 10000))
    for words in (["gen", "--scene", "u", "--bodies", 10000], [*SMALL, "--pairs"], [*SMALL, "--all-pairs"],
                  ["detect", "--scene", "u", "--bodies", 10000, "--groups"]):
        for suffix in ("csv", "npy"):
            path = write(f"fits.{suffix}", "old")
            result = Run(*words, path, preexec_fn=limit)
            assert result.code == RESOURCES and f"{path}: File too large" in result.err, result
            assert path.read_text() == "old" and not leftovers(), leftovers()
    if os.path.exists("/dev/full"):
        for words in (["gen", "--scene", "u", "--bodies", 3, "--format", "csv"], [*SMALL, "--pairs"]):
            result = Run(*words, "/dev/full")
            assert result.code == RESOURCES and "/dev/full: No space left" in result.err, result


@check
def signals_leave_no_torn_file():
    """Ended in mid-write, the command leaves the old file as it was and nothing beside it."""
    path = folder / "torn.csv"

    def heed():  # whoever runs the tests may ignore some, as nohup does
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        path.write_text("old")
        process = subprocess.Popen([carom_path, "gen", "--scene", "u", "--bodies", "5e6", path], stderr=subprocess.PIPE,
                                   preexec_fn=heed)
        while process.poll() is None and not any(file.stat().st_size > 1 << 16 for file in leftovers()):
            time.sleep(0.005)
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
        assert process.returncode == -number, (process.returncode, err)
        assert path.read_text() == "old" and not leftovers(), leftovers()


@check
def replaced_files_are_told():
    """A file that was there is replaced as a whole, keeps its mode, and stderr says so; a link stays one."""
    path = write("replaced.csv", "old")
    path.chmod(0o640)
    link = folder / "link.csv"
    link.symlink_to("replaced.csv")
    for name in (path, link):
        result = run(*SMALL, "--pairs", name)
        assert "replacing" in result.err, result
        assert path.read_text().startswith("i,k,") and stat.S_IMODE(path.stat().st_mode) == 0o640
    assert link.is_symlink()
    new = folder / "new.csv"
    assert "replacing" not in run(*SMALL, "--pairs", new).err
    assert "replacing" in run("gen", "--scene", "u", "--bodies", 3, new).err


@check
def inputs_are_not_overwritten():
    """An output that is the input, or another output, under whatever name, is refused and nothing changes."""
    two = write("two.csv", TWO_BODIES)
    for name in ("soft.csv", "hard.csv", "ahead.csv"):
        (folder / name).unlink(missing_ok=True)
    (folder / "soft.csv").symlink_to("two.csv")
    (folder / "hard.csv").hardlink_to(two)
    (folder / "ahead.csv").symlink_to("later.csv")
    detour = folder / "sub" / ".." / "two.csv"
    (folder / "sub").mkdir(exist_ok=True)
    for option in ("--pairs", "--all-pairs", "--groups"):
        for name in (two, folder / "soft.csv", folder / "hard.csv", detour):
            refuses("detect", two, option, name, says=[option, "to be read"])
            with open(two, "rb") as file:
                refuses("detect", "-", option, name, stdin=file, says=[option, "to be read"])
    for a, b in (("later.csv", "later.csv"), ("later.csv", "./later.csv"), ("ahead.csv", "later.csv"),
                 ("later.csv", "sub/../later.csv")):
        refuses("detect", two, "--pairs", folder / a, "--groups", f"{folder}/{b}", says=["--pairs", "--groups"])
        refuses("detect", two, "--groups", folder / a, "--all-pairs", f"{folder}/{b}", says=["--groups", "--all-pairs"])
    assert two.read_text() == TWO_BODIES and not (folder / "later.csv").exists()
    run("detect", two, "--pairs", "/dev/null", "--groups", "/dev/null")


@check
def pipes_get_lists_directly():
    """A FIFO is written to, not replaced."""
    fifo = folder / "fifo"
    os.mkfifo(fifo)
    process = subprocess.Popen([carom_path, *SMALL, "--pairs", fifo], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    header = fifo.read_text().splitlines()[0]
    process.communicate(timeout=60)
    assert header == ",".join(PAIR_COLUMNS + VECTORS) and process.returncode == OK
    assert stat.S_ISFIFO(fifo.stat().st_mode) and not leftovers()


@check
def a_report_says_what_was_run():
    """--json names the command line, the scene or file, the machine, its load and the date."""
    before = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    # The file stands before its options: the words must be told in the order they were given.
    two = write("two.csv", TWO_BODIES)
    words = ["detect", str(two), "--method", "sweep", "--repeat", "4", "--json"]
    data = report(run(*words).out)
    assert data["command"][1:] == words and os.path.samefile(data["command"][0], carom_path), data["command"]
    assert data["file"] == {"path": str(two), "format": "csv", "bodies": 2} and data["scene"] is None
    assert data["method_asked"] == "sweep" and data["repeat"] == 4
    date = datetime.datetime.strptime(data["date"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=datetime.timezone.utc)
    assert before <= date <= datetime.datetime.now(datetime.timezone.utc), data["date"]
    assert data["machine"]["cores"] == len(os.sched_getaffinity(0))
    model = re.search(r"^model name\s*:\s*(.*?)\s*$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    assert data["machine"]["cpu"] == (model.group(1) if model else None), data["machine"]
    gro = write("names.gro", BOX_GRO % "4 4 4")
    data = detect(gro, "--radius", 0.1, "--select", "OW")
    assert data["file"]["bodies"] == 3 == data["bodies"]
    data = detect("--scene", "dense", "--bodies", 50, "--seed", 18446744073709551615)
    assert data["scene"] == {"name": "dense", "seed": "18446744073709551615", "bodies": 50}, data["scene"]
    assert detect("--scene", "u", "--bodies", 50, "--seed", 5)["scene"]["seed"] == 5


@check
def times_are_of_one_call():
    """Phases and rest are of the call with the median total, so they add up to it; mean and median are beside it."""
    for words in (["--repeat", 1], ["--repeat", 2], ["--repeat", 7], ["--frames", 5], ["--until", "pairs"]):
        seconds = detect("--scene", "u", "--bodies", 20000, *words)["seconds"]
        parts = [value for key, value in seconds.items() if key not in ("total", "mean", "median") and value is not None]
        assert abs(sum(parts) - seconds["total"]) <= 2e-8 * seconds["total"], seconds
        if words[1] in (1, 7, 5):
            assert seconds["median"] == seconds["total"], seconds
        assert seconds["median"] >= seconds["total"], seconds
        if words[1] == 2:
            assert abs(seconds["median"] - seconds["mean"]) <= 2e-8 * seconds["total"], seconds
        if words[1] == 1:
            assert seconds["mean"] == seconds["total"], seconds
    text = run("detect", "--scene", "u", "--bodies", 20000, "--repeat", 3).out
    rows = dict(re.findall(r"^(\w+) +(-?[\d.]+) +-?[\d.]+ +-?[\d.]+% ", text, re.M))
    total = float(rows.pop("total"))
    assert list(rows) == [*PHASES, "rest", "mean"], rows
    rows.pop("mean")
    assert abs(sum(float(value) for value in rows.values()) - total) < 0.0005 * (len(rows) + 2), text


@check
def busy_machines_are_told():
    """More threads than cores, and a load above half the cores, are told in the table and in JSON."""
    cores = len(os.sched_getaffinity(0))
    assert "oversubscribed" in run(*SMALL, "--threads", cores + 1).out
    assert "oversubscribed" not in run(*SMALL, "--threads", cores).out
    assert detect(*SMALL[1:], "--threads", cores + 1)["machine"]["oversubscribed"]
    assert not detect(*SMALL[1:], "--threads", cores)["machine"]["oversubscribed"]
    machine = detect(*SMALL[1:])["machine"]
    assert machine["busy"] == (machine["load_1_minute"] > os.cpu_count() / 2), machine
    # The load is what it is; another run may see another.
    text = run(*SMALL).out
    told = re.search(r"^busy +load ([\d.]+) on (\d+) cores before the start", text, re.M)
    assert (told is None) == ("\nbusy" not in text) and (told is None or float(told[1]) >= int(told[2]) / 2), text


@check
def reports_match_the_schema():
    """The schema is one, and reports of each kind keep to it: every report that these tests read is held against it."""
    if jsonschema is None:
        raise Skip("python3-jsonschema is missing")
    jsonschema.Draft7Validator.check_schema(json.loads(SCHEMA.read_text()))
    run_data = detect(*SMALL[1:])
    for change in ({"schema": 1}, {"date": "today"}, {"extra": 1}, {"touching_hash": "x"}):
        try:
            jsonschema.Draft7Validator(json.loads(SCHEMA.read_text())).validate({**run_data, **change})
        except jsonschema.ValidationError:
            continue
        assert False, f"the schema lets {change} pass"
    report(run("info", "--json").out)


@check
def files_are_read_in_double():
    """Digits that a float does not hold count: a file is f64 unless --precision says f32; a scene is f32."""
    # A gap of 1e-9 between two spheres vanishes in float, one of -1e-9 is there in both.
    apart = write("apart.csv", "x,y,z,radius\n100,0,0,0.5\n101.000000001,0,0,0.5\n")
    overlap = write("overlap.csv", "x,y,z,radius\n100,0,0,0.5\n100.999999999,0,0,0.5\n")
    assert detect(apart)["touching_pairs"] == 0 and detect(overlap)["touching_pairs"] == 1
    assert detect(apart)["precision"] == "f64" and detect(apart, "--precision", "f64")["touching_pairs"] == 0
    data = detect(apart, "--precision", "f32")
    assert data["precision"] == "f32" and data["touching_pairs"] == 1, data
    assert detect(*SMALL[1:])["precision"] == "f32"
    assert detect(*SMALL[1:], "--precision", "f64")["precision"] == "f64"


@check
def carriage_returns_end_lines():
    """A CSV whose lines end in bare carriage returns has its bodies, and its faults their lines."""
    path = folder / "mac.csv"
    path.write_bytes(TWO_BODIES.replace("\n", "\r").encode())
    assert detect(path)["touching_pairs"] == 1
    path.write_bytes((TWO_BODIES + "0,0,0,0,0,0,x\n").replace("\n", "\r").encode())
    refuses("detect", path, code=INPUT, says=["mac.csv:4", "radius"])


@check
def messages_are_text():
    """Bytes that are not UTF-8 and control characters are escaped in messages and reports, not echoed."""
    name = os.fsencode(folder) + b"/\xff\x1b[1m.csv"
    with open(name, "wb") as file:
        file.write(TWO_BODIES.encode())
    data = detect(os.fsdecode(name))
    assert data["file"]["path"].endswith("\\xff\\x1b[1m.csv"), data["file"]
    table = run("detect", os.fsdecode(name))
    assert "\\xff\\x1b[1m.csv" in table.out and "\x1b" not in table.out + table.err
    with open(name, "wb") as file:
        file.write(TWO_BODIES.encode() + b"0,0,\xfe\x9b,0,0,0,1\n")
    refuses("detect", os.fsdecode(name), code=INPUT, says=["\\xff\\x1b[1m.csv:4", "\\xfe\\x9b"])
    refuses("detect", "--scene", os.fsdecode(b"\xff\x07"), says=["'\\xff\\x07'"])


def limited(*arguments):
    """The command with a gibibyte of address space."""
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    return subprocess.run([carom_path, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          preexec_fn=limit, timeout=300)


@check
def no_memory_is_told():
    """A scene, and a detection, that do not fit into memory: exit 4 with a message, no crash."""
    if limited("--version").returncode != OK:
        raise Skip("this build needs more to start, as one with a sanitizer does")
    for bodies in ("1e8", "4294967294"):
        done = limited("detect", "--scene", "u", "--bodies", bodies, "--threads", "1")
        assert done.returncode == RESOURCES and "memory" in done.stderr and done.stdout == "", done
    done = limited("detect", "--scene", "u", "--bodies", "1.7e7", "--threads", "1")
    assert done.returncode == RESOURCES and "memory" in done.stderr and done.stdout == "", done


def read_to_end(leader):
    """What was written to a terminal that nobody has open any more. It comes in pieces; after the last Linux says EIO."""
    pieces = []
    while True:
        try:
            pieces.append(os.read(leader, 65536))
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            return b"".join(pieces)
        if not pieces[-1]:
            return b"".join(pieces)


@check
def progress_is_for_terminals():
    """On a terminal the wait is explained on stderr, on a line that is wiped afterwards; stdout stays data."""
    try:
        leader, follower = pty.openpty()
    except OSError as error:
        raise Skip("no terminal can be opened here") from error
    process = subprocess.Popen([carom_path, *SMALL, "--json"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=follower, text=True)
    out, _ = process.communicate(timeout=300)
    os.close(follower)
    seen = read_to_end(leader).decode()
    os.close(leader)
    assert process.returncode == OK and json.loads(out)["bodies"] == 1000, out
    assert "making scene u" in seen and "detecting" in seen, repr(seen)
    assert seen.endswith("\r\033[K"), repr(seen)


@check
def coherent_steps_agree():
    """Every step of a scene in motion has the hash of cold detection, in a table and in JSON."""
    for scene, precision in (("u", "f32"), ("u", "f64"), ("c", "f32")):
        found = detect("--coherent", "--scene", scene, "--bodies", "2000", "--frames", "12", "--displacement", "0.05",
                       "--hash", "--precision", precision)
        kept = found["kept"]
        assert list(kept) == ["rebuilds", "candidates", "steps_ahead", "margin", "escapes", "begun", "ended", "cold"], kept
        assert kept["steps_ahead"] >= 1 and kept["margin"] > 0, kept
        assert found["method"] == "coherent" and found["frames"] == 12 and len(found["each"]) == 12
        assert 1 <= kept["rebuilds"] < 12 and found["each"][0]["rebuilt"]
        assert sum(each["rebuilt"] for each in found["each"]) == kept["rebuilds"]
        assert sum(each["cold"] for each in found["each"]) == kept["cold"]
        cold = detect("--scene", scene, "--bodies", "2000", "--frames", "12", "--displacement", "0.05", "--hash",
                      "--precision", precision)
        assert cold["method"] != "coherent" and cold["kept"] is None
        assert [each["result_hash"] for each in cold["each"]] == [each["result_hash"] for each in found["each"]]
        assert all(re.fullmatch("[0-9a-f]{16}", each["result_hash"]) for each in found["each"])
        assert len({each["result_hash"] for each in found["each"]}) == 12, "bodies do not move"
    fast = detect("--coherent", "--scene", "u", "--bodies", "2000", "--frames", "12", "--displacement", "4", "--hash")
    assert fast["kept"]["cold"] == sum(each["cold"] for each in fast["each"]) >= 11
    assert fast["kept"]["begun"] == 0, fast["kept"]
    table = run("detect", "--coherent", "--scene", "u", "--bodies", "500", "--frames", "3", "--displacement", "0.02",
                "--hash").out
    assert "all 3 frames agree with cold detection" in table and "rebuilds" in table
    assert re.search(r"pairs kept +[0-9]+   margin [0-9.e-]+, steps ahead [0-9]+\n", table), table


@check
def motion_options_go_together():
    """Options of scenes in motion need --frames or --coherent, and those need a scene."""
    refuses(*SMALL, "--displacement", "1", says=["--displacement", "--coherent"])
    refuses(*SMALL, "--hash", says=["--hash", "--coherent"])
    refuses(*SMALL, "--frames", "3", "--repeat", "2", says=["--repeat", "--frames"])
    refuses(*SMALL, "--coherent", "--frames", "0", says=["--frames"])
    refuses(*SMALL, "--coherent", "--displacement", "nan", says=["--displacement"])
    refuses(*SMALL, "--coherent", "--repeat", "2", says=["--repeat"])
    name = write("still.csv", TWO_BODIES)
    refuses("detect", "--coherent", name, says=["--coherent"])
    refuses("detect", "--frames", "3", name, says=["--frames"])


class Skip(Exception):
    """Raised by a check for which the machine lacks what it needs."""


def main(checks):
    global carom_path, folder
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} PATH_OF_CAROM")
    carom_path = os.path.abspath(sys.argv[1])
    failed = 0
    print(f"1..{len(checks)}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for number, function in enumerate(checks, 1):
            label = f"{number} - {function.__name__.replace('_', ' ')}: {function.__doc__.splitlines()[0]}"
            try:
                function()
                print(f"ok {label}", flush=True)
            except Skip as reason:
                print(f"ok {label} # SKIP {reason}", flush=True)
            except Exception:
                failed += 1
                print(f"not ok {label}")
                print("# " + traceback.format_exc().replace("\n", "\n# "), flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main(check)
