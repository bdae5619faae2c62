"""Reads the QR code of an SVG on standard input, drawn as a path of bars, with ZXing, and prints its content."""
import re, sys
import zxingcpp

drawing = sys.stdin.read()
size = int(re.search(r'viewBox="0 0 (\d+) \1"', drawing)[1])
bars = re.search(r'<path d="([^"]*)"/>', drawing)[1]
scale = 4
width = size * scale
pixels = bytearray(b'\xff' * width * width)
for column, row, length in re.findall(r'M(\d+) (\d+)h(\d+)v1h-\3z', bars):
    for line in range(int(row) * scale, (int(row) + 1) * scale):
        start = line * width + int(column) * scale
        pixels[start:start + int(length) * scale] = bytes(int(length) * scale)
for barcode in zxingcpp.read_barcodes(memoryview(pixels).cast('B', (width, width))):
    print(barcode.text)
