# SPDX-License-Identifier: MIT
"""Colours of bodies in linear light, by a scale that holds for the whole run."""

import numpy

# Maps whose lightness rises evenly: sRGB at equal steps. The first is after inferno, without its blacks; the second
# after viridis.
WARM = ["#3d3f8c", "#574394", "#7a4694", "#9f4c89", "#c25a76", "#dc7160", "#ee9352", "#f6bd62", "#fbeab0"]
COOL = ["#45348c", "#3d5a96", "#2f7a97", "#25988f", "#39b57b", "#79cf57", "#c8e047", "#fdf08a"]
FIXED = "#8a8f99"
KINDS = ("speed", "radius", "id", "mass")


def linear(colours):
    """Linear light of #rrggbb."""
    srgb = numpy.array([[int(text[at:at + 2], 16) / 255 for at in (1, 3, 5)] for text in colours])
    return numpy.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)


def look_up(stops, share):
    """Colours of shares 0 to 1; between stops in sRGB, which keeps the lightness even."""
    table = linear(stops) ** (1 / 2.2)
    at = numpy.clip(share, 0, 1) * (len(table) - 1)
    return numpy.stack([numpy.interp(at, numpy.arange(len(table)), table[:, c]) for c in range(3)], axis=1) ** 2.2


def by_number(number):
    """Neighbouring numbers get hues far apart, all about equally light."""
    hue = 2 * numpy.pi * (number * 0.61803398875 % 1)
    light = 0.50 + 0.12 * (number * 0.7548776662 % 1)
    return numpy.clip(numpy.stack([light + 0.27 * numpy.cos(hue - shift) for shift in (0.2, 2.3, 4.4)], axis=1), 0, 1) ** 2.2


def quantity(frame, kind):
    if kind == "speed":
        return numpy.linalg.norm(frame.velocity, axis=1)
    return {"radius": frame.radius, "mass": frame.mass}[kind].astype(float)


class Palette:
    """Colours of the bodies of any frame of a run. Its scale comes from some frames."""

    def __init__(self, kind, frames):
        self.kind = kind
        self.low = self.high = 0.0
        if kind == "id":
            return
        values = numpy.concatenate([quantity(frame, kind) for frame in frames])
        values = values[numpy.isfinite(values)]
        self.logarithmic = kind != "speed" and len(values) and values.min() > 0 and values.max() > 20 * values.min()
        if len(values):
            values = numpy.log(values) if self.logarithmic else values
            self.low = 0.0 if kind == "speed" else values.min()
            self.high = values.max() if self.logarithmic else numpy.percentile(values, 99)

    def colours(self, frame):
        if self.kind == "id":
            return by_number(frame.id.astype(float))
        values = quantity(frame, self.kind)
        fixed = ~numpy.isfinite(frame.mass)
        usable = numpy.where(numpy.isfinite(values), values, 0.0)
        if self.logarithmic:
            usable = numpy.log(numpy.maximum(usable, 1e-300))
        share = (usable - self.low) / (self.high - self.low) if self.high > self.low else numpy.full(len(values), 0.45)
        colour = look_up(WARM if self.kind == "speed" else COOL, share)
        colour[fixed] = linear([FIXED])
        return colour
