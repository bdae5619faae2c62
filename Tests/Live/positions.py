"""Positions of the feed as the server sends them: Speck64/128 in Crockford's base 32, as `IdentifierCipher` has it."""

import struct

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
MASK = 0xFFFFFFFF


def right(word, by):
    return (word >> by | word << (32 - by)) & MASK


def left(word, by):
    return right(word, 32 - by)


class Positions:
    """The cipher of a server's data: `secret` is the value of its setting `id-key`."""

    def __init__(self, secret):
        key, *rest = struct.unpack("<4I", secret)
        self.round_keys = [key]
        for number in range(26):
            new = ((key + right(rest[0], 8)) & MASK) ^ number
            key = left(key, 3) ^ new
            self.round_keys.append(key)
            rest = rest[1:] + [new]

    def number(self, text):
        block = 0
        for character in text:
            block = block << 5 | ALPHABET.index(character)
        x, y = block >> 32, block & MASK
        for key in reversed(self.round_keys):
            y = right(y ^ x, 3)
            x = left(((x ^ key) - y) & MASK, 8)
        number = x << 32 | y
        assert number & 63 == 0, text
        return number >> 6
