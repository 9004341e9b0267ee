# SPDX-License-Identifier: MIT
"""Makes pictures of a run: PNG frames, and an MP4 or a GIF, from the folder that `carom run --out DIR` wrote.

DIR has frames.pvd with .vtp files, or frames.xyz. Bodies are shaded spheres, impacts bursts that fade. The pictures are
DIR/picture_000000.png and so on, the film is DIR/run.mp4 or DIR/run.gif."""

import argparse
import multiprocessing
import os
import pathlib
import re
import sys

KINDS = ("speed", "radius", "id", "mass")
# Frames for which a burst is seen.
BURST_FRAMES = 3
# Bodies far from all others do not shrink the picture: on each side it may cut off those that make up this share of
# what all of them cover.
STRAYS = 0.005


def pair_of(text, kind, separators):
    parts = re.split(separators, text)
    if len(parts) != 2:
        raise argparse.ArgumentTypeError(f"'{text}' is not two numbers")
    try:
        return kind(parts[0]), kind(parts[1])
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"'{text}' is not two numbers") from error


def size_of(text):
    width, height = pair_of(text, int, "[x,]")
    if not (16 <= width <= 8192 and 16 <= height <= 8192):
        raise argparse.ArgumentTypeError(f"'{text}': a picture is 16 to 8192 pixels wide and high")
    return width, height


def parse_arguments():
    parser = argparse.ArgumentParser(prog="scripts/render", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="DIR", type=pathlib.Path)
    parser.add_argument("--size", type=size_of, default=(1280, 720), metavar="WxH", help="in pixels; 1280x720")
    parser.add_argument("--view", type=lambda text: pair_of(text, float, ","), default=(30.0, 22.0), metavar="AZIMUTH,ELEVATION",
                        help="where the camera stands, in degrees; 0,0 looks along y, z is up; 30,22")
    parser.add_argument("--fps", type=float, default=25.0, help="frames a second of the film; 25")
    film = parser.add_mutually_exclusive_group()
    film.add_argument("--mp4", action="store_const", const="mp4", dest="film", help="an MP4; installs ffmpeg")
    film.add_argument("--gif", action="store_const", const="gif", dest="film", help="a GIF")
    film.add_argument("--no-film", action="store_const", const="", dest="film", help="PNG frames alone")
    parser.add_argument("--colour", choices=KINDS, default="speed", help="what the colour of a body shows; speed")
    parser.add_argument("--from", type=int, default=0, dest="first", metavar="FRAME", help="first frame; 0")
    parser.add_argument("--to", type=int, default=None, dest="last", metavar="FRAME", help="last frame; that of the run")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="frames that are drawn at once; cores")
    parser.epilog = "Without --mp4, --gif or --no-film: an MP4 if ffmpeg is there, else a GIF, if there are several frames."
    return parser.parse_args()


def quantile(values, weights, share):
    """The value before which lies this share of the weight."""
    import numpy

    order = numpy.argsort(values)
    before = numpy.cumsum(weights[order])
    return values[order[numpy.searchsorted(before, share * before[-1])]]


def bounds(frames):
    """Points that a picture must show: the corners of the box, or of one around nearly all bodies."""
    import numpy

    from camera import corners_of

    lows, highs = [], []
    for frame in frames:
        if frame.box is not None:
            box = corners_of(frame.corner, frame.box)
            lows.append(box.min(axis=0))
            highs.append(box.max(axis=0))
            if frame is frames[0]:
                fixed = box
        elif len(frame.position):
            # Few bodies are all shown.
            stray = STRAYS if len(frame.position) > 500 else 0.0
            reach, area = frame.radius, frame.radius ** 2
            lows.append([quantile(x - reach, area, stray) for x in frame.position.T])
            highs.append([-quantile(-x - reach, area, stray) for x in frame.position.T])
    if not lows:
        return numpy.array([[-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]])
    if frames[0].box is not None:
        return fixed
    low, high = numpy.min(lows, axis=0), numpy.max(highs, axis=0)
    return corners_of(low, numpy.diag(high - low))


class Job:
    """What every frame is drawn with."""

    def __init__(self, options, run, first, last):
        import numpy

        from camera import Camera
        from colours import Palette

        self.run, self.folder = run, options.folder
        some = [run.read(n) for n in sorted({first, (first + last) // 2, last})]
        self.camera = Camera(bounds(some), *options.view, *options.size)
        self.palette = Palette(options.colour, some)
        impulses = numpy.concatenate([frame.impulse for frame in some])
        impulses = impulses[impulses > 0]
        self.impulse = float(numpy.percentile(impulses, 90)) if len(impulses) else 1.0
        radii = numpy.concatenate([frame.radius for frame in some])
        self.burst = 1.5 * float(numpy.median(radii)) if len(radii) else 1.0

    def bursts(self, n, frame):
        """Points, strengths and sizes of the impacts of this frame and of those just before it."""
        import numpy

        from draw import burst_strengths

        points, strengths, sizes = [], [], []
        for back in range(min(BURST_FRAMES, n + 1)):
            one = frame if back == 0 else self.run.read(n - back)
            begin = self.run.read(max(n - BURST_FRAMES, 0)).time
            age = numpy.clip((frame.time - one.impact_time) / max(frame.time - begin, 1e-300), 0, 1)
            points.append(one.impact_point)
            strengths.append(burst_strengths(one.impulse, age, self.impulse))
            sizes.append(self.burst * (0.8 + 1.2 * age))
        return numpy.concatenate(points), numpy.concatenate(strengths), numpy.concatenate(sizes)

    def draw(self, n):
        from PIL import Image

        from draw import draw

        frame = self.run.read(n)
        picture = draw(self.camera, frame, self.palette.colours(frame), self.bursts(n, frame))
        path = self.folder / f"picture_{n:06d}.png"
        Image.fromarray(picture, "RGB").save(path, optimize=True)
        return path


def make_film(options, pictures):
    import film

    kind = options.film
    if kind is None:
        kind = "" if len(pictures) < 2 else "mp4" if film.has_ffmpeg() else "gif"
    if kind:
        path = options.folder / f"run.{kind}"
        (film.write_mp4 if kind == "mp4" else film.write_gif)(pictures, path, options.fps)
        print(path)


def main():
    options = parse_arguments()
    from files import open_run

    try:
        run = open_run(options.folder)
    except (OSError, ValueError) as error:
        sys.exit(f"scripts/render: {error}")
    last = len(run) - 1 if options.last is None else min(options.last, len(run) - 1)
    if not 0 <= options.first <= last:
        sys.exit(f"scripts/render: {options.folder} has frames 0 to {len(run) - 1}")
    job = Job(options, run, options.first, last)
    numbers = range(options.first, last + 1)
    if options.jobs > 1 and len(numbers) > 1:
        with multiprocessing.Pool(min(options.jobs, len(numbers))) as pool:
            pictures = pool.map(job.draw, numbers, chunksize=1)
    else:
        pictures = [job.draw(n) for n in numbers]
    print(f"{len(pictures)} pictures from {pictures[0]}")
    make_film(options, pictures)


if __name__ == "__main__":
    main()
