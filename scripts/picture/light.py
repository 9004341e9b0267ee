# SPDX-License-Identifier: MIT
"""Light: a warm lamp that casts shadows, soft light from above and below, and fog."""

import numpy

from canvas import Canvas, blur, splat

# Directions are (right, down, forward) of the camera. Towards the lamp:
LAMP = numpy.array([-0.50, -0.66, -0.56], numpy.float32)
LAMP /= numpy.linalg.norm(LAMP)
LAMP_COLOUR = numpy.array([1.0, 0.94, 0.85], numpy.float32) * 1.50
SKY = numpy.array([0.34, 0.41, 0.54], numpy.float32)
GROUND = numpy.array([0.14, 0.115, 0.13], numpy.float32)
# Pixels of the shadow map each way, and places that are tried around each pixel, which softens edges: on two circles,
# as wide as this share of a typical body.
SHADOW_SIZE = 2048
TAPS = [(share * numpy.cos(turn), share * numpy.sin(turn)) for share, first in ((0.5, 0.4), (1.0, 0.0))
        for turn in first + numpy.arange(5) * 0.4 * numpy.pi]
SOFTNESS = 0.22
# Share of the farthest body's colour that the background takes.
FOG = 0.72


def fog_at(camera, depth):
    share = numpy.clip((depth - camera.near) / max(camera.far - camera.near, 1e-30), 0, 1.2)
    return FOG * share ** 1.2


class Shadows:
    """What the lamp sees, from far away."""

    def __init__(self, seen, radius):
        """seen: centres as (right, down, forward) of the camera."""
        across = numpy.cross(LAMP, [0.0, 1.0, 0.0])
        across /= numpy.linalg.norm(across)
        self.axes = numpy.array([across, numpy.cross(LAMP, across), -LAMP]).astype(numpy.float32)
        at = seen @ self.axes.T
        # Bodies that are far from the others would leave few pixels for them: their shadows are left out.
        low, high = numpy.percentile(at[:, :2], (0.5, 99.5), axis=0)
        margin = 2 * radius.max()
        self.corner = (low - margin).astype(numpy.float32)
        self.scale = numpy.float32(max((high - low).max() + 2 * margin, 1e-30) / SHADOW_SIZE)
        self.canvas = Canvas(SHADOW_SIZE, SHADOW_SIZE)
        place = (at[:, :2] - self.corner) / self.scale
        splat(self.canvas, place[:, 0], place[:, 1], at[:, 2], numpy.maximum(radius / self.scale, 1.0),
              numpy.full(len(radius), self.scale, numpy.float32))
        typical = numpy.median(radius)
        self.spread = max(1.0, SOFTNESS * float(typical / self.scale))
        self.bias = numpy.float32((1.5 + self.spread) * self.scale + 0.04 * typical)

    def lit(self, seen):
        """The share of the lamp that points on spheres see, 0 to 1."""
        at = seen @ self.axes.T
        place = (at[:, :2] - self.corner) / self.scale
        share = numpy.zeros(len(at), numpy.float32)
        for right, down in TAPS:
            column = numpy.clip(place[:, 0] + self.spread * right, 0, SHADOW_SIZE - 1).astype(numpy.int64)
            row = numpy.clip(place[:, 1] + self.spread * down, 0, SHADOW_SIZE - 1).astype(numpy.int64)
            share += at[:, 2] - self.bias < self.canvas.depth[row * SHADOW_SIZE + column]
        return share / len(TAPS)


def occlusion(depth, far, thickness, height):
    """How much of the soft light a pixel misses: those that lie behind what is around them.

    Source: depth darkening, Luft, Colditz and Deussen (2006), at three sizes."""
    flat = numpy.where(numpy.isfinite(depth), depth, far).astype(numpy.float32)
    missing = numpy.zeros_like(flat)
    for share, weight in ((0.004, 0.55), (0.014, 0.50), (0.045, 0.40)):
        half = max(1, int(share * height))
        behind = numpy.clip((flat - blur(flat, half)) / thickness, 0, 3)
        missing += weight * behind / (0.6 + behind)
    return numpy.clip(missing, 0, 0.9)


def light(normal, colour, lit, missing):
    """What matt, slightly glossy balls of these colours look like: from their normals, the share of the lamp that they
    see and of the soft light that they miss."""
    # Wrapped a little, as from a wide lamp.
    lamp = numpy.clip((normal @ LAMP + 0.12) / 1.12, 0, None) ** 1.25 * (0.06 + 0.94 * lit)
    up = (0.5 - 0.5 * normal[:, 1])[:, None]
    soft = (GROUND + (SKY - GROUND) * up) * (1 - missing[:, None])
    half_way = LAMP + numpy.array([0, 0, -1], numpy.float32)
    half_way /= numpy.linalg.norm(half_way)
    gloss = 0.16 * numpy.clip(normal @ half_way, 0, None) ** 60 * lit
    rim = 0.22 * (1 + numpy.minimum(normal[:, 2], 0)) ** 4 * (1 - missing)
    lamp *= 1 - 0.45 * missing
    return (colour * (soft + lamp[:, None] * LAMP_COLOUR) + gloss[:, None] * LAMP_COLOUR + rim[:, None] * SKY)
