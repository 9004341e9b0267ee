# SPDX-License-Identifier: MIT
"""Where the picture is taken from: a perspective camera that looks at the middle of a run and sees all of it."""

import numpy

# Half the angle that the picture's height spans, and how much of the picture the run may fill.
HALF_ANGLE = numpy.radians(14.0)
FILLED = 0.93


def corners_of(corner, edges):
    steps = numpy.array([[n & 1, n >> 1 & 1, n >> 2 & 1] for n in range(8)], float)
    return numpy.asarray(corner) + steps @ numpy.asarray(edges)


class Camera:
    """Projects points: right and down in pixels, depth in units of length along the line of sight.

    azimuth and elevation are degrees, seen from the middle of `points`; z is up."""

    def __init__(self, points, azimuth, elevation, width, height):
        a, e = numpy.radians((azimuth, elevation))
        back = numpy.array([numpy.cos(e) * numpy.sin(a), -numpy.cos(e) * numpy.cos(a), numpy.sin(e)])
        right = numpy.array([numpy.cos(a), numpy.sin(a), 0.0])
        self.axes = numpy.array([right, numpy.cross(right, back), -back])  # right, down, forward
        self.middle = (points.min(axis=0) + points.max(axis=0)) / 2
        self.width, self.height = width, height
        self.focal = height / 2 / numpy.tan(HALF_ANGLE)
        # What is near looks larger: the middle of the picture is not that of the run.
        for _ in range(4):
            self.step_back(points)
            x, y, _ = self.project(points)
            off = numpy.array([(x.min() + x.max() - width) / 2, (y.min() + y.max() - height) / 2, 0.0])
            self.middle = self.middle + off * self.distance / self.focal @ self.axes
        self.step_back(points)
        seen = self.seen(points)
        self.near = self.distance + seen[:, 2].min()
        self.far = self.distance + seen[:, 2].max()

    def step_back(self, points):
        """To the nearest distance from which every point is within the picture; never among the points."""
        seen = self.seen(points)
        half = FILLED / 2 * numpy.array([self.width, self.height])
        self.distance = max(numpy.max(numpy.abs(seen[:, :2]) * self.focal / half - seen[:, 2:]),
                            1.05 * numpy.max(-seen[:, 2]), 1e-9)

    def seen(self, points):
        """Right, down and forward from the middle, in units of length."""
        return (numpy.asarray(points, float) - self.middle) @ self.axes.T

    def project(self, points):
        seen = self.seen(points)
        depth = seen[:, 2] + self.distance
        scale = self.focal / numpy.maximum(depth, 1e-6 * self.distance)
        return seen[:, 0] * scale + self.width / 2, seen[:, 1] * scale + self.height / 2, depth
