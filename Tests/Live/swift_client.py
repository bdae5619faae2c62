"""Runs the Swift client's check of subscriptions over connections that break.

    swift_client.py CLIENT_CHECK PORT

The server is that of GraphQLTransportTests. Between it and the client stands a proxy that cuts an event stream during its
third event. Prints what the check prints: "ok", or what was not as it should be.
"""

import asyncio
import re
import sys

EVENTS = 3


async def forward(reader, writer):
    """To the server: as it comes."""
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()
    writer.write_eof()


async def answer(reader, writer):
    """To the client: until the beginning of an event that is one too many."""
    # All that came: the name of an event may be cut between two reads.
    sent = b""
    while data := await reader.read(65536):
        places = [match.end() for match in re.finditer(b"event: next", sent + data)]
        if len(places) >= EVENTS:
            writer.write(data[: max(0, places[EVENTS - 1] - len(sent))])
            await writer.drain()
            writer.transport.abort()
            return 1
        sent += data
        writer.write(data)
        await writer.drain()
    return 0


async def main():
    cuts = 0
    connections = set()

    async def connected(reader, writer):
        nonlocal cuts
        # asyncio itself holds a weak reference: it could be collected before its end.
        connections.add(asyncio.current_task())
        server_reader, server_writer = await asyncio.open_connection("127.0.0.1", int(sys.argv[2]))
        upwards = asyncio.create_task(forward(reader, server_writer))
        try:
            cut = await answer(server_reader, writer)
            cuts += cut
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
    try:
        output, errors = await asyncio.wait_for(check.communicate(), 60)
    finally:
        if check.returncode is None:
            check.kill()
    print((output + errors).decode(), end="")
    assert cuts >= 5, f"{cuts} connections were cut"
    sys.exit(check.returncode)


asyncio.run(main())
