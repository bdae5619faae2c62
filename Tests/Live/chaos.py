"""Clients that drop, stall, half-close, reconnect and resume, while a server that is killed makes events.

    chaos.py HEARTH CLIENTS EVENTS KILLS

Starts the program HEARTH on data of its own. Every client has to end with every event that is in the table, in order;
what comes twice has to be marked. Three quarters of the clients speak graphql-transport-ws by the package `websockets`,
the others read server-sent events. Prints "ok", or fails with what was not as it should be.
"""

import asyncio
import json
import random
import signal
import sys
import tempfile
from contextlib import suppress

import aiohttp
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from hearth import Server
from positions import Positions

HEARTH = sys.argv[1]
CLIENTS, EVENTS, KILLS = map(int, sys.argv[2:])
WRITERS = 8
SUBSCRIPTION = "subscription { familyChanged { __typename ... on ItemChanged { item { name } } } }"
ADD = "mutation ($name: String!) { addItem(input: {name: $name}) { item { id } userErrors { code } } }"
LOST = (OSError, WebSocketException, aiohttp.ClientError, asyncio.TimeoutError)


def positions(server):
    with server.database() as database:
        return [row[0] for row in database.execute("SELECT position FROM family_event ORDER BY position")]


class Client:
    def __init__(self, number, server, token, cipher):
        self.random = random.Random(number)
        self.speaks_sse = number % 4 == 0
        self.server, self.token = server, token
        self.cipher = cipher
        self.position = "0"
        self.seen = []
        self.drops = self.marked = 0

    def take(self, payload):
        assert "errors" not in payload, payload
        extensions = payload["extensions"]
        position = self.cipher.number(extensions["position"])
        if extensions.get("replayed"):
            self.marked += 1
            return
        assert not self.seen or position > self.seen[-1], (position, self.seen[-1], self.speaks_sse)
        self.seen.append(position)
        self.position = extensions["position"]

    async def live(self, has_all):
        # `asyncio.wait_for` can swallow a cancellation (Python 3.11), as when a writer fails.
        while not has_all(self) and not asyncio.current_task().cancelling():
            # How long it stays this time; nearly always not to the end.
            stay = self.random.choice([1, 30, 300, EVENTS])
            with suppress(*LOST):
                await (self.read_events if self.speaks_sse else self.read_socket)(stay, has_all)
            self.drops += 1
            # It is away for a while, during which it misses events.
            await asyncio.sleep(self.random.random() / 10)

    async def read_socket(self, stay, has_all):
        url = f"ws://{self.server.host}/graphql"
        options = {"subprotocols": ["graphql-transport-ws"], "close_timeout": 1, "compression": None}
        socket = await connect(url, **options)
        try:
            init = {"type": "connection_init", "payload": {"Authorization": f"Bearer {self.token}"}}
            await socket.send(json.dumps(init))
            payload = {"query": SUBSCRIPTION, "extensions": {"position": self.position}}
            await socket.send(json.dumps({"id": "1", "type": "subscribe", "payload": payload}))
            for _ in range(stay):
                if has_all(self):
                    return
                message = json.loads(await asyncio.wait_for(socket.recv(), 1))
                if message["type"] == "next":
                    self.take(message["payload"])
                else:
                    assert message["type"] == "connection_ack", message
            await self.misbehave(socket)
        finally:
            socket.transport.abort()

    async def misbehave(self, socket):
        match self.random.randrange(4):
            case 0:  # It stalls: nothing is read meanwhile.
                await asyncio.sleep(self.random.random() * 2)
            case 1:  # It closes its sending side, and continues reading for a while.
                socket.transport.write_eof()
                for _ in range(10):
                    message = json.loads(await asyncio.wait_for(socket.recv(), 1))
                    if message["type"] == "next":
                        self.take(message["payload"])
            case 2:
                await socket.close()

    async def read_events(self, stay, has_all):
        headers = {
            "Authorization": f"Bearer {self.token}",
            "Accept": "text/event-stream",
            "Last-Event-ID": self.position,
        }
        url = f"http://{self.server.host}/graphql"
        timeout = aiohttp.ClientTimeout(total=None, sock_read=1)
        async with aiohttp.ClientSession(timeout=timeout) as session:
            async with session.post(url, json={"query": SUBSCRIPTION}, headers=headers) as response:
                left = stay
                async for line in response.content:
                    if line.startswith(b"data: "):
                        self.take(json.loads(line[6:]))
                        left -= 1
                    if left == 0 or has_all(self):
                        break
                if self.random.randrange(2):  # It stalls: nothing is read meanwhile.
                    await asyncio.sleep(self.random.random() * 2)
                # Without them the server has closed it.
                if response.connection and response.connection.transport:
                    response.connection.transport.abort()


async def ask(server, document, variables, token=None):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with aiohttp.ClientSession() as session:
        url = f"http://{server.host}/graphql"
        async with session.post(url, json={"query": document, "variables": variables}, headers=headers) as response:
            return await response.json()


async def write(server, token, names, answered):
    for name in names:
        while True:
            with suppress(*LOST):
                answer = await ask(server, ADD, {"name": name}, token)
                assert answer["data"]["addItem"]["item"], answer
                answered.append(name)
                break
            # The server is down: as a client does, it waits before it tries again.
            await asyncio.sleep(0.05)


async def kill(server, answered):
    for number in range(KILLS):
        while len(answered) < EVENTS * (number + 1) // (KILLS + 1):
            await asyncio.sleep(0.01)
        server.end(signal.SIGKILL)
        await asyncio.to_thread(server.start)


async def main():
    with tempfile.TemporaryDirectory() as directory:
        server = Server(HEARTH, directory)
        server.start()
        try:
            token = await asyncio.to_thread(server.register, "Ada Lovelace")
            answered, last = [], None

            def has_all(client):
                return last is not None and bool(client.seen) and client.seen[-1] == last

            with server.database() as database:
                cipher = Positions(database)
            clients = [Client(number, server, token, cipher) for number in range(CLIENTS)]
            async with asyncio.TaskGroup() as group:
                for client in clients:
                    group.create_task(client.live(has_all))
                async with asyncio.TaskGroup() as work:
                    work.create_task(kill(server, answered))
                    for writer in range(WRITERS):
                        names = [f"Item {number}" for number in range(writer, EVENTS, WRITERS)]
                        work.create_task(write(server, token, names, answered))
                expected = positions(server)
                last = expected[-1]
            assert len(expected) >= EVENTS
            for number, client in enumerate(clients):
                assert client.seen == expected, (number, len(client.seen), len(expected))
            drops = sum(client.drops for client in clients)
            assert drops > CLIENTS, drops
            print(f"{len(expected)} events, {CLIENTS} clients, {drops} drops, {KILLS} kills", file=sys.stderr)
        finally:
            server.end()
    print("ok")


asyncio.run(main())
