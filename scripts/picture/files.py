# SPDX-License-Identifier: MIT
"""Reads the frames of a run: .vtp files that frames.pvd lists, else frames.xyz."""

import pathlib
import re
import xml.etree.ElementTree

import numpy

TYPES = {"Float32": "f4", "Float64": "f8", "UInt64": "u8", "Int64": "i8"}
# Columns of extended XYZ by what they are here.
COLUMNS = {"pos": "position", "velo": "velocity", "radius": "radius", "mass": "mass", "id": "id"}


class Frame:
    """Bodies at one time: arrays position and velocity (N x 3), radius, mass and id (N). box is None or three edges,
    which begin at `corner`. Impacts before it: impact_point (M x 3), impact_time, impulse (M)."""

    def __init__(self, time, arrays, box=None, corner=(0.0, 0.0, 0.0), impacts=None):
        count = len(arrays["position"])
        self.time = time
        self.position = arrays["position"]
        self.velocity = arrays.get("velocity", numpy.zeros((count, 3)))
        self.radius = arrays.get("radius", numpy.zeros(count))
        self.mass = arrays.get("mass", numpy.ones(count))
        self.id = arrays.get("id", numpy.arange(count))
        self.box = box
        self.corner = numpy.asarray(corner, float)
        self.impact_point = impacts["Points"] if impacts else numpy.zeros((0, 3))
        self.impact_time = impacts["time"] if impacts else numpy.zeros(0)
        self.impulse = impacts["impulse"] if impacts else numpy.zeros(0)


def read_vtp(path):
    """All arrays of a .vtp file by their names; vectors are N x 3."""
    content = pathlib.Path(path).read_bytes()
    head, mark, _ = content.partition(b'<AppendedData encoding="raw">')
    if not mark:
        raise ValueError(f"{path}: no raw appended data")
    begin = content.index(b"_", len(head) + len(mark)) + 1
    tree = xml.etree.ElementTree.fromstring(head + b"</VTKFile>")
    order = "<" if tree.get("byte_order") == "LittleEndian" else ">"
    arrays = {}
    for array in tree.iter("DataArray"):
        at = begin + int(array.get("offset"))
        size = int(numpy.frombuffer(content, order + "u8", 1, at)[0])
        kind = numpy.dtype(order + TYPES[array.get("type")])
        values = numpy.frombuffer(content, kind, size // kind.itemsize, at + 8)
        width = int(array.get("NumberOfComponents", "1"))
        arrays[array.get("Name")] = values.reshape(-1, width) if width > 1 else values
    return arrays


class VtkRun:
    """The frames that frames.pvd lists."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        tree = xml.etree.ElementTree.parse(self.folder / "frames.pvd")
        self.names = [item.get("file") for item in tree.iter("DataSet")]
        self.times = [float(item.get("timestep")) for item in tree.iter("DataSet")]

    def __len__(self):
        return len(self.names)

    def read(self, n):
        arrays = read_vtp(self.folder / self.names[n])
        arrays["position"] = arrays.pop("Points")
        impacts = self.folder / self.names[n].replace("frame_", "impacts_")
        corner = arrays["Corner"][0] if "Corner" in arrays else (0.0, 0.0, 0.0)
        return Frame(self.times[n], arrays, arrays.get("Box"), corner, read_vtp(impacts) if impacts.exists() else None)


class XyzRun:
    """The frames of frames.xyz."""

    def __init__(self, folder):
        self.path = pathlib.Path(folder) / "frames.xyz"
        self.starts = []
        with open(self.path, "rb") as file:
            while True:
                start = file.tell()
                line = file.readline()
                if not line.strip():
                    break
                lines = [file.readline() for _ in range(int(line) + 1)]
                if not lines[-1].endswith(b"\n"):
                    break  # an interrupted run
                self.starts.append(start)

    def __len__(self):
        return len(self.starts)

    def read(self, n):
        with open(self.path, "rb") as file:
            file.seek(self.starts[n])
            count = int(file.readline())
            comment = file.readline().decode()
            words = b"".join(file.readline() for _ in range(count)).split()
        keys = {key: quoted or plain for key, quoted, plain in re.findall(r'(\w+)=(?:"([^"]*)"|(\S+))', comment)}
        values = numpy.array(words, float).reshape(count, -1)
        arrays, column = {}, 0
        for name, _, width in re.findall(r"(\w+):(\w):(\d+)", keys["Properties"]):
            part = values[:, column:column + int(width)]
            if name in COLUMNS:
                arrays[COLUMNS[name]] = part if int(width) > 1 else part[:, 0]
            column += int(width)
        numbers = {key: numpy.array(keys[key].split(), float) for key in ("Lattice", "Origin") if key in keys}
        box = numbers["Lattice"].reshape(3, 3) if "Lattice" in numbers else None
        return Frame(float(keys.get("Time", n)), arrays, box, numbers.get("Origin", (0.0, 0.0, 0.0)))


def open_run(folder):
    """A run with len() and read(n). ValueError, OSError: there is none."""
    folder = pathlib.Path(folder)
    if (folder / "frames.pvd").exists():
        return VtkRun(folder)
    if (folder / "frames.xyz").exists():
        return XyzRun(folder)
    raise ValueError(f"{folder}: neither frames.pvd nor frames.xyz is there")
