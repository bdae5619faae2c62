"""Clients that drop, stall, half-close, reconnect and resume, and clients that add items until each is acknowledged; and what
must be stored and received in the end."""

import asyncio
import json
import random
import uuid
from collections import Counter

import aiohttp
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

SUBSCRIPTION = "subscription { familyChanged { __typename ... on ItemChanged { item { name } } } }"
ADD = "mutation ($name: String!) { addItem(input: {name: $name}) { item { id } userErrors { code } } }"
WRITERS = 8
LOST = (OSError, WebSocketException, aiohttp.ClientError, asyncio.TimeoutError)
# Codes of errors after which the same request can be sent again.
PASSING = {"STORAGE_UNAVAILABLE", "OVERLOADED", "IDEMPOTENT_REQUEST_RUNNING"}


def has_passing_errors(response):
    errors = response.get("errors", [])
    return bool(errors) and all(error["extensions"]["code"] in PASSING for error in errors)


class Rejected(ConnectionError):
    """A response with errors after which the same request can be sent again."""

    def __init__(self, errors):
        super().__init__(errors)
        self.codes = sorted({error["extensions"]["code"] for error in errors})


def cause(error):
    """What a client learns of the reason for which a request or a connection ended."""
    match error:
        case Rejected():
            return " ".join(error.codes)
        case ConnectionClosed(rcvd=frame) if frame:
            return f"close {frame.code} {frame.reason.partition(':')[0]}".rstrip()
        case InvalidStatus():
            return f"status {error.response.status_code}"
        case aiohttp.ClientResponseError():
            return f"status {error.status}"
        case asyncio.TimeoutError():
            return "nothing received for a second"
        case _:
            return "connection lost"


class Feed:
    """The events of a family, whose positions are only known when no more are made."""

    def __init__(self):
        self.positions = []

    def is_complete(self, client):
        """Whether the client has received the last one."""
        return bool(self.positions) and client.seen[-1:] == self.positions[-1:]

    def check(self, clients):
        """Every client must have received every event, in order."""
        for client in clients:
            assert client.seen == self.positions, (client.number, len(client.seen), len(self.positions))


def check_items(answered, stored):
    """Every acknowledged item must be there, and no item twice."""
    assert len(set(stored)) == len(stored), "an item is there twice"
    assert set(answered) == set(stored), set(answered) ^ set(stored)


class Client:
    """Takes what it has not seen: `longest` is the most events for which it stays connected."""

    def __init__(self, number, server, token, cipher, longest):
        self.number = number
        self.random = random.Random(number)
        self.speaks_sse = number % 4 == 0
        self.server, self.token = server, token
        self.cipher, self.longest = cipher, longest
        self.position = "0"
        self.seen = []
        self.drops = self.marked = 0
        # By which error it was disconnected last, and how often by each kind of error.
        self.lost = None
        self.causes = Counter()

    def take(self, payload):
        if has_passing_errors(payload):
            raise Rejected(payload["errors"])
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
            stay = self.random.choice([1, 30, 300, self.longest])
            try:
                await (self.read_events if self.speaks_sse else self.read_socket)(stay, has_all)
            except LOST as error:
                self.lost = error
                self.causes[cause(error)] += 1
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
            # The server rejects what is sent earlier. It has to ask the database who the client is.
            message = json.loads(await asyncio.wait_for(socket.recv(), 1))
            assert message["type"] == "connection_ack", message
            payload = {"query": SUBSCRIPTION, "extensions": {"position": self.position}}
            await socket.send(json.dumps({"id": "1", "type": "subscribe", "payload": payload}))
            for _ in range(stay):
                if has_all(self):
                    return
                message = json.loads(await asyncio.wait_for(socket.recv(), 1))
                if message["type"] == "next":
                    self.take(message["payload"])
                else:
                    assert message["type"] == "error", message
                    self.take({"errors": message["payload"]})
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
                if response.content_type != "text/event-stream":
                    self.take(await response.json())
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


async def ask(server, document, variables, token=None, key=None):
    """`key` is the request's idempotency key."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    if key:
        headers["Idempotency-Key"] = key
    async with aiohttp.ClientSession() as session:
        url = f"http://{server.host}/graphql"
        async with session.post(url, json={"query": document, "variables": variables}, headers=headers) as response:
            return await response.json()


async def write(server, token, names, answered, causes=None):
    """`causes` counts the reasons for which attempts failed."""
    for name in names:
        key = str(uuid.uuid4())
        while True:
            try:
                answer = await ask(server, ADD, {"name": name}, token, key)
                if has_passing_errors(answer):
                    raise Rejected(answer["errors"])
                assert "errors" not in answer and answer["data"]["addItem"]["item"], answer
                answered.append(name)
                break
            except LOST as error:
                if causes is not None:
                    causes[cause(error)] += 1
            # The server is down: as a client does, it waits before it tries again.
            await asyncio.sleep(0.05)


async def write_items(count, server, token, answered, causes=None):
    """By several clients at a time."""
    async with asyncio.TaskGroup() as group:
        for writer in range(WRITERS):
            names = [f"Item {number}" for number in range(writer, count, WRITERS)]
            group.create_task(write(server, token, names, answered, causes))


async def reached(answered, count):
    """Returns when so many items are acknowledged."""
    while len(answered) < count:
        await asyncio.sleep(0.01)
