# SPDX-License-Identifier: MIT
"""Draws a frame: spheres as impostors in a depth buffer, lit once a pixel, then fog, the edges of the box and impacts."""

import numpy

from camera import corners_of
from canvas import Canvas, batches, blur, disc, size_classes, splat
from light import Shadows, fog_at, light, occlusion

# Pixels of the large picture to one of the final picture, each way.
SUPERSAMPLING = 2
# Spheres smaller than this are drawn with it, in pixels of the large picture.
LEAST_RADIUS = 0.8

BACKGROUND_TOP = numpy.array([0.0130, 0.0160, 0.0240], numpy.float32)
BACKGROUND_BOTTOM = numpy.array([0.0300, 0.0370, 0.0540], numpy.float32)
EDGE_COLOUR = numpy.array([0.26, 0.36, 0.52], numpy.float32)
HALO_COLOUR = numpy.array([1.0, 0.42, 0.10], numpy.float32)
CORE_COLOUR = numpy.array([1.0, 0.86, 0.62], numpy.float32)
# Bursts in a picture, the strongest ones.
BURSTS_MAX = 1500


def background(width, height):
    """A glow from below; the corners are darker."""
    down = numpy.linspace(0, 1, height, dtype=numpy.float32)[:, None, None]
    across = numpy.linspace(-1, 1, width, dtype=numpy.float32)[None, :, None]
    shade = BACKGROUND_TOP + (BACKGROUND_BOTTOM - BACKGROUND_TOP) * down ** 1.5
    return shade * (1 - 0.45 * (across ** 2 + (2 * down - 1) ** 2) / 2)


def enlarged(picture):
    return numpy.repeat(numpy.repeat(picture, SUPERSAMPLING, 0), SUPERSAMPLING, 1)


def smaller(picture):
    """Means of squares of pixels."""
    s = SUPERSAMPLING
    height, width = picture.shape[0] // s, picture.shape[1] // s
    return picture.reshape(height, s, width, s, -1).mean(axis=(1, 3))


class Spheres:
    """The bodies before the camera, in pixels of the large picture."""

    def __init__(self, camera, frame, colour):
        _, _, depth = camera.project(frame.position)
        ahead = depth > 0.02 * camera.distance
        x, y, depth = camera.project(frame.position[ahead])
        s = SUPERSAMPLING
        self.x, self.y, self.depth = (values.astype(numpy.float32) for values in (x * s, y * s, depth))
        self.size = frame.radius[ahead].astype(numpy.float32)
        self.scale = self.depth / numpy.float32(camera.focal * s)
        self.radius = numpy.maximum(self.size / self.scale, numpy.float32(LEAST_RADIUS))
        self.colour = colour[ahead].astype(numpy.float32)
        self.seen = camera.seen(frame.position[ahead]).astype(numpy.float32)


def normals(canvas, spheres, place, body):
    nx = (place % canvas.width + 0.5 - spheres.x[body]) / spheres.radius[body]
    ny = (place // canvas.width + 0.5 - spheres.y[body]) / spheres.radius[body]
    nz = -numpy.sqrt(numpy.clip(1 - nx * nx - ny * ny, 0, 1))
    return numpy.stack([nx, ny, nz], axis=1).astype(numpy.float32)


def occlusion_of(camera, canvas, spheres):
    """For each pixel of the large picture."""
    s = SUPERSAMPLING
    shown = canvas.depth.reshape(canvas.height, canvas.width)[::s, ::s]
    thickness = max(6.0 * float(numpy.median(spheres.size)), 0.03 * (camera.far - camera.near))
    return enlarged(occlusion(shown, camera.far, thickness, camera.height)).reshape(-1)


def draw_spheres(camera, spheres, picture):
    """Draws into the picture, in linear light. Returns the canvas, which has the depths."""
    canvas = Canvas(picture.shape[1], picture.shape[0])
    if not len(spheres.x):
        return canvas
    splat(canvas, spheres.x, spheres.y, spheres.depth, spheres.radius, spheres.scale)
    place = numpy.flatnonzero(canvas.body >= 0)
    body = canvas.body[place]
    normal = normals(canvas, spheres, place, body)
    lit = Shadows(spheres.seen, spheres.size).lit(spheres.seen[body] + normal * spheres.size[body][:, None])
    missing = occlusion_of(camera, canvas, spheres)[place]
    fog = fog_at(camera, canvas.depth[place])[:, None]
    flat = picture.reshape(-1, 3)
    flat[place] = light(normal, spheres.colour[body], lit, missing) * (1 - fog) + flat[place] * fog
    return canvas


def edge_points(camera, frame):
    """Points along the twelve edges of the box, closer together than pixels."""
    corner = corners_of(frame.corner, frame.box)
    steps = 3 * SUPERSAMPLING * max(camera.width, camera.height)
    along = numpy.linspace(0, 1, steps)[:, None]
    return numpy.concatenate([corner[a] + along * (corner[b] - corner[a]) for a in range(8) for b in range(a + 1, 8)
                              if bin(a ^ b).count("1") == 1])


def draw_edges(camera, frame, picture, canvas):
    """Lines of about a pixel of the final picture, where no sphere hides them."""
    x, y, depth = camera.project(edge_points(camera, frame))
    strength = numpy.zeros(canvas.width * canvas.height, numpy.float32)
    value = numpy.clip(1 - 1.1 * fog_at(camera, depth), 0.1, 1).astype(numpy.float32)
    for dx, dy, share in ((0, 0, 1.0), (1, 0, 0.5), (0, 1, 0.5), (-1, 0, 0.5), (0, -1, 0.5)):
        column = numpy.floor(x * SUPERSAMPLING).astype(numpy.int64) + dx
        row = numpy.floor(y * SUPERSAMPLING).astype(numpy.int64) + dy
        inside = (column >= 0) & (column < canvas.width) & (row >= 0) & (row < canvas.height)
        place = row[inside] * canvas.width + column[inside]
        seen = depth[inside] < canvas.depth[place]
        numpy.maximum.at(strength, place[seen], share * value[inside][seen])
    picture += strength.reshape(canvas.height, canvas.width, 1) * EDGE_COLOUR


def burst_strengths(impulse, age, typical):
    """Bright where the impulse is large and the impact young; age is 0 to 1."""
    return (1 - age) ** 2 * numpy.clip(impulse / typical, 0.0, 2.5)


def draw_bursts(camera, points, strength, size, picture, canvas):
    """Adds a glow at each impact, if no sphere hides it. size in units of length."""
    strongest = numpy.argsort(-strength)[:BURSTS_MAX]
    strongest = strongest[camera.project(points[strongest])[2] > 0.02 * camera.distance]
    points, strength, size = points[strongest], strength[strongest], size[strongest]
    x, y, depth = camera.project(points)
    x, y = x * SUPERSAMPLING, y * SUPERSAMPLING
    # Never less than a few pixels, or small bodies would have none.
    radius = numpy.clip(size / depth * camera.focal * SUPERSAMPLING, 3.0 * SUPERSAMPLING, 0.06 * canvas.height)
    strength = strength * (1 - fog_at(camera, depth))
    glow = numpy.zeros((2, canvas.width * canvas.height))
    for members, half in size_classes(radius):
        dx, dy = disc(half)
        for some in batches(members, len(dx)):
            column, row = numpy.floor(x[some])[:, None] + dx, numpy.floor(y[some])[:, None] + dy
            away = ((column + 0.5 - x[some, None]) ** 2 + (row + 0.5 - y[some, None]) ** 2) / radius[some, None] ** 2
            inside = (away < 1) & (column >= 0) & (column < canvas.width) & (row >= 0) & (row < canvas.height)
            place = (row[inside] * canvas.width + column[inside]).astype(numpy.int64)
            body = some[numpy.nonzero(inside)[0]]
            # Impacts happen where spheres touch: what lies just before them must not hide them.
            value = strength[body] * (depth[body] - 0.8 * size[body] < canvas.depth[place])
            glow[0] += numpy.bincount(place, value * numpy.exp(-4 * away[inside]) * (1 - away[inside]), len(glow[0]))
            glow[1] += numpy.bincount(place, value * numpy.exp(-30 * away[inside]), len(glow[1]))
    halo, core = (part.reshape(canvas.height, canvas.width, 1).astype(numpy.float32) for part in glow)
    picture += 0.50 * halo * HALO_COLOUR + 1.8 * core * CORE_COLOUR


def with_bloom(picture):
    """What is brighter than the rest shines a little beyond its edge."""
    bright = numpy.clip(picture - 1.0, 0, 3)
    half = max(1, picture.shape[0] // 100)
    return picture + 0.30 * blur(bright, half) + 0.20 * blur(bright, 4 * half)


def developed(picture):
    """8-bit sRGB of linear light: highlights roll off, then gamma."""
    picture = numpy.clip(picture, 0, None)
    # Source: Narkowicz's fit of the ACES film curve (2016).
    picture = numpy.clip(picture * (2.51 * picture + 0.03) / (picture * (2.43 * picture + 0.59) + 0.14), 0, 1)
    bright = 1.055 * numpy.maximum(picture, 1e-9) ** (1 / 2.4) - 0.055
    return (numpy.where(picture <= 0.0031308, 12.92 * picture, bright) * 255 + 0.5).astype(numpy.uint8)


def draw(camera, frame, colour, bursts=None):
    """A picture of a frame as an array of height x width x 3 bytes. bursts: points, strengths and sizes, or None."""
    picture = enlarged(background(camera.width, camera.height))
    canvas = draw_spheres(camera, Spheres(camera, frame, colour), picture)
    if frame.box is not None:
        draw_edges(camera, frame, picture, canvas)
    if bursts is not None and len(bursts[0]):
        draw_bursts(camera, *bursts, picture, canvas)
    return developed(with_bloom(smaller(picture)))
