#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The Carom authors
"""Scenes with shapes from end to end, `carom gen --shapes` and `carom detect`: test_shapes.py PATH_OF_CAROM

Prints TAP and exits with 1 if a check fails. Every check is a function whose docstring says what it guards."""
import copy
import gzip
import json
import math
import pathlib
import re

import test_cli
from test_cli import INPUT, OK, Checks, detect, has_zlib, names_options, read_csv, read_npy, refuses, run, write

try:
    import jsonschema
except ImportError:
    jsonschema = None

SCHEMA = json.loads((pathlib.Path(__file__).resolve().parents[2] / "kernel/cli/shaped_schema.json").read_text())
KINDS = ["boxes", "capsules", "hulls", "mixed"]
COUNTS = ["box_pairs", "touching_pairs", "touching_hash", "groups", "largest_group", "result_hash"]
HALF = math.sqrt(0.5)

BALL = {"kind": "sphere", "r": 1}
# One of each kind, of which each reaches 1 along some axis and no more along any.
SHAPES = [
    BALL,
    {"kind": "capsule", "r": 0.25, "half_segment": 0.75},
    {"kind": "box", "half": [0.5, 1, 0.25]},
    {"kind": "cylinder", "r": 0.5, "half_height": 1},
    {"kind": "cone", "r": 0.5, "half_height": 1},
    {"kind": "ellipsoid", "semi": [0.25, 0.5, 1]},
    {"kind": "hull", "v": [[1, 0, 0], [-1, 0, 0], [0, 0.5, 0], [0, 0, 0.5], [0.1, 0.1, 0.1]]},
    {"kind": "hull", "v": [[0, 0, 0], [1, 0, 0], [0, 1, 0]]},
    {"kind": "compound", "children": [{"shape": 1}, {"shape": 2, "at": [0, 0, 0.5], "turn": [0, 0, 1, 1]}]},
]
SCENE = {"version": 1, "description": "two balls", "shapes": [BALL],
         "bodies": [{"shape": 0, "prev": [0, 0, 0]}, {"shape": 0, "prev": [1.5, 0, 0]}]}

check = Checks()


def path(name):
    return test_cli.folder / name


def fits_schema(scene):
    return jsonschema is None or jsonschema.Draft7Validator(SCHEMA).is_valid(scene)


def scene_file(name, scene=None, **changes):
    """A scene with changes, of which None leaves a member out."""
    scene = copy.deepcopy(SCENE if scene is None else scene)
    for member, value in changes.items():
        scene[member] = value
        if value is None:
            del scene[member]
    return write(name, json.dumps(scene))


def bodies_file(name, shapes, *bodies, **more):
    scene = {"version": 1, "shapes": shapes, "bodies": list(bodies), **more}
    assert fits_schema(scene), scene
    return write(name, json.dumps(scene))


def pairs(name, *arguments):
    """The rows of --pairs, by name."""
    run("detect", name, "--pairs", path("rows.csv"), *arguments)
    names, rows = read_csv(path("rows.csv"))
    return [{key: int(value) if key in ("i", "k", "child_i", "child_k") else float(value)
             for key, value in zip(names, row)} for row in rows]


def touching(name, *arguments):
    return [(row["i"], row["k"]) for row in pairs(name, *arguments)]


def gen(name, *arguments):
    run("gen", *arguments, path(name))
    return path(name)


def as_case(shapes, entry, at, turn):
    """An entry of the table as a shape in a file of cases."""
    shape = {key: value for key, value in shapes[entry].items() if key != "kind"}
    kind = shapes[entry]["kind"]
    if kind == "compound":
        shape["children"] = [as_case(shapes, child["shape"], child.get("at", [0, 0, 0]), child.get("turn", [0, 0, 0, 1]))
                             for child in shape["children"]]
    x, y, z, w = turn
    return {"shape": "points" if kind == "hull" else kind, **shape, "c": at, "quat_wxyz": [w, x, y, z]}


def moving_case(scene, body):
    case = as_case(scene["shapes"], body["shape"], body["prev"], body.get("prev_turn", [0, 0, 0, 1]))
    case["move"] = [to - at for to, at in zip(body.get("curr", body["prev"]), body["prev"])]
    if "curr_turn" in body:
        x, y, z, w = body["curr_turn"]
        return {**case, "quat_end_wxyz": [w, x, y, z]}
    return {**case, "spin": body.get("spin", [0, 0, 0])}


def brute_force(scene, precision):
    """What `carom toi` says of every pair that touches."""
    bodies = [moving_case(scene, body) for body in scene["bodies"]]
    cases = [{"id": f"{i} {k}", "a": bodies[i], "b": bodies[k]} for k in range(len(bodies)) for i in range(k)]
    file = write("pairs.json", json.dumps({"cases": cases}))
    found = json.loads(run("toi", file, "--precision", precision, "--json").out)["cases"]
    return {tuple(map(int, case["id"].split())): case for case in found if case["state"] != "none"}


@check
def every_kind_is_made_and_fits_the_schema():
    """gen writes version 1, with the kinds it promises; each body's shape is in the table."""
    wanted = {"boxes": {"box"}, "capsules": {"capsule"}, "hulls": {"hull"},
              "mixed": {"sphere", "capsule", "box", "cylinder", "cone", "ellipsoid", "hull", "compound"}}
    if jsonschema is not None:
        jsonschema.Draft7Validator.check_schema(SCHEMA)
    for kind in KINDS:
        for letter in "up":
            made = run("gen", "--scene", letter, "--bodies", 300, "--shapes", kind, path("made.json"))
            assert made.out == "" and "wrote 300 bodies" in made.err, made
            scene = json.loads(path("made.json").read_text())
            assert fits_schema(scene) and scene["version"] == 1 and len(scene["bodies"]) == 300
            had = {scene["shapes"][body["shape"]]["kind"] for body in scene["bodies"]}
            assert had == wanted[kind], (kind, had)
            for body in scene["bodies"]:
                assert set(body) == {"shape", "prev", "curr", "prev_turn", "spin"}, body
                assert abs(math.hypot(*body["prev_turn"]) - 1) < 1e-6 and math.hypot(*body["spin"]) <= 0.5, body
    empty = json.loads(gen("none.json", "--scene", "u", "--bodies", 0, "--shapes", "mixed").read_text())
    assert fits_schema(empty) and empty["bodies"] == [] and detect(path("none.json"))["box_pairs"] == 0


@check
def shapes_depend_on_seed_scene_and_number():
    """The same words give the same bytes; another seed, letter, number or kind other rotations."""
    words = {"--scene": "u", "--bodies": 200, "--seed": 5, "--shapes": "mixed"}

    def text(**changes):
        asked = {**words, **{f"--{name}": value for name, value in changes.items()}}
        return gen("same.json", *[word for pair in asked.items() for word in pair]).read_text()

    first = text()
    assert text() == first
    turns = {json.dumps(json.loads(other)["bodies"][0]["prev_turn"])
             for other in (first, text(seed=6), text(scene="d"), text(bodies=201), text(shapes="boxes"))}
    assert len(turns) == 5, turns
    plain = run("gen", "--scene", "u", "--bodies", 200, "--seed", 5, "--format", "csv", "-").out.splitlines()[1:]
    for line, body in zip(plain, json.loads(first)["bodies"]):
        assert [float(word) for word in line.split(",")[:6]] == body["prev"] + body["curr"], (line, body)


@check
def generated_files_give_the_scene_back():
    """gen, then detect: the results of `detect --scene --shapes`, in both precisions, however many digits."""
    for kind in KINDS:
        for letter in "ucp":
            words = ["--scene", letter, "--bodies", 1500, "--seed", 7, "--shapes", kind]
            for precision in ("f32", "f64"):
                scene = detect(*words, "--precision", precision)
                assert scene["touching_pairs"] > 20 and scene["scene"]["shapes"] == kind, (words, scene)
                for written in ("f32", "f64", None):
                    if written == "f32" and precision == "f64":
                        continue  # nine digits give the float back, not the double
                    asked = ["--precision", written] if written else []
                    data = detect(gen("back.json", *words, *asked), "--precision", precision)
                    assert data["file"]["format"] == "json" and data["scene"] is None, data
                    assert [data[key] for key in COUNTS] == [scene[key] for key in COUNTS], (words, precision, written)


@check
def threads_and_isa_change_nothing():
    """Results and lists have the same bits for every number of threads and instruction set."""
    name = gen("threads.json", "--scene", "c", "--bodies", 2000, "--shapes", "mixed")
    isas = json.loads(run("info", "--json").out)["isa"]["available"]
    for precision in ("f32", "f64"):
        seen = set()
        for more in [["--threads", n] for n in (1, 2, 3, 8)] + [["--isa", isa] for isa in isas]:
            data = detect(name, "--precision", precision, *more, "--pairs", path("t.csv"), "--groups", path("g.csv"))
            assert data["touching_pairs"] > 500
            seen.add((*[data[key] for key in COUNTS], path("t.csv").read_bytes(), path("g.csv").read_bytes()))
        assert len(seen) == 1, precision


@check
def detection_agrees_with_brute_force():
    """Of all pairs exactly those touch of which carom toi says so, at that time, with that normal."""
    turned = json.loads(gen("turned.json", "--scene", "c", "--bodies", 100, "--seed", 3, "--shapes", "mixed").read_text())
    for body in turned["bodies"]:
        x, y, z, w = body["prev_turn"]
        body["curr_turn"] = [w, z, -y, -x]  # half a turn about the body's own x axis, more or less
        del body["spin"]
        body["curr_turn"] = [a + 2 * b for a, b in zip(body["curr_turn"], body["prev_turn"])]
        length = math.hypot(*body["curr_turn"])
        body["curr_turn"] = [a / length for a in body["curr_turn"]]
    still = copy.deepcopy(turned)
    for body in still["bodies"]:
        del body["curr_turn"], body["curr"]
    scenes = [json.loads(gen("some.json", "--scene", "c", "--bodies", 100, "--seed", 4, "--shapes", kind).read_text())
              for kind in KINDS]
    for scene in [*scenes, turned, still]:
        file = write("brute.json", json.dumps(scene))
        assert fits_schema(scene)
        for precision in ("f32", "f64"):
            rows = {(row["i"], row["k"]): row for row in pairs(file, "--precision", precision)}
            truth = brute_force(scene, precision)
            assert len(truth) > 20 and set(rows) == set(truth), (precision, set(rows) ^ set(truth))
            slack = 1e-4 if precision == "f32" else 1e-9
            for pair, row in rows.items():
                case = truth[pair]
                assert abs(row["t_toi"] - case["t"]) <= slack, (precision, row, case)
                if row["t_toi"] > 0:
                    normal = [row[f"normal_{axis}"] for axis in "xyz"]
                    assert sum(a * b for a, b in zip(normal, case["normal"])) > 1 - 1e-3, (precision, row, case)


@check
def known_contacts_are_exact():
    """A ball that meets a box, a bar that swings into a ball, bars that cross: at the times that geometry tells."""
    bar = {"kind": "box", "half": [1, 0.125, 0.125]}
    ball = {"kind": "sphere", "r": 0.25}
    hit = bodies_file("hit.json", [BALL, bar], {"shape": 0, "prev": [5, 0, 0], "curr": [1, 0, 0]},
                      {"shape": 1, "prev": [0, 0, 0]})
    row, = pairs(hit)
    assert 0.75 - 1e-9 <= row["t_toi"] <= 0.75 and abs(row["point_x"] - 1) < 1e-6 and row["normal_x"] > 1 - 1e-9, row
    swing = {"shape": 1, "prev": [0, 0, 0]}
    for motion in ({"spin": [0, 0, math.pi]}, {"curr_turn": [0, 0, 1, 0]}):
        # The bar's side is 0.125 from its axis: it meets the ball when the axis is 0.375 from the ball's centre.
        row, = pairs(bodies_file("swing.json", [ball, bar], {**swing, **motion}, {"shape": 0, "prev": [0, 0.75, 0]}))
        wanted = 0.5 - math.asin(0.5) / math.pi
        assert wanted - 1e-6 <= row["t_toi"] <= wanted + 1e-12, (motion, row, wanted)
    cross = [{"shape": 1, "prev": [0, 0, 0]}, {"shape": 1, "prev": [0, 0.5, 0]}]
    assert touching(bodies_file("apart.json", [ball, bar], *cross)) == []
    cross[1]["prev_turn"] = [0, 0, HALF, HALF]
    assert touching(bodies_file("cross.json", [ball, bar], *cross)) == [(0, 1)]
    # Any length from 0.5 to 2 is the same rotation.
    for scale in (0.5 / HALF, 1.4, 2):
        cross[1]["prev_turn"] = [0, 0, HALF * scale * 0.999, HALF * scale * 0.999]
        assert touching(bodies_file("long.json", [ball, bar], *cross)) == [(0, 1)], scale


@check
def every_kind_touches_what_it_reaches():
    """Each shape at the origin meets a point at distance 1 along one of the axes, and none at 1.001."""
    shapes = [*SHAPES, {"kind": "sphere", "r": 0}]
    point = len(SHAPES)
    for entry in range(len(SHAPES)):
        for distance, most in ((1, 6), (1.001, 0)):
            bodies = [{"shape": point, "prev": [distance * side * (axis == d) for d in range(3)]}
                      for axis in range(3) for side in (-1, 1)]
            found = touching(bodies_file("reach.json", shapes, {"shape": entry, "prev": [0, 0, 0]}, *bodies))
            assert (0 < len(found) <= most) if most else found == [], (shapes[entry], distance, found)


@check
def rows_name_children():
    """child_i and child_k are the children that touch; scenes without compounds have no such columns."""
    shapes = [{"kind": "sphere", "r": 0.5},
              {"kind": "compound", "children": [{"shape": 0, "at": [x, 0, 0]} for x in (-2, 0, 2)]}, BALL]
    at = [{"shape": 1, "prev": [0, 0, 0]}, {"shape": 2, "prev": [2, 1.25, 0]},
          {"shape": 1, "prev": [-2.75, 0, 0], "prev_turn": [0, 0, HALF, HALF]},  # its middle child beside the first
          {"shape": 0, "prev": [0, 9, 0]}]
    file = bodies_file("children.json", shapes, *at)
    for precision in ("f32", "f64"):
        rows = pairs(file, "--precision", precision)
        assert [(row["i"], row["k"], row["child_i"], row["child_k"]) for row in rows] == [(0, 1, 2, 0), (0, 2, 0, 1)], rows
        run("detect", file, "--precision", precision, "--pairs", path("c.npy"), "--all-pairs", path("a.csv"))
        names, records = read_npy(path("c.npy"))
        assert names[-2:] == ["child_i", "child_k"] and [row[-2:] for row in records] == [(2, 0), (0, 1)], records
        names, rows = read_csv(path("a.csv"))
        assert names == ["i", "k", "t_ca", "distance", "t_toi", "child_i", "child_k"], names
    run("detect", bodies_file("far.json", shapes, at[0], at[3]), "--pairs", path("none.csv"))
    assert read_csv(path("none.csv"))[0][-2:] == ["child_i", "child_k"], "a scene with compounds that do not touch"
    run("detect", bodies_file("plain.json", shapes, at[1], at[3]), "--pairs", path("plain.csv"))
    assert read_csv(path("plain.csv"))[0][-1] == "point_z"


@check
def other_options_work():
    """Stages, methods, lists, groups and checks are those of other scenes."""
    name = gen("all.json", "--scene", "u", "--bodies", 1000, "--shapes", "hulls")
    whole = detect(name)
    for method in ("sweep", "cells", "levels", "shared"):
        assert detect(name, "--method", method)["result_hash"] == whole["result_hash"], method
    for until in ("bounds", "pairs", "approach"):
        assert detect(name, "--until", until)["groups"] is None
    data = detect(name, "--neighbours", "full", "--repeat", 2, "--expect", whole["touching_hash"])
    assert data["neighbours"]["entries"] == 2 * whole["touching_pairs"]
    assert detect(name, "--count-only")["touching_hash"] == whole["touching_hash"]
    refuses("detect", name, "--expect", "0" * 16, code=1, says=["check failed"])
    run("detect", name, "--groups", path("g.csv"))
    assert len(set(row[0] for row in read_csv(path("g.csv"))[1])) == whole["groups"]
    table = run("detect", "--scene", "u", "--bodies", 10, "--shapes", "boxes").out
    assert re.search(r"^scene +u \(uniform\), seed 1, boxes$", table, re.MULTILINE), table


@check
def pipes_take_the_place_of_files():
    """- is standard input and output: gen - | detect -, packed too; JSON is told by content."""
    words = ["--scene", "u", "--bodies", 500, "--shapes", "mixed"]
    made = run("gen", *words, "-").out.encode()
    wanted = detect(*words, "--precision", "f64")["result_hash"]
    assert gen("same.json", *words).read_bytes() == made
    assert gen("named.doc", *words, "--format", "json").read_bytes() == made
    assert detect("-", stdin=made)["result_hash"] == wanted == detect(path("named.doc"))["result_hash"]
    assert detect("-", stdin=b"\r\n " + made.replace(b"\n", b"\r\n"))["result_hash"] == wanted
    if has_zlib():
        assert detect("-", stdin=gzip.compress(made))["result_hash"] == wanted


@check
def bodies_may_leave_things_out():
    """Only shape and prev must be there; a body without curr, curr_turn or spin rests. The command says so."""
    result = run("detect", scene_file("rest.json"))
    assert "at rest" in result.err and "json, 2 bodies, 1 shapes" in result.err, result
    assert "at rest" not in run("detect", scene_file("spun.json", bodies=[{**SCENE["bodies"][0], "spin": [0, 0, 1]}])).err
    rest, whole = [{"version": 1, "shapes": SHAPES, "bodies": [
        {"shape": n, "prev": [0.75 * n, 0, 0], **more} for n in range(len(SHAPES))]}
        for more in ({}, {"prev_turn": [0, 0, 0, 1]})]
    for scene in (rest, whole):
        assert fits_schema(scene)
    full = copy.deepcopy(whole)
    for body in full["bodies"]:
        body.update(curr=body["prev"], curr_turn=body["prev_turn"])
    hashes = {detect(write("x.json", json.dumps(scene)))["result_hash"] for scene in (rest, whole, full)}
    for body in full["bodies"]:
        del body["curr_turn"]
        body["spin"] = [0, 0, 0]
    hashes.add(detect(write("x.json", json.dumps(full)))["result_hash"])
    assert len(hashes) == 1, hashes


@check
def boxes_of_scenes_are_kept():
    """gen writes the scene's box, which the reader takes as lengths or vectors, and asks about without --periodic."""
    box = json.loads(gen("box.json", "--scene", "l", "--bodies", 50, "--shapes", "boxes").read_text())["box"]
    assert box[2] == [0, 0, 4] and box[0][0] == box[1][1] > 4, box
    assert "box" not in json.loads(gen("open.json", "--scene", "c", "--bodies", 50, "--shapes", "boxes").read_text())
    for box in ([9, 9, 9], [[9, 0, 0], [1, 9, 0], [0, 0, 9]]):
        name = bodies_file("edges.json", [BALL], *SCENE["bodies"], box=box)
        assert "without --periodic xyz" in run("detect", name).err
    refuses("detect", scene_file("open.json"), "--periodic", "xyz", code=INPUT, says=["open.json", "has no box"])
    refuses("detect", "--scene", "c", "--bodies", 9, "--shapes", "boxes", "--periodic", "x", says=["scene c has no box"])


@check
def periodic_scenes_meet_across_their_faces():
    """gen, then detect in the box: the results of the scene, which has more pairs than in open space."""
    for kind in KINDS:
        words = ["--scene", "u", "--bodies", 1500, "--seed", 7, "--shapes", kind]
        for precision in ("f32", "f64"):
            scene = detect(*words, "--precision", precision, "--periodic", "xyz")
            back = detect(gen("box.json", *words), "--precision", precision, "--periodic", "xyz")
            assert [back[key] for key in COUNTS] == [scene[key] for key in COUNTS], (words, precision)
            assert scene["touching_pairs"] > detect(*words, "--precision", precision)["touching_pairs"], words


@check
def approaching_pairs_are_some_of_all():
    """--approaching leaves out pairs that overlap and separate or rest, from counts and files, with their rows otherwise."""
    box = {"kind": "box", "half": [1, 1, 1]}
    rod = {"kind": "box", "half": [2, 0.125, 0.125]}
    name = bodies_file("approaching.json", [box, rod],
                       {"shape": 0, "prev": [0, 0, 0]}, {"shape": 0, "prev": [1.5, 0, 0], "curr": [2.5, 0, 0]},
                       {"shape": 0, "prev": [0, 0, 10]}, {"shape": 0, "prev": [1.5, 0, 10], "curr": [1, 0, 10]},
                       {"shape": 1, "prev": [0, 0, 20], "spin": [0, 0, -0.5]}, {"shape": 0, "prev": [2.5, -1, 20]},
                       {"shape": 1, "prev": [0, 0, 30], "spin": [0, 0, 0.5]}, {"shape": 0, "prev": [2.5, -1, 30]},
                       {"shape": 0, "prev": [0, 0, 40]}, {"shape": 0, "prev": [1.5, 0, 40]})
    for precision in ("f32", "f64"):
        data = detect(name, "--approaching", "--precision", precision)
        assert (data["box_pairs"], data["touching_pairs"], data["groups"]) == (5, 2, 2), data
        assert touching(name, "--approaching", "--precision", precision) == [(2, 3), (4, 5)]
        every = {(row["i"], row["k"]): row for row in pairs(name, "--precision", precision)}
        assert len(every) == 5
        assert all(row == every[row["i"], row["k"]] for row in pairs(name, "--approaching", "--precision", precision))
    for scene in ([gen("some.json", "--scene", "u", "--bodies", 1500, "--shapes", "mixed")],
                  ["--scene", "u", "--bodies", 1500, "--shapes", "boxes"]):
        data = detect(*scene, "--approaching", "--periodic", "xyz")
        assert 0 < data["touching_pairs"] < detect(*scene, "--periodic", "xyz")["touching_pairs"]


@check
def what_shapes_cannot_do_is_said():
    """An option that does not go with shapes is exit 2 and named."""
    name = gen("cannot.json", "--scene", "u", "--bodies", 50, "--shapes", "mixed")
    for option in (["--radius", 1], ["--dt", 2], ["--select", "*"]):
        refuses("detect", name, *option, says=["--radius", "cannot.json", "json"])
    refuses("detect", name, "--format", "csv", says=["cannot.json"], code=INPUT)
    refuses("detect", name, "--shapes", "boxes", says=["--shapes", "a scene"])
    refuses("detect", "--shapes", "boxes", says=["--scene"])
    refuses("detect", "--scene", "u", "--shapes", "boxes", "--worlds", 2, says=["--shapes", "--worlds", "for spheres"])
    refuses("detect", name, "--worlds", 2, says=["--worlds", "for spheres", "cannot.json"])
    refuses("detect", name, "--all-pairs", path("a.csv"), "--approaching", says=["--approaching", "--all-pairs"])
    refuses("detect", name, "--neighbours", "full", "--count-only", says=["--neighbours", "--count-only"])
    refuses("detect", "--scene", "u", "--shapes", "tori", says=["'tori'", "boxes, capsules, hulls, mixed"])
    refuses("run", name, code=INPUT, says=["cannot.json", "with shapes"])
    refuses("detect", write("run.json", '{"bodies": []}'), code=INPUT, says=["run.json: version: is missing", "carom run"])


@check
def gen_refuses_what_it_cannot_write():
    """Shapes are JSON, and JSON is for shapes."""
    names_options("gen", "shapes format")
    names_options("detect", "shapes")
    words = ["gen", "--scene", "u", "--bodies", 3]
    refuses(*words, "--shapes", "tori", path("o.json"), says=["'tori'", "boxes, capsules, hulls, mixed"])
    refuses(*words, "--shapes", "boxes", path("o.npy"), says=["JSON", "o.npy", "--format json"])
    refuses(*words, "--shapes", "boxes", "--format", "csv", path("o.json"), says=["JSON", "--format csv"])
    refuses(*words, path("o.json"), says=["o.json", "--shapes"])
    refuses(*words, "--format", "json", path("o.json"), says=["--format json", "--shapes"])
    assert not path("o.json").exists() and not path("o.npy").exists()
    full = test_cli.Run(*words, "--shapes", "boxes", path("missing") / "o.json")
    assert full.code == test_cli.RESOURCES and "o.json" in full.err, full


BODY = SCENE["bodies"][0]
CHILD = {"shape": 0}


def compound(*children):
    return {"shapes": [BALL, {"kind": "compound", "children": list(children)}]}


@check
def faults_that_the_schema_knows_are_named():
    """A bad member is exit 3 with its path; the schema refuses the same."""
    capsule, box, hull = SHAPES[1], SHAPES[2], SHAPES[6]
    bad = [
        ({"version": None}, "version: is missing"),
        ({"version": 2}, "version: is not 1, the version that is known"),
        ({"version": "1"}, "version: is not 1"),
        ({"colour": 1}, 'there is no member "colour"; there are version, description, box, shapes, bodies'),
        ({"description": 7}, "description: is not a text"),
        ({"box": 7}, "box: is not a list of three lengths or of three vectors"),
        ({"box": [1, 2]}, "box: is not a list of three numbers"),
        ({"box": [[1, 0, 0], [0, 1], [0, 0, 1]]}, "box[1]: is not a list of three numbers"),
        ({"shapes": None}, "shapes: is missing"),
        ({"shapes": {}}, "shapes: is not a list"),
        ({"shapes": [7]}, "shapes[0]: is not an object"),
        ({"shapes": [{}]}, "shapes[0].kind: is missing"),
        ({"shapes": [{"kind": "torus"}]}, 'shapes[0].kind: is "torus"; there are sphere, capsule, box, cylinder, cone'),
        ({"shapes": [{"kind": 3}]}, "shapes[0].kind: is not a text"),
        ({"shapes": [BALL, {"kind": "sphere"}]}, "shapes[1].r: is missing"),
        ({"shapes": [{**BALL, "half": [1, 1, 1]}]}, 'shapes[0]: there is no member "half"; there are kind, r'),
        ({"shapes": [{**BALL, "r": -1}]}, "shapes[0].r: is not a number from 0 up"),
        ({"shapes": [{**BALL, "r": "1"}]}, "shapes[0].r: is not a number from 0 up"),
        ({"shapes": [{**capsule, "half_segment": None}]}, "shapes[0].half_segment: is not a number"),
        ({"shapes": [{"kind": "cone", "r": 1}]}, "shapes[0].half_height: is missing"),
        ({"shapes": [{**box, "half": [1, 1]}]}, "shapes[0].half: is not a list of three numbers"),
        ({"shapes": [{**box, "half": [1, -1, 1]}]}, "shapes[0].half: holds a number below 0"),
        ({"shapes": [{"kind": "ellipsoid", "semi": 1}]}, "shapes[0].semi: is not a list"),
        ({"shapes": [{"kind": "hull"}]}, "shapes[0].v: is missing"),
        ({"shapes": [{**hull, "v": []}]}, "shapes[0].v: is not a list of 1 to 256 points"),
        ({"shapes": [{**hull, "v": [[n, n * n, 0] for n in range(257)]}]}, "shapes[0].v: is not a list of 1 to 256"),
        ({"shapes": [{**hull, "v": [[0, 0, 0], [0, 0]]}]}, "shapes[0].v[1]: is not a list of three numbers"),
        ({"shapes": [{**hull, "v": [[0, 0, "x"]]}]}, "shapes[0].v[0][2]: is not a number"),
        ({"shapes": [{"kind": "line", "r": 1}]}, 'shapes[0]: there is no member "r"; there are kind'),
        (compound(), "shapes[1].children: is not a list of 1 to 65535 shapes"),
        ({"shapes": [{"kind": "compound", "children": 3}]}, "shapes[0].children: is not a list"),
        (compound(7), "shapes[1].children[0]: is not an object"),
        (compound(CHILD, {}), "shapes[1].children[1].shape: is missing"),
        (compound({"shape": -1}), "shapes[1].children[0].shape: is not a whole number"),
        (compound({**CHILD, "at": [1]}), "shapes[1].children[0].at: is not a list of three numbers"),
        (compound({**CHILD, "turn": [1, 0, 0]}), "shapes[1].children[0].turn: is not a list of four numbers"),
        (compound({**CHILD, "spin": [1, 0, 0]}), 'children[0]: there is no member "spin"; there are shape, at, turn'),
        ({"bodies": None}, "bodies: is missing"),
        ({"bodies": {}}, "bodies: is not a list"),
        ({"bodies": [BODY, 7]}, "bodies[1]: is not an object"),
        ({"bodies": [{**BODY, "radius": 1}]}, 'bodies[0]: there is no member "radius"; there are shape, prev, curr, prev_turn'),
        ({"bodies": [{"prev": [0, 0, 0]}]}, "bodies[0].shape: is missing"),
        ({"bodies": [{**BODY, "shape": 0.5}]}, "bodies[0].shape: is not a whole number from 0 to 0"),
        ({"bodies": [{"shape": 0}]}, "bodies[0].prev: is missing"),
        ({"bodies": [{**BODY, "prev": [0, 0]}]}, "bodies[0].prev: is not a list of three numbers"),
        ({"bodies": [BODY, {**BODY, "curr": [0, 0, "0"]}]}, "bodies[1].curr[2]: is not a number"),
        ({"bodies": [{**BODY, "prev_turn": [0, 0, 1]}]}, "bodies[0].prev_turn: is not a list of four numbers"),
        ({"bodies": [{**BODY, "curr_turn": 1}]}, "bodies[0].curr_turn: is not a list"),
        ({"bodies": [{**BODY, "spin": [0, 0, None]}]}, "bodies[0].spin[2]: is not a number"),
        ({"bodies": [{**BODY, "spin": [0, 0, 0], "curr_turn": [0, 0, 0, 1]}]}, "bodies[0].spin: a scene has curr_turn or spin"),
    ]
    for changes, message in bad:
        name = scene_file("bad.json", **changes)
        refuses("detect", name, code=INPUT, says=[f"bad.json: {message}" if message[:8] != "children" else message])
        assert jsonschema is None or not fits_schema(json.loads(name.read_text())), (changes, "the schema takes it")


@check
def faults_that_only_the_reader_knows_are_named():
    """Numbers of shapes, lengths of quaternions, sizes, endless shapes, one way to turn in a scene."""
    spun = {**BODY, "spin": [0, 0, 1]}
    turned = {**BODY, "curr_turn": [0, 0, 0, 1]}
    half_space = {"shapes": [BALL, {"kind": "halfspace"}]}
    bad = [
        ({"bodies": [{**BODY, "shape": 1}]}, "bodies[0].shape: is not a whole number from 0 to 0"),
        ({"shapes": []}, "bodies[0].shape: there are no shapes"),
        ({"bodies": [{**BODY, "prev_turn": [0, 0, 0, 3]}]}, "bodies[0].prev_turn: has length 3, not 0.5 to 2"),
        ({"bodies": [{**BODY, "curr_turn": [0, 0, 0, 0]}]}, "bodies[0].curr_turn: has length 0, not 0.5 to 2"),
        ({"bodies": [{**BODY, "prev_turn": [1e200, 1e200, 0, 0]}]}, "bodies[0].prev_turn: has length inf"),
        ({"bodies": [spun, turned]}, "bodies[1].curr_turn: a scene has curr_turn or spin; this body or one before it has spin"),
        ({"bodies": [turned, BODY, spun]}, "bodies[2].spin: a scene has curr_turn or spin"),
        (compound({"shape": 1}), "shapes[1].children[0].shape: is not the number of a shape before the compound"),
        (compound(CHILD, {"shape": 2}), "shapes[1].children[1].shape: is not the number of a shape before"),
        ({"shapes": [{"kind": "compound", "children": [{"shape": 1}]}, {"kind": "compound", "children": [CHILD]}]},
         "shapes[0].children[0].shape: is not the number of a shape before"),
        ({"shapes": [*compound(CHILD)["shapes"], {"kind": "compound", "children": [{"shape": 1}]}]},
         "shapes[2].children[0].shape: a compound cannot be in a compound"),
        ({"shapes": [*half_space["shapes"], {"kind": "compound", "children": [{"shape": 1}]}]},
         "shapes[2].children[0].shape: a halfspace cannot be in a compound"),
        (compound({**CHILD, "turn": [0, 0, 0, 3]}), "shapes[1].children[0].turn: has length 3, not 0.5 to 2"),
        (compound({**CHILD, "at": [1e60, 0, 0]}), "shapes[1]: at_x of child 0"),
        ({"shapes": [BALL, {**BALL, "r": 1e51}]}, "shapes[1]: radius"),
        ({"shapes": [{**SHAPES[2], "half": [1, 1e-51, 1]}]}, "shapes[0]: extent_y"),
        ({"shapes": [{"kind": "ellipsoid", "semi": [1, 0, 1]}]}, "shapes[0]: extent_y"),
        ({"shapes": [{"kind": "hull", "v": [[0, 0, 0], [0, 1e99, 0]]}]}, "shapes[0]: y of point 1"),
        ({**half_space, "bodies": [BODY, {"shape": 1, "prev": [9, 9, 9]}]}, "bodies[1]: "),
        ({"shapes": [{"kind": "line"}]}, "bodies[0]: "),
    ]
    for changes, message in bad:
        name = scene_file("bad.json", **changes)
        for precision in ("f32", "f64"):
            refuses("detect", name, "--precision", precision, code=INPUT, says=[f"bad.json: {message}"])
    for member, numbers in (("prev", [0, 1e39, 0]), ("curr", [0, 1e39, 0]), ("spin", [0, 1e39, 0])):
        name = scene_file("large.json", bodies=[BODY, {**BODY, member: numbers}])
        refuses("detect", name, "--precision", "f32", code=INPUT,
                says=[f"large.json: bodies[1]: {member}_y is 1e+39, too large for a float; try --precision f64"])


@check
def files_that_are_no_json_are_refused_with_their_line():
    """NaN, infinities, numbers beyond doubles, members twice, files cut anywhere, lists in lists in lists."""
    text = json.dumps({**SCENE, "shapes": SHAPES}, indent=1)
    for number in ("NaN", "Infinity", "-nan", "1e999", "0x10", "01", "1.", ".5", "+1", "99999999999999999999"):
        bad = text.replace('"r": 0.25', f'"r": {number}', 1)
        line = bad[:bad.index(f'"r": {number}')].count("\n") + 1
        refuses("detect", write("bad.json", bad), code=INPUT, says=[f"bad.json:{line}: "])
    refuses("detect", write("bad.json", text.replace('"version": 1', '"version": 1, "version": 1')), code=INPUT,
            says=["bad.json:", "duplicate"])
    for end in range(0, len(text), 41):
        refuses("detect", write("cut.json", text[:end]), code=INPUT, says=["cut.json:"])
    refuses("detect", write("deep.json", '{"version": 1, "shapes": ' + "[" * 100000), code=INPUT, says=["deep.json:1: "])
    refuses("detect", write("more.json", text + "]"), code=INPUT, says=["more.json:"])
    refuses("detect", write("list.json", "[]"), code=INPUT, says=["list.json: is not an object"])
    refuses("detect", "-", stdin=b'{"version": 1,\n"shapes": \xff}', code=INPUT, says=["standard input:2: "])


@check
def extreme_numbers_do_not_break_it():
    """The largest and least sizes, positions and spins give numbers or a message, at once."""
    sizes = [{"kind": "sphere", "r": 1e50}, {"kind": "sphere", "r": 1e-50}, {"kind": "box", "half": [1e50, 1e-50, 0]},
             {"kind": "hull", "v": [[1e50, 0, 0], [0, 1e-50, 0], [0, 0, 0]]}, {"kind": "cone", "r": 0, "half_height": 0}]
    here = [{"shape": n, "prev": [0, 0, 0]} for n in range(len(sizes))]
    assert len(touching(bodies_file("sizes.json", sizes, *here))) == 10
    for place in (1e30, 1e300, 1.7e308):
        far = [{"shape": n, "prev": [place, -place, 0], "curr": [-place, place, 0], "spin": [0, 0, 1e6]}
               for n in range(len(sizes))]
        result = test_cli.Run("detect", bodies_file("far.json", sizes, *far))
        assert result.code in (OK, INPUT), result
    for spin in (1e9, 1e18, 1e300):
        result = test_cli.Run("detect", bodies_file("spin.json", SHAPES, *[
            {"shape": n, "prev": [1.5 * n, 0, 0], "spin": [spin, spin, 0]} for n in range(len(SHAPES))]))
        assert result.code in (OK, INPUT), result


@check
def the_schema_has_the_members_of_the_reader():
    """What the reader lists when it meets a member that there is none of is what the schema has there."""
    def listed(scene):
        result = run("detect", write("odd.json", json.dumps(scene)), code=INPUT)
        return set(re.search(r'there is no member "colour"; there are (.*)\n', result.err)[1].split(", "))

    parts = SCHEMA["definitions"]
    assert listed({**SCENE, "colour": 1}) == set(SCHEMA["properties"])
    assert listed({**SCENE, "bodies": [{**BODY, "colour": 1}]}) == set(parts["body"]["properties"])
    assert listed({**SCENE, **compound({**CHILD, "colour": 1})}) == set(parts["child"]["properties"])
    kinds = []
    for form in parts["shape"]["oneOf"]:
        kind = form["properties"]["kind"]
        for name in kind.get("enum", [kind.get("const")]):
            assert listed({**SCENE, "shapes": [{"kind": name, "colour": 1}]}) == set(form["properties"]), name
            kinds.append(name)
    message = run("detect", scene_file("kind.json", shapes=[{"kind": "x"}]), code=INPUT).err
    assert set(re.search(r"there are (.*)\n", message)[1].split(", ")) == set(kinds) and len(kinds) == len(set(kinds))
    for form in (*parts["shape"]["oneOf"], parts["body"], parts["child"], SCHEMA):
        assert form["additionalProperties"] is False


if __name__ == "__main__":
    test_cli.main(check)
