#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The Carom authors
"""`carom distance` and `carom toi` from end to end: python3 tests/cli/test_distance.py PATH_OF_CAROM

Prints TAP and exits with 1 if a check fails. Every check is a function whose docstring says what it guards."""
import json
import math
import pathlib
import struct

import test_cli
from test_cli import INPUT, Checks, refuses, report, run, write

try:
    import jsonschema
except ImportError:
    jsonschema = None

ROOT = pathlib.Path(__file__).resolve().parents[2]
STATIC = ROOT / "tests/data/static_distance_cases.json"
SCHEMA = json.loads((ROOT / "kernel/cli/cases_schema.json").read_text())
DISTANCE = ["id", "state", "distance", "lower", "upper", "normal", "point_a", "point_b", "iterations", "capped"]
TOI = ["id", "state", "t", "gap", "normal", "point_a", "point_b", "iterations"]

BALL = {"shape": "sphere", "c": [0, 0, 0], "r": 1}
# One of each shape, all of which hold the origin.
SHAPES = [
    BALL,
    {"shape": "point", "c": [0, 0, 0]},
    {"shape": "box", "c": [0, 0, 0], "half": [1, 2, 3]},
    {"shape": "ellipsoid", "c": [0, 0, 0], "semi": [1, 2, 3]},
    {"shape": "capsule", "c": [0, 0, 0], "r": 1, "half_segment": 2, "axis": [0, 0, 2]},
    {"shape": "cylinder", "c": [0, 0, 0], "r": 1, "half_height": 2, "axis": [0, 0, 1]},
    {"shape": "cone", "c": [0, 0, 0], "r": 1, "half_height": 2, "axis": [0, 0, 1]},
    {"shape": "points", "v": [[1, 1, 1], [-1, -1, 1], [-1, 1, -1], [1, -1, -1]]},
    {"shape": "triangle", "v": [[1, 0, 0], [-1, 1, 0], [-1, -1, 0]]},
    {"shape": "segment", "a": [-1, 0, 0], "b": [1, 0, 0]},
    {"shape": "compound", "children": [BALL, {"shape": "box", "c": [1, 0, 0], "half": [1, 1, 1]}]},
]
INFINITE = [
    {"shape": "line", "c": [0, 0, 0], "axis": [0, 0, 1]},
    {"shape": "halfspace", "n": [0, 0, 1], "offset": 0},
    {"shape": "plane", "n": [0, 0, 1], "offset": 0},
]

check = Checks()


def cases_file(name, *pairs, **more):
    """Pairs as (a, b), with their numbers as ids."""
    cases = [{"id": n, "a": a, "b": b} for n, (a, b) in enumerate(pairs)]
    text = json.dumps({"cases": cases, **more})
    if jsonschema is not None:
        jsonschema.Draft7Validator(SCHEMA).validate(json.loads(text))
    return write(name, text)


def ask(command, path, *arguments):
    data = report(run(command, path, "--json", *arguments).out)
    for case in data["cases"]:
        assert list(case) == (DISTANCE if command == "distance" else TOI), list(case)
    return data


def distances(*pairs, arguments=()):
    return ask("distance", cases_file("pairs.json", *pairs), *arguments)["cases"]


def times(*pairs, arguments=()):
    return ask("toi", cases_file("moving.json", *pairs), *arguments)["cases"]


def near(a, b, tolerance=1e-9):
    return all(abs(x - y) <= tolerance for x, y in zip(a, b))


def holds(case, distance, tolerance=1e-12):
    return case["lower"] - tolerance <= distance <= case["upper"] + tolerance


@check
def every_row_of_the_corpus_is_answered():
    """All cases, in their order, in both precisions; each expectation lies in its bracket, but that of identical boxes,
    which GJK alone calls distance 0. tests/prop/test_distance_cases.c looks closer."""
    rows = json.loads(STATIC.read_text())["cases"]
    if jsonschema is not None:
        jsonschema.Draft7Validator(SCHEMA).validate(json.loads(STATIC.read_text()))
    for precision in ("f32", "f64"):
        data = ask("distance", STATIC, "--precision", precision)
        assert data["precision"] == precision and data["count"] == len(rows) == 241 and data["path"] == str(STATIC)
        assert [case["id"] for case in data["cases"]] == [row["id"] for row in rows]
        for row, case in zip(rows, data["cases"]):
            expect = row["expect"]
            wanted = expect.get("distance", -expect["depth"] if "depth" in expect else case["distance"])
            wanted = -2 if row["id"] == 474 else wanted
            slack = expect.get("tol", 0) + (1e-5 if precision == "f32" else 1e-12) * max(1, abs(wanted))
            assert holds(case, wanted, slack), (precision, row["id"], wanted, case)


@check
def tables_have_the_numbers_of_json():
    """A table is a line of names and a line for each case; its numbers read back as those of --json do."""
    for command, path in (("distance", cases_file("t.json", (BALL, SHAPES[2]), (BALL, {**BALL, "c": [3, 0.1, 0]}))),
                          ("toi", cases_file("m.json", (dict(BALL, move=[9, 0, 0]), {**BALL, "c": [5, 0.1, 0]})))):
        for precision in ("f32", "f64"):
            names, *rows = run(command, path, "--precision", precision).out.splitlines()
            found = [dict(zip(names.split(), row.split())) for row in rows]
            for row, case in zip(found, ask(command, path, "--precision", precision)["cases"]):
                flat = {}
                for name, value in case.items():
                    if isinstance(value, list):
                        flat.update({f"{name}_{axis}": x for axis, x in zip("xyz", value)})
                    else:
                        flat[name] = {True: "yes", False: "no"}.get(value, value) if name == "capped" else value
                assert list(flat) == list(row), row
                for name, value in flat.items():
                    same = row[name] == str(value)
                    if isinstance(value, float):
                        pack = "f" if precision == "f32" else "d"
                        same = struct.pack(pack, float(row[name])) == struct.pack(pack, value)
                    assert same, (name, row[name], value)


@check
def every_shape_is_read():
    """Shapes of each word around the origin touch one another, and are as far from a distant ball as they are long
    towards it."""
    towards = {"box": 3, "ellipsoid": 3, "capsule": 3, "cylinder": 2, "cone": 2, "sphere": 1, "point": 0, "segment": 0,
               "triangle": 0, "compound": 1}
    for shape in SHAPES:
        found = distances(*[(shape, other) for other in SHAPES])
        assert all(case["state"] != "separated" for case in found), (shape, found)
        case, = distances((shape, {**BALL, "c": [0, 0, 10]}))
        if shape["shape"] in towards:
            assert holds(case, 9 - towards[shape["shape"]]), (shape, case)
            assert near(case["normal"], [0, 0, -1], 1e-5), case


@check
def infinite_shapes_are_read():
    """A half-space has one side, a plane two; a line is endless. Their offsets are in units of n."""
    up = {**BALL, "c": [5, 3, 2.5]}
    line, half, plane = distances(*[(up, shape) for shape in INFINITE])
    assert holds(line, math.hypot(5, 3) - 1) and holds(half, 1.5) and holds(plane, 1.5)
    assert near(half["normal"], [0, 0, 1]) and near(plane["normal"], [0, 0, 1])
    down = {**BALL, "c": [0, 0, -2.5]}
    half, plane = distances(*[(down, shape) for shape in INFINITE[1:]])
    assert holds(half, -3.5) and half["state"] == "touching" and holds(plane, 1.5) and plane["state"] == "separated"
    assert near(plane["normal"], [0, 0, -1]) and near(plane["point_b"], [0, 0, 0])
    inside, = distances(({**BALL, "c": [0, 0, 0.25]}, INFINITE[2]))
    assert holds(inside, -0.75) and near(inside["normal"], [0, 0, 1])
    tilted, doubled = distances((BALL, {"shape": "halfspace", "n": [3, 0, 4], "offset": -25}),
                                (BALL, {"shape": "plane", "n": [0, 2, 0], "offset": 6}))
    assert holds(tilted, 4, 1e-9) and near(tilted["normal"], [0.6, 0, 0.8]) and holds(doubled, 2, 1e-9)


@check
def frames_turn_and_move_shapes():
    """quat_wxyz rotates about c: with an axis, of points, of a half-space, of a compound's children."""
    half = math.sqrt(0.5)
    about_y = [half, 0, half, 0]  # z becomes x
    far = {"shape": "point", "c": [10, 0, 0]}
    rod = {"shape": "capsule", "c": [0, 0, 0], "r": 1, "half_segment": 3}
    turned = [{**rod, "quat_wxyz": about_y}, {**rod, "axis": [1, 0, 0]}, {**rod, "axis": [-2, 0, 0]},
              {**rod, "axis": [0, 0, -1], "quat_wxyz": [-x for x in about_y]},
              {"shape": "points", "v": [[0, 0, 3], [0, 0, 0]], "c": [1, 0, 0], "quat_wxyz": about_y},
              {"shape": "segment", "a": [0, 0, 3], "b": [0, 1, 0], "c": [1, 0, 0], "quat_wxyz": about_y},
              {"shape": "halfspace", "n": [0, 0, 1], "offset": 3, "c": [1, 5, 5], "quat_wxyz": about_y},
              {"shape": "compound", "c": [1, 0, 0], "quat_wxyz": about_y, "children": [{**BALL, "c": [0, 0, 2]}]},
              {"shape": "compound", "children": [{**rod, "quat_wxyz": about_y}]}]
    for shape, case in zip(turned, distances(*[(far, shape) for shape in turned])):
        assert holds(case, 6) and near(case["point_b"], [4, 0, 0]), (shape, case)
    cone = {"shape": "cone", "c": [0, 0, 0], "r": 1, "half_height": 2, "axis": [1, 0, 0]}
    apex, = distances((far, cone))
    assert holds(apex, 8)


@check
def normals_point_from_b_to_a():
    """And swap with the operands."""
    right = {**BALL, "c": [5, 0, 0]}
    first, second = distances((BALL, right), (right, BALL))
    assert near(first["normal"], [-1, 0, 0]) and near(first["point_a"], [1, 0, 0]) and near(first["point_b"], [4, 0, 0])
    assert near(second["normal"], [1, 0, 0]) and near(second["point_a"], [4, 0, 0])


@check
def floats_round_the_file_first():
    """0.1 as a float is more than 0.1: f32 says what is true of the rounded numbers."""
    tenth = struct.unpack("f", struct.pack("f", 0.1))[0]
    pair = ({"shape": "point", "c": [0, 0, 0]}, {"shape": "point", "c": [0.1, 0, 0]})
    wide, = distances(pair)
    narrow, = distances(pair, arguments=["--precision", "f32"])
    assert holds(wide, 0.1, 0) and holds(narrow, tenth, 0) and narrow["distance"] == tenth, (wide, narrow)
    refuses("distance", cases_file("large.json", ({"shape": "point", "c": [1e39, 0, 0]}, BALL)), "--precision", "f32",
            code=INPUT, says=["cases[0] (id 0).a.c", "too large for a float"])


@check
def moving_shapes_meet():
    """Times of motions with closed forms: never late, and early by little."""
    found = times(({**BALL, "move": [10, 0, 0]}, {**BALL, "c": [5, 0, 0]}),
                  ({"shape": "capsule", "c": [0, 0, 0], "r": 0, "half_segment": 1, "axis": [1, 0, 0],
                    "spin": [0, 0, math.pi]}, {"shape": "sphere", "c": [0, 0.5, 0], "r": 0.25}),
                  ({"shape": "segment", "a": [-1, 0, 0], "b": [1, 0, 0],
                    "quat_end_wxyz": [math.sqrt(0.5), 0, 0, math.sqrt(0.5)]},
                   {"shape": "sphere", "c": [0, 0.5, 0], "r": 0.25}),
                  (BALL, {**BALL, "c": [1, 0, 0]}),
                  (BALL, {**BALL, "c": [5, 0, 0], "move": [0, 9, 0], "spin": [50, 0, 0]}),
                  ({**BALL, "c": [0, 0, -5], "move": [0, 0, 8]}, INFINITE[2]),
                  ({**BALL, "c": [0, 0, 5], "move": [0, 0, -8]}, INFINITE[1]))
    # The rod's line is 0.25 from the ball's centre when it is acos(0.5) from the y axis.
    for case, wanted in zip(found, [0.3, (math.pi / 2 - math.asin(0.5)) / math.pi, (math.pi / 2 - math.asin(0.5)) /
                                    (math.pi / 2), 0, None, 0.5, 0.5]):
        if wanted is None:
            assert case["state"] == "none" and case["t"] == 1, case
        else:
            assert case["state"] == "hit" and wanted - 1e-6 <= case["t"] <= wanted + 1e-15, (wanted, case)
    narrow = times(({**BALL, "move": [10, 0, 0]}, {**BALL, "c": [5, 0, 0]}), arguments=["--precision", "f32"])
    assert narrow[0]["state"] == "hit" and 0.2999 < narrow[0]["t"] <= 0.3, narrow


@check
def ids_are_numbers_or_texts():
    """And come back as they are; other members of cases and files are left alone."""
    path = write("ids.json", json.dumps({"note": "x", "cases": [{"id": "a name", "a": BALL, "b": BALL, "pair": 7},
                                                                {"id": 12, "a": BALL, "b": BALL, "expect": {}}]}))
    assert [case["id"] for case in ask("distance", path)["cases"]] == ["a name", 12]
    empty = write("empty.json", '{"cases": []}')
    assert ask("distance", empty)["cases"] == [] and run("toi", empty).out == ""


@check
def standard_input_is_a_file():
    """As "-"."""
    text = json.dumps({"cases": [{"id": 1, "a": BALL, "b": BALL}]}).encode()
    data = report(run("distance", "-", "--json", stdin=text).out)
    assert data["path"] == "standard input" and data["count"] == 1


@check
def wrong_command_lines_are_refused():
    """With the word that is wrong."""
    for command in ("distance", "toi"):
        refuses(command, says=["Give a file"])
        refuses(command, STATIC, "more", says=["'more'"])
        refuses(command, STATIC, "--precision", "f16", says=["f16", "f32, f64"])
        refuses(command, STATIC, "--frobnicate", says=["frobnicate"])
        refuses(command, test_cli.folder / "missing.json", code=INPUT, says=["missing.json"])
        assert "cases_schema.json" in run(command, "--help").out


@check
def wrong_files_are_refused():
    """By file, place and id, with what is wrong."""
    for text, says in (("{", ["bad.json:1:"]), ("[]", ["is not an object"]), ("{}", ["cases: is missing"]),
                       ('{"cases": 3}', ["cases: is not a list"]), ('{"cases": [3]}', ["cases[0]: is not an object"]),
                       ('{"cases": [{}]}', ["cases[0].id: is missing"]),
                       ('{"cases": [{"id": -1}]}', ["cases[0].id: is neither a text nor a whole number"]),
                       ('{"cases": [{"id": 5}]}', ["cases[0] (id 5).a: is missing"])):
        refuses("distance", write("bad.json", text), code=INPUT, says=["bad.json", *says])


@check
def wrong_shapes_are_refused():
    """Each by its own message."""
    box = SHAPES[2]
    for shape, says in (
            ({}, ["a.shape: is missing"]), ({"shape": "torus"}, ['is "torus"; there are sphere, point, box']),
            ({**BALL, "radius": 1}, ['there is no member "radius"; there are shape, c, quat_wxyz, r']),
            ({"shape": "sphere", "r": 1}, ["a.c: is missing"]), ({"shape": "sphere", "c": [0, 0, 0]}, ["a.r: is missing"]),
            ({**BALL, "r": -1}, ["a.r: is not a number from 0 up"]), ({**BALL, "r": "1"}, ["a.r: is not a number"]),
            ({**BALL, "c": [0, 0]}, ["a.c: is not a list of three numbers"]),
            ({**box, "half": [1, -1, 1]}, ["a.half: holds a number below 0"]),
            ({**box, "quat_wxyz": [1, 0, 0]}, ["a.quat_wxyz: is not a list of four numbers"]),
            ({**box, "quat_wxyz": [3, 0, 0, 0]}, ["a.quat_wxyz: has length 3, not 0.5 to 2"]),
            ({**box, "move": [1, 0, 0]}, ['there is no member "move"']),
            ({**SHAPES[4], "axis": [0, 0, 0]}, ["a.axis: has no direction"]),
            ({**INFINITE[1], "n": [0, 0, 0]}, ["a.n: has no direction"]),
            ({"shape": "halfspace", "n": [1, 0, 0]}, ["a.offset: is missing"]),
            ({"shape": "triangle", "v": [[0, 0, 0]]}, ["a.v: is not a list of three points"]),
            ({"shape": "points", "v": []}, ["a.v: is not a list of 1 to 256 points"]),
            ({"shape": "points", "v": [[0, 0, 0], [1, 0]]}, ["a.v[1]: is not a list of three numbers"]),
            ({"shape": "compound", "children": []}, ["a.children: is not a list of 1 to 65535 shapes"]),
            ({"shape": "compound", "children": [INFINITE[1]]}, ["a.children[0]: a halfspace cannot be in a compound"]),
            ({"shape": "compound", "children": [SHAPES[10]]}, ["a.children[0]: a compound cannot be in a compound"]),
            (INFINITE[0], ["case 7: ", "there is no test for a line and a box"])):
        path = write("bad.json", json.dumps({"cases": [{"id": 7, "a": shape, "b": box}]}))
        refuses("distance", path, code=INPUT, says=["bad.json", *says])
    both = {**BALL, "spin": [1, 0, 0], "quat_end_wxyz": [1, 0, 0, 0]}
    for shape, says in ((both, ["a.spin: is given, and quat_end_wxyz too"]), ({**BALL, "move": 3}, ["a.move: "]),
                        ({**INFINITE[1], "spin": [1, 0, 0]}, ["case 7: ", "do not turn"]),
                        ({"shape": "compound", "children": [{**BALL, "move": [1, 0, 0]}]}, ['no member "move"'])):
        path = write("bad.json", json.dumps({"cases": [{"id": 7, "a": shape, "b": BALL}]}))
        refuses("toi", path, code=INPUT, says=["bad.json", *says])


@check
def extreme_numbers_do_not_break_it():
    """Sizes at both ends of what shapes may have, and positions at the end of doubles: numbers, or null for infinity."""
    huge, tiny = {**BALL, "r": 1e50}, {**BALL, "r": 1e-50}
    found = distances((huge, huge), (tiny, tiny), (huge, tiny), (tiny, {**tiny, "c": [1e-50, 0, 0]}),
                      ({**BALL, "c": [1.7e308, 0, 0]}, {**BALL, "c": [-1.7e308, 0, 0]}), ({**BALL, "c": [1e300, 0, 0]}, huge))
    assert found[0]["state"] == "touching" and found[1]["state"] == "touching", found
    assert found[4]["state"] == "separated" and found[5]["state"] == "separated", found
    for size in (1e51, 1e-51):
        refuses("distance", cases_file("size.json", ({**BALL, "r": size}, BALL)), code=INPUT, says=["case 0: "])


if __name__ == "__main__":
    test_cli.main(check)
