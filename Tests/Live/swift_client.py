"""Runs the Swift client's check of subscriptions over connections that break.

    swift_client.py CLIENT_CHECK PORT

The server is that of GraphQLTransportTests. Between it and the client stands a proxy that cuts an event stream amid every
third event. Prints what the check prints: "ok", or what was not as it should be.
"""

import asyncio
import sys

EVENTS = 3


async def forward(reader, writer):
    """To the server: as it comes."""
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()
    writer.write_eof()


async def answer(reader, writer):
    """To the client: until half of an event that is one too many."""
    events, tail = 0, b""
    while data := await reader.read(65536):
        events += (tail + data).count(b"event: next") - tail.count(b"event: next")
        tail = data[-10:]
        if events >= EVENTS:
            writer.write(data[: data.rindex(b"event: next") + 20] if b"event: next" in data else b"")
            await writer.drain()
            writer.transport.abort()
            return 1
        writer.write(data)
        await writer.drain()
    return 0


async def main():
    cuts = 0

    async def connected(reader, writer):
        nonlocal cuts
        server_reader, server_writer = await asyncio.open_connection("127.0.0.1", int(sys.argv[2]))
        upwards = asyncio.create_task(forward(reader, server_writer))
        try:
            cuts += await answer(server_reader, writer)
        except ConnectionError:
            pass
        finally:
            upwards.cancel()
            server_writer.transport.abort()
            writer.close()

    proxy = await asyncio.start_server(connected, "127.0.0.1", 0)
    port = proxy.sockets[0].getsockname()[1]
    url = f"http://127.0.0.1:{port}/graphql"
    check = await asyncio.create_subprocess_exec(sys.argv[1], "news", url, "ada", stdout=-1, stderr=-1)
    output, errors = await asyncio.wait_for(check.communicate(), 120)
    print((output + errors).decode(), end="")
    assert cuts >= 5, f"only {cuts} connections were cut"
    sys.exit(check.returncode)


asyncio.run(main())
