#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The Carom authors
"""The `carom` command from end to end: python3 tests/cli/test_cli.py PATH_OF_CAROM

Prints TAP and exits with 1 if a check fails. Every check is a function whose docstring says what it guards."""
import csv
import json
import os
import pathlib
import pty
import re
import resource
import subprocess
import sys
import tempfile
import traceback

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

carom_path = ""
folder = pathlib.Path()
checks = []


def check(function):
    checks.append(function)
    return function


class Run:
    def __init__(self, *arguments, env=None, stdout=subprocess.PIPE):
        self.arguments = [str(word) for word in arguments]
        environment = {name: value for name, value in os.environ.items() if name != "CAROM_ISA"}
        environment.update(env or {})
        done = subprocess.run([carom_path, *self.arguments], stdin=subprocess.DEVNULL, stdout=stdout,
                              stderr=subprocess.PIPE, env=environment, text=True, timeout=300)
        self.code, self.out, self.err = done.returncode, done.stdout or "", done.stderr

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


def detect(*arguments, **more):
    return json.loads(run("detect", *arguments, "--json", **more).out)


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
    for words in (["--help"], ["-h"], ["detect", "--help"], ["gen", "--help"], ["info", "--help"]):
        result = run(*words)
        text = result.out
        assert text.index("Examples:") < text.index("Usage:"), result
        assert len(text[:text.index("Examples:")].strip().splitlines()) == 1, result
        assert re.search(r"Examples:\n  (\w+=\w+ )?carom ", text), result
        assert result.err == "", result


@check
def help_names_every_option():
    """The options promised in the manual are in the help."""
    text = run("detect", "--help").out
    for name in ("scene bodies seed threads isa precision until repeat json radius select dt periodic pairs groups expect "
                 "help").split():
        assert f"--{name}" in text, name


@check
def version_is_printed():
    """--version prints name and version, alone."""
    assert re.fullmatch(r"carom \d+\.\d+\.\d+\n", run("--version").out)


@check
def info_tells_the_machine():
    """`carom info` names the chosen instruction set among the available, those among the compiled."""
    text = run("info").out
    for word in ("version", "build", "isa compiled", "isa available", "isa chosen", "threads", "phases"):
        assert re.search(rf"^{word}\s+\S", text, re.M), f"{word}: {text}"
    data = json.loads(run("info", "--json").out)
    assert data["schema"] == 1
    assert data["isa"]["chosen"] in data["isa"]["available"]
    assert set(data["isa"]["available"]) <= set(data["isa"]["compiled"])
    assert "scalar" in data["isa"]["available"]
    assert data["phases"] == PHASES
    assert data["threads"] >= 1


@check
def environment_forces_the_isa():
    """CAROM_ISA chooses the instruction set; --isa overrides it."""
    assert json.loads(run("info", "--json", env={"CAROM_ISA": "scalar"}).out)["isa"]["chosen"] == "scalar"
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
        "schema": int, "version": str, "bodies": int, "threads": int, "isa": str, "precision": str,
        "periodic": type(None), "method": str, "reason": str,
        "box_pairs": int, "touching_pairs": int, "touching_hash": str, "groups": int, "largest_group": int,
        "neighbours": type(None), "result_hash": str, "repeat": int, "peak_rss_bytes": int, "seconds": dict,
    }
    assert list(data) == list(types), list(data)
    for key, kind in types.items():
        assert type(data[key]) is kind, (key, data[key])
    for key in ("touching_hash", "result_hash"):
        assert re.fullmatch("[0-9a-f]{16}", data[key]), data[key]
    assert list(data["seconds"]) == ["total", *PHASES]
    assert all(type(value) is float and value >= 0 for value in data["seconds"].values()), data["seconds"]
    assert data["seconds"]["total"] > 0
    assert data["schema"] == 1 and data["repeat"] == 3 and data["bodies"] == 1000
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
        assert timed == ["total", *times[stage], "collect"], (stage, timed)


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
    for isa in json.loads(run("info", "--json").out)["isa"]["available"]:
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
def table_is_for_a_person():
    """Without --json: what ran, a row per phase with four figures, a total of 100%, the counts and hashes."""
    text = run("detect", "--scene", "u", "--bodies", 10000, "--threads", 1, "--repeat", 2).out
    for word in (r"scene\s+u \(uniform\), seed 1", r"bodies\s+10000", r"threads\s+1", r"isa\s+\w+", r"precision\s+f32",
                 r"method\s+\w+", r"phase\s+ms\s+ns/body\s+share\s+GB/s",
                 r"touching pairs\s+5017\s+hash 94cd1842fc64b9e9",
                 r"groups\s+2006\s+largest 15", r"box pairs\s+\d+", r"result hash\s+[0-9a-f]{16}",
                 r"peak memory\s+[\d.]+ MiB"):
        assert re.search(rf"^{word}", text, re.M), f"{word}:\n{text}"
    for phase in PHASES:
        assert re.search(rf"^{phase}\s+[\d.]+\s+[\d.]+\s+[\d.]+%\s+([\d.]+|-)$", text, re.M), f"{phase}:\n{text}"
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
    refuses(*SMALL, "--groups", folder / "g.csv", "--until", "approach", says=["--groups"])
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
    """gen, then detect: every format keeps all bits of the floats, so the hashes are the scene's own."""
    for letter in ("u", "p"):
        scene = detect("--scene", letter, "--bodies", 2000, "--seed", 7)
        for suffix in ("npy", "csv", "xyz"):
            path = folder / f"{letter}.{suffix}"
            made = run("gen", "--scene", letter, "--bodies", 2000, "--seed", 7, path)
            assert made.out == "", made
            data = detect(path)
            assert data["bodies"] == 2000, data
            assert data["touching_hash"] == scene["touching_hash"], (letter, suffix, data)
            assert data["result_hash"] == scene["result_hash"], (letter, suffix, data)


@check
def gen_refuses_what_it_cannot_write():
    """An unknown suffix is usage and lists the known; a folder that is not there is a failure of resources."""
    refuses("gen", "--scene", "u", "--bodies", 3, folder / "o.doc", says=[".npy", ".csv", ".xyz"])
    result = Run("gen", "--scene", "u", "--bodies", 3, folder / "missing" / "o.csv")
    assert result.code == RESOURCES and "missing" in result.err, result


@check
def pairs_file_has_every_box_pair():
    """--pairs: rows are the box pairs in order of (i, k); those with a t_toi are the touching ones."""
    for precision in ("f32", "f64"):
        path = folder / f"pairs-{precision}.csv"
        data = detect("--scene", "u", "--bodies", 3000, "--precision", precision, "--pairs", path)
        header, rows = read_csv(path)
        assert header == ["i", "k", "t_ca", "distance", "t_toi"], header
        assert len(rows) == data["box_pairs"] > 0
        pairs = [(int(row[0]), int(row[1])) for row in rows]
        assert pairs == sorted(set(pairs)) and all(i < k for i, k in pairs)
        touching = [row for row in rows if row[4] != ""]
        assert len(touching) == data["touching_pairs"]
        for row in rows:
            assert 0 <= float(row[2]) <= 1 and float(row[3]) >= 0, row
        for row in touching:
            assert 0 <= float(row[4]) <= float(row[2]) or float(row[4]) == 0, row
            assert float(row[3]) <= 2.000001, row


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
        assert header == ["i", "k", "t_ca", "distance", "t_toi", "shift_x", "shift_y", "shift_z"], header
        assert [row[:2] + row[5:] for row in rows] == [["0", "1", "-1", "-1", "0"]], rows
    for axes, found in (("x", 0), ("y", 0), ("yx", 1), ("z", 0)):
        assert detect(path, "--radius", 0.2, "--periodic", axes)["touching_pairs"] == found, axes
    tilted = write("tilted.gro", BOX_GRO % "4 4 4 0 0 3.8 0 1.9 1.75")
    rows_path = folder / "tilted.csv"
    assert detect(tilted, "--radius", 0.2, "--periodic", "xyz", "--pairs", rows_path)["touching_pairs"] == 1
    assert [row[:2] + row[5:] for row in read_csv(rows_path)[1]] == [["0", "1", "0", "-1", "0"]]


@check
def periodic_needs_a_box_and_axes():
    """No box in the file is bad input; axes that are none, and bodies that touch their own image, are refused."""
    refuses("detect", write("nobox.csv", TWO_BODIES), "--periodic", "xyz", code=INPUT, says=["nobox.csv", "box"])
    path = write("box.gro", BOX_GRO % "   4.00000   4.00000   4.00000")
    for axes in ("", "w", "xx", "xyzx", "x,y"):
        refuses("detect", path, "--radius", 0.2, "--periodic", axes, says=["--periodic", "xyz"])
    refuses("detect", path, "--radius", 2, "--periodic", "x", code=INPUT, says=["box.gro:3", "radius", "image"])
    refuses("detect", write("flat.gro", BOX_GRO % "4 4 0"), "--radius", 0.2, "--periodic", "xyz", code=USAGE,
            says=["volume"])
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
        if row[4] != "":
            assert label[int(row[0])] == label[int(row[1])], row


@check
def a_known_impact_is_exact():
    """Two spheres half apart, one moving a unit: they touch at the end of the step, from a file."""
    path = folder / "exact.csv"
    for precision in ("f32", "f64"):
        run("detect", write("two.csv", TWO_BODIES), "--pairs", path, "--precision", precision)
        rows = read_csv(path)[1]
        assert [[float(word) for word in row] for row in rows] == [[0, 1, 1, 1, 1]], rows


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
    refuses("detect", path, code=INPUT, says=[f"{path}:3", "prev_z", "1e+300", "f64"])


@check
def bad_files_say_where():
    """A file that is missing, empty, a folder, or broken in a line: exit 3 and its name, and the line."""
    for path in (folder / "missing.csv", write("empty.csv", ""), folder):
        refuses("detect", path, "--radius", 1, code=INPUT, says=[str(path)])
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
    seen = os.read(leader, 65536).decode()
    os.close(leader)
    assert process.returncode == OK and json.loads(out)["bodies"] == 1000, out
    assert "making scene u" in seen and "detecting" in seen, repr(seen)
    assert seen.endswith("\r\033[K"), repr(seen)


@check
def coherent_steps_agree():
    """Every step of a scene in motion has the hash of cold detection, in a table and in JSON."""
    for scene, precision in (("u", "f32"), ("d", "f64"), ("c", "f32")):
        found = detect("--coherent", "--scene", scene, "--bodies", "2000", "--frames", "12", "--displacement", "0.05",
                       "--hash", "--precision", precision)
        kept = found["kept"]
        assert list(kept) == ["rebuilds", "candidates", "steps_ahead", "margin", "escapes", "begun", "ended", "cold"], kept
        assert kept["steps_ahead"] >= 1 and kept["margin"] > 0, kept
        assert found["method"] == "coherent" and found["frames"] == 12 and len(found["each"]) == 12
        assert 1 <= kept["rebuilds"] < 12 and found["each"][0]["rebuilt"]
        assert sum(each["rebuilt"] for each in found["each"]) == kept["rebuilds"]
        cold = detect("--scene", scene, "--bodies", "2000", "--frames", "12", "--displacement", "0.05", "--hash",
                      "--precision", precision)
        assert cold["method"] != "coherent" and cold["kept"] is None
        assert [each["result_hash"] for each in cold["each"]] == [each["result_hash"] for each in found["each"]]
        assert all(re.fullmatch("[0-9a-f]{16}", each["result_hash"]) for each in found["each"])
        assert len({each["result_hash"] for each in found["each"]}) == 12, "bodies do not move"
    fast = detect("--coherent", "--scene", "u", "--bodies", "2000", "--frames", "12", "--displacement", "4", "--hash")
    assert fast["kept"]["cold"] >= 11 and fast["kept"]["begun"] == 0, fast["kept"]
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
    refuses("detect", "--coherent", "x.csv", says=["--coherent"])
    refuses("detect", "--frames", "3", "x.csv", says=["--frames"])


class Skip(Exception):
    """Raised by a check for which the machine lacks what it needs."""


def main():
    global carom_path, folder
    if len(sys.argv) != 2:
        sys.exit("usage: test_cli.py PATH_OF_CAROM")
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
    main()
