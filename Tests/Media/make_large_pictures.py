"""Writes pictures into a folder: large ones as cameras make them, and others that are made to harm decoders."""

import struct
import sys
import zlib

import pillow_heif
from PIL import Image, ImageCms

pillow_heif.register_heif_opener()
folder = sys.argv[1]


def save(picture, name, format, **options):
    picture.save(f"{folder}/{name}", format=format, **options)


# A camera's: left red, right blue.
camera = Image.new("RGB", (1200, 800), (200, 30, 30))
camera.paste((30, 30, 200), (600, 0, 1200, 800))
save(camera, "jpeg", "jpeg", quality=90)
save(camera, "heic", "heif")
save(camera, "webp", "webp", quality=90)
# Red above blue when it is turned as its orientation says.
turned = Image.Exif()
turned[0x0112] = 6
save(camera, "turned", "jpeg", quality=90, exif=turned.tobytes())
transparent = camera.convert("RGBA")
transparent.putalpha(Image.linear_gradient("L").resize((1200, 800)))
save(transparent, "png", "png")
save(camera.resize((60, 40)), "little", "heif")
# With the profile of the coloured picture that it was, as some programs make it.
colours = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
save(camera.convert("L"), "gray", "jpeg", quality=90, icc_profile=colours)
# One that no compression makes small, larger than a pipe.
save(Image.effect_noise((2000, 2000), 90).convert("RGB"), "noise", "jpeg", quality=90)

# The number of pixels that is accepted, as lines that a decoder has to keep completely.
save(Image.new("RGB", (10000, 5000), (9, 9, 9)), "progressive", "jpeg", quality=60, progressive=True, subsampling=0)


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(name, width, height, depth, colours, data, interlaced=0):
    head = struct.pack(">IIBBBBB", width, height, depth, colours, 0, 0, interlaced)
    content = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
    open(f"{folder}/{name}", "wb").write(content)


# 50 million pixels with 8 bytes each, which interlacing makes a decoder keep: 400 MB from 400 KB.
size = 10000 * 5000 * 8 + 20000
packer = zlib.compressobj(9)
data = b"".join(packer.compress(b"\0" * 1_000_000) for _ in range(size // 1_000_000 + 1)) + packer.flush()
png("bomb", 10000, 5000, 16, 6, data, interlaced=1)
png("empty", 7000, 7000, 8, 2, zlib.compress(b""))
png("garbage", 1000, 1000, 8, 2, b"no data of zlib")
