"""Talks to a WebSocket server that echoes, with the client of the package `websockets`.

    echo_client.py PORT

Prints "ok", or fails with what was not as it should be.
"""

import asyncio
import random
import sys

import websockets
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

SEED = random.Random(7)


async def messages(url):
    async with connect(url, max_size=None) as socket:
        # None of the extensions that it offers is taken.
        assert "Sec-WebSocket-Extensions" not in socket.response.headers
        for size in [0, 1, 124, 125, 126, 127, 65535, 65536, 1_000_000]:
            text = "é" * (size // 2)
            await socket.send(text)
            assert await socket.recv() == text
            data = SEED.randbytes(size)
            await socket.send(data)
            assert await socket.recv() == data


async def many(url):
    async with connect(url) as socket:
        for number in range(1000):
            await socket.send(str(number))
        for number in range(1000):
            assert await socket.recv() == str(number)


async def fragments(url):
    async with connect(url) as socket:
        await socket.send(["one ", "", "tw", "o"])
        assert await socket.recv() == "one two"
        await socket.send([b"\x00", b"\xff"])
        assert await socket.recv() == b"\x00\xff"


async def pings(url):
    async with connect(url) as socket:
        await (await socket.ping(b"are you there?"))
        await (await socket.ping())


async def closes(url):
    for code in [1000, 1001, 3000, 4999]:
        socket = await connect(url)
        await socket.close(code, "as agreed")
        assert socket.close_code == code, socket.close_code


async def refusals(url):
    socket = await connect(url)
    # A frame that no client may send: a reserved opcode.
    socket.transport.write(b"\x83\x80\x00\x00\x00\x00")
    try:
        await socket.recv()
    except ConnectionClosed as closed:
        assert closed.rcvd.code == 1002, closed.rcvd
    else:
        raise AssertionError("the server took a reserved opcode")


async def main():
    url = f"ws://127.0.0.1:{sys.argv[1]}/"
    for scene in [messages, many, fragments, pings, closes, refusals]:
        await asyncio.wait_for(scene(url), 30)
    print("ok")


asyncio.run(main())
