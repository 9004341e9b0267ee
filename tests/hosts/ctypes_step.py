# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The Carom authors
"""Steps and worlds from Python: the structs of carom/step.h, surface.h and world.h, and a small world that is stepped,
saved and loaded."""
import ctypes
from ctypes import (CFUNCTYPE, POINTER, Structure, byref, c_bool, c_char_p, c_double, c_float, c_int, c_int32, c_size_t,
                    c_uint8, c_uint32, c_uint64, c_void_p)

PHASES, RESERVED = 16, 8
PLANE, MERGE = 0, 2
NO_BODY, NO_SURFACE = 2**64 - 1, 2**32 - 1
HANDLES = POINTER(c_uint64)


class Surface(Structure):
    _fields_ = [("kind", c_int), ("reserved", c_uint32), ("restitution", c_double), ("at", c_double * 3),
                ("axis", c_double * 3 * 3), ("extent", c_double * 3)]


class Event(Structure):
    _fields_ = [("t", c_double), ("i", c_uint64), ("k", c_uint64), ("surface", c_uint32), ("shift", c_int32 * 3),
                ("point", c_double * 3), ("normal", c_double * 3), ("impulse", c_double)]


Sink = CFUNCTYPE(c_bool, c_void_p, POINTER(Event), c_uint64)
PairRestitution = CFUNCTYPE(c_double, c_void_p, c_uint64, c_uint64)


class StepConfig(Structure):
    _fields_ = [("size", c_size_t), ("dt", c_double), ("acceleration", c_double * 3), ("restitution", c_double),
                ("rest_speed", c_double), ("contact_time", c_double), ("budget", c_uint32), ("response", c_int),
                ("surface", POINTER(Surface)), ("surface_count", c_uint64), ("periodic", c_void_p), ("filter", c_void_p),
                ("pair", c_void_p), ("pair_user", c_void_p), ("events", c_bool), ("reserved", c_uint8 * 7),
                ("sink", c_void_p), ("sink_user", c_void_p), ("cancel", POINTER(c_uint32))]


def motion_of(real, *last):
    """The fields of a motion in floats or doubles."""
    reals = POINTER(real)
    strides = [(name + "_stride", c_uint64) for name in ("position", "velocity", "radius", "mass", "restitution")]
    return [("size", c_size_t), ("count", c_uint64), ("position", reals * 3), ("velocity", reals * 3), ("radius", reals),
            ("mass", reals), ("restitution", reals), *strides, ("common_radius", real), *last]


class MotionF32(Structure):
    _fields_ = motion_of(c_float, ("reserved", c_uint32))


class MotionF64(Structure):
    _fields_ = motion_of(c_double)


class StepReport(Structure):
    _fields_ = [("size", c_size_t), ("impacts", c_uint64), ("surface_impacts", c_uint64), ("held", c_uint64),
                ("held_body", POINTER(c_uint32)), ("merged", c_uint64), ("event", POINTER(Event)),
                ("event_count", c_uint64), ("windows", c_uint32), ("rounds", c_uint32), ("largest_group", c_uint64),
                ("seconds", c_double), ("phase_seconds", c_double * PHASES), ("reserved", c_uint64 * RESERVED)]


def world_bodies_of(real):
    reals = POINTER(real)
    return [("size", c_size_t), ("count", c_uint64), ("position", reals * 3), ("velocity", reals * 3), ("radius", reals),
            ("mass", reals), ("restitution", reals), ("category", POINTER(c_uint32)), ("mask", POINTER(c_uint32)),
            ("user", POINTER(c_uint64))]


class WorldBodiesF32(Structure):
    _fields_ = world_bodies_of(c_float)


class WorldBodiesF64(Structure):
    _fields_ = world_bodies_of(c_double)


class WorldContacts(Structure):
    _fields_ = [("size", c_size_t)]
    for _name in ("begun", "persisted", "ended"):
        _fields_ += [(_name, c_uint64), (_name + "_i", HANDLES), (_name + "_k", HANDLES)]


class WorldTotals(Structure):
    _fields_ = [("size", c_size_t), ("bodies", c_uint64), ("fixed", c_uint64), ("mass", c_double), ("energy", c_double),
                ("momentum", c_double * 3), ("centre", c_double * 3), ("hash", c_uint64)]


STRUCTS = {"surface": Surface, "event": Event, "step_config": StepConfig, "motion_f32": MotionF32,
           "motion_f64": MotionF64, "step_report": StepReport, "world_bodies_f32": WorldBodiesF32,
           "world_bodies_f64": WorldBodiesF64, "world_contacts": WorldContacts, "world_totals": WorldTotals}


def own_layout(names):
    """The size or the offset of each of the names that these structs have."""
    layout = {}
    for name in names:
        struct, _, field = name.partition(".")
        if struct in STRUCTS:
            layout[name] = getattr(STRUCTS[struct], field).offset if field else ctypes.sizeof(STRUCTS[struct])
    return layout


def doubles(*values):
    return (c_double * len(values))(*values)


def step_config(floor):
    """What carom_step_config_default returns, with a floor and gravity."""
    return StepConfig(size=ctypes.sizeof(StepConfig), dt=1, acceleration=doubles(0, 0, -1), restitution=1, budget=10000,
                      surface=ctypes.pointer(floor), surface_count=1, events=True)


class World:
    """A world of doubles, whose calls must succeed."""

    def __init__(self, carom, context, make, *arguments):
        self.carom, self.world = carom, c_void_p()
        getattr(carom, f"carom_world_{make}_f64").restype = c_int
        self.expect(getattr(carom, f"carom_world_{make}_f64")(context, *arguments, byref(self.world), None))

    def expect(self, status):
        assert status == 0, self.carom.carom_status_name(status).decode()

    def call(self, name, *arguments):
        self.expect(getattr(self.carom, f"carom_world_{name}_f64")(self.world, *arguments, None))

    def totals(self):
        totals = WorldTotals(size=ctypes.sizeof(WorldTotals))
        self.call("total", byref(totals))
        return totals

    def destroy(self):
        self.carom.carom_world_destroy_f64.argtypes = [c_void_p]
        self.carom.carom_world_destroy_f64(self.world)


def add_two(world):
    """A body that falls to the floor, and one that meets it on its way; returns their handles."""
    columns = [doubles(0, 0), doubles(0, 0), doubles(1, 4)], [doubles(0, 0), doubles(0, 0), doubles(0, -2)]
    bodies = WorldBodiesF64(size=ctypes.sizeof(WorldBodiesF64), count=2, radius=doubles(0.5, 0.5), mass=doubles(1, 3))
    for a in range(3):
        bodies.position[a], bodies.velocity[a] = columns[0][a], columns[1][a]
    handles = (c_uint64 * 2)()
    world.call("add", byref(bodies), handles)
    return list(handles)


def saved(world):
    size = c_uint64()
    world.carom.carom_world_save_f64(world.world, None, c_uint64(), byref(size), None)
    snapshot = (c_uint8 * size.value)()
    world.call("save", snapshot, size, byref(size))
    return snapshot


def check_events(events, handles):
    """The first falls to the floor before the second reaches it."""
    assert [e[0] for e in events] == sorted(e[0] for e in events) and len(events) >= 2, "impacts in no order"
    assert events[0][1:] == (handles[0], NO_BODY, 0, 1.0), "no impact with the floor"
    assert events[1][1:4] == (*handles, NO_SURFACE), "no impact of the two bodies"


def check_step(carom, context):
    """carom_step_f64 on arrays: two bodies of one mass exchange their velocities."""
    place, speed, rest = doubles(0, 2), doubles(1, -1), [doubles(0, 0) for _ in range(4)]
    motion = MotionF64(size=ctypes.sizeof(MotionF64), count=2, common_radius=0.5)
    for a in range(3):
        motion.position[a], motion.velocity[a] = (place, speed) if a == 0 else (rest[a], rest[a + 1])
    report = StepReport(size=ctypes.sizeof(StepReport))
    assert carom.carom_step_f64(context, byref(motion), None, byref(report), None) == 0, "the step failed"
    assert report.impacts == 1 and report.windows >= 1 and list(speed) == [-1, 1] and list(place) == [0, 2], "no impact"


def check(carom, context):
    """Steps bodies in arrays, then a world, and from a snapshot on its twin, which ends in the same state."""
    carom.carom_status_name.restype = carom.carom_step_phase_name.restype = c_char_p
    assert carom.carom_step_phase_name(2) == b"predict"
    check_step(carom, context)
    heard = []

    def hear(user, events, count):
        heard.extend((e.t, e.i, e.k, e.surface, e.normal[2]) for e in events[:count])
        return True

    floor, sink = Surface(kind=PLANE, restitution=1), Sink(hear)
    floor.axis[0][2] = 1
    config = step_config(floor)
    config.sink = ctypes.cast(sink, c_void_p)
    world = World(carom, context, "create", byref(config))
    handles = add_two(world)
    report, contacts = StepReport(), WorldContacts(size=ctypes.sizeof(WorldContacts))
    world.call("step", byref(report), byref(contacts))
    check_events(heard, handles)
    assert report.impacts == report.event_count == len(heard) and report.event[1].i == handles[0], "other events"
    assert contacts.begun == 1 and contacts.begun_k[0] == handles[1] and contacts.ended == 0, "no contact"
    snapshot = saved(world)
    twin = World(carom, context, "load", snapshot, c_uint64(len(snapshot)))
    for each in world, twin:
        each.call("step", byref(report), None)
    assert world.totals().hash == twin.totals().hash and twin.totals().mass == 4, "the twin went another way"
    for each in twin, world:
        each.destroy()
