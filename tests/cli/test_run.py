#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The Carom authors
"""`carom run` from end to end: python3 tests/cli/test_run.py PATH_OF_CAROM

Prints TAP and exits with 1 if a check fails. Every check is a function whose docstring says what it guards."""
import fractions
import json
import math
import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import time

import test_cli
from test_cli import (INPUT, OK, RESOURCES, Checks, Run, Skip, names_options, read_csv, read_npy, refuses, report, run,
                      write)

try:
    import jsonschema
except ImportError:
    jsonschema = None

INTERRUPTED, TERMINATED = 130, 143
ROOT = pathlib.Path(__file__).resolve().parents[2]
CASES = json.loads((ROOT / "tests/data/response_and_gas_oracles.json").read_text())
SCENE_SCHEMA = json.loads((ROOT / "kernel/cli/scene_schema.json").read_text())
PHASES = ["begin", "neighbours", "predict", "simulate", "verify", "end"]
EVENTS = "step,t,i,k,x,y,z,nx,ny,nz,impulse".split(",")
STATE = "id,x,y,z,vx,vy,vz".split(",")
HEADER = "x,y,z,vx,vy,vz,radius,mass\n"
PAIR = HEADER + "0,0,0,1,0,0,0.5,1\n2,0,0,0,0,0,0.5,3\n"
SMALL = ["run", "--scene", "d", "--bodies", "300", "--steps", "4"]

check = Checks()


def path(name):
    return test_cli.folder / name


def number(text):
    return float(fractions.Fraction(text))


def in_json(*arguments, **more):
    return report(run("run", *arguments, "--json", **more).out)


def body_file(name, bodies):
    """Bodies as (position, velocity, radius, mass)."""
    rows = [",".join(repr(value) for value in (*x, *v, r, m)) for x, v, r, m in bodies]
    return write(name, HEADER + "\n".join(rows) + "\n")


def events_of(name):
    names, rows = read_csv(path(name))
    assert names == EVENTS, names
    return [dict(zip(names, row)) for row in rows]


def state_of(name):
    """Positions and velocities in the order of the file."""
    names, rows = read_csv(path(name))
    assert names == STATE, names
    numbers = [[float(value) for value in row[1:]] for row in rows]
    return [row[:3] for row in numbers], [row[3:] for row in numbers]


def play(bodies, *arguments):
    """Runs bodies and returns the report, the events, and positions and velocities at the end."""
    data = in_json(body_file("play.csv", bodies), *arguments, "--events", path("play.ev.csv"), "--state",
                   path("play.st.csv"))
    return data, events_of("play.ev.csv"), *state_of("play.st.csv")


def close(a, b, tolerance=1e-12):
    return math.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance)


@check
def help_names_every_option():
    """The options that other programs rely on are in the help."""
    names_options("run", "scene bodies seed steps dt restitution merge gravity walls periodic threads out every events "
                  "state snapshot json pressure precision rest-speed contact-time budget report-only isa help")


@check
def two_bodies_respond_as_computed_exactly():
    """Velocities, impulse, normal, momentum and energy of two-body impacts, against exact fractions."""
    for case in CASES["two_body_exact"]:
        n = [number(value) for value in case["n_1to2"]]
        v1, v2 = ([number(value) for value in case[key]] for key in ("v1", "v2"))
        x1, x2 = [-v for v in v1], [a - v for a, v in zip(n, v2)]
        data, events, _, after = play([(x1, v1, 0.5, case["m1"]), (x2, v2, 0.5, case["m2"])], "--steps", 4, "--dt", 0.5,
                                      "--restitution", float(fractions.Fraction(case["e"])))
        wanted = [[number(value) for value in case[key]] for key in ("v1_after", "v2_after")]
        for found, exact in zip(after, wanted):
            assert all(close(a, b, 1e-11) for a, b in zip(found, exact)), (case, after)
        assert data["impacts"] == len(events) == 1, (case, events)
        event = events[0]
        assert (event["i"], event["k"]) == ("0", "1") and close(float(event["t"]), 1, 1e-11), event
        assert close(float(event["impulse"]), number(case["impulse"]), 1e-11), (case, event)
        assert all(close(float(event[f"n{axis}"]), -a, 1e-11) for axis, a in zip("xyz", n)), (case, event)
        assert close(data["energy"]["before"], number(case["kinetic_before"])), data
        assert close(data["energy"]["after"], number(case["kinetic_after"]), 1e-11), data
        for a, b in zip(data["momentum"]["before"], data["momentum"]["after"]):
            assert abs(a - b) <= 1e-12 * max(1, *map(abs, data["momentum"]["before"])), data


@check
def cradles_swing():
    """Newton's cradles: k balls in, k balls out, the impacts in their order, simultaneous ones too."""
    for case in CASES["newtons_cradle"]:
        balls = [([number(x), 0, 0], [number(v), 0, 0], number(case["radius"]), case["mass"])
                 for x, v in zip(case["x0"], case["v0"])]
        data, events, x, v = play(balls, "--steps", 4 * case["T"], "--dt", 0.25)
        assert data["impacts"] == case["collisions"], (case, data)
        assert [row[0] for row in v] == [number(value) for value in case["v_final"]], (case, v)
        assert all(close(row[0], number(value)) for row, value in zip(x, case["x_final"])), (case, x)
        found = [(float(event["t"]), int(event["i"]), int(event["k"])) for event in events]
        assert found[:len(case["first_events"])] == [(number(t), i, k) for t, i, k in case["first_events"]], found


@check
def chains_and_billiards_count():
    """Unequal chains; Galperin's billiard counts the digits of pi with a ball that nothing moves."""
    for case in CASES["unequal_mass_chain"]:
        balls = [([number(x), 0, 0], [number(v), 0, 0], number(case["radius"]), m)
                 for x, v, m in zip(case["x0"], case["v0"], case["mass"])]
        data, _, _, v = play(balls, "--steps", 20)
        assert data["impacts"] == case["collisions"], (case, data)
        assert all(close(row[0], number(value)) for row, value in zip(v, case["v_final"])), (case, v)
    for case in CASES["galperin_pi_billiard"]["cases"][:3]:
        balls = [([0, 0, 0], [0, 0, 0], 0.5, math.inf), ([2, 0, 0], [0, 0, 0], 0.5, 1),
                 ([4, 0, 0], [-1, 0, 0], 0.5, case["mass_ratio"])]
        data, events, x, v = play(balls, "--steps", 50)
        assert data["impacts"] == case["collisions"], (case, data)
        assert x[0] == [0, 0, 0] and v[0] == [0, 0, 0] and {event["i"] for event in events} == {"0", "1"}


@check
def json_has_the_promised_keys():
    """The form of --json: what ran, what came out, seconds, and the digits of sums."""
    data = in_json(write("keys.csv", PAIR), "--steps", 3, "--dt", 0.75)
    assert data["steps"] == data["steps_asked"] == 3 and data["bodies"] == 2 and not data["interrupted"], data
    assert (data["impacts"], data["surface_impacts"], data["held"], data["merged"]) == (1, 0, 0, 0), data
    assert data["energy"]["before"] == 0.5 and data["momentum"]["before"] == [1, 0, 0], data
    assert close(data["energy"]["after"], 0.5) and len(data["momentum"]["after"]) == 3, data
    assert re.fullmatch("[0-9a-f]{16}", data["state_hash"]), data
    assert list(data["seconds"]) == ["total", *PHASES, "rest", "per_step"], data
    seconds = data["seconds"]
    assert list(seconds["per_step"]) == ["median", "mean"]
    assert close(seconds["per_step"]["mean"] * 3, seconds["total"], 1e-9), seconds
    assert close(sum(seconds[phase] for phase in (*PHASES, "rest")), seconds["total"], 1e-6), seconds
    assert close(data["impacts_per_second"] * seconds["total"], data["impacts"], 1e-9), data
    assert (data["precision"], data["dt"], data["restitution"], data["response"]) == ("f64", 0.75, 1, "bounce"), data
    assert data["file"]["format"] == "csv" and data["scene"] is None and data["pressure"] is None, data
    scene = in_json(*SMALL[1:], "--restitution", "0.1", "--gravity", "0,0,-1e-3", "--rest-speed", "0.25",
                    "--contact-time", "0.5", "--budget", "99", "--walls", "--threads", "1", "--isa", "scalar")
    assert scene["scene"] == {"name": "dense", "seed": 1, "bodies": 300} and scene["file"] is None, scene
    assert (scene["precision"], scene["dt"], scene["surfaces"], scene["threads"]) == ("f32", 1, 6, 1), scene
    assert (scene["restitution"], scene["gravity"], scene["isa"]) == (0.1, [0, 0, -0.001], "scalar"), scene
    assert (scene["rest_speed"], scene["contact_time"], scene["budget"]) == (0.25, 0.5, 99), scene


@check
def the_table_tells_the_same():
    """Without --json: phases, impacts, energy and momentum before and after, and the hash of --json."""
    data = in_json(*SMALL[1:], "--walls")
    text = run(*SMALL, "--walls").out
    for word in ("scene", "bodies", "threads", "isa", "precision", "dt", "restitution", "surfaces", "steps", *PHASES,
                 "rest", "total", "impacts", "energy", "momentum", "state hash", "step"):
        assert re.search(rf"^{word} +\S", text, re.M), (word, text)
    assert re.search(rf"^impacts +{data['impacts']} .* {data['surface_impacts']} with surfaces$", text, re.M), text
    assert re.search(rf"^state hash +{data['state_hash']}$", text, re.M), text
    assert re.search(r"^energy +\S+ -> \S+$", text, re.M) and re.search(r"^momentum +\(.*\) -> \(.*\)$", text, re.M), text


@check
def digits_read_back():
    """Events and state: digits that read back to the same bits, in CSV as in .npy, in both precisions."""
    for precision in ("f32", "f64"):
        words = [*SMALL, "--walls", "--precision", precision]
        run(*words, "--events", path("digits.csv"), "--state", path("state.csv"))
        run(*words, "--events", path("digits.npy"), "--state", path("state.npy"))
        names, rows = read_npy(path("state.npy"))
        assert names == STATE, names
        texts = read_csv(path("state.csv"))[1]
        as_numbers = [tuple([int(row[0])] + [float(value) for value in row[1:]]) for row in texts]
        if precision == "f64":
            assert as_numbers == rows
        else:  # nine digits give back the float
            assert [[f"{value:.9g}" for value in row[1:]] for row in rows] == [row[1:] for row in texts]
        names, rows = read_npy(path("digits.npy"))
        events = events_of("digits.csv")
        assert len(rows) == len(events) > 100
        for event, row in zip(events, rows):
            assert (int(event["step"]), float(event["t"]), int(event["i"])) == row[:3], (event, row)
            assert [float(event[name]) for name in EVENTS[4:]] == list(row[4:]), (event, row)
            assert event["k"].startswith("wall") == (row[3] < 0) and (row[3] < 0 or int(event["k"]) == row[3]), event


@check
def events_are_in_order():
    """Events follow one another in time, from the start of the run, and every step's count is right."""
    data = in_json(*SMALL[1:], "--dt", "0.5", "--walls", "--events", path("order.csv"))
    events = events_of("order.csv")
    assert len(events) == data["impacts"] and data["surface_impacts"] == sum(e["k"][0] == "w" for e in events)
    times = [float(event["t"]) for event in events]
    assert times == sorted(times) and 0 <= times[0] and times[-1] < 2, times
    assert all(0.5 * int(e["step"]) <= float(e["t"]) <= 0.5 * int(e["step"]) + 0.5 for e in events)
    assert {event["step"] for event in events} == {"0", "1", "2", "3"}
    assert all(e["k"][0] == "w" or int(e["i"]) < int(e["k"]) for e in events)


@check
def walls_hold():
    """--walls: six named planes where the bodies end; nothing leaves, and each wall is hit."""
    run("run", "--scene", "d", "--bodies", "400", "--steps", "60", "--walls", "--precision", "f64", "--events",
        path("walls.csv"), "--state", path("walls.state.csv"))
    run("run", "--scene", "d", "--bodies", "400", "--steps", "1", "--dt", "1e-30", "--precision", "f64", "--state",
        path("start.csv"))
    names = {event["k"] for event in events_of("walls.csv") if event["k"].startswith("wall")}
    assert names == {f"wall{side}{axis}" for side in "-+" for axis in "xyz"}, names
    start, end = state_of("start.csv")[0], state_of("walls.state.csv")[0]
    for event in events_of("walls.csv"):
        if event["k"].startswith("wall"):
            normal = [float(event[f"n{axis}"]) for axis in "xyz"]
            high, axis = event["k"][4] == "+", event["k"][5]
            assert normal == [(-1 if high else 1) * (name == axis) for name in "xyz"], event
            # All radii are 1.
            centres = [x["xyz".index(axis)] for x in start]
            assert close(float(event[axis]), max(centres) + 1 if high else min(centres) - 1, 1e-9), event
    for axis in range(3):
        lo, hi = (pick(x[axis] for x in start) for pick in (min, max))
        slack = 1e-9 * (hi - lo)
        assert all(lo - slack <= x[axis] <= hi + slack for x in end), axis


@check
def threads_and_isa_change_nothing():
    """The hash of the state and the files are the same for every thread count and instruction set."""
    words = ["--scene", "d", "--bodies", "600", "--steps", "5", "--walls", "--restitution", "0.9"]
    for precision in ("f32", "f64"):
        seen = set()
        for isa in report(run("info", "--json").out)["isa"]["available"]:
            for threads in (1, 2, 3):
                data = in_json(*words, "--precision", precision, "--isa", isa, "--threads", threads, "--events",
                               path("same.csv"), "--state", path("same.state.csv"))
                assert (data["isa"], data["threads"]) == (isa, threads), data
                seen.add((data["state_hash"], data["impacts"], path("same.csv").read_text(),
                          path("same.state.csv").read_text()))
        assert len(seen) == 1, [values[:2] for values in seen]


@check
def snapshots_go_on():
    """A run of ten steps is one of four, its snapshot, and six more: the same state, bit for bit, and hash."""
    scene = ["--walls", "--restitution", "0.8", "--gravity", "0,0,-0.01", "--dt", "0.5"]
    for more in (["--precision", "f32"], ["--precision", "f64", "--rest-speed", "0.01", "--contact-time", "0.1"]):
        start = ["--scene", "u", "--bodies", "300", *scene, *more]
        whole = in_json(*start, "--steps", 10, "--state", path("whole.csv"))
        in_json(*start, "--steps", 4, "--snapshot", path("part.carom"))
        rest = in_json(path("part.carom"), "--steps", 6, "--state", path("rest.csv"), "--events", path("rest.ev.csv"))
        assert path("whole.csv").read_bytes() == path("rest.csv").read_bytes()
        assert whole["state_hash"] == rest["state_hash"], (whole, rest)
        for key in ("dt", "gravity", "restitution", "rest_speed", "contact_time", "budget", "surfaces", "precision"):
            assert whole[key] == rest[key], (key, whole, rest)
        assert rest["file"]["format"] == "snapshot" and rest["bodies"] == 300, rest
        names = {event["k"] for event in events_of("rest.ev.csv") if not event["k"].isdigit()}
        assert names and names <= {f"plane-{n}" for n in range(6)}, names
    assert in_json(path("part.carom"), "--steps", 1, "--dt", "0.25", "--restitution", "1")["dt"] == 0.25
    refuses("run", path("part.carom"), says=["--steps"])
    refuses("run", path("part.carom"), "--steps", 1, "--precision", "f32", says=["--precision", "f64"])
    refuses("run", path("part.carom"), "--steps", 1, "--walls", says=["--walls", "snapshot"])
    refuses("run", path("part.carom"), "--steps", 1, "--radius", 1, says=["--radius", "snapshot"])
    for precision in ("f32", "f64"):
        in_json("--scene", "u", "--bodies", 50, "--steps", 1, "--precision", precision, "--snapshot", path("part.carom"))
        whole = path("part.carom").read_bytes()
        damaged = bytearray(whole)
        damaged[len(damaged) // 2] ^= 1
        path("damaged.carom").write_bytes(damaged)
        refuses("run", path("damaged.carom"), "--steps", 1, code=INPUT, says=["damaged.carom", "checksum"])
        for size in (20, 100, len(whole) - 1):
            path("short.carom").write_bytes(whole[:size])
            refuses("run", path("short.carom"), "--steps", 1, code=INPUT,
                    says=["short.carom", "no snapshot" if size < 72 else "cut off"])


@check
def ids_name_bodies():
    """Ids of a CSV are those of events and state; a file without them counts from 0."""
    write("ids.csv", "id,mass,x,y,z,vx,vy,vz,radius\n700,1,0,0,0,1,0,0,0.5\n30,2,2,0,0,0,0,0,0.5\n")
    run("run", path("ids.csv"), "--steps", 2, "--events", path("ids.ev.csv"), "--state", path("ids.st.csv"))
    assert [(event["i"], event["k"]) for event in events_of("ids.ev.csv")] == [("700", "30")]
    assert [row[0] for row in read_csv(path("ids.st.csv"))[1]] == ["700", "30"]


@check
def files_of_bodies_are_read():
    """prev and curr are a step of length 1; a state goes on as a file with --radius; standard input is a file."""
    write("ends.csv", "prev_x,prev_y,prev_z,curr_x,curr_y,curr_z,radius\n0,0,0,1,0,0,0.5\n2,0,0,2,0,0,0.5\n")
    run("run", path("ends.csv"), "--steps", 4, "--dt", 0.5, "--state", path("ends.st.csv"))
    assert state_of("ends.st.csv")[1] == [[0, 0, 0], [1, 0, 0]]
    on = in_json(path("ends.st.csv"), "--steps", 1, "--radius", 0.5)
    assert on["impacts"] == 0 and on["momentum"]["after"] == [1, 0, 0], on
    piped = in_json("-", "--steps", 4, "--dt", 0.5, stdin=path("ends.csv").read_bytes())
    assert piped["file"]["path"] == "-" and piped["impacts"] == 1, piped
    still = write("still.csv", "x,y,z,radius\n0,0,0,1\n")
    assert "at rest" in run("run", still, "--steps", 1).err


SCENE = {
    "description": "a ball between a floor and a plate, a pillar beside them, all in a pipe",
    "steps": 8, "dt": 0.25, "gravity": [0, 0, -1], "restitution": 0.5, "rest_speed": 0, "contact_time": 0,
    "budget": 100, "response": "bounce",
    "bodies": [
        {"id": 4, "position": [0, 0, 1], "velocity": [0, 0, -2], "radius": 0.5, "mass": 2, "restitution": 1,
         "category": 1, "mask": 3},
        {"id": 9, "position": [5, 0, 9], "velocity": [-2, 0, 0], "radius": 0.5, "mass": "inf"},
        {"position": [0, 8, 5], "velocity": [0, 2, 0], "radius": 1},
    ],
    "geometry": [
        {"kind": "plane", "name": "the floor", "point": [0, 0, 0], "normal": [0, 0, 2]},
        {"kind": "box", "point": [0, 0, 20], "half": [1, 1, 1], "axes": [[1, 1, 0], [-1, 1, 0], [0, 0, 1]]},
        {"kind": "pillar", "name": "post", "point": [-5, 0, 0], "axis": [0, 0, 1], "radius": 1, "restitution": 0.25},
        {"kind": "pipe", "point": [0, 0, 0], "axis": [0, 0, 1], "radius": 10},
    ],
}


def scene_file(name, **changes):
    scene = {key: value for key, value in {**SCENE, **changes}.items() if value is not None}
    return write(name, json.dumps(scene, indent=1))


def fits_schema(scene):
    return jsonschema is None or jsonschema.Draft7Validator(SCENE_SCHEMA).is_valid(scene)


@check
def scenes_in_json_run():
    """A scene in JSON: its rules, ids, geometry and names; options go first; the schema describes it."""
    assert fits_schema(SCENE)
    if jsonschema is not None:
        jsonschema.Draft7Validator.check_schema(SCENE_SCHEMA)
    data = in_json(scene_file("scene.json"), "--events", path("scene.csv"), "--state", path("scene.st.csv"))
    assert (data["steps"], data["dt"], data["gravity"], data["surfaces"]) == (8, 0.25, [0, 0, -1], 4), data
    assert data["file"] == {"path": str(path("scene.json")), "format": "json", "bodies": 3}, data
    assert (data["budget"], data["restitution"]) == (100, 0.5), data
    events = events_of("scene.csv")
    assert (events[0]["i"], events[0]["k"]) == ("4", "the floor"), events
    assert {event["k"] for event in events if event["i"] == "2"} == {"pipe-3"}, events
    assert [row[0] for row in read_csv(path("scene.st.csv"))[1]] == ["4", "9", "2"]
    # The lesser of 1 and the floor's 1: the ball's speed is turned round.
    assert close(float(events[0]["impulse"]), 2 * 2 * (2 + 0.25)), events[0]
    less = in_json(path("scene.json"), "--steps", 2, "--dt", "0.5", "--gravity", "0,0,0", "--restitution", "0")
    assert (less["steps"], less["dt"], less["gravity"], less["restitution"]) == (2, 0.5, [0, 0, 0], 0), less
    walled = in_json(scene_file("walled.json", geometry=None), "--walls")
    assert walled["surfaces"] == 6, walled


@check
def scenes_in_json_have_boxes():
    """A periodic box of a scene in JSON, as lengths or vectors, along some edges or all; --periodic goes first."""
    bodies = [{"position": [1, 1, 1], "velocity": [3, 0, 0], "radius": 0.5}]
    for edges in ([8, 9, 10], [[8, 0, 0], [1, 9, 0], [0, 1, 10]]):
        box = {"edges": edges, "along": "zx"}
        assert fits_schema({"bodies": bodies, "periodic": box})
        name = scene_file("box.json", bodies=bodies, periodic=box, geometry=None, gravity=None)
        assert in_json(name)["periodic"] == "xz"
        assert in_json(name, "--periodic", "y")["periodic"] == "y"
        del box["along"]
        assert in_json(scene_file("box.json", bodies=bodies, periodic=box, geometry=None))["periodic"] == "xyz"
    run("run", path("box.json"), "--steps", 40, "--dt", "0.25", "--state", path("box.csv"))
    refuses("run", path("box.json"), "--walls", says=["--walls", "periodic"])
    refuses("run", scene_file("open.json"), "--periodic", "x", code=INPUT, says=["open.json: has no box"])
    assert in_json(scene_file("real.json", steps=2.0, budget=1e2))["steps"] == 2, "JSON knows no integers"


@check
def faults_of_scenes_in_json_are_named():
    """A bad member is exit 3 with its path, a bad character with its line; the schema refuses the same."""
    body = SCENE["bodies"][0]
    plane, box, pillar, _ = SCENE["geometry"]
    bad = [
        ({"bodies": None}, "bodies: is missing"),
        ({"bodies": {}}, "bodies: is not a list"),
        ({"bodies": [body, 7]}, "bodies[1]: is not an object"),
        ({"bodies": [body, {**body, "id": 5, "colour": 1}]}, "bodies[1]: there is no member \"colour\"; there are pos"),
        ({"bodies": [{"radius": 1}]}, "bodies[0].position: is missing"),
        ({"bodies": [{"position": [1, 2, 3]}]}, "bodies[0].radius: is missing"),
        ({"bodies": [{**body, "position": [1, 2]}]}, "bodies[0].position: is not a list of three numbers"),
        ({"bodies": [{**body, "position": [1, 2, "3"]}]}, "bodies[0].position[2]: is not a number"),
        ({"bodies": [{**body, "radius": -1}]}, "bodies[0].radius: is not a number from 0 up"),
        ({"bodies": [{**body, "mass": 0}]}, "bodies[0].mass: is not a number above 0, nor \"inf\""),
        ({"bodies": [{**body, "mass": "heavy"}]}, "bodies[0].mass: is not a number above 0, nor \"inf\""),
        ({"bodies": [{**body, "restitution": 1.5}]}, "bodies[0].restitution: is not a number from 0 to 1"),
        ({"bodies": [{**body, "id": -1}]}, "bodies[0].id: is not a whole number from 0"),
        ({"bodies": [{**body, "mask": 4294967296}]}, "bodies[0].mask: is not a whole number from 0 to 4294967295"),
        ({"steps": 0}, "steps: is not a whole number from 1 to 1000000000"),
        ({"steps": 1.5}, "steps: is not a whole number"),
        ({"steps": 1e300}, "steps: is not a whole number"),
        ({"dt": 0}, "dt: is not a number above 0"),
        ({"gravity": 9.81}, "gravity: is not a list of three numbers"),
        ({"restitution": -0.5}, "restitution: is not a number from 0 to 1"),
        ({"rest_speed": -1}, "rest_speed: is not a number from 0 up"),
        ({"budget": 65536}, "budget: is not a whole number from 1 to 65535"),
        ({"response": "stick"}, "response: is \"stick\"; there are bounce, report, merge"),
        ({"description": 1}, "description: is not a text"),
        ({"friction": 1}, "there is no member \"friction\"; there are description, steps, dt"),
        ({"periodic": {}}, "periodic.edges: is missing"),
        ({"periodic": {"edges": [1, 2]}}, "periodic.edges: is not a list of three numbers"),
        ({"periodic": {"edges": [[1, 0, 0], [0, 1, 0]]}}, "periodic.edges: is not a list of three lengths"),
        ({"periodic": {"edges": [1, 2, 3], "along": "xw"}}, "periodic.along: is not one or more of the axes"),
        ({"geometry": {}}, "geometry: is not a list"),
        ({"geometry": [{**plane, "kind": "cone"}]}, "geometry[0].kind: is \"cone\"; there are plane, box, pillar, pipe"),
        ({"geometry": [{"point": [0, 0, 0]}]}, "geometry[0].kind: is missing"),
        ({"geometry": [{**plane, "radius": 1}]}, "geometry[0]: there is no member \"radius\"; there are kind, name"),
        ({"geometry": [box, {**pillar, "axis": None}]}, "geometry[1].axis: is not a list"),
        ({"geometry": [{**box, "half": [1, -1, 1]}]}, "geometry[0].half: holds a number below 0"),
        ({"geometry": [{**box, "axes": [[1, 0, 0]]}]}, "geometry[0].axes: is not a list of three vectors"),
        *(({"geometry": [{**plane, "name": number}]}, "geometry[0].name: is not a name")
          for number in ("12", "-+", "1e5", " nan", "-Infinity ", ".5", "7.", "0x1.8p3", "nan(a)")),
        ({"geometry": [{**plane, "name": "a,b"}]}, "geometry[0].name: is not a name"),
    ]
    for changes, message in bad:
        name = scene_file("bad.json", **changes)
        refuses("run", name, code=INPUT, says=[f"bad.json: {message}"])
        scene = json.loads(name.read_text())
        assert jsonschema is None or not fits_schema(scene), (changes, "the schema takes it")
    # What a schema cannot tell.
    for changes, message in [({"bodies": [body, body]}, "bodies[1]: another body has the id 4 too"),
                             ({"bodies": [{**body, "id": 1}, {**body, "id": None}]}, "bodies[1].id: is not a whole"),
                             ({"geometry": [plane, plane]}, "geometry[1].name: is \"the floor\", as that of geometry[0]"),
                             ({"geometry": [{**plane, "name": "plane-1"}, {member: plane[member] for member in plane if member != "name"}]},
                              "geometry[1].name: is \"plane-1\", as that of geometry[0]"),
                             ({"geometry": [{**plane, "name": "wall-x"}]}, "geometry[0].name: is \"wall-x\", which --walls"),
                             ({"geometry": [{**box, "axes": [[1, 0, 0], [1, 1, 0], [0, 0, 1]]}]}, "geometry[0]: its axes"),
                             ({"geometry": [{**plane, "normal": [0, 0, 0]}]}, "geometry[0].normal: has no direction")]:
        refuses("run", scene_file("bad.json", **changes), code=INPUT, says=[f"bad.json: {message}"])
    refuses("run", write("cut.json", '{\n"bodies": [\n{"position": 1,,}]}'), code=INPUT, says=["cut.json:3: "])
    refuses("run", write("shapes.json", '{"version": 1, "shapes": [], "bodies": []}'), code=INPUT, says=["with shapes"])
    refuses("run", write("empty.json", " \n"), code=INPUT, says=["empty.json: it is empty"])
    refuses("run", write("twice.json", '{"steps": 1, "steps": 2}'), code=INPUT, says=["twice.json:1: ", "duplicate"])
    refuses("run", scene_file("steps.json", steps=None), says=["--steps"])
    refuses("run", scene_file("merge.json", response="merge"), code=INPUT, says=["merge.json: response", "geometry"])
    refuses("run", scene_file("bounce.json"), "--merge", says=["--merge", "geometry"])
    refuses("run", scene_file("report.json", response="report"), "--pressure", says=["--pressure"])
    refuses("run", scene_file("radius.json"), "--radius", 1, says=["--radius", "json"])


@check
def faults_of_bodies_are_named():
    """Bad files are exit 3 with the line, bad numbers of bodies too."""
    for text, message in [("x,y\n1,2\n", "no known format"),
                          (HEADER + "1,2,3,4,5,6,7,nan\n", "bad.csv:2: "),
                          (HEADER + "1,2,3,4,5,6,7,0\n", "bad.csv:2: "),
                          (HEADER + "1,2,3,4,5,6,7,1\n0,0,nan,0,0,0,1,1\n", "bad.csv:3: z is not a finite number"),
                          (HEADER + "1,2,3,4,5,6,-7,1\n", "bad.csv:2: radius is negative"),
                          (HEADER + "1,2,3,4,5,6,7\n", "bad.csv:2: 7 fields; the header has 8"),
                          ("x,y,z,vx,radius\n1,2,3,4,5\n", "bad.csv:1: the header must have all three"),
                          ("x,y,z,radius,id\n1,2,3,4,5\n6,7,8,9,5\n", "bad.csv:3: id 5 stands twice"),
                          ("x,y,z,radius,restitution\n1,2,3,4,2\n", "bad.csv:2: ")]:
        refuses("run", write("bad.csv", text), "--steps", 1, code=INPUT, says=[message])
    refuses("run", path("missing.csv"), "--steps", 1, code=INPUT, says=["missing.csv"])
    refuses("run", write("none.csv", "x,y,z\n1,2,3\n"), "--steps", 1, says=["--radius"])
    refuses("run", write("large.csv", HEADER + "1,2,3,0,0,0,1,1e300\n"), "--steps", 1, "--precision", "f32", code=INPUT,
            says=["large.csv:2: mass is 1e+300, too large for a float"])
    assert in_json(path("large.csv"), "--steps", 1)["precision"] == "f64"
    note = run("run", write("typo.csv", "x,y,z,radius,mas,note\n1,2,3,1,4,5\n"), "--steps", 1).err
    assert "typo.csv: columns that are not used: mas, note" in note, note
    for text in ("[1, 2]", "3"):
        refuses("run", write("list.json", text), code=INPUT, says=["list.json"])


@check
def a_step_that_fails_loses_nothing():
    """A step that cannot be taken names step, file and line, or id; what was before it is in the files."""
    far = write("far.csv", "x,y,z,vx,vy,vz,radius,mass,id\n0,0,0,1,0,0,0.5,1,7\n2,0,0,0,0,0,0.5,3,8\n")
    failed = run("run", far, "--steps", 300, "--gravity", "0,0,1e36", "--state", path("far.st.csv"), "--events",
                 path("far.ev.csv"), "--snapshot", path("far.carom"), code=INPUT)
    step = re.search(r"far\.csv:2: step (\d+): body 0, with its radius, leaves the range of floats", failed.err)
    assert step and int(step[1]) > 1, failed
    assert len(events_of("far.ev.csv")) == 1
    x, v = state_of("far.st.csv")
    assert len(x) == 2 and v[0][2] == v[1][2] and close(v[0][2], int(step[1]) * 1e36), (x, v)
    refuses("run", path("far.carom"), "--steps", 1, code=INPUT, says=["id 7: step 0: body 0, with its radius, leaves"])
    refuses("run", far, "--steps", 1, "--gravity", "0,0,1e39", "--state", path("far.none.csv"), code=INPUT,
            says=["far.csv:2: step 0"])
    x, v = state_of("far.none.csv")
    assert len(x) == 2 and v[0][2] == 0, "the bodies as they were, for no step was taken"
    if os.path.exists("/dev/full"):
        result = Run(*SMALL, "--events", "/dev/full", "--state", path("full.st.csv"))
        assert result.code == RESOURCES and result.err.count("/dev/full") == 1, result
        assert re.search(r"^steps +1 of 4: what follows failed", result.out, re.M), result
        assert len(state_of("full.st.csv")[0]) == 300


@check
def options_go_together():
    """Options that make no sense, alone or together, are exit 2 with what there is instead."""
    some = write("some.csv", PAIR)
    for words, says in [(["run"], ["--scene", "FILE"]),
                        (["run", "--scene", "u", "--bodies", 9], ["--steps"]),
                        (["run", some], ["--steps"]),
                        (["run", some, "--scene", "u", "--steps", 1], ["--scene"]),
                        (["run", some, "--seed", 2, "--steps", 1], ["--seed"]),
                        ([*SMALL, "--radius", 1], ["--radius"]),
                        ([*SMALL, "--steps", 0], ["--steps", "from 1"]),
                        ([*SMALL, "--dt", 0], ["--dt", "above 0"]),
                        ([*SMALL, "--gravity", "1,2"], ["--gravity", "x,y,z"]),
                        ([*SMALL, "--gravity", "1,2,3,4"], ["--gravity", "x,y,z"]),
                        ([*SMALL, "--gravity", "1,2,"], ["--gravity", "x,y,z"]),
                        ([*SMALL, "--restitution", 1.5], ["--restitution", "0 to 1"]),
                        ([*SMALL, "--budget", 65536], ["--budget", "65535"]),
                        ([*SMALL, "--rest-speed", -1], ["--rest-speed", "from 0"]),
                        ([*SMALL, "--contact-time", "x"], ["--contact-time", "from 0"]),
                        ([*SMALL, "--merge", "--report-only"], ["run: --report-only is not allowed beside the other response"]),
                        ([*SMALL, "--merge", "--walls"], ["--merge", "--walls"]),
                        ([*SMALL, "--walls", "--periodic", "x"], ["--walls", "--periodic"]),
                        ([*SMALL, "--merge", "--pressure"], ["--pressure"]),
                        ([*SMALL, "--every", 2], ["--every", "--out"]),
                        ([*SMALL, "--friction", 1], ["--friction", "--restitution"]),
                        (["run", "--scene", "c", "--bodies", 9, "--steps", 1, "--periodic", "x"], ["no box"]),
                        ([*SMALL, "--state", path("x.csv"), "--events", path("x.csv")], ["--state", "--events"]),
                        (["run", some, "--steps", 1, "--state", some], ["--state", "to be read"])]:
        refuses(*words, says=says)
    refuses("run", some, "--steps", 1, "--periodic", "x", code=INPUT, says=["some.csv: has no box"])


@check
def data_can_go_to_standard_output():
    """With - a file goes to stdout, and the report to stderr."""
    result = run("run", write("out.csv", PAIR), "--steps", 2, "--state", "-")
    assert result.out.splitlines()[0] == ",".join(STATE) and "state hash" in result.err, result
    result = run("run", path("out.csv"), "--steps", 2, "--events", "-", "--json")
    assert result.out.splitlines()[0] == ",".join(EVENTS) and '"state_hash"' in result.err, result


@check
def frames_are_written():
    """--out: the first and the last frame and every K-th between, for viewers."""
    for every, frames in ((None, 11), (4, 4), (5, 3), (100, 2)):
        folder = path(f"frames{every}")
        more = [] if every is None else ["--every", every]
        result = run("run", "--scene", "u", "--bodies", 50, "--steps", 10, "--walls", "--out", folder, *more)
        assert f"wrote {frames} frames to" in result.err, result
        assert len(list(folder.glob("frame_*.vtp"))) == frames, list(folder.iterdir())
        assert (folder / "frames.xyz").read_text().count("Properties=") == frames
        assert (folder / "frames.pvd").read_text().count("<DataSet") == frames
        assert "earlier run" not in result.err, result
    again = run("run", "--scene", "u", "--bodies", 50, "--steps", 2, "--out", path("framesNone"))
    assert re.search("wrote 3 frames to .*, which still has later ones of an earlier run", again.err), again
    if os.path.exists("/dev/full"):
        result = Run(*SMALL, "--state", "/dev/full")
        assert result.code == RESOURCES and "/dev/full" in result.err and "state hash" in result.out, result
    for words in (["--state", path("nowhere/x.csv")], ["--snapshot", path("nowhere/x.carom")], ["--state", path("")]):
        result = Run(*SMALL, "--events", path("early.csv"), *words)
        assert result.code == RESOURCES and str(words[1]) in result.err and result.out == "", result
        assert not path("early.csv").exists() and not test_cli.leftovers(), result
    file = write("file", "")
    result = Run(*SMALL, "--out", file)
    assert result.code == RESOURCES and "file" in result.err and result.out == "", result


@check
def responses_are_chosen():
    """--report-only lets bodies through, and --merge makes one of two, with their momentum."""
    data, events, _, v = play([([0, 0, 0], [1, 0, 0], 0.5, 1), ([2, 0, 0], [0, 0, 0], 0.5, 3)], "--steps", 4,
                              "--report-only")
    assert v == [[1, 0, 0], [0, 0, 0]] and data["impacts"] == len(events) >= 1, (data, events)
    assert data["response"] == "report" and all(float(event["impulse"]) == 0 for event in events), events
    data, events, x, v = play([([0, 0, 0], [1, 0, 0], 0.5, 1), ([1.5, 0, 0], [0, 0, 0], 0.5, 3)], "--steps", 4,
                              "--merge")
    assert v == [[0.25, 0, 0]] and len(x) == 1 and data["merged"] == 1 and data["bodies"] == 2, (data, v)
    assert [(event["i"], event["k"]) for event in events] == [("0", "1")], events


@check
def pressure_is_that_of_the_virial():
    """--pressure: the virial is that of the events, and Z is 1 + virial / (3 N kT t)."""
    data = in_json("--scene", "d", "--bodies", "500", "--steps", "6", "--dt", "0.5", "--periodic", "xyz", "--precision",
                   "f64", "--pressure", "--events", path("virial.csv"))
    found = data["pressure"]
    virial = sum(2 * float(event["impulse"]) for event in events_of("virial.csv"))  # radii are 1
    assert close(found["virial"], virial, 1e-11) and virial > 0, (found, virial)
    momentum = data["momentum"]["before"]
    energies = [data["energy"][when] - sum(p * p for p in momentum) / (2 * 500) for when in ("before", "after")]
    kt = 2 * (sum(energies) / 2) / (3 * 500)
    assert close(found["kT"], kt, 1e-11), (found, kt)
    assert close(found["Z"], 1 + virial / (3 * 500 * kt * 3), 1e-11), found
    assert close(found["p"], found["Z"] * 500 * kt / found["V"], 1e-11), found
    open_space = in_json(*SMALL[1:], "--pressure")["pressure"]
    assert open_space["V"] is None and open_space["p"] is None and open_space["Z"] > 1, open_space
    assert re.search(r"^Z +\S+ +p V / \(N kT\)$", run(*SMALL, "--pressure").out, re.M)


def heed():
    """Whoever runs the tests may ignore the signal, as nohup does."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def check_ends_after_a_step(number, code):
    """The step is finished, every file is there and whole."""
    shutil.rmtree(path("cut"), ignore_errors=True)
    folder = path("cut")
    process = subprocess.Popen([test_cli.carom_path, "run", "--scene", "u", "--bodies", "200", "--steps", "1e9", "--walls",
                                "--json", "--out", folder, "--every", "1000000000", "--events", path("cut.csv"), "--state",
                                path("cut.st.csv"), "--snapshot", path("cut.carom")],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=heed)
    while process.poll() is None and not (folder / "frames.pvd").exists():
        time.sleep(0.005)
    time.sleep(0.2)
    process.send_signal(number)
    out, err = process.communicate(timeout=120)
    assert process.returncode == code and "ends after this step" in err, (process.returncode, err)
    data = report(out)
    assert data["interrupted"] and 0 < data["steps"] < data["steps_asked"] == 10**9, data
    events = events_of("cut.csv")
    assert len(events) == data["impacts"] and int(events[-1]["step"]) < data["steps"], data
    assert (folder / "frames.xyz").read_text().count("Properties=") == 2, list(folder.iterdir())
    assert len(state_of("cut.st.csv")[0]) == 200
    on = in_json(path("cut.carom"), "--steps", 1)
    assert on["energy"]["before"] == data["energy"]["after"], (on, data)
    assert not test_cli.leftovers(), test_cli.leftovers()


@check
def ctrl_c_ends_after_a_step():
    """Ctrl-C: the exit code is 130."""
    check_ends_after_a_step(signal.SIGINT, INTERRUPTED)
    table = Run(*SMALL)
    assert table.code == OK and "Ctrl-C" not in table.out, table


@check
def sigterm_ends_after_a_step():
    """SIGTERM, as a batch system sends it: the exit code is 143."""
    check_ends_after_a_step(signal.SIGTERM, TERMINATED)


@check
def progress_is_for_terminals():
    """On a terminal: steps, time left, impacts a second and energy, on a line that is wiped afterwards."""
    try:
        leader, follower = pty.openpty()
    except OSError as error:
        raise Skip("no terminal can be opened here") from error
    words = ["run", "--scene", "d", "--bodies", "300", "--steps", "1e9", "--walls"]
    process = subprocess.Popen([test_cli.carom_path, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=follower, text=True, preexec_fn=heed)
    os.close(follower)
    seen = ""
    while "energy" not in seen:
        seen += os.read(leader, 65536).decode()
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=300)
    seen += test_cli.read_to_end(leader).decode()
    os.close(leader)
    assert process.returncode == INTERRUPTED and re.search(r"^steps +\d+ of 1000000000: Ctrl-C$", out, re.M), out
    assert re.search(r"step \d+ of 1000000000, [\d]+ (h|min|s).* left, \S+ impacts/s, energy \d", seen), repr(seen)
    assert "impacts/s" not in run(*SMALL).err


if __name__ == "__main__":
    test_cli.main(check)
