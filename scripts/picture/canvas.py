# SPDX-License-Identifier: MIT
"""A depth buffer that spheres are drawn into, and blurring."""

import numpy

# Pixels that are tried at once, which bounds the memory.
BATCH = 1 << 21
# Spheres of more pixels than this, in radii, are drawn one by one.
LARGE = 96.0


class Canvas:
    """What pixels of the large picture show: the depth of the nearest sphere and which it is, -1 for none."""

    def __init__(self, width, height):
        self.width, self.height = width, height
        self.depth = numpy.full(width * height, numpy.inf, numpy.float32)
        self.body = numpy.full(width * height, -1, numpy.int32)

    def nearest(self, place, depth, body):
        """Puts bodies where they are nearer than what is there. A place may come many times."""
        while len(place):
            nearer = depth < self.depth[place]
            place, depth, body = place[nearer], depth[nearer], body[nearer]
            self.depth[place] = depth
            self.body[place] = body


def size_classes(radius):
    """Bodies in groups of about the same size, each with half the width of the square that holds its largest."""
    half = numpy.ceil(radius).astype(numpy.int64) + 1
    limit = 2
    while len(half) and limit < half.max() * 1.3 + 2:
        low, limit = limit, max(limit + 1, int(limit * 1.25))
        members = numpy.flatnonzero((half >= low) & (half < limit))
        if len(members):
            yield members, int(half[members].max())


def disc(half):
    """Offsets of pixels that a circle in a square of this half width may touch."""
    y, x = numpy.mgrid[-half:half + 1, -half:half + 1]
    inside = x * x + y * y <= (half + 1) ** 2
    return x[inside].astype(numpy.float32), y[inside].astype(numpy.float32)


def batches(members, pixels):
    """Members in parts that try no more than BATCH pixels at once."""
    step = max(1, BATCH // pixels)
    for begin in range(0, len(members), step):
        yield members[begin:begin + step]


def splat(canvas, x, y, depth, radius, scale):
    """Draws spheres: centres and radii in pixels, depth and `scale`, a pixel's size, in units of length."""
    large = numpy.flatnonzero(radius > LARGE)
    for n in large[numpy.argsort(depth[large])]:
        splat_large(canvas, n, x[n], y[n], depth[n], radius[n], scale[n])
    small = numpy.flatnonzero(radius <= LARGE)
    for members, half in size_classes(radius[small]):
        dx, dy = disc(half)
        members = small[members]
        members = members[numpy.argsort(-depth[members])]
        for some in batches(members, len(dx)):
            splat_batch(canvas, some, dx, dy, x, y, depth, radius, scale)


def splat_large(canvas, n, x, y, depth, radius, scale):
    """In the rectangle of the canvas that the sphere reaches, if it is not behind all that is there."""
    left, right = (int(numpy.clip(x + side, 0, canvas.width)) for side in (-radius, radius + 1))
    top, bottom = (int(numpy.clip(y + side, 0, canvas.height)) for side in (-radius, radius + 1))
    there = canvas.depth.reshape(canvas.height, canvas.width)[top:bottom, left:right]
    if not there.size or there.max() <= depth - radius * scale:
        return
    ox = numpy.arange(left, right, dtype=numpy.float32) + numpy.float32(0.5) - x
    oy = numpy.arange(top, bottom, dtype=numpy.float32) + numpy.float32(0.5) - y
    height = radius * radius - oy[:, None] ** 2 - ox * ox
    surface = numpy.where(height > 0, depth - numpy.sqrt(numpy.maximum(height, 0)) * scale, numpy.inf)
    nearer = surface < there
    there[nearer] = surface[nearer]
    canvas.body.reshape(canvas.height, canvas.width)[top:bottom, left:right][nearer] = n


def splat_batch(canvas, some, dx, dy, x, y, depth, radius, scale):
    left, top = numpy.floor(x[some]), numpy.floor(y[some])
    ox = (left + 0.5 - x[some])[:, None] + dx
    oy = (top + 0.5 - y[some])[:, None] + dy
    height = (radius[some] ** 2)[:, None] - ox * ox - oy * oy
    column = left[:, None] + dx
    row = top[:, None] + dy
    seen = (height > 0) & (column >= 0) & (column < canvas.width) & (row >= 0) & (row < canvas.height)
    which, _ = numpy.nonzero(seen)
    body = some[which]
    place = row[seen].astype(numpy.int64) * canvas.width + column[seen].astype(numpy.int64)
    canvas.nearest(place, depth[body] - numpy.sqrt(height[seen]) * scale[body], body.astype(numpy.int32))


def box_blur(picture, half):
    """The mean over squares of 2 half + 1 pixels; the border goes on."""
    for axis in (0, 1):
        width = 2 * half + 1
        edges = [(0, 0)] * picture.ndim
        edges[axis] = (half + 1, half)
        total = numpy.cumsum(numpy.pad(picture, edges, mode="edge"), axis=axis, dtype=numpy.float64)
        ends = numpy.take(total, range(width, total.shape[axis]), axis=axis)
        picture = ((ends - numpy.take(total, range(total.shape[axis] - width), axis=axis)) / width).astype(numpy.float32)
    return picture


def blur(picture, half):
    return box_blur(box_blur(picture, half), half)
