"""Decodes pictures and prints for each: name, size, camera, and whether it contains a position."""

import sys

import pillow_heif
from PIL import Image

pillow_heif.register_heif_opener()
for path in sys.argv[1:]:
    with Image.open(path) as picture:
        picture.load()
        exif = picture.getexif()
        position = exif.get_ifd(0x8825)
        told = "a position" if position else "no position"
        print(path.split("/")[-1], "%dx%d" % picture.size, exif.get(0x010F), told)
