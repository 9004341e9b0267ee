#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The Carom authors
"""Shapes in motion and margins, `carom detect --frames`, `--coherent` and `--margin`: test_shapes_motion.py PATH_OF_CAROM

`Motion` moves bodies as kernel/scene/README.md says, in Python's doubles, so that each frame can be written to a file
and detected cold. Prints TAP and exits with 1 if a check fails. Every check is a function whose docstring says what it
guards."""
import json
import math
import re
import struct

import test_cli
from test_cli import INPUT, Checks, detect, names_options, read_csv, refuses, run, write

HALF_PI = [float.fromhex(part) for part in ("0x1.921fb544p+0", "0x1.0b4611a6p-34", "0x1.3198a2e037073p-69")]
PER_HALF_PI = float.fromhex("0x1.45f306dc9c883p-1")
BOX = {"kind": "box", "half": [1, 1, 1]}
BALL = {"kind": "sphere", "r": 1}
COUNTS = ["box_pairs", "touching_pairs", "groups", "largest_group"]
KINDS = ["boxes", "capsules", "hulls", "mixed"]

check = Checks()


def path(name):
    return test_cli.folder / name


def scene_file(name, shapes, *bodies, **more):
    return write(name, json.dumps({"version": 1, "shapes": shapes, "bodies": list(bodies), **more}))


def hashes(report):
    return [frame["result_hash"] for frame in report["each"]]


def rounded(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def sine_and_cosine(x):
    """As simd/ref/turn.h has them: the same operations in the same order."""
    n = float(round(x * PER_HALF_PI))  # to even, as doubles round
    r = ((x - n * HALF_PI[0]) - n * HALF_PI[1]) - n * HALF_PI[2]
    z = r * r
    z2 = z * z
    z4 = z2 * z2
    low = (-1 / 6 + z * (1 / 120)) + z2 * (-1 / 5040 + z * (1 / 362880))
    high = (-1 / 39916800 + z * (1 / 6227020800)) + z2 * (-1 / 1307674368000 + z * (1 / 355687428096000))
    sine = r + r * (z * (low + z4 * high))
    low = (1 / 24 + z * (-1 / 720)) + z2 * (1 / 40320 + z * (-1 / 3628800))
    high = (1 / 479001600 + z * (-1 / 87178291200)) + z2 * (1 / 20922789888000)
    cosine = 1 - z * (0.5 - z * (low + z4 * high))
    return [(sine, cosine), (cosine, -sine), (-sine, -cosine), (-cosine, sine)][int(n) % 4]


def turned_on(turn, spin):
    """exp([spin]) turn, of length 1; `turn` itself without spin."""
    if not any(spin):
        return turn
    length = math.sqrt(spin[0] * spin[0] + spin[1] * spin[1] + spin[2] * spin[2])
    axis = [a / length for a in spin]
    sine, cosine = sine_and_cosine(0.5 * (spin[0] * axis[0] + spin[1] * axis[1] + spin[2] * axis[2]))
    a = [*(d * sine for d in axis), cosine]
    b = turn
    end = [a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
           a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
           a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0],
           a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]]
    length = math.sqrt(end[0] * end[0] + end[1] * end[1] + end[2] * end[2] + end[3] * end[3])
    return [q / length for q in end]


class Motion:
    """A scene with shapes, step after step: of a standard scene with walls and in floats, of a file without."""

    def __init__(self, file, scale, walls):
        self.scene = json.loads(file.read_text())
        self.round = rounded if walls else lambda x: x
        self.bodies = self.scene["bodies"]
        self.walls = [(min(at), max(at)) for at in zip(*(body["prev"] for body in self.bodies))] if walls else None
        self.moves = []
        for body in self.bodies:
            curr = body.get("curr", body["prev"])
            self.moves.append([self.round(scale * self.round(to - at)) for to, at in zip(curr, body["prev"])])
            if "spin" in body:
                body["spin"] = [self.round(scale * s) for s in body["spin"]]
        self.bounces = 0
        self.advance()

    def advance(self):
        for body, move in zip(self.bodies, self.moves):
            body["curr"] = [self.round(at + way) for at, way in zip(body["prev"], move)]
            for axis, (lo, hi) in enumerate(self.walls or []):
                at = body["curr"][axis]
                if at < lo or at > hi:
                    body["curr"][axis] = min(max(self.round(2 * (lo if at < lo else hi) - at), lo), hi)
                    move[axis] = -move[axis]
                    self.bounces += 1

    def step(self):
        for body in self.bodies:
            body["prev"] = body["curr"]
            if "spin" in body:
                turn = turned_on(body.get("prev_turn", [0, 0, 0, 1]), body["spin"])
                body["prev_turn"] = [self.round(q) for q in turn]
        self.advance()

    def file(self):
        return write("frame.json", json.dumps(self.scene))


def follows(motion, report, *options):
    """Each frame of the report has what cold detection finds in the bodies of that frame."""
    for number, frame in enumerate(report["each"]):
        cold = detect(motion.file(), "--precision", report["precision"], *options)
        assert frame["result_hash"] == cold["result_hash"], (number, report["command"])
        if number + 1 < len(report["each"]):
            motion.step()
    assert [report[key] for key in COUNTS] == [cold[key] for key in COUNTS]
    for body in motion.bodies:
        assert abs(math.hypot(*body["prev_turn"]) - 1) < 1e-6, body


@check
def frames_of_a_scene_are_those_of_its_bodies():
    """Frame n of a standard scene with shapes has the hash of cold detection of the same bodies, moved n times."""
    bounces = 0
    for kind, scale in (("mixed", 1), ("boxes", 0.25), ("hulls", 6)):
        words = ["--scene", "c", "--bodies", 300, "--seed", 2, "--shapes", kind]
        run("gen", *words, path("start.json"))
        for precision in ("f32", "f64"):
            report = detect(*words, "--frames", 8, "--displacement", scale, "--hash", "--precision", precision)
            motion = Motion(path("start.json"), scale, walls=True)
            follows(motion, report)
            assert len(set(hashes(report))) == 8 and report["touching_pairs"] > 20, report
            assert report["scene"]["shapes"] == kind and report["displacement"] == scale and report["margin"] == 0
            bounces += motion.bounces
    assert bounces > 20, "no body reaches a wall"


@check
def frames_of_a_file_are_those_of_its_bodies():
    """Bodies of a file go straight on and turn on by their spin, in double; with and without a periodic box."""
    run("gen", "--scene", "u", "--bodies", 300, "--shapes", "mixed", path("start.json"))
    for precision in ("f32", "f64"):
        for options in ([], ["--periodic", "xyz"], ["--margin", 0.125], ["--approaching"]):
            report = detect(path("start.json"), "--frames", 6, "--hash", "--precision", precision, *options)
            follows(Motion(path("start.json"), 1, walls=False), report, *options)
            assert len(set(hashes(report))) == 6 and report["file"]["bodies"] == 300 and report["scene"] is None


@check
def first_frame_is_the_file():
    """With the file's own displacements frame 0 is what detection finds without --frames; the next goes on from it."""
    box, rod = [1, 1, 1], [4, 0.5, 0.5]
    shapes = [{"kind": "box", "half": box}, {"kind": "box", "half": rod}]
    name = scene_file("two.json", shapes, {"shape": 0, "prev": [-4, 0, 0], "curr": [-3, 0, 0]},
                      {"shape": 0, "prev": [2, 0, 0]})
    once = detect(name)
    report = detect(name, "--frames", 4, "--hash")
    assert hashes(report)[0] == once["result_hash"] and once["touching_pairs"] == 0
    assert report["touching_pairs"] == 1, "faces that begin 4 apart touch at the end of the fourth frame"
    assert detect(name, "--frames", 3)["touching_pairs"] == 0
    assert detect(name, "--frames", 7, "--displacement", 0.5)["touching_pairs"] == 0
    assert detect(name, "--frames", 8, "--displacement", 0.5)["touching_pairs"] == 1
    # A rod turns by a tenth of a quarter turn a step: its tip is at the ball's height after nine of ten.
    tenth = math.pi / 20
    turn = [0, 0, math.sin(tenth / 2), math.cos(tenth / 2)]
    for motion in ({"spin": [0, 0, tenth]}, {"curr_turn": turn}, {"curr_turn": [-q for q in turn]}):
        name = scene_file("rod.json", [*shapes, {"kind": "sphere", "r": 0.25}], {"shape": 1, "prev": [0, 0, 0], **motion},
                          {"shape": 2, "prev": [0, 3.5, 0]})
        touches = [detect(name, "--frames", n)["touching_pairs"] for n in range(7, 15)]
        assert touches == [0, 0, 1, 1, 1, 1, 0, 0], (motion, touches)


@check
def rotations_at_both_ends_go_on_as_spins():
    """curr_turn is the shorter way, also scaled to more than half a turn; of two ways of half a turn the positive one."""
    for angle, scale in ((0.3, 1), (2.9, 1), (1.5, 3), (math.pi, 1), (1e-9, 1)):
        for axis in ([0, 0, 1], [0.6, 0, -0.8], *([[-0.8, 0, 0.6]] if angle < math.pi else [])):
            turn = [*(a * math.sin(angle / 2) for a in axis), 0 if angle == math.pi else math.cos(angle / 2)]
            both = []
            for motion in ({"curr_turn": turn}, {"curr_turn": [-q for q in turn], "prev_turn": [0, 0, 0, 0.5]},
                           {"spin": [a * angle for a in axis]}):
                bodies = [{"shape": 0, "prev": [0, 0, 0], **motion}, {"shape": 1, "prev": [0, 0.5, 2]}]
                name = scene_file("way.json", [{"kind": "box", "half": [3, 0.25, 0.125]}, BALL], *bodies)
                both.append([detect(name, "--frames", n, "--displacement", scale)["touching_pairs"] for n in range(1, 13)])
            assert both[0] == both[1] == both[2], (angle, axis, both)


@check
def bodies_at_rest_stay():
    """A body without displacement and spin has the same bits in every frame, whatever its quaternion's length."""
    name = scene_file("rest.json", [BOX, BALL], {"shape": 0, "prev": [0.1, 0, 0], "prev_turn": [0.3, 0.7, 0.1, 0.9]},
                      {"shape": 1, "prev": [1.5, 0.3, 0.1]},
                      {"shape": 1, "prev": [50, 0, 0], "spin": [0, 0, 1], "curr": [51, 0, 0]})
    report = detect(name, "--frames", 20, "--hash")
    assert len(set(hashes(report))) == 1 and report["touching_pairs"] == 1, report
    assert hashes(report)[0] == detect(name)["result_hash"]


@check
def coherent_frames_are_cold_ones():
    """--coherent changes no frame, is held against cold detection by --hash, and says that its frames were cold."""
    for kind in KINDS:
        for more in ([], ["--periodic", "xyz"], ["--margin", 0.25, "--approaching"], ["--precision", "f64", "--until", "approach"]):
            words = ["--scene", "u", "--bodies", 600, "--shapes", kind, "--displacement", 0.1, "--frames", 5, "--hash", *more]
            cold = detect(*words)
            coherent = detect(*words, "--coherent")
            assert hashes(cold) == hashes(coherent) and len(set(hashes(cold))) == 5, (kind, more)
            assert [cold[key] for key in COUNTS] == [coherent[key] for key in COUNTS]
            assert cold["kept"] is None and coherent["kept"]["cold"] == 5, coherent["kept"]
            assert all(frame["cold"] for frame in coherent["each"])
    name = scene_file("pair.json", [BOX], {"shape": 0, "prev": [0, 0, 0], "spin": [0, 0, 1]},
                      {"shape": 0, "prev": [1.5, 0, 0], "curr": [2, 0, 0]})
    assert detect(name, "--coherent")["frames"] == 100
    table = run("detect", name, "--coherent", "--frames", 3, "--hash", "--displacement", 0.5, "--margin", 0.25).out
    assert "all 3 frames agree with cold detection" in table and "no list is kept of shapes" in table
    moving = run("detect", "--scene", "u", "--bodies", 9, "--shapes", "boxes", "--frames", 2, "--displacement", 0.5).out
    assert re.search(r"^scene +u \(uniform\), seed 1, boxes, displacements times 0.5$", moving, re.M), moving
    assert re.search(r"^displacement +0.5$", table, re.M) and re.search(r"^margin +0.25$", table, re.M), table


@check
def threads_change_no_frame():
    """Frames have the same hashes for every number of threads and instruction set."""
    isas = json.loads(run("info", "--json").out)["isa"]["available"]
    run("gen", "--scene", "d", "--bodies", 800, "--shapes", "mixed", path("dense.json"))
    for source in (["--scene", "d", "--bodies", 800, "--shapes", "mixed"], [path("dense.json")]):
        seen = set()
        for more in [["--threads", n] for n in (1, 2, 3)] + [["--isa", isa] for isa in isas] + [["--method", "sweep"]]:
            report = detect(*source, "--frames", 4, "--hash", "--coherent", "--margin", 0.0625, *more)
            seen.add((*hashes(report), *(report[key] for key in COUNTS)))
        assert len(seen) == 1, source


@check
def many_steps_keep_rotations():
    """After thousands of steps quaternions still have length 1, and a body is where its spin says."""
    turns = 5000
    spin = 2 * math.pi * 5 / turns * 1.05  # five and a quarter turns in all
    name = scene_file("long.json", [{"kind": "box", "half": [4, 0.5, 0.5]}, {"kind": "sphere", "r": 0.25}],
                      {"shape": 0, "prev": [0, 0, 0], "spin": [0, 0, spin], "prev_turn": [0, 0, 0, 2]},
                      {"shape": 1, "prev": [0, 3.5, 0]}, {"shape": 1, "prev": [3.5, 0, 0]})
    for precision in ("f32", "f64"):
        assert detect(name, "--frames", turns, "--precision", precision)["touching_pairs"] == 1


@check
def other_options_go_with_frames():
    """Methods, stages, counts and neighbours are those of a single step; what does not go with frames is said."""
    words = ["--scene", "u", "--bodies", 500, "--shapes", "boxes", "--frames", 3]
    whole = detect(*words)
    for method in ("sweep", "cells", "levels", "shared"):
        found = detect(*words, "--method", method)
        assert found["method"] in (method, "sweep") and found["touching_pairs"] == whole["touching_pairs"], found
    assert detect(*words, "--count-only")["touching_pairs"] == whole["touching_pairs"]
    assert detect(*words, "--count-only", "--coherent", "--hash")["touching_pairs"] == whole["touching_pairs"]
    for more in ([], ["--coherent", "--hash"]):
        found = detect(*words, "--neighbours", "full", *more)
        assert found["neighbours"]["entries"] == 2 * whole["touching_pairs"] and whole["neighbours"] is None, found
    spheres = detect("--scene", "u", "--bodies", 500, "--frames", 3, "--neighbours", "half", "--method", "sweep")
    assert spheres["neighbours"]["entries"] == spheres["touching_pairs"] and spheres["method"] == "sweep"
    assert detect(*words, "--until", "bounds")["touching_pairs"] == 0
    refuses("detect", *words, "--repeat", 2, says=["--repeat", "--frames"])
    refuses("detect", *words, "--coherent", "--periodic", "xyz", "--self-images", says=["--self-images", "--coherent", "list"])
    detect(*words, "--periodic", "xyz", "--self-images")
    refuses("detect", *words, "--worlds", 2, says=["--shapes", "--worlds"])


@check
def lists_are_of_the_last_frame():
    """--pairs, --all-pairs, --groups and --expect see the bodies of the last frame, of spheres and of shapes."""
    run("gen", "--scene", "u", "--bodies", 400, "--shapes", "mixed", path("start.json"))
    motion = Motion(path("start.json"), 1, walls=False)
    motion.step()
    motion.step()
    outputs = ["--pairs", path("p.csv"), "--all-pairs", path("a.npy"), "--groups", path("g.csv")]
    for more in ([], ["--coherent"], ["--margin", 0.125]):
        cold = detect(motion.file(), *outputs, *(more if "--margin" in more else []))
        wanted = [name.read_bytes() for name in outputs[1::2]]
        found = detect(path("start.json"), "--frames", 3, *outputs, *more, "--expect", cold["touching_hash"])
        assert wanted == [name.read_bytes() for name in outputs[1::2]] and found["touching_hash"] == cold["touching_hash"]
        refuses("detect", path("start.json"), "--frames", 2, *more, "--expect", cold["touching_hash"], code=1, says=["check failed"])
    words = ["detect", "--scene", "u", "--bodies", 500, "--frames", 4]
    spheres = detect(*words[1:], "--pairs", path("s.csv"), "--hash")
    assert len(read_csv(path("s.csv"))[1]) == spheres["touching_pairs"] > 0
    run(*words, "--coherent", "--expect", spheres["touching_hash"])
    piped = run(*words, "--pairs", "-")
    assert piped.out == path("s.csv").read_text() and "touching pairs" in piped.err


@check
def a_file_of_spheres_does_not_move():
    """Motion is for scenes and for shapes: spheres of a file are refused by name, before the file is read."""
    name = write("spheres.csv", test_cli.TWO_BODIES)
    refuses("detect", name, "--frames", 3, says=["--frames", "spheres.csv", "shapes"])
    refuses("detect", name, "--coherent", says=["--coherent", "spheres.csv", "shapes"])
    refuses("detect", "-", "--frames", 3, stdin=test_cli.TWO_BODIES.encode(), says=["--frames", "standard input"])


@check
def a_motion_beyond_numbers_is_said():
    """Displacements and spins that overflow are bad input, named by their body, or, of a scene, a mistake of the command line."""
    name = scene_file("far.json", [BALL], {"shape": 0, "prev": [0, 0, 0]}, {"shape": 0, "prev": [9, 0, 0], "curr": [9, 1e30, 0]})
    refuses("detect", name, "--frames", 2, "--displacement", 1e300, code=INPUT, says=["far.json: bodies[1]: ", "curr_y is infinite"])
    refuses("detect", name, "--frames", 2, "--displacement", 1e20, "--precision", "f32", code=INPUT,
            says=["far.json: bodies[1]: curr_y is 1e+50, too large for a float"])
    spun = scene_file("spun.json", [BALL], {"shape": 0, "prev": [0, 0, 0], "spin": [0, 0, 1e30]})
    refuses("detect", spun, "--frames", 2, "--displacement", 1e300, code=INPUT, says=["spun.json: bodies[0]: ", "spin_z is infinite"])
    for kind in KINDS:  # no file is at fault, so it is the option
        refuses("detect", "--scene", "u", "--bodies", 50, "--shapes", kind, "--frames", 2, "--displacement", 1e300,
                says=["--displacement", "numbers"])
    for bad in ("nan", "inf", "x"):
        refuses("detect", spun, "--frames", 2, "--displacement", bad, says=["--displacement"])
    refuses("detect", spun, "--displacement", 2, says=["--displacement", "--frames"])
    refuses("detect", spun, "--frames", 0, says=["--frames", "1"])


@check
def a_margin_makes_neighbours_touch():
    """Boxes 0.5 apart touch with a margin of 0.5 and more, also when they move; rows are of the boxes themselves."""
    still = scene_file("still.json", [BOX], {"shape": 0, "prev": [0, 0, 0]}, {"shape": 0, "prev": [2.5, 0, 0]})
    moving = scene_file("moving.json", [BOX], {"shape": 0, "prev": [0, 0, 0]},
                        {"shape": 0, "prev": [10, 0, 0], "curr": [2.5, 0, 0]})
    for name in (still, moving):
        for precision in ("f32", "f64"):
            for margin, touching in ((None, 0), (0, 0), (0.4375, 0), (0.5, 1), (3, 1)):
                asked = [] if margin is None else ["--margin", margin]
                data = detect(name, *asked, "--precision", precision, "--pairs", path("m.csv"))
                assert (data["touching_pairs"], data["margin"]) == (touching, margin or 0), (name, margin, data)
                names, rows = read_csv(path("m.csv"))
                assert len(rows) == touching
                if touching:
                    row = dict(zip(names, map(float, rows[0])))
                    slack = 1e-3 if precision == "f32" else 1e-8
                    distance = margin if name == moving else 0.5
                    assert abs(row["distance"] - distance) < slack and row["normal_x"] < -0.999, row
                    assert abs(row["t_toi"] - ((8 - margin) / 7.5 if name == moving else 0)) < slack, row
    table = run("detect", still, "--margin", 0.5).out
    assert re.search(r"^margin +0.5$", table, re.M), table
    assert "margin" not in run("detect", still).out


@check
def a_margin_of_zero_is_none():
    """--margin 0 changes no bit; a larger margin finds more pairs, and all that a smaller one finds."""
    for source in (["--scene", "u", "--bodies", 800, "--shapes", "mixed"], ["--scene", "c", "--bodies", 500, "--shapes", "boxes"]):
        plain = detect(*source)
        assert plain["result_hash"] == detect(*source, "--margin", 0)["result_hash"] and plain["margin"] == 0
        last = set()
        for margin in (0, 0.125, 0.5):
            data = detect(*source, "--margin", margin, "--pairs", path("wide.csv"), "--periodic" if source[1] == "u" else "--json",
                          *(["xyz"] if source[1] == "u" else []))
            found = {tuple(row[:2]) for row in read_csv(path("wide.csv"))[1]}
            assert last < found and data["margin"] == margin, (source, margin)
            last = found


@check
def a_margin_goes_with_the_other_options():
    """Lists, groups, neighbours, methods, frames and threads see the margin too."""
    words = ["--scene", "u", "--bodies", 500, "--shapes", "hulls", "--margin", 0.25]
    whole = detect(*words)
    assert whole["touching_pairs"] > detect(*words[:-2])["touching_pairs"]
    data = detect(*words, "--neighbours", "full", "--expect", whole["touching_hash"], "--all-pairs", path("a.csv"), "--repeat", 2,
                  "--groups", path("g.csv"))
    assert data["neighbours"]["entries"] == 2 * whole["touching_pairs"]
    assert len(set(row[0] for row in read_csv(path("g.csv"))[1])) == whole["groups"]
    names, rows = read_csv(path("a.csv"))
    assert len(rows) == whole["box_pairs"]
    assert sum(row[names.index("t_toi")] != "" for row in rows) == whole["touching_pairs"]
    for more in (["--method", "sweep"], ["--threads", 2], ["--method", "levels", "--isa", "scalar"]):
        assert detect(*words, *more)["result_hash"] == whole["result_hash"], more
    assert 0 < detect(*words, "--approaching")["touching_pairs"] < whole["touching_pairs"]
    assert detect(*words, "--frames", 2)["margin"] == 0.25


@check
def wrong_margins_are_refused():
    """A margin is a number from 0 up, for shapes alone."""
    names_options("detect", "margin frames coherent")
    for bad in ("-1", "nan", "inf", "x", ""):
        refuses("detect", "--scene", "u", "--bodies", 9, "--shapes", "boxes", "--margin", bad, says=["--margin", "a number from 0 up"])
        refuses("distance", "x.json", "--margin", bad, says=["--margin", "a number from 0 up"])
    for margin in (0, 1):
        refuses("detect", "--scene", "u", "--bodies", 9, "--margin", margin, says=["--margin", "--shapes"])
        refuses("detect", write("balls.csv", test_cli.TWO_BODIES), "--margin", margin, says=["--margin", "balls.csv", "spheres"])
    assert detect(write("balls.csv", test_cli.TWO_BODIES))["margin"] is None
    assert detect("--scene", "u", "--bodies", 9, "--frames", 2)["margin"] is None


@check
def cases_have_margins():
    """distance: the state is that of the distance less the margin, the rest stays; toi: the time comes earlier."""
    cube = {"shape": "box", "half": [1, 1, 1], "c": [0, 0, 0]}
    file = write("cases.json", json.dumps({"cases": [
        {"id": 1, "a": {**cube, "c": [2.5, 0, 0]}, "b": cube},
        {"id": 2, "a": {"shape": "sphere", "c": [0, 0, 1.5], "r": 1}, "b": {"shape": "plane", "n": [0, 0, 1], "offset": 0}},
        {"id": 3, "a": {"shape": "sphere", "c": [0, 0, -1.5], "r": 1}, "b": {"shape": "plane", "n": [0, 0, 1], "offset": 0}},
        {"id": 4, "a": {**cube, "c": [1.5, 0, 0]}, "b": cube}]}))

    def answers(command, file, *more):
        data = test_cli.report(run(command, file, "--json", *more).out)
        assert data["margin"] == (float(more[more.index("--margin") + 1]) if "--margin" in more else 0), data
        return data["cases"]

    for precision in (["--precision", "f32"], []):
        plain = answers("distance", file, *precision)
        assert plain == answers("distance", file, *precision, "--margin", 0)
        assert [case["state"] for case in plain] == ["separated"] * 3 + ["touching"], plain
        for margin, state in ((0.25, "separated"), (0.75, "touching")):
            wide = answers("distance", file, *precision, "--margin", margin)
            assert [case["state"] for case in wide] == [state] * 3 + ["touching"], wide
            for case, same in zip(wide, plain):
                assert case["lower"] <= same["upper"] and same["lower"] <= case["upper"], (case, same)
    moving = write("moving.json", json.dumps({"cases": [
        {"id": "hit", "a": {**cube, "c": [10, 0, 0], "move": [-10, 0, 0]}, "b": cube},
        {"id": "near", "a": {**cube, "c": [10, 0, 0], "move": [-7.5, 0, 0]}, "b": cube}]}))
    plain = answers("toi", moving)
    assert [case["state"] for case in plain] == ["hit", "none"] and plain == answers("toi", moving, "--margin", 0)
    wide = answers("toi", moving, "--margin", 1)
    assert [case["state"] for case in wide] == ["hit", "hit"], wide
    assert abs(wide[0]["t"] - 0.7) < 1e-8 and abs(wide[1]["t"] - 7 / 7.5) < 1e-8 and abs(wide[0]["gap"] - 1) < 1e-8, wide
    names_options("distance", "margin")
    names_options("toi", "margin")


if __name__ == "__main__":
    test_cli.main(check)
