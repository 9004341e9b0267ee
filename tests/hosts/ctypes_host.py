#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The Carom authors
"""A Python host without any package: ctypes_host.py LIBRARY LAYOUT [N]

Loads the library while the program runs, and finds the pairs of the lattice in lattice.c. LAYOUT is the program made
of layout.c: the structs below must be those of the headers."""
import array
import ctypes
import json
import subprocess
import sys
from ctypes import (CFUNCTYPE, POINTER, Structure, byref, c_bool, c_char, c_char_p, c_double, c_float, c_int, c_int32,
                    c_size_t, c_uint8, c_uint32, c_uint64, c_void_p)

import ctypes_step

PHASES, REASON, MESSAGE, RESERVED = 16, 192, 256, 8
FLOATS, INDICES = POINTER(c_float), POINTER(c_uint32)


class Bodies(Structure):
    _fields_ = [("size", c_size_t), ("count", c_uint64), ("prev", FLOATS * 3), ("curr", FLOATS * 3), ("radius", FLOATS),
                ("prev_stride", c_uint64), ("curr_stride", c_uint64), ("radius_stride", c_uint64),
                ("common_radius", c_float), ("reserved", c_uint32), ("shapes", c_void_p), ("shape", INDICES),
                ("prev_turn", FLOATS * 4), ("curr_turn", FLOATS * 4), ("spin", FLOATS * 3)]
    _fields_ += [(name, c_uint64) for name in ("shape_stride", "prev_turn_stride", "curr_turn_stride", "spin_stride")]


class Error(Structure):
    _fields_ = [("status", c_int32), ("body", c_uint64), ("field", c_char_p), ("message", c_char * MESSAGE)]


class Summary(Structure):
    _fields_ = [(name, c_uint64) for name in ("box_pairs", "touching_pairs", "groups", "largest_group", "touching_hash",
                                              "result_hash", "required_pairs", "required_bytes")]
    _fields_ += [("seconds", c_double), ("phase_seconds", c_double * PHASES), ("phase_bytes", c_double * PHASES),
                 ("method", c_char_p), ("reason", c_char * REASON), ("reserved", c_uint64 * RESERVED)]


class Groups(Structure):
    _fields_ = [("count", c_uint64), ("label", INDICES), ("offset", POINTER(c_uint64)), ("member", INDICES)]


class Contacts(Structure):
    _fields_ = [("i", INDICES), ("k", INDICES), ("t_ca", FLOATS), ("distance", FLOATS), ("t_toi", FLOATS),
                ("normal", FLOATS * 3), ("point", FLOATS * 3), ("shift", POINTER(c_int32) * 3)]


class Config(Structure):
    _fields_ = [("size", c_size_t), ("until", c_int32), ("method", c_int32), ("flags", c_bool * 5), ("periodic", c_void_p),
                ("filter", c_void_p), ("neighbours", c_int32), ("reserved", c_uint32), ("cancel", POINTER(c_uint32)),
                ("progress", c_void_p), ("progress_user", c_void_p), ("approaching", c_bool),
                ("list_order", c_bool), ("reserved_bytes", c_uint8 * 6), ("margin", c_double),
                ("tolerance", c_double)]


class Progress(Structure):
    _fields_ = [("size", c_size_t), ("phase", c_int32), ("fraction", c_double)]


ProgressFunction = CFUNCTYPE(c_int, c_void_p, POINTER(Progress))
UNTIL_GROUPS, CANCELLED = 3, 10


class Detection(Structure):
    _fields_ = [("size", c_size_t), ("summary", Summary), ("lo", FLOATS * 3), ("hi", FLOATS * 3),
                ("pair_count", c_uint64), ("contacts", Contacts), ("groups", Groups), ("neighbours", c_void_p * 3),
                ("order", INDICES), ("child_i", INDICES), ("child_k", INDICES)]


class QueryConfig(Structure):
    _fields_ = [("size", c_size_t), ("until", c_int32), ("approaching", c_bool), ("reserved", c_uint8 * 3),
                ("filter", c_void_p), ("probe_filter", c_void_p), ("cancel", POINTER(c_uint32))]


class Answer(Structure):
    _fields_ = [("size", c_size_t), ("box_pairs", c_uint64), ("pair_count", c_uint64), ("offset", POINTER(c_uint64)),
                ("contacts", Contacts), ("required_bytes", c_uint64), ("seconds", c_double)]


class ListConfig(Structure):
    _fields_ = [("size", c_size_t), ("neighbours", c_int32), ("count_only", c_bool), ("pairs", c_bool),
                ("reserved", c_uint8 * 2), ("cutoff", c_double), ("filter", c_void_p), ("periodic", c_void_p), ("cancel", POINTER(c_uint32))]


class Lists(Structure):
    _fields_ = [("size", c_size_t), ("count", c_uint64), ("offset", POINTER(c_uint64)), ("body", INDICES),
                ("shift", POINTER(c_int32) * 3), ("by_cells", c_bool), ("required_bytes", c_uint64),
                ("seconds", c_double), ("i", INDICES), ("k", INDICES), ("reason", c_char * REASON)]


def own_layout(names):
    layout = {"list_config": ctypes.sizeof(ListConfig), "list_config.cutoff": ListConfig.cutoff.offset,
              "lists": ctypes.sizeof(Lists), "lists.required_bytes": Lists.required_bytes.offset,
              "query_config": ctypes.sizeof(QueryConfig), "answer": ctypes.sizeof(Answer),
              "answer.contacts": Answer.contacts.offset, "bodies": ctypes.sizeof(Bodies), "error": ctypes.sizeof(Error), "detection": ctypes.sizeof(Detection)}
    for name in ("touching_pairs", "groups"):
        layout["summary." + name] = Detection.summary.offset + getattr(Summary, name).offset
    layout["pair_count"] = Detection.pair_count.offset
    for name in ("i", "k"):
        layout["contacts." + name] = Detection.contacts.offset + getattr(Contacts, name).offset
    layout.update(config=ctypes.sizeof(Config), progress=ctypes.sizeof(Progress))
    for name in ("until", "flags", "cancel", "progress", "approaching", "margin"):
        layout["config." + name] = getattr(Config, name).offset
    layout["progress.fraction"] = Progress.fraction.offset
    layout["groups.label"] = Detection.groups.offset + Groups.label.offset
    layout["handle"] = ctypes.sizeof(c_uint64)
    layout.update(ctypes_step.own_layout(names))
    return layout


def floats(values):
    """An array and where it is; the array has to live as long as the address is in use."""
    kept = array.array("f", values)
    return kept, ctypes.cast((c_float * len(kept)).from_buffer(kept), FLOATS)


def lattice(n):
    columns = [floats(b // n**a % n for b in range(n**3)) for a in range(3)]
    columns.append(floats([0.5] * n**3))
    places = [address for _, address in columns]
    at_rest = (FLOATS * 3)(*places[:3])
    return columns, Bodies(ctypes.sizeof(Bodies), n**3, at_rest, at_rest, places[3])


def neighbours_on(n, i, k):
    """Whether bodies i and k are one apart on one axis."""
    return sum(abs(i // n**a % n - k // n**a % n) for a in range(3)) == 1


def check_control(carom, context, bodies):
    """A call that reports, one that its function cancels, and one whose flag was raised before."""
    heard, flag, found, error = [], c_uint32(), Detection(), Error()

    def detect(function):
        heard.clear()
        config = Config(size=ctypes.sizeof(Config), until=UNTIL_GROUPS, cancel=ctypes.pointer(flag),
                        progress=ctypes.cast(function, c_void_p))
        return carom.carom_detect_f32(context, byref(bodies), byref(config), None, byref(found), byref(error))

    def hear(user, progress):
        heard.append(progress.contents.fraction)
        return 0

    listens = ProgressFunction(hear)
    assert detect(listens) == 0 and len(heard) > 5 and heard == sorted(heard), "progress falls"
    assert detect(ProgressFunction(lambda user, progress: 1)) == CANCELLED, "not cancelled by its function"
    carom.carom_cancel_raise(byref(flag))
    assert detect(listens) == CANCELLED and not heard, "not cancelled by its flag"
    carom.carom_cancel_clear(byref(flag))
    assert detect(listens) == 0, "cancelled by a flag that was cleared"


def check_query(carom, context):
    """One body in the middle of the lattice touches the eight around it, from the corners of their cube."""
    kept, place = floats([1.5])
    places = (FLOATS * 3)(place, place, place)
    probe = Bodies(size=ctypes.sizeof(Bodies), count=1, prev=places, common_radius=0.4)
    config, answer, error = QueryConfig(size=ctypes.sizeof(QueryConfig), until=2), Answer(), Error()
    assert carom.carom_query_f32(context, byref(probe), byref(config), byref(answer), byref(error)) == 0, error.message
    assert answer.pair_count == 8 and answer.offset[1] == 8, answer.pair_count
    assert list(answer.contacts.k[:8]) == [0] * 8
    del kept


def check_lists(carom, context, n, bodies):
    """Every body of the lattice has its neighbours on it, in order."""
    config = ListConfig(size=ctypes.sizeof(ListConfig), neighbours=2)
    lists, error = Lists(), Error()
    assert carom.carom_lists_f32(context, byref(bodies), byref(config), byref(lists), byref(error)) == 0, error.message
    rows = [lists.body[lists.offset[b]:lists.offset[b + 1]] for b in range(0, n**3, 97)]
    assert all(row == sorted(row) and all(neighbours_on(n, 97 * b, k) for k in row) for b, row in enumerate(rows))
    assert lists.count == lists.offset[n**3] > 0


def main():
    n = int(sys.argv[3]) if len(sys.argv) > 3 else 48
    layout = json.loads(subprocess.run([sys.argv[2]], check=True, capture_output=True, text=True).stdout)
    own = own_layout(layout)
    assert layout == own, f"the headers have {layout}, this program {own}"
    carom = ctypes.CDLL(sys.argv[1])
    carom.carom_version.restype = c_char_p
    carom.carom_context_destroy.argtypes = [c_void_p]
    context, error, found = c_void_p(), Error(), Detection()
    kept, bodies = lattice(n)
    status = carom.carom_context_create(None, byref(context), byref(error))
    if status == 0:
        status = carom.carom_detect_f32(context, byref(bodies), None, None, byref(found), byref(error))
    assert status == 0, error.message.decode()
    check_control(carom, context, bodies)
    ctypes_step.check(carom, context)
    assert carom.carom_detect_f32(context, byref(bodies), None, None, byref(found), byref(error)) == 0
    rows = {(found.contacts.i[r], found.contacts.k[r]) for r in range(found.pair_count)}
    assert len(rows) == found.pair_count and all(neighbours_on(n, i, k) for i, k in rows), "wrong pairs"
    assert not any(found.groups.label[: n**3]), "the lattice is one group, whose label is body 0"
    check_query(carom, context)
    check_lists(carom, context, n, bodies)
    print(f"carom {carom.carom_version().decode()}: {n**3} bodies, {found.pair_count} pairs, "
          f"{found.summary.groups} groups")
    carom.carom_context_destroy(context)
    del kept


if __name__ == "__main__":
    main()
