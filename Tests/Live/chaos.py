"""Clients that drop, stall, half-close, reconnect and resume, while a server that is killed makes events.

    chaos.py HEARTH CLIENTS EVENTS KILLS

Starts the program HEARTH on data of its own. Every client has to end with every event that is in the table, in order;
what comes twice has to be marked. Three quarters of the clients speak graphql-transport-ws by the package `websockets`,
the others read server-sent events. Prints "ok", or fails with what was not as it should be.
"""

import asyncio
import signal
import sys
import tempfile

from chaos_client import Client, Feed, reached, write_items
from hearth import Server
from positions import Positions

HEARTH = sys.argv[1]
CLIENTS, EVENTS, KILLS = map(int, sys.argv[2:])


def positions(server):
    with server.database() as database:
        return [row[0] for row in database.execute("SELECT position FROM family_event ORDER BY position")]


async def kill(server, answered):
    for number in range(KILLS):
        await reached(answered, EVENTS * (number + 1) // (KILLS + 1))
        server.end(signal.SIGKILL)
        await asyncio.to_thread(server.start)


async def main():
    with tempfile.TemporaryDirectory() as directory:
        server = Server(HEARTH, directory)
        server.start()
        try:
            token = await asyncio.to_thread(server.register, "Ada Lovelace")
            answered, feed = [], Feed()
            with server.database() as database:
                [[secret]] = database.execute("SELECT value FROM setting WHERE name = 'id-key'")
            cipher = Positions(secret)
            clients = [Client(number, server, token, cipher, longest=EVENTS) for number in range(CLIENTS)]
            async with asyncio.TaskGroup() as group:
                for client in clients:
                    group.create_task(client.live(feed.is_complete))
                async with asyncio.TaskGroup() as work:
                    work.create_task(kill(server, answered))
                    work.create_task(write_items(EVENTS, server, token, answered))
                feed.positions = positions(server)
            assert len(feed.positions) >= EVENTS
            feed.check(clients)
            drops = sum(client.drops for client in clients)
            assert drops > CLIENTS, drops
            print(f"{len(feed.positions)} events, {CLIENTS} clients, {drops} drops, {KILLS} kills", file=sys.stderr)
        finally:
            server.end()
    print("ok")


asyncio.run(main())
