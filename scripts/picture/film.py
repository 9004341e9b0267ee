# SPDX-License-Identifier: MIT
"""Puts pictures together: an MP4 by ffmpeg, or a GIF with one palette for all of its frames."""

import shutil
import subprocess

from PIL import Image

# Pictures that the palette of a GIF is made from.
SAMPLES = 6


def has_ffmpeg():
    return shutil.which("ffmpeg") is not None


def write_mp4(pictures, path, fps):
    """H.264 as every player takes it: even sizes, 4:2:0."""
    pattern = pictures[0].parent / "picture_%06d.png"
    first = int(pictures[0].stem.rsplit("_", 1)[1])
    command = ["ffmpeg", "-y", "-loglevel", "error", "-framerate", str(fps), "-start_number", str(first), "-i", str(pattern),
               "-frames:v", str(len(pictures)), "-vf", "crop=trunc(iw/2)*2:trunc(ih/2)*2", "-c:v", "libx264", "-crf", "17",
               "-preset", "slow", "-pix_fmt", "yuv420p", "-movflags", "+faststart", str(path)]
    subprocess.run(command, check=True)


def palette_of(pictures):
    """256 colours of some pictures, side by side."""
    step = max(1, len(pictures) // SAMPLES)
    samples = [Image.open(path).convert("RGB") for path in pictures[::step]]
    width, height = samples[0].size
    sheet = Image.new("RGB", (width, height * len(samples)))
    for n, sample in enumerate(samples):
        sheet.paste(sample, (0, n * height))
    return sheet.quantize(256, method=Image.Quantize.MEDIANCUT)


def write_gif(pictures, path, fps):
    palette = palette_of(pictures)
    frames = [Image.open(picture).convert("RGB").quantize(palette=palette, dither=Image.Dither.FLOYDSTEINBERG)
              for picture in pictures]
    # GIF counts in hundredths of a second, and players slow down below two.
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=max(20, round(100 / fps) * 10), loop=0)
