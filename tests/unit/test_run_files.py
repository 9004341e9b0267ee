#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The binary files of a run, read as their formats say: VTK PolyData with raw appended numbers, collections, NumPy
records. They hold every number of tests/support/sample_run.c, bit by bit.

usage: test_run_files.py PATH_OF_WRITE_RUN_FILES
"""

import ast
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

BODIES, IMPACTS = 2500, 40
CODES = {"Float64": "d", "Float32": "f", "UInt64": "Q", "Int64": "q"}
INFINITY = float("inf")


def narrow(value, wide):
    """The float nearest to a value, unless doubles are wanted."""
    return value if wide else struct.unpack("f", struct.pack("f", value))[0]


def read_vtp(path):
    """The XML's tree, and each array as a list of its rows."""
    content = path.read_bytes()
    head, _, raw = content.partition(b'<AppendedData encoding="raw">\n_')
    assert raw, f"{path}: no raw data"
    tree = xml.etree.ElementTree.fromstring(head + b"</VTKFile>")
    order = {"LittleEndian": "<", "BigEndian": ">"}[tree.get("byte_order")]
    assert (tree.get("type"), tree.get("version"), tree.get("header_type")) == ("PolyData", "1.0", "UInt64")
    arrays, end = {}, 0
    for array in tree.iter("DataArray"):
        offset = int(array.get("offset"))
        assert offset == end, f"{path}: {array.get('Name')} does not follow the array before it"
        size = struct.unpack_from(order + "Q", raw, offset)[0]
        values = struct.unpack_from(f"{order}{size // struct.calcsize(CODES[array.get('type')])}{CODES[array.get('type')]}",
                                    raw, offset + 8)
        width = int(array.get("NumberOfComponents"))
        arrays[array.get("Name")] = [values[n:n + width] for n in range(0, len(values), width)]
        end = offset + 8 + size
    assert raw[end:] == b"\n</AppendedData>\n</VTKFile>\n", f"{path}: wrong end"
    return tree, arrays


def check(what, found, expected):
    """Bit by bit: -0.0 is not 0.0."""
    assert len(found) == len(expected), f"{what}: {len(found)} rows, not {len(expected)}"
    for n, (a, b) in enumerate(zip(found, expected)):
        assert repr(tuple(a)) == repr(tuple(b)), f"{what}: row {n} is {a}, not {b}"


def check_counts(tree, points):
    piece = tree.find("PolyData/Piece")
    assert piece.get("NumberOfPoints") == piece.get("NumberOfVerts") == str(points)
    assert all(piece.get(f"NumberOf{kind}") == "0" for kind in ("Lines", "Strips", "Polys"))
    for where, names in (("Points", {"Points"}), ("Verts", {"connectivity", "offsets"})):
        assert {array.get("Name") for array in piece.find(where)} == names


def check_bodies(path, step, wide):
    tree, arrays = read_vtp(path)
    check_counts(tree, BODIES)
    places = [(n / 3 + step, -float(n) / 7, 0.1) for n in range(BODIES)]
    speeds = [(0.1 * n, 0.0, -1 / 3) for n in range(BODIES)]
    expected = {"Points": places, "velocity": speeds, "radius": [(0.1 + n / 1e4,) for n in range(BODIES)],
                "mass": [(1.0 + n if n else INFINITY,) for n in range(BODIES)]}
    for name, rows in expected.items():
        check(f"{path}: {name}", arrays[name], [[narrow(value, wide) for value in row] for row in rows])
    check(f"{path}: id", arrays["id"], [(10 + 3 * n,) for n in range(BODIES)])
    check(f"{path}: connectivity", arrays["connectivity"], [(n,) for n in range(BODIES)])
    check(f"{path}: offsets", arrays["offsets"], [(n + 1,) for n in range(BODIES)])
    check(f"{path}: TimeValue", arrays["TimeValue"], [(0.25 * step,)])
    check(f"{path}: Step", arrays["Step"], [(step,)])
    assert ("Box" in arrays) == ("Corner" in arrays) == (step == 0)
    if step == 0:
        check(f"{path}: Box", arrays["Box"], [(9.0, 0.0, 0.0), (1.0, 8.0, 0.0), (0.0, 1 / 3, 7.0)])
        check(f"{path}: Corner", arrays["Corner"], [(-0.0, -0.5, -1.0)])


def impact_rows(count):
    """time, point, normal, impulse"""
    return [(n / 13, (float(n), n / 3, -0.0), (0.6, 0.0, 0.8), n / 9) for n in range(count)]


def check_impacts(path, count):
    tree, arrays = read_vtp(path)
    check_counts(tree, count)
    rows = impact_rows(count)
    check(f"{path}: time", arrays["time"], [(row[0],) for row in rows])
    check(f"{path}: Points", arrays["Points"], [row[1] for row in rows])
    check(f"{path}: normal", arrays["normal"], [row[2] for row in rows])
    check(f"{path}: impulse", arrays["impulse"], [(row[3],) for row in rows])


def read_npy(path, fields):
    """The rows of a NumPy file of records, each number by itself."""
    content = path.read_bytes()
    assert content[:8] == b"\x93NUMPY\x01\x00"
    begin = 10 + struct.unpack_from("<H", content, 8)[0]
    assert begin % 64 == 0
    head = ast.literal_eval(content[10:begin].decode())
    assert head["descr"] == fields and head["fortran_order"] is False, head
    code = "<" + "".join({"<u8": "Q", "<i8": "q", "<f8": "d", "<f4": "f"}[field[1]] * (field[2][0] if field[2:] else 1)
                         for field in fields)
    assert head["shape"] == ((len(content) - begin) // struct.calcsize(code),), head
    return list(struct.iter_unpack(code, content[begin:]))


def check_events(path):
    rows = read_npy(path, [("step", "<u8"), ("t", "<f8"), ("i", "<i8"), ("k", "<i8"), ("point", "<f8", (3,)),
                           ("normal", "<f8", (3,)), ("impulse", "<f8")])
    expected = [(0, t, n, -1 - n if n % 3 == 2 else n + 1, *point, *normal, impulse)
                for n, (t, point, normal, impulse) in enumerate(impact_rows(IMPACTS))]
    check(path, rows, expected)


def check_state(path):
    rows = read_npy(path, [("id", "<u8")] + [(name, "<f4") for name in ("x", "y", "z", "vx", "vy", "vz")])
    check(path, rows, [(10 + 3 * n, *(narrow(value, False) for value in (n / 3 + 1, -float(n) / 7, 0.1, 0.1 * n, 0.0, -1 / 3)))
                       for n in range(BODIES)])


def check_frames(path):
    """Extended XYZ: as many lines as announced, and the columns as the comment says."""
    lines = path.read_text().splitlines()
    assert len(lines) == 2 * (BODIES + 2)
    for step in range(2):
        frame = lines[step * (BODIES + 2):(step + 1) * (BODIES + 2)]
        values = {key: quoted or plain for key, quoted, plain in re.findall(r'(\w+)=(?:"([^"]*)"|(\S+))', frame[1])}
        assert frame[0] == str(BODIES) and float(values["Time"]) == 0.25 * step and values["step"] == str(step)
        assert values["Properties"] == "id:I:1:pos:R:3:velo:R:3:radius:R:1:mass:R:1"
        assert ("Lattice" in values) == (step == 0)
        for n, line in enumerate(frame[2:]):
            found = [float(word) for word in line.split()]
            expected = [10.0 + 3 * n, n / 3 + step, -float(n) / 7, 0.1, 0.1 * n, 0.0, -1 / 3, 0.1 + n / 1e4, 1.0 + n if n else INFINITY]
            assert [narrow(value, step == 0) for value in found] == [narrow(value, step == 0) for value in expected], line


def main():
    with tempfile.TemporaryDirectory(prefix="carom-run-") as name:
        folder = pathlib.Path(name) / "run"
        subprocess.run([sys.argv[1], str(folder)], check=True)
        check_bodies(folder / "frame_000000.vtp", 0, True)
        check_bodies(folder / "frame_000001.vtp", 1, False)
        check_impacts(folder / "impacts_000000.vtp", 0)
        check_impacts(folder / "impacts_000001.vtp", IMPACTS)
        check_events(folder / "events.npy")
        check_state(folder / "state.npy")
        check_frames(folder / "frames.xyz")
        for stem in ("frame", "impacts"):
            tree = xml.etree.ElementTree.parse(folder / f"{'frames' if stem == 'frame' else stem}.pvd")
            listed = [(float(item.get("timestep")), item.get("file")) for item in tree.iter("DataSet")]
            assert listed == [(0.0, f"{stem}_000000.vtp"), (0.25, f"{stem}_000001.vtp")], listed
        expected = {f"{stem}_00000{n}.vtp" for stem in ("frame", "impacts") for n in (0, 1)}
        expected |= {"frames.xyz", "frames.pvd", "impacts.pvd", "events.npy", "state.npy"}
        assert {path.name for path in folder.iterdir()} == expected
    print("every number of a run came back")


if __name__ == "__main__":
    main()
