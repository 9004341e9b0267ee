#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pictures of scripts/render: spheres are where a camera would see them, in the right colours, the nearer before the
farther; both kinds of folder give the same picture; a film has all frames. Skipped where Python has no NumPy or Pillow.

usage: test_render.py PATH_OF_WRITE_RUN_FILES"""

import math
import pathlib
import subprocess
import sys
import tempfile

try:
    from PIL import Image, ImageChops, ImageStat
    import numpy  # noqa: F401
except ImportError:
    print("Python has no NumPy or Pillow")
    sys.exit(77)

MAIN = pathlib.Path(__file__).resolve().parents[2] / "scripts/picture/main.py"
WIDTH, HEIGHT = 480, 270
# Two large balls, slow on the left and fast on the right, a small one above the middle, and a fast one inside the slow.
BALLS = """4
Properties=id:I:1:pos:R:3:velo:R:3:radius:R:1:mass:R:1 Time=0 step=0
0 -2 0 0 0.01 0 0 1 1
1 2 0 0 9 0 0 1 1
2 0 0 0.8 9 0 0 0.2 1
3 -2 0.6 0 9 0 0 0.3 1
"""


def render(folder, *options, code=0):
    done = subprocess.run([sys.executable, str(MAIN), str(folder), "--size", f"{WIDTH}x{HEIGHT}", "--jobs", "1", *options],
                          capture_output=True, text=True)
    assert (done.returncode == 0) == (code == 0), done.stderr
    return done.stderr


def picture(folder, n=0):
    return Image.open(folder / f"picture_{n:06d}.png").convert("RGB")


def place(x, z):
    """Where a point (x, 0, z) must be. From -y the box around the balls (-3 to 3, -1 to 1, -1 to 1) fills 93 % of the
    width at its near side, and half the height spans 14 degrees."""
    focal = HEIGHT / 2 / math.tan(math.radians(14))
    distance = 1 + 3 * focal / (0.93 * WIDTH / 2)
    return round(WIDTH / 2 + x * focal / distance), round(HEIGHT / 2 - z * focal / distance)


def check_balls(folder):
    (folder / "frames.xyz").write_text(BALLS)
    render(folder, "--view", "0,0", "--no-film")
    image = picture(folder)
    assert image.size == (WIDTH, HEIGHT)
    dark = max(image.getpixel(place(0, 0)))
    assert dark < 60, f"the background is not dark: {dark}"
    for x, z, name in ((-2, 0, "slow"), (2, 0, "fast"), (0, 0.8, "small")):
        red, _, blue = image.getpixel(place(x, z))
        assert max(red, blue) > 2 * dark, f"no {name} ball at {place(x, z)}"
        assert (red > blue) == (name != "slow"), f"the {name} ball has the wrong colour: {image.getpixel(place(x, z))}"
    for x, z in ((-2, 0.97), (-2, -0.97), (1.03, 0), (2.97, 0)):
        assert max(image.getpixel(place(x, z))) > dark, f"nothing near the edge at {place(x, z)}"
    for x, z in ((0, -0.8), (-0.9, 0), (0.9, 0), (-2, 1.1), (0.4, 0.8)):
        assert max(image.getpixel(place(x, z))) <= dark + 12, f"something at {place(x, z)}"


def check_view(folder):
    """From above, with the camera turned by half: what was left is right."""
    render(folder, "--view", "180,90", "--no-film", "--colour", "radius")
    image = picture(folder)
    left, right = image.getpixel((WIDTH // 4, HEIGHT // 2)), image.getpixel((3 * WIDTH // 4, HEIGHT // 2))
    assert left == right or max(abs(a - b) for a, b in zip(left, right)) < 25, "balls of one radius differ"


def check_run(folder, program):
    subprocess.run([program, str(folder)], check=True)
    render(folder, "--gif", "--fps", "10")
    with Image.open(folder / "run.gif") as film:
        assert film.n_frames == 2 and film.size == (WIDTH, HEIGHT)
    first, second = picture(folder), picture(folder, 1)
    assert max(ImageStat.Stat(first).stddev) > 10, "an empty picture"
    (folder / "frames.pvd").unlink()
    render(folder, "--no-film")
    assert ImageChops.difference(first, picture(folder)).getbbox() is None, ".vtp and .xyz give different pictures"
    glow = ImageStat.Stat(second).sum[0] - ImageStat.Stat(picture(folder, 1)).sum[0]
    assert glow > 0, "impacts do not shine"
    (folder / "picture_000000.png").unlink()
    render(folder, "--no-film", "--from", "1", "--to", "1")
    assert not (folder / "picture_000000.png").exists()


def check_giant(folder):
    """Of many bodies those far from the others may be cut off, but never the largest one. Small balls lie on the ground
    and one flies high; the large one hangs halfway, and must be seen from top to bottom."""
    balls = [(0.3 * x, 0.3 * y, 0, 0.1) for x in range(25) for y in range(25)] + [(3.6, 3.6, 9, 2), (3.6, 3.6, 60, 0.1)]
    lines = [f"{n} {x} {y} {z} 0 0 0 {r} 1\n" for n, (x, y, z, r) in enumerate(balls)]
    (folder / "frames.xyz").write_text(f"{len(balls)}\n{BALLS.splitlines()[1]}\n" + "".join(lines))
    render(folder, "--view", "0,0", "--no-film", "--colour", "radius")
    column = [max(picture(folder).getpixel((WIDTH // 2, y))) for y in range(HEIGHT)]
    seen = [y for y in range(HEIGHT) if column[y] > 60]
    assert 0 < seen[0] < 0.1 * HEIGHT, f"the large ball begins at {seen[0]}"


def check_interrupted(folder):
    """The last frame is not whole: those before it are drawn."""
    (folder / "frames.xyz").write_text(BALLS + BALLS[:-20])
    render(folder, "--no-film")
    assert not (folder / "picture_000001.png").exists()


def main():
    with tempfile.TemporaryDirectory(prefix="carom-render-") as name:
        folder = pathlib.Path(name)
        assert "neither frames.pvd nor frames.xyz" in render(folder, code=1)
        check_balls(folder)
        check_view(folder)
        check_giant(folder)
        check_interrupted(folder)
        check_run(folder / "run", sys.argv[1])
    print("the pictures show what they must")


if __name__ == "__main__":
    main()
