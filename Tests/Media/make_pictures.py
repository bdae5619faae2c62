"""Writes pictures with a position in their EXIF, as Pillow and libheif make them: one of each format, into a folder."""

import sys

import pillow_heif
from PIL import Image

pillow_heif.register_heif_opener()
folder = sys.argv[1]
picture = Image.effect_mandelbrot((320, 200), (-2, -1.25, 1, 1.25), 60).convert("RGB")
exif = Image.Exif()
exif[0x010F] = "Hearth camera"
position = exif.get_ifd(0x8825)
position[1], position[2] = "N", (51.0, 28.0, 40.44)
position[3], position[4] = "W", (0.0, 0.0, 5.31)
for name in ["jpeg", "png", "webp", "heic"]:
    options = {} if name in ("png", "heic") else {"quality": 90}
    picture.save(f"{folder}/{name}", format="heif" if name == "heic" else name, exif=exif.tobytes(), **options)
